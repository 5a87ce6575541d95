"""Runs as a pandas frame, the exchange type of notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reportgen.records.errors import MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from reportgen.records.run import Result, Run, Runs, Series

COLUMNS = ("run", "group", "seed", "split", "tag", "step", "value", "wall_time")


def frame_of_runs(runs: Runs) -> pd.DataFrame:
    """Return every point of every run, one row a point, and every result.

    Args:
        runs: The runs.

    Shape: one row a point, in order of run, series and step, and behind them one a number that
        was measured once, after training; columns as `COLUMNS`.
    Units: `value` as logged; `wall_time` in seconds since the epoch, NaN where not logged.
    Missing: a run without a seed has `<NA>` there, and a result for its step, whichever the
        weights were that it measured: it is no point of a curve.

    Raises:
        MissingExtraError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtraError(
            "a frame needs pandas, which is not installed",
            remedy="pip install pandas",
        ) from error
    import numpy as np

    pairs = [(run, series) for run in runs for series in run.scalars.values()]
    results = [(run, one) for run in runs for one in run.results if not _is_shown(one, run)]
    told: list[tuple[Run, Series | Result]] = [*pairs, *results]
    counts = [*(len(series) for _, series in pairs), *[1] * len(results)]
    late = [one for _, one in results]

    def join(arrays: list[Any], rest: list[float]) -> Any:
        return np.concatenate([*arrays, np.array(rest, dtype=np.float64)])

    steps = [series.steps for _, series in pairs]
    times = [series.wall_times for _, series in pairs]
    seeds = [run.seed for run, _ in told]
    return pd.DataFrame(
        {
            "run": _repeat([run.id for run, _ in told], counts),
            "group": _repeat([run.group for run, _ in told], counts),
            "seed": pd.arrays.IntegerArray(*_whole([], seeds, counts)),
            "split": _repeat([one.split for _, one in told], counts),
            "tag": _repeat([one.tag for _, one in told], counts),
            "step": pd.arrays.IntegerArray(*_whole(steps, [None] * len(late))),
            "value": join([shortest(s.values) for _, s in pairs], [one.value for one in late]),
            "wall_time": join(times, [np.nan] * len(late)),
        },
        columns=list(COLUMNS),
    )


def _whole(
    arrays: list[Any], rest: Sequence[int | None], counts: Sequence[int] = ()
) -> tuple[Any, Any]:
    """Return whole numbers, and which of them are absent.

    Args:
        arrays: Numbers that are all there.
        rest: Those behind them, of which some are not.
        counts: How often each of these stands.
    """
    import numpy as np

    behind = np.array([number or 0 for number in rest], dtype=np.int64)
    absent = np.array([number is None for number in rest], dtype=bool)
    if counts:
        behind, absent = np.repeat(behind, counts), np.repeat(absent, counts)
    values = np.concatenate([*arrays, behind]).astype(np.int64)
    return values, np.append(np.zeros(len(values) - len(absent), dtype=bool), absent)


def _is_shown(result: Result, run: Run) -> bool:
    """Tell whether a series shows a result: at its step, or as all that a run has of it."""
    alike = [one for one in run.scalars.values() if one.tag == result.tag]
    alike = [one for one in alike if len(one) == 1 or result.step is not None]
    return any(
        value == result.value and (step == result.step or len(one) == 1)
        for one in alike
        for step, value in one.points()
    )


def _repeat(names: list[str], counts: list[int]) -> Any:
    """Return each name as often as its count says, as objects that share their text."""
    import numpy as np

    found = np.empty(len(names), dtype=object)
    found[:] = names
    return np.repeat(found, counts)


def shortest(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return float32 as the decimals they stand for, as `decimal_float` does; float64 as they are.

    Args:
        values: What a log holds.

    Returns:
        float64 of the same shape.

    Example:
        >>> import numpy as np
        >>> shortest(np.array([79.9, 0.1], dtype=np.float32)).tolist()
        [79.9, 0.1]
    """
    import numpy as np

    if values.dtype != np.float32:
        return values.astype(np.float64)
    with np.errstate(invalid="ignore"):
        exact = values.astype(np.float64)
    result = exact.copy()
    # Most logged values are decimals of a few digits: the first rounding that reads back as
    # the same float32 is the shortest one. What is left goes through its printed form.
    # A whole number is known to its last digit.
    left = np.flatnonzero(np.isfinite(exact) & (exact != np.trunc(exact)))
    small = np.abs(exact[left]) < 1e6
    near, left = left[small], left[~small]
    for decimals in range(7):
        rounded = np.round(exact[near], decimals)
        hit = rounded.astype(np.float32) == values[near]
        result[near[hit]] = rounded[hit]
        near = near[~hit]
    for index in (*left, *near):
        result[index] = float(str(values[index]))
    return result
