"""From what the user has to the grammar of the inputs that an expression means."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gramspect.algebra.deciding import Difference, difference, emptiness, smallest_tree
from gramspect.algebra.expressions import Expression, Or, expression_text, parse_expression
from gramspect.algebra.notation import Notation
from gramspect.algebra.pattern_files import read_patterns
from gramspect.algebra.patterns import Pattern
from gramspect.algebra.specialized import Specialized, specialized
from gramspect.algebra.texts import TextGrammar, fixed_texts
from gramspect.generation.sources import loaded_grammar
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions

__all__ = ["Algebra", "Specialization", "input_algebra", "specialize"]


@dataclass(frozen=True)
class Algebra:
    """The inputs of one grammar, and named patterns in which they can be described."""

    notation: Notation
    patterns: Mapping[str, Pattern]

    @property
    def grammar(self) -> Grammar:
        """The grammar whose sentences are specialized."""
        return self.notation.grammar

    def expression(self, text: str) -> Expression:
        """What a text says (`gramspect.algebra.expressions`).

        Raises:
            GramspectError: it is no expression, or names a pattern that there is not.
        """
        return parse_expression(text, self.patterns, self.notation)

    def specialize(self, where: Expression) -> Specialization:
        """The grammar of the inputs that an expression means, or why there are none."""
        texts = self._with_texts(where)
        lowered = texts.expression(where)
        found = specialized(texts.grammar, lowered)
        reason = emptiness(texts.grammar, lowered) if found is None else None
        return Specialization(self, where, texts, found, reason)

    def difference(self, one: Expression, other: Expression) -> Difference | None:
        """A smallest input for which two expressions differ; None if they mean the same."""
        texts = self._with_texts(Or((one, other)))
        found = difference(texts.grammar, texts.expression(one), texts.expression(other))
        return None if found is None else replace(found, tree=texts.original(found.tree))

    def _with_texts(self, where: Expression) -> TextGrammar:
        """The grammar in which the texts that an expression asks for are terminals."""
        fixed = fixed_texts(self.grammar, where)
        return TextGrammar.of(self.grammar, fixed, self.notation.other_text)


@dataclass(frozen=True)
class Specialization:
    """The grammar of the inputs that an expression means.

    There is none, but a `reason`, if no input is meant. In the grammar, texts of tokens that the
    expression asks for are terminals (`texts`).
    """

    algebra: Algebra
    where: Expression
    texts: TextGrammar
    specialized: Specialized | None
    reason: str | None = None

    @property
    def grammar(self) -> Grammar | None:
        """The specialized grammar; None if no sentence is as the expression says."""
        return None if self.specialized is None else self.specialized.grammar

    @property
    def text(self) -> str:
        """The expression."""
        return expression_text(self.where)

    def smallest(self) -> str | None:
        """A smallest input that is meant, as text; None if there is none."""
        tree = smallest_tree(self.texts.grammar, self.texts.expression(self.where))
        return None if tree is None else self.algebra.notation.sentence(self.texts.original(tree))

    def samples(self, most: int) -> dict[int, Sequence[str]]:
        """Texts of the terminals of the grammar, as far as a lexer knows any."""
        found = self.algebra.notation.samples(most)
        for terminal, texts in self.texts.texts.items():
            others = [text for text in found.get(terminal, ()) if text not in texts]
            found[terminal] = others or [self.texts.others.get(terminal, "")]
        return found | {number: [text] for (_, text), number in self.texts.terminals.items()}


def input_algebra(
    source: str | os.PathLike[str] | Grammar,
    patterns: str | os.PathLike[str] | Mapping[str, str] | None = None,
    *,
    load: LoadOptions = LoadOptions(),
) -> Algebra:
    """The algebra of a grammar.

    Args:
        source: what an adapter takes, or a grammar; its parser is not run.
        patterns: a file with named patterns (`gramspect.algebra.pattern_files`), or their texts
            by name.
        load: how the grammar is loaded.

    Raises:
        GramspectError: no adapter takes the source, or one of the patterns is none of its grammar.
        MissingDependency: something the adapter needs is not installed.
    """
    if isinstance(source, Grammar):
        notation = Notation.of(source)
    else:
        grammar, parser = loaded_grammar(os.fspath(source), load)
        notation = Notation.of(grammar, parser=parser)
    if isinstance(patterns, Mapping):
        return Algebra(notation, {name: notation.parse(text) for name, text in patterns.items()})
    if patterns is None:
        return Algebra(notation, {})
    read = read_patterns(os.fspath(patterns), notation)
    return Algebra(notation, {name: each.pattern for name, each in read.items()})


def specialize(
    source: str | os.PathLike[str] | Grammar,
    where: str,
    patterns: str | os.PathLike[str] | Mapping[str, str] | None = None,
    *,
    load: LoadOptions = LoadOptions(),
) -> Specialization:
    """The grammar of the inputs that an expression means.

    Args:
        source, patterns, load: see `input_algebra`.
        where: the expression, such as ``"double_paren and not div_zero"``.

    Raises:
        GramspectError: something of this cannot be used, or the grammar would be too large.
        MissingDependency: something the adapter needs is not installed.
    """
    found = input_algebra(source, patterns, load=load)
    return found.specialize(found.expression(where))
