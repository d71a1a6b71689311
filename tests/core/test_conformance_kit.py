"""The conformance kit itself: its data are those of the fixtures, and it finds what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

import strategies
from cfg import Cfg
from gramspect.builtin.chart import ChartAdapter, ChartRecognizer
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import ChartTrace, Trace
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import TestCase, TestSuite
from gramspect.testing import AdapterConformance, Loadable, Technique
from gramspect.testing.grammars import is_lalr1, is_ll1
from gramspect.testing.toy import SUITE, toy
from gramspect.yacc import read_yacc
from ll1_oracle import is_ll1 as is_ll1_by_definition
from lr_oracle import is_lalr1 as is_lalr1_by_definition

FIXTURES = Path(__file__).parents[2] / "fixtures"
SIMPL = str(FIXTURES / "simpl" / "simpl.y")


def test_the_worked_example_is_that_of_the_fixtures() -> None:
    grammar, fixture = toy(), read_yacc(FIXTURES / "toy" / "toy-faulty.y")
    texts = [[g.rule_text(rule).replace("'", "") for rule in range(g.n_rules)]
             for g in (grammar, fixture)]  # fmt: skip
    assert texts[0] == texts[1]
    lines = TestSuite.load(accept=[FIXTURES / "toy" / "accept.txt"], lines=True)
    assert [test.text for test in SUITE] == [test.text for test in lines]


@given(strategies.grammars())
def test_classes_of_grammars_are_those_of_the_definitions(cfg: Cfg) -> None:
    grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
    assert is_ll1(grammar) == is_ll1_by_definition(cfg)
    assert is_lalr1(grammar) == is_lalr1_by_definition(cfg)


class Faulty(ChartRecognizer):
    """A recognizer with one of the faults that the kit must find."""

    fault = ""

    def trace(self, test: TestCase) -> Trace:
        if self.fault == "raises" and "\0" in test.text:
            raise ValueError("a NUL character")
        trace = super().trace(test)
        assert isinstance(trace, ChartTrace)
        if trace.error is None:
            return trace
        if self.fault == "late":
            return replace(trace, error=replace(trace.error, token=trace.error.token + 1))
        if self.fault == "outside" and trace.error.column is not None:
            return replace(trace, error=replace(trace.error, column=trace.error.column + 500))
        return trace

    def tokens(self, test: TestCase) -> list[int]:
        found = [*super().tokens(test)]
        return found[:-1] if self.fault == "tokens" else found


class FaultyAdapter(ChartAdapter):
    def __init__(self, fault: str) -> None:
        self.fault = fault

    def build(self, grammar: Grammar) -> Faulty:
        made = Faulty(grammar)
        object.__setattr__(made, "fault", self.fault)
        return made

    def load(self, source: str, options: LoadOptions) -> Faulty:
        return self.build(super().load(source, options).grammar)


def conformance(fault: str) -> AdapterConformance:
    """The kit for an adapter with a fault."""
    one = Loadable(SIMPL, ["program id ; begin skip end ."], ["program id begin skip end ."])
    body = {"adapter": FaultyAdapter(fault), "technique": Technique.GENERAL, "loadables": (one,)}
    found: AdapterConformance = type("Faulty", (AdapterConformance,), body)()
    return found


@pytest.fixture
def unshrunk() -> Iterator[None]:
    """The first example of a fault is enough: a smaller one takes hundreds of further parsers."""
    before = settings.get_current_profile_name()
    phases = [phase for phase in settings().phases if phase not in (Phase.shrink, Phase.explain)]
    settings.register_profile("unshrunk", settings(phases=phases))
    settings.load_profile("unshrunk")
    yield
    settings.load_profile(before)


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("fault", ["late", "tokens"])
def test_wrong_errors_and_tokens_are_found(fault: str) -> None:
    kit = conformance(fault)
    (loadable,) = kit.loadables
    recognizer = kit.adapter.load(SIMPL, LoadOptions())
    with pytest.raises(AssertionError):
        kit.test_verdicts_and_errors_are_those_of_the_grammar(loadable, recognizer)
    if fault == "late":
        with pytest.raises(AssertionError):
            kit.test_built_parsers_agree_with_the_chart()
    else:
        with pytest.raises(AssertionError):
            kit.test_built_parsers_read_the_tokens_that_are_named()


def test_an_error_outside_the_text_is_found() -> None:
    kit = conformance("outside")
    (loadable,) = kit.loadables
    with pytest.raises(AssertionError):
        kit.test_verdicts(loadable, kit.adapter.load(SIMPL, LoadOptions()))


def test_a_trace_that_raises_is_found() -> None:
    kit = conformance("raises")
    with pytest.raises(ValueError, match="NUL"):
        kit.test_built_parsers_take_strange_and_long_tests()


def test_an_adapter_without_fault_passes() -> None:
    kit = conformance("")
    kit.test_built_parsers_take_strange_and_long_tests()
    kit.test_built_parsers_agree_with_the_chart()
    kit.test_build_reproduces_the_worked_example(SpectrumKind.ITEM)


def test_tests_that_say_nothing_are_left_out() -> None:
    kit = conformance("")
    assert kit.test_a_crash_costs_one_test is None
    assert kit.test_loaded_parsers_reproduce_the_worked_example is None
    assert kit.test_verdicts is not None
