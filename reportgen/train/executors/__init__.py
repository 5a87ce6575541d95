"""Where jobs run: each executor is a standard `concurrent.futures.Executor`.

An entry opens one: `open_executor(workers=, gpus=, address=, options=)` is a context manager; what
still runs when its block is left by an exception is stopped. The task that everybody submits is
`run_job`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Registry, lazy_names

if TYPE_CHECKING:
    from reportgen.train.executors.base import best_device, count_cores, count_gpus
    from reportgen.train.executors.children import LAST_WORDS, run_job
    from reportgen.train.executors.pool import open_pool

EXECUTORS = Registry(
    "executor",
    __name__,
    """
local local:open_executor processes on this machine
dask dask:open_executor workers of a Dask scheduler, on any machine
slurm dask:open_slurm jobs of a Slurm queue, through Dask
""",
)

__getattr__ = lazy_names(__name__)
