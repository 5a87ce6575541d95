"""Completing a grid: what is missing, what it costs, who trains it, where it ends up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.train.engine import LOG_WRITERS, build_shapes, read_splits
    from reportgen.train.executors import (
        EXECUTORS,
        LAST_WORDS,
        best_device,
        count_cores,
        count_gpus,
        open_pool,
        run_job,
    )
    from reportgen.train.plan import (
        at_home,
        changes,
        choose_cells,
        find_clashes,
        make_jobs,
        plan_cells,
        price,
    )
    from reportgen.train.store import Failure, RunStore, file_digest, run_key

_HOMES = {
    "EXECUTORS": "executors",
    "LAST_WORDS": "executors",
    "LOG_WRITERS": "engine",
    "Failure": "store",
    "RunStore": "store",
    "at_home": "plan",
    "best_device": "executors",
    "build_shapes": "engine",
    "changes": "plan",
    "choose_cells": "plan",
    "count_cores": "executors",
    "count_gpus": "executors",
    "file_digest": "store",
    "find_clashes": "plan",
    "make_jobs": "plan",
    "open_pool": "executors",
    "plan_cells": "plan",
    "price": "plan",
    "read_splits": "engine",
    "run_job": "executors",
    "run_key": "store",
}

__all__ = [
    "EXECUTORS",
    "LAST_WORDS",
    "LOG_WRITERS",
    "Failure",
    "RunStore",
    "at_home",
    "best_device",
    "build_shapes",
    "changes",
    "choose_cells",
    "count_cores",
    "count_gpus",
    "file_digest",
    "find_clashes",
    "make_jobs",
    "open_pool",
    "plan_cells",
    "price",
    "read_splits",
    "run_job",
    "run_key",
]

__getattr__ = lazy_names(__name__, _HOMES)
