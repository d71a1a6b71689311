"""The order of the rooms of core: what may import what is written here, once."""

import ast
import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import gramspect

CORE = Path(gramspect.__file__).parent

ROOMS = (
    # The ground floor: what every room may use.
    ("source", "errors", "files", "lazy", "effort", "reading"),
    ("grammars", "suites"),
    ("kernel",),
    ("lr", "yacc", "lexical"),
    ("recognition", "lrgraph"),
    ("spectrum",),
    ("running", "scoring"),
    ("builtin", "generation", "recordings"),
    ("adapter_api", "testing"),
    ("grammar_coverage", "edits", "algebra"),
    ("lexer_faults", "reduction", "associations"),
    ("localization",),
    ("repairs", "blackboxes", "comparison", "live"),
    ("campaigns",),
    ("report", "project"),
    ("languageserver",),
    ("cli",),
    ("pytest_plugin",),
    ("__init__", "__main__"),
)
"""Every room may use those on the floors below it; on one floor none uses another but for these."""

BESIDE = {
    ("errors", "source"),  # errors say where
    ("files", "errors"),
    ("reading", "errors"),
    ("__main__", "__init__"),
}

FLOOR = {room: number for number, rooms in enumerate(ROOMS) for room in rooms}


def module_of(path: Path) -> str:
    """The name of a file's module; a package is called by its ``__init__``."""
    return ".".join(path.relative_to(CORE).with_suffix("").parts)


FILES = {module_of(path): path for path in CORE.rglob("*.py")}


def imported(module: str) -> Iterator[tuple[str, int]]:
    """The modules of core that a module imports anywhere in it, for types too, with the line."""
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            named = [(_package(module, node), alias.name) for alias in node.names]
        else:
            continue
        for package, name in named:
            if package == "gramspect" or package.startswith("gramspect."):
                yield (
                    _file_of(package.removeprefix("gramspect").removeprefix("."), name),
                    node.lineno,
                )


def _package(module: str, node: ast.ImportFrom) -> str:
    """What is imported from; the kernel is loaded under two names, so its imports are relative."""
    if not node.level:
        return node.module or ""
    home = ["gramspect", *module.split(".")][: -node.level]
    return ".".join([*home, *([node.module] if node.module else [])])


def _file_of(package: str, name: str) -> str:
    """The file that ``from gramspect.package import name`` reads."""
    candidates = [".".join(part for part in (package, name) if part), package or "__init__"]
    for candidate in candidates:
        for file in (candidate, f"{candidate}.__init__"):
            if file in FILES:
                return file
    raise AssertionError(f"no module gramspect.{package} with {name}")


def room_of(module: str) -> str:
    return module.partition(".")[0]


def test_every_room_has_a_floor_and_says_what_lives_there() -> None:
    assert {room_of(module) for module in FILES} == set(FLOOR)
    for room, floor in FLOOR.items():
        file = FILES.get(f"{room}.__init__") or FILES[room]
        said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        assert said or room == "__main__", room
        if file.name == "__init__.py" and room != "__init__":
            uses = said.partition("May use: ")[2]
            assert uses, f"{room} does not say what it may use"
            named = re.findall(r"`(\w+)`", uses.replace("all rooms but `cli`", ""))
            assert all(FLOOR[other] < floor for other in named), room


@pytest.mark.parametrize("room", sorted(FLOOR))
def test_a_room_uses_only_what_is_below_it(room: str) -> None:
    wrong = [
        f"{FILES[module]}:{line} imports {other}"
        for module in FILES
        if room_of(module) == room
        for other, line in imported(module)
        if room_of(other) != room
        and FLOOR[room_of(other)] >= FLOOR[room]
        and (room, room_of(other)) not in BESIDE
    ]
    assert not wrong, "\n".join(wrong)


def test_no_circle_between_files() -> None:
    uses = {module: {other for other, _ in imported(module)} - {module} for module in FILES}
    assert not circle(uses)


def circle(uses: Mapping[str, set[str]]) -> list[str]:
    """The modules of a circle of imports; none if there is none."""
    try:
        TopologicalSorter(uses).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_a_circle_would_be_seen() -> None:
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}
    assert not circle({"a": {"b", "c"}, "b": {"c"}, "c": set()})
