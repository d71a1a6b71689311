"""What the yacc reader takes: sections, rules, declarations, literals."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity, Operator, Precedence
from gramspect.yacc import parse_yacc, read_yacc

FIXTURES = Path(__file__).parents[2] / "fixtures"


def rules(grammar: Grammar) -> list[str]:
    """Each rule as ``lhs -> symbols``, by the names of the symbols."""
    return [
        " ".join([grammar.symbols[r.lhs].name, "->", *(grammar.symbols[s].name for s in r.rhs)])
        for r in grammar.rules
    ]


def read(text: str) -> list[str]:
    """The rules of a text in which nothing is odd."""
    grammar = parse_yacc(text)
    assert grammar.diagnostics == ()
    return rules(grammar)


def codes(grammar: Grammar) -> list[str]:
    return [diagnostic.code for diagnostic in grammar.diagnostics]


# --- the fixtures -----------------------------------------------------------------------


def test_toy() -> None:
    grammar = read_yacc(FIXTURES / "toy" / "toy.y")
    assert (grammar.n_rules, grammar.n_nonterminals, grammar.n_terminals) == (23, 8, 22)
    assert (grammar.name, grammar.symbols[grammar.start].name) == ("toy", "prog")
    assert grammar.rule_text(grammar.rules_of[grammar.symbol("stmt")][1]) == (
        "stmt -> if expr then stmt"
    )
    assert grammar.diagnostics == ()


def test_faulty_toy_differs_in_two_places() -> None:
    correct, faulty = (
        rules(read_yacc(FIXTURES / "toy" / name)) for name in ("toy.y", "toy-faulty.y")
    )
    assert set(correct) - set(faulty) == {
        "stmt -> if expr then stmt",
        "stmt -> while expr do stmt",
    }
    assert set(faulty) - set(correct) == {"stmt -> while expr do block"}


def test_toy_suite_names_tokens_of_the_grammar() -> None:
    grammar = read_yacc(FIXTURES / "toy" / "toy.y")
    tests = (FIXTURES / "toy" / "accept.txt").read_text().splitlines()
    assert len(tests) == 16
    assert all(grammar.token(word) is not None for test in tests for word in test.split())


def test_calculator() -> None:
    grammar = read_yacc(FIXTURES / "yacc" / "calc.y")
    assert grammar.diagnostics == ()
    assert (grammar.n_rules, grammar.symbols[grammar.start].name) == (17, "input")
    names = "NUMBER VARIABLE EQUAL UNEQUAL '=' '+' '-' '*' '/' NEGATION '^' '\\n' error '(' ')'"
    assert [s.name for s in grammar.terminals] == names.split()
    levels = {grammar.symbols[s].name: p for s, p in grammar.precedence.items()}
    assert levels["'='"] == Precedence(1, Associativity.RIGHT)
    assert levels["EQUAL"] == levels["UNEQUAL"] == Precedence(2, Associativity.NONASSOC)
    assert levels["NEGATION"] == Precedence(5, Associativity.NONE)
    minus, negation = (
        next(r for r in grammar.rules if grammar.rule_text(r.index) == text)
        for text in ("expression -> expression '-' expression", "expression -> '-' expression")
    )
    assert minus.precedence == grammar.symbol("'-'")
    assert negation.precedence == grammar.symbol("NEGATION")


def test_blocks_with_embedded_actions() -> None:
    grammar = read_yacc(FIXTURES / "yacc" / "blocks.y")
    assert grammar.diagnostics == ()
    actions = [s for s in grammar.nonterminals if s.operator is Operator.ACTION]
    assert [s.name for s in actions] == [
        "function:1.1",
        "block:1.1",
        "block:1.2",
        "statement:4.1",
        "statement:5.1",
    ]
    assert "block -> '{' block:1.1 block:1.2 items '}'" in rules(grammar)
    assert "parameters ->" in rules(grammar)
    assert "type -> INT" in rules(grammar)


def test_bisonisms() -> None:
    grammar = read_yacc(FIXTURES / "yacc" / "bisonisms.y")
    assert grammar.diagnostics == ()
    assert rules(grammar) == [
        "items ->",
        "items -> items item '\\n'",
        "item -> expr ';'",
        "item -> decl",
        "decl:1.1 ->",
        "decl -> ID decl:1.1 ARROW expr",
        "expr -> ID",
        "expr -> NUM",
        'expr -> expr "||" expr',
        'expr -> expr "&&" expr',
        "expr -> expr '+' expr",
        "expr:6.1 ->",
        "expr -> expr:6.1 '(' list ')'",
        "expr -> '(' error ')'",
        "list -> expr",
        "list -> list COMMA expr",
    ]


# --- sections and rules -----------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "s: A b ; b: B | ;",
        "%%\ns: A b ; b: B | ;",
        "%%\ns: A b ; b: B | ;\n%%\n int main() { ' \" /* not read",
        "%%\ns: A b ; b: B | ;\n%% /* not read",
        "s: A b ; b: B | ;\n%% ' not read",
        "s: A b b: B |",
        "s: A b ; ; b: B ; | ;",
        "s : A b\n  /* b : */ ; b /* : */\n // : ;\n : B\n | %empty",
        "%{ x: %} %start s %% s: A b; b: B | ;",
        "%token A %% s: A b; %token B; b: B | ;",
        "%start s\ns: A b; b: B | ;",
        '#line 3 "other.y"\ns: A b;\n#line 7\nb: B | ;',
        "s: A b;\r\nb: B\r| ;\r",
    ],
)
def test_sections_and_separators(text: str) -> None:
    assert read(text) == ["s -> A b", "b -> B", "b ->"]


@pytest.mark.parametrize("name", ["a", "_", ".a", "a.b", "a-b", "A9", "é", "名"])
def test_names(name: str) -> None:
    assert read(f"s: {name} x; {name}: T;") == [f"s -> {name} x", f"{name} -> T"]


@pytest.mark.parametrize(
    "action",
    [
        "{}",
        "{ { } { { } } }",
        "{ s = \"}\"; c = '}'; d = '\\''; e = \"\\\"}\"; }",
        "{ /* } ' \" */ x; // } ' \"\n }",
        '{ x = "a\\\n}"; }',
        "{ n = 1'000'000; m = 0x'ff'; k = 1'000; c = '}'; }",
        "{ don't }\n",
        "{ a / b; *p/ *q; \\ }",
        "{ %% : | ; %{ } }",
        "= { old; }",
        "<type> { typed; }",
        "{ named; } [name]",
    ],
)
def test_a_final_action_leaves_no_trace(action: str) -> None:
    assert read(f"s: A b {action} | {action} ; b: B {action}") == ["s -> A b", "s ->", "b -> B"]


@pytest.mark.parametrize("action", ["{ x; }", "<t>{ x; }", "= { x; }", "{ x; }[n]", "%?{ x }"])
def test_an_embedded_action_is_an_empty_rule(action: str) -> None:
    grammar = parse_yacc(f"s: {action} A {action} {action} | A {action} B {{ final; }} ;")
    assert rules(grammar) == [
        "s:1.1 ->",
        "s:1.2 ->",
        "s -> s:1.1 A s:1.2",
        "s:2.1 ->",
        "s -> A s:2.1 B",
    ]
    helper = grammar.symbols[grammar.symbol("s:1.1")]
    assert helper.operator is Operator.ACTION
    assert grammar.user_nonterminal(helper.index) == grammar.symbol("s")


def test_prec_leaves_the_action_before_it_final() -> None:
    assert read("%left B\n%% s: A { x; } %prec B | A { x; } %dprec 1 ;") == ["s -> A", "s -> A"]


def test_named_references() -> None:
    assert read("e[sum]: e[left] '+' e [ right ] { $sum = $left; } | T [a.b-c] ;") == [
        "e -> e '+' e",
        "e -> T",
    ]


def test_rules_of_a_name_are_joined_and_reported() -> None:
    grammar = parse_yacc("a: A b;\nb: B;\na: C;", file="g.y")
    assert [rule.label for rule in grammar.rules] == ["a:1", "b:1", "a:2"]
    assert codes(grammar) == ["redefined-rule"]
    assert str(grammar.diagnostics[0]) == (
        "g.y:3:1: 'a' has rules already on line 1; these are added to them"
    )


# --- declarations -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "%union { int i; struct { char c; } s; }",
        "%union name\n{ int i; }",
        "%code requires\n{ } }".replace(" }", "", 1),
        "%code { char c = '}'; /* } */ }",
        "%destructor { free($$); } <a> <*> x Y 'c' \"s\"",
        '%printer { "}" } <>\n  x\n  Y',
        "%initial-action { @$ = 0; };",
        "%parse-param { int *a }\n  { int b }",
        "%lex-param{int x}",
        "%define api.prefix {y}",
        '%define api.value.type "int"',
        '%name-prefix="y"',
        "%PURE_PARSER",
        "%expect 3",
        "%expect-rr 3;",
        "%type <std::map<int, x->y>> x\n  s 'c' \"str\"",
        "%nterm <t> s x",
        "%start s",
        "%verbose // comment\n%locations /* and\n more */ %debug",
        "%{ int x = '%'; /* %} */ char *s = \"%}\"; %}",
        ";",
    ],
)
def test_declarations_that_change_nothing(line: str) -> None:
    assert read(f"{line}\n%%\ns: x; x: Y;") == ["s -> x", "x -> Y"]
    assert read(f"{line}\ns: x; x: Y;") == ["s -> x", "x -> Y"]
    assert read(f"s: x;\n{line}\n;x: Y;") == ["s -> x", "x -> Y"]


@pytest.mark.parametrize(
    "line", ["%foo bar", "%foo b@r $ \" ' \\ % {", "%foo { :\n }", "%foo\n { : } a {\n} b", "%foo;"]
)
def test_unknown_directives_are_skipped_and_reported(line: str) -> None:
    line += "}" * (line.count("{") - line.count("}"))
    grammar = parse_yacc(f"{line}\n%token Y\n%%\ns: Y;")
    assert rules(grammar) == ["s -> Y"]
    assert [str(d) for d in grammar.diagnostics] == [
        "<text>:1:1: the directive %foo is not known; its line is skipped"
    ]


def test_a_misspelled_directive_gets_a_suggestion() -> None:
    grammar = parse_yacc("%tokn A\n%%\ns: A;")
    assert codes(grammar) == ["unknown-directive"]
    assert str(grammar.diagnostics[0]).endswith(
        "the directive %tokn is not known; did you mean '%token'?; its line is skipped"
    )


def test_token_declarations() -> None:
    grammar = parse_yacc(
        '%token <t> A 258 "a" B, C "c" <u> \'+\' 300 "plus" \'-\' "stop"\n%%\ns: "a" "plus" "c" B;'
    )
    assert rules(grammar) == ["s -> A '+' C B"]
    assert [(s.name, s.spellings) for s in grammar.terminals] == [
        ("A", ("a",)),
        ("B", ()),
        ("C", ("c",)),
        ("'+'", ("+", "plus")),
        ("'-'", ("-", "stop")),
    ]
    assert grammar.token("plus") == grammar.token("+") == grammar.symbol("'+'")
    assert grammar.token("a") == grammar.token("A") == grammar.symbol("A")


def test_aliases_may_be_used_before_they_are_declared() -> None:
    assert read('%left "x"\n%%\ns: "x" ; %token X "x";') == ["s -> X"]


def test_a_string_in_a_precedence_declaration_is_no_alias() -> None:
    grammar = parse_yacc('%left A "x"\n%right \'c\' 300 B\n%%\ns: A "x" B;')
    assert rules(grammar) == ['s -> A "x" B']
    levels = {grammar.symbols[s].name: p.level for s, p in grammar.precedence.items()}
    assert levels == {"A": 1, '"x"': 1, "'c'": 2, "B": 2}


def test_the_end_of_the_input_is_no_token_unless_a_rule_has_it() -> None:
    unused = parse_yacc('%token END 0x00 "end" TEN 0x0a\n%%\ns: TEN;')
    assert [s.name for s in unused.terminals] == ["TEN"]
    used = parse_yacc('%token END 0 "end" TEN 10\n%%\ns: TEN "end";')
    assert rules(used) == ["s -> TEN END"]
    assert codes(used) == ["end-token"]


def test_predefined_tokens() -> None:
    assert read("%token A\n%% s: A | error | YYerror A | YYUNDEF ;") == [
        "s -> A",
        "s -> error",
        "s -> error A",
        "s -> YYUNDEF",
    ]


def test_several_start_symbols() -> None:
    text = "%start b a\n%% a: A; b: B a;"
    grammar = parse_yacc(text)
    assert grammar.symbols[grammar.start].name == "b"
    assert codes(grammar) == ["several-starts"]
    assert codes(parse_yacc("%start a %start a\n a: A;")) == []
    chosen = parse_yacc(text, start="a")
    assert chosen.symbols[chosen.start].name == "a"


def test_precedence_of_rules() -> None:
    grammar = parse_yacc("%left '+'\n%left U\n%% e: e '+' e | '+' e %prec U | T | e {} '+' e X;")
    assert [r.precedence and grammar.symbols[r.precedence].name for r in grammar.rules] == [
        "'+'",
        "U",
        None,
        None,
        None,
    ]


def test_no_default_precedence() -> None:
    grammar = parse_yacc("%no-default-prec %left '+'\n%% e: e '+' e | e '+' T %prec '+';")
    assert [r.precedence for r in grammar.rules] == [None, grammar.symbol("'+'")]


# --- literals ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "name", "spelling"),
    [
        ("'='", "'='", "="),
        ("'\\''", "'\\''", "'"),
        ("'\"'", "'\"'", '"'),
        ("'\\\\'", "'\\\\'", "\\"),
        ("'\\n'", "'\\n'", "\\n"),
        ("'\\12'", "'\\n'", "\n"),
        ("'\\x58'", "'X'", "X"),
        ("'\\u00e9'", "'é'", "é"),
        ("'\\001'", "'\\x01'", "\\x01"),
        ("'\\U0010ffff'", "'\\U0010ffff'", "\U0010ffff"),
        ("'\\q'", "'q'", "q"),
        ("' '", "' '", " "),
        ("'{'", "'{'", "{"),
        ("'/*'", "'/*'", "/*"),
        ('"<="', '"<="', "<="),
        ('"\\"//"', '"\\"//"', '"//'),
        ('_("end")', '"end"', "end"),
    ],
)
def test_literals(written: str, name: str, spelling: str) -> None:
    grammar = parse_yacc(f"s: A {written} {written} B;")
    assert rules(grammar) == [f"s -> A {name} {name} B"]
    symbol = grammar.symbols[grammar.symbol(name)]
    assert symbol.display == written
    assert grammar.token(spelling) == grammar.token(name) == symbol.index


def test_a_number_that_is_no_character_stays_as_written() -> None:
    grammar = parse_yacc("s: '\\ud800' \"\\x110000\" '\\x" + "1" * 5000 + "';")
    assert grammar.rules[0].rhs == (1, 2, 3)


def test_the_display_is_what_the_first_rule_has() -> None:
    grammar = parse_yacc('%token WHILE "while" IF "if" DO\n%%\ns: "while" WHILE IF;')
    assert [s.display for s in grammar.terminals] == ['"while"', "IF", "DO"]


def test_character_and_string_are_two_tokens() -> None:
    grammar = parse_yacc("s: '=' \"=\";")
    assert rules(grammar) == ["s -> '=' \"=\""]
    assert codes(grammar) == ["ambiguous-spelling"]
    assert grammar.diagnostics[0].message == (
        "in a token sequence '=' means '=', not \"=\"; write \"=\" for that"
    )
    assert grammar.token("=") == grammar.symbol("'='")


def test_in_a_bare_grammar_names_without_a_rule_are_tokens() -> None:
    assert read("expr: expr '+' term | term; term: NUM") == [
        "expr -> expr '+' term",
        "expr -> term",
        "term -> NUM",
    ]
