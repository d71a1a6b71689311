"""The search for edits as a whole: several at once, its order, its ends."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import inf, log, prod, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from examples import fewer
from gramspect.builtin.chart import ChartRecognizer
from gramspect.edits import Edit, EditKind, EditSearch, applied, search
from gramspect.edits.candidates import KINDS, Stretch, item_table
from gramspect.edits.failing import Searched, search_failing, trial_of
from gramspect.edits.model import (
    BESIDE_A_CALL,
    NEW_TOKEN,
    OTHER_THAN_INSERTION,
    REPLACEMENT,
    SKIPPED,
    generality,
    many,
)
from gramspect.edits.search import Outcome, Searching
from gramspect.edits.sequences import original_item, sequences
from gramspect.edits.weights import chosen_weights, edit_weights
from gramspect.effort import Effort, counting
from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.seeding import sample
from gramspect.grammars.symbols import Operator
from gramspect.localization.localize import localize
from gramspect.localization.notes import OUT_OF_TIME
from gramspect.recognition.chart import parse_chart
from gramspect.scoring.evidence import Caveat
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import TestSuite
from gramspect.yacc import parse_yacc
from toy import grammar, toy


def words(g: Grammar, text: str) -> list[int]:
    found = [g.token(word) for word in text.split()]
    return [-1 if token is None else token for token in found]


SENTENCES = [
    "program id = { var id : bool ; id = ( id + num ) ; } .",
    "program id = { if id = id then id = num else { sleep ; } ; sleep ; } .",
    "program id = { while num do { } ; { var id : int ; sleep ; } ; } .",
]


@fewer(0.4)
@given(seed=st.integers(0, 10_000), text=st.sampled_from(SENTENCES))
def test_no_single_edit_is_passed_over(seed: int, text: str) -> None:
    """Whatever one token helps at a position of the error column, by brute force, is found."""
    g = sample(toy(), 1, seed)[0].grammar
    tokens = words(g, text)
    chart = parse_chart(g, tokens)
    assume(chart.end < len(tokens))
    found = {
        applied(g, o.edit).rules[g.split_item(o.edit.item)[0] + 1].rhs
        for o in search(chart, tokens, EditSearch(margin=9.0, most=9.0))
        if o.accepted and not o.edit.kind.restrictive
    }
    token = tokens[chart.end]
    for item in {item for item, _ in chart.column(chart.end)}:
        rule, dot = g.split_item(item)
        at_end = dot == len(g.rules[rule].rhs)
        for kind, symbols in (
            (EditKind.INSERT, (token,)),
            *(() if at_end else ((EditKind.REPLACE, (token,)), (EditKind.REPLACE, ()))),
        ):
            changed = applied(g, Edit(item, kind, symbols, 0, 0.0))
            if parse_chart(changed, tokens).accepted:
                assert changed.rules[rule + 1].rhs in found


def test_cheaper_edits_are_tried_first() -> None:
    tokens = words(toy(), "program id = { if id then sleep ; } .")
    searching = Searching(parse_chart(toy(), tokens), tokens)
    assert len(list(searching.run())) > 2
    paid = [outcome.edit.cost for outcome in searching.accepted]
    assert all(later >= earlier - 0.5 for earlier, later in pairwise(paid))


def test_of_edits_that_cost_the_same_those_that_get_further_are_first() -> None:
    g = toy()
    tokens = words(g, "program id = { if id then sleep ; while id do sleep ; } .")
    found = search(parse_chart(g, tokens), tokens)
    order = [(not o.accepted, o.edit.cost, -o.reached, o.edit.item) for o in found]
    assert order == sorted(order)
    same = [(one, two) for one, two in pairwise(order) if one[:2] == two[:2]]
    assert any(one[2] < two[2] for one, two in same)


def test_a_swap_is_found() -> None:
    g = grammar("s -> a c b d\ns -> x")
    tokens = words(g, "a b c d")
    best = next(o for o in search(parse_chart(g, tokens), tokens) if o.edit.kind is EditKind.SWAP)
    assert best.accepted
    assert best.edit.describe(g) == "swap c and b"
    assert parse_chart(applied(g, best.edit), tokens).accepted


def test_a_swap_that_takes_away_what_is_needed_is_not() -> None:
    g = grammar("s -> t t\nt -> a b")
    tokens = words(g, "a b b a")
    found = search(parse_chart(g, tokens), tokens)
    assert not [o for o in found if o.edit.kind is EditKind.SWAP]


def test_one_more_word_in_a_list_of_words_is_cheaper() -> None:
    names = " ".join(f"k{i}" for i in range(16)).split()
    g = grammar("s -> a w\ns -> b z\n" + "\n".join(f"w -> {name}" for name in names) + "\nq -> c")
    tokens = words(g, "a b")
    best = search(parse_chart(g, tokens), tokens)[0]
    assert (g.item_label(best.edit.item), best.edit.kind) == ("w:1:0", EditKind.REPLACE)
    assert best.edit.cost == pytest.approx(1 - np.log2(many(16)))
    assert many(16) == 3
    assert many(0) == many(1) == 1


@pytest.mark.parametrize(
    ("token", "cost"), [("'c'", 1 - np.log2(many(2))), ("'-'", 1.0), ("C", 2.0)]
)
def test_a_list_is_one_of_words_or_of_signs(token: str, cost: float) -> None:
    text = f"%token C M N\n%%\ns: 'a' w | q ;\nw: 'k' | 'l' | '+' | M N ;\nq: {token} ;"
    g = parse_yacc(text, "g.y")
    tokens = words(g, f"'a' {token}")
    found = search(parse_chart(g, tokens), tokens)
    alternatives = [o.edit for o in found if g.item_label(o.edit.item) == "w:1:0" and o.accepted]
    assert min(edit.cost for edit in alternatives) == pytest.approx(cost)


def test_a_new_alternative_is_tried_once() -> None:
    g = grammar("s -> a w\nw -> k\nw -> l\nw -> m n")
    table = item_table(g)
    tokens = words(g, "a a")
    items = np.array([g.item(1, 0), g.item(2, 0), g.item(3, 0)])
    found = table.candidates(items, [Stretch(2, 1.0, (tokens[1],))], tokens, 0, 1, 9.0)
    kinds = [(g.item_label(int(i)), KINDS[k]) for i, k in zip(found.item, found.kind, strict=True)]
    assert kinds == [("w:1:0", EditKind.REPLACE)]


def test_two_faults_in_one_input() -> None:
    g = grammar("s -> a t b u c\nt -> p\nu -> q\nv -> r")
    tokens = words(g, "a r b r c")
    chart = parse_chart(g, tokens)
    outcomes = search(chart, tokens, EditSearch(longest=1, reach=1))
    assert not any(outcome.accepted for outcome in outcomes)
    found = sequences(chart, tokens, outcomes, deadline=inf)
    places = {tuple(g.item_label(item) for item in steps.items) for steps in found}
    either = {(first, then) for first in ("s:1:1", "t:1:0") for then in ("s:1:3", "u:1:0")}
    assert places >= either
    assert all(len(steps.items) == 2 for steps in found)
    (searched,) = search_failing(
        ChartRecognizer(g), list(enumerate(TestSuite.from_texts(accept=["a r b r c"])))
    )
    weights = edit_weights(SpectrumKind.ITEM, g, [searched])
    best = {g.item_label(item) for item in np.flatnonzero(weights == weights.max()).tolist()}
    assert best <= {"s:1:1", "s:1:3", "t:1:0", "u:1:0"}


@fewer(0.6)
@given(data=st.data())
def test_items_of_an_edited_grammar_stand_for_original_ones(data: st.DataObject) -> None:
    g = toy()
    item = data.draw(st.integers(0, g.n_items - 1))
    rule, dot = g.split_item(item)
    kinds = [EditKind.INSERT]
    kinds += [EditKind.REPLACE, EditKind.END] if dot < len(g.rules[rule].rhs) else []
    edit = Edit(item, data.draw(st.sampled_from(kinds)), (1, 2), 0, 0.0)
    edited = applied(g, edit)
    for place in range(edited.n_items):
        original = original_item(g, edit, edited, place)
        ours, theirs = g.split_item(original), edited.split_item(place)
        assert g.rules[ours[0]].lhs == edited.rules[theirs[0]].lhs
        ours_rhs, theirs_rhs = g.rules[ours[0]].rhs, edited.rules[theirs[0]].rhs
        if theirs[0] != rule + 1:
            assert (ours_rhs, ours[1]) == (theirs_rhs, theirs[1])
        elif theirs[1] <= dot:
            assert ours_rhs[: ours[1]] == theirs_rhs[: theirs[1]]
        elif edit.kind is not EditKind.END and theirs[1] >= dot + 2:
            assert ours_rhs[ours[1] :] == theirs_rhs[theirs[1] :]
        else:
            assert original == edit.item


def test_a_choice_of_calls_weighs_with_what_it_calls() -> None:
    g = grammar(
        "s -> stmt\nstmt -> ra\nstmt -> rb\nstmt -> rc\nstmt -> y\nra -> ren a id\n"
        "rb -> ren b id\nrc -> ren c id"
    )
    recognizer = ChartRecognizer(g)
    suite = TestSuite.from_texts(accept=["ren y id"])
    searched = search_failing(recognizer, list(enumerate(suite)))
    weights = edit_weights(SpectrumKind.ITEM, g, searched)
    choice = max(weights[g.item(rule, 0)] for rule in g.rules_of[g.symbol("stmt")])
    assert choice == max(weights)
    more = many(3) ** chosen_weights().choices
    assert choice == pytest.approx(more * weights[g.item(5, 1)])


def test_what_explains_every_test_weighs_more() -> None:
    """By hand: the geometric mean over the tests beside the arithmetic one, of non-terminals."""
    g = grammar("s -> x\ns -> y\ns -> z\nx -> a b\nx -> a c\ny -> a d\nz -> a e")
    x, also_x, y, z = (g.item(rule, 1) for rule in range(3, 7))
    searched = []
    for test, shares in enumerate(({x: 0.5, y: 1.0}, {also_x: 0.3, z: 1.0})):
        edits = [Edit(item, EditKind.INSERT, (1,), 1, -log(s, 3)) for item, s in shares.items()]
        outcomes = tuple(Outcome(edit, accepted=True, reached=9) for edit in edits)
        free = {edit.key: 0 for edit in edits}
        searched.append(Searched(test, 1, outcomes, conflicts=free, growth=free))
    weights, chosen = edit_weights(SpectrumKind.ITEM, g, searched), chosen_weights()
    for item, of_tests, mean in ((x, (0.5, 0.3), 0.25), (y, (1.0, 0.0), 0.5)):
        geometric = sqrt(prod(share + chosen.edit_floor for share in of_tests)) - chosen.edit_floor
        expected = (mean + chosen.agreement * geometric) / (1 + chosen.agreement)
        assert weights[item] == pytest.approx(expected)
    assert weights[also_x] == pytest.approx(weights[x] * 0.3 / 0.5)
    assert weights[x] > weights[y]


def test_no_edit_is_made_in_an_error_production() -> None:
    """In jq's grammar `. IDENT error` makes a message of what is wrong: it must not be accepted."""
    g = parse_yacc(
        """
        exp  : exp '|' term | term ;
        term : '.' FIELD | '.' IDENT error | '(' error ')' | '(' exp ')' ;
        """
    )
    suite = TestSuite.from_texts(accept=[". FIELD | . FIELD", ". IDENT | . FIELD", "( )"])
    result = localize(ChartRecognizer(g), suite)
    assert len(result.failing) == 2
    assert {one.describe() for one in result.suggestions} >= {"also allow IDENT instead of FIELD"}
    error = g.token("error")
    for one in result.suggestions:
        assert error not in g.rules[g.split_item(one.edit.item)[0]].rhs


