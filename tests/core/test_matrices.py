"""Spectra as files: what is written can be read, here and by FLITSR, and says the same there."""

from __future__ import annotations

import csv
import io
import math
from functools import cache
from itertools import product
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from flitsr.input import TCM, Gzoltar, Input
from flitsr.ranking import Tiebrk
from flitsr.spectrum import Outcome, Spectrum
from flitsr.suspicious import Suspicious
from hypothesis import given
from hypothesis import strategies as st

from command import ACCEPT, FAULTY, ROOT, Command
from gramspect import (
    METRICS,
    Extraction,
    Grammar,
    GramspectError,
    RunOptions,
    Spectra,
    SpectrumKind,
    SpectrumMatrix,
    TestCase,
    TestSuite,
    adapter,
    localize,
    read_spectra,
    spectra,
    write_spectra,
)
from gramspect.localization.results import spectra_of
from gramspect.spectrum.matrix import UNDECIDED
from gramspect.suites.suite import Expectation
from hostile import hostile_localization
from ranks import sampled

TOY = [FAULTY, "--accept", ACCEPT, "--lines"]
COMPARED = ("tarantula", "ochiai", "jaccard", "dstar", "zoltar")
FORMATS = {"tcm": TCM, "gzoltar": Gzoltar}


@cache
def fixture(name: str, kind: str) -> Spectra:
    fixtures = ROOT / "fixtures"
    if name == "c":
        source = f"{fixtures / 'demo' / 'faulty_c.py'}:FaultyCParser"
        suite = TestSuite.load([fixtures / "c" / "accept"], [fixtures / "c" / "reject"])
    elif name == "simpl":
        source = str(fixtures / "simpl" / "simpl-faulty.y")
        tests = [fixtures / "simpl" / f"{kind}.txt" for kind in ("accept", "reject")]
        suite = TestSuite.load(tests[:1], tests[1:], lines=True)
    else:
        source, suite = FAULTY, TestSuite.load([ACCEPT], lines=True)
    return spectra(source, suite, spectrum=kind)


