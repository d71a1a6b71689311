"""The tests of `history_cases.py` as texts, as the lexer of the older release would read them.

The faulty grammar has the terminals of the newer one, so a keyword that came with the change would
be known to it. The older lexer did not know such a word, and read it as a name. Here it does too: a
word that no rule of the faulty grammar can use is a name, where the grammar has a terminal for
names. Names are written as people write them: most occur in several tests, some in one only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from gramspect.grammars.grammar import Grammar
from gramspect.lexical.rules import LexedText, Lexeme, Splice, TokenRule
from gramspect.suites.suite import TestCase
from omissions import Recognizer

_NAME = re.compile(
    r"(.*[_.])?(name|id|ident|identifier|cname|varname|ncname|unquoted_string|word|variable)s?",
    re.I,
)
"""What people call a terminal for names."""
_WORD = re.compile(r"[^\W\d]\w*")
_NO_WORD = re.compile(
    r"literal|string|number|regex|escaped|quoted|text|arrow|op$|colon|brac|paren|[gl][te]$|[en][qe]$"
    r"|dot|open|close|start|end|dec|space|marker|comment|newline|boost|than|ellipsis|special|esc$",
    re.I,
)
"""Names of terminals that are not keywords, where nothing else says how they are written."""
COMMON, FRESH = 8, 0.3
"""How many names are used again and again, and the share of the others."""


@dataclass(frozen=True)
class Read(Recognizer):
    """Core's chart over tokens whose places in the texts are known."""

    lexemes: Mapping[str, Sequence[Lexeme]] = field(default_factory=dict)

    def token_rules(self) -> Sequence[TokenRule]:
        return ()

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText | None:
        return None if splices else LexedText(self.lexemes[test.text])


def as_texts(
    grammar: Grammar, inputs: Sequence[Sequence[int]], n_failing: int, random: Random
) -> tuple[list[str], Read, frozenset[int]]:
    """A text for each input, what reads it, and the keywords that it reads as names."""
    usable = _usable(grammar)
    used = Counter(token for tokens in inputs for token in tokens)
    names = [
        token.index
        for token in sorted(grammar.terminals, key=lambda token: (-used[token.index], token.index))
        if token.index in usable and not token.spellings and _NAME.fullmatch(token.name)
    ]
    new = {token for tokens in inputs[:n_failing] for token in tokens} - usable
    misread = frozenset(t for t in new if _is_keyword(_spelling(grammar, t))) if names else set()
    texts: dict[str, list[Lexeme]] = {}
    for tokens in inputs:
        text, lexemes = "", list[Lexeme]()
        for token in tokens:
            word = _name(random) if token in names else _spelling(grammar, token)
            start = len(text) + bool(text)
            text = f"{text} {word}" if text else word
            read = names[0] if token in misread else token
            lexemes.append(Lexeme(read, start, len(text)))
        while text in texts:
            text += " "
        texts[text] = lexemes
    terminals = {text: [one.terminal for one in lexemes] for text, lexemes in texts.items()}
    return list(texts), Read(grammar, terminals, texts), frozenset(misread)


def _usable(grammar: Grammar) -> set[int]:
    """The terminals of rules that the start symbol leads to."""
    seen, pending = {grammar.start}, [grammar.start]
    while pending:
        for rule in grammar.rules_of[pending.pop()]:
            new = {s for s in grammar.rules[rule].rhs if s not in seen}
            seen |= new
            pending += (s for s in new if not grammar.is_terminal(s))
    return {symbol for symbol in seen if grammar.is_terminal(symbol)}


def _spelling(grammar: Grammar, token: int) -> str:
    symbol = grammar.symbols[token]
    if symbol.spellings:
        return symbol.spellings[0]
    quoted = re.fullmatch(r"""(["'])(.+)\1i?""", symbol.display)
    return quoted[2] if quoted else symbol.name.lower()


def _is_keyword(spelling: str) -> bool:
    return _WORD.fullmatch(spelling) is not None and _NO_WORD.search(spelling) is None


def _name(random: Random) -> str:
    if random.random() < FRESH:
        return f"v{random.randrange(10**6)}"
    return f"x{random.randrange(COMMON)}"
