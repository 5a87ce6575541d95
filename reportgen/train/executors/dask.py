"""Jobs on the workers of a Dask scheduler: one that runs already, or one on this machine."""

from __future__ import annotations

import importlib
import ipaddress
import logging
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from reportgen.records.errors import (
    ClusterError,
    MissingExtraError,
    UsageError,
    WorkerLostError,
    install_command,
)
from reportgen.train.executors.base import check_given, closing, devices_for
from reportgen.train.executors.children import call_for, stop_for

RETRIES = 2
CONNECT_S = 10


class ClusterExecutor(Executor):
    """Tasks on the workers of a Dask scheduler, one at a time a worker thread.

    A task whose worker is lost is done again on another one, and a task that fails is tried
    `RETRIES` times more: tasks must bear being repeated.

    Args:
        client: A `distributed.Client`.
        gpus: True gives tasks only to workers started with `--resources GPU=1`.
    """

    def __init__(self, client: Any, *, gpus: bool) -> None:
        self._client = client
        self._token = uuid.uuid4().hex
        self._closed = False
        resources = {"resources": {"GPU": 1}} if gpus else {}
        self._inner = client.get_executor(pure=False, retries=RETRIES, **resources)

    @property
    def threads(self) -> int:
        """Tasks that the workers do at one time."""
        return sum(self._client.ncores().values())

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand in a task; what it takes and returns must be picklable.

        Raises:
            RuntimeError: The executor was shut down.
        """
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        inner = self._inner.submit(partial(call_for, self._token, fn, *args, **kwargs))
        outer: Future[Any] = Future()
        outer.add_done_callback(lambda future: future.cancelled() and inner.cancel())
        inner.add_done_callback(partial(_hand_over, outer))
        return outer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; with `cancel_futures`, drop the waiting and stop the running."""
        self._closed = True
        if cancel_futures:
            # A scheduler that is gone has nothing left to stop: the workers end with it.
            with suppress(OSError):
                self._inner.shutdown(wait=False)
                self._client.run(stop_for, self._token, on_error="ignore")
        elif wait:
            self._inner.shutdown(wait=True)


def _hand_over(outer: Future[Any], inner: Future[Any]) -> None:
    """Give a future the outcome of Dask's, in this package's words where a worker was lost."""
    if inner.cancelled():
        outer.cancel()
    if not outer.set_running_or_notify_cancel():
        return
    error = inner.exception()
    if error is None:
        outer.set_result(inner.result())
    elif type(error).__name__ == "KilledWorker":
        outer.set_exception(
            WorkerLostError(
                f"the workers that did a job were lost one after the other: {error}",
                remedy="most often the memory has run out; the workers' own logs tell more",
            )
        )
    else:
        outer.set_exception(error)


@contextmanager
def executor_on(cluster: Any, *, gpus: bool, security: Any = None) -> Iterator[Executor]:
    """Connect to a scheduler; what still runs when the block is left by an exception is stopped.

    Args:
        cluster: Address of a scheduler that runs, or a cluster of `distributed` of our own.
        gpus: See `ClusterExecutor`.
        security: A `distributed.Security`; None takes what Dask's own configuration says.

    Raises:
        ClusterError: The scheduler does not answer, or has no worker for the work.
        UsageError: It listens to the network without TLS.
    """
    distributed = needed("distributed")
    try:
        client = distributed.Client(
            cluster, timeout=CONNECT_S, set_as_default=False, security=security
        )
    except (OSError, TypeError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {cluster}: {error}",
            remedy="start `dask scheduler`, or mend the address; tls:// needs the certificates "
            "that DASK_DISTRIBUTED__COMM__TLS__... name",
        ) from error
    with client:
        if isinstance(cluster, str):
            _check_workers(client, gpus=gpus)
        with closing(ClusterExecutor(client, gpus=gpus)) as executor:
            yield executor


