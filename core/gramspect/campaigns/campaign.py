"""A campaign: a plan, a store, and an engine that computes what is not there yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from gramspect.campaigns.config import CampaignConfig, read_config
from gramspect.campaigns.engine import run_units
from gramspect.campaigns.plan import Plan, make_plan
from gramspect.campaigns.pools import check_backend
from gramspect.campaigns.rounds import RoundsRow, rounds_table, summaries
from gramspect.campaigns.store import Store
from gramspect.campaigns.units import Result
from gramspect.files import check_writable

__all__ = ["Campaign", "Progress", "Status", "campaign", "mending", "status"]


@dataclass(frozen=True)
class Progress:
    """How far a campaign is: units done and to do, those of this run, and its seconds so far."""

    done: int
    total: int
    here: int
    seconds: float

    @property
    def seconds_left(self) -> float | None:
        """At the speed of this run; None before its first unit."""
        return (self.total - self.done) * self.seconds / self.here if self.here else None


@dataclass(frozen=True)
class Campaign:
    """A finished campaign. Its results are in the file `store`."""

    config: CampaignConfig
    store: str
    n_units: int
    n_computed: int


def campaign(
    config: str | CampaignConfig, progress: Callable[[Progress], None] | None = None
) -> Campaign:
    """Compute all units of a campaign that are not in its store.

    Args:
        config: the path of a TOML file (docs/campaigns.md), or the configuration read from one.
        progress: called whenever units are done.

    Raises:
        GramspectError: the configuration, a grammar or a suite cannot be used, the store is of
            another configuration, or somebody else writes into it.
        MissingDependency: an adapter or the backend is not installed.
    """
    read = read_config(config) if isinstance(config, str) else config
    check_backend(read.engine)
    check_writable(read.store)
    plan = make_plan(read)
    with Store.writing(read.store) as store:
        return _run(plan, store, progress)


def mending(
    config: str | CampaignConfig, progress: Callable[[Progress], None] | None = None
) -> list[RoundsRow]:
    """Mend the faults of all mutants one after the other (`gramspect.campaigns.rounds`).

    Mutants for which that was done before are taken from the store. It is done in this process.

    Args:
        config, progress: see `campaign`.

    Raises:
        GramspectError: see `campaign`.
    """
    read = read_config(config) if isinstance(config, str) else config
    check_writable(read.store)
    plan = make_plan(read)
    begin = monotonic()
    with Store.writing(read.store) as store:
        _agree(plan, store)
        units = list(plan.units())
        there = store.rounds()
        waiting = [unit for unit in units if unit not in there]
        for here, unit in enumerate(waiting, start=1):
            there[unit] = summaries(plan, unit)
            store.add_rounds(unit, there[unit])
            if progress is not None:
                done = len(units) - len(waiting) + here
                progress(Progress(done, len(units), here, monotonic() - begin))
        return list(rounds_table(plan, there))


def _agree(plan: Plan, store: Store) -> None:
    """Make sure that the results of a plan go with those of a store."""
    sizes = {name: len(plan.subject(name).faulty) for name in plan.config.grammars}
    store.agree(plan.config.described(), plan.contexts(), sizes)


def _run(plan: Plan, store: Store, progress: Callable[[Progress], None] | None) -> Campaign:
    config = plan.config
    _agree(plan, store)
    units = list(plan.units())
    done = store.done()
    waiting = [unit for unit in units if unit not in done]
    computed = 0
    begin = monotonic()

    def keep(results: Sequence[Result]) -> None:
        nonlocal computed
        store.add(results)
        computed += len(results)
        if progress is not None:
            there = len(units) - len(waiting) + computed
            progress(Progress(there, len(units), computed, monotonic() - begin))

    if waiting:
        run_units(plan, waiting, keep)
    return Campaign(config, config.store, len(units), computed)


@dataclass(frozen=True)
class Status:
    """What is in a store: units, and seconds of processor time, by grammar, recognizer and
    outcome."""

    store: str
    total: int
    counts: dict[tuple[str, str, str], tuple[int, float]]

    @property
    def done(self) -> int:
        """The units that are there."""
        return sum(number for number, _ in self.counts.values())


def status(config: str | CampaignConfig) -> Status:
    """How far a campaign is, also while it runs.

    Raises:
        GramspectError: the configuration cannot be used, or there are no results yet.
    """
    read = read_config(config) if isinstance(config, str) else config
    plan = make_plan(read)
    sizes = [len(plan.subject(name).faulty) for name in read.grammars]
    with Store.reading(read.store) as store:
        return Status(read.store, sum(sizes) * len(read.recognizers), store.counts())
