"""The adapter for JavaCC, by the conformance kit."""

from pathlib import Path

from jj import FRAME

from gramspect.testing import AdapterConformance, Loadable, Technique
from gramspect_javacc import adapter

FIXTURES = Path(__file__).parents[3] / "fixtures"
TOY = str(FIXTURES / "javacc" / "Toy.jj")
SUITE = (FIXTURES / "toy" / "accept.txt").read_text().splitlines()
WRONG = (5, 13)
"""The tests that show the faults of the grammar."""
LISTS = """
TOKEN : { <A: "a"> | <DIVIDE: "divide"> | <LOOP: "loop"> }
void start() : {} { ( item() )* <EOF> }
void item() : { int zero = 0; }
{ <A> | "(" ( item() )* ")" | <DIVIDE> { zero = 1 / zero; } | <LOOP> { while (zero == 0) { } } }
"""


def lists(folder: Path) -> str:
    path = folder / "Parser.jj"
    path.write_text(FRAME.format(body=LISTS, members="", static="false"))
    return str(path)


class TestJavacc(AdapterConformance):
    adapter = adapter
    technique = Technique.LL1
    examples = 0.25  # each runs JavaCC and javac
    time_limit = 2.0
    loadables = (
        Loadable(
            TOY,
            [test for n, test in enumerate(SUITE) if n not in WRONG],
            [SUITE[n] for n in WRONG],
        ),
        Loadable(
            lists,
            accept=["", "a", "a (a a) a", "((()))"],
            reject=["(", "a)", "b", "(a"],
            crashing=["a divide"],
            endless=["(loop)"],
        ),
    )