def test_what_many_call_weighs_less() -> None:
    once = grammar("s -> a x\nx -> b c\ny -> d")
    often = grammar("s -> a x\ns -> p\ns -> q\np -> e x\nq -> f x\nx -> b c\ny -> d")
    found = []
    for g in (once, often):
        suite = TestSuite.from_texts(accept=["a b d"])
        searched = search_failing(ChartRecognizer(g), list(enumerate(suite)))
        weights = edit_weights(SpectrumKind.ITEM, g, searched)
        rule = g.rules_of[g.symbol("x")][0]
        found.append(weights[g.item(rule, 1)])
    assert found[1] * many(3) == pytest.approx(found[0])


def test_time_that_is_up_leaves_what_was_found() -> None:
    suite = TestSuite.from_texts(accept=["program id = { if id then sleep ; } ."])
    recognizer = ChartRecognizer(toy())
    assert all(one.complete for one in search_failing(recognizer, list(enumerate(suite))))
    found = localize(recognizer, suite, evidence="edits", budget=1e-9)
    assert found.ranking
    assert OUT_OF_TIME in [note.code for note in found.notes]


def test_work_that_is_done_leaves_the_same_everywhere() -> None:
    suite = TestSuite.from_texts(accept=["program id = { if id then sleep ; } ."])
    recognizer = ChartRecognizer(toy())
    with counting() as clock:
        (whole,) = search_failing(recognizer, list(enumerate(suite)))
    parts = [search_failing(recognizer, list(enumerate(suite)), clock.steps / 50) for _ in range(2)]
    assert parts[0] == parts[1]
    (part,) = parts[0]
    assert not part.complete
    assert 0 < len(part.outcomes) < len(whole.outcomes)


