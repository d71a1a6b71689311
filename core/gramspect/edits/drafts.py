"""The user's grammar with changes that are not in its files, and the tool's parser for it.

A draft is loaded from a folder of its own, in which its files lie beside copies of what they may
import. The user's folder is never written to.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.util import cache_from_source
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from gramspect.edits.writing import Change, SourceFile, Unwritable
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer, TokenRuleKnowing
from gramspect.recognition.registry import adapter
from gramspect.recognition.surroundings import module_file, split_source
from gramspect.running.loading import LoadSpec
from gramspect.running.observing import silenced
from gramspect.source import Span

__all__ = ["Draft", "LoadedDraft", "NotFromDraft", "relocated"]

_LARGEST = 4_000_000
"""Files with more bytes than this are not copied because a grammar might need them."""
_LARGEST_PACKAGE = 60_000_000
"""Packages with more bytes than this are not copied."""


class NotFromDraft(GramspectError):
    """The parser that was loaded is not made of the files of the draft, so it says nothing."""


@dataclass(frozen=True)
class Draft:
    """A source that an adapter loads, with some files changed.

    `files` holds the changed ones, `known` the paths of all that the grammar is in, as the grammar
    spells them.
    """

    spec: LoadSpec
    known: tuple[str, ...]
    origin: Origin
    files: Mapping[str, SourceFile] = field(default_factory=dict)
    _unchanged: dict[str, SourceFile] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, spec: LoadSpec, grammar: Grammar) -> Draft:
        """The source as it is.

        Raises:
            Unwritable: it is no file or folder, nor a module in one.
        """
        origin = origin_of(spec.source)
        if origin is None:
            raise Unwritable(f"{spec.source} is no file; name the file to change it")
        files = tuple(file for file in grammar.files if Path(file).is_file())
        return cls(spec, files, origin)

    def read(self, path: str) -> SourceFile:
        """A file as it is in the draft; an unchanged one as it was when it was first read."""
        if path in self.files:
            return self.files[path]
        if path not in self._unchanged:
            self._unchanged[path] = SourceFile.read(path)
        return self._unchanged[path]

    def to_change(self, path: str) -> SourceFile:
        """The same, of a file that is to be changed.

        Raises:
            Unwritable: it comes with the tool, as an adapter's method ``ships`` may say.
        """
        ships: Callable[[str], bool] = getattr(adapter(self.spec.adapter), "ships", _says_no)
        if ships(path):
            raise Unwritable(f"{path} comes with the tool; copy it and import the copy")
        return self.read(path)

    def loads(self, path: str) -> bool:
        """Whether the parser is made from such a file when it is loaded.

        An adapter's method ``reads`` may say so of files of another kind than the source.
        """
        source = self.origin.path
        reads: Callable[[str], bool] = getattr(adapter(self.spec.adapter), "reads", _says_no)
        return source.is_dir() or source.suffix == Path(path).suffix or reads(path)

    def without_actions(self) -> Draft:
        """The draft of the parser alone, without the user's semantic actions."""
        options = replace(self.spec.options, actions=False)
        return replace(self, spec=replace(self.spec, options=options))

    def with_change(self, change: Change) -> Draft:
        """The draft with one more change."""
        return self.with_files(change.results)

    def with_file(self, file: SourceFile) -> Draft:
        """The draft with a file replaced."""
        return self.with_files([file])

    def with_files(self, files: Iterable[SourceFile]) -> Draft:
        """The draft with some files replaced."""
        return replace(self, files={**self.files, **{file.path: file for file in files}})

    def load(self) -> LoadedDraft:
        """The parser that the tool makes of it.

        Raises:
            GramspectError: the tool refuses it; paths in the message are the user's.
        """
        folder = TemporaryDirectory(prefix="gramspect-")
        try:
            return self._load(folder)
        except BaseException:
            folder.cleanup()
            raise

    def _load(self, folder: TemporaryDirectory[str]) -> LoadedDraft:
        files = [Path(file).resolve() for file in (*self.known, *self.files)]
        needed = self._needed(files)
        base = Path(folder.name).resolve()
        copies = {root: base / str(number) for number, root in enumerate(needed)}
        spelled = {path.resolve(): str(path) for path in map(Path, (*self.known, *self.files))}
        for root, copy in copies.items():
            copy.mkdir()
            for path in needed[root]:
                _copy(path, copy / path.relative_to(root))
        changed = {}
        for file in self.files.values():
            for target in _copied(Path(file.path).resolve(), copies):
                target.write_bytes(file.encoded())
                _compiled(target).unlink(missing_ok=True)
                changed[target] = file.path
        spec = self._of_copy(self.origin.moved(self.spec, copies))

        @cache
        def user_path(path: str) -> str:
            found = Path(path).resolve()
            for root, copy in copies.items():
                if copy in found.parents:
                    original = root / found.relative_to(copy)
                    return spelled.get(original, str(original))
            return path

        try:
            with silenced():
                recognizer = spec()
        except GramspectError as problem:
            message = problem.message
            for copy in copies.values():
                message = message.replace(f"{copy}{os.sep}", "")
            span = problem.span and replace(problem.span, file=user_path(problem.span.file))
            raise type(problem)(message, span) from None
        read = {Path(file).resolve() for file in recognizer.grammar.files}
        if not read.issuperset(changed):
            with silenced():
                read |= {Path(file).resolve() for file in _files_of_lexer(recognizer)}
        seen = {name for target, name in changed.items() if target in read}
        for name in self.files:
            if name not in seen:
                raise NotFromDraft(f"{self.spec.source} does not read a copy of {name}")
        return LoadedDraft(self, recognizer, spec, user_path, folder)

    def _of_copy(self, spec: LoadSpec) -> LoadSpec:
        """What loads the copies, with what an adapter's method ``options_of_copy`` may add: where
        the tool finds what is not copied."""
        add = getattr(adapter(self.spec.adapter), "options_of_copy", None)
        if add is None:
            return spec
        folder = str(self.origin.path.resolve().parent)
        return replace(spec, options=add(spec.options, self.spec.options, folder))

    def _needed(self, files: Sequence[Path]) -> dict[Path, set[Path]]:
        """What is copied, by the folders that it lies below; the one of the source comes first.

        Packages that are found on the path of modules are copied from there.

        Raises:
            NotFromDraft: a file that is changed is not where the parser's modules are, or its
                package is too large.
        """
        source = self.origin.path.resolve()
        home = source if source.is_dir() else source.parent
        path = [Path(entry).resolve() for entry in sys.path]
        tops = {
            file: top
            for file in files
            if (top := _package_elsewhere(file, self.origin, home, path))
        }
        beside = [file for file in files if file not in tops]
        packages = set(tops.values())
        if self.origin.home is None:
            root = Path(os.path.commonpath([home, *(file.parent for file in beside)]))
            near = chain.from_iterable(map(_package_of, beside))
            needed = {root: {*beside, *_neighbours(home, source), *near}}
        else:
            root = self.origin.home
            for file in map(Path, self.files):
                if file.resolve() in beside and root not in file.resolve().parents:
                    raise NotFromDraft(f"{self.spec.source} does not read a copy of {file}")
            below = [file.relative_to(root) for file in beside if root in file.parents]
            needed = {root: {root / part.parts[0] for part in (*below, source.relative_to(root))}}
            packages |= needed[root]
        size = sum(path.stat().st_size for top in packages for path in _files_below(top))
        if size > _LARGEST_PACKAGE:
            raise NotFromDraft(f"the package of {self.spec.source} is too large to be copied")
        for top in tops.values():
            needed.setdefault(top.parent, set()).add(top)
        return needed


