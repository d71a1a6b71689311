"""``python -m gramspect_jvm`` prints where the agent is, for ``java -javaagent:``."""

from __future__ import annotations

import sys

from gramspect.adapter_api import GramspectError
from gramspect_jvm.locating import agent

if __name__ == "__main__":
    try:
        print(agent())
    except GramspectError as problem:
        print(f"gramspect: {problem}", file=sys.stderr)
        sys.exit(2)
