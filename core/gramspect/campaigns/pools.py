"""Where units are computed: this process, processes of this machine, a Dask cluster, Ray.

A pool hands out futures. Workers get the `Plan` once, when they start, and then names of units.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from importlib.util import find_spec
from typing import Any, Protocol, TypeAlias

from gramspect.campaigns.config import EngineConfig
from gramspect.campaigns.plan import Plan, UnitName
from gramspect.campaigns.working import Answer, begin_worker, take_plan, work, work_as_planned
from gramspect.errors import GramspectError, MissingDependency

__all__ = ["Answers", "Pool", "check_backend", "open_pool"]

Answers: TypeAlias = "Future[list[Answer]]"

_PACKAGES = {"loky": ("loky", "campaigns"), "dask": ("distributed", "dask"), "ray": ("ray", "ray")}


class Pool(Protocol):
    """Workers. `size` of them compute at the same time."""

    size: int

    def submit(self, units: Sequence[UnitName]) -> Answers:
        """Compute units in one of the workers."""
        ...

    def renew(self) -> None:
        """Get over the death of a worker: what is submitted from now on is computed."""
        ...

    def close(self) -> None:
        """End all workers."""
        ...


def check_backend(config: EngineConfig) -> None:
    """Say early what is not installed.

    Raises:
        MissingDependency: the package of the backend.
    """
    package, extra = _PACKAGES.get(config.backend, (None, None))
    if package is not None and find_spec(package) is None:
        raise MissingDependency(
            f"{config.backend} needs the package {package}, which is not installed:"
            f' pip install "gramspect[{extra}]"'
        )


def open_pool(plan: Plan) -> Pool:
    """The pool that the configuration asks for.

    Raises:
        MissingDependency: its package is not installed.
        GramspectError: its cluster cannot be reached.
    """
    config = plan.config.engine
    check_backend(config)
    size = config.jobs or os.cpu_count() or 1
    made: dict[str, Callable[[Plan, int], Pool]] = {
        "here": _Here,
        "loky": _Processes,
        "dask": _Dask,
        "ray": _Ray,
    }
    return made[config.backend](plan, size)


class _Here:
    """This process: nothing protects it from what units do."""

    def __init__(self, plan: Plan, size: int) -> None:
        self.size = 1
        self._plan = plan

    def submit(self, units: Sequence[UnitName]) -> Answers:
        done: Answers = Future()
        done.set_result(work(self._plan, units))
        return done

    def renew(self) -> None: ...

    def close(self) -> None: ...


class _Processes:
    """Processes of this machine. If one dies, loky gives up all of them."""

    def __init__(self, plan: Plan, size: int) -> None:
        self.size = size
        self._plan = plan
        self._executor = self._made()

    def _made(self) -> Any:
        from loky import ProcessPoolExecutor

        told = os.getpid(), self._plan
        return ProcessPoolExecutor(self.size, initializer=begin_worker, initargs=told)

    def submit(self, units: Sequence[UnitName]) -> Answers:
        found: Answers = self._executor.submit(work_as_planned, self._plan.digest, list(units))
        return found

    def renew(self) -> None:
        self.close()
        self._executor = self._made()

    def close(self) -> None:
        self._executor.shutdown(wait=True, kill_workers=True)


class _Dask:
    """A Dask cluster: the one at the address, else one of processes of this machine.

    Dask starts a worker that has died again and gives its work to another one, three times.
    """

    def __init__(self, plan: Plan, size: int) -> None:
        import distributed

        cluster: Any = distributed  # it has types for some of its functions only
        address = plan.config.engine.address
        self._cluster: Any = None
        if address is None:
            self._cluster = cluster.LocalCluster(
                n_workers=size, threads_per_worker=1, processes=True, dashboard_address=None
            )
        try:
            self._client: Any = cluster.Client(self._cluster or address, timeout=10)
        except OSError as problem:
            raise GramspectError(f"no Dask scheduler answers at {address}: {problem}") from problem
        self.size = size if self._cluster else max(1, sum(self._client.nthreads().values()))
        self._client.register_plugin(_plan_taker(plan))
        self._digest = plan.digest

    def submit(self, units: Sequence[UnitName]) -> Answers:
        done: Answers = Future()
        done.set_running_or_notify_cancel()
        asked = self._client.submit(work_as_planned, self._digest, list(units), pure=False)

        def finish(found: Any) -> None:
            try:
                done.set_result(found.result())
            except BaseException as problem:
                done.set_exception(problem)

        asked.add_done_callback(finish)
        return done

    def renew(self) -> None: ...

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def _plan_taker(plan: Plan) -> Any:
    """What Dask does in each worker when it starts, also in those that replace dead ones."""
    import distributed

    base: Any = distributed.WorkerPlugin

    class PlanTaker(base):  # type: ignore[misc]
        name = f"gramspect {plan.digest}"

        def setup(self, worker: Any) -> None:
            take_plan(plan)

    return PlanTaker()


class _Ray:
    """Ray: the cluster at the address, else one on this machine."""

    def __init__(self, plan: Plan, size: int) -> None:
        import ray as package

        ray: Any = package
        config = plan.config.engine
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
        try:
            if config.address is None:
                ray.init(num_cpus=size, include_dashboard=False, **options)
            else:
                ray.init(address=config.address, **options)
        except (OSError, ValueError, RuntimeError) as problem:
            raise GramspectError(f"no Ray answers at {config.address}: {problem}") from problem
        self._ray = ray
        self.size = max(1, int(ray.cluster_resources().get("CPU", size)))
        self._work = ray.remote(max_retries=0)(work)
        self._plan = ray.put(plan)

    def submit(self, units: Sequence[UnitName]) -> Answers:
        found: Answers = self._work.remote(self._plan, list(units)).future()
        return found

    def renew(self) -> None: ...

    def close(self) -> None:
        self._ray.shutdown()
