"""The adapter `native`: gramspect's own LR parser for yacc grammars.

Tests are sequences of token names (`gramspect.recognition.tokens`). The tables are LALR(1), or
canonical LR(1) with the option ``method=canonical``, or where the grammar defines ``lr.type`` so;
conflicts are resolved as yacc does.
Numpy is imported where it is needed, for every search for an adapter imports this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gramspect.errors import AdapterError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Diagnostic
from gramspect.kernel import is_compiled, lr
from gramspect.kernel.tables import Numbers, as_narrow, n_words
from gramspect.kernel.workspace import LRSpace
from gramspect.lr.conflicts import Conflict
from gramspect.lr.tables import LRTable, canonical_table, lalr_table
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.tokens import TokenSequence, sequence_of
from gramspect.recognition.trace import Extraction, LRTrace, Trace, Undecided
from gramspect.spectrum.extraction import EXTRACTION_CODE
from gramspect.spectrum.kinds import REJECTED, UNDECIDED, SpectrumKind
from gramspect.suites.suite import TestCase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gramspect.spectrum.matrix import SpectrumMatrix

__all__ = [
    "SUFFIXES",
    "NativeAdapter",
    "NativeRecognizer",
    "TokenCounts",
    "TokenTests",
    "adapter",
    "is_glr",
]

METHODS = {"lalr": lalr_table, "canonical": canonical_table}
KIND_CODE = {SpectrumKind.RULE: 0, SpectrumKind.ITEM: 1, SpectrumKind.SHIFT: 2}
SUFFIXES = (".y", ".yy", ".ypp", ".yacc")
LOOPING = (
    "the parser does not terminate: it reduces for ever"
    " (the grammar is cyclic or has hidden left recursion)"
)


class TokenTests(NamedTuple):
    """Tests as token sequences, end to end: test i is ``tokens[starts[i] : starts[i + 1]]``.

    `expected` are the codes of expectations (`gramspect.spectrum.matrix`). Each test belongs to one
    `group`, below `n_groups`, for which is counted.
    """

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    expected: NDArray[np.int64]
    group: NDArray[np.int64]
    n_groups: int


class TokenCounts(NamedTuple):
    """Verdict codes, 0 for tests that were not run, and how many tests execute each element.

    The arrays of counts have the shape (groups, 2, elements): passing tests, then failing ones.
    """

    verdicts: NDArray[np.uint8]
    counts: dict[SpectrumKind, NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class NativeRecognizer:
    """An LR parser for token sequences."""

    table: LRTable

    @property
    def grammar(self) -> Grammar:
        return self.table.grammar

    @property
    def conflicts(self) -> Sequence[Conflict]:
        """The conflicts that precedence did not settle."""
        return self.table.unresolved

    @cached_property
    def _plain(self) -> LRSpace:
        return self._space(compiled=False)

    @cached_property
    def _single(self) -> LRSpace:
        """The memory of tests that are run one by one."""
        return self._space(compiled=True) if is_compiled() else self._plain

    def _space(self, *, compiled: bool) -> LRSpace:
        return LRSpace(self.grammar, self.table.automaton.kernels, compiled)

    @cached_property
    def _action_goto(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        import numpy as np

        return np.ascontiguousarray(self.table.action).reshape(-1), self.table.goto

    def _tables(self, compiled: bool) -> tuple[Any, Any]:
        action, goto = self._action_goto
        return _form(action, compiled), _form(goto, compiled)

    def _tokens(self, test: TestCase) -> TokenSequence:
        return sequence_of(self.grammar, test)

    def tokens(self, test: TestCase) -> Sequence[int]:
        """The terminals that the words of a test name."""
        return self._tokens(test).terminals

    def trace(self, test: TestCase) -> Trace:
        """Parse one token sequence."""
        tokens = self._tokens(test)
        space = self._single
        parse, tables = space.kernel("lr").parse, self._tables(space.compiled)
        terminals = as_narrow(tokens.terminals, space.compiled)
        while True:
            outcome = parse(
                space.memory, space.tables, space.lr, space.run,
                *tables, terminals, 0, len(tokens),
            )  # fmt: skip
            if outcome != lr.NO_ROOM:
                break
            space.grow()
        if outcome == lr.LOOP:
            return Undecided(LOOPING)
        run, sizes = space.run, space.memory[space.run.counts : space.run.counts + lr.RUN_STAMP]

        def taken(start: int, size: int) -> tuple[int, ...]:
            return tuple(space.memory[start : start + sizes[size]])

        pushed, reduced = taken(run.pushed, lr.N_PUSHED), taken(run.reduced, lr.N_REDUCED)
        if outcome == lr.ACCEPTED:
            return LRTrace(self.table.automaton, pushed, reduced)
        return LRTrace(
            self.table.automaton,
            pushed,
            reduced,
            tokens.error(sizes[lr.POSITION]),
            taken(run.shift_stack, lr.LAST_SHIFT_TOP),
            taken(run.stack, lr.TOP),
            taken(run.late, lr.N_LATE),
        )

    def record(
        self,
        tests: Sequence[TestCase],
        extraction: Extraction,
        kind: SpectrumKind,
        compiled: bool | None = None,
    ) -> SpectrumMatrix:
        """The spectra of a whole suite, written straight into the matrix.

        `compiled` chooses the form of the kernel; by default the compiled one if there is one.
        """
        import numpy as np

        from gramspect.spectrum.matrix import SpectrumMatrix, expectation_codes

        sequences = [self._tokens(test).terminals for test in tests]
        starts = np.fromiter(accumulate(map(len, sequences), initial=0), np.int64)
        tokens = np.fromiter((t for s in sequences for t in s), np.int32, int(starts[-1]))
        words, verdicts = self.record_tokens(tokens, starts, extraction, kind, compiled=compiled)
        expected = expectation_codes(test.expectation for test in tests)
        n_elements = kind.n_elements(self.grammar)
        return SpectrumMatrix.from_test_words(kind, n_elements, words, verdicts, expected)

    def record_tokens(
        self,
        tokens: NDArray[np.int32],
        starts: NDArray[np.int64],
        extraction: Extraction,
        kind: SpectrumKind,
        *,
        compiled: bool | None = None,
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        """Spectra (tests x words of 32 bits) and verdict codes of many token sequences.

        Test i is ``tokens[starts[i] : starts[i + 1]]``, -1 standing for unknown tokens. Compiled
        code runs on all cores.
        """
        import numpy as np

        compiled = is_compiled() if compiled is None else compiled
        n_tests = len(starts) - 1
        width = n_words(kind.n_elements(self.grammar))
        words = np.zeros(n_tests * width, np.int64)
        outcomes = np.zeros(n_tests, np.int64)
        workers = min(cpu_count() or 1, 1 + n_tests // 1000) if compiled else 1
        bounds = [n_tests * i // workers for i in range(workers + 1)]

        def work(first: int, last: int) -> None:
            self._record_range(
                _form(tokens, compiled), _form(starts, compiled), first, last, extraction, kind,
                _form(words, compiled), width, _form(outcomes, compiled), compiled,
            )  # fmt: skip

        if workers == 1:
            work(0, n_tests)
        else:
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(work, bounds[:-1], bounds[1:]))
        verdicts = np.where(outcomes == lr.LOOP, UNDECIDED, outcomes * REJECTED).astype(np.uint8)
        return words.reshape(n_tests, width).astype(np.uint32), verdicts

    def count_tokens(
        self,
        tests: TokenTests,
        extraction: Extraction,
        chosen: NDArray[np.int64] | None = None,
        *,
        compiled: bool | None = None,
    ) -> TokenCounts:
        """Run tests, or the `chosen` ones, and count what they execute; no spectrum is kept."""
        import numpy as np

        compiled = is_compiled() if compiled is None else compiled
        space = LRSpace(self.grammar, self.table.automaton.kernels, compiled, every=True)
        n_slots = 32 * space.n_output_words
        tallies = np.zeros(tests.n_groups * 2 * n_slots, np.int64)
        outcomes = np.zeros(len(tests.expected), np.int64)
        numbers = np.arange(len(tests.expected)) if chosen is None else chosen
        given = [
            _form(array, compiled)
            for array in (tests.tokens, tests.starts, numbers, tests.expected, tests.group)
        ]
        tokens, starts, wanted, expected, group = given
        tables = self._tables(compiled)
        written = _form(tallies, compiled), _form(outcomes, compiled)
        run = space.kernel("counting").count
        first, last = 0, len(numbers)
        while first < last:
            first = run(
                space.memory, space.tables, space.lr, space.chart, space.walk, space.scratch,
                space.run, space.errors, space.output, *tables, tokens, starts, wanted, first, last,
                EXTRACTION_CODE[extraction], expected, group, *written,
            )  # fmt: skip
            if first < last:
                space.grow()
        verdicts = np.where(outcomes == lr.LOOP, UNDECIDED, outcomes * REJECTED).astype(np.uint8)
        output, begin = space.output, space.output.rules
        found = tallies.reshape(tests.n_groups, 2, n_slots)
        parts = {
            kind: found[:, :, 32 * (start - begin) :][:, :, : kind.n_elements(self.grammar)]
            for kind, start in zip(SpectrumKind, output, strict=True)
        }
        return TokenCounts(verdicts, parts)

    def _record_range(
        self,
        tokens: Numbers,
        starts: Numbers,
        first: int,
        last: int,
        extraction: Extraction,
        kind: SpectrumKind,
        words: Numbers,
        width: int,
        outcomes: Numbers,
        compiled: bool,
    ) -> None:
        """Run the tests first .. last - 1 in a space of their own."""
        space = self._space(compiled=True) if compiled else self._plain  # of each thread its own
        tables = self._tables(compiled)
        batch = space.kernel("batch").batch
        while first < last:
            first = batch(
                space.memory, space.tables, space.lr, space.chart, space.walk, space.scratch,
                space.run, space.errors, space.output, *tables, tokens, starts, first, last,
                EXTRACTION_CODE[extraction], KIND_CODE[kind], words, width, outcomes,
            )  # fmt: skip
            if first < last:
                space.grow()


_ONE_ACTION = (
    "the grammar is for a GLR parser, which follows all actions of a conflict, and this parser"
    " takes one of them; leave --adapter out, or use --adapter chart"
)


def _may_be_merged(table: LRTable) -> bool:
    """Whether canonical tables, which are many times as large, may say otherwise: merged states
    bring conflicts between reductions, and reductions that a precedence takes a token from."""
    return any(len(one.rules) > 1 or one.by_precedence for one in table.conflicts)


def is_glr(source: str) -> bool:
    """Whether a grammar in the notation of yacc asks for a parser that follows all actions."""
    from gramspect.yacc import Construction, construction_of

    return Path(source).is_file() and construction_of(source) is Construction.GLR


def _form(array: Any, compiled: bool) -> Any:
    """An array as the kernel wants it: plain Python reads memory views faster."""
    return array if compiled else memoryview(array)


class NativeAdapter:
    """See the module."""

    name = "native"
    summary = "yacc/bison grammars (.y) over token sequences, with gramspect's own LR(1) tables"
    options = frozenset({"method"})

    def missing(self) -> str | None:
        return None

    def tool(self) -> str:
        return "gramspect's LR parser"

    def claims(self, source: str) -> bool:
        """All grammars of bison and yacc, but those of GLR parsers (`chart`)."""
        return source.endswith(SUFFIXES) and not is_glr(source)

    def load(self, source: str, options: LoadOptions) -> NativeRecognizer:
        from gramspect.yacc import Construction, construction_of, read_yacc

        method = options.extra.get("method", "")
        if method and method not in METHODS:
            raise AdapterError(f"unknown method {method!r}; choose one of {', '.join(METHODS)}")
        declared = construction_of(source)
        grammar = read_yacc(source, start=options.start)
        if declared is Construction.GLR:
            note = Diagnostic("glr", _ONE_ACTION)
            grammar = replace(grammar, diagnostics=(*grammar.diagnostics, note))
        table = METHODS[method or "lalr"](grammar)
        if not method and declared is Construction.CANONICAL and _may_be_merged(table):
            table = canonical_table(grammar)
        return NativeRecognizer(table)

    def build(self, grammar: Grammar) -> NativeRecognizer:
        return NativeRecognizer(lalr_table(grammar))


adapter = NativeAdapter()
