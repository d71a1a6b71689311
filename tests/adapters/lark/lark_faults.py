"""Faults that are seeded into the texts of grammars: Lark's own two, and that of python-hcl2."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["HCL", "LARK", "PYTHON", "Fault"]

MARK = "•"


@dataclass(frozen=True)
class Fault:
    """A stretch of text, which occurs once in a grammar, and what is written instead.

    A mark stands in front of every faulty position. An operator has two: in front of what it
    applies to and after.
    """

    name: str
    correct: str
    faulty: str

    def seeded(self, text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The grammar with the fault, and the lines and columns of the marks in it, from 1."""
        assert text.count(self.correct) == 1, f"{self.name}: {text.count(self.correct)} such texts"
        assert MARK in self.faulty, f"{self.name}: no mark"
        marked = text.replace(self.correct, self.faulty)
        places = tuple(
            (number, at - line[:at].count(MARK) + 1)
            for number, line in enumerate(marked.split("\n"), start=1)
            for at, character in enumerate(line)
            if character == MARK
        )
        return marked.replace(MARK, ""), places


PYTHON = (
    Fault("elif-without-colon", 'elif_: "elif" test ":" suite', 'elif_: "elif" test •suite'),
    Fault("while-else-without-suite", 'while_stmt: "while" test ":" suite ["else" ":" suite]',
          'while_stmt: "while" test ":" suite ["else" ":" •test]'),
    Fault("for-with-test", 'for_stmt: "for" exprlist "in" testlist',
          'for_stmt: "for" •test "in" testlist'),
    Fault("import-one-name", 'dotted_as_names: dotted_as_name ("," dotted_as_name)*',
          "dotted_as_names: dotted_as_name•"),
    Fault("return-needs-value", 'return_stmt: "return" [testlist]',
          'return_stmt: "return" •testlist'),
    Fault("raise-from-first", 'raise_stmt: "raise" [test ["from" test]]',
          'raise_stmt: "raise" [test ["from" •"from" test]]'),
    Fault("lambda-needs-parameters", 'lambdef: "lambda" [lambda_params] ":" test\n',
          'lambdef: "lambda" •lambda_params ":" test\n'),
    Fault("arrow-behind-colon", '"(" [parameters] ")" ["->" test] ":" suite',
          '"(" [parameters] ")" •":" ["->" test] suite'),
    Fault("one-default", '?paramvalue: typedparam ("=" test)?',
          '?paramvalue: typedparam ("=" •name)?'),
    Fault("no-empty-call", '?atom_expr: atom_expr "(" [arguments] ")"      -> funccall',
          '?atom_expr: atom_expr "(" •arguments ")"      -> funccall'),
    Fault("key-without-value", 'key_value: test ":"  test', 'key_value: test ":"  •NAME'),
    Fault("one-dot", '!dots: "."+', '!dots: •"."•'),
    Fault("one-global", 'global_stmt: "global" name ("," name)*',
          'global_stmt: "global" name •("," name)?•'),
    Fault("one-with-item", 'with_items: with_item ("," with_item)*', "with_items: with_item•"),
)  # fmt: skip

HCL = (
    Fault("attribute-twice-equal", "attribute : _attribute_name EQ expression",
          "attribute : _attribute_name EQ •EQ expression"),
    Fault("one-label", "block : _attribute_name (_attribute_name | string)* ",
          "block : _attribute_name •(_attribute_name | string)?• "),
    Fault("one-string-part", "string: DBLQUOTE string_part* DBLQUOTE",
          "string: DBLQUOTE •string_part?• DBLQUOTE"),
    Fault("interpolation-not-closed", "interpolation: INTERP_START expression RBRACE",
          "interpolation: INTERP_START expression •RPAR"),
    Fault("no-colon-in-objects", "object_elem : object_elem_key ( EQ | COLON ) expression",
          "object_elem : object_elem_key •( EQ ) expression"),
    Fault("name-in-parentheses", "expr_term : LPAR new_line_or_comment? expression new_line",
          "expr_term : LPAR new_line_or_comment? •identifier new_line"),
    Fault("index-by-number", "braces_index : LSQB new_line_or_comment? expression new_line",
          "braces_index : LSQB new_line_or_comment? •int_lit new_line"),
    Fault("condition-first", "or_expr QMARK new_line_or_comment? expression new_line_or_comment? "
          "COLON new_line_or_comment? expression",
          "or_expr QMARK new_line_or_comment? •COLON new_line_or_comment? expression "
          "new_line_or_comment? expression"),
)  # fmt: skip

LARK = (
    Fault("rule-without-priority", 'rule: RULE rule_params priority? ":" expansions',
          'rule: RULE rule_params •":" expansions'),
    Fault("token-with-semicolon", 'token: TOKEN token_params priority? ":" expansions',
          'token: TOKEN token_params priority? ":" expansions •";"'),
    Fault("one-parameter", 'rule_params: ["{" RULE ("," RULE)* "}"]',
          'rule_params: ["{" RULE •"}"]'),
    Fault("priority-without-dot", 'priority: "." NUMBER', "priority: •NUMBER"),
    Fault("declare-one", '"%declare" name+', '"%declare" •name•'),
    Fault("alias-of-token", '"%import" import_path ["->" name]',
          '"%import" import_path ["->" •RULE]'),
    Fault("no-relative-path", '!import_path: "."? name ("." name)*',
          "!import_path: •name (\".\" name)*"),
    Fault("list-with-semicolons", 'name_list: "(" name ("," name)* ")"',
          'name_list: "(" name (•";" name)* ")"'),
    Fault("two-alternatives", "?expansions: alias (_VBAR alias)*",
          "?expansions: alias •(_VBAR alias)?•"),
    Fault("alias-needs-expansion", '?alias: expansion ["->" RULE]',
          '?alias: expansion ["->" •TOKEN]'),
    Fault("maybe-with-braces", '| "[" expansions "]" -> maybe', '| "[" expansions •"}" -> maybe'),
    Fault("one-argument", '| name "{" value ("," value)* "}"', '| name "{" value •"}"'),
)  # fmt: skip
