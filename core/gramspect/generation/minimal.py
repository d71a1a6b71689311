"""Minimal derivations and embeddings, with which every generator completes its tests.

Two relations are offered (Rossouw and Fischer 2023, "Grammar-based test suite construction using
coverage-directed algorithms over LR-graphs", Section 2), for yields and embeddings alike:

* `shortest`: the derivation with the shortest yield, and the embedding ``S =>* alpha X omega``
  that has the shortest yield with all symbols replaced;
* `shallowest`: the derivation tree of least height, and the embedding of fewest steps.

Among equals the first rule of the grammar is taken, and of embeddings with equally short yields
the one with the fewest steps; with a random number generator, the rules are shuffled first. So a
suite makes the same choice everywhere, and a hundred seeds give a hundred equivalent suites, as in
the experiments of that paper (Section 8.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from random import Random

from gramspect.errors import GrammarError
from gramspect.generation.derivation import Around, Derivation
from gramspect.generation.spread import SOURCE, STEP, TOKEN, Edge, Edges, Step, least_edges, spread
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Diagnostic

__all__ = ["LARGEST", "Embedding", "Minimal"]

LARGEST = 20_000
"""The most rules, and tokens, of a minimal derivation; symbols that need more are left out."""

_NOTHING = Around((), (), (), ())


class Embedding(StrEnum):
    """The two meanings of minimal."""

    SHORTEST = "shortest"
    SHALLOWEST = "shallowest"


class Minimal:
    """The minimal derivations of one grammar under one choice among equals.

    Symbols and rules have their numbers in `grammar`. Those that no sentence can use are left out
    of `rules`, `rules_of` and `symbols`, and `skipped` says which.

    Raises:
        GrammarError: the start symbol derives no sentence, or none that is small enough.
    """

    def __init__(
        self,
        grammar: Grammar,
        embedding: Embedding = Embedding.SHORTEST,
        random: Random | None = None,
    ) -> None:
        self.grammar = grammar
        self.embedding = embedding
        order = list(range(grammar.n_rules))
        self.variant = 0
        """A seed for further random choices; it differs if the choices here differ."""
        if random is not None:
            random.shuffle(order)
            self.variant = random.getrandbits(32)
        self.rank = [0] * grammar.n_rules
        for place, rule in enumerate(order):
            self.rank[rule] = place
        ordered = grammar if random is None else _reordered(grammar, order)
        analysis = ordered.analysis
        shortest = {symbol: order[rule] for symbol, rule in analysis.shortest_rule.items()}
        self._erasing = self._parts = _Parts(grammar, shortest)
        if embedding is Embedding.SHALLOWEST:
            shallowest = {symbol: order[rule] for symbol, rule in analysis.shallowest_rule.items()}
            self._parts = _Parts(grammar, shallowest)
        self._check_start()
        self.symbols = self._reachable()
        """The symbols that sentences can use, by number: terminals, then non-terminals."""
        kept = set(self.symbols)
        self.rules = tuple(
            r.index for r in grammar.rules if r.lhs in kept and self._is_usable(r.rhs)
        )
        """The rules that sentences can use, in order."""
        self.rules_of: Mapping[int, tuple[int, ...]] = {
            symbol: tuple(rule for rule in rules if self._is_usable(grammar.rules[rule].rhs))
            for symbol, rules in grammar.rules_of.items()
            if symbol in kept
        }
        self._whole: dict[int, Derivation] = {}
        self._around: dict[int, Around] = {}
        self._contexts: dict[int, Around] = {}

    @property
    def nonterminals(self) -> tuple[int, ...]:
        """Those of `symbols`."""
        return tuple(symbol for symbol in self.symbols if not self.grammar.is_terminal(symbol))

    # --- what can be used ----------------------------------------------------------------

    def _is_usable(self, rhs: tuple[int, ...]) -> bool:
        return all(symbol in self._parts.size and symbol in self._erasing.size for symbol in rhs)

    def _check_start(self) -> None:
        grammar = self.grammar
        if self._is_usable((grammar.start,)):
            return
        start = grammar.symbols[grammar.start]
        if start.index in grammar.analysis.productive:
            why = f"derives no sentence with fewer than {LARGEST:,} tokens and rules"
        else:
            why = "derives no sentence: each of its alternatives needs a symbol that derives none"
        raise GrammarError(
            f"the start symbol {start.display!r} {why}; name another one, or mend the grammar",
            start.span,
        )

    def _reachable(self) -> tuple[int, ...]:
        grammar = self.grammar
        found = {grammar.start}
        pending = [grammar.start]
        while pending:
            for rule in grammar.rules_of.get(pending.pop(), ()):
                if self._is_usable(grammar.rules[rule].rhs):
                    new = set(grammar.rules[rule].rhs) - found
                    found |= new
                    pending.extend(new)
        return tuple(sorted(found))

    @cached_property
    def skipped(self) -> tuple[Diagnostic, ...]:
        """The symbols that the user wrote and no test can use."""
        found = []
        kept = set(self.symbols)
        for symbol in (*self.grammar.nonterminals, *self.grammar.terminals):
            if symbol.index in kept or symbol.operator is not None:
                continue
            if self._is_usable((symbol.index,)):
                why = "no sentence contains it"
            elif symbol.index in self.grammar.analysis.productive:
                why = f"it derives nothing with fewer than {LARGEST:,} tokens and rules"
            else:
                why = "it derives no sentence"
            message = f"{symbol.display!r} is in no test: {why}"
            found.append(Diagnostic("skipped", message, symbol.span))
        return tuple(found)

    # --- derivations ---------------------------------------------------------------------

    def part(self, symbol: int) -> Derivation:
        """The minimal derivation from a symbol."""
        return self._parts.of(symbol)

    def erased(self, symbol: int) -> Derivation:
        """The chosen derivation of the empty word from a nullable symbol."""
        return self._erasing.of(symbol)

    def whole(self, rule: int) -> Derivation:
        """A rule with the symbols of its right-hand side derived minimally."""
        found = self._whole.get(rule)
        if found is None:
            found = self.grown(rule, self.grammar.rules[rule].rhs)
            self._whole[rule] = found
        return found

    def grown(self, rule: int, rhs: Iterable[int]) -> Derivation:
        """The same for another right-hand side in place of the rule's own."""
        rules, tokens = joined(map(self.part, rhs))
        return Derivation((rule, *rules), tokens)

    def around(self, item: int) -> Around:
        """A rule with the symbols beside the one after the dot derived minimally."""
        found = self._around.get(item)
        if found is None:
            rule, dot = self.grammar.split_item(item)
            rhs = self.grammar.rules[rule].rhs
            found = sides(rule, map(self.part, rhs[:dot]), map(self.part, rhs[dot + 1 :]))
            self._around[item] = found
        return found

    # --- embeddings ----------------------------------------------------------------------

    def context(self, symbol: int) -> Around:
        """The minimal embedding of a symbol: ``S =>* alpha X omega``, alpha and omega derived.

        Raises:
            KeyError: the symbol is not among `symbols`.
        """
        found = self._contexts.get(symbol)
        if found is None:
            found = _NOTHING
            for item in self._way_to(symbol):
                found = found.nested(self.around(item))
            self._contexts[symbol] = found
        return found

    def _way_to(self, symbol: int) -> list[int]:
        """The items on the way from the start symbol, in order."""
        items = []
        while symbol != self.grammar.start:
            step = self._embeddings[symbol]
            items.append(step.item)
            symbol = step.origin
        return items[::-1]

    def cost_of_context(self, symbol: int) -> int:
        """How far a symbol is from the start, comparable with the costs of `edges`."""
        return self._embeddings[symbol].cost

    @cached_property
    def _embeddings(self) -> dict[int, Step]:
        start = Edge(0, 0, -1, self.grammar.start)
        return {step.symbol: step for step in spread([(start, SOURCE)], self.edges)}

    @cached_property
    def edges(self) -> Edges:
        """From every non-terminal to the symbols of its rules, the best edge to each."""
        return self._edges(lambda rhs: range(len(rhs)))

    @cached_property
    def left_corners(self) -> Edges:
        """From every non-terminal to the symbols that can come first, those before them erased."""
        return self._edges(self.beginning)

    @cached_property
    def right_corners(self) -> Edges:
        """From every non-terminal to the symbols that can come last, those after them erased."""
        return self._edges(lambda rhs: [len(rhs) - 1 - at for at in self.beginning(rhs[::-1])])

    @cached_property
    def leading_steps(self) -> Edges:
        """Like `left_corners`, but every edge counts as one step, so least ways have the fewest
        steps."""
        return self._edges(self.beginning, lambda _rhs, _at: STEP)

    def _edges(
        self,
        positions: Callable[[tuple[int, ...]], Iterable[int]],
        cost: Callable[[tuple[int, ...], int], int] | None = None,
    ) -> Edges:
        cost = cost or self.cost_beside
        edges: list[list[Edge]] = [[] for _ in self.grammar.symbols]
        for lhs, rules in self.rules_of.items():
            edges[lhs] = least_edges(
                Edge(
                    cost(rhs, at),
                    self.rank[rule],
                    self.grammar.item(rule, at),
                    rhs[at],
                )
                for rule in rules
                for rhs in [self.grammar.rules[rule].rhs]
                for at in positions(rhs)
            )
        return edges

    def beginning(self, symbols: tuple[int, ...]) -> Iterator[int]:
        """The places of the symbols with nothing but nullable ones before them."""
        for at, symbol in enumerate(symbols):
            yield at
            if symbol not in self.grammar.analysis.nullable:
                return

    def cost_beside(self, rhs: tuple[int, ...], *gaps: int) -> int:
        """What a rule adds to the cost of a way through some of its symbols."""
        if self.embedding is Embedding.SHALLOWEST:
            return STEP
        length = self.grammar.analysis.shortest_length
        return TOKEN * (sum(length[s] for s in rhs) - sum(length[rhs[g]] for g in gaps)) + STEP


