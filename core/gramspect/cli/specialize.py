"""``gramspect specialize``."""

from __future__ import annotations

from pathlib import Path

import click

from gramspect.algebra.lexers import Lexer, lexer_beside
from gramspect.algebra.specialize import Algebra, Specialization, input_algebra
from gramspect.algebra.writing import Form, form_of, grammar_text
from gramspect.cli.keeping import KeepsInputs
from gramspect.cli.options import loading_options
from gramspect.cli.output import write_text
from gramspect.errors import GramspectError
from gramspect.files import check_writable
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions

__all__ = ["specialize"]

_SAMPLES = 4
"""The most texts of a token in a dictionary."""


@click.command(
    cls=KeepsInputs,
    matters={
        "where": "gramspect specialize Calc.g4 --where \"'((<expr>))'\"",
        "patterns": "gramspect specialize calc.y --patterns faults.toml --where 'a and not b'",
        "output": "gramspect specialize calc.y --where 'at least 2 <call>' -o calls.y",
    },
)
@click.argument("grammar")
@click.option(
    "--where",
    metavar="EXPR",
    required=True,
    help="Which inputs: patterns with and, or, not, in, at least N, at most N, exactly N.",
)
@click.option(
    "--patterns", metavar="FILE", help="Named patterns (.toml), as gramspect abstract writes them."
)
@click.option(
    "--same-as",
    metavar="EXPR",
    help="Only say whether this expression means the same inputs, and if not, show one that"
    " differs.",
)
@loading_options
@click.option(
    "--format",
    "form",
    type=click.Choice([str(each) for each in Form]),
    help="The notation; by default that of FILE, else of GRAMMAR, else y. json is the dictionary"
    " that grammar fuzzers take.",
)
@click.option(
    "-o", "--output", metavar="FILE", help="Write the grammar to FILE, whole or not at all."
)
def specialize(
    *,
    grammar: str,
    where: str,
    patterns: str | None,
    same_as: str | None,
    form: str | None,
    output: str | None,
    load: LoadOptions,
) -> int:
    """Write the grammar of those inputs of GRAMMAR that have some patterns and not others.

    GRAMMAR is what an adapter takes; its parser is not run. A pattern is a text of the language
    with <name> for any sentence of that non-terminal, such as ((<expr>)).

    Exit status: 0 the grammar is written, or the expressions mean the same; 1 there is no such
    input, or the expressions differ; 2 something cannot be used.
    """
    if same_as is not None and (output is not None or form is not None):
        raise GramspectError("--same-as writes no grammar; leave out -o and --format")
    if output is not None:
        check_writable(output)
    found = input_algebra(grammar, patterns, load=load)
    expression = found.expression(where)
    if same_as is not None:
        return _compare(found, where, same_as)
    result = found.specialize(expression)
    if result.grammar is None:
        click.echo(f"There is no such input: {result.reason}.")
        return 1
    chosen = _form(form, output, grammar)
    name = Path(output).stem if output is not None else "Specialized"
    lexer = lexer_beside(grammar, output) if form_of(grammar) is chosen else None
    write_text(_text(result, result.grammar, chosen, name, lexer), output)
    if output is not None:
        rules = "1 rule" if result.grammar.n_rules == 1 else f"{result.grammar.n_rules:,} rules"
        click.echo(f"{output}: {rules}; the smallest input is: {result.smallest()}")
    return 0


def _compare(found: Algebra, one: str, other: str) -> int:
    """Say whether two expressions mean the same."""
    difference = found.difference(found.expression(one), found.expression(other))
    if difference is None:
        click.echo(f"{one!r} and {other!r} mean the same inputs of {found.grammar.name}.")
        return 0
    by, but = (one, other) if difference.by_first else (other, one)
    click.echo(f"They differ. This one is meant by {by!r} and not by {but!r}:")
    click.echo(f"  {found.notation.sentence(difference.tree)}")
    return 1


def _form(form: str | None, output: str | None, source: str) -> Form:
    if form is not None:
        return Form(form)
    if output is not None:
        known = form_of(output)
        if known is None:
            raise GramspectError(
                f"{output}: its ending is none of {', '.join(f'.{f}' for f in Form)}; say which"
                " notation with --format"
            )
        return known
    return form_of(source) or Form.YACC


def _text(result: Specialization, made: Grammar, form: Form, name: str, lexer: Lexer | None) -> str:
    remarks = [f"The inputs of {result.algebra.grammar.name} where: {result.text}"]
    for pattern, tree in result.algebra.patterns.items():
        remarks.append(f"{pattern}: {result.algebra.notation.text(tree)}")
    remarks += result.texts.remarks()
    if lexer is not None and result.texts.texts:
        lexer.check_texts(made.symbols[terminal].name for terminal in result.texts.texts)
    if lexer is not None and form is Form.LARK and result.texts.texts:
        remarks.append('The texts are told apart by the basic lexer: Lark(..., lexer="basic").')
    texts = result.samples(_SAMPLES) if form is Form.DICTIONARY else None
    lexed = () if lexer is None else result.texts.told_apart
    return grammar_text(
        made, form, name=name, texts=texts, remarks=remarks, lexer=lexer, lexed=lexed
    )
