"""Writes the ranks of the faults: ``python tests/adapters/antlr_python/record_qasm_ranks.py``.

To be run, and the difference looked at, when scores or suites change on purpose.
"""

from __future__ import annotations

import json

from qasm_faults import RECORD, all_ranks

if __name__ == "__main__":
    RECORD.write_text(json.dumps(dict(all_ranks()), indent=1) + "\n")
    print(f"wrote {RECORD}")
