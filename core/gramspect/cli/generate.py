"""``gramspect generate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from gramspect.cli.keeping import KeepsInputs
from gramspect.cli.options import Count, loading_options, texts_options
from gramspect.cli.output import ProgressBar, standard_output, write_text
from gramspect.cli.planning import plan_options
from gramspect.cli.targeting import targeted_tests
from gramspect.errors import GramspectError
from gramspect.files import check_writable, writing_folder, writing_whole
from gramspect.generation.generate import Generation, Plan
from gramspect.generation.generated import GeneratedTest
from gramspect.generation.manifest import manifest_lines, write_folder
from gramspect.generation.minimal import Embedding
from gramspect.generation.sampling import Sampling, Strategy
from gramspect.generation.sources import read_subject
from gramspect.generation.texts import Spacing
from gramspect.generation.words import Texts
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.report.words import printable

__all__ = ["generate"]

_NOTED = 5
"""The most notes that are shown."""


_DIGITS = 4000
"""Digits of the largest numbers of tests that Python converts."""


class Part(click.ParamType["tuple[int, int]"]):
    """Two numbers with a colon between them."""

    name = "range"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        first, _, end = str(value).partition(":")
        if not all(n.isascii() and n.isdigit() and len(n) <= _DIGITS for n in (first, end)):
            self.fail(f"{value!r} is not two numbers such as 0:1000.", param, ctx)
        if int(first) >= int(end):
            self.fail(f"{value!r} has no number in it; the second must be larger.", param, ctx)
        return int(first), int(end)


class Form(StrEnum):
    """How tests are written."""

    LINES = "lines"
    JSONL = "jsonl"
    FILES = "files"


@click.command(
    cls=KeepsInputs,
    matters={
        "output": "gramspect generate Calc.g4 -o suite/",
        "criteria": "gramspect generate calc.lark --criterion cdrc",
        "negative": "gramspect generate calc.lark --negative tokens -o suite.jsonl",
    },
)
@click.argument("grammar")
@plan_options("rule")
@click.option(
    "--embedding",
    type=click.Choice([str(each) for each in Embedding]),
    default=str(Embedding.SHORTEST),
    show_default=True,
    help="Which of the minimal derivations complete a sentence.",
)
@click.option(
    "--strategy",
    type=click.Choice([str(each) for each in Strategy]),
    default=str(Sampling().strategy),
    show_default=True,
    help="Which non-terminal of a random sentence is expanded next.",
)
@click.option(
    "--max-rules",
    type=Count(min=1),
    default=Sampling().max_rules,
    show_default=True,
    metavar="N",
    help="After N random rules, a sentence is completed with minimal derivations.",
)
@click.option(
    "--max-tokens",
    type=Count(min=0),
    metavar="N",
    help="At most N tokens in a random sentence.",
)
@click.option(
    "--max-height",
    type=Count(min=1),
    metavar="N",
    help="At most this height of the derivation tree of a random sentence.",
)
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="RULE=W",
    help="How likely a rule is in random sentences, such as stmt:3=0.5 (default: 1).",
)
@click.option("--count", is_flag=True, help="Only print how many tests there are.")
@click.option(
    "--sample",
    type=Count(min=1),
    metavar="N",
    help="Draw N of all tests at random (see --seed), without making the others.",
)
@click.option(
    "--range",
    "part",
    type=Part(),
    metavar="A:B",
    help="Only tests A to B - 1, counted from 0; all parts together are the whole suite.",
)
@click.option(
    "--target",
    metavar="NAME",
    help="Make tests that have this target by the model of gramspect associate, which --model"
    " then names; --random says how many.",
)
@click.option(
    "--keep-rejected",
    is_flag=True,
    help="Do not ask the grammar's own parser, and keep positive tests that it would reject.",
)
@loading_options
@texts_options
@click.option(
    "--format",
    "form",
    type=click.Choice([str(each) for each in Form]),
    help="One test per line, a manifest, or a file per test beside a manifest;"
    " by default what the output suggests.",
)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="A file (by default a manifest) or new folder, written whole or not at all.",
)
def generate(
    *,
    grammar: str,
    plan: Plan,
    embedding: str,
    strategy: str,
    max_rules: int,
    max_tokens: int | None,
    max_height: int | None,
    weights: tuple[str, ...],
    model: str | None,
    samples: str | None,
    spacing: str,
    form: str | None,
    output: str | None,
    count: bool,
    sample: int | None,
    part: tuple[int, int] | None,
    keep_rejected: bool,
    target: str | None,
    load: LoadOptions,
) -> None:
    """Write a test suite for the language of GRAMMAR.

    GRAMMAR is what an adapter takes. Positive tests cover the grammar as the criteria ask (by
    default rule) or are random; those that its own parser rejects are left out. Negative tests are
    mutations that cannot be sentences. With --target, tests are made for which a learned model
    predicts that target. Without PATH, tests are printed one per line; a PATH that is a folder or
    ends in / gets a file for each.

    Exit status: 0 the suite is written, 2 something cannot be used.
    """
    described = None if target is not None else model
    loaded, texts, parser = read_subject(
        grammar, load=load, model=described, samples=samples, spacing=Spacing(spacing),
        seed=plan.seed, parsing=not keep_rejected,
    )  # fmt: skip
    sampling = Sampling(
        Strategy(strategy), max_rules, max_tokens, max_height, _weights(loaded, weights)
    )
    if target is not None:
        tests, found = targeted_tests(loaded, grammar, model, target, plan, sampling)
        _write_tests(loaded, plan, texts, tests, _form(form, output), output)
        _report(found.notes)
        return
    _check_selection(plan, count, sample, part)
    plan = replace(plan, sampling=sampling, embedding=Embedding(embedding))
    chosen = _form(form, output)
    if chosen is Form.LINES and plan.negative and (plan.criteria or plan.n_random):
        raise GramspectError(
            "lines do not say which tests should be rejected; write a suite with -o FILE.jsonl,"
            " or generate only one kind"
        )
    generation = Generation(loaded, plan, texts, parser)
    if count:
        click.echo(generation.count())
        return
    _write(generation, _Selection(sample, part), chosen, output)
    _report(generation.notes())


def _form(form: str | None, output: str | None) -> Form:
    """The form that was asked for, or the one that suits the output."""
    if form is not None:
        chosen = Form(form)
        if chosen is Form.FILES and output is None:
            raise GramspectError("a file per test needs a folder; name one with -o")
        return chosen
    if output is None:
        return Form.LINES
    return Form.FILES if output.endswith("/") or Path(output).is_dir() else Form.JSONL


def _weights(grammar: Grammar, given: tuple[str, ...]) -> dict[int, float]:
    """Weights by rule number from ``label=weight``."""
    rules = {rule.label: rule.index for rule in grammar.rules}
    found = {}
    for text in given:
        label, _, number = text.rpartition("=")
        if label not in rules:
            raise GramspectError(f"--weight {text}: the grammar has no rule {label!r}")
        try:
            found[rules[label]] = float(number)
        except ValueError:
            raise GramspectError(f"--weight {text}: {number!r} is no number") from None
    return found


class _Selection(NamedTuple):
    """Which tests of a suite are written; by default all of them."""

    sample: int | None
    part: tuple[int, int] | None

    def tests(self, generation: Generation) -> Iterator[GeneratedTest]:
        if self.part is not None:
            return generation.part(*self.part)
        return iter(generation) if self.sample is None else generation.sample(self.sample)

    def lines(self, generation: Generation) -> Iterator[str]:
        if self.part is not None:
            return generation.lines(*self.part)
        if self.sample is None:
            return generation.lines()
        return (generation.texts.text(test.tokens) + "\n" for test in self.tests(generation))


def _check_selection(
    plan: Plan, count: bool, sample: int | None, part: tuple[int, int] | None
) -> None:
    """Refuse options that exclude each other.

    Raises:
        GramspectError: such options were given.
    """
    if count + (sample is not None) + (part is not None) > 1:
        raise GramspectError("only one of --count, --sample and --range can be given")
    if plan.limit is not None and (count or sample is not None or part is not None):
        raise GramspectError("--limit does not go with --count, --sample and --range")
    if plan.distinct and (sample is not None or part is not None):
        raise GramspectError(
            "--sample and --range number all tests, also those with the same words as others; they"
            " do not go with --distinct"
        )


def _write(generation: Generation, selection: _Selection, form: Form, output: str | None) -> None:
    """Write the tests as they are made."""
    described = generation.grammar, generation.plan, generation.texts
    with ExitStack() as stack:
        progress = stack.enter_context(ProgressBar())
        if form is Form.FILES:
            assert output is not None
            folder = stack.enter_context(writing_folder(output))
            tests = _counted(selection.tests(generation), generation, progress)
            write_folder(folder, *described, tests)
            return
        if output is None:
            stream = stack.enter_context(standard_output())
        else:
            check_writable(output)
            stream = stack.enter_context(writing_whole(output))
        if form is Form.JSONL:
            tests = _counted(selection.tests(generation), generation, progress)
            stream.writelines(manifest_lines(*described, tests))
        else:
            stream.writelines(_counted(selection.lines(generation), generation, progress))


def _write_tests(
    grammar: Grammar,
    plan: Plan,
    texts: Texts,
    tests: Sequence[GeneratedTest],
    form: Form,
    output: str | None,
) -> None:
    """Write tests that are already made."""
    if form is Form.FILES:
        assert output is not None
        with writing_folder(output) as folder:
            write_folder(folder, grammar, plan, texts, tests)
        return
    if form is Form.LINES:
        text = "".join(texts.text(test.tokens) + "\n" for test in tests)
    else:
        text = "".join(manifest_lines(grammar, plan, texts, tests))
    write_text(text, output)


T = TypeVar("T")


def _counted(tests: Iterator[T], generation: Generation, progress: ProgressBar) -> Iterator[T]:
    """The same tests; the progress bar, whose end is not known, moves now and then.

    Raises:
        GramspectError: there is no test.
    """
    number = 0
    for number, test in enumerate(tests, start=1):
        yield test
        if number % 1000 == 0:
            progress(number, None)
    if not number:
        why = "".join(f"; {note}" for note in generation.notes()[:1])
        raise GramspectError(f"there is no such test for this grammar{why}")


def _report(notes: tuple[str, ...]) -> None:
    """Say on standard error what is not covered."""
    for note in notes[:_NOTED]:
        click.echo(f"gramspect: note: {printable(note)}", err=True)
    if len(notes) > _NOTED:
        click.echo(f"gramspect: note: ... and {len(notes) - _NOTED} more", err=True)
