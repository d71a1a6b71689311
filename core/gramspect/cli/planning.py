"""The options that say which tests are generated."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from gramspect.cli.options import Count, choice, together
from gramspect.generation.criteria import CRITERIA, FAMILIES, GRAPH_CRITERIA
from gramspect.generation.distinct import BYTES_PER_TEST
from gramspect.generation.generate import NEGATIVES, Plan
from gramspect.generation.path_suite import PathWays
from gramspect.lrgraph.analyses import AnalysisKind
from gramspect.lrgraph.graph import AutomatonKind

__all__ = ["plan_options"]

_NAMES = ", ".join([*CRITERIA, *GRAPH_CRITERIA, *(f"{family}:K" for family in FAMILIES)])


def plan_options(criterion: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Options for a `Plan`, which a command gets as ``plan``.

    If no tests are asked for, they are those of the criterion.
    """
    options = together(
        click.option(
            "--criterion",
            "criteria",
            multiple=True,
            metavar="NAME",
            help=f"Sentences that cover the grammar: {_NAMES}. May be given several times; by"
            f" default, if no other tests are asked for, {criterion}.",
        ),
        click.option(
            "--random", "n_random", type=Count(min=1), metavar="N",
            help="N random sentences.",
        ),
        click.option(
            "--negative",
            multiple=True,
            type=click.Choice(NEGATIVES),
            metavar="KIND",
            help=f"Tests that are certainly no sentences: {', '.join(NEGATIVES)}. May be given"
            " several times.",
        ),
        click.option(
            "--base",
            multiple=True,
            metavar="NAME",
            help="Criteria whose sentences are mutated; by default those of the suite, else rule.",
        ),
        click.option(
            "--per-sentence",
            type=Count(min=1),
            metavar="N",
            help="At most N token mutations of each sentence, drawn at random.",
        ),
        click.option(
            "--limit",
            type=Count(min=1),
            metavar="N",
            help="At most N positive and N negative tests.",
        ),
        choice("--automaton", AutomatonKind, AutomatonKind.LR0, "What LR graphs are made of."),
        choice(
            "--analysis", AnalysisKind, AnalysisKind.GLOBAL,
            "How edge and stack mutations are known to be no sentences.",
        ),
        click.option(
            "--no-end-insertions", is_flag=True,
            help="Make no edge and stack insertions before the end of the input.",
        ),
        click.option(
            "--left-only", is_flag=True,
            help="In edge and stack mutations, what comes next does not count (for comparison).",
        ),
        click.option(
            "--distinct", is_flag=True,
            help=f"Write no test twice; this takes {BYTES_PER_TEST} bytes of memory for each.",
        ),
        click.option(
            "--seed", type=int, metavar="N",
            help="Choose at random, with this seed, where choices are equally good.",
        ),
    )  # fmt: skip

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_plan(
            *,
            criteria: tuple[str, ...],
            n_random: int | None,
            negative: tuple[str, ...],
            base: tuple[str, ...],
            per_sentence: int | None,
            limit: int | None,
            automaton: str,
            analysis: str,
            no_end_insertions: bool,
            left_only: bool,
            distinct: bool,
            seed: int | None,
            **others: Any,
        ) -> Any:
            paths = PathWays(
                AutomatonKind(automaton), AnalysisKind(analysis), not no_end_insertions, left_only
            )
            asked = criteria or n_random or negative
            plan = Plan(
                criteria if asked else (criterion,), n_random or 0, negative=negative, base=base,
                per_sentence=per_sentence, limit=limit,
                paths=paths, distinct=distinct, seed=seed,
            )  # fmt: skip
            return command(plan=plan, **others)

        return options(with_plan)

    return with_options
