"""What a campaign is: a TOML file, read into frozen dataclasses.

A key that is not known is an error that names the nearest one. Paths are relative to the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from gramspect.errors import GramspectError
from gramspect.generation.criteria import criterion_named
from gramspect.generation.generate import NEGATIVES
from gramspect.generation.texts.toml_file import TomlFile, read_toml
from gramspect.generation.texts.toml_tables import (
    check_keys,
    nearest,
    read_table,
    text_of,
    texts_of,
)
from gramspect.grammars.seeding import Mutation
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapters
from gramspect.recognition.trace import Extraction
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ties
from gramspect.spectrum.matrix import SpectrumKind

__all__ = [
    "BACKENDS",
    "TEXT",
    "CampaignConfig",
    "EngineConfig",
    "FaultConfig",
    "GrammarConfig",
    "MethodConfig",
    "SuiteConfig",
    "read_config",
]

TEXT = "text"
"""What the recognizer is called of which the adapter loads the text of a mutant."""
BACKENDS = ("here", "loky", "dask", "ray")
MOST_FAULTS = 5
T = TypeVar("T")


@dataclass(frozen=True)
class GrammarConfig:
    """A grammar: its file, and how that is loaded, as for `localize`.

    `samples` is a file with texts of tokens, as for `generate`; it and the options matter where
    the adapter loads the text.
    """

    file: str
    adapter: str | None = None
    start: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    samples: str | None = None

    @property
    def load(self) -> LoadOptions:
        """How an adapter loads it."""
        return LoadOptions(self.start, extra=dict(self.options), adapter=self.adapter)


@dataclass(frozen=True)
class FaultConfig:
    """Which mutants there are.

    Attributes:
        operators: the mutation operators (`gramspect.grammars.seeding.Mutation`).
        sample: how many mutants of each grammar, drawn by `seed`; None for all. A larger sample
            has the smaller one in it.
        seed: draws the sample, and the faults that are put together.
        together: how many faults each mutant has, 1 to 5; several need a sample.
        conflicts: what becomes of a mutant whose LALR(1) table has a conflict that precedence does
            not settle: ``resolve`` it as yacc does, or ``refuse`` the mutant as CUP does.
    """

    operators: tuple[str, ...] = tuple(Mutation)
    sample: int | None = None
    seed: int = 1
    together: int = 1
    conflicts: str = "resolve"


@dataclass(frozen=True)
class SuiteConfig:
    """The tests of one suite: generated ones (`gramspect.generation.generate.Plan`) and files.

    `accept` and `reject` are files or folders as `localize` takes them, in `lines` with one test
    on each line. Their tests are sequences of token names; where the adapter loads the text of the
    grammar (`gramspect.campaigns.written`) they are texts that its lexer reads.
    """

    criteria: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    base: tuple[str, ...] = ()
    per_sentence: int | None = None
    random: int = 0
    seed: int | None = None
    limit: int | None = None
    accept: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    lines: bool = False

    @property
    def generates(self) -> bool:
        """Whether tests are generated, beside those of files."""
        return bool(self.criteria or self.negative or self.random)


@dataclass(frozen=True)
class MethodConfig:
    """The ways of ranking: all combinations of these.

    `located` is the number of failing tests of a suite whose places of errors count as evidence.
    """

    spectra: tuple[str, ...] = ("rule", "item")
    extractions: tuple[str, ...] = ("exact",)
    evidence: tuple[str, ...] = ("spectrum",)
    metrics: tuple[str, ...] = ("tarantula", "ochiai", "jaccard", "dstar")
    ties: tuple[str, ...] = ("mid", "kmax")
    located: int = 200


@dataclass(frozen=True)
class EngineConfig:
    """Who computes. Nothing in a result depends on it.

    Attributes:
        jobs: the number of worker processes, None for one for each core.
        backend: ``loky`` (processes of this machine), ``dask``, ``ray``, or ``here``: in this
            process, without protection from parsers that crash or hang.
        address: that of the Dask scheduler or of the Ray cluster, None for one on this machine.
        batch: units that a worker gets at once.
        timeout: seconds that a unit may take.
        retries: how often a unit that took its worker down is tried again, alone.
        memory: megabytes that a worker may have, None for any number.
    """

    jobs: int | None = None
    backend: str = "loky"
    address: str | None = None
    batch: int = 16
    timeout: float = 300.0
    retries: int = 3
    memory: int | None = None


@dataclass(frozen=True)
class CampaignConfig:
    """A campaign. `grammars` and `suites` are by name; `file` is what was read."""

    file: str
    store: str
    grammars: Mapping[str, GrammarConfig]
    recognizers: tuple[str, ...]
    suites: Mapping[str, SuiteConfig]
    faults: FaultConfig = field(default_factory=FaultConfig)
    methods: MethodConfig = field(default_factory=MethodConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)

    def described(self) -> str:
        """All that results depend on, but for the content of files, as JSON; suites in order."""
        kept = {
            "recognizers": self.recognizers,
            "faults": asdict(self.faults),
            "methods": asdict(self.methods),
            "suites": {name: asdict(suite) for name, suite in self.suites.items()},
        }
        return json.dumps(kept)


_TOP = ("store", "recognizers", "grammars", "faults", "suites", "methods", "engine")


def read_config(path: str) -> CampaignConfig:
    """Read the file of a campaign.

    Raises:
        GramspectError: it cannot be read, is no TOML, or has a key or value that is not known.
    """
    file = read_toml(path)
    table = file.table
    check_keys(file, table, _TOP, "a campaign")
    folder = Path(path).parent
    grammars = {
        name: _grammar(file, name, each, folder)
        for name, each in _tables(file, table, "grammars").items()
    }
    suites = {
        name: _suite(file, name, each, folder)
        for name, each in _tables(file, table, "suites").items()
    }
    config = CampaignConfig(
        file=path,
        store=str(folder / text_of(file, "store", table.get("store", f"{Path(path).stem}.db"))),
        grammars=grammars,
        recognizers=texts_of(file, "recognizers", table.get("recognizers", ["native"])),
        suites=suites,
        faults=_section(file, table, "faults", FaultConfig),
        methods=_section(file, table, "methods", MethodConfig),
        engine=_section(file, table, "engine", EngineConfig),
    )
    _check(file, config)
    return config


def _check(file: TomlFile, config: CampaignConfig) -> None:
    """Values that are of the right type and still make no sense."""
    for key, given, known in (
        ("recognizers", config.recognizers, [*adapters(), TEXT]),
        ("operators", config.faults.operators, [str(each) for each in Mutation]),
        ("conflicts", [config.faults.conflicts], ["resolve", "refuse"]),
        ("spectra", config.methods.spectra, [str(each) for each in SpectrumKind]),
        ("extractions", config.methods.extractions, [str(each) for each in Extraction]),
        ("evidence", config.methods.evidence, [str(each) for each in Evidence]),
        ("ties", config.methods.ties, [str(each) for each in Ties]),
        ("backend", [config.engine.backend], BACKENDS),
    ):
        for value in given:
            if value not in known:
                raise file.error(key, f"there is no {value!r}{nearest(value, known)}")
        if not given:
            raise file.error(key, f"{key} must name at least one of {', '.join(known)}")
    _check_names(file, config)
    together = config.faults.together
    if not 1 <= together <= MOST_FAULTS:
        raise file.error("together", f"a mutant has 1 to {MOST_FAULTS} faults, not {together}")
    if together > 1 and config.faults.sample is None:
        raise file.error("together", "several faults together need a sample, as in sample = 500")
    for key, number in (("batch", config.engine.batch), ("timeout", config.engine.timeout)):
        if number <= 0:
            raise file.error(key, f"{key} must be positive")


def _check_names(file: TomlFile, config: CampaignConfig) -> None:
    """Metrics, criteria and kinds of negative tests."""
    for name in config.methods.metrics:
        with _said_at(file, "metrics"):
            metric(name)
    for suite in config.suites.values():
        for key, names in (("criteria", suite.criteria), ("base", suite.base)):
            for name in names:
                with _said_at(file, key):
                    criterion_named(name)
        for name in suite.negative:
            if name not in NEGATIVES:
                raise file.error("negative", f"there is no {name!r}{nearest(name, NEGATIVES)}")


@contextmanager
def _said_at(file: TomlFile, key: str) -> Iterator[None]:
    try:
        yield
    except GramspectError as problem:
        raise file.error(key, problem.message) from None


def _grammar(file: TomlFile, name: str, table: Any, folder: Path) -> GrammarConfig:
    if isinstance(table, str):
        table = {"file": table}
    if not isinstance(table, dict) or "file" not in table:
        raise file.error(name, f'the grammar {name} must be a file, as in {name} = "calc.y"')
    options = table.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(x, str) for x in options.values()):
        raise file.error("options", 'options must be texts, as in options = { postlex = "m:C" }')
    simple = {key: value for key, value in table.items() if key != "options"}
    check_keys(file, table, [each.name for each in fields(GrammarConfig)], f"[grammars.{name}]")
    found = read_table(file, simple, GrammarConfig, f"[grammars.{name}]")
    return replace(
        found,
        file=str(folder / found.file),
        options=options,
        samples=None if found.samples is None else str(folder / found.samples),
    )


def _suite(file: TomlFile, name: str, table: Any, folder: Path) -> SuiteConfig:
    if not isinstance(table, dict):
        raise file.error(name, f"the suite {name} must be a table, as in [suites.{name}]")
    found = read_table(file, table, SuiteConfig, f"[suites.{name}]")
    if not (found.generates or found.accept or found.reject):
        raise file.error(name, f'the suite {name} has no tests; say criteria = ["rule"] or so')
    placed = {
        key: tuple(str(folder / each) for each in getattr(found, key))
        for key in ("accept", "reject")
    }
    return SuiteConfig(**{**_values(found), **placed})


def _tables(file: TomlFile, table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = table.get(key)
    if not isinstance(found, dict) or not found:
        raise GramspectError(f"{file.file}: a campaign needs [{key}] with at least one entry")
    return found


def _section(file: TomlFile, table: Mapping[str, Any], key: str, into: Callable[..., T]) -> T:
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise file.error(key, f"{key} must be a table, as in [{key}]")
    return read_table(file, found, into, f"[{key}]")


def _values(made: Any) -> dict[str, Any]:
    return {each.name: getattr(made, each.name) for each in fields(made)}
