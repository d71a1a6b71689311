"""The conformance kit: whether an adapter keeps its promises, by tests that anybody can run.

A test file with a subclass of `AdapterConformance` runs all of them::

    from gramspect.testing import AdapterConformance, Loadable, Technique

    class TestMyAdapter(AdapterConformance):
        adapter = my_package.adapter
        technique = Technique.LR
        loadables = (Loadable("numbers.my", accept=["1", "1 + 2"], reject=["+"]),)

It needs pytest and Hypothesis: ``pip install "gramspect[testing]"``.

May use: `builtin`, `generation`, `running`, and what is below them.
"""

import pytest

pytest.register_assert_rewrite("gramspect.testing.checks", "gramspect.testing.conformance")

from gramspect.testing.conformance import AdapterConformance  # noqa: E402
from gramspect.testing.subjects import Loadable, Technique  # noqa: E402

__all__ = ["AdapterConformance", "Loadable", "Technique"]
