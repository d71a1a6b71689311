"""Edits of all kinds for tests, and the programs that apply diffs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from hypothesis import assume, reject
from hypothesis import strategies as st

from gramspect.edits.model import Edit, EditKind, applied, makes_cyclic
from gramspect.edits.writing import Change, Unwritable, written
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator
from gramspect.recognition.chart import parse_chart

__all__ = ["apply_diff", "assert_written_edit", "difference", "edits", "text_with"]


def text_with(grammar: Grammar, label: str, kind: EditKind, symbols: str) -> str:
    """The text of a grammar after an edit at the item of that label."""
    items = {grammar.item_label(item): item for item in range(grammar.n_items)}
    new = tuple(map(grammar.symbol, symbols.split()))
    return written(grammar, Edit(items[label], kind, new, 0, 1.0)).changed.text


def assert_written_edit(
    data: st.DataObject,
    grammar: Grammar,
    load: Callable[[Path], Grammar],
    copy: Path,
    refusals: Sequence[str] = (),
    *,
    apart: bool = True,
) -> None:
    """An edit is written into the grammar's file, and the tool reads the edited grammar there.

    `copy` is the file that gets the text, `refusals` are parts of what the tool may say of edits
    that it does not take.
    """
    edit = data.draw(edits(grammar))
    try:
        change = written(grammar, edit, apart=apart and data.draw(st.booleans()))
    except Unwritable:
        reject()
    copy.write_bytes(change.changed.encoded())
    refusal = ""
    try:
        again = load(copy)
    except GramspectError as problem:
        refusal = str(problem)
    if refusal:
        assert any(why in refusal for why in refusals), f"{refusal}\n{change.diff()}"
        reject()
    found = difference(applied(grammar, edit), again, data.draw(st.integers(0, 1000)))
    assert found is None, f"{found}\n{change.diff()}"


def apply_diff(change: Change, folder: Path, program: str) -> bytes:
    """What ``patch`` or ``git apply`` makes of the file with the change's diff."""
    name = Path(change.file.path).name
    target = folder / name
    target.write_bytes(change.file.encoded())
    command = {"patch": ["patch", "-p0", "--binary", "-s"], "git": ["git", "apply", "-p0"]}[program]
    diff = change.diff(name).encode(change.file.encoding)
    done = subprocess.run(command, input=diff, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode() + diff.decode(errors="replace")
    assert not done.stdout, "it applies without offsets"
    return target.read_bytes()


@st.composite
def edits(draw: st.DrawFn, grammar: Grammar) -> Edit:
    """An edit of any kind at any item, such as a search may come up with and a report shows."""
    written = [s.index for s in grammar.symbols[1:] if s.operator is None and s.name != "EOF"]
    candidates = [item for item in range(grammar.n_items) if _kinds(grammar, item)]
    item = draw(st.sampled_from(candidates))
    kind = draw(st.sampled_from(_kinds(grammar, item)))
    least = 1 if kind in (EditKind.INSERT, EditKind.REQUIRE, EditKind.SEPARATE) else 0
    most = 0 if kind in (EditKind.DROP, EditKind.SWAP) else 3
    symbols = tuple(draw(st.lists(st.sampled_from(written), min_size=least, max_size=most)))
    rule = grammar.rules[grammar.split_item(item)[0]]
    operator = grammar.symbols[rule.lhs].operator
    if operator is Operator.STAR and kind is EditKind.REQUIRE:
        symbols = grammar.rules[grammar.rules_of[rule.lhs][-1]].rhs[1:]
    elif operator is Operator.STAR and kind is EditKind.NARROW:
        symbols = ()
    edit = Edit(item, kind, symbols, 0, 1.0)
    assume(not makes_cyclic(grammar, edit))
    return edit


def _kinds(grammar: Grammar, item: int) -> list[EditKind]:
    """What a search may do at an item; not everything that one could think of."""
    index, dot = grammar.split_item(item)
    rule = grammar.rules[index]
    length = len(rule.rhs)
    operator = grammar.symbols[rule.lhs].operator
    if operator in (Operator.ACTION, Operator.SET):
        return []
    following = [grammar.symbols[symbol].operator for symbol in rule.rhs[dot : dot + 2]]
    found = [EditKind.INSERT]
    if dot < length and following[0] is not Operator.ACTION:
        found += [EditKind.REPLACE, EditKind.END]
    again = rule.rhs[:1] == (rule.lhs,)
    if operator is Operator.STAR:
        found += [EditKind.NARROW] if again and dot == 0 else []
        return [*found, EditKind.REQUIRE] if not length else found
    if operator is Operator.PLUS:
        return [*found, EditKind.DROP] if again and dot == 0 else found
    if dot == 0:
        found.append(EditKind.DROP)
    if operator is Operator.OPTION and not length:
        return found
    found.append(EditKind.REQUIRE)
    if dot < length and Operator.ACTION not in following:
        found.append(EditKind.NARROW)
        if dot + 1 < length:
            found.append(EditKind.SWAP)
    return found


def difference(one: Grammar, other: Grammar, seed: int) -> list[str] | None:
    """A sentence of only one of two grammars, if one is found soon."""
    random = Random(seed)

    def sentences() -> Iterator[list[str]]:
        for grammar in (one, other) * 10:
            if grammar.start in grammar.analysis.productive:
                yield _sentence(grammar, random)

    return next((s for s in sentences() if _accepts(one, s) is not _accepts(other, s)), None)


def _sentence(grammar: Grammar, random: Random) -> list[str]:
    """The names of the tokens of a random sentence, not too long."""
    shallowest, found, budget = grammar.analysis.shallowest_rule, list[str](), 12
    pending = [grammar.start]
    while pending:
        symbol = pending.pop()
        if grammar.is_terminal(symbol):
            found.append(grammar.symbols[symbol].name)
            continue
        rules = [
            rule
            for rule in grammar.rules_of[symbol]
            if all(grammar.is_terminal(s) or s in shallowest for s in grammar.rules[rule].rhs)
        ]
        rule = random.choice(rules) if budget > 0 else shallowest[symbol]
        budget -= 1
        pending += reversed(grammar.rules[rule].rhs)
    return found


def _accepts(grammar: Grammar, names: list[str]) -> bool:
    numbers = [grammar.token(name) for name in names]
    return parse_chart(grammar, [-1 if n is None else n for n in numbers]).accepted
