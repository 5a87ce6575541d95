"""Jobs on the workers of a Dask scheduler: one that runs already, or one on this machine."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from reportgen.train.executors._cluster import check_closed, executor_on, needed
from reportgen.train.executors._options import check_counts, check_options, devices_for

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
    check_counts(workers, gpus)
    check_options("dask", options, ())
    needed("distributed")
    if address:
        check_closed([address])
        with executor_on(address, gpus=bool(gpus)) as executor:
            yield executor
    else:
        with (
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
    specs: dict[int, dict[str, Any]] = {}
    for i in range(workers):
        own = (
            {"env": {"CUDA_VISIBLE_DEVICES": devices[i]}, "resources": {"GPU": 1}}
            if devices
            else {}
        )
        specs[i] = {"cls": distributed.Nanny, "options": {**common, **own}}
    return distributed.SpecCluster(
        workers=specs,
        scheduler={
            "cls": distributed.Scheduler,
            "options": {
                "host": LOOPBACK,
                "port": 0,
                "dashboard": False,
                "dashboard_address": f"{LOOPBACK}:0",
            },
        },
        silence_logs="error",
    )
