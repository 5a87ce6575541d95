"""The cells of a study: which are done, which are not and why, and what those would cost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePosixPath
from statistics import median, quantiles
from typing import Any

from reportgen.records.errors import StudyError, UsageError
from reportgen.records.job import TRAINABLE, UNTRAINED, Cell, CellId, Cost
from reportgen.records.run import Problem, Rerun, Run, Runs, missing_seeds
from reportgen.records.study import GroupPlan, Study
from reportgen.train.plan.steps import (
    Group,
    Verdict,
    finished,
    groups_of,
    is_selectable,
    judge,
    logged_device,
)

# The cells of a study: which are done, which are not, and why.

_RANK = ("done", "partial", "failed")
_SHOWN_CHANGES = 3
_NOT_SET = "not set"


def plan_cells(
    study: Study,
    runs: Runs,
    *,
    published: Mapping[str, Rerun],
    keys: Mapping[CellId, str],
    settings: Mapping[CellId, Mapping[str, str]],
    failures: Mapping[str, str],
    running: Mapping[str, str],
) -> tuple[Cell, ...]:
    """Say of every cell of the grid whether it is done, and why where it is not.

    A found run is done when it reached its last step and no evaluation is lacking; one that
    `rerun` made, when its key is the current one. Runs without a known seed are no cells.

    Args:
        study: Groups with their seeds, metric, `[train]`.
        runs: Logs that were found, re-run ones among them or not.
        published: Place to the record of a run that `rerun` made.
        keys: (group, seed) to the current key; empty without `[train]`.
        settings: (group, seed) to what goes into the key.
        failures: Key to why its last attempt failed.
        running: Key to who trains it now.

    Returns:
        Declared groups first, as in the report; inside a group by seed.

    Raises:
        StudyError: The place that the study names for a group's runs cannot be used.

    Example:
        >>> study = Study(groups=(GroupPlan(name="random", seeds=(0, 1)),))
        >>> nothing = {"published": {}, "keys": {}, "settings": {}, "failures": {}, "running": {}}
        >>> for cell in plan_cells(study, Runs(root="logs", runs=()), **nothing):
        ...     print(cell.place, cell.state, cell.reason)
        random/0 missing no logs of it were found
        random/1 missing no logs of it were found
    """
    grid = _Grid(
        study=study,
        runs=runs,
        published={**{run.id: run.rerun for run in runs if run.rerun}, **published},
        keys=keys,
        settings=settings,
        failures=failures,
        running=running,
        selectable=is_selectable(runs, study.metric),
    )
    return tuple(
        grid.cell(group, seed)
        for group in groups_of(study, runs).values()
        for seed in sorted(
            {
                *missing_seeds(group.plan.seeds, group.runs),
                *(run.seed for run in group.runs if run.seed is not None),
            }
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Everything that is known of the cells."""

    study: Study
    runs: Runs
    published: Mapping[str, Rerun]
    keys: Mapping[CellId, str]
    settings: Mapping[CellId, Mapping[str, str]]
    failures: Mapping[str, str]
    running: Mapping[str, str]
    selectable: bool

    def cell(self, group: Group, seed: int) -> Cell:
        """Return one cell."""
        name = group.plan.name
        found, verdict = self._found(group, seed)
        cell = Cell(
            group=name,
            seed=seed,
            state=verdict.state,
            reason=verdict.reason,
            place=found.id if found is not None else place_of(group.plan, self.runs, seed),
            key=self.keys.get((name, seed), ""),
        )
        marked = self._marked(cell)
        if marked.state == "done":
            return marked
        if cell.key and cell.key in self.running:
            return replace(marked, state="running", reason=f"training {self.running[cell.key]}")
        if cell.key and cell.key in self.failures:
            return replace(marked, state="failed", reason=self.failures[cell.key], changed=())
        return self._with_obstacle(marked, group)

    def _found(self, group: Group, seed: int) -> tuple[Run | None, Verdict]:
        """Return the most complete found run of a cell, and what it is."""
        candidates = [run for run in group.runs if run.seed == seed and not run.rerun]
        judged = [(run, judge(run, group, selectable=self.selectable)) for run in candidates]
        if not judged:
            cause = self.runs.why_missing(group.plan.name, seed)
            reason = f"its logs cannot be used: {cause}" if cause else "no logs of it were found"
            return None, Verdict(state="missing", reason=reason, steps=0)
        run, verdict = min(judged, key=lambda pair: (_RANK.index(pair[1].state), -pair[1].steps))
        if len(judged) > 1:
            reason = f"{verdict.reason}; {len(judged)} runs have this seed, {run.id} is taken"
            verdict = replace(verdict, reason=reason)
        return run, verdict

    def _marked(self, cell: Cell) -> Cell:
        """Return a cell as the record of `rerun` makes it; complete found logs go before it."""
        place, marker = self._marker(cell)
        if marker is None or cell.state == "done":
            return cell
        own = replace(cell, place=place, rerun=True)
        if (marker.group, marker.seed) != (cell.group, cell.seed):
            # The report counts it as what its record says, so that this cell has no result.
            reason = (
                f"a re-run of {marker.group}, seed {marker.seed}, lies at its place, {place}; "
                "once that is moved away, this cell is trained"
            )
            return replace(own, state="stale", reason=reason)
        if not cell.key:
            reason = (
                f"trained on {marker.date[:10]}; nothing says what it would be trained with now"
            )
            return replace(own, state="done", reason=reason)
        if marker.key == cell.key:
            return replace(own, state="done", reason=f"trained on {marker.date[:10]}")
        changed = changes(marker.settings, self.settings.get((cell.group, cell.seed), {}))
        told = [f"{name} was {then} and is {now}" for name, then, now in changed[:_SHOWN_CHANGES]]
        more = [f"and {len(changed) - len(told)} more"] if len(changed) > len(told) else []
        reason = f"trained with other settings: {'; '.join(told + more)}"
        if not changed:
            reason = "trained by another version of the program, with the same settings"
        return replace(own, state="stale", reason=reason, changed=changed)

    def _marker(self, cell: Cell) -> tuple[str, Rerun | None]:
        """Return the record of a cell's re-run and its place; a current one goes before others."""
        own = {
            place: marker
            for place, marker in self.published.items()
            if (marker.group, marker.seed) == (cell.group, cell.seed)
        }
        if not own and cell.place in self.published:
            return cell.place, self.published[cell.place]
        return min(
            own.items(),
            key=lambda item: (item[1].key != cell.key, item[0] != cell.place, item[0]),
            default=(cell.place, None),
        )

    def _with_obstacle(self, cell: Cell, group: Group) -> Cell:
        """Say why `[train]` cannot make a cell, where it cannot."""
        if cell.key or cell.state not in UNTRAINED or group.can_train(cell.seed):
            return cell
        why = "its seed is not declared, so it would not be trained"
        if not group.plan.start:
            why = f"[groups.{cell.group}] has no start to train it from"
        return replace(cell, reason=f"{cell.reason}; {why}")


