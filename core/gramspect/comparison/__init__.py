"""One language through many parsing techniques: their verdicts, and their rankings.

`compare` runs one grammar through every adapter that can build it, or several sources that
describe the same language, each by its own tool. Modules: `sources` makes the parsers, `running`
runs them, `units` says which elements of them can be compared, `agreement` how much the rankings
agree, and `causes` why two techniques differ on a test.

May use: `localization`, `builtin` and what is below them.
"""

from gramspect.comparison.agreement import Agreement, kendall_tau_b
from gramspect.comparison.explanation import Cause, Explanation
from gramspect.comparison.model import Comparison, Disagreement, Technique, Unit
from gramspect.comparison.running import compare
from gramspect.comparison.sources import split_source

__all__ = [
    "Agreement",
    "Cause",
    "Comparison",
    "Disagreement",
    "Explanation",
    "Technique",
    "Unit",
    "compare",
    "kendall_tau_b",
    "split_source",
]
