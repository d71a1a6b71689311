"""How the documents of a clone become pages of a site.

A document links to others and to files of the repository by relative paths, which are right in a
clone. Here they become links of the site: pages that do not live in ``docs`` are added to it, and
so is every file that a page links to. The file that a fenced block is written into is its title.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

PAGES = {
    ROOT / "README.md": "tour.md",
    ROOT / "CHANGELOG.md": "changes.md",
    ROOT / "CONTRIBUTING.md": "contributing.md",
    ROOT / "site" / "library.md": "library.md",
    ROOT / "site" / "adapters.md": "adapters.md",
}
"""Pages that are not in ``docs``, and their names in the site."""

_LINK = re.compile(r"(?<=\]\()([^)\s#:]+)(?=[)#])")
_TITLED_FENCE = re.compile(r"^```(\w+) file=(\S+)$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that live elsewhere, and the files that pages link to."""
    for path, name in PAGES.items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    for page in (*DOCS.glob("*.md"), *PAGES):
        for link in _LINK.findall(page.read_text()):
            target = (page.parent / link).resolve()
            name = _name(target)
            if target.is_file() and files.get_file_from_path(name) is None:
                files.append(File.generated(config, name, abs_src_path=str(target)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Links and titles of fenced blocks, as the site has them."""
    folder = Path(str(page.file.abs_src_path)).resolve().parent

    def link(match: re.Match[str]) -> str:
        target = (folder / match[1]).resolve()
        return _name(target) if target.exists() else match[0]

    return _TITLED_FENCE.sub(r'```\1 title="\2"', _LINK.sub(link, markdown))


def _name(path: Path) -> str:
    """The name in the site of a file of the repository; all pages are in one folder."""
    if path in PAGES:
        return PAGES[path]
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    return f"files/{path.relative_to(ROOT).as_posix()}" if path.is_relative_to(ROOT) else path.name
