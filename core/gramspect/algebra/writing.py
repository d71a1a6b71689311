"""Grammars as files: for yacc and bison, for Lark, for ANTLR, and as dictionaries.

Literal tokens are written as their texts. Other tokens are declared by their names, for a grammar
does not say what they look like, or imported from the user's file
(`gramspect.algebra.lexers`). In a dictionary, the
form that grammar fuzzers read (``{"<start>": [["<expr>"]], ...}``), there is no lexer, so tokens
are texts, or non-terminals of their own with the texts that are known.

Names that a tool would not take are changed: ``expr F1`` becomes ``expr_F1``, and a name that would
be taken twice gets a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Final

from gramspect.algebra.lexers import Lexer
from gramspect.errors import GrammarError, GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity, Rule, Symbol
from gramspect.yacc.literals import canonical, value

__all__ = ["Form", "form_of", "grammar_text", "read_dictionary"]

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)+'|\"(?:[^\"\\]|\\.)+\"", re.DOTALL)
_KEY = re.compile(r"(<[^<> ]+(?: [^<>]*)?>)")


class Form(StrEnum):
    """How a grammar is written, by the ending of its file."""

    YACC = "y"
    LARK = "lark"
    ANTLR = "g4"
    DICTIONARY = "json"


def form_of(path: str) -> Form | None:
    """The form that the ending of a file stands for, if any."""
    ending = Path(path).suffix.removeprefix(".")
    return Form(ending) if ending in list(Form) else None


def grammar_text(
    grammar: Grammar,
    form: Form,
    *,
    name: str = "Grammar",
    texts: Mapping[int, Sequence[str]] | None = None,
    remarks: Sequence[str] = (),
    lexer: Lexer | None = None,
    lexed: Collection[int] = (),
) -> str:
    """The text of a file with the grammar.

    Args:
        grammar: what is written; its rules are in the order of its non-terminals.
        form: for which tool.
        name: the name that ANTLR wants, which must be that of the file.
        texts: texts of tokens, for the dictionary.
        remarks: lines for a comment at the top, where the form has comments.
        lexer: the file of the user's from which Lark or ANTLR take the tokens that have names;
            without one they are only declared.
        lexed: terminals that this lexer must tell from others even if no rule has them.
    """
    match form:
        case Form.YACC:
            lines = _yacc(grammar)
        case Form.LARK:
            lines = _lark(grammar, lexer, lexed)
        case Form.ANTLR:
            lines = _antlr(grammar, name, lexer, lexed)
        case Form.DICTIONARY:
            return _dictionary(grammar, texts or {})
    opening, closing = ("/* ", " */") if form is Form.YACC else ("// ", "")
    plain = (" ".join(remark.split()).replace("*/", "* /") for remark in remarks)
    return "\n".join([*(f"{opening}{each}{closing}" for each in plain), *lines, ""])


# --- words ---------------------------------------------------------------------------------


def literal(symbol: Symbol) -> str | None:
    """The text of a literal token; None of one that has a name only."""
    for written in (symbol.name, symbol.display):
        if _QUOTED.fullmatch(written):
            return value(written)
    return None if _IDENTIFIER.fullmatch(symbol.name) else symbol.name


class _Words:
    """How each symbol is written in a file, every one differently."""

    def __init__(
        self,
        grammar: Grammar,
        token: Callable[[str], str],
        nonterminal: Callable[[str], str],
        quoted: Callable[[str], str | None],
        lexed: Collection[int] = (),
    ) -> None:
        used = {s for rule in grammar.rules for s in (*rule.rhs, rule.precedence)}
        self.unused = [terminal for terminal in lexed if terminal not in used]
        """The terminals without a rule that the lexer must know all the same."""
        used |= set(lexed)
        used |= grammar.precedence.keys()
        self.taken: set[str] = {"EOF"}
        self.of: dict[int, str] = {}
        self.named: list[Symbol] = []
        """The tokens that are written by name."""
        for symbol in grammar.terminals:
            if symbol.index not in used:
                continue
            text = literal(symbol)
            word = None if text is None else quoted(text)
            if symbol.name == "EOF":
                self.of[symbol.index] = "EOF"
            elif word is not None and word not in self.taken:
                self.taken.add(word)
                self.of[symbol.index] = word
            else:
                named = text is None or symbol.name.isidentifier()
                plain = symbol.name if named else f"TOKEN_{symbol.index}"
                self.of[symbol.index] = self.fresh(token(_plain(plain)))
                self.named.append(symbol)
        for symbol in grammar.nonterminals:
            self.of[symbol.index] = self.fresh(nonterminal(_plain(symbol.name)))

    def fresh(self, name: str) -> str:
        """A name that nothing has, made of one."""
        number, found = 1, name
        while found in self.taken:
            number += 1
            found = f"{name}_{number}"
        self.taken.add(found)
        return found

    def rhs(self, rule: Rule) -> str:
        return " ".join(self.of[symbol] for symbol in rule.rhs)


def _plain(name: str) -> str:
    """A name of letters, digits and underscores that begins with a letter."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name).lstrip("_")
    return plain if plain[:1].isalpha() else f"x{plain}"