def test_little_effort_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramspect.effort._STEPS", {Effort.LOW: 1.0})
    suite = TestSuite.from_texts(accept=["program id = { if id then sleep ; } ."])
    found = localize(ChartRecognizer(toy()), suite, evidence="edits", effort="low")
    assert Caveat.UNFINISHED in [note.code for note in found.notes]


def test_an_interruption_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Searching.run

    def interrupted(self: Searching) -> object:
        for _ in run(self):
            yield None
            if self.accepted:
                raise KeyboardInterrupt

    monkeypatch.setattr(Searching, "run", interrupted)
    texts = ["program id = { if id then sleep ; } .", "program id = { while id do sleep ; } ."]
    suite = TestSuite.from_texts(accept=texts)
    (only,) = search_failing(ChartRecognizer(toy()), list(enumerate(suite)))
    assert only.test == 0
    assert any(outcome.accepted for outcome in only.outcomes)
    assert not only.complete


@pytest.mark.parametrize(
    "text",
    [
        "s -> s\ns -> s s\ns -> a\ns ->",
        "s -> x\nx -> s\nx -> a\ns -> b",
        "s -> s s s\ns -> a\ns ->",
        "s -> a s b\ns -> n\nn -> n\nn ->",
    ],
)
def test_cyclic_and_ambiguous_grammars(text: str) -> None:
    g = grammar(text + "\nq -> c")
    suite = TestSuite.from_texts(accept=["a a c a a", "c", "a c"], reject=["a", "b"])
    found = localize(ChartRecognizer(g), suite, evidence="edits", budget=20)
    assert found.ranking
    for proposals in found.proposals.values():
        for proposal in proposals:
            for test in proposal.tests:
                tokens = words(g, suite.tests[test].text)
                wanted = suite.tests[test].expectation == "accept"
                chart = parse_chart(applied(g, proposal.edit), tokens)
                assert chart.accepted is wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("l a , a , a e", "add the alternative list , a"),
        ("l a a a e", "add the alternative list a"),
        ("l a , a e", "add the alternative list , a"),
    ],
)
def test_a_list_in_place_of_a_single_element(text: str, said: str) -> None:
    g = grammar("s -> l list e\nlist -> a\nother -> ,")
    tokens = words(g, text)
    found = search(parse_chart(g, tokens), tokens)
    edit = next(o.edit for o in found if o.accepted and o.edit.describe(g) == said)
    longer = words(g, text.replace("e", "").strip() + text[3:].replace("e", "") + " e")
    assert parse_chart(applied(g, edit), tokens).accepted
    assert parse_chart(applied(g, edit), longer).accepted


