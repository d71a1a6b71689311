"""JFlex specifications as they are read: ours, and those in jars of sources from Maven Central."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from zipfile import ZipFile

import pytest
from flex import specification

from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect_cup.jflex.actions import read_action
from gramspect_cup.jflex.reading import read_flex
from gramspect_cup.jflex.syntax import FlexFile, FlexRule
from gramspect_cup.jflex.tokenrules import LexerRules
from jars import maven_jar

SOURCES = {
    "com.fifesoft:rsyntaxtextarea:3.3.4": (
        "644d6598e89a90bb8fdbe762bb708348619a93c1a4e6cefeb490c220561e8adc"
    ),
    "org.apache.lucene:lucene-analyzers-common:8.11.2": (
        "6740834025b79be0a00581b87e63da71ced3eb07487f3dad93631e8bda36a3a0"
    ),
    "de.uni-freiburg.informatik.ultimate:smtinterpol:2.5": (
        "160064ad375ebcecd53a40cd07fe174515702670c0041752b03d3945ddc23f90"
    ),
}
WITHOUT_ALL_FILES = {
    "HTMLCharacterEntities.jflex",  # which is included itself
    "StandardTokenizerImpl.jflex",
    "UAX29URLEmailTokenizerImpl.jflex",
}
NOTHING = Grammar.from_rules([("s", [])])


def read(folder: Path, rules: str, options: str = "") -> FlexFile:
    file = folder / "Lang.flex"
    file.write_text(specification(rules, options))
    return read_flex(file)


def shown(rule: FlexRule) -> str:
    return rule.source.text[rule.start : rule.end]


def test_rules_and_their_states(tmp_path: Path) -> None:
    file = read(
        tmp_path,
        r"""
/* a comment /* in a comment */ */
"a"        { one(); }  // remark
<ONE> b    |
<ONE, TWO> {
  "c" "{"  { if (x) { two('}'); } /* } */ }
  <YYINITIAL> { d{2,3} { three("}"); } }
  <<EOF>>  { end(); }
  [{}\]\"\[] { }
}
^{Name}$   { }
"x" / "y"
  | "z"    { }
""",
        "%state ONE\n%xstate TWO, THREE\nName = a\n   | b /* or */ (c)\n%ignorecase\nEnd = x",
    )
    assert [(shown(r), r.states, r.group) for r in file.rules] == [
        ('"a"', (), 0),
        ("b", ("ONE",), 0),
        ('"c" "{"', ("ONE", "TWO"), 1),
        ("d{2,3}", ("ONE", "TWO", "YYINITIAL"), 2),
        (r"[{}\]\"\[]", ("ONE", "TWO"), 1),
        ("^{Name}$", (), 0),
        ('"x" / "y"\n  | "z"', (), 0),
    ]
    assert [r.action for r in file.rules][:3] == [
        " one(); ", None, " if (x) { two('}'); } /* } */ ",
    ]  # fmt: skip
    assert dict(file.exclusive) == {"ONE": False, "TWO": True, "THREE": True}
    assert [macro.name for macro in file.macros] == ["Name", "End"]
    assert file.any_case


def test_options_and_code(tmp_path: Path) -> None:
    file = read(
        tmp_path,
        "a { }\n",
        "%line\n%init{\n  if (x) %cup2\n%init}\n%implements A, B\n%implements C // too\n%full",
    )
    assert "cup2" not in file.options
    assert file.value("implements") == "A, B, C"
    assert {"line", "cup", "class", "8bit"} <= set(file.options)
    assert file.options["line"].span.line == 6
    assert file.code.startswith("import")


@pytest.mark.parametrize(
    ("code", "terminals", "returns", "drops"),
    [
        ("return symbol(sym.A);", {1}, True, False),
        ("return new Symbol(lang.sym . A, yyline, 1, text(B));", {1}, True, False),
        ("return symbol(A);", {1}, True, False),
        ("return A;", {1}, True, False),
        ("return symbol(x ? sym.A : sym.B);", {1, 2}, True, False),
        ("int n = sym.B; count++; return symbol(n);", {2}, True, False),
        ("return lookup(yytext());", set(), True, False),
        ('// return symbol(sym.A);\n log("return sym.B");', set(), False, True),
        ("throw new Error();", set(), False, False),
        ("yybegin(TEXT);", set(), False, False),
        ("return symbol(A.B);", set(), True, False),
    ],
)
def test_what_actions_return(code: str, terminals: set[int], returns: bool, drops: bool) -> None:
    found = read_action(code, ["lang.sym"], {"A": 1, "B": 2})
    assert (found.terminals, found.returns, found.drops) == (terminals, returns, drops)


@pytest.mark.parametrize("coordinates", SOURCES)
def test_specifications_of_others(tmp_path: Path, coordinates: str) -> None:
    """Hardly any rule of theirs is not understood; what has no file that it includes is refused."""
    known = unknown = 0
    refused: list[str] = []
    with ZipFile(maven_jar(f"{coordinates}:jar:sources", SOURCES[coordinates])) as jar:
        names = [n for n in jar.namelist() if n.endswith("flex")]
        jar.extractall(tmp_path, names)
    for name in names:
        file = None
        with suppress(GrammarError):
            file = read_flex(tmp_path / name)
        if file is None:
            refused.append(Path(name).name)
            continue
        rules = LexerRules(file, NOTHING, ["sym"], lambda _: None)
        patterns = [rules.pattern(rule.name) for rule in rules.all]
        known += sum(pattern is not None for pattern in patterns)
        unknown += sum(pattern is None for pattern in patterns)
    assert set(refused) <= WITHOUT_ALL_FILES
    assert len(names) >= 2
    assert unknown * 50 <= known
