"""Faults in the texts of grammars, and the faults that are seeded into those of fixtures/antlr."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["CALC", "DOCUMENT", "QUERY", "Fault", "FaultKind", "Place"]

MARK = "•"

Place = tuple[int, int]
"""Line and column, from 1."""


class FaultKind(StrEnum):
    """What a slip of the pen does to a grammar."""

    DELETION = "deletion"
    INSERTION = "insertion"
    SUBSTITUTION = "substitution"
    TRANSPOSITION = "transposition"
    LOST_ALTERNATIVE = "lost alternative"
    REPETITION = "wrong repetition operator"


@dataclass(frozen=True)
class Fault:
    """A stretch of text, which occurs once in a grammar, and what is written instead.

    A mark stands in front of every faulty position. An operator has two: in front of what
    it applies to and after. Without a mark an alternative of `rule` is lost, and the
    faulty position is the start of its other alternatives.
    """

    name: str
    kind: FaultKind
    correct: str
    faulty: str
    rule: str = ""

    def seeded(self, text: str) -> tuple[str, tuple[Place, ...]]:
        """The grammar with the fault, and the marked places in it."""
        assert text.count(self.correct) == 1, f"{self.name}: not a unique text"
        assert (MARK in self.faulty) != bool(self.rule), f"{self.name}: no mark, or no rule"
        marked = text.replace(self.correct, self.faulty)
        lines = marked.split("\n")
        places = tuple(
            (number, at - line[:at].count(MARK) + 1)
            for number, line in enumerate(lines, start=1)
            for at, character in enumerate(line)
            if character == MARK
        )
        return marked.replace(MARK, ""), places


DELETION, INSERTION, SUBSTITUTION, TRANSPOSITION, LOST, REPETITION = FaultKind

CALC = (
    Fault("let-without-equals", DELETION, "'let' NAME '=' expression", "'let' NAME •expression"),
    Fault("index-not-closed", DELETION, "expression '[' index ']'", "expression '[' index•"),
    Fault("print-with-arrow", INSERTION, "'print' expression (", "'print' •'->' expression ("),
    Fault("arguments-with-commas", INSERTION, "argument (',' argument)*",
          "argument (',' •',' argument)*"),
    Fault("choice-with-dots", SUBSTITUTION, "'?' expression ':' expression",
          "'?' expression •'..' expression"),
    Fault("list-of-names", SUBSTITUTION, "'[' (expression (',' expression)*)? ']'",
          "'[' (expression (',' •NAME)*)? ']'"),
    Fault("range-by-unit", SUBSTITUTION, "('by' expression)?", "('by' •unit)?"),
    Fault("for-block-do", TRANSPOSITION, "'for' NAME 'in' expression 'do' block",
          "'for' NAME 'in' expression •block 'do'"),
    Fault("function-arrow-first", TRANSPOSITION, "'fn' NAME* '->' expression",
          "'fn' •'->' NAME* expression"),
    Fault("no-factorial", LOST, "    | expression '!'\n", "", "expression"),
    Fault("no-absolute-value", LOST, "    | '|' expression '|'\n", "", "primary"),
    Fault("no-remainder", LOST, "('*' | '/' | '%')", "(•'*' | •'/')"),
    Fault("print-two-at-most", REPETITION, "expression (',' expression)*\n",
          "expression •(',' expression)?•\n"),
    Fault("block-not-empty", REPETITION, "'{' (statement ';')* '}'",
          "'{' •(statement ';')+ •'}'"),
    Fault("one-text", REPETITION, "TEXT+", "•TEXT•"),
    Fault("let-of-nothing", REPETITION, "'let' NAME '=' expression",
          "'let' NAME '=' •expression?•"),
)  # fmt: skip

DOCUMENT = (
    Fault("member-without-colon", DELETION, "key type? ':' value", "key type? •value"),
    Fault("entry-without-end", DELETION, "value '=>' value ';'", "value '=>' value•"),
    Fault("tag-without-arguments", DELETION, "'!' NAME arguments? value", "'!' NAME •value"),
    Fault("version-with-sign", INSERTION, "'@version' '(' NUMBER", "'@version' '(' •'+' NUMBER"),
    Fault("exponent-with-hash", INSERTION, "'e' (", "'e' •'#' ("),
    Fault("range-to-text", SUBSTITUTION, "'..' NUMBER", "'..' •TEXT"),
    Fault("key-of-text-only", SUBSTITUTION, "'[' scalar ']'", "'[' •TEXT ']'"),
    Fault("time-with-dot", SUBSTITUTION, "'T' NUMBER ':' NUMBER (", "'T' NUMBER •'.' NUMBER ("),
    Fault("anchor-behind-value", TRANSPOSITION, "'&' NAME value", "'&' •value NAME"),
    Fault("comma-behind-argument", TRANSPOSITION, "'(' scalar (',' scalar)* ')'",
          "'(' scalar (•scalar ',')* ')'"),
    Fault("no-maps", LOST, "    | map\n", "", "value"),
    Fault("no-null", LOST, "    | 'null'\n", "", "scalar"),
    Fault("no-steps-in-brackets", LOST, "    | '.' '[' (NUMBER | TEXT) ']'\n", "", "step"),
    Fault("no-steps-by-text", LOST, "(NUMBER | TEXT)", "(•NUMBER)"),
    Fault("two-members", REPETITION, "(member (',' member)* ','?)? '}'",
          "(member •(',' member)? •','?)? '}'"),
    Fault("type-of-several", REPETITION, "'<' NAME ('|' NAME)* '?'? '>'",
          "'<' NAME •('|' NAME)+ •'?'? '>'"),
    Fault("one-step", REPETITION, "'$' NAME step*", "'$' NAME •step?•"),
    Fault("date-with-time", REPETITION, "NUMBER time?", "NUMBER •time•"),
    Fault("arguments-without-first", REPETITION, "'(' scalar (',' scalar)* ')'",
          "'(' •scalar? •(',' scalar)* ')'"),
)  # fmt: skip

QUERY = (
    Fault("group-without-by", DELETION, "'group' 'by' grouping (", "'group' •grouping ("),
    Fault("common-table-without-names", DELETION, "NAME columnNames? 'as' '(' query ')'",
          "NAME •'as' '(' query ')'"),
    Fault("when-always-matched", DELETION, "'when' 'not'? 'matched'", "'when' •'matched'"),
    Fault("routine-without-as", DELETION, "'returns' type 'as' body", "'returns' type •body"),
    Fault("values-as", INSERTION, "'values' row (',' row)*", "'values' •'as' row (',' row)*"),
    Fault("limit-rows", INSERTION, "'limit' NUMBER (", "'limit' NUMBER •'rows' ("),
    Fault("interval-in", INSERTION, "'interval' TEXT timeUnit", "'interval' TEXT •'in' timeUnit"),
    Fault("assignment-with-colon", SUBSTITUTION, "NAME '=' (expression | 'default')",
          "NAME •':=' (expression | 'default')"),
    Fault("later-sort-keys-plain", SUBSTITUTION, "'order' 'by' sortKey (',' sortKey)*",
          "'order' 'by' sortKey (',' •expression)*"),
    Fault("using-a-row", SUBSTITUTION, "| 'using' columnNames", "| 'using' •expression"),
    Fault("default-of-number", SUBSTITUTION, "NAME type ('default' expression)?",
          "NAME type ('default' •NUMBER)?"),
    Fault("offset-of-text", SUBSTITUTION, "'offset' NUMBER", "'offset' •TEXT"),
    Fault("cast-type-first", TRANSPOSITION, "'cast' '(' expression 'as' type ')'",
          "'cast' '(' •type 'as' expression ')'"),
    Fault("foreign-key-reference-first", TRANSPOSITION, "'foreign' 'key' columnNames reference",
          "'foreign' 'key' •reference columnNames"),
    Fault("update-from-first", TRANSPOSITION, "alias? assignments fromPart? wherePart?",
          "alias? •fromPart? assignments wherePart?"),
    Fault("revoke-from-first", TRANSPOSITION, "rights 'from' grantees", "•'from' rights grantees"),
    Fault("no-current-row", LOST, "                | 'current' 'row'\n", "", "frameBound"),
    Fault("no-conflict-nothing", LOST, "'nothing'\n                | 'update' assignments",
          "•'update' assignments"),
    Fault("no-is-null", LOST,
          "                | expression 'is' 'not'? ('null' | 'true' | 'false')\n", "",
          "expression"),
    Fault("no-concatenation", LOST, "('+' | '-' | '||')", "(•'+' | •'-')"),
    Fault("no-source-in-parentheses", LOST, "                | '(' source ')'\n", "",
          "sourceItem"),
    Fault("no-unique-column", LOST, "                | 'unique'\n", "", "columnRule"),
    Fault("no-for-loop", LOST, "('while' expression | 'for' NAME 'in' query)",
          "(•'while' expression)"),
    Fault("case-with-one-when", REPETITION, "expression? whenPart+ (",
          "expression? •whenPart •("),
    Fault("merge-with-one-case", REPETITION, "'on' expression mergeCase+",
          "'on' expression •mergeCase•"),
    Fault("two-arguments", REPETITION, "argument (',' argument)*", "argument •(',' argument)?•"),
    Fault("one-dimension", REPETITION, "typeName ('[' NUMBER? ']')*",
          "typeName •('[' NUMBER? ']')?•"),
    Fault("dimension-with-size", REPETITION, "('[' NUMBER? ']')*", "('[' •NUMBER •']')*"),
    Fault("one-column-rule", REPETITION, "NAME type columnRule*", "NAME type •columnRule?•"),
    Fault("block-of-one", REPETITION, "(statement ';')+", "•(statement ';')•"),
    Fault("always-ordered", REPETITION, "queryTerm ordering? limit?",
          "queryTerm •ordering •limit?"),
    Fault("delete-without-from", REPETITION, "'delete' 'from' qualifiedName",
          "'delete' •'from'? •qualifiedName"),
)  # fmt: skip
