"""Faults for the teaching language in fixtures/javacc/simpl: one place of one production each."""

from __future__ import annotations

from dataclasses import dataclass

from gramspect.source import SourceText

__all__ = ["FAULTS", "Fault"]


@dataclass(frozen=True)
class Fault:
    """A piece of a production that is written otherwise; empty: it is left out."""

    name: str
    production: str
    correct: str
    faulty: str

    def place(self, text: str) -> int:
        """Where the piece starts in the correct grammar."""
        start = text.index(f"void {self.production}()")
        end = text.index("\nvoid ", start) if "\nvoid " in text[start:] else len(text)
        assert text[start:end].count(self.correct) == 1, self.name
        return text.index(self.correct, start)

    def seeded(self, text: str) -> str:
        """The grammar with the fault."""
        place = self.place(text)
        return text[:place] + self.faulty + text[place + len(self.correct) :]

    def line_and_column(self, text: str) -> tuple[int, int]:
        """The place of the first character that differs."""
        same = 0
        while self.correct[same : same + 1] == self.faulty[same : same + 1]:
            same += 1
        return SourceText("", text).position(self.place(text) + same)


FAULTS = (
    # missing parts
    Fault("program-without-end", "unit", '"." <EOF>', "<EOF>"),
    Fault("program-without-semicolon", "unit", '<ID> ";" (', "<ID> ("),
    Fault("constant-without-value", "constant", '"=" [ "-" ] literal()', ""),
    Fault("constant-without-sign", "constant", '[ "-" ] ', ""),
    Fault("variables-without-type", "variables", '":" type() ', ""),
    Fault("function-without-result", "function", '[ ":" type() ] ', ""),
    Fault("function-without-locals", "function", "( variables() )* ", ""),
    Fault("group-without-var", "group", '[ "var" ] ', ""),
    Fault("names-single", "names", ' ( "," <ID> )*', ""),
    Fault("type-without-text", "type", '  | "text"\n', ""),
    Fault("array-without-bounds", "type", '"[" bounds() "]" ', ""),
    Fault("bounds-without-range", "bounds", ' [ ".." <NUM> ]', ""),
    Fault("statement-without-skip", "statement", '    "skip"\n  | block()', "    block()"),
    Fault("statement-without-block", "statement", "  | block()\n", ""),
    Fault("statement-without-for", "statement", "  | forLoop()\n", ""),
    Fault("return-without-value", "statement", " [ expression() ]", ""),
    Fault("read-single", "statement", ' ( "," place() )*', ""),
    Fault(
        "if-without-elsif", "conditional", '\n  ( "elsif" expression() "then" statements() )*', ""
    ),
    Fault("if-without-else", "conditional", '  [ "else" statements() ]\n', ""),
    Fault("while-without-end", "whileLoop", ' "end"', ""),
    Fault("downto-missing", "direction", ' | "downto"', ""),
    Fault("case-without-else", "selection", ' [ "else" statements() ]', ""),
    Fault("branch-single-choice", "branch", ' ( "," choice() )*', ""),
    Fault("choice-without-range", "choice", ' [ ".." literal() ]', ""),
    Fault("place-without-index", "place", ' ( "[" expression() "]" )*', ""),
    Fault("relation-without-comparison", "relation", " [ comparison() sum() ]", ""),
    Fault("comparison-without-ge", "comparison", ' | ">="', ""),
    Fault("sum-without-sign", "sum", '[ "-" ] ', ""),
    Fault("term-without-mod", "term", ' | "mod"', ""),
    Fault("factor-without-parentheses", "factor", '\n  | "(" expression() ")"', ""),
    Fault("literal-without-false", "literal", ' | "false"', ""),
    # something must be there that need not, or once where it may be often
    Fault("definitions-once", "unit", "( definition() )*", "[ definition() ]"),
    Fault(
        "parameters-needed",
        "parameters",
        '[ group() ( ";" group() )* ]',
        'group() ( ";" group() )*',
    ),
    Fault(
        "statements-terminated",
        "statements",
        'statement() ( ";" statement() )*',
        '( statement() ";" )+',
    ),
    Fault("elsif-once", "conditional", '"then" statements() )*', '"then" statements() )?'),
    Fault("arguments-needed", "call", "[ arguments() ]", "arguments()"),
    Fault("not-once", "negation", '( "not" )*', '[ "not" ]'),
    Fault("sum-once", "sum", '( ( "+" | "-" ) term() )*', '[ ( "+" | "-" ) term() ]'),
    Fault("or-needed", "expression", '( "or" conjunction() )*', '( "or" conjunction() )+'),
    # something else
    Fault("const-assigned", "constant", '"="', '":="'),
    Fault("array-of-int", "type", '"of" type()', '"of" "int"'),
    Fault("for-in-parentheses", "forLoop", "<ID>", '"(" <ID> ")"'),
    Fault("until-condition", "repeatLoop", '"until" expression()', '"until" relation()'),
    Fault("while-block", "whileLoop", 'statements() "end"', "block()"),
    Fault("else-if", "conditional", '"else" statements()', '"else" statement()'),
    Fault("index-literal", "place", "expression()", "literal()"),
    Fault("and-or-swapped", "conjunction", '"and"', '"or"'),
    Fault("sum-of-factors", "sum", "term() )*", "factor() )*"),
    Fault("write-place", "statement", '"write" arguments()', '"write" place()'),
    Fault("branch-without-colon", "branch", '":" statements()', "statements()"),
)
