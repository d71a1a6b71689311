"""The language server with a real client, in a process of its own."""

from __future__ import annotations

from pathlib import Path

from editor import CALC, editor, run
from lsprotocol import types


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_what_is_suspicious_is_shown_repaired_and_shown_no_more(project: Path) -> None:
    grammar, test = project / "calc.lark", project / "good" / "minus"
    before = contents(project)

    async def session() -> None:
        async with editor(project) as one:
            one.open(grammar)
            await one.runs(1)
            first, *_ = one.diagnostics[str(grammar)]
            assert first.severity == types.DiagnosticSeverity.Warning
            assert first.message.startswith('Suspicious: product -> product "*" • NUMBER. Rank 1,')
            assert "executed by 1 of 1 failing and 3 of 4 passing tests" in first.message
            assert (first.range.start.line, first.range.start.character) == (2, 30)
            (related,) = first.related_information or ()
            assert related.location.uri == test.as_uri()
            assert related.location.range.start == types.Position(1, 0)
            (failing,) = one.diagnostics[str(test)]
            assert failing.message == "good/minus should be accepted: unexpected '-' (MINUS)"
            assert await one.lenses(grammar) == {
                0: "3 accepted tests · 1 of 1 alternative",
                1: "3 accepted tests · 2 of 3 alternatives",
                2: "3 accepted tests · 2 of 2 alternatives",
            }
            (hint,) = await one.hints(grammar)
            assert hint.position == types.Position(1, 48)
            assert hint.tooltip == 'sum -> sum "-" product - for example: NUMBER - NUMBER'
            shown = await one.hover(grammar, 2, 30)
            assert 'product -> product "*" • NUMBER' in shown
            assert "used by 1 of 1 failing and 3 of 4 passing tests" in shown
            assert "- `good/minus`" in shown
            assert not await one.actions(grammar, 3, 3)
            best = (await one.actions(grammar))[0]
            assert best.is_preferred
            assert best.title.startswith('also allow "-" before NUMBER (fixes 1 of 1, breaks none;')
            repaired = one.applied(best)[grammar]
            assert 'product "*" "-"? NUMBER\n' in repaired
            assert contents(project) == before
            one.type(grammar, f"// by hand\n{CALC}")
            assert not await one.actions(grammar)  # they were of another text
            assert list(await one.lenses(grammar)) == [1, 2, 3]
            one.save(grammar, repaired)
            await one.runs(2)
            assert not one.messages(grammar)
            assert not one.messages(test)
            assert contents(project) == before | {grammar: repaired.encode()}

    run(session())


def test_a_grammar_that_cannot_be_loaded_says_where(project: Path) -> None:
    grammar = project / "calc.lark"

    async def session() -> None:
        async with editor(project) as one:
            one.open(grammar)
            await one.runs(1)
            one.save(grammar, CALC.replace('"*" NUMBER', '"*" (NUMBER'))
            await one.runs(2)
            (wrong,) = one.diagnostics[str(grammar)]
            assert wrong.severity == types.DiagnosticSeverity.Error
            assert wrong.range.start.line in (2, 3)
            assert not await one.lenses(grammar)
            one.save(grammar, CALC)
            await one.runs(3)
            assert one.messages(grammar)[0].startswith("Suspicious")
            config = project / "gramspect.toml"
            text = config.read_text()
            one.open(config)
            one.save(config, text.replace("accept", "acept"))
            await one.until(lambda: one.messages(config))
            (message,) = one.messages(config)
            assert "acept" in message
            assert "accept" in message
            one.save(config, text)
            await one.runs(4)
            assert not one.messages(config)

    run(session())
