"""Writes the ranks of the seeded faults: ``python tests/core/comparison/record_compared_ranks.py``.

To be run, and the difference looked at, when scores or suites change on purpose.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[2]))

from compared_faults import LANGUAGES, ranks_of


def main() -> None:
    for language in LANGUAGES:
        with TemporaryDirectory() as folder:
            found = {
                fault.name: ranks_of(language.compared(fault, Path(folder)), fault)
                for fault in language.faults
            }
        language.record.write_text(json.dumps(found, indent=1) + "\n")
        print(f"{language.record}: {len(found)} faults")


if __name__ == "__main__":
    main()
