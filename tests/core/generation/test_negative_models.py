"""Negative tests of models: none is a sentence of the language that the model is a part of."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from toy_lexer import ToyLexer

import strategies
from gramspect.errors import GramspectError
from gramspect.generation.generate import Generation, Plan
from gramspect.generation.generated import RuleMutation, TokenMutation
from gramspect.generation.minimal import Minimal
from gramspect.generation.rule_mutation import RULE_OPERATORS
from gramspect.generation.texts import Model, sample_texts
from gramspect.generation.texts.model import Word
from gramspect.generation.token_mutation import TOKEN_OPERATORS
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END
from gramspect.recognition.chart import parse_chart
from gramspect.suites.suite import Expectation

NEGATIVE = Plan((), negative=("tokens", "rules"), base=("cdrc",), per_sentence=20, limit=300)


def lexer(grammar: Grammar) -> ToyLexer:
    """Every terminal is its name; blanks are skipped, and so is ``#``."""
    names = [symbol.name for symbol in grammar.terminals if symbol.index]
    return ToyLexer(grammar, {n: n for n in names}, skipped="[ #]+", texts={n: [n] for n in names})


@st.composite
def modelled(draw: DrawFn) -> tuple[Grammar, Model]:
    """A small grammar, and a model with whatever values, chains and texts around."""
    cfg = draw(strategies.grammars())
    grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
    names = [symbol.name for symbol in grammar.symbols if symbol.index]
    terminals = [symbol.name for symbol in grammar.terminals if symbol.index]
    assume(terminals)
    some = st.lists(st.sampled_from(terminals), max_size=2).map(" ".join)
    values: dict[str, tuple[str, ...]] = {}
    minimal = Minimal(grammar)
    for symbol in grammar.nonterminals:
        if draw(st.booleans()):
            derived = minimal.part(symbol.index).tokens
            text = " ".join(grammar.symbols[t].name for t in derived) or "#"
            values[symbol.name] = draw(st.sampled_from([(), (text,), (text,)]))
    words = st.one_of(
        st.sampled_from(names).map(lambda name: Word(name, True)),
        st.sampled_from(terminals).map(lambda text: Word(text, False)),
    )
    chains = draw(st.lists(st.lists(words, min_size=1, max_size=3).map(tuple), max_size=2))
    return grammar, Model(tuple(chains), values, draw(some), draw(some))


class Whole:
    """The language that a model is a part of: the grammar's, and what its chains derive there."""

    def __init__(self, grammar: Grammar, model: Model) -> None:
        names = [symbol.name for symbol in grammar.symbols]
        lexing = literal_lexer() if grammar is LISTS else lexer(grammar)
        rules = [(names[r.lhs], [names[s] for s in r.rhs]) for r in grammar.rules]
        chains = [("WHOLE", [word.text for word in chain]) for chain in model.start]
        self.grammar = grammar
        self.chains = Grammar.from_rules([*rules, *chains], start="WHOLE") if chains else None
        read = lexing.lexed([model.prefix, model.suffix])
        self.n_before, self.n_after = (len(tokens or ()) for tokens in read)

    def has(self, tokens: Sequence[int]) -> bool:
        if parse_chart(self.grammar, tokens).accepted:
            return True
        if self.chains is None:
            return False
        names = [self.grammar.symbols[token].name for token in tokens]
        inner = names[self.n_before : len(names) - self.n_after]
        return parse_chart(self.chains, list(map(self.chains.symbol, inner))).accepted


@given(modelled())
def test_none_is_a_sentence_of_the_whole_language(given_model: tuple[Grammar, Model]) -> None:
    """Token and rule mutations, judged by the chart of the grammar without the model."""
    grammar, model = given_model
    whole = Whole(grammar, model)
    changed, texts = sample_texts(grammar, lexer(grammar), model=model)
    assume(changed.start in changed.analysis.productive)
    for test in Generation(changed, NEGATIVE, texts):
        assert test.expectation is Expectation.REJECT
        text = texts.text(test.tokens)
        [read] = lexer(grammar).lexed([text])
        assert read is not None
        assert not whole.has(read), (text, test.mutation)


LISTS = Grammar.from_rules(
    [
        ("prog", ["stmt"]),
        ("prog", ["prog", ";", "stmt"]),
        ("stmt", ["p", "expr"]),
        ("stmt", ["d", "names"]),
        ("names", ["n"]),
        ("names", ["names", ",", "n"]),
        ("expr", ["n"]),
        ("expr", ["(", "expr", ")"]),
        ("expr", ["expr", "-", "expr"]),
    ]
)


def chain(text: str) -> tuple[Word, ...]:
    return tuple(Word(word, word in ("prog", "stmt", "expr", "names")) for word in text.split())


@pytest.mark.parametrize(
    "model",
    [
        Model(values={"names": ("n , n",)}),
        Model((chain("stmt"), chain("stmt ; stmt")), {"expr": ("( n )", "n - n")}),
        Model((chain("stmt"),), {"names": ()}, "d n ;", "; p n"),
        Model((chain("expr"), chain("( names )")), {"expr": ("n",)}),
    ],
    ids=["values", "chains", "around", "other-chains"],
)
def test_each_kind_of_mutation(model: Model) -> None:
    """Where a model leaves enough of the language, all kinds give tests, and all are rejected."""
    whole = Whole(LISTS, model)
    changed, texts = sample_texts(LISTS, literal_lexer(), model=model)
    plan = Plan((), negative=("tokens", "rules"), base=("cdrc",))
    seen = set()
    for test in Generation(changed, plan, texts):
        assert test.mutation is not None
        [read] = literal_lexer().lexed([texts.text(test.tokens)])
        assert read is not None
        assert not whole.has(read), texts.text(test.tokens)
        seen.add((type(test.mutation), test.mutation.operator))
    kinds = {(RuleMutation, each) for each in RULE_OPERATORS}
    kinds |= {(TokenMutation, each) for each in TOKEN_OPERATORS}
    assert len(seen & kinds) >= 5
    if model.values.get("expr") != ("n",):
        assert seen == kinds


def test_what_the_model_leaves_out_is_not_negative() -> None:
    model = Model((chain("expr"),), {"expr": ("n",)})
    changed, texts = sample_texts(LISTS, literal_lexer(), model=model)
    adjacency = texts.adjacency(changed)
    assert adjacency is not None
    opening, name, comma = map(changed.symbol, ("(", "n", ","))
    assert not adjacency.poisoned(END, opening)
    assert not adjacency.poisoned(name, comma)
    assert adjacency.poisoned(opening, comma)
    assert adjacency.poisoned(comma, END)


@pytest.mark.parametrize(
    "model",
    [
        Model(values={"expr": ("n ?",)}),
        Model(prefix="?"),
        Model(suffix="?"),
        Model((chain("stmt ?"),)),
    ],
)
def test_a_text_that_the_lexer_does_not_read(model: Model) -> None:
    """It might be the beginning of a comment that hides what follows."""
    changed, texts = sample_texts(LISTS, literal_lexer(), model=model)
    assert list(Generation(changed, Plan(("rule",)), texts))
    with pytest.raises(GramspectError, match="negative for certain: the lexer does not read"):
        Generation(changed, Plan((), negative=("rules",)), texts)


def literal_lexer() -> ToyLexer:
    names = [symbol.name for symbol in LISTS.terminals if symbol.index]
    patterns = {name: re.escape(name) for name in names}
    return ToyLexer(LISTS, patterns, texts={name: [name] for name in names})
