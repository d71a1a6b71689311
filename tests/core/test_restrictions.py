"""Edits for inputs that are wrongly accepted; verdicts checked on the really edited grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import fewer
from gramspect.builtin.chart import ChartRecognizer
from gramspect.edits import Edit, EditKind, applied
from gramspect.edits.failing import search_failing
from gramspect.edits.restriction import rejecting, restrictions
from gramspect.edits.scores import proposals
from gramspect.edits.trial import Trial
from gramspect.grammars.ebnf import Alternative, Block, Definition, Element, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.seeding import sample
from gramspect.grammars.symbols import Operator
from gramspect.localization.localize import localize
from gramspect.recognition.chart import parse_chart
from gramspect.suites.suite import TestSuite
from toy import grammar, toy

SENTENCES = [
    "program id = { var id : bool ; id = ( id + num ) ; } .",
    "program id = { if id = id then id = num else { sleep ; } ; sleep ; } .",
    "program id = { while num do { } ; { var id : int ; sleep ; } ; } .",
    "program id = { if id then sleep ; } .",
]


def words(g: Grammar, text: str) -> list[int]:
    found = [g.token(word) for word in text.split()]
    return [-1 if token is None else token for token in found]


def ebnf(**definitions: list[Element | str]) -> Grammar:
    """A grammar with one alternative for each name; strings are references."""
    return expand(
        [
            Definition(
                name, (Alternative(tuple(Reference(e) if isinstance(e, str) else e for e in rhs)),)
            )
            for name, rhs in definitions.items()
        ]
    )


def block(operator: Operator, *alternatives: str) -> Block:
    return Block(
        operator,
        tuple(Alternative(tuple(map(Reference, text.split()))) for text in alternatives),
    )


def shown(g: Grammar) -> list[str]:
    """The rules as they are, helpers by name."""
    names = [symbol.name for symbol in g.symbols]
    return [" ".join([names[r.lhs], "->", *(names[s] for s in r.rhs)]) for r in g.rules]


@pytest.mark.parametrize(
    ("kind", "dot", "symbols", "rhs"),
    [
        (EditKind.REQUIRE, 1, "b", ["a b c d"]),
        (EditKind.REQUIRE, 3, "b", ["a c d b"]),
        (EditKind.NARROW, 1, "b", ["a b d"]),
        (EditKind.NARROW, 1, "", ["a d"]),
        (EditKind.SWAP, 1, "", ["a d c"]),
        (EditKind.DROP, 0, "", []),
    ],
)
def test_applied(kind: EditKind, dot: int, symbols: str, rhs: list[str]) -> None:
    g = grammar("s -> a c d\ns -> b")
    changed = applied(g, Edit(g.item(0, dot), kind, tuple(map(g.symbol, symbols.split())), 0, 0.0))
    assert shown(changed) == [*(f"s -> {text}" for text in rhs), "s -> b"]
    assert [rule.index for rule in changed.rules] == list(range(len(changed.rules)))


def test_a_separator_in_a_list_that_may_be_empty() -> None:
    listed = grammar("l ->\nl -> l x\nx -> a n\nn ->\nn -> b")
    edit = Edit(listed.item(1, 1), EditKind.SEPARATE, (listed.symbol("b"),), 0, 0.0)
    assert shown(applied(listed, edit))[:3] == ["l ->", "l -> x", "l -> l b x"]
    assert edit.describe(listed) == "require b between any two x"


@pytest.mark.parametrize(
    ("operator", "said"),
    [
        (Operator.OPTION, "make x mandatory"),
        (Operator.PLUS, "allow x only once"),
        (Operator.STAR, "require at least one x"),
        (Operator.STAR, "allow x at most once"),
        (Operator.PLUS, "require ; between any two x"),
    ],
)
def test_what_the_user_wrote_is_changed(operator: Operator, said: str) -> None:
    g = ebnf(s=["a", block(operator, "x"), "b"], x=["c", block(Operator.OPTION, ";")])
    assert said in [edit.describe(g) for edit in restrictions(g, range(g.n_rules))]


def test_groups_and_plain_rules() -> None:
    g = grammar("s -> x y z\nx -> a\nx ->\ny -> y c\ny -> c\nz -> d\nz -> e")
    said = {edit.describe(g) for edit in restrictions(g, range(g.n_rules))}
    assert said == {
        *("drop the alternative a", "drop the empty alternative", "drop the alternative y c"),
        *("drop the alternative c", "drop the alternative d", "drop the alternative e"),
        *("allow only a instead of x", "allow only c instead of y"),
        *("allow only d instead of z", "allow only e instead of z"),
        *("swap x and y", "swap y and z", "swap y and c"),
    }


@fewer(0.25)
@given(seed=st.integers(0, 10_000), text=st.sampled_from(SENTENCES), data=st.data())
def test_verdicts_without_making_the_grammar(seed: int, text: str, data: st.DataObject) -> None:
    """A trial says of every edit what a chart of the edited grammar says."""
    g = sample(toy(), 1, seed)[0].grammar
    tokens = words(g, text)
    trial = Trial(parse_chart(g, tokens), tokens)
    edits = data.draw(st.lists(st.sampled_from(list(restrictions(g, range(g.n_rules))))))
    for rule in g.rules:
        symbols = data.draw(st.lists(st.integers(1, len(g.symbols) - 1), min_size=1, max_size=2))
        dot = data.draw(st.integers(0, len(rule.rhs)))
        kinds = [EditKind.REQUIRE, EditKind.INSERT]
        kinds += [EditKind.NARROW, EditKind.REPLACE, EditKind.END] if dot < len(rule.rhs) else []
        kind = data.draw(st.sampled_from(kinds))
        edits.append(Edit(g.item(rule.index, dot), kind, tuple(symbols), 0, 0.0))
    for edit, reached in zip(edits, trial.reached(edits), strict=True):
        chart = parse_chart(applied(g, edit), tokens)
        assert reached == (len(tokens) + 1 if chart.accepted else chart.end)


LISTS = "l ->\nl -> l x\nx -> a n\nn ->\nn -> n ;"


@pytest.mark.parametrize(
    "text", ["a", "a a", "a ; a", "a ; ; a a", "a ; a ; a ;", "; a", "", "a ; ;"]
)
def test_separators_without_making_the_grammar(text: str) -> None:
    g = grammar(LISTS)
    tokens = words(g, text)
    trial = Trial(parse_chart(g, tokens), tokens)
    separate = [e for e in restrictions(g, range(g.n_rules)) if e.kind is EditKind.SEPARATE]
    assert [e.describe(g) for e in separate] == ["require ; between any two x"]
    assert trial.accepts(separate) == [parse_chart(applied(g, separate[0]), tokens).accepted]


def test_passing_inputs_tell_edits_apart() -> None:
    g = grammar(LISTS)
    tokens = words(g, "a a")
    assert len(rejecting(parse_chart(g, tokens), tokens)) > 2
    suite = TestSuite.from_texts(accept=["a", "a ; a", "a ; a ;"], reject=["a a"])
    *passing, failing = suite
    (searched,) = search_failing(ChartRecognizer(g), [(3, failing)], passing=passing)
    (outcome,) = searched.outcomes
    assert outcome.edit.describe(g) == "require ; between any two x"
    assert outcome.edit.column == 1
    assert searched.mends(outcome)


@pytest.mark.parametrize("operator", [Operator.OPTION, Operator.PLUS])
def test_another_body_of_an_option_or_repetition_is_no_alternative(operator: Operator) -> None:
    g = ebnf(s=["a", block(operator, "b")])
    item = next(g.item(r.index, 0) for r in g.rules if r.rhs == (g.symbol("b"),))
    edit = Edit(item, EditKind.REPLACE, (g.symbol("a"),), 0, 1.0)
    assert edit.describe(g) == "also allow a instead of b"


def test_an_edit_that_harms_a_passing_test_is_no_help() -> None:
    g = grammar("s -> a x\nx -> b\nz -> c")
    suite = TestSuite.from_texts(accept=["a b", "a c"], reject=["c", "a"])
    tests = list(enumerate(suite))
    alone, checked = (
        proposals(search_failing(ChartRecognizer(g), tests[1:2], passing=passing))
        for passing in ([], [tests[0][1], tests[2][1], tests[3][1]])
    )
    item = g.item(0, 1)
    assert {p.edit.describe(g) for p in alone[item]} >= {"also allow c instead of x"}
    said = {(g.item_label(p.edit.item), p.edit.describe(g)) for f in checked.values() for p in f}
    assert ("s:1:1", "also allow c instead of x") in said
    assert not said & {("s:1:1", "make x optional"), ("s:1:0", "add the alternative c")}


def test_what_serves_both_kinds_of_tests() -> None:
    """A wrong symbol: one input is rejected for it, another one accepted."""
    g = grammar("s -> a x d\nx -> b\nx -> c\nz -> e")
    suite = TestSuite.from_texts(accept=["a b e", "a c e"], reject=["a b d", "a c d", "a e"])
    found = localize(ChartRecognizer(g), suite, evidence="edits")
    best = found.ranking[0]
    assert g.item_label(best.element) == "s:1:2"
    proposal = found.proposals_for(best)[0]
    assert proposal.edit.describe(g) == "allow only e instead of d"
    assert proposal.tests == (0, 1, 2, 3)


def test_a_mandatory_option_is_proposed() -> None:
    g = ebnf(s=[block(Operator.OPTION, "head"), block(Operator.STAR, "x")], head=["h"])
    suite = TestSuite.from_texts(accept=["h x x", "h", "h x"], reject=["x", "x x"])
    found = localize(ChartRecognizer(g), suite, evidence="edits")
    best = found.ranking[0]
    assert best.nonterminal == "s"
    (proposal,) = found.proposals_for(best)
    assert proposal.edit.describe(g) == "make head mandatory"
    assert proposal.tests == (3, 4)


def test_where_no_restriction_helps_there_is_none() -> None:
    g = grammar("s -> a")
    suite = TestSuite.from_texts(reject=["a"])
    searched = search_failing(ChartRecognizer(g), list(enumerate(suite)))
    assert [one.outcomes for one in searched] == [()]
    assert not proposals(searched)


@pytest.mark.parametrize(
    ("text", "accept", "reject", "said"),
    [
        (
            "e -> e e\ne -> - e\ne -> ( e )\ne -> n",  # it should be: e -> e - e
            ["n", "n - n", "- n", "n - - n", "( n ) - n", "( n - n )"],
            ["n n", "( n n )", "n - n n", "- n n", "( n"],
            "e:1:1 require - before e",
        ),
        (
            "i ->\ni -> i l\nl -> ;\nl -> a ;\nl -> error",  # it should be: l -> error ;
            ["a ;", "; ;", "a ; error ;", "error ; a ;"],
            ["error a ;", "a ; error", "error error", "a"],
            "l:3:1 require ; at the end",
        ),
    ],
)
def test_a_forgotten_token_that_something_else_reads(
    text: str, accept: list[str], reject: list[str], said: str
) -> None:
    """Inputs that have it are read by other rules, so only those without it fail."""
    g = grammar(text)
    suite = TestSuite.from_texts(accept, reject)
    found = localize(ChartRecognizer(g), suite, evidence="edits", confirm=0)
    best = found.suggestions[0]
    assert f"{g.item_label(best.edit.item)} {best.describe()}" == said
    assert len(best.effect.fixed) == found.n_failing
    edited = applied(g, best.edit)
    for test, wanted in [*((t, True) for t in accept), *((t, False) for t in reject)]:
        assert parse_chart(edited, words(edited, test)).accepted is wanted


def test_what_must_stand_there_is_generalized() -> None:
    """The operand that is missing is a number in some inputs and more in others."""
    g = grammar("e -> / e\ne -> n\ne -> v\ne -> ( e )")  # it should be: e -> e / e
    suite = TestSuite.from_texts(["n", "n / n", "v / n", "( v ) / v"], ["/ n", "n / / n", "/"])
    found = localize(ChartRecognizer(g), suite, evidence="edits", confirm=0)
    best = found.suggestions[0]
    assert f"{g.item_label(best.edit.item)} {best.describe()}" == "e:1:0 require e before /"
    assert len(best.effect.fixed) == found.n_failing


def test_compiled_and_plain_agree() -> None:
    g = grammar(LISTS)
    tokens = words(g, "a ; a a ;")
    edits = list(restrictions(g, range(g.n_rules)))
    plain, compiled = (
        Trial(parse_chart(g, tokens, c), tokens).reached(edits) for c in (False, True)
    )
    assert plain == compiled
