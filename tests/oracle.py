"""A slow oracle for grammar spectra, written straight from the definitions.

The definitions are Raselimo and Fischer 2024, Sections 2 to 4 (3.1, 3.2, 4.1, 4.2 and 4.3), as
gramspect reads them. Nothing here uses gramspect. A word is derived by the least fixpoint of "X
derives ``u[i:j]``", and everything else is read off that relation; there are no parse tables,
no Earley agenda and no sharing of work. Grammars must be reduced: every symbol
productive and reachable.

Terms. A *node* (rule, dot, origin, column) is an item A -> alpha . beta with the stretch of input
that alpha derives. It is valid in its column if ``start =>* u[:origin] A delta`` and
``alpha =>* u[origin:column]``. A *chain* leads from ``$accept`` over nodes, each begun where its
caller waits, to a *leaf*, which waits at the error; it stands for the maximally viable derivations
that are open in these places.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from cfg import ACCEPT, Cfg, Item, Word

Node = tuple[int, int, int, int]
Span = tuple[str, int, int]
RuleSets = dict[Span, set[frozenset[int]]]


@dataclass(frozen=True)
class Derivations:
    """What derives which stretch of a word."""

    cfg: Cfg
    word: Word

    @cached_property
    def _ends(self) -> dict[tuple[str, int], set[int]]:
        """(X, i) -> every j with X =>* word[i:j]: the least relation closed under the rules."""
        ends: dict[tuple[str, int], set[int]] = {}
        for i, a in enumerate(self.word):
            if a in self.cfg.terminals:
                ends[a, i] = {i + 1}
        changed = True
        while changed:
            changed = False
            for lhs, rhs in self.cfg.rules:
                for i in range(len(self.word) + 1):
                    new = _follow(ends, rhs, i) - ends.get((lhs, i), set())
                    if new:
                        ends.setdefault((lhs, i), set()).update(new)
                        changed = True
        return ends

    def ends(self, phrase: Sequence[str], start: int) -> set[int]:
        """Every j with phrase =>* word[start:j]."""
        return _follow(self._ends, phrase, start)

    def derives(self, phrase: Sequence[str], start: int, end: int) -> bool:
        return end in self.ends(phrase, start)

    @cached_property
    def expected(self) -> frozenset[tuple[str, int]]:
        """Every (A, j) with $accept =>* word[:j] A delta."""
        found = {("$accept", 0)}
        todo = list(found)
        while todo:
            symbol, origin = todo.pop()
            for rule in [ACCEPT] if symbol == "$accept" else self.cfg.rules_of(symbol):
                rhs = self.cfg.rhs(rule)
                for dot, x in enumerate(rhs):
                    if x in self.cfg.nonterminals:
                        new = {(x, j) for j in self.ends(rhs[:dot], origin)} - found
                        found |= new
                        todo += new
        return frozenset(found)

    def valid_items(self, column: int) -> set[Item]:
        """The items that are valid in a column, for whatever origin."""
        return {
            (rule, dot)
            for symbol, origin in self.expected
            for rule in ([ACCEPT] if symbol == "$accept" else self.cfg.rules_of(symbol))
            for dot in range(len(self.cfg.rhs(rule)) + 1)
            if self.derives(self.cfg.rhs(rule)[:dot], origin, column)
        }

    def splits(self, phrase: Sequence[str], start: int, end: int) -> Iterator[tuple[Span, ...]]:
        """Every way to share word[start:end] among the symbols of a phrase that derives it."""
        if not phrase:
            if start == end:
                yield ()
            return
        for middle in self.ends(phrase[:1], start):
            for rest in self.splits(phrase[1:], middle, end):
                yield ((phrase[0], start, middle), *rest)

    def used_rules(self, spans: Iterable[Span]) -> set[int]:
        """The rules of all derivations of these spans."""
        seen: set[Span] = set()
        used: set[int] = set()
        todo = list(spans)
        while todo:
            span = todo.pop()
            if span in seen:
                continue
            seen.add(span)
            symbol, start, end = span
            for rule in self.cfg.rules_of(symbol):
                for split in self.splits(self.cfg.rhs(rule), start, end):
                    used.add(rule)
                    todo += split
        return used

    def rule_sets(self, within: frozenset[int]) -> RuleSets:
        """The rule sets of the single derivations of each span that use no rule but `within`.

        Cycles allow infinitely many derivations, but finitely many rule sets: a least fixpoint.
        """
        sets: RuleSets = {}
        changed = True
        while changed:
            changed = False
            for (symbol, start), rule in product(self._ends, within):
                if self.cfg.lhs(rule) == symbol:
                    for end, found in self.unions(sets, self.cfg.rhs(rule), start).items():
                        known = sets.setdefault((symbol, start, end), set())
                        new = {rules | {rule} for rules in found} - known
                        known |= new
                        changed = changed or bool(new)
        return sets

    def unions(
        self, sets: RuleSets, phrase: Sequence[str], start: int
    ) -> dict[int, set[frozenset[int]]]:
        """For each end of a phrase, the unions of a rule set for each of its symbols."""
        reached = {start: {frozenset[int]()}}
        for x in phrase:
            further: dict[int, set[frozenset[int]]] = {}
            for i, lefts in reached.items():
                for j in self.ends((x,), i):
                    nothing = set() if x in self.cfg.nonterminals else {frozenset[int]()}
                    rights = sets.get((x, i, j), nothing)
                    further.setdefault(j, set()).update({a | b for a in lefts for b in rights})
            reached = further
        return reached


def _follow(ends: dict[tuple[str, int], set[int]], phrase: Sequence[str], start: int) -> set[int]:
    reached = {start}
    for x in phrase:
        reached = {j for i in reached for j in ends.get((x, i), ())}
    return reached


@dataclass(frozen=True)
class Chains:
    """The chains of a viable prefix."""

    cfg: Cfg
    prefix: Word

    @cached_property
    def derivations(self) -> Derivations:
        return Derivations(self.cfg, self.prefix)

    def _nodes(self, rule: int, origin: int) -> Iterator[Node]:
        rhs = self.cfg.rhs(rule)
        for dot in range(len(rhs) + 1):
            for column in self.derivations.ends(rhs[:dot], origin):
                yield rule, dot, origin, column

    @cached_property
    def roots(self) -> list[Node]:
        return list(self._nodes(ACCEPT, 0))

    def called(self, node: Node) -> list[Node]:
        """The nodes of the rules that a node waits for."""
        rule, dot, _, column = node
        rest = self.cfg.rhs(rule)[dot:]
        rules = self.cfg.rules_of(rest[0]) if rest else []
        return [callee for rule in rules for callee in self._nodes(rule, column)]

    def is_leaf(self, node: Node) -> bool:
        rule, dot, _, column = node
        begun = 0 < dot < len(self.cfg.rhs(rule))
        return column == len(self.prefix) and (begun or rule == ACCEPT)

    def frontier(self, leaf: Node) -> str | None:
        """The symbol after the dot; None where only the end of the input is expected."""
        rest = self.cfg.rhs(leaf[0])[leaf[1] :]
        return rest[0] if rest else None

    @cached_property
    def _callers(self) -> dict[Node, list[Node]]:
        """Every node reachable from a root, with the nodes that call it."""
        callers: dict[Node, list[Node]] = {root: [] for root in self.roots}
        todo = list(self.roots)
        while todo:
            node = todo.pop()
            for callee in self.called(node):
                if callee not in callers:
                    callers[callee] = []
                    todo.append(callee)
                callers[callee].append(node)
        return callers

    @cached_property
    def leaves(self) -> list[Node]:
        return [node for node in self._callers if self.is_leaf(node)]

    @cached_property
    def depths(self) -> dict[Node, int]:
        """The nodes of all chains, with the least distance from a leaf."""
        depths: dict[Node, int] = {}
        depth, level = 0, set(self.leaves)
        while level:
            depths.update((node, depth) for node in level)
            level = {c for node in level for c in self._callers[node]} - depths.keys()
            depth += 1
        return depths

    def _open_length(self, node: Node, *, leaf: bool) -> int:
        """The least number of tokens that complete a rule, without what an inner node calls."""
        rest = self.cfg.rhs(node[0])[node[1] :]
        return len(self.cfg.shortest_word(rest if leaf else rest[1:]))

    @cached_property
    def _costs(self) -> dict[Node, tuple[int, int]]:
        """The cheapest way from a root to each node as an inner one: open tokens, nodes."""
        costs: dict[Node, tuple[int, int]] = {}
        queue = [(self._open_length(r, leaf=False), 1, r) for r in self.roots]
        heapq.heapify(queue)
        while queue:
            length, count, node = heapq.heappop(queue)
            if node not in costs:
                costs[node] = length, count
                for c in self.called(node):
                    heapq.heappush(queue, (length + self._open_length(c, leaf=False), count + 1, c))
        return costs

    def minimal(self) -> set[tuple[Node, ...]]:
        """The chains, leaf first, minimal by completion length, nodes, then items leaf outwards.

        An unambiguous grammar has exactly one; the others of an ambiguous one have the same items.
        """

        def total(leaf: Node) -> tuple[int, int]:
            length, count = self._costs[leaf]
            inner, last = self._open_length(leaf, leaf=False), self._open_length(leaf, leaf=True)
            return length - inner + last, count

        least = min(total(leaf) for leaf in self.leaves)
        chains: set[tuple[Node, ...]] = {(leaf,) for leaf in self.leaves if total(leaf) == least}
        while True:
            best = min(chain[-1][:2] for chain in chains)
            chains = {chain for chain in chains if chain[-1][:2] == best}
            if best[0] == ACCEPT:
                return chains
            chains = {
                (*chain, caller)
                for chain in chains
                for caller in self._callers[chain[-1]]
                if self._costs[caller] == self._before(chain[-1])
            }

    def _before(self, node: Node) -> tuple[int, int]:
        """What the callers on a cheapest way to a node have cost."""
        length, count = self._costs[node]
        return length - self._open_length(node, leaf=False), count - 1


@dataclass(frozen=True)
class Spectra:
    """What the definitions give for one word, `$accept` left out; `error` is None if accepted."""

    error: int | None
    rules: frozenset[int]
    items: frozenset[Item]
    shift_items: frozenset[Item]
    active: dict[Item, int]
    predicted: dict[Item, int]


def error_position(cfg: Cfg, word: Word) -> int | None:
    """The length of the maximal viable prefix, or None if the word is a sentence."""
    derivations = Derivations(cfg, word)
    if derivations.derives((cfg.start,), 0, len(word)):
        return None
    return max(k for k in range(len(word) + 1) if derivations.valid_items(k))


def spectra(cfg: Cfg, word: Word) -> Spectra:
    """The extraction `all`: the union over every derivation (Definitions 3.1, 3.2, 4.1-4.3)."""
    error = error_position(cfg, word)
    prefix = word if error is None else word[:error]
    derivations = Derivations(cfg, prefix)
    columns = range(len(prefix) + 1)
    shift = {item for column in columns for item in derivations.valid_items(column)}
    shift_items = frozenset(item for item in shift if item[0] != ACCEPT)
    if error is None:
        rules = derivations.used_rules([(cfg.start, 0, len(word))])
        items = {item for rule in rules for item in cfg.items(rule)}
        return Spectra(None, frozenset(rules), frozenset(items), shift_items, {}, {})
    chains = Chains(cfg, prefix)
    rules, items = set[int](), set[Item]()
    for rule, dot, origin, column in chains.depths:
        splits = derivations.splits(cfg.rhs(rule)[:dot], origin, column)
        completed = derivations.used_rules(span for split in splits for span in split)
        _add(cfg, rules, items, [(rule, dot)], completed)
    predicted = _predicted(chains, chains.leaves)
    _add(cfg, rules, items, predicted, ())
    active = _least((node[:2], depth) for node, depth in chains.depths.items())
    return Spectra(error, frozenset(rules), frozenset(items), shift_items, active, predicted)


def exact_spectra(
    cfg: Cfg, word: Word, within: frozenset[int] | None = None
) -> set[tuple[frozenset[int], frozenset[Item]]]:
    """The rule and plain item spectra that the extraction `exact` may give.

    There is one for an unambiguous grammar; else one for each derivation of what is complete. As
    these can be very many, `within` restricts them to those that complete no other rules.
    """
    allowed = frozenset(range(len(cfg.rules))) if within is None else within
    error = error_position(cfg, word)
    if error is None:
        derivations = Derivations(cfg, word)
        return {
            (rules, frozenset(item for rule in rules for item in cfg.items(rule)))
            for rules in derivations.rule_sets(allowed).get((cfg.start, 0, len(word)), ())
        }
    chains = Chains(cfg, word[:error])
    sets = chains.derivations.rule_sets(allowed)
    found = set()
    for chain in chains.minimal():
        for completed in _completed(chains.derivations, sets, chain):
            rules, items = set[int](), set[Item]()
            _add(cfg, rules, items, (node[:2] for node in chain), completed)
            _add(cfg, rules, items, _predicted(chains, chain[:1]), ())
            found.add((frozenset(rules), frozenset(items)))
    return found


def _completed(
    derivations: Derivations, sets: RuleSets, chain: Sequence[Node]
) -> set[frozenset[int]]:
    """The rule sets of the single derivations of everything left of a chain's dots."""
    unions = {frozenset[int]()}
    for rule, dot, origin, column in chain:
        complete = derivations.unions(sets, derivations.cfg.rhs(rule)[:dot], origin)[column]
        unions = {left | right for left in unions for right in complete}
    return unions


def _add(
    cfg: Cfg, rules: set[int], items: set[Item], begun: Iterable[Item], completed: Iterable[int]
) -> None:
    """Add rules applied up to a dot, with their items up to there, and rules fully applied."""
    for rule, dot in begun:
        if rule != ACCEPT:
            rules.add(rule)
            items.update((rule, position) for position in range(dot + 1))
    for rule in completed:
        rules.add(rule)
        items |= cfg.items(rule)


def _predicted(chains: Chains, leaves: Iterable[Node]) -> dict[Item, int]:
    """closure(P_X) of the leaves' frontiers: initial items with their least distance."""
    frontiers = {x for leaf in leaves if (x := chains.frontier(leaf)) is not None}
    closures = [chains.cfg.left_closure(x) for x in frontiers]
    return _least(((rule, 0), d) for closure in closures for rule, d in closure.items())


def _least(pairs: Iterable[tuple[Item, int]]) -> dict[Item, int]:
    """Each item but those of `$accept`, with its least number."""
    least: dict[Item, int] = {}
    for item, number in pairs:
        if item[0] != ACCEPT:
            least[item] = min(number, least.get(item, number))
    return least
