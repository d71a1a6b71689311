"""New tokens where token rules have a place of their own: in lexers of PLY, in lexer grammars.

Rules in docstrings, in ANTLR's parser grammars and in CUP's have no other way to read a new text.
JavaCC's have one, but a name that is defined before would read a new keyword. In yacc's grammars
tokens are declared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from gramspect.edits.writing.files import Replacement, SourceFile, Unwritable
from gramspect.edits.writing.flex_rules import SUFFIXES, declared, new_rule
from gramspect.edits.writing.java_lexemes import class_end
from gramspect.edits.writing.lexemes import Lexeme
from gramspect.edits.writing.new_names import IN_QUOTES, IS_WORD, new_name
from gramspect.edits.writing.ply_lexers import ply_lexers
from gramspect.edits.writing.regions import PARSER_ALONE, UNDEFINED, notation_of
from gramspect.lexical.parts import Style
from gramspect.lexical.written import quoted
from gramspect.source import SourceText
from gramspect.yacc.scanner import Kind, scan

__all__ = ["NewTokens", "define_tokens"]


@dataclass(frozen=True)
class NewTokens:
    """What rules call each text, and how the file changes that defines the lexer.

    `declared` is what changes besides in the file of the rules.
    """

    symbols: Mapping[str, str]
    file: SourceFile
    replacements: Sequence[Replacement]
    declared: Sequence[Replacement] = ()


def define_tokens(
    texts: Sequence[str], terminals: Collection[str], files: Sequence[SourceFile]
) -> NewTokens:
    """Tokens for some texts in a lexer that is defined in one of the files, the first that fits.

    `terminals` are the names of the tokens that there are.

    Raises:
        Unwritable: there is no such lexer, or it does not show where its tokens are listed.
    """
    if not all(texts):
        raise Unwritable(UNDEFINED)
    distinct = list(dict.fromkeys(texts))
    if all(PurePath(file.path).suffix == ".g4" for file in files):
        return _in_lexer_grammar(distinct, files)
    if PurePath(files[0].path).suffix in (".jj", ".jjt"):
        return _in_javacc_grammar(distinct, files[0])
    if PurePath(files[0].path).suffix == ".cup":
        return _in_specification(distinct, terminals, files)
    if notation_of(files[0].path).name == "yacc":
        return _in_yacc_grammar(distinct, terminals, files[0])
    return _in_ply(distinct, terminals, files)


def _in_specification(
    texts: Sequence[str], terminals: Collection[str], files: Sequence[SourceFile]
) -> NewTokens:
    """Terminals of CUP, and the rules of the scanner that make them."""
    scanner = next((file for file in files if PurePath(file.path).suffix in SUFFIXES), None)
    if scanner is None:
        raise Unwritable(UNDEFINED)
    taken = {"EOF", "error", *_CUP_WORDS, *terminals, *re.findall(r"\w+", files[0].text)}
    symbols: dict[str, str] = {}
    for text in texts:
        symbols[text] = new_name(text, taken)
        taken.add(symbols[text])
    rules = [new_rule(scanner, text, name, terminals) for text, name in symbols.items()]
    return NewTokens(symbols, scanner, rules, [declared(files[0], list(symbols.values()))])


def _in_yacc_grammar(
    texts: Sequence[str], terminals: Collection[str], file: SourceFile
) -> NewTokens:
    """Characters in quotes need no declaration; words are declared, other texts with an alias.

    Without a section of declarations nothing is.
    """
    lexemes = [*scan(SourceText(file.path, file.text.replace("\ufeff", " ", 1)))]
    rules = next((one.start for one in lexemes if one.kind is Kind.SECTION), None)
    taken = {*terminals, *_YACC_WORDS, *(one.text for one in lexemes if one.kind is Kind.RULE)}
    symbols, declarations = dict[str, str](), list[str]()
    for text in texts:
        alias = f'"{text}"'
        if len(text) == 1 and text.isascii() and not text.isalnum():
            symbols[text] = f"'{_ESCAPED.get(text, text)}'"
            continue
        if '"' in text or "\\" in text or "\n" in text:
            raise Unwritable(UNDEFINED)
        if text.isascii() and IS_WORD.fullmatch(text) and text not in taken:
            symbols[text], declared = text, f"%token {text}\n"
        elif rules is None:
            symbols[text], declared = alias, ""
        else:
            symbols[text] = new_name(text if text.isascii() else "token", taken)
            declared = f"%token {symbols[text]} {alias}\n"
        taken.add(symbols[text])
        declarations.append(declared)
    if rules is None or not declarations:
        return NewTokens(symbols, file, ())
    begin = file.text.rfind("\n", 0, rules) + 1
    if not file.text[begin:rules].isspace() and begin < rules:
        begin, declarations = rules, ["\n", *declarations]
    return NewTokens(symbols, file, (Replacement(begin, begin, "".join(declarations)),))


_ESCAPED = {"'": "\\'", "\\": "\\\\"}
_YACC_WORDS = frozenset(
    "error YYerror YYUNDEF YYEOF YYEMPTY EOF"
    " alignas alignof and asm auto bool break case catch char class const constexpr continue"
    " default delete do double else enum explicit export extern false final float for friend goto"
    " if inline int long mutable namespace new noexcept not nullptr operator or override private"
    " protected"
    " public register restrict return short signed sizeof static struct switch template this throw"
    " true try typedef typename union unsigned using virtual void volatile while xor".split()
)
"""What is no name of a token: yacc's own, and the keywords of C and C++, where tokens are names."""