class _Parts:
    """Derivations that take the same rule for a non-terminal wherever it occurs."""

    def __init__(self, grammar: Grammar, rule_of: Mapping[int, int]) -> None:
        self.grammar = grammar
        self._rule_of = rule_of
        self._made: dict[int, Derivation] = {
            t: Derivation((), (t,)) for t in range(grammar.n_terminals)
        }
        self.size = self._sizes()
        """Rules and tokens of the derivation from each symbol, unless there are too many."""

    def of(self, symbol: int) -> Derivation:
        """The derivation from a symbol."""
        made = self._made
        pending = [symbol]
        while pending:
            top = pending[-1]
            if top in made:
                pending.pop()
                continue
            rule = self._rule_of[top]
            missing = [s for s in self.grammar.rules[rule].rhs if s not in made]
            if missing:
                pending += missing
                continue
            rules, tokens = joined(made[s] for s in self.grammar.rules[rule].rhs)
            made[top] = Derivation((rule, *rules), tokens)
        return made[symbol]

    def _sizes(self) -> dict[int, int]:
        size = dict.fromkeys(range(self.grammar.n_terminals), 1)
        rules = self.grammar.rules
        for root in self._rule_of:
            pending = [root]
            while pending:
                top = pending[-1]
                rhs = rules[self._rule_of[top]].rhs
                missing = [s for s in rhs if s not in size]
                pending += missing
                if not missing:
                    size[top] = min(1 + sum(size[s] for s in rhs), LARGEST)
                    pending.pop()
        return {symbol: n for symbol, n in size.items() if n < LARGEST}


def _reordered(grammar: Grammar, order: list[int]) -> Grammar:
    """The same grammar with its rules in another order, in which the first of equals is taken."""
    return grammar.with_rules(grammar.rules[rule] for rule in order)


def sides(rule: int, before: Iterable[Derivation], after: Iterable[Derivation]) -> Around:
    """A rule with a gap between the derivations of the symbols beside it."""
    left, right = joined(before), joined(after)
    return Around((rule, *left.rules), left.tokens, right.rules, right.tokens)


def joined(parts: Iterable[Derivation]) -> Derivation:
    """Derivations one after the other, as those of the symbols of a phrase."""
    listed = list(parts)
    return Derivation(
        tuple(rule for part in listed for rule in part.rules),
        tuple(token for part in listed for token in part.tokens),
    )
