"""The grid of a study against what is there: states, prices, jobs; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.train.plan.grid import changes, find_clashes, plan_cells, price
    from reportgen.train.plan.jobs import at_home, choose_cells, make_jobs

__getattr__ = lazy_names(__name__)
