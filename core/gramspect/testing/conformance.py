"""The tests of the conformance kit: one class, parametrized by the adapter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from gramspect.errors import AdapterError, GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Adapter, Lexing, LoadOptions, Recognizer, Tokenizing
from gramspect.recognition.registry import adapter as adapter_named
from gramspect.recognition.registry import adapter_for, adapters, check_options
from gramspect.recognition.tokens import UNKNOWN
from gramspect.recognition.trace import ErrorKind, Observation, Verdict
from gramspect.running.loading import LoadSpec
from gramspect.running.runner import run
from gramspect.source import SourceText
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.testing.checks import (
    check_against_chart,
    check_counts,
    check_spans,
    check_traces,
)
from gramspect.testing.grammars import FOREIGN, grammars, words
from gramspect.testing.subjects import Loadable, Technique, sequence, text
from gramspect.testing.toy import SUITE, toy

__all__ = ["AdapterConformance"]

STRANGE = ("", " ", "\n\n", "\t\0\x1b[31m", "\ud800", "\u2028\ufeff", "🙂 é", "'\"\\`$(", FOREIGN)
"""Inputs that may surprise a lexer, or the way to it."""

LONG = 1_500
"""How deeply a long test is nested: deeper than Python recurses."""

_SPECS: dict[tuple[str, Loadable], LoadSpec] = {}
_LOADED: dict[tuple[str, Loadable], Recognizer] = {}
"""What tests share: making a parser may take seconds."""

NESTED = Grammar.from_rules([("s", ["(", "s", ")"]), ("s", ["x"])], name="nested")


class AdapterConformance:
    """The tests of an adapter's promises. A subclass named ``Test...`` names the adapter.

    Attributes:
        adapter: the adapter; it must be registered under its name.
        technique: how the parsers of `build` parse; None if `build` makes none (an AdapterError).
        kinds: the kinds of spectra in which such a parser reproduces the tables of the paper.
        loadables: sources for `load`; at least one has places and inputs.
        examples: the share of Hypothesis' examples that are tried, less than 1 if parsers are
            costly.
        time_limit: seconds after which a parse that does not end is stopped.
    """

    adapter: ClassVar[Adapter]
    technique: ClassVar[Technique | None]
    kinds: ClassVar[Sequence[SpectrumKind]] = tuple(SpectrumKind)
    loadables: ClassVar[Sequence[Loadable]]
    examples: ClassVar[float] = 1.0
    time_limit: ClassVar[float] = 3.0

    def may_refuse(self, grammar: Grammar) -> bool:
        """Whether `build` may refuse a grammar that its technique takes, by an AdapterError."""
        return False

    # --- which tests there are ------------------------------------------------------------

    def __init_subclass__(cls) -> None:
        """Tests that would say nothing about the adapter are left out."""
        super().__init_subclass__()
        built = [name for name in vars(AdapterConformance) if name.startswith("test_built_")]
        left_out = [name for name, wanted in _ABOUT.items() if not any(map(wanted, cls.loadables))]
        for name in [*left_out, *(built if cls.technique is None else ())]:
            setattr(cls, name, None)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Each loadable that a test is about; the kinds of spectra that are reproduced."""
        if "loadable" in metafunc.fixturenames:
            wanted = _ABOUT.get(metafunc.function.__name__, _any)
            subjects = [one for one in self.loadables if wanted(one)]
            metafunc.parametrize("loadable", subjects, ids=str)
        if "kind" in metafunc.fixturenames:
            metafunc.parametrize("kind", self.kinds)

    @pytest.fixture
    def spec(self, loadable: Loadable, tmp_path_factory: pytest.TempPathFactory) -> LoadSpec:
        """What loads a loadable, here and in other processes."""
        key = self.adapter.name, loadable
        if key not in _SPECS:
            _SPECS[key] = loadable.made(self.adapter, tmp_path_factory.mktemp("loadable"))
        return _SPECS[key]

    @pytest.fixture
    def loaded(self, loadable: Loadable, spec: LoadSpec) -> Recognizer:
        """The recognizer of a loadable."""
        key = spec.adapter, loadable
        if key not in _LOADED:
            _LOADED[key] = spec()
        return _LOADED[key]

    def on_grammars(
        self,
        check: Callable[[Recognizer, list[tuple[str, ...]]], None],
        keep: Callable[[Grammar], bool] | None,
        may_refuse: Callable[[Grammar], bool],
    ) -> None:
        """Run a check on the parsers of random grammars, with words."""

        @settings(
            max_examples=max(5, round(self.examples * settings().max_examples)),
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=[HealthCheck.too_slow],
        )
        @given(
            grammars(keep).flatmap(
                lambda grammar: st.tuples(
                    st.just(grammar), st.lists(words(grammar), min_size=1, max_size=6)
                )
            )
        )
        def on_one(case: tuple[Grammar, list[tuple[str, ...]]]) -> None:
            grammar, inputs = case
            try:
                recognizer = self.adapter.build(grammar)
            except AdapterError:
                assert may_refuse(grammar)
                reject()
            check(recognizer, inputs)

        on_one()

    # --- the adapter ------------------------------------------------------------------------

    def test_it_is_registered(self) -> None:
        """Its entry point has its name, so it can be named on the command line."""
        assert self.adapter.name in adapters()
        assert adapter_named(self.adapter.name).name == self.adapter.name
        assert self.adapter.summary
        assert "\n" not in self.adapter.summary
        assert self.adapter.missing() is None, self.adapter.missing()

    def test_options_are_checked(self) -> None:
        """Options that it does not know are refused before it is asked to load something."""
        check_options(self.adapter, LoadOptions(extra=dict.fromkeys(self.adapter.options, "x")))
        with pytest.raises(AdapterError, match="has no"):
            check_options(self.adapter, LoadOptions(extra={"no-such-option": "x"}))

    def test_sources_that_it_does_not_know_are_not_claimed(self, tmp_path: Path) -> None:
        for name in ("nothing", "nothing.txt", "nothing.unknown", "", "a:b:c", "\0"):
            assert not self.adapter.claims(name)
            assert not self.adapter.claims(str(tmp_path / name) if "\0" not in name else name)

    # --- what it builds ---------------------------------------------------------------------

    def test_build_reproduces_the_worked_example(self, kind: SpectrumKind) -> None:
        """Raselimo and Fischer (2024), Tables 2 to 4."""
        if self.technique in (None, Technique.LL1):  # the example is left-recursive
            with pytest.raises(AdapterError):
                self.adapter.build(toy())
            return
        check_counts(self.adapter.build(toy()), SUITE.tests, kind)

    def test_built_parsers_agree_with_the_chart(self) -> None:
        """On grammars that the technique takes: verdicts, errors, and spectra of all kinds."""
        technique = self.technique
        assert technique is not None

        def check(recognizer: Recognizer, inputs: list[tuple[str, ...]]) -> None:
            check_against_chart(recognizer, technique, [sequence(word) for word in inputs])

        keep = None if technique is Technique.GENERAL else technique.takes
        self.on_grammars(check, keep, self.may_refuse)

    def test_any_grammar_is_refused_or_every_parse_ends(self) -> None:
        """Ambiguous and cyclic grammars too. Verdicts may differ where conflicts are resolved."""
        if self.technique is None:
            with pytest.raises(AdapterError):
                self.adapter.build(NESTED)
            return

        def check(recognizer: Recognizer, inputs: list[tuple[str, ...]]) -> None:
            check_traces(recognizer, [sequence(word) for word in inputs])

        takes = self.technique.takes
        self.on_grammars(check, None, lambda g: self.may_refuse(g) or not takes(g))

    def test_built_parsers_read_the_tokens_that_are_named(self) -> None:
        """As sequences and as texts; words that name no terminal are unknown."""
        recognizer = self.adapter.build(NESTED)
        word = ["(", "x", FOREIGN, ")", ")"]
        for test in (sequence(word), text(" ".join(word)), text("\n".join(word))):
            if isinstance(recognizer, Tokenizing):
                tokens = recognizer.tokens(test)
                assert tokens is not None
                known = recognizer.grammar.symbols
                names = [FOREIGN if n == UNKNOWN else known[n].name for n in tokens]
                assert names == word
            error = observe(recognizer.trace(test)).error
            assert error is not None
            assert (error.token, error.kind) == (2, ErrorKind.LEXICAL)

    def test_built_parsers_take_strange_and_long_tests(self) -> None:
        """They decide about a long test or say why not; nothing is raised."""
        recognizer = self.adapter.build(NESTED)
        check_traces(recognizer, [*map(text, STRANGE), sequence(())])
        deep = ["("] * LONG + ["x"] + [")"] * LONG
        assert observe(recognizer.trace(sequence(deep))).verdict is not Verdict.REJECTED
        assert observe(recognizer.trace(sequence(deep[:-1]))).verdict is not Verdict.ACCEPTED

    # --- what it loads ----------------------------------------------------------------------

    def test_a_source_is_claimed_and_loads_alike_again(
        self, loadable: Loadable, spec: LoadSpec, loaded: Recognizer
    ) -> None:
        """Worker processes load it again and must number rules and symbols in the same way."""
        assert self.adapter.claims(spec.source) == loadable.claimed
        if loadable.claimed:
            assert adapter_for(spec.source).claims(spec.source)
        again = spec().grammar
        grammar = loaded.grammar
        assert [s.name for s in again.symbols] == [s.name for s in grammar.symbols]
        assert [(r.lhs, r.rhs) for r in again.rules] == [(r.lhs, r.rhs) for r in grammar.rules]

    def test_verdicts(self, loadable: Loadable, loaded: Recognizer) -> None:
        assert loadable.accept or loadable.toy, "a loadable needs inputs"
        for inputs, verdict in (
            (loadable.accept, Verdict.ACCEPTED),
            (loadable.reject, Verdict.REJECTED),
        ):
            traces = check_traces(loaded, [text(one) for one in inputs])
            found = {one: observe(trace) for one, trace in zip(inputs, traces, strict=True)}
            wrong = {one: seen.reason for one, seen in found.items() if seen.verdict is not verdict}
            assert not wrong, f"these should be {verdict}"

    def test_verdicts_and_errors_are_those_of_the_grammar(
        self, loadable: Loadable, loaded: Recognizer
    ) -> None:
        """The tokens that the lexer makes are parsed by the chart as the tool parses the text."""
        if not isinstance(loaded, Tokenizing):
            return
        for one in (*loadable.accept, *loadable.reject):
            found, tokens = observe(loaded.trace(text(one))), loaded.tokens(text(one))
            if found.error is not None and found.error.kind is ErrorKind.LEXICAL:
                continue
            assert tokens is not None, f"{one!r} has tokens"
            chart = parse_chart(loaded.grammar, tokens)
            assert chart.accepted == (found.verdict is Verdict.ACCEPTED), one
            if found.error is not None:
                assert found.error.token == chart.end, one

    def test_texts_for_terminals_are_read_as_them(self, loaded: Recognizer) -> None:
        """`samples` gives texts that `lexed` and `tokens` read as that terminal alone."""
        if not isinstance(loaded, Lexing):
            return
        assert isinstance(loaded, Tokenizing)
        some = 0
        for terminal in loaded.grammar.terminals:
            samples = loaded.samples(terminal.index, 3) if terminal.index else ()
            assert len(samples) <= 3
            assert list(loaded.lexed(samples)) == [[terminal.index]] * len(samples), terminal.name
            some += len(samples)
        assert some, "there is a terminal with a text"

    def test_lexed_texts_have_the_tokens_of_tests(
        self, loadable: Loadable, loaded: Recognizer
    ) -> None:
        if not isinstance(loaded, Lexing) or not isinstance(loaded, Tokenizing):
            return
        for one, lexed in zip(loadable.accept, loaded.lexed(loadable.accept), strict=True):
            tokens = loaded.tokens(text(one))
            assert lexed is not None
            assert tokens is not None
            end = len(lexed)  # the end of the input may be a terminal of the grammar
            assert list(tokens[:end]) == list(lexed)
            assert len(tokens) - end <= 1

    def test_loaded_parsers_take_strange_tests(
        self, loadable: Loadable, loaded: Recognizer
    ) -> None:
        longer = [one * 50 for one in (*loadable.accept, *loadable.reject)]
        check_traces(loaded, [text(one) for one in (*STRANGE, *longer)])

    def test_spans_lie_in_the_source(self, loadable: Loadable, loaded: Recognizer) -> None:
        grammar = loaded.grammar
        texts = {
            file: SourceText(file, _text(Path(file))).text
            for file in grammar.files
            if Path(file).is_file()
        }
        found = check_spans(grammar, texts)
        assert bool(found) == loadable.spans
        if loadable.spans:
            homes = {grammar.user_nonterminal(rule.lhs) for rule in grammar.rules}
            without = [grammar.symbols[s].name for s in homes if grammar.symbols[s].span is None]
            assert not without, "non-terminals that the user wrote have places"

    def test_loaded_parsers_reproduce_the_worked_example(
        self, loadable: Loadable, loaded: Recognizer
    ) -> None:
        spelled = [
            text(" ".join(loadable.spelled.get(word, word) for word in test.text.split()))
            for test in SUITE
        ]
        for kind in self.kinds:
            check_counts(loaded, spelled, kind)

    def test_a_source_that_cannot_be_loaded_is_an_error_for_users(
        self, loadable: Loadable, spec: LoadSpec, tmp_path: Path
    ) -> None:
        """One line that says what is wrong: for a file that is not there, empty, or not text."""
        path = Path(spec.source)
        if path.is_file():
            for name, content in (("absent", None), ("empty", b""), ("binary", b"\0\xff" * 50)):
                wrong = tmp_path / f"{name}{path.suffix}"
                if content is not None:
                    wrong.write_bytes(content)
                _refused(LoadSpec(spec.adapter, str(wrong), spec.options))
        nowhere = LoadOptions("no_such_symbol", spec.options.actions, spec.options.extra)
        _refused(LoadSpec(spec.adapter, spec.source, nowhere))

    def test_a_crash_costs_one_test(self, loadable: Loadable, loaded: Recognizer) -> None:
        """The tests before and after it are not concerned."""
        good = list(loadable.accept[:2])
        inputs = [*good, *loadable.crashing, *good]
        found = list(run(loaded, [text(one) for one in inputs]))
        self._check_lost(inputs, found, loadable.crashing)

    def test_an_endless_parse_costs_one_test(
        self, loadable: Loadable, spec: LoadSpec, loaded: Recognizer
    ) -> None:
        """In worker processes, with a time limit."""
        good = list(loadable.accept[:2])
        inputs = [*good, *loadable.crashing, *loadable.endless, *good]
        tests = [text(one) for one in inputs]
        found = list(run(loaded, tests, loader=spec, timeout=self.time_limit))
        self._check_lost(inputs, found, [*loadable.crashing, *loadable.endless])

    def _check_lost(
        self, inputs: Sequence[str], found: Sequence[Observation], lost: Sequence[str]
    ) -> None:
        verdicts = [Verdict.UNDECIDED if one in lost else Verdict.ACCEPTED for one in inputs]
        assert [one.verdict for one in found] == verdicts
        assert all(one.reason for one in found if one.verdict is Verdict.UNDECIDED)


def _any(_loadable: Loadable) -> bool:
    return True


_ABOUT: dict[str, Callable[[Loadable], bool]] = {
    "test_verdicts_and_errors_are_those_of_the_grammar": lambda one: one.context_free,
    "test_loaded_parsers_reproduce_the_worked_example": lambda one: one.toy,
    "test_a_crash_costs_one_test": lambda one: bool(one.crashing),
    "test_an_endless_parse_costs_one_test": lambda one: bool(one.endless),
}
"""Tests that are about some loadables only."""


def _text(path: Path) -> str:
    """A file as grammars are read: lines end in a line feed."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return path.read_text(encoding="latin-1")


def _refused(spec: LoadSpec) -> None:
    with pytest.raises(GramspectError) as caught:
        spec()
    assert str(caught.value)
    assert "\n" not in str(caught.value)