def _blocks(grammar: Grammar, words: _Words, end: str = "") -> Iterator[str]:
    """A definition of each non-terminal, an alternative on each line."""
    for symbol in grammar.nonterminals:
        rules = (grammar.rules[r] for r in grammar.rules_of[symbol.index])
        first, *others = dict.fromkeys(words.rhs(rule) for rule in rules)
        yield f"{words.of[symbol.index]}: {first}".rstrip()
        for other in others:
            yield f"    | {other}".rstrip()
        yield from ([f"    {end}"] if end else [])


# --- forms ---------------------------------------------------------------------------------


def _yacc(grammar: Grammar) -> Iterator[str]:
    def quoted(text: str) -> str | None:
        if len(text) == 1:
            return canonical(f"'\\{text}'" if text in "'\\" else f"'{text}'")
        return None

    words = _Words(grammar, str, str, quoted)
    for symbol in words.named:
        text = literal(symbol) or next(iter(symbol.spellings), None)
        alias = "" if text is None else f" {json.dumps(text, ensure_ascii=False)}"
        yield f"%token {words.of[symbol.index]}{alias}"
    yield from _precedences(grammar, words)
    yield f"%start {words.of[grammar.start]}"
    yield "%%"
    for symbol in grammar.nonterminals:
        yield words.of[symbol.index]
        for number, index in enumerate(grammar.rules_of[symbol.index]):
            rule = grammar.rules[index]
            last = next((s for s in reversed(rule.rhs) if grammar.is_terminal(s)), None)
            own = rule.precedence is not None and rule.precedence != last
            prec = f" %prec {words.of[rule.precedence]}" if own and rule.precedence else ""
            yield f"    {'|' if number else ':'} {words.rhs(rule) or '%empty'}{prec}"
        yield "    ;"


def _precedences(grammar: Grammar, words: _Words) -> Iterator[str]:
    levels: dict[tuple[int, Associativity], list[str]] = {}
    for terminal, precedence in grammar.precedence.items():
        key = precedence.level, precedence.associativity
        levels.setdefault(key, []).append(words.of[terminal])
    for (_, associativity), tokens in sorted(levels.items()):
        yield f"%{associativity} {' '.join(tokens)}"


def _lark(grammar: Grammar, lexer: Lexer | None, lexed: Collection[int]) -> Iterator[str]:
    words = _Words(grammar, str.upper, str.lower, _double_quoted, lexed)
    tokens = [words.of[symbol.index] for symbol in words.named]
    if lexer is not None:
        yield from lexer.lark_lines(tokens)
    elif tokens:
        yield f"%declare {' '.join(tokens)}"
    blocks = list(_blocks(grammar, words))
    if words.unused:  # Lark forgets terminals that no rule has, and rules that it does not reach
        never = words.fresh("no_input")
        blocks.insert(1, f"    | {never}")
        others = " | ".join(words.of[terminal] for terminal in words.unused)
        blocks.append(f"{never}: ({others}) {never}")
    yield from blocks


def _double_quoted(text: str) -> str | None:
    return json.dumps(text, ensure_ascii=False)


def _antlr(
    grammar: Grammar, name: str, lexer: Lexer | None, lexed: Collection[int]
) -> Iterator[str]:
    words = _Words(grammar, lambda n: n[:1].upper() + n[1:], _antlr_rule, _single_quoted, lexed)
    if lexer is not None:
        yield from lexer.antlr_lines(_plain(name))
    else:
        yield f"grammar {_plain(name)};"
        if words.named:
            yield f"tokens {{ {', '.join(words.of[symbol.index] for symbol in words.named)} }}"
    yield from _blocks(grammar, words, ";")
    if words.unused:
        others = " | ".join(words.of[terminal] for terminal in words.unused)
        yield f"{words.fresh('no_input')}: {others};"


