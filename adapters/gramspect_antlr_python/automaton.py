"""Reads rules back out of the automaton (ATN) that a generated parser carries.

ANTLR's tool makes every element of a rule a state with one transition, and every block a start and
an end state (``ParserATNFactory``), so the rules can be read back, except for what the tool drops
or rewrites:

* parentheses around a single alternative, labels, actions and predicates are not there;
* a block whose alternatives are single tokens is one set; its tokens come in the order of their
  types;
* a left-recursive rule is a block of *primary* alternatives and a loop over *operator*
  alternatives, which have lost their first operand. The tool has given alternative i of n the
  precedence n + 1 - i, which its predicate (operators) or its last operand (prefix operators) still
  bears, so the alternatives return to their places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gramspect.adapter_api import Alternative, Block, Definition, Element, Operator, Reference, Span
from gramspect_antlr_python.vocabulary import EOF, Vocabulary

if TYPE_CHECKING:
    from antlr4.atn.ATN import ATN
    from antlr4.atn.ATNState import ATNState

__all__ = ["Leaf", "RuleReader", "WrittenRule"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where the parser is right before it reads a token or calls a rule.

    Places that the tool has merged into a set share the `state`; `token` tells them apart.
    """

    state: int
    token: int | None = None


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule, and the leaf of each of its references in order.

    The first operand of a left-recursive alternative has no leaf: when the parser reads it, it does
    not know the alternative yet.
    """

    definition: Definition
    leaves: tuple[Leaf | None, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of an alternative.

    `operand` is the precedence of a recursive call, or 0; `sequences` are the alternatives of a
    block, which is `collapsed` if the tool has made it a set.
    """

    element: Element
    leaves: tuple[Leaf | None, ...]
    operand: int = 0
    sequences: tuple[_Sequence, ...] = ()
    collapsed: bool = False


@dataclass(frozen=True, slots=True)
class _Sequence:
    """One alternative. `precedence` is that of an operator alternative, or 0."""

    parts: tuple[_Part, ...] = ()
    precedence: int = 0

    def alternative(self) -> Alternative:
        elements = tuple(part.element for part in self.parts)
        return Alternative(elements, _around(elements))

    def leaves(self) -> tuple[Leaf | None, ...]:
        return tuple(leaf for part in self.parts for leaf in part.leaves)

    def group(self) -> _Part | None:
        """The single group that the alternative consists of."""
        if len(self.parts) != 1:
            return None
        element = self.parts[0].element
        is_group = isinstance(element, Block) and element.operator is Operator.GROUP
        return self.parts[0] if is_group else None


