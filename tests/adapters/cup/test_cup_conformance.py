"""The adapter for CUP, by the conformance kit."""

from pathlib import Path

from cup_tools import FIXTURES, SIGNS, parser_of, runtime
from flex import CALC_CUP, CALC_FLEX, written
from test_cup_classes import LETTERS, LISTS

from gramspect.recognition.recognizer import LoadOptions
from gramspect.testing import AdapterConformance, Loadable, Technique
from gramspect_cup import adapter

CODE = """ | B
    | C {: if (made == 0) { throw new IllegalStateException(); } :}
    | D {: while (made == 0) { } :} ;
"""


def lists(folder: Path) -> str:
    """A jar with a parser of letters, of which a C raises an exception and a D never ends."""
    cup = LISTS.replace("PARSER_CODE", "").replace("ITEM_CODE", "").replace("| B ;", CODE)
    more = " ".join(
        f"if (c == '{x}') {{ return new Symbol(sym.{x.upper()}, offset - 1, offset); }}"
        for x in "cd"
    )
    letters = LETTERS.replace("SCANNER_CODE", more)
    return str(parser_of(cup.replace("terminal A, B;", "terminal A, B, C, D;"), folder, letters))


def with_specification(folder: Path) -> str:
    """A grammar with a JFlex specification beside it, whose scanner never gets over a \\."""
    flex = CALC_FLEX + r"\\  { while (yylength() > 0) { } }" + "\n"
    return str(written(folder, CALC_CUP, flex)[0])


class TestCup(AdapterConformance):
    adapter = adapter
    technique = Technique.LR
    examples = 0.5
    time_limit = 2.0
    loadables = (
        Loadable(
            str(FIXTURES / "cup" / "toy-faulty.cup"), toy=True, spelled=SIGNS, context_free=False
        ),
        Loadable(
            lists,
            accept=["a", "b", "aabb", "a b"],
            reject=[""],
            options=lambda _: LoadOptions(extra={"classpath": str(runtime())}),
            spans=False,
            crashing=["abc"],
            endless=["ad"],
        ),
        Loadable(
            with_specification,
            accept=["x = 1;", "", "x = SIN(1) + y; # so\ny = x;"],
            reject=["x", "x = ;", "x = 1 2;", "x = ?;"],
            options=lambda folder: LoadOptions(extra={"scanner": str(folder / "Lang.flex")}),
            endless=["x = \\;"],
        ),
    )
