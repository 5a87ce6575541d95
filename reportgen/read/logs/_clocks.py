"""Columns that count as steps do, and are taken for the step where no column is called one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from reportgen.records.study import TablePlan

COUNTED = (
    "total_timesteps", "num_timesteps", "timesteps_total", "timesteps", "total_env_steps",
    "env_steps", "environment_steps", "kimg", "frames", "num_frames", "training_iteration",
    "iterations",
)  # fmt: skip
"""What a program counts in place of steps, in order of preference; a folder may stand before it,
as in `time/total_timesteps`.

Source: Stable-Baselines3, `common/logger.py` and `common/on_policy_algorithm.py` (`progress.csv`);
StyleGAN2-ADA, `training/training_loop.py` (`kimg`).
"""


def is_counted(plan: TablePlan) -> bool:
    """Tell whether the step of a plan that was inferred is such a count.

    Example:
        >>> is_counted(TablePlan(step="time/total_timesteps")), is_counted(TablePlan(step="step"))
        (True, False)
    """
    return _word(plan.step) in COUNTED


def counted_column(names: Sequence[str], columns: Sequence[Sequence[float | None]]) -> str:
    """Return the column that counts, empty where none does.

    Args:
        names: Of the columns.
        columns: Of each the numbers of the first rows, None where a cell holds none.

    Example:
        >>> counted_column(["frames", "kimg"], [[300, 20, 500, 9], [0, 50, 100, 150]])
        'kimg'
    """
    found = {_word(name): name for name, cells in zip(names, columns, strict=True) if _goes(cells)}
    return next((found[word] for word in COUNTED if word in found), "")


def _word(name: str) -> str:
    return name.strip().lower().rpartition("/")[2]


def _goes(cells: Sequence[float | None]) -> bool:
    """Tell whether numbers are whole and go up, but for a few places where a run may begin.

    Of a table that lists films or recordings, `frames` goes up and down.
    """
    numbers = [cell for cell in cells if cell is not None and float(cell).is_integer()]
    if not numbers or 2 * len(numbers) < len(cells):
        return False
    back = sum(after < before for before, after in pairwise(numbers))
    return 4 * back < len(numbers) and (len(numbers) == 1 or len(set(numbers)) > 1)