_ANTLR_WORDS = frozenset(
    "import fragment lexer parser grammar returns locals throws catch finally mode options tokens"
    " channels protected public private rule".split()
)


def _antlr_rule(name: str) -> str:
    lower = name[:1].lower() + name[1:]
    return f"{lower}_" if lower in _ANTLR_WORDS else lower


def _single_quoted(text: str) -> str:
    inner = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{inner}'"


# --- dictionaries --------------------------------------------------------------------------

START: Final = "<start>"


def _dictionary(grammar: Grammar, texts: Mapping[int, Sequence[str]]) -> str:
    """JSON with a key for each non-terminal: ``<start>`` is where sentences begin."""
    words: dict[int, str] = {}
    tokens: dict[str, list[list[str]]] = {}
    for symbol in grammar.terminals:
        text = literal(symbol)
        known = list(texts.get(symbol.index, ())) or ([text] if text is not None else [])
        if len(known) == 1 and not _KEY.fullmatch(known[0]):
            words[symbol.index] = known[0]
        else:
            words[symbol.index] = _key(symbol.name, {*words.values(), START})
            tokens[words[symbol.index]] = [[each] for each in known or [symbol.name]]
    for symbol in grammar.nonterminals:
        others = {*words.values()} | (set() if symbol.index == grammar.start else {START})
        words[symbol.index] = _key(symbol.name, others)
    table: dict[str, list[list[str]]] = {}
    if words[grammar.start] != START:
        table[START] = [[words[grammar.start]]]
    for symbol in grammar.nonterminals:
        rules = (grammar.rules[r] for r in grammar.rules_of[symbol.index])
        table[words[symbol.index]] = [[words[s] for s in rule.rhs] for rule in rules]
    used = {word for alternatives in table.values() for each in alternatives for word in each}
    table |= {key: alternatives for key, alternatives in tokens.items() if key in used}
    return _json(table)


def _key(name: str, taken: set[str]) -> str:
    """A name in angle brackets that no other symbol has."""
    plain = re.sub(r"[<>]", "_", name)
    found, number = f"<{plain}>", 1
    while found in taken:
        number += 1
        found = f"<{plain} {number}>"
    return found


def _json(table: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """JSON with an alternative on each line."""

    def block(key: str) -> str:
        each = ",\n".join(f"    {json.dumps(list(a), ensure_ascii=False)}" for a in table[key])
        return f"  {json.dumps(key, ensure_ascii=False)}: [\n{each}\n  ]"

    return "{\n" + ",\n".join(map(block, table)) + "\n}\n"


def read_dictionary(text: str, name: str = "grammar") -> Grammar:
    """The grammar that a dictionary is, its texts as tokens.

    Alternatives are lists of texts and names, or one text with names in it. Sentences begin at
    ``<start>``, or at the first key if there is none.

    Raises:
        GrammarError: it is no JSON, no such dictionary, or a name has no alternatives.
    """
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise GrammarError(f"{name}: is no JSON: {problem}") from None
    if not isinstance(table, dict) or not table:
        raise GrammarError(f'{name}: must be a dictionary such as {{"<start>": [["<expr>"]]}}')
    rules: list[tuple[str, list[str]]] = []
    for key, alternatives in table.items():
        if not _KEY.fullmatch(key):
            raise GrammarError(f"{name}: the key {key!r} is no name such as <expr>")
        if not isinstance(alternatives, list):
            raise GrammarError(f"{name}: {key} must have a list of alternatives")
        for each in alternatives:
            words = [w for w in _KEY.split(each) if w] if isinstance(each, str) else each
            if not isinstance(words, list) or not all(isinstance(w, str) for w in words):
                raise GrammarError(f"{name}: an alternative of {key} is no list of texts")
            rules.append((key, words))
    _check_names(table, rules, name)
    start = START if START in table else next(iter(table))
    try:
        return Grammar.from_rules(rules, start=start, name=name)
    except GramspectError as problem:
        raise GrammarError(f"{name}: {problem.message}") from None


def _check_names(
    table: Mapping[str, object], rules: Sequence[tuple[str, Sequence[str]]], name: str
) -> None:
    for key, words in rules:
        for word in words:
            if _KEY.fullmatch(word) and word not in table:
                near = get_close_matches(word, table, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise GrammarError(f"{name}: {key} uses {word}, which has no alternatives{hint}")