def test_two_symbols_are_put_in() -> None:
    g = grammar("s -> a d\nother -> b c")
    tokens = words(g, "a b c d")
    found = [one.edit for one in search(parse_chart(g, tokens), tokens) if one.accepted]
    assert "also allow b c before d" in {edit.describe(g) for edit in found}
    assert all(parse_chart(applied(g, edit), tokens).accepted for edit in found)


def test_an_option_that_is_taken_several_times() -> None:
    option = Block(Operator.OPTION, (Alternative((Reference(","), Reference("a"))),))
    body = (Reference("("), Reference("a"), option, Reference(")"))
    g = expand([Definition("s", (Alternative(body),))])
    tokens = words(g, "( a , a , a , a )")
    best = search(parse_chart(g, tokens), tokens)[0]
    assert best.accepted
    assert best.edit.describe(g) == "allow ( , a ) several times"
    assert best.edit.cost == 1.0
    assert parse_chart(applied(g, best.edit), words(g, "( a , a , a )")).accepted


class TestHorizon:
    """Inputs that go on far behind the error: what gets over the horizon is run to the end."""

    GRAMMAR = "s -> x l\nx -> a b\nl -> c l\nl -> d"
    NEAR = EditSearch(horizon=4)

    def outcomes(self, text: str, options: EditSearch) -> set[tuple[str, str, bool, int]]:
        g = grammar(self.GRAMMAR)
        tokens = words(g, text)
        found = search(parse_chart(g, tokens), tokens, options)
        return {
            (g.item_label(o.edit.item), o.edit.describe(g), o.accepted, o.reached) for o in found
        }

    def test_what_holds_to_the_end_is_accepted(self) -> None:
        text = "a" + " c" * 12 + " d"
        near = {o for o in self.outcomes(text, self.NEAR) if o[2]}
        whole = {o for o in self.outcomes(text, EditSearch()) if o[2]}
        assert ("x:1:1", "make b optional", True, 14) in near
        assert near <= whole

    def test_of_each_position_the_cheapest_edit_that_holds_is_run(self) -> None:
        tokens = words(toy(), f"program id = {{ if id then {'sleep ; ' * 5} }} .")
        chart = parse_chart(toy(), tokens)
        cheapest: dict[int, float] = {}
        near: dict[int, float] = {}
        for options, costs in ((EditSearch(), cheapest), (self.NEAR, near)):
            found = [o.edit for o in search(chart, tokens, options) if o.accepted]
            costs.update((edit.item, edit.cost) for edit in reversed(found))
            assert (len(found) > len(costs)) is (options is not self.NEAR)
        assert near.items() <= cheapest.items()
        assert len(near) > 3

    def test_what_fails_farther_on_is_not(self) -> None:
        found = self.outcomes("a" + " c" * 8 + " b c d", self.NEAR)
        assert not any(accepted for _, _, accepted, _ in found)
        assert ("x:1:1", "make b optional", False, 9) in found

    def test_only_so_many_are_run(self) -> None:
        text = "a" + " c" * 12 + " d"
        assert len({o[0] for o in self.outcomes(text, self.NEAR) if o[2]}) > 1
        for most in (0, 1):
            options = EditSearch(horizon=4, confirmations=most)
            assert sum(o[2] for o in self.outcomes(text, options)) == most

    def test_none_is_run_when_the_time_is_up(self) -> None:
        g = grammar(self.GRAMMAR)
        tokens = words(g, "a" + " c" * 12 + " d")
        searching = Searching(parse_chart(g, tokens), tokens, self.NEAR)
        list(searching.run())
        assert any(outcome.accepted for outcome in searching.outcomes())
        assert not any(outcome.accepted for outcome in searching.outcomes(deadline=0.0))


