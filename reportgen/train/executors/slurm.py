"""Jobs of a Slurm queue: Dask workers that `sbatch` starts, on whichever nodes it finds."""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reportgen.records.errors import ClusterError, UsageError
from reportgen.train.executors.base import check_given
from reportgen.train.executors.dask import executor_on, needed

OPTIONS = (
    *("account", "cores", "gres", "interface", "logs"),
    *("memory", "queue", "shared", "walltime"),
)


@contextmanager
def open_executor(
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
