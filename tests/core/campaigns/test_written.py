"""Faults written into the text of a grammar, which the adapter of the text then loads."""

from dataclasses import replace
from pathlib import Path

import lark
import pytest
from small import GRAMMAR

from command import Command
from gramspect import campaign
from gramspect.campaigns.campaign import mending
from gramspect.campaigns.config import read_config
from gramspect.campaigns.plan import UnitName, make_plan
from gramspect.campaigns.store import Store
from gramspect.campaigns.units import Outcome, Result, compute
from gramspect.campaigns.written import as_edit
from gramspect.edits.writing import written as edited

SUMS = """start: line+
line: NAME "=" sum ";" | "print" sum ("," sum)* ";"
sum: (sum "+")? atom
atom: NAME | NUMBER | "(" sum ")"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%import common.WS
%ignore WS
"""
CALC_PLY = '''import ply.lex, ply.yacc
tokens = ("NAME", "NUM")
literals = "=+;()"
t_NAME, t_NUM, t_ignore = "[a-z]+", "[0-9]+", " "
def t_error(token):
    raise SyntaxError(token.value)
def p_lines(p):
    """lines : lines line
             | line"""
def p_line(p):
    """line : NAME '=' sum ';' """
def p_sum(p):
    """sum : sum '+' atom
           | atom"""
def p_atom(p):
    """atom : NAME
            | NUM
            | '(' sum ')' """
def p_error(p):
    pass
lexer = ply.lex.lex()
parser = ply.yacc.yacc(write_tables=False, debug=False)
'''
CONFIG = """
recognizers = [{recognizers}]
[grammars.sums]
{grammar}
[faults]
sample = {sample}
[suites.mixed]
criteria = ["cdrc"]
negative = ["tokens"]
per-sentence = 2
[methods]
metrics = ["ochiai"]
[engine]
backend = "here"
"""


def written(
    folder: Path,
    file: str,
    text: str,
    sample: int,
    grammar: str = "",
    recognizers: str = '"text"',
) -> Path:
    """The file of a campaign of a grammar that is a text."""
    (folder / file).write_text(text)
    path = folder / "campaign.toml"
    keys = f'file = "{file}"\n{grammar}'
    path.write_text(CONFIG.format(recognizers=recognizers, grammar=keys, sample=sample))
    return path


def results(path: Path) -> dict[tuple[str, int], Result]:
    """The results of a campaign by recognizer and mutant."""
    with Store.reading(str(path.with_suffix(".db"))) as store:
        return {(each.unit.recognizer, each.unit.number): each for each in store.results()}


def told(result: Result) -> tuple[object, ...]:
    """All that does not depend on the recognizer."""
    return result.key, result.outcome, result.totals, result.n_items, result.ranks.tobytes()


def test_a_text_with_a_fault_has_the_ranks_of_the_rules_with_it(tmp_path: Path) -> None:
    """Written, read and parsed again, or changed as rules: for yacc's notation it is the same."""
    path = written(tmp_path, "sums.y", GRAMMAR, 24, recognizers='"native", "text"')
    campaign(str(path))
    found = results(path)
    for number in range(24):
        assert told(found["native", number]) == told(found["text", number])
    operators = {each.operator for each in found.values() if each.outcome is Outcome.RANKED}
    assert {"deletion", "insertion", "substitution", "transposition"} <= operators


@pytest.mark.slow
def test_faults_in_a_text_for_lark(tmp_path: Path) -> None:
    """The verdicts are those of Lark alone, given the changed text and the texts of the tests."""
    path = written(tmp_path, "sums.lark", SUMS, 60, 'adapter = "lark-lalr"', '"lark-lalr", "text"')
    campaign(str(path))
    found = results(path)
    subject = make_plan(read_config(str(path))).subject("sums")
    assert subject.text is not None
    cases = replace(subject.tests, in_text=True).cases
    reasons: dict[Outcome, list[str]] = {outcome: [] for outcome in Outcome}
    for number, faulty in enumerate(subject.faulty):
        loaded = found["text", number]
        reasons[loaded.outcome].append(loaded.reason)
        if loaded.outcome is Outcome.RANKED:
            (fault,) = faulty.faults
            change = edited(fault.original, as_edit(fault), subject.text.draft.read)
            parser = lark.Lark(change.changed.text, parser="lalr")
            right = sum(accepts(parser, x.text) is (x.expectation == "accept") for x in cases)
            assert loaded.totals[0][:2] == (len(cases) - right, right), faulty.key
    assert len(reasons[Outcome.RANKED]) > 35
    assert all(x.startswith("GrammarError: sums.lark:") for x in reasons[Outcome.NO_PARSER])
    assert reasons[Outcome.NO_PARSER]
    assert "no operator says this" in reasons[Outcome.NOT_WRITTEN]
    assert not reasons[Outcome.FAILED]
    assert sum(told(found["lark-lalr", n]) == told(found["text", n]) for n in range(60)) > 25
    assert all(str(tmp_path) not in each.reason for each in found.values())


