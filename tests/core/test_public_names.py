"""What ``import gramspect`` offers is typed, for users who are as strict as can be."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gramspect

ROOT = Path(__file__).parents[2]

CONSUMER = '''
"""A program of a user, as strict as can be."""

from gramspect import (
    Coverage,
    LoadOptions,
    Localization,
    RunOptions,
    SpectrumMatrix,
    Suggestions,
    TestSuite,
    adapter,
    compare,
    comparison_json,
    coverage,
    coverage_html,
    coverage_text,
    localize,
    read_yacc,
    run,
    spectra,
    suggest,
    text_report,
)


def shown(done: int, total: int) -> None:
    print(f"{done}/{total}")


def main(path: str) -> list[str]:
    suite = TestSuite.load(accept=[path], lines=True)
    load = LoadOptions(adapter="native", start="prog", extra={"method": "canonical"})
    options = RunOptions(timeout=2.5, jobs=2, progress=shown)
    result: Localization = localize("grammar.y", suite, load=load, run=options, metric="dstar:3")
    found: Coverage = coverage("grammar.y", suite, load=load, run=options)
    advice: Suggestions = suggest("grammar.y", suite, load=load, run=options, most=2)
    matrix: SpectrumMatrix = spectra("grammar.y", suite, load=load).matrix
    both = compare(["grammar.y", "Grammar.g4"], suite, run=RunOptions(jobs=2))
    recognizer = adapter("chart").build(read_yacc("grammar.y"))
    verdicts = [observation.verdict.value for observation in run(recognizer, suite.tests)]
    labels = [element.label for element in result.ranking]
    labels += [suggestion.describe() for suggestion in advice.suggestions]
    texts = [text_report(result), coverage_text(found), coverage_html(found), comparison_json(both)]
    return [*labels, *texts, *verdicts, str(matrix.n_tests + result.n_failing)]
'''

_SHAPES = re.compile(r"numpy\.ndarray\[tuple\[Any, \.\.\.\]")
"""What numpy says of an array whose shape is not known; its elements are typed."""


@pytest.mark.slow
def test_users_get_types(tmp_path: Path) -> None:
    (tmp_path / "consumer.py").write_text(CONSUMER)
    names = "".join(f"reveal_type(gramspect.{name})\n" for name in gramspect.__all__)
    (tmp_path / "names.py").write_text(f"import gramspect\n\n{names}")
    cache = ROOT / ".mypy_cache" / "consumer"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}"]
    done = subprocess.run(
        [*command, "consumer.py", "names.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    revealed = [line for line in done.stdout.splitlines() if "Revealed type is" in line]
    assert len(revealed) == len(gramspect.__all__)
    untyped = [line for line in revealed if re.search(r"\bAny\b", _SHAPES.sub("", line))]
    assert not untyped, "\n".join(untyped)
