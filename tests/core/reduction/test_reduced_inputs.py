"""What is left of an input: a sentence that the predicate holds for, with nothing to leave out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cfg import Cfg, Word
from gramspect import Expectation, Grammar, GramspectError, Reduction, TestCase, adapter, reduce
from gramspect.recognition.recognizer import Recognizer
from gramspect.reduction.deletion import by_weight, leave_out
from gramspect.reduction.inputs import read_input, tree_of
from gramspect.reduction.sentences import Sentences
from gramspect.reduction.trees import Change
from gramspect.reduction.trees import Word as Leaf
from oracle import Derivations
from strategies import grammars, sentences, words

LISTS = [
    ("prog", ["stmts"]),
    ("stmts", ["stmts", "stmt"]),
    ("stmts", []),
    ("stmt", ["id", "=", "expr", ";"]),
    ("stmt", ["{", "stmts", "}"]),
    ("stmt", ["print", "args", ";"]),
    ("args", ["expr"]),
    ("args", ["expr", ",", "args"]),
    ("expr", ["expr", "+", "term"]),
    ("expr", ["term"]),
    ("term", ["term", "*", "factor"]),
    ("term", ["factor"]),
    ("factor", ["id"]),
    ("factor", ["num"]),
    ("factor", ["(", "expr", ")"]),
    *(("id", [name]) for name in "abcxyz"),
    *(("num", [digit]) for digit in "1234"),
]


def parser_of(rules: Sequence[tuple[str, Sequence[str]]], start: str) -> Recognizer:
    return adapter("chart").build(Grammar.from_rules(rules, start=start))


def reduced(
    parser: Recognizer, word: Word, predicate: Callable[[str], bool], **named: object
) -> Reduction:
    test = TestCase("input", Expectation.ACCEPT, " ".join(word))
    return reduce(parser, test, predicate, **named)  # type: ignore[arg-type]


def has_in_order(wanted: Word) -> Callable[[str], bool]:
    """Whether the words of a text have those that are wanted, in order."""

    def holds(text: str) -> bool:
        left = iter(text.split())
        return all(word in left for word in wanted)

    return holds


@st.composite
def inputs(draw: st.DrawFn) -> tuple[Cfg, Word, Word]:
    """A grammar, a sentence, and a few of its words in order."""
    cfg = draw(grammars())
    word = draw(sentences(cfg, 30))
    assume(0 < len(word) <= 40)
    places = draw(st.sets(st.integers(0, len(word) - 1), max_size=3))
    return cfg, word, tuple(word[place] for place in sorted(places))


@given(inputs())
def test_what_is_left_is_a_sentence_and_no_token_less_will_do(case: tuple[Cfg, Word, Word]) -> None:
    cfg, word, wanted = case
    holds = has_in_order(wanted)
    assume(not holds(""))
    left = tuple(reduced(parser_of(cfg.rules, cfg.start), word, holds).text.split())
    assert holds(" ".join(left))
    assert is_sentence(cfg, left)
    for place in range(len(left)):
        rest = left[:place] + left[place + 1 :]
        assert not (is_sentence(cfg, rest) and holds(" ".join(rest))), rest


PROCEDURES = [
    ("prog", ["decls", "begin", "stmts", "end"]),
    ("decls", ["decls", "proc", "name", "(", "name", ")", "body"]),
    ("decls", []),
    ("body", ["begin", "stmts", "end"]),
    ("stmts", ["stmts", ";", "stmt"]),
    ("stmts", ["stmt"]),
    ("stmt", ["write", "name"]),
    ("stmt", ["name", "(", ")"]),
    ("stmt", ["body"]),
    *(("name", [name]) for name in "abc"),
]


def test_what_fails_does_not_stay_where_much_is_around_it() -> None:
    word = "proc a ( b ) begin write b ; c ( ) ; write a end begin write a end".split()
    left = reduced(parser_of(PROCEDURES, "prog"), tuple(word), lambda text: "( )" in text)
    assert left.text.split() == ["begin", left.text.split()[1], "(", ")", "end"]


@given(grammars())
def test_the_shortest_sentence_around_a_symbol(cfg: Cfg) -> None:
    """As few tokens as there can be, found by going over all rules until nothing changes."""
    grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
    shortest = Sentences(grammar, {one.index: one.name for one in grammar.terminals})
    inside = {one.index: 1.0 for one in grammar.terminals}
    outside = {grammar.start: 0.0}
    for _ in grammar.symbols:
        for rule in grammar.rules:
            total = sum(inside.get(symbol, math.inf) for symbol in rule.rhs)
            inside[rule.lhs] = min(inside.get(rule.lhs, math.inf), total)
    for _ in grammar.symbols:
        for rule in grammar.rules:
            for at, symbol in enumerate(rule.rhs):
                beside = (*rule.rhs[:at], *rule.rhs[at + 1 :])
                total = outside.get(rule.lhs, math.inf) + sum(inside[each] for each in beside)
                outside[symbol] = min(outside.get(symbol, math.inf), total)
    for one in grammar.symbols:
        around, within = shortest.around(one.index), shortest.shortest(one.index)
        fewest = outside.get(one.index, math.inf)
        assert (math.inf if around is None else around.n_words) == fewest
        if around is not None and within is not None:
            nodes = (*around.above, *within.nodes, *around.below)
            word = tuple(node.text for node in nodes if isinstance(node, Leaf))
            assert is_sentence(cfg, word)
            assert len(word) == around.n_words + within.n_words


def is_sentence(cfg: Cfg, word: Word) -> bool:
    return len(word) in Derivations(cfg, word).ends((cfg.start,), 0)


@given(inputs())
def test_the_tree_of_a_sentence_derives_it(case: tuple[Cfg, Word, Word]) -> None:
    cfg, word, _ = case
    parser = parser_of(cfg.rules, cfg.start)
    given_input = read_input(parser, TestCase("input", Expectation.ACCEPT, " ".join(word)))
    tree, whole = tree_of(parser.grammar, given_input.words)
    assert whole
    assert [leaf.text for leaf in tree.words] == list(word)
    names = [symbol.name for symbol in parser.grammar.symbols]
    for node in range(len(tree)):
        if not tree.is_leaf(node):
            rhs = tuple(names[tree.symbol(child)] for child in tree.children(node))
            assert (names[tree.symbol(node)], rhs) in cfg.rules


@given(st.data())
def test_an_input_that_is_no_sentence_keeps_its_words(data: st.DataObject) -> None:
    cfg = data.draw(grammars())
    word = data.draw(words(cfg, 12))
    assume(not is_sentence(cfg, word))
    parser = parser_of(cfg.rules, cfg.start)
    leaves = [Leaf(parser.grammar.token(w) or 0, w, " ", at) for at, w in enumerate(word)]
    tree, whole = tree_of(parser.grammar, leaves)
    assert not whole
    assert list(tree.words) == leaves
    assert tree.ends[0] == len(tree)
    place = data.draw(st.integers(0, len(word) - 1)) if word else 0
    if word:
        left = reduced(parser, word, has_in_order((word[place],)))
        assert left.text.split() == [word[place]]


@given(st.lists(st.booleans(), max_size=40), st.lists(st.integers(1, 50), min_size=40, max_size=40))
def test_all_that_can_be_left_out_is(matters: list[bool], sizes: list[int]) -> None:
    changes = [Change(sizes[at], ((at, at + 1),)) for at in range(len(matters))]

    def holds(some: Sequence[Change]) -> bool:
        return not any(matters[change.cuts[0][0]] for change in some)

    left_out = leave_out(changes, by_weight([change.gain for change in changes]), holds)
    assert {c.cuts[0][0] for c in left_out} == {at for at, it in enumerate(matters) if not it}


def test_one_of_many_elements_is_found_with_few_questions() -> None:
    asked = 0

    def holds(some: Sequence[Change]) -> bool:
        nonlocal asked
        asked += 1
        return all(change.cuts[0][0] != 613 for change in some)

    changes = [Change(1, ((at, at + 1),)) for at in range(1000)]
    assert len(leave_out(changes, by_weight([1] * 1000), holds)) == 999
    assert asked <= 3 * math.log2(1000)


def test_what_answers_say_together_is_used() -> None:
    """Two of twelve parts matter, whichever: fewer questions than parts, on average."""
    asked = 0
    changes = [Change(1, ((at, at + 1),)) for at in range(12)]
    pairs = [(a, b) for a in range(12) for b in range(a)]
    for pair in pairs:

        def holds(some: Sequence[Change], pair: tuple[int, int] = pair) -> bool:
            nonlocal asked
            asked += 1
            return all(change.cuts[0][0] not in pair for change in some)

        assert len(leave_out(changes, by_weight([1] * 12), holds)) == 10
    assert asked < 10 * len(pairs)


class TestExamples:
    parser = parser_of(LISTS, "prog")
    text = ("a = 1 + ( ( 2 * 3 ) ) ; " + "b = 4 ; " * 50 + "{ { print x , y , z ; } } ").split()

    def test_a_doubled_parenthesis(self) -> None:
        found = reduced(self.parser, tuple(self.text), lambda text: "( (" in text)
        assert found.text == "a = ( ( a ) ) ;"
        assert found.calls < 60
        assert found.n_words == len(self.text)

    def test_elements_in_the_middle_and_at_the_end_of_a_right_recursive_list(self) -> None:
        assert reduced(self.parser, tuple(self.text), lambda t: "y" in t).text == "print y ;"
        assert reduced(self.parser, tuple(self.text), lambda t: "z" in t).text == "print z ;"

    def test_of_an_ambiguous_sentence_the_same_tree_is_taken_each_time(self) -> None:
        rules = [("e", ["e", "+", "e"]), ("e", ["e", "*", "e"]), ("e", ["id"]), ("e", ["e"])]
        parser = parser_of(rules, "e")
        word = ("id", "+", "id", "*", "id", "+", "id")
        first, second = (reduced(parser, word, lambda t: "*" in t) for _ in range(2))
        assert first.text == second.text == "id * id"
        assert first.tree.nodes == second.tree.nodes

    @pytest.mark.slow
    def test_a_list_of_ten_thousand_elements(self) -> None:
        word = ("x", "=", "1", ";") * 2500
        found = reduced(self.parser, word, lambda text: text.count("1") >= 2)
        assert found.text == "x = 1 ; x = 1 ;"


class TestPredicates:
    parser = parser_of(LISTS, "prog")
    word = tuple("a = 1 ; b = ( 2 ) ; c = 3 ;".split())

    def test_one_that_does_not_hold(self) -> None:
        with pytest.raises(GramspectError, match="does not fail"):
            reduced(self.parser, self.word, lambda text: "d" in text)

    def test_one_that_always_holds(self) -> None:
        with pytest.raises(GramspectError, match="does not tell inputs that fail from others"):
            reduced(self.parser, self.word, lambda _: True)

    def test_one_that_raises_has_no_answer(self) -> None:
        def holds(text: str) -> bool:
            if "c" not in text:
                raise ValueError("no c")
            return "(" in text

        found = reduced(self.parser, self.word, holds)
        assert found.text == "b = ( 2 ) ; c = 3 ;"
        assert any("ValueError: no c" in note for note in found.notes)

    def test_one_that_takes_too_long_has_no_answer(self) -> None:
        def holds(text: str) -> bool:
            while "c" not in text:
                pass
            return "(" in text

        found = reduced(self.parser, self.word, holds, timeout=0.05)
        assert found.text == "b = ( 2 ) ; c = 3 ;"
        assert any("too long" in note for note in found.notes)

    def test_answers_that_differ_are_asked_for_again_and_reported(self) -> None:
        count = 0

        def holds(text: str) -> bool:
            nonlocal count
            count += 1
            return "( 2" in text and count % 2 == 1

        found = reduced(self.parser, self.word, holds)
        assert found.text == "b = ( 2 ) ;"
        assert any("different answers" in note for note in found.notes)
        assert any("asked 10 times" in note for note in found.notes)

    def test_each_text_is_asked_about_once_but_the_first_and_the_last(self) -> None:
        asked: list[str] = []

        def holds(text: str) -> bool:
            asked.append(text)
            return "(" in text

        found = reduced(self.parser, self.word, holds)
        whole = " ".join(self.word)
        again = {text for text in asked if asked.count(text) > 1}
        assert again <= {whole, found.text}
        assert found.calls == len(asked)

    @pytest.mark.parametrize("most", range(2, 12))
    def test_few_calls_leave_the_best_so_far(self, most: int) -> None:
        found = reduced(self.parser, self.word, lambda t: "(" in t, most_calls=most)
        assert found.interrupted == "the budget is used up" or most > 8
        assert "(" in found.text
        assert found.calls <= most

    def test_an_interrupt_leaves_the_best_so_far(self) -> None:
        def holds(text: str) -> bool:
            if "a" not in text:
                raise KeyboardInterrupt
            return "(" in text

        found = reduced(self.parser, self.word, holds)
        assert found.interrupted == "interrupted"
        assert "(" in found.text
