"""Changes of token rules, as edits beside those of the parser's rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gramspect.edits.model import Edit, EditKind
from gramspect.edits.writing.files import Change, Replacement, SourceFile, Unwritable
from gramspect.grammars.grammar import Grammar
from gramspect.lexical.rewriting import Rewriting
from gramspect.lexical.rules import TokenRule

__all__ = ["TokenEdit", "token_edit"]


@dataclass(frozen=True, slots=True)
class TokenEdit(Edit):
    """A change of a token rule: `words` say what it is, `rewriting` how it is written.

    Its item is that of the rule among ranked elements: -1 for the first, -2 for the second.
    """

    rule: TokenRule = field(repr=False)
    words: str
    rewriting: Rewriting = field(repr=False)

    def describe(self, grammar: Grammar) -> str:
        """The change in words."""
        return self.words

    def written(self, read: Callable[[str], SourceFile]) -> Change:
        """The change of the file that the rule is in.

        Raises:
            Unwritable: it is in no file, or in several.
        """
        paths = {span.file for span, _ in self.rewriting}
        if len(paths) != 1:
            raise Unwritable("the token rule is in no file, or in several")
        file = read(paths.pop())
        parts = [Replacement(*file.range(span), text) for span, text in self.rewriting]
        return Change.of(file, parts)


def token_edit(
    number: int, rule: TokenRule, words: str, rewriting: Rewriting, cost: float
) -> TokenEdit:
    """A change of token rule `number`."""
    return TokenEdit(-1 - number, EditKind.TOKEN, (), 0, cost, rule, words, rewriting)
