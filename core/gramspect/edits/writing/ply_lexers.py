"""New tokens in lexers of PLY.

A word goes where the words of the language are listed with their tokens, if there is such a
dictionary, or where the names are listed of which such a dictionary is made; else it gets a
function before all others. A sign gets a variable, which PLY orders by length. The name of the
token goes where most names of tokens are listed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from gramspect.edits.writing.files import Replacement, SourceFile, Unwritable
from gramspect.edits.writing.new_names import IN_QUOTES, IS_WORD, new_name
from gramspect.edits.writing.regions import UNDEFINED

__all__ = ["PlyLexer", "ply_lexers"]

Scope = ast.Module | ast.ClassDef

_BLANKS, _REST = re.compile(r"[ \t]*"), re.compile(r"[^\r\n]*")
_COMMENT = re.compile(r"[ \t]*(,?)[ \t]*#[^\r\n]*")
"""A comment after an element, perhaps with a comma between."""


def ply_lexers(file: SourceFile, terminals: frozenset[str]) -> Iterator[PlyLexer]:
    """The modules and classes of a file that may be lexers."""
    try:
        tree = ast.parse(file.text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, Scope):
            yield PlyLexer(file, tree, node, terminals)


@dataclass
class PlyLexer:
    """A module or a class with rules called ``t_NAME``."""

    file: SourceFile
    tree: ast.Module
    scope: Scope
    terminals: frozenset[str]
    replacements: list[Replacement] = field(default_factory=list)

    @cached_property
    def rules(self) -> Sequence[tuple[str, ast.stmt]]:
        """The rules of the scope, in order."""
        return [
            (name.removeprefix("t_"), node)
            for node in self.scope.body
            for name in _defined(node)
            if name.startswith("t_")
        ]

    @property
    def n_known(self) -> int:
        return sum(name in self.terminals for name, _ in self.rules)

    def define(self, text: str, taken: Collection[str]) -> str:
        """Define a token for a text; returns what rules call it."""
        if len(text) == 1 and text not in "\\'\"" and self._add_literal(text):
            return f"'{text}'"
        named = {*taken, *(name for name, _ in self.rules)}
        if IS_WORD.fullmatch(text) is None:
            name = new_name(text, named)
            self._add_rule(text, name, is_word=False)
        elif (known := self._words()) is not None:
            name = new_name(text, named, _prefix(known))
            self._insert_entry(known, text, name)
            if not any(_values(known) & set(_texts(one)) for one in self._lists()):
                return name  # the names are taken from the dictionary
        else:
            name = new_name(text, named)
            keywords = self._keywords(text) if name == text.upper() else None
            if keywords is not None:
                self._insert_element(keywords, name)
                return name
            self._add_rule(text, name, is_word=True)
        self._insert_element(self._list(), name)
        return name

    # --- where names are listed ----------------------------------------------------------

    def _nodes(self) -> Iterator[ast.AST]:
        """All of the scope, then of its module."""
        return chain(ast.walk(self.scope), ast.walk(self.tree))

    def _lists(self) -> list[ast.List | ast.Tuple]:
        """The lists of names of tokens, the longest first."""
        found = [
            node
            for node in dict.fromkeys(self._nodes())
            if isinstance(node, ast.List | ast.Tuple) and self._are_names(_texts(node))
        ]
        return sorted(found, key=lambda node: -len(node.elts))

    def _list(self) -> ast.List | ast.Tuple:
        """The list that ``tokens`` is made of, else the longest one."""
        lists = self._lists()
        for node in self._nodes():
            match node:
                case ast.Assign(targets=[ast.Name(id="tokens")], value=value):
                    inside = set(ast.walk(value))
                    lists = [one for one in lists if one in inside] or lists
        if not lists:
            raise Unwritable(f"{UNDEFINED}, and add it to the list of tokens")
        return lists[0]

    def _keywords(self, text: str) -> ast.List | ast.Tuple | None:
        """The list of the names that other code makes words of: no rule is called so.

        Of several it is the one whose names begin as the text does, with an underscore or without.
        """
        ruled = {name for name, _ in self.rules}
        whole = self._list()
        lists = [
            one
            for one in self._lists()
            if one is not whole
            and all(name and name.isupper() and name not in ruled for name in _texts(one))
        ]

        def alike(one: ast.List | ast.Tuple) -> float:
            begins = [(name or "").startswith("_") for name in _texts(one)]
            return begins.count(text.startswith("_")) / len(begins)

        return max(lists, key=alike, default=None)

    def _words(self) -> ast.Dict | None:
        """The dictionary from the words of the language to their tokens."""
        for node in self._nodes():
            if isinstance(node, ast.Dict):
                keys, values = [_text(key) for key in node.keys], [_text(v) for v in node.values]
                words = [key for key in keys if key is not None and IS_WORD.fullmatch(key)]
                if words and len(words) == len(keys) and self._are_names(values):
                    return node
        return None

    def _are_names(self, texts: Sequence[str | None]) -> bool:
        """Whether texts are names of tokens, of which not all need be used."""
        known = sum(text in self.terminals for text in texts)
        is_name = all(text is not None and text.isidentifier() for text in texts)
        return bool(texts) and is_name and 2 * known >= len(texts)

    # --- what is put in ------------------------------------------------------------------

    def _add_literal(self, character: str) -> bool:
        """Whether the lexer lists characters that are tokens by themselves; one more is added."""
        for node in self.scope.body:
            match node:
                case ast.Assign(
                    targets=[ast.Name(id="literals")],
                    value=ast.List(elts=[*_, last]) | ast.Tuple(elts=[*_, last]),
                ) if _text(last) is not None:
                    self._insert_after(last, f"{self._quoted_as(last, character)}")
                    return True
                case ast.Assign(
                    targets=[ast.Name(id="literals")], value=ast.Constant(value=str()) as whole
                ):
                    end = self._end(whole) - 1
                    self.replacements.append(Replacement(end, end, character))
                    return True
        return False

    def _add_rule(self, text: str, name: str, is_word: bool) -> None:
        functions = [node for _, node in self.rules if isinstance(node, ast.FunctionDef)]
        variables = [node for _, node in self.rules if isinstance(node, ast.Assign)]
        if is_word and functions:
            self._add_function(functions[0], name, rf"\b{re.escape(text)}\b")
            return
        quote = IN_QUOTES.fullmatch(text)  # nobody means just this one
        pattern = f"{quote[1]}[^{quote[1]}]*{quote[1]}" if quote else re.escape(text)
        rule = f't_{name} = r"{pattern}"' if "'" in pattern else f"t_{name} = r'{pattern}'"
        if '"' in pattern and "'" in pattern:
            raise Unwritable(UNDEFINED)
        if variables:
            last = variables[-1]
            end = _REST.match(self.file.text, self._end(last))
            assert end is not None
            made = f"\n{self._indent(last.lineno)}{rule}"
            self.replacements.append(Replacement(end.end(), end.end(), made))
        else:
            start, indent = self._line_of(functions[0])
            blank = "\n" if indent else "\n\n"
            self.replacements.append(Replacement(start, start, f"{indent}{rule}\n{blank}"))

    def _add_function(self, before: ast.FunctionDef, name: str, pattern: str) -> None:
        """A rule that is tried before all others."""
        start, indent = self._line_of(before)
        parameters = [parameter.arg for parameter in before.args.args]
        head = f"{indent}def t_{name}({', '.join(parameters)}):\n"
        inside = indent + ("\t" if "\t" in indent else "    ")
        body = f"{inside}r'{pattern}'\n{inside}return {parameters[-1]}\n"
        blank = "\n" if indent else "\n\n"
        self.replacements.append(Replacement(start, start, f"{head}{body}{blank}"))

    def _line_of(self, node: ast.FunctionDef) -> tuple[int, str]:
        """Where the lines of a function begin, and its indent."""
        line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return self.file.line_offsets[line - 1], self._indent(line)

    def _indent(self, line: int) -> str:
        found = _BLANKS.match(self.file.text, self.file.line_offsets[line - 1])
        return found[0] if found else ""

    def _insert_element(self, names: ast.List | ast.Tuple, name: str) -> None:
        last = _elements(names)[-1]
        self._insert_after(last, self._quoted_as(last, name))

    def _insert_entry(self, words: ast.Dict, text: str, name: str) -> None:
        key, value = words.keys[-1], words.values[-1]
        assert key is not None
        cases = {(_text(one) or "").isupper() for one in words.keys}
        if cases == {True} or (cases == {False} and (_text(key) or "").islower()):
            text = text.upper() if cases == {True} else text.lower()
        entry = f"{self._quoted_as(key, text)}: {self._quoted_as(value, name)}"
        self._insert_after(value, entry, key)

    def _insert_after(self, last: ast.expr, new: str, begins: ast.expr | None = None) -> None:
        """Put something after the last element, on a line of its own if that has one."""
        start, end = self._start(begins or last), self._end(last)
        before = self.file.text[self.file.line_offsets[(begins or last).lineno - 1] : start]
        comment = _COMMENT.match(self.file.text, end)
        if before.strip():
            self.replacements.append(Replacement(end, end, f", {new}"))
        elif comment is None:
            self.replacements.append(Replacement(end, end, f",\n{before}{new}"))
        else:  # it stays with the element
            if not comment[1]:
                self.replacements.append(Replacement(end, end, ","))
            end = comment.end()
            self.replacements.append(Replacement(end, end, f"\n{before}{new}{comment[1]}"))

    def _quoted_as(self, like: ast.expr, text: str) -> str:
        """A string with the quotes of another one."""
        quote = '"' if self.file.text[self._start(like)] == '"' else "'"
        return f"{quote}{text}{quote}"

    def _start(self, node: ast.expr) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        """An offset in the text; Python counts columns in bytes."""
        start = self.file.line_offsets[line - 1]
        text = self.file.text[start:]
        return start + len(text.encode()[:column].decode(errors="replace"))


def _defined(node: ast.stmt) -> Iterator[str]:
    """The names of a function, or of the variables of an assignment."""
    match node:
        case ast.FunctionDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (one.id for x in targets for one in ast.walk(x) if isinstance(one, ast.Name))


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _elements(node: ast.List | ast.Tuple) -> list[ast.expr]:
    """The elements by themselves: a list may also take over those of others."""
    return [element for element in node.elts if not isinstance(element, ast.Starred)]


def _texts(node: ast.List | ast.Tuple) -> list[str | None]:
    return [_text(element) for element in _elements(node)]


def _prefix(words: ast.Dict) -> str:
    """What the names of words have before the word."""
    pairs = zip(words.keys, words.values, strict=True)
    texts = [((_text(key) or "").upper(), _text(value) or "") for key, value in pairs]
    prefixes = {name.removesuffix(word) for word, name in texts if name.endswith(word)}
    return prefixes.pop() if len(prefixes) == 1 else ""


def _values(words: ast.Dict) -> set[str | None]:
    return {_text(value) for value in words.values}