@dataclass
class RuleReader:
    """Rebuilds the rules of one parser. `states` and `methods` say where they are."""

    atn: ATN
    names: Sequence[str]
    vocabulary: Vocabulary
    states: Mapping[int, Span] = field(default_factory=dict)
    methods: Mapping[str, Span] = field(default_factory=dict)
    _loops: dict[int, ATNState] = field(init=False)

    def __post_init__(self) -> None:
        self._loops = {
            state.ruleIndex: state
            for state in self.atn.states
            if getattr(state, "isPrecedenceDecision", None)
        }

    def rule(self, index: int) -> WrittenRule:
        """The rule of that number."""
        start = self.atn.ruleToStartState[index]
        if index in self._loops:
            sequences = self._recursive(start, self._loops[index])
        else:
            body = self._sequence(start, self.atn.ruleToStopState[index])
            group = body.group()  # the tool makes several alternatives a block
            sequences = [body] if group is None else list(group.sequences)
        name = self.names[index]
        return _written(name, sequences, self.methods.get(name) or self.methods.get(f"{name}_"))

    def _recursive(self, start: ATNState, loop: ATNState) -> list[_Sequence]:
        """The alternatives of a left-recursive rule."""
        body = self._sequence(start, loop)
        group = body.group()
        primary = [body] if group is None or group.collapsed else group.sequences
        block = _body_of(loop)
        first = _Part(Reference(self.names[loop.ruleIndex]), (None,))
        operators = [
            _Sequence((first, *sequence.parts), sequence.precedence)
            for sequence in (self._sequence(t.target, block.endState) for t in block.transitions)
        ]
        return _in_order(primary, operators)

    # --- elements ------------------------------------------------------------------------

    def _sequence(self, state: ATNState, stop: ATNState) -> _Sequence:
        """What lies between two states of one rule."""
        parts: list[_Part] = []
        precedence = 0
        while state is not stop:
            step = state.transitions[0]
            kind = _kind(step)
            if _is(state, "StarLoopEntryState"):
                parts.append(self._block(Operator.STAR, _body_of(state)))
                state = _loop_end(state)
            elif _is(state, "PlusBlockStartState"):
                parts.append(self._block(Operator.PLUS, state))
                state = _loop_end(state.loopBackState)
            elif hasattr(state, "endState"):
                parts.append(self._block(Operator.GROUP, state))
                state = state.endState
            elif kind == "rule":
                callee = step.target.ruleIndex
                operand = step.precedence if callee == state.ruleIndex else 0
                reference = Reference(self.names[callee], self.states.get(state.stateNumber))
                parts.append(_Part(reference, (Leaf(state.stateNumber),), operand))
                state = step.followState
            else:
                if kind == "tokens":
                    parts.append(self._tokens(state.stateNumber, step))
                elif hasattr(step, "precedence"):
                    precedence = step.precedence
                state = step.target
        return _Sequence(tuple(parts), precedence)

    def _block(self, operator: Operator, start: ATNState) -> _Part:
        """A block. One that can be passed over by a direct transition is an option."""
        targets = [t.target for t in start.transitions if t.target is not start.endState]
        if operator is Operator.GROUP and len(targets) < len(start.transitions):
            operator = Operator.OPTION
        sequences = [self._sequence(target, start.endState) for target in targets]
        group = sequences[0].group() if len(sequences) == 1 else None
        if group is not None and group.collapsed:
            sequences = list(group.sequences)
        alternatives = tuple(sequence.alternative() for sequence in sequences)
        element = Block(operator, alternatives, _around(alternatives))
        leaves = tuple(leaf for sequence in sequences for leaf in sequence.leaves())
        return _Part(element, leaves, sequences=tuple(sequences))

    def _tokens(self, state: int, step: Any) -> _Part:
        """A token, or a set of them."""
        types = [] if step.label is None else sorted(step.label)
        span = self.states.get(state)
        if len(types) == 1 and not _is_complement(step):
            return _Part(self.vocabulary.reference(types[0], span), (Leaf(state),))
        if _is_complement(step):
            allowed = [token for token in self.vocabulary.types() if token not in types]
            leaves = tuple(Leaf(state, token) for token in allowed)
            return _Part(self.vocabulary.all_but(types, span), leaves)
        types.sort(key=lambda token: (token == EOF, token))
        parts = [_Part(self.vocabulary.reference(t, span), (Leaf(state, t),)) for t in types]
        sequences = tuple(_Sequence((part,)) for part in parts)
        leaves = tuple(Leaf(state, token) for token in types)
        group = self.vocabulary.group(types, span)
        return _Part(group, leaves, sequences=sequences, collapsed=True)


def _around(pieces: Sequence[Element | Alternative]) -> Span | None:
    """From the first to the last of some spans."""
    spans = [piece.span for piece in pieces if piece.span is not None]
    return min(spans).to(max(spans)) if spans else None


def _kind(step: Any) -> str:
    if hasattr(step, "followState"):
        return "rule"
    return "nothing" if step.isEpsilon else "tokens"


def _is(thing: object, name: str) -> bool:
    """Whether the runtime calls a state or transition so; the runtime itself is not imported."""
    return type(thing).__name__ == name


def _is_complement(step: Any) -> bool:
    return _is(step, "NotSetTransition") or _is(step, "WildcardTransition")


def _body_of(loop: ATNState) -> Any:
    return next(t.target for t in loop.transitions if _is(t.target, "StarBlockStartState"))


def _loop_end(loop: ATNState) -> Any:
    return next(t.target for t in loop.transitions if _is(t.target, "LoopEndState"))


def _in_order(primary: Sequence[_Sequence], operators: Sequence[_Sequence]) -> list[_Sequence]:
    """The alternatives as they were written (see the module)."""
    n = len(primary) + len(operators)
    placed: dict[int, _Sequence] = {}
    others: list[_Sequence] = []
    for sequence in (*operators, *primary):
        precedence = sequence.precedence
        if not precedence and sequence.parts:
            precedence = sequence.parts[-1].operand
        if 0 < precedence <= n and n - precedence not in placed:
            placed[n - precedence] = sequence
        else:
            others.append(sequence)
    free = [place for place in range(n) if place not in placed]
    placed.update(zip(free, others, strict=True))
    return [placed[place] for place in range(n)]


def _written(name: str, sequences: Sequence[_Sequence], span: Span | None) -> WrittenRule:
    definition = Definition(name, tuple(sequence.alternative() for sequence in sequences), span)
    return WrittenRule(definition, tuple(leaf for s in sequences for leaf in s.leaves()))
