"""Where jobs run: each executor is a standard `concurrent.futures.Executor`.

An entry opens one: `open_executor(workers=, gpus=, address=, options=)` is a context manager; what
still runs when its block is left by an exception is stopped. The task that everybody submits is
`reportgen.executors.child.run_job`.
"""

from __future__ import annotations

from reportgen.registry import Entry, Registry

EXECUTORS = Registry(
    "executor",
    {
        "local": Entry("reportgen.executors.local:open_executor", "processes on this machine"),
        "dask": Entry(
            "reportgen.executors.dask:open_executor",
            "workers of a Dask scheduler, on any machine",
        ),
        "slurm": Entry(
            "reportgen.executors.slurm:open_executor", "jobs of a Slurm queue, through Dask"
        ),
    },
)