def made(rows: list[list[int]], verdicts: list[int], expectations: list[int]) -> Spectra:
    """Spectra of a grammar with as many rules as there are rows: elements x tests."""
    n_tests = len(verdicts)
    bits = np.zeros((len(rows), -(-n_tests // 64)), np.uint64)
    for element, row in enumerate(rows):
        for test in np.flatnonzero(row).tolist():
            bits[element, test // 64] |= np.uint64(1 << test % 64)
    matrix = SpectrumMatrix(
        SpectrumKind.RULE,
        bits,
        n_tests,
        np.array(verdicts, np.uint8),
        np.array(expectations, np.uint8),
    )
    labels = tuple(f"s:{number + 1}" for number in range(len(rows)))
    names = tuple(f"t{number}" for number in range(n_tests))
    return Spectra(matrix, labels, (None,) * len(rows), names, "g", Extraction.EXACT)


def written(found: Spectra, form: str, folder: Path) -> str:
    path = str(folder / f"spectra.{form}")
    write_spectra(found, path, form)
    return path


def read_by_flitsr(found: Spectra, form: str, folder: Path) -> Spectrum:
    path = written(found, form, folder)
    assert Input.get_reader(path) is FORMATS[form], "FLITSR recognizes the format"
    return Input.read_in(path)


class TestFlitsr:
    """FLITSR 3.0 reads our files; its spectra and scores are ours."""

    @pytest.mark.parametrize("form", FORMATS)
    @pytest.mark.parametrize("kind", SpectrumKind)
    @pytest.mark.parametrize("name", sampled(map(pytest.param, ["toy", "simpl", "c"]), 3))
    def test_same_spectra_and_scores(self, name: str, kind: str, form: str, tmp_path: Path) -> None:
        ours = fixture(name, kind)
        theirs = read_by_flitsr(ours, form, tmp_path)
        matrix = ours.matrix
        assert [unquote(test.name) for test in theirs.tests()] == list(ours.tests)
        passed = [test.outcome is Outcome.PASSED for test in theirs.tests()]
        assert passed == matrix.passing.tolist()
        assert matrix.failing.any()
        assert matrix.passing.any()
        elements = theirs.elements()
        executed = [[theirs[test][element] for test in theirs.tests()] for element in elements]
        assert np.array_equal(executed, matrix.dense())
        for metric in COMPARED:
            scores = METRICS[metric](*matrix.counts())
            counts = matrix.counts()
            for rank in Suspicious.apply_formula(theirs, metric, Tiebrk.ORIG):
                for element in rank.entity:
                    assert_same_score(
                        metric, scores[element.index()], rank.score,
                        counts.nf[element.index()] + counts.ep[element.index()],
                    )  # fmt: skip

    @pytest.mark.parametrize("metric", COMPARED)
    def test_same_scores_for_all_small_counts(self, metric: str) -> None:
        """Undefined values included: no failing test, no passing test, no execution."""
        for tf, tp in product(range(9), repeat=2):
            for ef, ep in product(range(tf + 1), range(tp + 1)):
                counts = (np.array([n]) for n in (ef, ep, tf - ef, tp - ep))
                score = METRICS[metric](*counts)[0]
                theirs = Suspicious(ef, tf, ep, tp).execute(metric)
                assert_same_score(metric, score, theirs, tf - ef + ep)

    def test_same_scores_by_op2_where_failing_tests_execute(self) -> None:
        """FLITSR calls it after its author, and lets scores of other elements fall below 0."""
        for tf, tp in product(range(9), repeat=2):
            for ef, ep in product(range(tf + 1), range(tp + 1)):
                counts = (np.array([n]) for n in (ef, ep, tf - ef, tp - ep))
                theirs = Suspicious(ef, tf, ep, tp).naish2()
                assert METRICS["op2"](*counts)[0] == pytest.approx(max(theirs, 0.0), rel=1e-12)

    def test_ties_that_rounding_splits_there(self) -> None:
        """Of 3 failing and 4 passing tests, n and n execute an element: Tarantula gives 4/7."""
        n = np.array([1, 2, 3])
        assert len(set(METRICS["tarantula"](n, n, 3 - n, 4 - n).tolist())) == 1
        assert len({Suspicious(k, 3, k, 4).tarantula() for k in (1, 2, 3)}) == 2

    @pytest.mark.parametrize("form", FORMATS)
    def test_undecided_tests_are_left_out(self, form: str, tmp_path: Path) -> None:
        ours = made([[1, 1, 1], [0, 1, 1]], [0, UNDECIDED, 1], [0, 0, 0])
        theirs = read_by_flitsr(ours, form, tmp_path)
        assert [test.name for test in theirs.tests()] == ["t0", "t2"]
        assert (theirs.tf, theirs.tp) == (1, 1)

    @pytest.mark.parametrize("form", FORMATS)
    def test_hostile_names(self, form: str, tmp_path: Path) -> None:
        """No name ends a field or a line, and all elements and tests stay apart."""
        hostile = [
            "a b",
            "a,b",
            "a\nb",
            "a\r\nb",
            "a:1:2",
            "a | b",
            "#matrix",
            "é\u2028\xa0",
        ]
        hostile += ["%20", "$#x:3", "\ud800\x00", '"a",PASS', "a|b", "'", "🙂", "a PASSED"]
        for result in hostile_localization(tmp_path):
            ours = spectra_of(result)
            folder = tmp_path / str(len(ours.labels))
            folder.mkdir()
            theirs = read_by_flitsr(ours, form, folder)
            assert len(theirs.elements()) == len(ours.labels)
        grammar = Grammar.from_rules([("s", hostile), *((name, ["s"]) for name in hostile)])
        suite = TestSuite.of(
            [TestCase(name, Expectation.ACCEPT, f"{n}") for n, name in enumerate(hostile)]
        )
        ours = spectra(adapter("chart").build(grammar), suite)
        theirs = read_by_flitsr(ours, form, tmp_path)
        assert [unquote(t.name, errors="surrogatepass") for t in theirs.tests()] == hostile
        names = {str(element) for element in theirs.elements()}
        assert len(names) == len(theirs.elements()) == len(ours.labels)
        assert all(name.isascii() for name in names)


def assert_same_score(metric: str, ours: float, theirs: float, denominator: int) -> None:
    """Jaccard and DStar to the last bit; the others, which FLITSR rounds more often, to 1e-15.

    Where DStar is undefined (all failing tests and no others execute the element) FLITSR has one
    large number, ours is just above the largest that is defined.
    """
    if metric == "dstar" and denominator == 0 and ours:
        assert theirs == Suspicious.inf
    elif metric in ("jaccard", "dstar"):
        assert ours == theirs
    else:
        assert math.isclose(ours, theirs, rel_tol=1e-15)


class TestNpz:
    @pytest.mark.parametrize("kind", SpectrumKind)
    def test_comes_back(self, kind: str, tmp_path: Path) -> None:
        ours = fixture("c", kind)
        assert_equal(read_spectra(written(ours, "npz", tmp_path)), ours)

    @given(st.data())
    def test_any_matrix_comes_back(self, data: st.DataObject) -> None:
        import tempfile

        n_tests, n_elements = data.draw(st.integers(0, 130)), data.draw(st.integers(0, 5))
        bits = st.lists(st.integers(0, 1), min_size=n_tests, max_size=n_tests)
        rows = data.draw(st.lists(bits, min_size=n_elements, max_size=n_elements))
        verdicts = data.draw(st.lists(st.integers(0, 2), min_size=n_tests, max_size=n_tests))
        ours = made(rows, verdicts, data.draw(bits))
        with tempfile.TemporaryDirectory() as folder:
            assert_equal(read_spectra(written(ours, "npz", Path(folder))), ours)

    def test_hostile_names(self, tmp_path: Path) -> None:
        for result in hostile_localization(tmp_path):
            ours = spectra_of(result)
            assert_equal(read_spectra(written(ours, "npz", tmp_path)), ours)

    def test_not_such_a_file(self, tmp_path: Path) -> None:
        good = Path(written(fixture("toy", "rule"), "npz", tmp_path))
        data = good.read_bytes()
        bad = tmp_path / "bad.npz"
        for content in (b"", b"text", b"PK\x03\x04", data[:-30], data[:200] + data[230:]):
            bad.write_bytes(content)
            with pytest.raises(GramspectError, match=r"bad\.npz: .*that gramspect spectra wrote"):
                read_spectra(str(bad))
        np.savez(bad, bits=np.zeros((1, 1)))
        with pytest.raises(GramspectError, match="wrote"):
            read_spectra(str(bad))
        with bad.open("wb") as stream:
            np.save(stream, np.zeros(3))
        with pytest.raises(GramspectError, match="wrote"):
            read_spectra(str(bad))
        np.savez(bad, description=np.frombuffer(b'{"schema": "other/1"}', np.uint8))
        with pytest.raises(GramspectError, match="'other/1'"):
            read_spectra(str(bad))
        with pytest.raises(GramspectError, match="cannot be read"):
            read_spectra(str(tmp_path / "none.npz"))


def assert_equal(found: Spectra, expected: Spectra) -> None:
    assert found == expected
    for name in ("bits", "verdicts", "expectations"):
        assert np.array_equal(getattr(found.matrix, name), getattr(expected.matrix, name))
    assert found.matrix.kind is expected.matrix.kind
    assert found.extraction is expected.extraction


class TestCsv:
    def test_table(self, tmp_path: Path) -> None:
        ours = made([[1, 0, 1], [0, 0, 1]], [0, UNDECIDED, 1], [0, 1, 0])
        text = Path(written(ours, "csv", tmp_path)).read_text()
        assert text == (
            "test,expected,verdict,s:1,s:2\n"
            "t0,accept,accepted,1,0\n"
            "t1,reject,undecided,0,0\n"
            "t2,accept,rejected,1,1\n"
        )

    def test_hostile_names(self, tmp_path: Path) -> None:
        names = ["a,b", 'a"b', "a\nb", "a\r\nb", " é "]
        suite = TestSuite.of([TestCase(n, Expectation.ACCEPT, n) for n in names])
        ours = spectra(adapter("chart").build(Grammar.from_rules([("s", ["a"])])), suite)
        text = Path(written(ours, "csv", tmp_path)).read_bytes().decode()
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        assert header[3:] == list(ours.labels)
        assert [row[0] for row in rows] == names

    @pytest.mark.parametrize("form", ["csv", "tcm", "gzoltar", "npz"])
    def test_empty(self, form: str, tmp_path: Path) -> None:
        suite = TestSuite(())
        ours = spectra(adapter("chart").build(Grammar.from_rules([("s", ["a"])])), suite)
        path = written(ours, form, tmp_path)
        if form in FORMATS:
            assert len(Input.read_in(path).tests()) == 0
        elif form == "npz":
            assert_equal(read_spectra(path), ours)
        else:
            assert Path(path).read_text() == "test,expected,verdict,s:1:0,s:1:1\n"


class TestCommand:
    def test_formats(self, command: Command, tmp_path: Path) -> None:
        """Status 0 although tests fail, and the same bytes as from Python."""
        ours = spectra(FAULTY, TestSuite.load([ACCEPT], lines=True))
        for form in ("tcm", "csv"):
            expected = Path(written(ours, form, tmp_path)).read_text()
            answer = command("spectra", *TOY, "--format", form)
            assert (answer.status, answer.out, answer.err) == (0, expected, "")
        expected_files = Path(written(ours, "gzoltar", tmp_path))
        folder = tmp_path / "out"
        assert command("spectra", *TOY, "--format", "gzoltar", "-o", folder).status == 0
        assert {f.name: f.read_text() for f in folder.iterdir()} == {
            f.name: f.read_text() for f in expected_files.iterdir()
        }
        file = tmp_path / "x.npz"
        assert command("spectra", *TOY, "--format", "npz", "-o", file).status == 0
        assert_equal(read_spectra(str(file)), ours)

    def test_options_of_localize(self, command: Command) -> None:
        rules = command("spectra", *TOY, "--spectrum", "rule", "--extraction", "stack")
        suite = TestSuite.load([ACCEPT], lines=True)
        ours = spectra(FAULTY, suite, spectrum="rule", extraction="stack")
        assert len(rules.out.split("#uuts\n")[1].split("\n\n")[0].split()) == len(ours.labels)

    @pytest.mark.parametrize("form", ["tcm", "gzoltar"])
    def test_localize(self, command: Command, form: str, tmp_path: Path) -> None:
        """The spectra that the ranking rests on, and the status of a ranking."""
        one, two = tmp_path / "one", tmp_path / "two"
        assert command("spectra", *TOY, "--format", form, "-o", one).status == 0
        assert command("localize", *TOY, "--format", form, "-o", two).status == 1
        files = [one] if form == "tcm" else list(one.iterdir())
        for file in files:
            other = two if form == "tcm" else two / file.name
            assert file.read_bytes() == other.read_bytes()

    def test_unusable_output(self, command: Command, tmp_path: Path) -> None:
        for form in ("npz", "gzoltar"):
            assert "-o" in command.fails("spectra", *TOY, "--format", form)
        assert "-o" in command.fails("localize", *TOY, "--format", "gzoltar")
        full = tmp_path / "full"
        full.mkdir()
        (full / "file").touch()
        for target in (full, full / "file"):
            message = command.fails("spectra", *TOY, "--format", "gzoltar", "-o", target)
            assert "not empty" in message
        for form in ("tcm", "npz", "csv", "gzoltar"):
            nowhere = tmp_path / "none" / "x"
            message = command.fails("spectra", *TOY, "--format", form, "-o", nowhere)
            assert "does not exist" in message
        assert "folder" in command.fails("spectra", *TOY, "-o", full)
        assert [f.name for f in tmp_path.iterdir()] == ["full"], "nothing is left behind"

    def test_empty_folder_is_filled(self, command: Command, tmp_path: Path) -> None:
        assert command("spectra", *TOY, "--format", "gzoltar", "-o", tmp_path).status == 0
        names = sorted(f.name for f in tmp_path.iterdir())
        assert names == ["matrix.txt", "spectra.csv", "tests.csv"]

    def test_arguments(self) -> None:
        suite = TestSuite.load([ACCEPT], lines=True)
        with pytest.raises(GramspectError, match="no spectrum 'lines'"):
            spectra(FAULTY, suite, spectrum="lines")
        with pytest.raises(GramspectError, match="no extraction 'some'"):
            spectra(FAULTY, suite, extraction="some")
        with pytest.raises(GramspectError, match="no format 'xml'"):
            write_spectra(fixture("toy", "rule"), "x", "xml")
        with pytest.raises(ValueError, match="positive"):
            spectra(FAULTY, suite, run=RunOptions(jobs=0))

    def test_names_must_fit(self) -> None:
        toy = fixture("toy", "rule")
        with pytest.raises(ValueError, match="labels"):
            Spectra(toy.matrix, (), (), toy.tests, "g", Extraction.EXACT)
        with pytest.raises(ValueError, match="names"):
            Spectra(toy.matrix, toy.labels, toy.spans, (), "g", Extraction.EXACT)

    def test_of_a_localization(self) -> None:
        suite = TestSuite.load([ACCEPT], lines=True)
        assert_equal(spectra_of(localize(FAULTY, suite)), spectra(FAULTY, suite))
