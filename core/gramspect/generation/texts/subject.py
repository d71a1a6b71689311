"""The texts of a grammar: samples from its lexer, from the user, and from a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gramspect.errors import GramspectError
from gramspect.generation.texts.lexemes import SampleTexts, Spacing
from gramspect.generation.texts.model import Model, Modelled
from gramspect.generation.texts.neighbours import whole_language
from gramspect.generation.texts.toml_file import read_toml
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Lexing

__all__ = ["N_SAMPLES", "read_samples", "sample_texts"]

N_SAMPLES = 8
"""How many samples of a token there are to draw from with a seed."""

_NAMED = 5
"""How many tokens an error message names."""


def read_samples(path: str, grammar: Grammar) -> dict[int, tuple[str, ...]]:
    """Read a file of samples: ``TOKEN = ["text", ...]``; an empty list leaves a token out.

    Raises:
        GramspectError: it cannot be read, or names a token that the grammar does not have.
    """
    file = read_toml(path)
    found = {}
    for name, texts in file.texts(file.table):
        shown = (s.index for s in grammar.terminals if name in (s.name, s.display))
        token = next(shown, grammar.token(name))
        if token is None:
            raise file.error(name, f"the grammar has no token {name!r}")
        found[token] = texts
    return found


def sample_texts(
    grammar: Grammar,
    lexer: Lexing | None,
    *,
    given: Mapping[int, Sequence[str]] | None = None,
    model: Model | None = None,
    silent: Iterable[int] = (),
    spacing: Spacing = Spacing.BLANK,
    seed: int | None = None,
    partial: bool = False,
) -> tuple[Grammar, SampleTexts]:
    """The grammar, under the model if there is one, and the texts of its token sequences.

    Args:
        grammar: the grammar of the lexer.
        lexer: the lexer that finds samples and checks texts; without one, all must be given.
        given: samples by terminal; an empty list leaves a token out.
        model: see `gramspect.generation.texts.model`.
        silent: terminals that are not written.
        spacing, seed: see `SampleTexts`.
        partial: whether tokens without a text may be missing.

    Raises:
        GramspectError: a token that sentences may need has no sample, the model names what the
            grammar does not have, or a value is not derived by its symbol.
    """
    applied = (model or Model()).applied(grammar)
    silent = frozenset(silent)
    samples = {t: tuple(texts) for t, texts in (given or {}).items()} | dict(applied.samples)
    used = applied.grammar.analysis.reachable - silent - samples.keys()
    wanted = 1 if seed is None else N_SAMPLES
    found = {
        terminal: tuple(lexer.samples(terminal, wanted)) if lexer is not None else ()
        for terminal in sorted(used)
        if 0 < terminal < grammar.n_terminals
    }
    if not partial and not all(found.values()):
        raise _without_text(grammar, [t for t, texts in found.items() if not texts])
    samples |= found
    samples |= {terminal: (text,) for terminal, text in applied.texts.items()}
    read_as: dict[int, Sequence[int] | None] = dict.fromkeys(applied.texts)
    if lexer is not None:
        read = lexer.lexed(list(applied.texts.values()))
        read_as = dict(zip(applied.texts, read, strict=True))
        _check_values(applied, model or Model(), read_as)
    return applied.grammar, SampleTexts(
        samples={terminal: texts for terminal, texts in samples.items() if texts},
        missing=frozenset(
            t.index for t in applied.grammar.terminals if not samples.get(t.index)
        ).difference(silent),
        silent=silent,
        lexed=None if lexer is None else lexer.lexed,
        read_as=read_as,
        original=None if model is None else _whole(applied, lexer, read_as),
        prefix=applied.prefix,
        suffix=applied.suffix,
        spacing=spacing,
        seed=seed,
    )


def _whole(
    applied: Modelled, lexer: Lexing | None, read_as: Mapping[int, Sequence[int] | None]
) -> Grammar:
    """The grammar of the language that a model is a part of.

    Texts that no lexer reads are left out of the forms of a test: they may be next to everything,
    and the symbols on both sides of them may then be adjacent.
    """
    tokens = {text: read_as[terminal] or () for terminal, text in applied.texts.items()}
    around = applied.prefix, applied.suffix
    before, after = ((), ()) if lexer is None else (read or () for read in lexer.lexed(around))

    def symbols(chain: Sequence[int | str]) -> Iterator[int]:
        for word in chain:
            yield from tokens[word] if isinstance(word, str) else (word,)

    chains = [(*before, *symbols(chain), *after) for chain in applied.chains]
    return whole_language(applied.original, chains)


def _without_text(grammar: Grammar, terminals: Sequence[int]) -> GramspectError:
    names = [grammar.symbols[terminal].name for terminal in terminals]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return GramspectError(
        f"no text is known for {', '.join(names[:_NAMED])}{more}; write a file with lines such as"
        f' {names[0]} = ["text"] ([] to do without it) and give it with --samples'
    )


def _check_values(
    applied: Modelled, model: Model, read_as: Mapping[int, Sequence[int] | None]
) -> None:
    """Check that symbols derive the values that they get, as far as the lexer can read them."""
    by_text = {text: read_as[terminal] for terminal, text in applied.texts.items()}
    for symbol, text in applied.fixed:
        tokens = by_text[text]
        grammar = replace(applied.original, start=symbol)
        if tokens is not None and not parse_chart(grammar, tokens).accepted:
            name = grammar.symbols[symbol].name
            shown = " ".join(grammar.symbols[t].display if t >= 0 else "?" for t in tokens)
            raise model.error(
                name, f"{name} does not derive {text!r}, which the lexer reads as {shown}"
            )
