"""Writes the ranks of the seeded faults: ``python tests/adapters/antlr/record_g4_ranks.py``.

With ``tests`` on the path. To be run, and the difference looked at, when scores or suites change on
purpose.
"""

from __future__ import annotations

import json

from g4_seeded import LANGUAGES


def main() -> None:
    for language in LANGUAGES:
        found = {fault.name: language.ranks(fault) for fault in language.faults}
        language.record.write_text(json.dumps(found, indent=1) + "\n")
        print(f"{language.record}: {len(found)} faults")


if __name__ == "__main__":
    main()
