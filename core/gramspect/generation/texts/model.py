"""Models: which part of a language is tested, and with which names.

A system that runs its inputs rejects many sentences before it has parsed them: a table does not
exist, a statement depends on another. A model keeps tests away from that (Raselimo and Fischer
2024, Section 9 and Figure 8). It is a TOML file::

    start = ["create_trigger_stmt", "create_trigger_stmt ';' drop_trigger_stmt"]
    prefix = "CREATE TABLE t(a, b); "

    [values]
    table_name = ["t", "u"]
    column_name = "a"
    raise_function = []

`start` lists the forms of a test: each is a sequence of symbols and of texts in quotes. `prefix`
and `suffix` are put around every test. `values` gives symbols a few texts in place of all that they
derive; a symbol with an empty list is not used.

The grammar of a model is the grammar with more symbols and rules after its own, whose rules and
items keep their numbers, so that spectra under different models can be put together. An occurrence
of a symbol with values refers to a new one with the values as its rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from gramspect.errors import GramspectError
from gramspect.generation.texts.toml_file import TomlFile, read_toml
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Rule, Symbol
from gramspect.source import Span

__all__ = ["Model", "Modelled", "read_model"]

_KEYS = ("start", "prefix", "suffix", "values")

_WORD = re.compile(r"""\s*(?:'(?P<single>[^']+)'|"(?P<double>[^"]+)"|(?P<name>[^\s'"]+))""")


@dataclass(frozen=True, slots=True)
class Word:
    """A symbol of the grammar, or a text."""

    text: str
    is_symbol: bool


