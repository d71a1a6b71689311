"""Trees of inputs that are no sentence: what was complete where the parser stopped, and what was
begun; and the entries of charts, of which all trees are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import Chart
from gramspect.reduction.trees import Node, Production, Tree, Word

__all__ = ["Charted", "partial_tree", "tree_to_keep"]

_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Charted:
    """The entries of a chart by their numbers, and the trees that they stand for."""

    def __init__(self, chart: Chart, words: Sequence[Word]) -> None:
        self.chart = chart
        self.grammar = chart.grammar
        self.words = words
        space = chart.space
        self._memory, self._at = space.memory, space.chart

    def column(self, index: int) -> range:
        """The entries of a column."""
        start = self._at.column_start + index
        return range(int(self._memory[start]), int(self._memory[start + 1]))

    def item(self, entry: int) -> int:
        return int(self._memory[self._at.item + entry])

    def origin(self, entry: int) -> int:
        return int(self._memory[self._at.origin + entry])

    def root(self) -> int:
        """The entry of the start symbol that spans the input."""
        last = next(e for e in self.column(self.chart.end) if self.item(e) > self.grammar.n_items)
        return int(self._memory[self._at.child + last])

    def parts(self, entry: int) -> list[int | Word]:
        """What stands before the dot of an entry: entries, and words."""
        found: list[int | Word] = []
        while entry >= 0:
            if not self.grammar.split_item(self.item(entry))[1]:
                break
            child = int(self._memory[self._at.child + entry])
            if child >= 0:
                found.append(child)
            else:
                found.append(self.words[int(self._memory[self._at.column + entry]) - 1])
            entry = int(self._memory[self._at.prev + entry])
        return found[::-1]

    def below(self, entry: int) -> Iterator[Node]:
        """The nodes of the subtree of a complete entry, in preorder."""
        pending: list[int | Word] = [entry]
        while pending:
            top = pending.pop()
            if isinstance(top, Word):
                yield top
            else:
                yield self.grammar.split_item(self.item(top))[0]
                pending += reversed(self.parts(top))


def partial_tree(
    grammar: Grammar, charted: Charted, words: Sequence[Word], plain: list[Production]
) -> Tree:
    """The tree of an input that is no sentence: what was begun, and the words after it.

    A rule that was begun is a production of its own with what there is of its right-hand side; its
    left-hand side is that of the rule plus the number of symbols, so that one that was begun can
    take the place of another one. The words after it are a list, in which brackets are grouped.
    """
    n = len(grammar.symbols)
    rest, item = 2 * n, 2 * n + 1
    productions = list(plain)
    calls = _calls(charted)
    spine = _spine(charted, calls, [n] * (len(calls) + 1), productions)
    top = _begun(productions, 2 * n + 2, ((calls[0][0] + n, rest) if calls else (rest,)))
    after = _listed(words[charted.chart.end :], rest, item, productions)
    return Tree(productions, [top, *spine, *after])


def tree_to_keep(
    grammar: Grammar, charted: Charted, words: Sequence[Word], plain: list[Production]
) -> Tree:
    """The same for an input that should be a sentence, so that changes keep it one if it is.

    The words after the place where the parser stopped are leaves of the root, which nothing can
    leave out. A rule that was begun can take the place of another one if what is left of that one
    is empty, and of all between the two: they have one symbol, all others have different ones.
    """
    n = len(grammar.symbols)
    productions = list(plain)
    calls = _calls(charted)
    offsets = [n]
    for call in calls:
        offsets.append(offsets[-1] if _is_last(charted, call) else offsets[-1] + n)
    spine = _spine(charted, calls, offsets, productions)
    after = words[charted.chart.end :]
    begun = (calls[0][0] + n,) if calls else ()
    rhs = (*begun, *(word.terminal for word in after))
    top = _begun(productions, offsets[-1] + n, rhs)
    return Tree(productions, [top, *spine, *after])


def _spine(
    charted: Charted,
    calls: Sequence[tuple[int, int]],
    offsets: Sequence[int],
    productions: list[Production],
) -> list[Node]:
    """The nodes of rules that were begun, with all that was read of them.

    The symbol of each is the non-terminal plus its offset.
    """
    rules, spine = charted.grammar.rules, list[Node]()
    for number, (nonterminal, entry) in enumerate(calls):
        parts = charted.parts(entry)
        symbols = [rules[charted.grammar.split_item(charted.item(e))[0]].lhs
                   if isinstance(e, int) else e.terminal for e in parts]  # fmt: skip
        if number + 1 < len(calls):
            symbols.append(calls[number + 1][0] + offsets[number + 1])
        spine.append(_begun(productions, nonterminal + offsets[number], tuple(symbols)))
        for part in parts:
            spine += [part] if isinstance(part, Word) else charted.below(part)
    return spine


def _begun(productions: list[Production], lhs: int, rhs: tuple[int, ...]) -> int:
    """The number of a new production."""
    productions.append((lhs, rhs))
    return len(productions) - 1


def _is_last(charted: Charted, call: tuple[int, int]) -> bool:
    """Whether nothing can come in a rule after the non-terminal that it has called."""
    entry = call[1]
    if entry < 0:
        return False  # it may be any rule that begins with the non-terminal
    rule, dot = charted.grammar.split_item(charted.item(entry))
    return dot + 1 == len(charted.grammar.rules[rule].rhs)


def _calls(charted: Charted) -> list[tuple[int, int]]:
    """The rules that were begun at the end of a chart, from the start symbol on.

    Each is a non-terminal with an entry, -1 if nothing of it was read. The way is one with the
    fewest rules.
    """
    grammar, end = charted.grammar, charted.chart.end
    if not end:
        return []

    def lhs_of(entry: int) -> int:
        return grammar.rules[grammar.split_item(charted.item(entry))[0]].lhs

    def after_word(entry: int) -> bool:
        if charted.item(entry) >= grammar.n_items:
            return False
        rule, dot = grammar.split_item(charted.item(entry))
        return bool(dot) and grammar.is_terminal(grammar.rules[rule].rhs[dot - 1])

    ways: dict[tuple[int, int], tuple[int, tuple[int, int] | None]] = {}
    pending: list[tuple[int, int]] = []
    for entry in filter(after_word, charted.column(end)):
        state = lhs_of(entry), charted.origin(entry)
        if state not in ways:
            ways[state] = entry, None
            pending.append(state)
    for state in pending:
        if state == (grammar.start, 0):
            return _way(ways, state)
        nonterminal, origin = state
        for above, entry in _callers(charted, nonterminal, origin):
            if above not in ways:
                ways[above] = entry, state
                pending.append(above)
    return []


def _callers(
    charted: Charted, nonterminal: int, origin: int
) -> Iterator[tuple[tuple[int, int], int]]:
    """What waits for a non-terminal in a column: where that was begun, and its entry or -1."""
    grammar = charted.grammar
    for entry in charted.column(origin):
        if charted.item(entry) < grammar.n_items:
            rule, dot = grammar.split_item(charted.item(entry))
            rhs = grammar.rules[rule].rhs
            if dot < len(rhs) and rhs[dot] == nonterminal:
                yield (grammar.rules[rule].lhs, charted.origin(entry)), entry
    for caller in charted.chart.predicted(origin):
        if any(grammar.rules[r].rhs[:1] == (nonterminal,) for r in grammar.rules_of[caller]):
            yield (caller, origin), -1


def _way(
    ways: dict[tuple[int, int], tuple[int, tuple[int, int] | None]], state: tuple[int, int]
) -> list[tuple[int, int]]:
    found = []
    at: tuple[int, int] | None = state
    while at is not None:
        entry, below = ways[at]
        found.append((at[0], entry))
        at = below
    return found


def _listed(
    words: Sequence[Word], rest: int, item: int, productions: list[Production]
) -> Iterator[Node]:
    """Words as a list whose items are words, or brackets around such a list."""
    more, none = _begun(productions, rest, (item, rest)), _begun(productions, rest, ())
    partners = _partners(words)
    open_at: list[int] = []
    for index, word in enumerate(words):
        if open_at and partners[open_at[-1]] == index:
            open_at.pop()
            yield none
            yield word
            continue
        yield more
        if index in partners:
            close = partners[index]
            yield _begun(productions, item, (word.terminal, rest, words[close].terminal))
            open_at.append(index)
        else:
            yield _begun(productions, item, (word.terminal,))
        yield word
    yield none


def _partners(words: Sequence[Word]) -> dict[int, int]:
    """The places of opening brackets, each with that of the bracket that closes it."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    for index, word in enumerate(words):
        if word.text in _CLOSING:
            waiting.append(index)
        elif waiting and word.text == _CLOSING[words[waiting[-1]].text]:
            found[waiting.pop()] = index
    return found
