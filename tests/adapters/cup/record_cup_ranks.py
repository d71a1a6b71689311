"""Writes the ranks of the seeded faults.

    PYTHONPATH=tests python tests/adapters/cup/record_cup_ranks.py

To be run, and the difference looked at, when scores or suites change on purpose.
"""

from __future__ import annotations

import json

from cup_seeded import RECORD, faults, ranks


def main() -> None:
    found = {name: ranks(mutant) for name, mutant in faults().items()}
    shown = {name: ranked for name, ranked in found.items() if ranked is not None}
    RECORD.write_text(json.dumps(shown, indent=1) + "\n")
    print(f"{RECORD}: {len(shown)} faults, {len(found) - len(shown)} that no test shows")


if __name__ == "__main__":
    main()
