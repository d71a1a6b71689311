"""Slow oracles for LR parsing that use no tables of the parsers under test.

`lr_shift_items` follows the parser over explicit viable prefixes (strings of symbols): which
reductions it makes is read off the derivation of a sentence that continues the input, and which
items are valid for a viable prefix off the automaton that has the items themselves as states
(Knuth 1965). `is_lr1` and `is_lalr1` build the canonical collection of sets of LR(1) items
literally, and LALR(1) by joining the sets with equal LR(0) parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from cfg import ACCEPT, Cfg, Item, Word
from oracle import Chains, Derivations, error_position

END = "$end"

Tree = tuple[int, tuple["Tree | str", ...]]
"""A rule and, for each symbol on its right-hand side, a terminal or a tree."""

LR1Item = tuple[int, int, str]


# --- viable prefixes ---------------------------------------------------------------------


def valid_lr0_items(cfg: Cfg, viable_prefix: Word) -> frozenset[Item]:
    """The items [A -> alpha . beta] with $accept =>* gamma A z and gamma alpha = the prefix."""
    items = _predict(cfg, {(ACCEPT, 0)})
    for symbol in viable_prefix:
        moved = {(rule, dot + 1) for rule, dot in items if _after(cfg, (rule, dot)) == symbol}
        items = _predict(cfg, moved)
    return frozenset(items)


def _after(cfg: Cfg, item: Item) -> str | None:
    rhs = cfg.rhs(item[0])
    return rhs[item[1]] if item[1] < len(rhs) else None


def _predict(cfg: Cfg, items: set[Item]) -> set[Item]:
    found = set(items)
    todo = list(items)
    while todo:
        symbol = _after(cfg, todo.pop())
        new = {(rule, 0) for rule in cfg.rules_of(symbol or "")} - found
        found |= new
        todo += new
    return found


def reductions(cfg: Cfg, viable_prefix: Word) -> set[Word]:
    """The viable prefixes that reductions of valid completed items lead to, whatever comes next.

    They are finitely many unless the grammar has hidden left recursion or cycles.
    """
    found = {viable_prefix}
    todo = [viable_prefix]
    while todo:
        prefix = todo.pop()
        assert len(found) < 10_000, "endless reductions: is the grammar LR(1)?"
        for rule, dot in valid_lr0_items(cfg, prefix):
            if rule != ACCEPT and dot == len(cfg.rhs(rule)):
                reduced = (*prefix[: len(prefix) - dot], cfg.lhs(rule))
                if reduced not in found:
                    found.add(reduced)
                    todo.append(reduced)
    return found


# --- the derivation that the parser follows ----------------------------------------------


def tree(cfg: Cfg, word: Word) -> Tree:
    """The derivation tree of a sentence of an unambiguous grammar (some tree of an acyclic one)."""
    derivations = Derivations(cfg, word)

    def build(symbol: str, start: int, end: int) -> Tree | str:
        if symbol not in cfg.nonterminals:
            return symbol
        for rule in cfg.rules_of(symbol):
            for split in derivations.splits(cfg.rhs(rule), start, end):
                return rule, tuple(build(*span) for span in split)
        raise AssertionError(f"{symbol} does not derive {word[start:end]}")

    root = build(cfg.start, 0, len(word))
    assert not isinstance(root, str)
    return root


def completion(cfg: Cfg, viable_prefix_of_sentence: Word) -> Word:
    """A shortest word that makes a prefix of sentences a sentence."""
    leaf, *callers = min(Chains(cfg, viable_prefix_of_sentence).minimal())
    phrase = [*cfg.rhs(leaf[0])[leaf[1] :]]
    for rule, dot, _, _ in callers:
        phrase += cfg.rhs(rule)[dot + 1 :]
    return cfg.shortest_word(phrase)


def stacks(cfg: Cfg, root: Tree) -> Iterator[tuple[Word, int]]:
    """What is on the stack of a bottom-up parser that builds the tree, with the tokens shifted."""
    stack: list[str] = []
    shifted = 0

    def walk(node: Tree | str) -> Iterator[tuple[Word, int]]:
        nonlocal shifted
        if isinstance(node, str):
            shifted += 1
            stack.append(node)
        else:
            rule, children = node
            for child in children:
                yield from walk(child)
            del stack[len(stack) - len(children) :]
            stack.append(cfg.lhs(rule))
        yield tuple(stack), shifted

    yield (), 0
    yield from walk(root)


def lr_shift_items(cfg: Cfg, word: Word) -> frozenset[Item]:
    """The items valid for the viable prefixes that an LR parser runs through (Definition 4.3).

    On a rejected word these are the ones up to the last shift, and those that reductions lead to
    from there.
    """
    error = error_position(cfg, word)
    if error is None:
        prefixes = {stack for stack, _ in stacks(cfg, tree(cfg, word))}
    else:
        sentence = word[:error] + completion(cfg, word[:error])
        run = [(stack, n) for stack, n in stacks(cfg, tree(cfg, sentence)) if n <= error]
        last_shift = next(i for i, (_, n) in enumerate(run) if n == error)
        prefixes = {stack for stack, _ in run[: last_shift + 1]}
        prefixes |= reductions(cfg, run[last_shift][0])
    items = {item for prefix in prefixes for item in valid_lr0_items(cfg, prefix)}
    return frozenset(item for item in items if item[0] != ACCEPT)


# --- which grammars are LR ---------------------------------------------------------------


def is_lr1(cfg: Cfg) -> bool:
    """Whether no canonical set of LR(1) items has a conflict."""
    return not any(_has_conflict(cfg, items) for items in _canonical_collection(cfg))


def is_lalr1(cfg: Cfg) -> bool:
    """Whether no union of canonical sets with the same LR(0) items has a conflict."""
    joined: dict[frozenset[Item], set[LR1Item]] = {}
    for items in _canonical_collection(cfg):
        joined.setdefault(frozenset(item[:2] for item in items), set()).update(items)
    return not any(_has_conflict(cfg, items) for items in joined.values())


def _has_conflict(cfg: Cfg, items: Iterable[LR1Item]) -> bool:
    reduced = [(rule, end) for rule, dot, end in items if dot == len(cfg.rhs(rule))]
    shifted = {_after(cfg, (rule, dot)) for rule, dot, _ in items} - cfg.nonterminals
    return any(end in shifted for _, end in reduced) or any(
        one[1] == other[1] for one, other in combinations(reduced, 2)
    )


def _canonical_collection(cfg: Cfg) -> set[frozenset[LR1Item]]:
    first = _first(cfg)
    start = _closure(cfg, first, {(ACCEPT, 0, END)})
    found = {start}
    todo = [start]
    while todo:
        items = todo.pop()
        for symbol in cfg.terminals | cfg.nonterminals:
            moved = {(r, dot + 1, a) for r, dot, a in items if _after(cfg, (r, dot)) == symbol}
            if moved and (target := _closure(cfg, first, moved)) not in found:
                found.add(target)
                todo.append(target)
    return found


def _closure(cfg: Cfg, first: dict[str, set[str]], kernel: set[LR1Item]) -> frozenset[LR1Item]:
    found = set(kernel)
    todo = list(kernel)
    while todo:
        rule, dot, end = todo.pop()
        lookaheads = _first_of(first, cfg.rhs(rule)[dot + 1 :], end)
        callees = cfg.rules_of(_after(cfg, (rule, dot)) or "")
        new = {(callee, 0, a) for callee in callees for a in lookaheads} - found
        found |= new
        todo += new
    return frozenset(found)


def _first(cfg: Cfg) -> dict[str, set[str]]:
    """The terminals each symbol can begin with; the empty string stands for the empty word."""
    first = {a: {a} for a in cfg.terminals} | {x: set[str]() for x in cfg.nonterminals}
    changed = True
    while changed:
        changed = False
        for lhs, rhs in cfg.rules:
            new = _first_of(first, rhs, "") - first[lhs]
            first[lhs] |= new
            changed = changed or bool(new)
    return first


def _first_of(first: dict[str, set[str]], phrase: Iterable[str], then: str) -> set[str]:
    found = set[str]()
    for symbol in phrase:
        found |= first[symbol] - {""}
        if "" not in first[symbol]:
            return found
    return found | {then}
