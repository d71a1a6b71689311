"""The grammar of a generated parser: from its class alone, or from its class and its grammar file.

The class says which token kinds and productions its sites stand for; a grammar file says how the
user wrote them, and where. Sites and the elements of a production come in the same order, so they
are matched by name; where they do not all match (the file is not the one that the class was made
of, or JavaCC has dropped an alternative that is never chosen), by a longest common subsequence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gramspect.adapter_api import (
    Alternative,
    Block,
    Definition,
    Diagnostic,
    Element,
    Grammar,
    Operator,
    Reference,
    Token,
    expand,
)
from gramspect_javacc.outline import CALL, Compiled, CompiledProduction, Site
from gramspect_javacc.recovery import Expression, Repeat, recover
from gramspect_javacc.syntax import END_OF_FILE, JavaccFile, Production, TokenRule, literal_text

__all__ = ["Mapped", "map_grammar"]


@dataclass(frozen=True, eq=False)
class Mapped:
    """A grammar with the elements (`gramspect.recognition.networks`) that the sites of a class
    stand for.

    `elements` maps production and site (from 1) to an element; sites that are in none of the user's
    productions are left out. `definition_of` holds the definition of each production of the class,
    -1 for methods that are no productions. `terminals` maps kinds to terminals. `foreign` elements
    belong to productions after the grammar's own.
    """

    grammar: Grammar
    definitions: tuple[Definition, ...]
    elements: Mapping[tuple[int, int], int]
    definition_of: Sequence[int]
    terminals: Mapping[int, int]
    foreign: int = 0


def map_grammar(
    compiled: Compiled,
    written: JavaccFile | None,
    start: str | None,
    diagnostics: Sequence[Diagnostic] = (),
) -> Mapped:
    """The grammar of a class, as a file has it if there is one.

    Raises:
        GrammarError: there is no such start production, or nesting is too deep.
    """
    return _Mapping(compiled, written, list(diagnostics)).mapped(start)


class _Mapping:
    def __init__(
        self, compiled: Compiled, written: JavaccFile | None, diagnostics: list[Diagnostic]
    ) -> None:
        self.compiled = compiled
        self.written = written
        self.diagnostics = diagnostics
        self.names = {p.name for p in compiled.productions}
        if written is not None:
            self.names |= {p.name for p in written.productions}
        self.kind_names = [self.kind_name(kind) for kind in range(len(compiled.kinds))]
        # Sites in the order of the elements, and the element that is next.
        self.elements: dict[tuple[int, int], int] = {}
        self.n_elements = 0

    def mapped(self, start: str | None) -> Mapped:
        definitions = list(self.definitions())
        place = {definition.name: i for i, definition in enumerate(definitions)}
        grammar = expand(
            definitions,
            tokens=list(self.tokens(definitions)),
            start=start or start_production(definitions),
            name=self.compiled.name.rpartition(".")[2],
            files=() if self.written is None else (self.written.file,),
            diagnostics=self.diagnostics,
        )
        by_name = {s.name: s.index for s in grammar.terminals}
        terminals = {k: by_name[n] for k, n in enumerate(self.kind_names) if n in by_name}
        definition_of = [place.get(p.name, -1) for p in self.compiled.productions]
        return Mapped(grammar, tuple(definitions), self.elements, definition_of, terminals)

    # --- tokens --------------------------------------------------------------------------

    def kind_name(self, kind: int) -> str:
        """What the terminal of a kind is called: its label, else its literal with quotes."""
        label = self.compiled.kinds.label(kind) or (END_OF_FILE if kind == 0 else "")
        if not label:
            return self.compiled.kinds.image(kind)
        return f"<{label}>" if label in self.names else label

    def display(self, kind: int) -> str:
        """How a kind is written: as a literal if it is one, else by its label."""
        label = self.compiled.kinds.label(kind)
        image = self.compiled.kinds.image(kind)
        return f"<{label}>" if label and not image.startswith('"') else image

    def kinds(self) -> list[int]:
        """The kinds that parsers meet: those that lexers deliver, and those that sites want."""
        sites = {
            site.argument
            for production in self.compiled.productions
            for site in production.sites
            if site.code != CALL
        }
        return sorted((self.compiled.kinds.deliverable | sites) & set(range(len(self.kind_names))))

    def tokens(self, definitions: Sequence[Definition]) -> Iterator[Token]:
        """The tokens in the order of their kinds, shown as they are written first."""
        shown: dict[str, str | None] = {}
        for reference in references(definitions):
            shown.setdefault(reference.name, reference.display)
        rules = self.token_rules()
        for kind in self.kinds():
            name = self.kind_names[kind]
            label, literal = self.compiled.kinds.label(kind), self.compiled.kinds.literal(kind)
            rule = rules.get(label or name)
            display = shown.get(name) or self.display(kind)
            spellings = tuple(text for text in (literal, label) if text and text != name)
            yield Token(name, rule.span if rule else None, display, spellings)

    def token_rules(self) -> dict[str, TokenRule]:
        """The written token rules by label, and literals with quotes."""
        found: dict[str, TokenRule] = {}
        for rule in self.written.token_rules if self.written is not None else ():
            if rule.name is not None:
                found.setdefault(rule.name, rule)
            elif rule.literal is not None:
                found.setdefault(f'"{rule.literal}"', rule)
        return found

    # --- productions ---------------------------------------------------------------------

    def definitions(self) -> Iterator[Definition]:
        compiled = {p.name: i for i, p in reversed(list(enumerate(self.compiled.productions)))}
        if self.written is None:
            for index, production in enumerate(self.compiled.productions):
                yield self.recovered(index, production, None)
            return
        for written in self.written.productions:
            found = compiled.get(written.name)
            if found is None:
                self.note(f"{self.compiled.name} has no production {written.name!r}", written)
                yield self.renamed(written, {})
            elif written.is_code:
                yield self.recovered(found, self.compiled.productions[found], written)
            else:
                yield self.aligned(found, self.compiled.productions[found], written)

    def note(self, message: str, at: Production | None) -> None:
        self.diagnostics.append(Diagnostic("javacc-differs", message, at.span if at else None))

    def recovered(
        self, index: int, production: CompiledProduction, written: Production | None
    ) -> Definition:
        """A production as its code has it, with the place of the written one if there is one."""
        expression, exact = recover(production.follow)
        if not exact and written is None:
            self.note(
                f"the code of {production.name} does not show a grammar; what it consumes is taken"
                " to come in any order",
                None,
            )
        span = None if written is None else written.span
        builder = _Builder(self, index, production.sites)
        return Definition(production.name, builder.alternatives(expression), span)

    def element(self, index: int, site: int) -> None:
        """Note that a site is the next element."""
        if site:
            self.elements[index, site] = self.n_elements
        self.n_elements += 1

    def aligned(
        self, index: int, production: CompiledProduction, written: Production
    ) -> Definition:
        wanted = list(references([written.definition]))
        reached = frozenset().union(*production.follow)
        sites = [n for n in range(1, len(production.sites) + 1) if n in reached]
        pairs = self.alignment(wanted, [production.sites[n - 1] for n in sites])
        if len(pairs) < max(len(wanted), len(sites)):
            missed = max(len(wanted), len(sites)) - len(pairs)
            self.note(
                f"{written.name!r} and its code in {self.compiled.name} differ in {missed} of"
                f" {max(len(wanted), len(sites))} places",
                written,
            )
        return self.renamed(
            written, {place: (index, sites[other]) for place, other in pairs.items()}
        )

    def renamed(self, written: Production, sites: Mapping[int, tuple[int, int]]) -> Definition:
        """The definition with the names of terminals, its elements numbered."""
        counter = iter(range(len(list(references([written.definition])))))

        def rename(element: Element) -> Element:
            if isinstance(element, Block):
                return Block(element.operator, all_of(element.alternatives), element.span)
            index, site = sites.get(next(counter), (0, 0))
            self.element(index, site)
            return Reference(
                self.reference_name(element, index, site), element.span, element.display
            )

        def all_of(alternatives: Sequence[Alternative]) -> tuple[Alternative, ...]:
            return tuple(Alternative(tuple(map(rename, a.elements)), a.span) for a in alternatives)

        return Definition(written.name, all_of(written.alternatives), written.span)

    def reference_name(self, reference: Reference, index: int, site: int) -> str:
        """The symbol of an element: what its site says, else what the file says."""
        if site:
            found = self.compiled.productions[index].sites[site - 1]
            if found.code != CALL:
                return self.kind_names[found.argument]
        if reference.display is None:
            return reference.name
        kinds = range(len(self.kind_names))
        return next((self.kind_names[k] for k in kinds if self.means(reference, k)), reference.name)

    # --- alignment -----------------------------------------------------------------------

    def alignment(self, wanted: Sequence[Reference], sites: Sequence[Site]) -> dict[int, int]:
        """Which elements are which sites, both by position."""
        if len(wanted) == len(sites) and all(map(self.fits, wanted, sites)):
            return {i: i for i in range(len(wanted))}
        longest = [[0] * (len(sites) + 1) for _ in range(len(wanted) + 1)]
        for i in reversed(range(len(wanted))):
            for j in reversed(range(len(sites))):
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
                if self.fits(wanted[i], sites[j]):
                    longest[i][j] = max(longest[i][j], longest[i + 1][j + 1] + 1)
        pairs: dict[int, int] = {}
        i = j = 0
        while i < len(wanted) and j < len(sites):
            if self.fits(wanted[i], sites[j]) and longest[i][j] == longest[i + 1][j + 1] + 1:
                pairs[i] = j
                i, j = i + 1, j + 1
            elif longest[i + 1][j] >= longest[i][j + 1]:
                i += 1
            else:
                j += 1
        return pairs

    def fits(self, reference: Reference, site: Site) -> bool:
        """Whether an element can be a site."""
        if site.code == CALL:
            called = self.compiled.productions[site.argument].name
            return reference.display is None and reference.name == called
        return reference.display is not None and self.means(reference, site.argument)

    def means(self, token: Reference, kind: int) -> bool:
        """Whether a token as it is written can be of a kind."""
        if token.name.startswith('"'):
            literal = self.compiled.kinds.literal(kind)
            return literal is not None and literal.lower() == literal_text(token.name).lower()
        if token.name.startswith("<"):  # a regular expression without a label
            return kind > 0 and not self.compiled.kinds.label(kind)
        return token.name == (self.compiled.kinds.label(kind) or (END_OF_FILE if not kind else ""))


class _Builder:
    """Turns recovered expressions into the alternatives of a definition."""

    def __init__(self, mapping: _Mapping, index: int, sites: Sequence[Site]) -> None:
        self.mapping = mapping
        self.index = index
        self.sites = sites

    def alternatives(self, expression: Expression) -> tuple[Alternative, ...]:
        choices = (
            expression.parts
            if not isinstance(expression, Repeat) and expression.kind == "or"
            else (expression,)
        )
        return tuple(Alternative(tuple(self.elements(choice))) for choice in choices)

    def elements(self, expression: Expression) -> Iterator[Element]:
        if isinstance(expression, Repeat):
            operator = (
                Operator.OPTION
                if expression.once
                else Operator.STAR
                if expression.optional
                else Operator.PLUS
            )
            yield Block(operator, self.alternatives(expression.body))
        elif expression.kind == "site":
            yield self.reference(expression.site)
        elif expression.kind == "or":
            yield Block(Operator.GROUP, self.alternatives(expression))
        else:
            for part in expression.parts:
                yield from self.elements(part)

    def reference(self, number: int) -> Reference:
        self.mapping.element(self.index, number)
        site = self.sites[number - 1]
        if site.code == CALL:
            return Reference(self.mapping.compiled.productions[site.argument].name)
        kind = site.argument
        return Reference(self.mapping.kind_names[kind], display=self.mapping.display(kind))


def references(definitions: Sequence[Definition]) -> Iterator[Reference]:
    """The elements of definitions in order."""

    def within(alternatives: Sequence[Alternative]) -> Iterator[Reference]:
        for alternative in alternatives:
            for element in alternative.elements:
                if isinstance(element, Block):
                    yield from within(element.alternatives)
                else:
                    yield element

    for definition in definitions:
        yield from within(definition.alternatives)


def start_production(definitions: Sequence[Definition]) -> str | None:
    """The first production that no other calls, rather one with EOF."""
    called = {
        reference.name
        for definition in definitions
        for reference in references([definition])
        if reference.name != definition.name
    }
    roots = [definition for definition in definitions if definition.name not in called]
    whole = [d for d in roots if any(r.name == END_OF_FILE for r in references([d]))]
    return next((definition.name for definition in [*whole, *roots]), None)
