"""Whether processes that a test started are still there."""

from __future__ import annotations

import subprocess
import time

__all__ = ["is_alive", "is_gone"]


def is_alive(pid: int) -> bool:
    """Whether a process runs. A zombie does not: it has ended, and nobody has asked how."""
    told = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return bool(told.stdout) and not told.stdout.startswith("Z")


def is_gone(pid: int) -> bool:
    """Whether a process ends within some seconds."""
    for _ in range(100):
        if not is_alive(pid):
            return True
        time.sleep(0.1)
    return False