def _in_ply(
    texts: Sequence[str], terminals: Collection[str], files: Sequence[SourceFile]
) -> NewTokens:
    lexers = [lexer for file in files for lexer in ply_lexers(file, frozenset(terminals))]
    lexer = max(lexers, key=lambda one: one.n_known, default=None)
    if lexer is None or not lexer.n_known:
        raise Unwritable(UNDEFINED)
    taken = set(terminals)
    symbols: dict[str, str] = {}
    for text in texts:
        symbols[text] = lexer.define(text, taken)
        taken.add(symbols[text])
    return NewTokens(symbols, lexer.file, lexer.replacements)


_CUP_WORDS = ("action", "code", "init", "non", "parser", "scan", "start", "terminal", "with")
_NAME = re.compile(r"\b[A-Z]\w*")


def _in_lexer_grammar(texts: Sequence[str], files: Sequence[SourceFile]) -> NewTokens:
    """Rules before all others, so that no other one reads the words."""
    file = next((file for file in files if not PARSER_ALONE.search(file.text)), None)
    if file is None:
        raise Unwritable(UNDEFINED)
    start = _first_rule(file)
    taken = set(_NAME.findall(file.text))
    symbols: dict[str, str] = {}
    parts = []
    for text in texts:
        symbols[text] = new_name(text, taken)
        taken.add(symbols[text])
        quote = IN_QUOTES.fullmatch(text)
        literal = quoted(Style.ANTLR, text if quote is None else quote[1])
        if quote is not None:
            inside = "".join(f"\\{c}" if c in "]-\\" else c for c in quote[1])
            literal = f"{literal} ~[{inside}]* {literal}"
        parts.append(Replacement(start, start, f"{symbols[text]} : {literal} ;\n"))
    return NewTokens(symbols, file, parts)


def _first_rule(file: SourceFile) -> int:
    """Where the first rule of a lexer grammar begins.

    Raises:
        Unwritable: there is none.
    """
    lexemes: Sequence[Lexeme] = notation_of(file.path).lexemes(file, 0)
    for place, lexeme in enumerate(lexemes[1:], start=1):
        name = lexemes[place - 1]
        if lexeme.mark == ":" and _NAME.fullmatch(file.text, name.start, name.end):
            before = lexemes[place - 2] if place > 1 else name
            is_fragment = file.text[before.start : before.end] == "fragment"
            return before.start if is_fragment else name.start
    raise Unwritable(UNDEFINED)


_ANY_CASE = re.compile(r"(?:TOKEN|SKIP)\s*\[\s*IGNORE_CASE\s*\]")
_RESERVED = (
    "EOF",
    "IGNORE_CASE",
    "JAVACODE",
    "LOOKAHEAD",
    "MORE",
    "SKIP",
    "SPECIAL_TOKEN",
    "TOKEN",
)


def _in_javacc_grammar(texts: Sequence[str], file: SourceFile) -> NewTokens:
    """A section of rules before all others; words in letters of either case where others are."""
    end = class_end(file.text)
    if end is None:
        raise Unwritable(UNDEFINED)
    taken = {*_RESERVED, *_NAME.findall(file.text)}
    symbols: dict[str, str] = {}
    rules = []
    for text in texts:
        name = new_name(text, taken)
        taken.add(name)
        symbols[text] = f"<{name}>"
        quote = IN_QUOTES.fullmatch(text)
        literal = quoted(Style.JAVACC, text if quote is None else quote[1])
        rules.append(
            f"<{name}: {literal if quote is None else f'{literal} (~[{literal}])* {literal}'}>"
        )
    any_case = " [IGNORE_CASE]" * (_ANY_CASE.search(file.text) is not None)
    section = f"\n\nTOKEN{any_case} : {{ {' | '.join(rules)} }}"
    return NewTokens(symbols, file, [Replacement(end, end, section)])
