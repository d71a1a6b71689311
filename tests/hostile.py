"""Grammars and tests that try to break out of a report: markup, scripts, quotes, text direction."""

from __future__ import annotations

from pathlib import Path

from gramspect import (
    Comparison,
    Coverage,
    Grammar,
    Localization,
    TestSuite,
    adapter,
    compare,
    coverage,
    localize,
)

__all__ = [
    "RIGHT_TO_LEFT",
    "SAID",
    "hostile_comparison",
    "hostile_coverage",
    "hostile_localization",
]

SAID = "window.broken_out = true"
RIGHT_TO_LEFT = "\u202e"

_NAMES = [
    f"</script><script>{SAID}</script>",
    f'"><img src=x onerror="{SAID}">',
    "<!--<script>",
    "]]>&lt;b&gt;&amp;",
    "{{7*7}}{%raw%}",
    f"{RIGHT_TO_LEFT}evil\u2066\u200b",
    f"';{SAID};//`${{{SAID}}}",
    "\x1b[31m\x00\x08\ud800",
    "\u2028\u2029</textarea></title></style>",
    "𝒰𐍈🙂",
]
_TEXT = f"""/* </script><script>{SAID}</script><style>* {{ display: none }}</style> */
// {RIGHT_TO_LEFT}
%token '<' "<img src=x onerror={SAID}>" a
%%
s : '<' a | s '<' ;  // <svg onload={SAID}> \u2029
"""


def hostile_grammar() -> Grammar:
    return Grammar.from_rules(
        [("s", _NAMES), *[("s", [name, name]) for name in _NAMES], (_NAMES[0], ["s"])],
        name=_NAMES[0],
    )


def _suite() -> TestSuite:
    words = [name.replace(" ", "") for name in _NAMES]
    return TestSuite.from_texts(
        accept=[f"{word} {word} {word}\n{word}" for word in words] + [" ".join(words)],
        reject=[
            f"<script>{SAID}</script>",
            "<iframe srcdoc='<script>parent.broken_out=1</script>'>",
        ],
    )


def hostile_localization(folder: Path) -> list[Localization]:
    """Of a grammar in no file, and of one in a file with a hostile name."""
    file = folder / "<b onclick=x>&quot;.y"
    file.write_text(_TEXT)
    suite = TestSuite.from_texts(accept=["< a", "< < <script>", "a < </script>"])
    return [
        localize(adapter("chart").build(hostile_grammar()), _suite(), all_spectra=True),
        localize(str(file), suite, all_spectra=True),
    ]


def hostile_coverage() -> Coverage:
    return coverage(adapter("chart").build(hostile_grammar()), _suite())


def hostile_comparison(folder: Path) -> Comparison:
    """Of the grammar in a file, and another one, which differ on some tests."""
    file, other = folder / "<b onclick=x>&quot;.y", folder / "<script>.y"
    file.write_text(_TEXT)
    other.write_text(f"%%\ns : '<' | '{_NAMES[4]}' | '{_NAMES[5]}' ;\n")
    suite = TestSuite.from_texts(accept=["< a", "< < <script>", _NAMES[4], _NAMES[0], _NAMES[7]])
    return compare([str(file), f"chart={other}"], suite)
