"""The grammar of a generated parser, and the elements that its states stand before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gramspect.adapter_api import Definition, Grammar, Token, expand
from gramspect_antlr.starting import Start, choose_start, references
from gramspect_antlr_python.automaton import Leaf, RuleReader, WrittenRule
from gramspect_antlr_python.g4 import read_rules
from gramspect_antlr_python.positions import GeneratedFile, as_written, grammar_beside
from gramspect_antlr_python.vocabulary import Vocabulary

__all__ = ["Elements", "ParserGrammar", "read_parser"]


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements, numbered as in `gramspect.recognition.networks`, by the states before them.

    `starts` has the rule that a state begins, `calls` the element that calls a rule, `tokens` the
    one that reads a token and `sets` those that share a state, by the token read.
    """

    starts: dict[int, int] = field(default_factory=dict)
    calls: dict[int, int] = field(default_factory=dict)
    tokens: dict[int, int] = field(default_factory=dict)
    sets: dict[int, dict[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ParserGrammar:
    """A grammar, its definitions in the order of the parser's rules, and their elements."""

    grammar: Grammar
    definitions: tuple[Definition, ...]
    elements: Elements
    vocabulary: Vocabulary

    @property
    def start(self) -> str:
        """The name of the start rule."""
        return self.grammar.symbols[self.grammar.start].name


def read_parser(
    parser: Any, name: str, start: str | None = None, file: Path | None = None
) -> ParserGrammar:
    """The grammar of a parser class, with the positions that `file` and the grammar beside it tell.

    Raises:
        GrammarError: it has no rule called `start`.
    """
    vocabulary = Vocabulary(parser.atn.maxTokenType, parser.literalNames, parser.symbolicNames)
    code = GeneratedFile() if file is None else GeneratedFile.read(file)
    source = None if file is None else grammar_beside(file, parser.grammarFileName)
    texts = {} if source is None else read_rules(source, vocabulary)
    reader = RuleReader(parser.atn, parser.ruleNames, vocabulary, code.states, code.rules)
    rules = [reader.rule(index) for index in range(len(parser.ruleNames))]
    rules = [as_written(rule, texts.get(rule.definition.name)) for rule in rules]
    definitions = tuple(rule.definition for rule in rules)
    chosen = choose_start(definitions) if start is None else Start(start)
    grammar = expand(
        definitions,
        tokens=_tokens(vocabulary, definitions),
        start=chosen.name,
        name=name,
        files=sorted({d.span.file for d in definitions if d.span is not None}),
        diagnostics=chosen.notes,
    )
    return ParserGrammar(grammar, definitions, _elements(parser.atn, rules), vocabulary)


def _elements(atn: Any, rules: Sequence[WrittenRule]) -> Elements:
    found = Elements({state.stateNumber: i for i, state in enumerate(atn.ruleToStartState)})
    for element, leaf in enumerate(leaf for rule in rules for leaf in rule.leaves):
        if leaf is not None:
            _place(found, element, leaf, atn.states[leaf.state])
    return found


def _place(found: Elements, element: int, leaf: Leaf, state: Any) -> None:
    if leaf.token is not None:
        found.sets.setdefault(leaf.state, {})[leaf.token] = element
    elif hasattr(state.transitions[0], "followState"):
        found.calls[leaf.state] = element
    else:
        found.tokens[leaf.state] = element


def _tokens(vocabulary: Vocabulary, definitions: Sequence[Definition]) -> list[Token]:
    """The terminals, shown as they are written first."""
    written: dict[str, str] = {}
    for reference in references(definitions):
        if reference.display is not None:  # as in sets, whose text is shown instead
            written.setdefault(reference.name, reference.display)
    return [replace(t, display=written.get(t.name, t.display)) for t in vocabulary.tokens()]
