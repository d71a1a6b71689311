"""Nothing that runs the user's code is left when gramspect is killed, whatever that code does."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from layouts import MAKE, RULES, written

from processes import is_gone

STUCK = """
import os, re
def stuck():
    with open({file!r}, "w") as out:
        out.write(str(os.getpid()))
    re.match("(a+)+$", "a" * 60 + "b")  # it lets no other thread run
"""
WHILE = {
    "it loads": RULES + MAKE + "stuck()\n",
    "it parses": RULES.replace('| NAME"""', '| NAME"""\n    stuck()') + MAKE,
}


@pytest.mark.parametrize("when", WHILE)
def test_a_process_that_is_killed(tmp_path: Path, when: str) -> None:
    file = tmp_path / "pid"
    written(tmp_path, {"calls.py": STUCK.format(file=str(file)) + WHILE[when], "good.txt": "f(a)"})
    command = [sys.executable, "-m", "gramspect", "localize", "calls.py", "--accept", "good.txt"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as running:
        for _ in range(600):
            if file.exists() and file.read_text():
                break
            time.sleep(0.1)
        running.send_signal(signal.SIGKILL)
    assert is_gone(int(file.read_text()))
