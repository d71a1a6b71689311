"""Writes the ranks of the seeded faults: ``python tests/adapters/javacc/record_simpl_ranks.py``.

To be run, and the difference looked at, when scores or suites change on purpose.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from simpl import RECORD, ranks
from simpl_faults import FAULTS


def main() -> None:
    found = {fault.name: ranks(fault) for fault in FAULTS}
    RECORD.write_text(json.dumps(found, indent=1) + "\n")
    print(f"{RECORD}: {len(found)} faults")


if __name__ == "__main__":
    main()