@dataclass(frozen=True)
class Model:
    """The content of a model file. `file` is where mistakes are reported."""

    start: tuple[tuple[Word, ...], ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    prefix: str = ""
    suffix: str = ""
    file: TomlFile | None = None

    def applied(self, grammar: Grammar) -> Modelled:
        """The grammar of the model.

        Raises:
            GramspectError: it names a symbol that the grammar does not have.
        """
        return _Application(self, grammar).result()

    def error(self, key: str, message: str) -> GramspectError:
        """An error at a key of the file."""
        return GramspectError(message) if self.file is None else self.file.error(key, message)

    def span(self, key: str) -> Span | None:
        """Where the file has a key."""
        return None if self.file is None else self.file.span(key)


@dataclass(frozen=True)
class Modelled:
    """A grammar under a model.

    `original` is the grammar without the model. `texts` are those of the new terminals, `samples`
    those that the model gives to terminals of the original; these have the same numbers in both
    grammars. `fixed` says which texts stand for which symbol of the original. `chains` are the
    forms of a test, in symbols and texts of the original, if the model gives any.
    """

    grammar: Grammar
    original: Grammar
    texts: Mapping[int, str]
    samples: Mapping[int, tuple[str, ...]]
    fixed: tuple[tuple[int, str], ...]
    prefix: str = ""
    suffix: str = ""
    chains: tuple[tuple[int | str, ...], ...] = ()


def read_model(path: str) -> Model:
    """Read a model file.

    Raises:
        GramspectError: it cannot be read, or is no model.
    """
    file = read_toml(path)
    for key in file.table:
        if key not in _KEYS:
            raise file.error(key, f"unknown key {key!r}; a model has {', '.join(_KEYS)}")
    values = file.table.get("values", {})
    if not isinstance(values, dict):
        raise file.error("values", "values must be a table, [values]")
    start = file.table.get("start", [])
    listed = [start] if isinstance(start, str) else start
    if not isinstance(listed, list) or not all(isinstance(x, str) and x.strip() for x in listed):
        raise file.error("start", "start must be a list of texts, such as ['stmt', 'stmt stmt']")
    around = [file.table.get(key, "") for key in ("prefix", "suffix")]
    for key, text in zip(("prefix", "suffix"), around, strict=True):
        if not isinstance(text, str):
            raise file.error(key, f"{key} must be a text")
    return Model(
        tuple(tuple(_words(file, each)) for each in listed),
        dict(file.texts(values)),
        around[0],
        around[1],
        file,
    )


def _words(file: TomlFile, text: str) -> Iterator[Word]:
    place, text = 0, text.rstrip()
    while place < len(text):
        found = _WORD.match(text, place)
        if found is None:
            raise file.error("start", f"a quote in {text!r} is not closed")
        name = found["name"]
        yield Word(name or found["single"] or found["double"], name is not None)
        place = found.end()


class _Application:
    """Makes the grammar of a model."""

    def __init__(self, model: Model, grammar: Grammar) -> None:
        self.model = model
        self.grammar = grammar
        self.symbols = {name: self._symbol(name, name) for name in model.values}
        named = {name for name, symbol in self.symbols.items() if not grammar.is_terminal(symbol)}
        values = [text for name in model.values if name in named for text in model.values[name]]
        chained = [w.text for words in model.start for w in words if not w.is_symbol]
        texts = dict.fromkeys((*values, *chained))
        self.texts = {text: grammar.n_terminals + n for n, text in enumerate(texts)}
        self.fixed = {
            self.symbols[name]: len(grammar.symbols) + len(texts) + n
            for n, name in enumerate(sorted(named, key=self.symbols.__getitem__))
        }
        """The symbols with values, by their old numbers, and the symbols in their place."""

    def result(self) -> Modelled:
        grammar, model = self.grammar, self.model
        new = list(self._new_symbols())
        rules = [*map(self._moved, grammar.rules), *self._value_rules()]
        chains = [tuple(map(self._word, words)) for words in model.start]
        chains = chains or [(self._placed(grammar.start),)]
        start = chains[0][0]
        if len(chains) > 1 or len(chains[0]) > 1 or start < grammar.n_terminals + len(self.texts):
            start = len(grammar.symbols) + len(self.texts) + len(new)
            span = model.span("start")
            new.append(Symbol(start, "model", terminal=False, display="model", span=span))
            rules += (_rule(start, "model", n, rhs, span) for n, rhs in enumerate(chains, 1))
        files = grammar.files if model.file is None else (*grammar.files, model.file.file)
        symbols = (*self._old_symbols(), *new)
        n_terminals = grammar.n_terminals + len(self.texts)
        changed = replace(
            grammar, files=files, symbols=symbols, rules=(), start=start, n_terminals=n_terminals
        )
        values = [(self.symbols[name], texts) for name, texts in model.values.items()]
        return Modelled(
            changed.with_rules(rules),
            grammar,
            {terminal: text for text, terminal in self.texts.items()},
            {symbol: texts for symbol, texts in values if symbol not in self.fixed},
            tuple((s, text) for s, texts in values if s in self.fixed for text in texts),
            model.prefix,
            model.suffix,
            tuple(tuple(map(self._original, words)) for words in model.start),
        )

    def _original(self, word: Word) -> int | str:
        return self._symbol(word.text, "start") if word.is_symbol else word.text

    def _symbol(self, name: str, key: str) -> int:
        for symbol in self.grammar.symbols[1:]:
            if symbol.operator is None and name in (symbol.name, symbol.display):
                return symbol.index
        known = [symbol.name for symbol in self.grammar.symbols if symbol.operator is None]
        near = get_close_matches(name, known, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise self.model.error(key, f"the grammar has no symbol {name!r}{hint}")

    # --- new numbers ---------------------------------------------------------------------

    def _word(self, word: Word) -> int:
        if not word.is_symbol:
            return self.texts[word.text]
        return self._placed(self._symbol(word.text, "start"))

    def _placed(self, symbol: int) -> int:
        """The symbol in the place of the old one."""
        return self.fixed.get(symbol) or self._shifted(symbol)

    def _shifted(self, symbol: int) -> int:
        return symbol + (0 if symbol < self.grammar.n_terminals else len(self.texts))

    # --- symbols and rules ---------------------------------------------------------------

    def _old_symbols(self) -> Iterator[Symbol]:
        """Those of the grammar, the new terminals after its terminals."""
        first = self.grammar.n_terminals
        yield from self.grammar.symbols[:first]
        for text, index in self.texts.items():
            quoted = f"'{text}'"
            yield Symbol(index, f"model.{quoted}", terminal=True, display=quoted)
        for symbol in self.grammar.symbols[first:]:
            owner = None if symbol.owner is None else self._shifted(symbol.owner)
            yield replace(symbol, index=self._shifted(symbol.index), owner=owner)

    def _new_symbols(self) -> Iterator[Symbol]:
        for old, index in self.fixed.items():
            symbol = self.grammar.symbols[old]
            name = f"model.{symbol.name}"
            yield Symbol(index, name, terminal=False, display=symbol.display, span=symbol.span)

    def _moved(self, rule: Rule) -> Rule:
        rhs = tuple(map(self._placed, rule.rhs))
        return replace(rule, lhs=self._shifted(rule.lhs), rhs=rhs)

    def _value_rules(self) -> Iterator[Rule]:
        for name, texts in self.model.values.items():
            lhs = self.fixed.get(self.symbols[name])
            if lhs is not None:
                span = self.model.span(name)
                for nth, text in enumerate(texts, start=1):
                    yield _rule(lhs, f"model.{name}", nth, (self.texts[text],), span)


def _rule(lhs: int, name: str, nth: int, rhs: tuple[int, ...], span: Span | None) -> Rule:
    """A rule after all others; its number is still to come."""
    return Rule(-1, lhs, rhs, nth, f"{name}:{nth}", span, (span,) * len(rhs))