def place_of(plan: GroupPlan, runs: Runs, seed: int) -> str:
    """Return where the run of a missing cell goes, below the root of the logs.

    The study says it, else it lies beside its siblings with its own seed in the name.

    Raises:
        StudyError: The study's place has no `{seed}`, or lies outside.

    Example:
        >>> place_of(GroupPlan(name="a", place="hf/a-{seed}"), Runs(root="", runs=()), 2)
        'hf/a-2'
    """
    if plan.place:
        place = plan.place.replace("{seed}", str(seed))
        parts = PurePosixPath(place).parts
        if place == plan.place or ".." in parts or PurePosixPath(place).is_absolute():
            raise StudyError(
                f"groups.{plan.name}.place is {plan.place!r}, which is no place for each seed "
                "below the folder of the runs",
                remedy=f'write it relative and with the seed, as in "{plan.name}/{{seed}}"',
            )
        return str(PurePosixPath(place))
    siblings = runs.places(plan.name, seed)
    if siblings:
        return siblings[0]
    # A group may bear any name; a place stays below its root.
    safe = [part for part in plan.name.split("/") if part not in {"", ".", ".."}]
    return "/".join([*safe, str(seed)])


def changes(then: Mapping[str, str], now: Mapping[str, str]) -> tuple[tuple[str, str, str], ...]:
    """Return (setting, then, now) of every setting that differs.

    Example:
        >>> changes({"epochs": "5", "seed": "0"}, {"epochs": "6", "seed": "0", "start": "random"})
        (('epochs', '5', '6'), ('start', 'not set', 'random'))
    """
    return tuple(
        (name, then.get(name, _NOT_SET), now.get(name, _NOT_SET))
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    )


def find_clashes(cells: Sequence[Cell], keys: Mapping[CellId, str], path: str) -> list[Problem]:
    """Name the first two cells of one place, and the first two of one key.

    One `[train]` makes all groups. Where two differ in neither start nor adapter, as groups of
    two learning rates do, a fine-tune of the one would be passed off as one of the other.

    A cell without a key is not trained; where all of a pair is there, nothing is said.

    Example:
        >>> cells = [Cell(group=g, seed=0, state="missing", reason="", place=g) for g in "ab"]
        >>> [problem] = find_clashes(cells, {("a", 0): "k", ("b", 0): "k"}, "study.toml")
        >>> problem.message
        'a/0 and b/0 would be one and the same fine-tune'
    """
    own = [(cell, keys[cell.group, cell.seed]) for cell in cells if (cell.group, cell.seed) in keys]
    found = []
    if pair := _first_pair([(cell, cell.place) for cell, _ in own]):
        message = f"the runs of {_named(*pair)} would both lie at {pair[0].place}"
        found.append((message, "give each group a place of its own in [groups.NAME]"))
    if pair := _first_pair(own):
        start = "or take start from the one that [train] does not describe"
        message = f"{_named(*pair)} would be one and the same fine-tune"
        found.append((message, f"give the groups different starts or adapters, {start}"))
    return [Problem(path=path, message=message, remedy=remedy) for message, remedy in found]


def _first_pair(cells: Sequence[tuple[Cell, str]]) -> tuple[Cell, Cell] | None:
    """Return the first two cells of one word, of which one is still to be trained."""
    seen: dict[str, list[Cell]] = {}
    for cell, word in cells:
        for other in seen.get(word, ()):
            if {cell.state, other.state} & set(TRAINABLE):
                return other, cell
        seen.setdefault(word, []).append(cell)
    return None


def _named(one: Cell, other: Cell) -> str:
    return f"{one.group}/{one.seed} and {other.group}/{other.seed}"


# What the cells that are not done would cost: time by the logs' own clock, and disk.

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
