"""The report of a campaign for a browser: one file that needs nothing else."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from markupsafe import Markup

from gramspect.campaigns.tables import Records, Table
from gramspect.report.campaign import (
    HEADS,
    OUTCOME_HEADS,
    chapters,
    figures,
    keys_of,
    outcome_rows,
)
from gramspect.report.html import Headline, asset, content_policy, environment

__all__ = ["campaign_html"]


def campaign_html(records: Records) -> str:
    """The same tables as in Markdown, as a page."""
    style = asset("page.css") + asset("comparison.css") + asset("campaign.css")
    script = f"'use strict';\n{asset('theme.js')}"
    units = sum(records.outcomes.values())
    return (
        environment()
        .get_template("campaign.html")
        .render(
            title="Campaign",
            summary=[Headline(f"{units:,} units, each a mutant that a recognizer has run.")],
            notes=(),
            outcomes=outcome_rows(records),
            outcome_heads=OUTCOME_HEADS,
            reasons=[(why, f"{number:,}") for why, number in sorted(records.reasons.items())],
            heads=HEADS,
            chapters=[
                {"title": chapter.title, "tables": list(map(_table, chapter.tables))}
                for chapter in chapters(records)
            ],
            policy=content_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            version=version("gramspect"),
        )
    )


def _table(table: Table) -> dict[str, Any]:
    metrics = ["" if metric == "-" else metric for metric in table.metrics]
    rows = []
    for row in table.rows:
        *names, killed = keys_of(row)
        parts = list(zip(metrics, map(figures, row.cells), strict=True))
        rows.append({"name": " · ".join(names), "killed": killed, "parts": parts})
    return {"title": f"{table.title[0].upper()}{table.title[1:]}", "rows": rows}
