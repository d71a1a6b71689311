"""The adapters of core, by the conformance kit."""

from pathlib import Path

from gramspect.builtin import chart, native
from gramspect.recognition.recognizer import LoadOptions
from gramspect.testing import AdapterConformance, Loadable, Technique

FIXTURES = Path(__file__).parents[2] / "fixtures"
TOY = str(FIXTURES / "toy" / "toy-faulty.y")
SIMPL = str(FIXTURES / "simpl" / "simpl.y")


def simpl(name: str, limit: int = 8) -> list[str]:
    """The first tests of a suite for SIMPL."""
    return (FIXTURES / "simpl" / f"{name}.txt").read_text().splitlines()[:limit]


class TestNative(AdapterConformance):
    adapter = native.adapter
    technique = Technique.LR
    loadables = (
        Loadable(TOY, toy=True, context_free=False),
        Loadable(SIMPL, simpl("accept"), simpl("reject")),
        Loadable(
            SIMPL, simpl("accept"), simpl("reject"), LoadOptions(extra={"method": "canonical"})
        ),
    )


class TestChart(AdapterConformance):
    adapter = chart.adapter
    technique = Technique.GENERAL
    loadables = (
        Loadable(TOY, toy=True, claimed=False),
        Loadable(SIMPL, simpl("accept"), simpl("reject"), claimed=False),
    )
