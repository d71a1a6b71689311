"""Writes the ranks of the seeded faults: ``python tests/adapters/lark/record_lark_ranks.py``.

To be run, and the difference looked at, when scores or suites change on purpose.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from lark_seeded import LANGUAGES


def main() -> None:
    for language in LANGUAGES:
        found = {fault.name: language.ranks(fault) for fault in language.faults}
        language.record.write_text(json.dumps(found, indent=1) + "\n")
        print(f"{language.record}: {len(found)} faults")


if __name__ == "__main__":
    main()