@dataclass(frozen=True, eq=False)
class LoadedDraft:
    """A parser for a draft.

    It can be used as long as this object lives, since the object keeps the files.
    """

    draft: Draft
    recognizer: Recognizer
    loader: LoadSpec
    user_path: Callable[[str], str]
    _folder: TemporaryDirectory[str]

    @cached_property
    def grammar(self) -> Grammar:
        """Its grammar, with spans in the user's files."""
        return relocated(self.recognizer.grammar, self.user_path)


def relocated(grammar: Grammar, path_of: Callable[[str], str]) -> Grammar:
    """The grammar with other paths in its spans."""

    def moved(span: Span | None) -> Span | None:
        return span and replace(span, file=path_of(span.file))

    return replace(
        grammar,
        files=tuple(map(path_of, grammar.files)),
        symbols=tuple(replace(symbol, span=moved(symbol.span)) for symbol in grammar.symbols),
        rules=tuple(
            replace(rule, span=moved(rule.span), rhs_spans=tuple(map(moved, rule.rhs_spans)))
            for rule in grammar.rules
        ),
        diagnostics=tuple(replace(d, span=moved(d.span)) for d in grammar.diagnostics),
    )


def _files_of_lexer(recognizer: Recognizer) -> set[str]:
    """The files that the token rules of a parser are defined in, as far as they are known."""
    rules = recognizer.token_rules() if isinstance(recognizer, TokenRuleKnowing) else ()
    return {rule.span.file for rule in rules if rule.span is not None}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a source is: a file or folder, what is named in it, and for the name of a module the
    folder where modules are found."""

    path: Path
    attributes: str
    home: Path | None = None

    def moved(self, spec: LoadSpec, copies: Mapping[Path, Path]) -> LoadSpec:
        """What loads it from copies of folders, that of its own first."""
        homes = tuple(map(str, copies.values()))
        extra = {name: _moved(value, copies) for name, value in spec.options.extra.items()}
        spec = replace(spec, options=replace(spec.options, extra=extra))
        if self.home is not None:
            return replace(spec, homes=homes)
        root, copy = next(iter(copies.items()))
        place = copy / self.path.resolve().relative_to(root)
        return replace(spec, source=f"{place}{self.attributes}", homes=homes[1:])


def _moved(value: str, copies: Mapping[Path, Path]) -> str:
    """The value of an option with the paths in it, between colons, that were copied."""
    parts = value.split(":")
    for place, part in enumerate(parts):
        if not part.strip() or not os.path.exists(part):  # noqa: PTH110  # it may be no path at all
            continue
        path = Path(part).resolve()
        for root, copy in copies.items():
            if path.is_relative_to(root) and (there := copy / path.relative_to(root)).exists():
                parts[place] = str(there)
    return ":".join(parts)


def origin_of(source: str) -> Origin | None:
    """The origin of a source; None if there is none that could be copied."""
    if Path(source).exists():
        return Origin(Path(source), "")
    name, colon, attribute = source.rpartition(":")
    if colon and Path(name).exists():
        return Origin(Path(name), f":{attribute}")
    module = split_source(source)[0]
    file = module_file(module)
    if file is None:
        return None
    file = file.resolve()
    depth = len(module.split(".")) - (file.name != "__init__.py")
    return Origin(file, "", file.parents[depth])


def _package_elsewhere(file: Path, origin: Origin, home: Path, path: Sequence[Path]) -> Path | None:
    """The package, or module, that a file is in, if it is found in another folder of the `path` of
    modules than the source, whose folder is `home`."""
    above = set(file.parents)
    folders = [folder for folder in path if folder in above]
    if not folders:
        return None
    folder = max(folders, key=lambda one: len(one.parts))
    if folder == origin.home or (origin.home is None and folder in (home, *home.parents)):
        return None
    top = folder / file.relative_to(folder).parts[0]
    is_module = top == file and file.suffix == ".py"
    return top if is_module or (top / "__init__.py").is_file() else None


def _copied(file: Path, copies: Mapping[Path, Path]) -> list[Path]:
    """The copies of a file."""
    found = [copy / file.relative_to(root) for root, copy in copies.items() if root in file.parents]
    return [path for path in found if path.is_file()]


def _files_below(path: Path) -> Iterator[Path]:
    return (each for each in path.rglob("*") if each.is_file()) if path.is_dir() else iter([path])


def _says_no(_: str) -> bool:
    return False


def _package_of(file: Path) -> Iterator[Path]:
    """What a Python module of a grammar may need: its whole package, or the modules beside it."""
    folder = file.parent
    if file.suffix != ".py":
        return
    if not (folder / "__init__.py").is_file():
        yield from _neighbours(folder, file)
        return
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    yield folder


def _neighbours(home: Path, source: Path) -> Iterator[Path]:
    """What a grammar may need from its folder: files of its kind, descriptions, Python packages."""
    kind = ".xml" if source.is_dir() else source.suffix
    for path in home.iterdir():
        wanted = path.suffix == kind and path.is_file() and path.stat().st_size <= _LARGEST
        if wanted or (source.suffix == ".py" and (path / "__init__.py").is_file()):
            yield path


def _copy(path: Path, target: Path) -> None:
    """Copy a file or folder with its compiled modules, which Python knows by the times of files."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, target, dirs_exist_ok=True)
        return
    shutil.copy2(path, target)
    if path.suffix == ".py" and _compiled(path).is_file():
        _compiled(target).parent.mkdir(exist_ok=True)
        shutil.copy2(_compiled(path), _compiled(target))


def _compiled(module: Path) -> Path:
    """Where Python keeps the compiled form of a module."""
    return Path(cache_from_source(str(module)))
