"""What the cells that are not done would cost: time by the logs' own clock, and disk."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median, quantiles
from typing import Any

from reportgen.records.errors import UsageError
from reportgen.records.job import TRAINABLE, Cell, Cost
from reportgen.records.run import Run, Runs
from reportgen.records.study import Study
from reportgen.train.plan.steps import Group, finished, groups_of, logged_device

LOG_BYTES = 1_000_000
"""Event files of a run, generously."""

_FLOAT = 4
_CHECKPOINTS = 2 * 3 + 1
"""Copies of the weights while training: two checkpoints with both of Adam's moments, and the best
weights so far."""


def price(
    cells: Sequence[Cell],
    study: Study,
    runs: Runs,
    *,
    parameters: int | None,
    probe: float | None,
    workers: int,
    device: str,
) -> tuple[Cell, ...]:
    """Return the cells with what each that is not done would cost.

    A cell is trained from its first step, also where found logs stop halfway: logs hold no
    weights to go on from. A probe on this device knows its pace best; else it is the median of
    the finished runs of the cell's group, else of those of the other groups.

    Args:
        cells: Cells of `plan_cells`, all or some.
        study: The study.
        runs: Logs that were found.
        parameters: Parameters that are trained; None where unknown.
        probe: Seconds of an update, evaluations included, measured on this device; or None.
        workers: Fine-tunes at one time.
        device: `"cpu"`, `"cuda"` or `"mps"`.

    Units:
        Seconds of one fine-tune by itself; bytes at the highest.

    Missing:
        `cost` is None for what is done or running and what `[train]` cannot make, and where the
        number of steps or their time is unknown; the reason then says so.

    Raises:
        UsageError: There are no workers.
    """
    if workers < 1:
        raise UsageError(f"{workers} workers can train nothing", remedy="--workers 1, or more")
    groups = groups_of(study, runs)
    done = {name: finished(group, runs) for name, group in groups.items()}
    timed = {
        name: _timed(_pace(name, groups, done, study.metric.name), probe, device)
        for name in {c.group for c in cells if c.state in TRAINABLE}
    }
    # At the highest: while a cell trains, with what is kept of it.
    keep = 1 if study.train is None or study.train.keep == "best" else 0
    disk = LOG_BYTES + _FLOAT * (keep + _CHECKPOINTS) * (parameters or 0)
    return tuple(
        _priced(cell, groups[cell.group], timed[cell.group], disk)
        if cell.state in TRAINABLE and groups[cell.group].can_train(cell.seed)
        else cell
        for cell in cells
    )


_Timed = tuple[float, float, float, str]
"""Seconds of an update, their range, and where they come from in words."""


def _timed(found: tuple[Pace | None, str], probe: float | None, device: str) -> _Timed | None:
    """Return the time of an update, measured here or logged; None where nothing tells it."""
    pace, whose = found
    where = _where(pace, device) if pace is not None else ""
    if probe is not None:
        told = f"the logs tell {pace.seconds:.2g} s, {where}" if pace else "no log tells"
        return probe, probe, probe, f"{probe:.2g} s a step, measured by a probe on {device}; {told}"
    if pace is None:
        return None
    count = f"median of {pace.runs} runs" if pace.runs > 1 else "the only run"
    basis = f"{pace.seconds:.2g} s a step, {count} {whose}, {where}"
    return pace.seconds, pace.low, pace.high, basis


def _where(pace: Pace, device: str) -> str:
    named = [one for one in pace.devices if one]
    if not named:
        return "logged on a device that the logs do not name"
    if named == [device]:
        return f"logged on {device}"
    return f"logged on {' and '.join(named)}, not on {device}, where it will differ"


def _pace(
    name: str, groups: Mapping[str, Group], done: Mapping[str, Sequence[Run]], metric: str
) -> tuple[Pace | None, str]:
    """Return the pace of a group by the best evidence, and whose it is."""
    own = groups[name].runs
    sources = [(done[name], "of this group"), (own, "of this group that did not finish")]
    others = [run for n, group in groups.items() if n != name for run in group.runs]
    # What one program counts as a step may be an epoch of another's.
    layouts = {run.layout for run in own or others}
    if len(layouts) == 1:
        whole = {run.id for runs in done.values() for run in runs}
        alike = [run for run in others if run.layout in layouts]
        sources.append(([run for run in alike if run.id in whole], "of other groups"))
        sources.append((alike, "of other groups that did not finish"))
    found = ((pace_of(runs, metric), whose) for runs, whose in sources)
    return next(((pace, whose) for pace, whose in found if pace is not None), (None, ""))


def _priced(cell: Cell, group: Group, timed: _Timed | None, disk: int) -> Cell:
    steps = group.trained_steps()
    if steps is None or timed is None:
        why = (
            "nothing tells how many steps it takes"
            if steps is None
            else "no log tells how long a step takes, and none was measured"
        )
        return replace(cell, reason=f"{cell.reason}; no price: {why}")
    seconds, low, high, basis = timed
    if disk == LOG_BYTES:
        basis += "; the number of parameters is not known, so disk is that of the logs alone"
    cost = Cost(
        steps=steps,
        seconds=steps * seconds,
        low=steps * low,
        high=steps * high,
        basis=basis,
        disk=disk,
    )
    return replace(cell, cost=cost)


PAUSE = 10
"""So many times the usual time of a step is a pause (a night, a queue), not training."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds of an update, evaluations included.

    Attributes:
        seconds: Median over runs.
        low, high: Quartiles over runs; of a single one over its stretches between two points.
        runs: Number of runs.
        devices: Devices that their logs name (`"cpu"`, `"cuda"`); empty text for those that
            name none.
    """

    seconds: float
    low: float
    high: float
    runs: int
    devices: tuple[str, ...]


def pace_of(runs: Sequence[Run], metric: str) -> Pace | None:
    """Return the pace of some runs that were trained alike, None where no log tells it."""
    timed = [(run, _stretches(run, metric)) for run in runs]
    timed = [(run, stretches) for run, stretches in timed if stretches]
    if not timed:
        return None
    paces = [sum(s for s, _ in found) / sum(steps for _, steps in found) for _, found in timed]
    spread = paces if len(paces) > 1 else [seconds / steps for seconds, steps in timed[0][1]]
    middle = median(paces)
    low, _, high = quantiles(spread, n=4, method="inclusive") if len(spread) > 1 else spread * 3
    return Pace(
        seconds=middle,
        low=min(low, middle),
        high=max(high, middle),
        runs=len(timed),
        devices=tuple(sorted({logged_device(run) for run, _ in timed})),
    )


def _stretches(run: Run, metric: str) -> list[tuple[float, int]]:
    """Return (seconds, steps) between logged points, without pauses."""
    clocks = [
        series
        for series in run.scalars.values()
        if series.metric in {"loss", metric} and series.split in {"train", "validation", "test"}
    ]
    # The train loss is logged most often; of equally long ones any has the same clock.
    ordered = sorted(clocks, key=lambda s: (s.split != "train", s.tag))
    found = [_between(zip(s.wall_times, s.steps, strict=True)) for s in ordered]
    elapsed = run.elapsed()
    if not any(found) and elapsed is not None:
        return _between([(0, 0), *zip(elapsed.values, elapsed.steps, strict=True)])
    return max(found, key=len, default=[])


def _between(readings: Iterable[tuple[Any, Any]]) -> list[tuple[float, int]]:
    """Return what lies between readings of a clock, each with its step."""
    points = [(float(time), int(step)) for time, step in readings if math.isfinite(time)]
    # Where a clock stands still or runs back, several writers (or a converter) were at work.
    gaps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    gaps = [(seconds, steps) for seconds, steps in gaps if seconds > 0 and steps > 0]
    if not gaps:
        return []
    usual = median(seconds / steps for seconds, steps in gaps)
    return [(seconds, steps) for seconds, steps in gaps if seconds / steps <= PAUSE * usual]
