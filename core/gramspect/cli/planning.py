"""The options that say which tests are generated."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from gramspect.cli.options import choice, together
from gramspect.generation.criteria import CRITERIA, FAMILIES, GRAPH_CRITERIA
from gramspect.generation.generate import NEGATIVES, Plan
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
            "--random", "n_random", type=click.IntRange(min=1), metavar="N",
            help="N random sentences.",
        ),
        click.option(
            "--negative",
            multiple=True,
            type=click.Choice(NEGATIVES),
            help="Tests that are no sentences for certain. May be given several times.",
        ),
        click.option(
            "--base",
            multiple=True,
            metavar="NAME",
            help="Criteria whose sentences are mutated; by default those of the suite, else rule.",
        ),
        click.option(
            "--per-sentence",
            type=click.IntRange(min=1),
            metavar="N",
            help="At most N token mutations of each sentence, drawn at random.",
        ),
        click.option(
            "--limit",
            type=click.IntRange(min=1),
            metavar="N",
            help="At most N positive and N negative tests.",
        ),
        choice("--automaton", AutomatonKind, AutomatonKind.LR0, "What LR graphs are made of."),
        click.option("--seed", type=int, metavar="N", help="Choose among equals at random."),
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
            seed: int | None,
            **others: Any,
        ) -> Any:
            asked = criteria or n_random or negative
            plan = Plan(
                criteria if asked else (criterion,), n_random or 0, negative=negative, base=base,
                per_sentence=per_sentence, limit=limit,
                automaton=AutomatonKind(automaton), seed=seed,
            )  # fmt: skip
            return command(plan=plan, **others)

        return options(with_plan)

    return with_options
