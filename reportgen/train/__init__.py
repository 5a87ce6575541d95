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

__getattr__ = lazy_names(__name__)
