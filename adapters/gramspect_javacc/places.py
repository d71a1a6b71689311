"""Where JavaCC's parsers are: which sources the adapter takes, and the parsers in jars and folders.

Little is imported here: every adapter is asked whether a source is one of its own.
"""

from __future__ import annotations

from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from gramspect.adapter_api import AdapterError
from gramspect_jvm.classpath import place_and_class

__all__ = ["GRAMMARS", "claims", "classes_in", "only_parser"]

GRAMMARS = (".jj", ".jjt")
_LEXER = "TokenManager.class"


def claims(source: str) -> bool:
    """Whether a source looks like one for `load_parser`."""
    if source.endswith(GRAMMARS):
        return True
    place, name = place_and_class(source)
    folder = Path(place)
    if folder.is_dir():
        if name is not None:
            return (folder / f"{name.replace('.', '/')}{_LEXER}").is_file()
        return any(folder.glob(f"*{_LEXER}"))
    try:
        found = classes_in(place) if folder.is_file() and is_zipfile(place) else []
    except (AdapterError, OSError):
        return False
    return name in found if name else len(found) > 0


def classes_in(place: str) -> list[str]:
    """The parser classes of a jar or folder: those with a lexer beside them.

    Raises:
        AdapterError: it cannot be read.
    """
    try:
        if Path(place).is_dir():
            names = {path.relative_to(place).as_posix() for path in Path(place).rglob("*.class")}
        else:
            with ZipFile(place) as archive:
                names = set(archive.namelist())
    except (OSError, BadZipFile) as problem:
        raise AdapterError(f"{place}: cannot be read as a jar ({problem})") from problem
    parsers = (name.removesuffix(_LEXER) for name in names if name.endswith(_LEXER))
    return sorted(p.replace("/", ".") for p in parsers if f"{p}.class" in names)


def only_parser(place: str) -> str:
    """The parser class of a jar or folder that has one.

    Raises:
        AdapterError: there is none, or there are several.
    """
    found = classes_in(place)
    if len(found) == 1:
        return found[0]
    if not found:
        raise AdapterError(f"{place}: there is no parser in it that JavaCC has generated")
    raise AdapterError(f"{place}: which parser? Use {place}:{found[0]} (or {', '.join(found[1:])})")
