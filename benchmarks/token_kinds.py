"""Faults in token definitions, one of each kind, in one small language in several notations.

    python benchmarks/token_kinds.py FOLDER [--only TOOL...]
    python benchmarks/first_lines.py FOLDER/lark FOLDER/antlr FOLDER/javacc

``token_kinds/kinds.toml`` lists what people forget in token definitions: an exponent, a second sign
of comments, a blank, an operator in another spelling, and so on, each with a text that needs it.
The program writes a case (`fault_cases.py`) of each for each tool: the language of
``token_kinds/`` with this one definition as it is before it is mended. The kinds come from faults
of real grammars and were looked at while hypotheses were made: this says which kinds are known, not
how often a fault of an unknown grammar is found.
"""

from __future__ import annotations

import json
import re
import tomllib
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).with_suffix("")
TOOLS = {
    "lark": ("language.lark", "lark-lalr"),
    "antlr": ("Language.g4", "antlr"),
    "javacc": ("Language.jj", "javacc"),
}
PASSING = (
    "let a = 1 + b * 2;",
    "select a, b from t where a == 1 and b < 2 order by a;",
    "def f(x, y: int = 2) { print x, y; }\nwhile (x < 3) { let x = x + 1; }",
    'import a::b as c; # remark\nlet s = "text";',
    "/* remark */ if (true or false) { print f(1, 2); } else { print 3.5; }",
    'option color "red"; print 2020-01-02;',
    "let l: list[int] = [1, 2, 3];",
)


def main() -> None:
    arguments = ArgumentParser(description="Makes faults in token definitions.")
    arguments.add_argument("folder", type=Path, help="for the cases")
    arguments.add_argument("--only", nargs="+", choices=TOOLS, default=list(TOOLS))
    options = arguments.parse_args()
    kinds = tomllib.loads((HERE / "kinds.toml").read_text(encoding="utf-8"))
    for tool in options.only:
        made = [write_case(options.folder / tool, tool, *kind) for kind in kinds.items()]
        print(f"{tool}: {sum(made)} cases")


def write_case(folder: Path, tool: str, name: str, kind: Mapping[str, Any]) -> bool:
    """Write the case of a kind, if the tool has one."""
    if tool not in kind:
        return False
    token, definition = kind[tool]
    file, adapter = TOOLS[tool]
    grammar = (HERE / file).read_text(encoding="utf-8")
    case = folder / f"{name}-kind"
    write(case / "before", file, faulty(grammar, token, definition))
    write_tests(case / "accept", kind["failing"], kind.get("passing", PASSING))
    name = token.partition(".")[0]
    meta = {"tool": tool, "adapter": adapter, "source": file}
    blamed = {"core_rules": [], "core_terminals": [name]}
    write(case, "meta.json", json.dumps(meta | blamed, indent=1))
    return True


def faulty(grammar: str, token: str, definition: str) -> str:
    """The grammar with another definition of one token, which has a line for itself."""
    line = re.compile(
        rf"^(\W*(?:fragment )?{re.escape(token)}: )(.*?)( -> skip;|;|>|)$", re.MULTILINE
    )
    changed, n_changed = line.subn(
        lambda found: f"{found[1]}{definition}{found[3]}", grammar.replace("\r", "")
    )
    assert n_changed == 1, token
    return changed


def write_tests(folder: Path, failing: str, passing: Sequence[str]) -> None:
    write(folder, "fail-00.txt", failing)
    for number, text in enumerate(passing):
        write(folder, f"pass-{number:02}.txt", text)


def write(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
