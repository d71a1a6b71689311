"""Reads JavaCC and JJTree grammar files: productions with their structure and places.

What a production is made of is in `gramspect.grammars.ebnf`; everything that consumes a token or
calls a production is a reference, in the order in which JavaCC generates code for them. Java code,
arguments, node descriptors and the expansions in LOOKAHEAD specifications are passed over: they
consume nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from gramspect.adapter_api import (
    Alternative,
    Block,
    Element,
    GrammarError,
    Operator,
    Reference,
    SourceText,
)
from gramspect_javacc.lexemes import Lexeme, Lexemes
from gramspect_javacc.syntax import JavaccFile, Lookahead, Production, TokenRule, literal_text

__all__ = ["read_javacc"]

_KINDS = ("TOKEN", "SPECIAL_TOKEN", "SKIP", "MORE")
_MAX_NESTING = 100


def read_javacc(source: SourceText) -> JavaccFile:
    """Read a .jj or .jjt file.

    Raises:
        GrammarError: it is not what JavaCC takes, as far as that is read.
    """
    return _Reader(source).file()


@dataclass
class _Reader:
    source: SourceText
    tokens: list[TokenRule] = field(default_factory=list)
    lookaheads: list[Lookahead] = field(default_factory=list)
    depth: int = 0

    def __post_init__(self) -> None:
        self.words = Lexemes(self.source)

    # --- the file ------------------------------------------------------------------------

    def file(self) -> JavaccFile:
        options = self.options()
        parser = self.compilation_unit()
        productions: list[Production] = []
        while self.words.next.kind != "end":
            productions.extend(self.production())
        return JavaccFile(
            self.source, options, parser, tuple(productions), tuple(self.tokens),
            tuple(self.lookaheads),
        )  # fmt: skip

    def options(self) -> dict[str, str]:
        found: dict[str, str] = {}
        if self.words.sees("options", "{"):
            self.words.take()
            self.words.take()
            while not self.words.accept("}"):
                name = self.words.word("the name of an option").text
                self.words.expect("=")
                value = self.words.take().text
                while not self.words.accept(";"):
                    if self.words.next.kind == "end":
                        raise self.words.error("expected ';'")
                    value += self.words.take().text
                found[name.upper()] = value
        return found

    def compilation_unit(self) -> str:
        """Pass the Java class of the parser; its name."""
        self.words.expect("PARSER_BEGIN")
        self.words.expect("(")
        name = self.words.word("the name of the parser").text
        self.words.expect(")")
        while not self.words.sees("PARSER_END", "("):
            if self.words.next.kind == "end":
                raise self.words.error("expected 'PARSER_END'")
            self.words.take()
        for _ in range(4):
            self.words.take()
        return name

    def production(self) -> Iterator[Production]:
        word = self.words.next
        if word.text == "TOKEN_MGR_DECLS":
            self.words.take()
            self.words.expect(":")
            self.block()
        elif word.text == "JAVACODE":
            self.words.take()
            name = self.header(("{",))
            self.block()
            yield Production(name.text, self.words.span(name), (), is_code=True)
        elif word.text == "<" or (word.text in _KINDS and self.words.ahead(1).text in (":", "[")):
            self.token_production()
        else:
            name = self.header((":",))
            self.words.expect(":")
            self.block()
            self.words.expect("{")
            alternatives = self.choices()
            self.words.expect("}")
            yield Production(name.text, self.words.span(name), alternatives)

    def header(self, ends: tuple[str, ...]) -> Lexeme:
        """Pass what is before the body of a production: ``type name(parameters) throws ...``."""
        name: Lexeme | None = None
        while self.words.next.text not in ends:
            lexeme = self.words.next
            if lexeme.kind == "end" or lexeme.text in ("}", ";"):
                raise self.words.error("expected a production")
            if lexeme.text == "#":  # the node descriptor of JJTree
                self.node_descriptor()
            elif lexeme.text == "(" and name is not None:
                self.words.skip_block()
                while self.words.next.text not in ends and self.words.next.text != "#":
                    if self.words.next.kind == "end":
                        raise self.words.error("expected ':'")
                    self.words.take()
            else:
                name = lexeme if lexeme.kind == "word" else name
                self.words.take()
        if name is None:
            raise self.words.error("expected the name of a production")
        return name

    def block(self) -> Lexeme:
        """Pass a block of Java code."""
        if self.words.next.text != "{":
            raise self.words.error("expected '{'")
        return self.words.skip_block()

    # --- tokens --------------------------------------------------------------------------

    def token_production(self) -> None:
        states: list[str] = ["DEFAULT"]
        if self.words.accept("<"):
            states = []
            while not self.words.accept(">"):
                if self.words.next.kind == "end":
                    raise self.words.error("expected '>'")
                state = self.words.take().text
                if state != ",":
                    states.append(state)
        if self.words.next.text not in _KINDS:
            raise self.words.error(f"expected one of {', '.join(_KINDS)}")
        word = self.words.take()
        kind_end = word.end
        ignore_case = self.words.accept("[") is not None
        if ignore_case:
            self.words.expect("IGNORE_CASE")
            self.words.expect("]")
        self.words.expect(":")
        self.words.expect("{")
        bar: Lexeme | None = None
        while True:
            rule = self.regular_expression(word.text, tuple(states), ignore_case)
            if self.words.next.text == "{":
                self.block()
            if self.words.accept(":"):
                self.words.word("the name of a lexical state")
            last = self.words.ahead(-1).end
            next_bar = self.words.accept("|")
            alone = None
            if bar is not None:
                alone = bar.start, last
            elif next_bar is not None:
                alone = rule.start, next_bar.end + self.source.text.startswith(" ", next_bar.end)
            self.tokens.append(replace(rule, last=last, alone=alone, kind_end=kind_end))
            if next_bar is None:
                break
            bar = next_bar
        self.words.expect("}")

    def regular_expression(
        self, kind: str, states: tuple[str, ...] = ("DEFAULT",), ignore_case: bool = False
    ) -> TokenRule:
        """A string, or an expression between angle brackets, with a label or without."""
        first = self.words.next
        if first.kind == "string":
            self.words.take()
            literal = literal_text(first.text)
            return TokenRule(
                kind, None, literal, self.words.span(first), states, ignore_case=ignore_case,
                start=first.start, end=first.end, body=first.start,
            )  # fmt: skip
        self.words.expect("<")
        private = self.words.accept("#") is not None
        label = None
        if self.words.ahead(1).text == ":" and self.words.next.kind == "word":
            label = self.words.take()
            self.words.take()
        inner = [self.words.next]
        depth = 1
        while depth:
            lexeme = self.words.take()
            if lexeme.kind == "end":
                raise GrammarError("'<' is not closed", self.words.span(first))
            depth += {"<": 1, ">": -1}.get(lexeme.text, 0)
            inner.append(self.words.next)
        only = inner[0] if len(inner) == 3 and inner[0].kind == "string" else None
        last = self.words.ahead(-1)
        return TokenRule(
            kind,
            None if label is None else label.text,
            None if only is None else literal_text(only.text),
            self.words.span(label or first, label or last),
            states,
            private,
            ignore_case,
            first.start,
            last.end,
            inner[0].start,
        )

    # --- expansions ----------------------------------------------------------------------

    def choices(self) -> tuple[Alternative, ...]:
        self.depth += 1
        if self.depth > _MAX_NESTING:
            raise self.words.error(f"expansions are nested more than {_MAX_NESTING} deep")
        found = [self.sequence()]
        while self.words.accept("|"):
            found.append(self.sequence())
        self.depth -= 1
        return tuple(found)

    def sequence(self) -> Alternative:
        """One alternative; its place is from the first element to the last."""
        elements: list[Element] = []
        first = self.words.next
        while self.words.next.text not in ("|", ")", "]", "}"):
            if self.words.next.kind == "end":
                raise self.words.error("expected the end of the production")
            elements.extend(self.unit())
        spans = [e.span for e in elements if e.span is not None]
        here = self.words.span(first).before()
        return Alternative(tuple(elements), spans[0].to(spans[-1]) if spans else here)

    def unit(self) -> Iterator[Element]:
        word = self.words.next
        if word.text == "LOOKAHEAD" and self.words.ahead(1).text == "(":
            self.lookahead()
        elif word.text == "{":
            self.block()
        elif word.text == "#":
            self.node_descriptor()
        elif word.text == "[":
            yield self.option()
        elif word.text == "(":
            yield self.group()
        elif word.text == "try" and self.words.ahead(1).text == "{":
            yield from self.try_block()
        elif word.kind == "string" or word.text == "<":
            yield self.token(word)
        else:
            self.assignment()
            if self.words.next.kind == "string" or self.words.next.text == "<":
                yield self.token(self.words.next)
            else:
                yield self.call()

    def option(self) -> Block:
        first = self.words.take()
        alternatives = self.choices()
        last = self.words.expect("]")
        return Block(Operator.OPTION, alternatives, self.words.span(first, last))

    def group(self) -> Block:
        first = self.words.take()
        alternatives = self.choices()
        last = self.words.expect(")")
        operators = {"?": Operator.OPTION, "*": Operator.STAR, "+": Operator.PLUS}
        operator = operators.get(self.words.next.text, Operator.GROUP)
        if operator is not Operator.GROUP:
            last = self.words.take()
        return Block(operator, alternatives, self.words.span(first, last))

    def try_block(self) -> Iterator[Element]:
        """``try { expansion } catch (...) {...} finally {...}``: the expansion alone."""
        first = self.words.take()
        self.words.expect("{")
        alternatives = self.choices()
        last = self.words.expect("}")
        while self.words.next.text in ("catch", "finally"):
            self.words.take()
            if self.words.next.text == "(":
                self.words.skip_block()
            self.block()
        if len(alternatives) == 1:
            yield from alternatives[0].elements
        else:
            yield Block(Operator.GROUP, alternatives, self.words.span(first, last))

    def token(self, first: Lexeme) -> Reference:
        """A string, a token by its label, EOF, or a regular expression."""
        if first.kind == "string":
            self.words.take()
            reference = Reference(first.text, self.words.span(first), first.text)
        elif self.words.ahead(2).text == ">" and self.words.ahead(1).kind == "word":
            name = self.words.ahead(1).text
            for _ in range(2):
                self.words.take()
            span = self.words.span(first, self.words.take())
            reference = Reference(name, span, f"<{name}>")
        else:
            rule = self.regular_expression("TOKEN")
            self.tokens.append(rule)
            span = self.words.span(first, self.words.ahead(-1))
            text = " ".join(self.source.text[first.start : self.words.ahead(-1).end].split())
            reference = Reference(rule.name or text, span, f"<{rule.name}>" if rule.name else text)
        if self.words.accept("."):  # a field of the token, as in  name = <ID>.image
            self.words.take()
        return reference

    def call(self) -> Reference:
        name = self.words.word("a production, a token or a block")
        if self.words.next.text == "<":  # type arguments
            while self.words.next.text != "(" and self.words.next.kind != "end":
                self.words.take()
        if self.words.next.text != "(":
            raise self.words.error("expected '('")
        self.words.skip_block()
        return Reference(name.text, self.words.span(name))

    def assignment(self) -> None:
        """Pass ``place =``, whatever the place is."""
        at, depth = self.words.at, 0
        for ahead in range(200):
            text = self.words.ahead(ahead).text
            if self.words.ahead(ahead).kind == "end" or (text in "{}|;" and not depth):
                return
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text, 0)
            if depth < 0:
                return
            if text == "=" and not depth:
                self.words.at = at + ahead + 1
                return
            if not depth and text == ")" and self.words.ahead(ahead + 1).text not in (".", "="):
                return
            if self.words.ahead(ahead).kind == "string" and not depth:
                return

    def node_descriptor(self) -> None:
        """Pass ``#name``, ``#name(condition)`` and ``#void`` of JJTree."""
        self.words.expect("#")
        self.words.word("the name of a node")
        if self.words.next.text == "(":
            self.words.skip_block()

    def lookahead(self) -> None:
        """Pass a LOOKAHEAD specification; what it says is noted."""
        first = self.words.take()
        start = self.words.at + 1
        last = self.words.skip_block()
        end = self.words.at - 1
        self.words.at = start
        amount = None
        if self.words.next.kind == "number":
            amount = int(self.words.take().text, 0)
            self.words.accept(",")
        syntactic = semantic = False
        while self.words.at < end:
            if self.words.next.text == "{" and not semantic:
                semantic = True
                self.block()
            else:
                syntactic = syntactic or self.words.next.text != ","
                self.words.take()
        self.words.at = end + 1
        span = self.words.span(first, last)
        self.lookaheads.append(Lookahead(span, amount, syntactic, semantic))