def test_a_search_ends_when_the_time_is_up() -> None:
    tokens = words(toy(), SENTENCES[0].replace("var", "", 1))
    chart = parse_chart(toy(), tokens)
    assert search(chart, tokens)
    assert not search(chart, tokens, deadline=0.0)


def test_a_repetition_over_the_horizon_is_run_wherever_it_applies() -> None:
    """``l -> l c`` helps at every word of a list, not only at the first one behind the error."""
    g = grammar("s -> l d\nl -> c")
    tokens = words(g, "c " * 12 + "d")
    found = search(parse_chart(g, tokens), tokens, EditSearch(horizon=4))
    repeated = {o.edit.symbols: o for o in found if g.item_label(o.edit.item) == "l:1:0"}
    outcome = repeated[tuple(map(g.symbol, "lc"))]
    assert (outcome.accepted, outcome.reached) == (True, 13)


@pytest.mark.parametrize(("times", "used"), [(1, True), (2, True), (4, False), (5, False)])
def test_what_spans_nearly_everything_says_nothing(times: int, used: bool) -> None:
    """A non-terminal that any words are is no candidate once there are more than a few."""
    texts = ["x any", "y any", "b any", "x", "y", "b"]
    g = grammar("s -> a b r\nr ->\nr -> any c\n" + "\n".join(f"any -> {text}" for text in texts))
    tokens = words(g, "a " + "x y " * times + "b")
    found = search(parse_chart(g, tokens), tokens)
    assert any(g.symbol("any") in outcome.edit.symbols for outcome in found) is used


IMPORTS = Grammar.from_rules(
    [
        ("s", ["item"]),
        ("s", ["s", "item"]),
        ("item", ["from", "str", "import", "names", ";"]),
        ("names", ["n"]),
        ("names", ["names", ",", "n"]),
    ]
)


def test_symbols_in_a_row_may_be_left_out() -> None:
    tokens = words(IMPORTS, "import n , n , n ; from str import n ;")
    best = search(parse_chart(IMPORTS, tokens), tokens)[0]
    assert best.accepted
    assert best.edit.describe(IMPORTS) == "make ( from str ) optional"
    assert best.edit.cost == OTHER_THAN_INSERTION + SKIPPED
    trial = trial_of(IMPORTS, tokens)
    assert trial.accepts([best.edit]) == [True]
    assert parse_chart(applied(IMPORTS, best.edit), tokens).accepted