def accepts(parser: lark.Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except lark.exceptions.LarkError:
        return False
    return True


def test_what_a_worker_does_with_a_text_is_what_this_process_does(tmp_path: Path) -> None:
    """The text is sent: the files may change meanwhile."""
    path = written(tmp_path, "sums.lark", SUMS, 12, 'adapter = "lark-lalr"')
    plan = make_plan(read_config(str(path)))
    (tmp_path / "sums.lark").write_text("start: NAME\nNAME: /x/\n")
    here = {n: compute(plan, UnitName("sums", "text", n)) for n in range(12)}
    (tmp_path / "sums.lark").write_text(SUMS)
    path.write_text(path.read_text().replace('backend = "here"', 'backend = "loky"\njobs = 1'))
    campaign(str(path))
    assert {told(each) for each in results(path).values()} == {told(each) for each in here.values()}
    (tmp_path / "sums.lark").write_text(f"// mine\n{SUMS}")
    with pytest.raises(Exception, match=r"the text of the grammar \(12 results\)"):
        campaign(str(path))


@pytest.mark.slow
def test_faults_in_docstrings_of_ply(tmp_path: Path) -> None:
    path = written(tmp_path, "sums.py", CALC_PLY, 6, recognizers='"ply", "text"')
    path.write_text(path.read_text().replace('"sums.py"', '"sums.py:parser"'))
    campaign(str(path))
    found = results(path)
    assert {each.outcome for each in found.values()} <= {Outcome.RANKED, Outcome.NO_PARSER}
    assert sum(told(found["ply", n]) == told(found["text", n]) for n in range(6)) >= 4


@pytest.mark.slow
def test_several_faults_in_a_text_are_mended_one_after_the_other(tmp_path: Path) -> None:
    path = written(tmp_path, "sums.y", GRAMMAR, 6, recognizers='"native", "text"')
    path.write_text(path.read_text().replace("sample = 6", "sample = 6\ntogether = 2"))
    rows = mending(str(path))
    native = [replace(row, recognizer="") for row in rows if row.recognizer == "native"]
    assert native == [replace(row, recognizer="") for row in rows if row.recognizer == "text"]
    assert native[0].rounds > 1


MISTAKES = {
    "[grammars.sums] has no key 'adaptor'; did you mean 'adapter'?": 'adaptor = "lark-lalr"',
    "options must be texts": "options = { postlex = 3 }",
    "there is no adapter 'lark-lalrr'": 'adapter = "lark-lalrr"',
    "the adapter lark-lalr has no --option postlexx": (
        'adapter = "lark-lalr"\noptions = { postlexx = "m:C" }'
    ),
    "none.toml: cannot be read": 'adapter = "lark-lalr"\nsamples = "none.toml"',
}


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes_in_how_a_grammar_is_loaded(
    tmp_path: Path, command: Command, message: str
) -> None:
    path = written(tmp_path, "sums.lark", SUMS, 3, MISTAKES[message])
    assert message in command.fails("campaign", path)
    assert not path.with_suffix(".db").exists()


def test_texts_that_cannot_be_loaded(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path, "sums.lark", SUMS.replace("sum:", "sum"), 3)
    assert "sums.lark:3" in command.fails("campaign", path)
    path = written(tmp_path, "more.lark", SUMS, 3)
    (tmp_path / "more.lark").unlink()
    assert "more.lark: there is no such file" in command.fails("campaign", path)
    path = written(tmp_path, "sums.txt", GRAMMAR, 3, 'adapter = "native"')
    told = command.fails("campaign", path)
    assert "no fault can be written into" in told
    assert "gramspect cannot change .txt files" in told
    text = 'start: A B\nA: "a"\n%declare B\n'
    path = written(tmp_path, "declared.lark", text, 3)
    assert "no text is known for B" in command.fails("campaign", path)
