"""The one door for adapters: all that they import of gramspect, and nothing else."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import gramspect
from gramspect import adapter_api
from gramspect_jvm import __file__ as an_adapter

ADAPTERS = Path(an_adapter).parents[1]
DOORS = ("gramspect.adapter_api", "gramspect.testing")


def imported(source: str) -> Iterator[tuple[str, str, int]]:
    """The modules of gramspect that a text imports, with the names it takes and the line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        for module, name in found:
            if module.partition(".")[0] == "gramspect":
                yield (module, name, node.lineno)


def wrong(source: str) -> list[str]:
    """What a text imports of gramspect by another door."""
    return [
        f"line {line}: {module} {name}"
        for module, name, line in imported(source)
        if module not in DOORS and f"{module}.{name}" not in DOORS
    ]


@pytest.mark.parametrize("package", sorted(path.name for path in ADAPTERS.glob("gramspect_*")))
def test_an_adapter_imports_nothing_else_of_gramspect(package: str) -> None:
    files = list((ADAPTERS / package).rglob("*.py"))
    assert files
    found = {str(file): wrong(file.read_text(encoding="utf-8")) for file in files}
    assert not {file: lines for file, lines in found.items() if lines}


def test_another_door_would_be_seen() -> None:
    assert wrong("from gramspect.errors import GramspectError") == [
        "line 1: gramspect.errors GramspectError"
    ]
    assert wrong("def f():\n    import gramspect.lr") == ["line 2: gramspect.lr "]
    assert wrong("from gramspect import localize")
    assert not wrong("from gramspect import adapter_api\nfrom gramspect.adapter_api import Span")


def test_every_name_is_what_its_home_has() -> None:
    block = [
        node
        for node in ast.walk(ast.parse(Path(adapter_api.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("gramspect.")
        and node.module != "gramspect.lazy"
    ]
    homes = {alias.name: node.module or "" for node in block for alias in node.names}
    assert sorted(homes) == adapter_api.__all__
    for name, home in homes.items():
        assert getattr(adapter_api, name) is getattr(import_module(home), name)


def test_every_name_of_both_doors_is_the_same_thing() -> None:
    both = set(adapter_api.__all__) & set(gramspect.__all__)
    assert {"Adapter", "Recognizer", "Grammar", "LoadOptions"} <= both
    for name in both:
        assert getattr(adapter_api, name) is getattr(gramspect, name)


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match=r"gramspect.adapter_api.* no attribute 'nothing'"):
        adapter_api.nothing  # noqa: B018


def test_names_are_imported_when_they_are_used() -> None:
    """An adapter that only says what it is costs no numpy."""

    code = (
        "import sys; from gramspect.adapter_api import AdapterError, LoadOptions, Recognizer;"
        " print([m for m in ('numpy', 'gramspect.lr') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"