@pytest.mark.parametrize("length", [1, 12])
def test_symbols_in_a_row_may_be_replaced(length: int) -> None:
    """`a [ i ] = v` where only `a . key = v` is allowed; what follows may be of any length."""
    g = grammar(f"s -> a . key = {'v ' * length}\ns -> list\nlist -> [ i ]")
    tokens = words(g, f"a [ i ] = {'v ' * length}")
    best = search(parse_chart(g, tokens), tokens)[0]
    assert best.accepted
    assert best.edit.describe(g) == "also allow list instead of ( . key )"
    assert trial_of(g, tokens).accepts([best.edit]) == [True]
    assert trial_of(g, tokens).accepts([replace(best.edit, symbols=best.edit.symbols[1:])]) == [
        False
    ]
    assert parse_chart(applied(g, best.edit), tokens).accepted


def test_an_insertion_beside_a_call_that_is_an_alternative_costs_more() -> None:
    """`new type [ 3 ]` is more likely a matter of `new` than of the list that calls it."""
    g = Grammar.from_rules(
        [
            ("s", ["value", ";"]),
            ("value", ["new"]),
            ("value", ["number"]),
            ("new", ["NEW", "TYPE"]),
        ]
    )
    tokens = words(g, "NEW TYPE number ;")
    cost = {
        g.item_text(outcome.edit.item): outcome.edit.cost
        for outcome in reversed(search(parse_chart(g, tokens), tokens))
        if outcome.accepted and outcome.edit.kind is EditKind.INSERT
    }
    assert cost["value -> new •"] == cost["new -> NEW TYPE •"] + BESIDE_A_CALL


def test_edits_are_tried_up_to_a_margin_above_the_cheapest_or_a_replacement() -> None:
    tokens = words(toy(), "program id = { if id then sleep ; } .")
    chart = parse_chart(toy(), tokens)

    def costs(margin: float) -> set[float]:
        found = search(chart, tokens, EditSearch(margin=margin))
        return {outcome.edit.cost for outcome in found if outcome.accepted}

    every = costs(9.0)
    assert min(every) < REPLACEMENT < max(every)
    for margin in (0.0, 0.5, 1.5, 2.5):
        assert costs(margin) == {cost for cost in every if cost <= REPLACEMENT + margin}


def test_new_symbols_cost_what_the_tokens_that_they_span_swallow() -> None:
    g = grammar("s -> a c\nq -> b d\nr -> x")
    tokens = words(g, "a b d c")
    searching = Searching(parse_chart(g, tokens), tokens, swallowed=(8.0, 0.25, 0.5, 4.0))
    assert len(list(searching.run())) > 1
    costs = {one.edit.symbols: one.edit.cost for one in searching.outcomes() if one.accepted}
    q = g.symbol("q")
    assert costs == {
        tuple(tokens[1:3]): 2.75,
        (q,): pytest.approx(1.75 + generality(g)[q]),
    }


def test_one_edit_puts_in_at_most_two_tokens_that_the_lexer_lacks() -> None:
    g = grammar("s -> a c\nq -> b")
    a, b, c = map(g.symbol, "abc")
    for unread, found in (([NEW_TOKEN, b, NEW_TOKEN], True), ([NEW_TOKEN] * 3, False)):
        tokens = [a, *unread, c]
        accepted = [o.edit for o in search(parse_chart(g, tokens), tokens) if o.accepted]
        inserted = [edit.symbols for edit in accepted if edit.kind is EditKind.INSERT]
        assert bool(inserted) is found


@pytest.mark.parametrize("back", [0, 3, 4])
def test_an_edit_applies_up_to_so_many_tokens_before_the_error(back: int) -> None:
    g = grammar("s -> a t e\ns -> x b c d f\nt -> b c d")
    tokens = words(g, "a b c d f")
    found = search(parse_chart(g, tokens), tokens, EditSearch(look_back=back, margin=9.0))
    assert {o.edit.column for o in found} == {column for column in (0, 1, 4) if column >= 4 - back}


def test_a_call_of_several_tokens_is_one_of_the_symbols_that_are_put_in() -> None:
    g = grammar("s -> a c\nq -> d e\nr -> b")
    tokens = words(g, "a b d e c")
    found = search(parse_chart(g, tokens), tokens, EditSearch(longest=2))
    assert {o.edit.symbols for o in found if o.accepted} == {(g.symbol("b"), g.symbol("q"))}
