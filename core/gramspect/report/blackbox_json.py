"""The report on a black box for other programs: JSON by the schema ``gramspect/blackbox/1``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gramspect.report.json import json_value
from gramspect.report.patterns import pattern_values
from gramspect.report.values import Json

if TYPE_CHECKING:
    from gramspect.blackboxes.campaign import BlackBox
    from gramspect.blackboxes.deviations import Deviation

__all__ = ["blackbox_json"]

SCHEMA = "gramspect/blackbox/1"


def blackbox_json(result: BlackBox, top: int | None = None) -> str:
    """The report as text; the ranking has the first `top` elements or all with a positive score.

    ``localization`` is a report by the schema ``gramspect/localization/1``; tests are named after
    their texts.
    """
    value: dict[str, Json] = {
        "schema": SCHEMA,
        "reactions": {str(reaction): number for reaction, number in result.reactions.items()},
        "asked": result.asked,
        "earlier": [dict(each._asdict()) for each in result.earlier],
        "deviations": [_deviation(each) for each in result.deviations],
        "localization": json_value(result.localization, top),
    }
    return json.dumps(value, indent=1, allow_nan=False) + "\n"


def _deviation(deviation: Deviation) -> Json:
    element = deviation.element
    return {
        "label": element.label,
        "nonterminal": element.nonterminal,
        "rule": element.grammar.rule_text(element.rule),
        "dot": element.dot,
        "score": element.score,
        "failing": deviation.found.n_failing,
        "patterns": pattern_values(deviation.found, deviation.patterns),
        "explained": [
            {
                "name": test.test.name,
                "expected": test.test.expectation,
                "message": None if test.error is None else test.error.message,
            }
            for test in deviation.explained
        ],
    }
