"""Jobs on the workers of a Dask scheduler: one that runs, one on this machine, or of Slurm."""

from __future__ import annotations

import importlib
import ipaddress
import logging
import math
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
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

# Jobs on the workers of a Dask scheduler: one that runs already, or one on this machine.

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


# Jobs of a Slurm queue: Dask workers that `sbatch` starts, on whichever nodes it finds.

OPTIONS = (
    *("account", "cores", "gres", "interface", "logs"),
    *("memory", "queue", "shared", "walltime"),
)


@contextmanager
def open_slurm(
    *, workers: int, gpus: int, address: str = "", options: Mapping[str, str]
) -> Iterator[Executor]:
    """Open an executor whose workers are Slurm jobs; they are cancelled with the block.

    The scheduler of the workers runs in this process, so this process stays on the login node
    until the work is done. A Slurm job that ends early, by its walltime or by preemption, is handed
    in again. All that the two say to each other is encrypted with a certificate made for this run.

    Args:
        workers: Jobs at one time; on GPUs, `gpus` counts instead.
        gpus: Slurm jobs with one GPU each; 0 for `workers` CPU cores.
        address: Must be empty: Slurm's own configuration says where it is.
        options: `shared` (needed): a folder that every node sees, for the certificate; `queue`
            (partition), `account`, `memory` (of a Slurm job, by default `"4GB"`), `walltime`
            (by default `"01:00:00"`), `cores` (of a Slurm job, by default 1), `gres` (by default
            `"gpu:1"` where `gpus`), `interface` (network interface of this machine that the nodes
            reach, like `"ib0"`), `logs` (a folder for the workers' own logs, by default none).

    Raises:
        UsageError: An argument cannot be used.
        ClusterError: There is no `sbatch`, or Slurm refuses such a job.
        MissingExtraError: The extra `cluster` is not installed.
    """
    check_given("slurm", workers, gpus, options=options, known=OPTIONS, address=address)
    cores = options.get("cores", "1")
    if not cores.isdecimal() or int(cores) < 1:
        raise UsageError(
            f"a Slurm job cannot have {cores!r} cores", remedy="use a whole number from 1"
        )
    shared = Path(options.get("shared", ""))
    if not (shared.is_absolute() and shared.is_dir()):
        raise UsageError(
            "the executor slurm needs a folder that every node sees",
            remedy="set the option shared to the absolute path of one that is there",
        )
    if shutil.which("sbatch") is None:
        raise ClusterError(
            "there is no sbatch here", remedy="run this on a machine from which Slurm takes jobs"
        )
    jobs = gpus or math.ceil(workers / int(cores))
    with (
        _certificate(shared) as security,
        _cluster(int(cores), bool(gpus), options, security) as cluster,
    ):
        _try(cluster.job_script())
        # Not `scale`: a job that Slurm ends would not be handed in again.
        cluster.adapt(minimum_jobs=jobs, maximum_jobs=jobs)
        with executor_on(cluster, gpus=bool(gpus), security=security) as executor:
            yield executor


@contextmanager
def _certificate(shared: Path) -> Iterator[Any]:
    """Make a certificate for one run, in a folder that only this user can read."""
    distributed = needed("distributed")
    needed("cryptography")
    made = distributed.Security.temporary()
    with tempfile.TemporaryDirectory(prefix=".workers-", dir=shared) as folder:
        files = {"cert": Path(folder) / "cert.pem", "key": Path(folder) / "key.pem"}
        files["cert"].write_text(made.tls_worker_cert, encoding="ascii")
        files["key"].write_text(made.tls_worker_key, encoding="ascii")
        names = {
            f"tls_{role}_{kind}": str(file)
            for role in ("client", "scheduler", "worker")
            for kind, file in files.items()
        }
        yield distributed.Security(require_encryption=True, tls_ca_file=str(files["cert"]), **names)


def _cluster(cores: int, gpus: bool, options: Mapping[str, str], security: Any) -> Any:
    """Return a cluster that has no worker yet.

    A Slurm job on CPUs has one worker process a core, and one on a GPU has one process.
    """
    jobqueue = needed("dask_jobqueue")
    directives = [] if "logs" in options else ["--output=/dev/null"]
    gres = options.get("gres", "gpu:1" if gpus else "")
    if gres:
        directives.append(f"--gres={gres}")
    return jobqueue.SLURMCluster(
        queue=options.get("queue"),
        account=options.get("account"),
        walltime=options.get("walltime", "01:00:00"),
        memory=options.get("memory", "4GB"),
        cores=cores,
        processes=1 if gpus else cores,
        interface=options.get("interface"),
        security=security,
        log_directory=options.get("logs"),
        job_extra_directives=directives,
        worker_extra_args=[
            # Only TLS may be open to the network, and this is plain HTTP.
            *("--dashboard-address", "127.0.0.1:0"),
            *(["--resources", "GPU=1"] if gpus else []),
        ],
        scheduler_options={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
    )


def _try(script: str) -> None:
    """Ask Slurm whether it would take such a job; later a refusal would reach nobody."""
    with tempfile.NamedTemporaryFile("w", suffix=".sh", encoding="utf-8") as file:
        file.write(script)
        file.flush()
        done = subprocess.run(  # noqa: S603 - a file of our own
            ["sbatch", "--test-only", file.name],  # noqa: S607 - the cluster's own, by its PATH
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise ClusterError(
            f"Slurm would not take such a job: {' '.join(done.stderr.split())}",
            remedy="mend the options queue, account, memory, walltime, cores or gres",
        )
