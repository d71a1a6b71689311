"""The oracles themselves: the paper's worked example, definitions by exhaustion, known grammars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cfg import ACCEPT, Cfg, Item, Word
from gramspect.testing.toy import COUNTS
from lr_oracle import is_lalr1, is_lr1, lr_shift_items, reductions, tree, valid_lr0_items
from oracle import Chains, exact_spectra, spectra
from strategies import FOREIGN, TERMINALS, grammars, words

FIXTURES = Path(__file__).parents[2] / "fixtures"


def cfg(text: str) -> Cfg:
    """A grammar from ``A -> b C | ; C -> c`` (an empty alternative is empty)."""
    rules = []
    for part in text.split(";"):
        lhs, alternatives = part.split("->")
        rules += [(lhs.strip(), tuple(rhs.split())) for rhs in alternatives.split("|")]
    return Cfg(tuple(rules), rules[0][0])


# --- the paper's worked example ----------------------------------------------------------


def _split(words: list[str], separator: str) -> list[list[str]]:
    return [list(group) for at_end, group in groupby(words, separator.__eq__) if not at_end]


@cache
def toy() -> tuple[Cfg, list[str]]:
    """The faulty toy grammar, whose words are set apart by spaces, and the labels of its rules."""
    text = (FIXTURES / "toy" / "toy-faulty.y").read_text().split("%%")[1]
    rules: list[tuple[str, Word]] = []
    labels = []
    for lhs, _, *body in _split(text.split(), ";"):
        for number, alternative in enumerate(_split(body, "|"), start=1):
            rules.append((lhs, tuple(word.strip("'") for word in alternative)))
            labels.append(f"{lhs}:{number}")
    return Cfg(tuple(rules), rules[0][0]), labels


@pytest.mark.parametrize("kind", ["rule", "item", "shift", "lr shift"])
def test_worked_example(kind: str) -> None:
    """Tables 2 to 4 of Raselimo and Fischer 2024: in how many tests each element is executed."""
    grammar, labels = toy()
    if kind == "rule":
        elements: dict[str, int | Item] = {label: rule for rule, label in enumerate(labels)}
    else:
        elements = {
            f"{label}:{dot}": (rule, dot)
            for rule, label in enumerate(labels)
            for _, dot in grammar.items(rule)
        }
    counts = {True: Counter[int | Item](), False: Counter[int | Item]()}
    for line in (FIXTURES / "toy" / "accept.txt").read_text().splitlines():
        word = tuple(line.split())
        found = spectra(grammar, word)
        ((rules, items),) = exact_spectra(grammar, word)
        lr_shift = lr_shift_items(grammar, word)
        executed: dict[str, Iterable[int | Item]] = {
            "rule": rules,
            "item": items,
            "shift": found.shift_items,
            "lr shift": lr_shift,
        }
        counts[found.error is None].update(executed[kind])
    expected = COUNTS[kind.removeprefix("lr ")]
    assert {label: (counts[True][x], counts[False][x]) for label, x in elements.items()} == {
        label: (row["ep"], row["ef"]) for label, row in expected.items()
    }


# --- the definitions by exhaustion -------------------------------------------------------


class Run:
    """A nondeterministic top-down parser: items waiting on a stack, rules applied in full."""

    def __init__(
        self,
        cfg: Cfg,
        stack: tuple[Item, ...] = ((ACCEPT, 0),),
        consumed: Word = (),
        completed: frozenset[int] = frozenset(),
    ) -> None:
        self.cfg, self.stack, self.consumed, self.completed = cfg, stack, consumed, completed

    def next_symbol(self) -> str | None:
        rule, dot = self.stack[-1]
        return dict(enumerate(self.cfg.rhs(rule))).get(dot)

    def steps(self) -> Iterator[Run]:
        """Every configuration that one step leads to; a terminal is consumed, whichever it is."""
        symbol = self.next_symbol()
        rule = self.stack[-1][0]
        if symbol is None and rule != ACCEPT:
            yield Run(self.cfg, _advanced(self.stack[:-1]), self.consumed, self.completed | {rule})
        elif symbol in self.cfg.terminals:
            yield Run(self.cfg, _advanced(self.stack), (*self.consumed, symbol), self.completed)
        elif symbol is not None:
            for callee in self.cfg.rules_of(symbol):
                yield Run(self.cfg, (*self.stack, (callee, 0)), self.consumed, self.completed)

    def waits(self) -> bool:
        """Whether the item on top is one that a chain may end in."""
        rule, dot = self.stack[-1]
        return rule == ACCEPT or 0 < dot < len(self.cfg.rhs(rule))

    def spectrum(self) -> tuple[frozenset[int], frozenset[Item]]:
        """Definitions 3.2 and 4.2 for the derivation that this run stands for."""
        begun = [(rule, dot) for rule, dot in self.stack if rule != ACCEPT]
        frontier = self.left_closure()
        rules = {rule for rule, _ in begun} | self.completed | frontier.keys()
        items = {(rule, d) for rule, dot in begun for d in range(dot + 1)}
        items |= {item for rule in self.completed for item in self.cfg.items(rule)}
        return frozenset(rules), frozenset(items | {(rule, 0) for rule in frontier})

    def left_closure(self) -> dict[int, int]:
        """The frontier rules with their distances."""
        return self.cfg.left_closure(self.next_symbol() or "")

    def depths(self) -> dict[Item, int]:
        found: dict[Item, int] = {}
        for depth, item in enumerate(reversed(self.stack)):
            if item[0] != ACCEPT:
                found.setdefault(item, depth)
        return found

    def order(self) -> tuple[int, int, tuple[Item, ...]]:
        """What `exact` minimizes."""
        (rule, dot), *callers = reversed(self.stack)
        phrase = [*self.cfg.rhs(rule)[dot:]]
        phrase += [x for r, d in callers for x in self.cfg.rhs(r)[d + 1 :]]
        return len(self.cfg.shortest_word(phrase)), len(self.stack), self.stack[::-1]


def _advanced(stack: tuple[Item, ...]) -> tuple[Item, ...]:
    *callers, (rule, dot) = stack
    return (*callers, (rule, dot + 1))


def all_runs(cfg: Cfg, word: Word) -> list[Run]:
    """Every configuration over prefixes of a word; finitely many if no rule calls first.

    Ambiguous empty words can make them very many: then this example is given up.
    """
    found: dict[Hashable, Run] = {}
    todo = [Run(cfg)]
    while todo:
        run = todo.pop()
        key = (run.stack, run.consumed, run.completed)
        if key not in found and word[: len(run.consumed)] == run.consumed:
            found[key] = run
            todo += run.steps()
            assume(len(found) < 20_000)
    return list(found.values())


@st.composite
def grammars_without_left_recursion(draw: st.DrawFn) -> Cfg:
    """Grammars whose rules are empty or begin with a terminal."""
    grammar = draw(grammars())
    rules = [
        (lhs, (draw(st.sampled_from(TERMINALS)), *rhs) if rhs[:1] and rhs[0].isupper() else rhs)
        for lhs, rhs in grammar.rules
    ]
    return Cfg(tuple(rules), grammar.start)


@given(st.data())
def test_top_down_runs_give_the_same_spectra(data: st.DataObject) -> None:
    grammar = data.draw(grammars_without_left_recursion())
    word = data.draw(words(grammar, max_size=4))
    runs = all_runs(grammar, word)
    sentences = [r for r in runs if r.consumed == word and r.stack == ((ACCEPT, 1),)]
    found = spectra(grammar, word)
    assert (found.error is None) == bool(sentences)
    assert found.shift_items == {r.stack[-1] for r in runs if r.stack[-1][0] != ACCEPT}
    if sentences:
        assert found.rules == frozenset().union(*(r.completed for r in sentences))
        assert {rules for rules, _ in exact_spectra(grammar, word)} == {
            run.completed for run in sentences
        }
    else:
        assert_rejected_alike(runs, grammar, word)


def assert_rejected_alike(runs: list[Run], grammar: Cfg, word: Word) -> None:
    """The spectra of a rejected word are those of the runs that wait at the error."""
    found = spectra(grammar, word)
    assert found.error == max(len(r.consumed) for r in runs)
    waiting = [r for r in runs if len(r.consumed) == found.error and r.waits()]
    assert found.rules == frozenset().union(*(r.spectrum()[0] for r in waiting))
    assert found.items == frozenset().union(*(r.spectrum()[1] for r in waiting))
    assert found.active == {
        item: min(r.depths().get(item, 99) for r in waiting)
        for item in {item for r in waiting for item in r.depths()}
    }
    assert found.predicted == {
        (rule, 0): min(r.left_closure().get(rule, 99) for r in waiting)
        for rule in {rule for r in waiting for rule in r.left_closure()}
    }
    least = min(r.order() for r in waiting)
    assert exact_spectra(grammar, word) == {r.spectrum() for r in waiting if r.order() == least}


@given(st.data())
def test_any_run_is_among_all_derivations(data: st.DataObject) -> None:
    """Left recursion, cycles and hidden left recursion: runs are endless, so some are drawn."""
    grammar = data.draw(grammars())
    run = Run(grammar)
    for _ in range(data.draw(st.integers(0, 25))):
        if steps := list(run.steps()):
            run = data.draw(st.sampled_from(steps))
    found = spectra(grammar, (*run.consumed, FOREIGN))
    assert found.error == len(run.consumed)
    assert run.stack[-1][0] == ACCEPT or run.stack[-1] in found.shift_items
    if run.waits():
        rules, items = run.spectrum()
        assert rules <= found.rules
        assert items <= found.items
        assert all(found.active[item] <= depth for item, depth in run.depths().items())
        minimal = min(Chains(grammar, run.consumed).minimal())
        assert Run(grammar, tuple(node[:2] for node in reversed(minimal))).order() <= run.order()


# --- the LR oracle -----------------------------------------------------------------------

EXPRESSIONS = cfg("E -> E + T | T ; T -> T * F | F ; F -> ( E ) | id")


def test_valid_items_of_the_dragon_books_expression_grammar() -> None:
    """State I9 of Aho, Lam, Sethi and Ullman 2006, Figure 4.31, after E + T."""
    assert valid_lr0_items(EXPRESSIONS, ("E", "+", "T")) == {(0, 3), (2, 1)}
    assert valid_lr0_items(EXPRESSIONS, ("E", "+")) == {(0, 2), (2, 0), (3, 0), (4, 0), (5, 0)}


def test_reductions_whatever_comes_next() -> None:
    assert reductions(EXPRESSIONS, ("E", "+", "id")) == {
        ("E", "+", "id"),
        ("E", "+", "F"),
        ("E", "+", "T"),
        ("E",),
    }


def test_shift_items_of_a_rejected_word() -> None:
    """``( id`` is shifted; from there `id` may become F, T and E."""
    found = lr_shift_items(EXPRESSIONS, ("(", "id", "("))
    closure_of_e = {(rule, 0) for rule in range(6)}
    assert found == closure_of_e | {(4, 1), (5, 1), (3, 1), (2, 1), (1, 1), (0, 1), (4, 2)}


def test_tree() -> None:
    assert tree(EXPRESSIONS, ("id", "+", "id")) == (
        0,
        ((1, ((3, ((5, ("id",)),)),)), "+", (3, ((5, ("id",)),))),
    )


@pytest.mark.parametrize(
    ("grammar", "lr1", "lalr1"),
    [
        (EXPRESSIONS, True, True),
        # Aho, Lam, Sethi and Ullman 2006, Example 4.58: joining states makes a conflict
        (cfg("S -> a A d | b B d | a B e | b A e ; A -> c ; B -> c"), True, False),
        # the same, Example 4.48: not SLR(1), but LALR(1)
        (cfg("S -> L = R | R ; L -> * R | id ; R -> L"), True, True),
        (cfg("S -> i S | i S e S | x"), False, False),  # dangling else
        (cfg("S -> a S a | "), False, False),  # unambiguous, but not LR(k) for any k
        (cfg("S -> A S b | x ; A -> "), False, False),  # hidden left recursion
        (cfg("S -> A ; A -> S | a"), False, False),  # a cycle
        (cfg("S -> A x b | B x c ; A -> a ; B -> a"), False, False),  # LR(2)
    ],
)
def test_which_grammars_are_lr(grammar: Cfg, lr1: bool, lalr1: bool) -> None:
    assert (is_lr1(grammar), is_lalr1(grammar)) == (lr1, lalr1)


@given(st.data())
def test_lr_shift_items_are_among_the_charts(data: st.DataObject) -> None:
    grammar = data.draw(grammars(keep=is_lr1))
    word = data.draw(words(grammar))
    found = spectra(grammar, word)
    shifted = lr_shift_items(grammar, word)
    assert shifted <= found.shift_items
    # what the exact derivation has begun is on the parser's stacks
    ((_, items),) = exact_spectra(grammar, word)
    assert found.items <= found.shift_items
    assert items <= shifted