def _check_workers(client: Any, *, gpus: bool) -> None:
    """See that somebody can take the work and that nobody else can hand in any."""
    try:
        listening = [client.run_on_scheduler(_listening), *client.run(_listening).values()]
    except Exception as error:
        # What a worker cannot import, Dask hands on as a plain Exception with the text of it.
        if not isinstance(error, ImportError) and "ModuleNotFoundError" not in str(error):
            raise
        raise ClusterError(
            f"the Dask scheduler or a worker cannot import reportgen: {error}",
            remedy="start both from environments with the reportgen that runs here and the "
            "extras `train` and `cluster`",
        ) from error
    for addresses in listening:
        check_closed(addresses)
    info = client.scheduler_info()
    start = f"dask worker {info['address']} --host 127.0.0.1 --nthreads 1"
    if not info["workers"]:
        raise ClusterError("the Dask scheduler has no worker", remedy=f"start some: {start}")
    offered = (worker.get("resources", {}).get("GPU") for worker in info["workers"].values())
    if gpus and not any(offered):
        raise ClusterError(
            "no worker of the Dask scheduler has a GPU to offer",
            remedy=f"start one a GPU: CUDA_VISIBLE_DEVICES=0 {start} --resources GPU=1",
        )


def _listening(dask_scheduler: Any = None, dask_worker: Any = None) -> list[str]:
    """Return where a process really listens; Dask fills in one of the arguments, by its name.

    A worker without `--host` listens everywhere, whatever it says.
    """
    return [one.listen_address for one in (dask_scheduler or dask_worker).listeners]


def check_closed(addresses: Iterable[str]) -> None:
    """Refuse a port that runs anybody's code: whoever reaches a Dask port may run any.

    Raises:
        UsageError: An address is neither on the loopback interface nor protected by TLS.
    """
    for address in addresses:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        inside = parts.hostname == "localhost"
        with suppress(ValueError):
            inside = inside or ipaddress.ip_address(parts.hostname or "").is_loopback
        if parts.scheme == "tls" or (parts.scheme == "tcp" and inside):
            continue
        raise UsageError(
            f"{address} is open: whoever reaches it can run any code there",
            remedy="start scheduler and workers with --host 127.0.0.1, or with certificates and "
            "tls://",
        )


def needed(module: str) -> Any:
    """Import a module of the extra `cluster`.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"running on a cluster needs the package {error.name or module}",
            remedy=install_command("cluster"),
        ) from error


LOOPBACK = "127.0.0.1"


@contextmanager
def open_executor(
    *, workers: int, gpus: int, address: str = "", options: Mapping[str, str]
) -> Iterator[Executor]:
    """Open an executor on a Dask scheduler.

    A job trains in a child process of the worker, because a worker whose thread holds the
    interpreter's lock for long misses its heartbeats and is taken for lost.

    Args:
        workers: Worker processes to start without an address; with one, the workers are those
            that are connected.
        gpus: With an address, 0 or not: jobs go only to workers that were started with
            `--resources GPU=1`. Without one, the GPUs of this machine to spread the workers over.
        address: `tls://HOST:PORT`, or `tcp://127.0.0.1:PORT`; empty starts a scheduler and workers
            on the loopback interface, which end with the block.
        options: Must be empty; certificates are found by Dask's own configuration.

    Raises:
        UsageError: An argument cannot be used, or a port is open to the network.
        ClusterError: The scheduler does not answer, or has no worker for the work.
        MissingExtraError: The extra `cluster` is not installed.
    """
    check_given("dask", workers, gpus, options=options)
    needed("distributed")
    if address:
        check_closed([address])
        with executor_on(address, gpus=bool(gpus)) as executor:
            yield executor
    else:
        # A lost worker is started again by its nanny, which Dask would close if that takes long.
        patient = {"distributed.deploy.lost-worker-timeout": "1 day"}
        with (
            needed("dask.config").set(patient),
            _cluster_here(workers, devices_for(workers, gpus)) as cluster,
            executor_on(cluster, gpus=bool(gpus)) as executor,
        ):
            yield executor


def _cluster_here(workers: int, devices: tuple[str, ...]) -> Any:
    """Return a cluster of one-thread processes, each with a GPU of its own where there are any.

    `LocalCluster` gives all its workers the same environment, hence the longer way.
    """
    distributed = needed("distributed")
    common = {"nthreads": 1, "host": LOOPBACK, "memory_limit": 0, "silence_logs": logging.ERROR}
    gpus = [{"env": {"CUDA_VISIBLE_DEVICES": name}, "resources": {"GPU": 1}} for name in devices]
    specs = [
        {"cls": distributed.Nanny, "options": {**common, **own}} for own in gpus or [{}] * workers
    ]
    quiet = {"dashboard": False, "dashboard_address": f"{LOOPBACK}:0"}
    return distributed.SpecCluster(
        workers=dict(enumerate(specs)),
        scheduler={
            "cls": distributed.Scheduler,
            "options": {"host": LOOPBACK, "port": 0, **quiet},
        },
        silence_logs="error",
    )
