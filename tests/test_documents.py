"""Everything that the documentation shows is run: commands, programs, reports, links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from documents import ROOT, blocks, matches, outputs, prepare

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


LONG = {
    f"{name}.md"
    for name in (
        "algebra architecture associations blackbox campaigns compare cup edits generate javacc"
        " kpaths lark lrgraphs README recording reduce reports tokens"
    ).split()
}
"""Documents whose commands take longer than those of all others together."""

SHOWN = [
    pytest.param(path, id=path.name, marks=[pytest.mark.slow] if path.name in LONG else [])
    for path in DOCUMENTS
]


@pytest.mark.parametrize("path", SHOWN)
def test_what_is_shown_is_printed(path: Path, tmp_path: Path) -> None:
    document = path.read_text()
    for output in outputs(document, prepare(tmp_path, document)):
        assert output.as_shown, (
            f"{path.name} is out of date (update it: python tests/documents.py {path})."
            f"\n{output.what}prints\n{output.printed}\nthe document shows\n{output.shown}"
        )


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links(path: Path) -> None:
    """Links to files lead to files, links to sections to headings."""
    for link in _LINK.findall(path.read_text()):
        if link.startswith("https://"):
            continue
        name, _, section = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        if section:
            assert section in _sections(target), link


def _sections(path: Path) -> set[str]:
    """The headings of a document as GitHub spells them in links."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def as_shown(document: str, folder: Path) -> list[bool]:
    return [output.as_shown for output in outputs(document, folder)]


class TestRunner:
    """The runner of documents sees when a document is wrong."""

    def test_commands(self, tmp_path: Path) -> None:
        document = "```console\n$ echo a\nb\n$ echo c\nc\n$ true\n$ echo d\n```\n"
        assert as_shown(document, tmp_path) == [False, True, True, False]

    def test_status_and_continued_lines(self, tmp_path: Path) -> None:
        document = "```console\n$ echo a \\\n    b; exit 3\na b\n$ echo $?\n3\n```\n"
        assert as_shown(document, tmp_path) == [True, True]

    def test_programs(self, tmp_path: Path) -> None:
        document = "```python\nprint(1)\n```\n\n```text\n{}\n```\n"
        assert as_shown(document.format(1), tmp_path) == [True]
        assert as_shown(document.format(2), tmp_path) == [False]
        assert as_shown("```python\nprint(1)\n```\n", tmp_path) == [False]

    def test_files_and_names_stay(self, tmp_path: Path) -> None:
        document = (
            "```text file=a/b\nx\n```\n```python\nfrom pathlib import Path\n```\n"
            '```python\nprint(Path("a/b").read_text(), end="")\n```\n```text\nx\n```\n'
        )
        assert as_shown(document, tmp_path) == [True, True]

    def test_places(self) -> None:
        document = "# A\n\n```python\nprint(1)\n```\n\n```text\n2\n```\n"
        program, text = blocks(document)
        assert document[program.start :].startswith("print")
        assert program.output is not None
        assert program.output.start == text.start == document.index("2")

    def test_dots_stand_for_any_lines(self) -> None:
        assert matches("a\n...\nd\n", "a\nb\nc\nd\n")
        assert matches("a\n...\n", "a\n")
        assert not matches("a\n...\nd\n", "a\nb\n")
        assert not matches("a. \n", "ab \n")
