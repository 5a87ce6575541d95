"""Files of one run folder, put together: restarts, separate runs, and files side by side."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from reportgen.records.run import Log, Problem, Series, decimal_float
from reportgen.runs._again import ended_twice, evaluated_again

_PROCESS = re.compile(r"tfevents[._]\d+\.(.+)\.(\d+)\.\d+(?:\.v2)?")
CLOSE = 1e-6
"""Relative tolerance of single precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One log inside a run folder, its series under the run's keys.

    Attributes:
        series: Key (tag with its split folder) to labelled series.
        start: Earliest wall time, NaN where the log has no clock.
        end: Latest wall time.
        process: Host and process id out of the file's name, or empty.
        first: Step from which the log says that earlier ones are void, or None.
        session: It is what `add_hparams` writes below a run: settings, and what came of them.
        problems: What it logged a second time at its last step.
    """

    log: Log
    folder: str
    series: dict[str, Series]
    start: float
    end: float
    process: tuple[str, ...]
    first: int | None = None
    session: bool = False
    problems: tuple[Problem, ...] = ()


@dataclass(slots=True)
class Attempt:
    """One run out of one folder, as far as its files have been put together."""

    series: dict[str, Series] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def path(self) -> str:
        """Return the path of its first file."""
        return self.pieces[0].log.source.path

    @property
    def processes(self) -> set[tuple[str, ...]]:
        """Return who wrote its files, where their names tell."""
        return {piece.process for piece in self.pieces if piece.process}


def piece_of(log: Log, folder: str, series: dict[str, Series], *, session: bool = False) -> Piece:
    """Describe a log: when it was written, by which process, and whether beside a run."""
    times = [s.wall_times[np.isfinite(s.wall_times)] for s in series.values()]
    times = [t for t in times if len(t)]
    found = _PROCESS.search(log.source.path)
    purge = log.config.get("purge_step")
    return Piece(
        log=log,
        folder=folder,
        series=series,
        start=min((float(t.min()) for t in times), default=math.nan),
        end=max((float(t.max()) for t in times), default=math.nan),
        process=found.groups() if found else (),
        first=purge if isinstance(purge, int) else None,
        session=session,
        problems=tuple(ended_twice(series, log.source.path, tolerance=CLOSE)),
    )


def merge_pieces(pieces: Iterable[Piece]) -> list[Attempt]:
    """Put the logs of one folder together, in order of their clocks.

    A file that goes on where an earlier one ended belongs to it; one that begins again
    later than its start, or says that it does, replaces what it overlaps; one that starts
    over is a run of its own. The order in which the files come changes nothing.
    """
    attempts: list[Attempt] = []
    ordered = sorted(
        (piece for piece in pieces if piece.series),
        key=lambda p: (p.session, math.isnan(p.start), p.start, p.log.source.path),
    )
    trained = any(not piece.session for piece in ordered)
    for piece in ordered:
        if piece.session:
            _add_session(piece, attempts, trained=trained)
        elif math.isnan(piece.start):
            _attach(piece, attempts)
        else:
            _add(piece, attempts)
    if len(attempts) > 1:
        paths = ", ".join(attempt.path for attempt in attempts)
        for attempt in attempts:
            attempt.problems.append(
                Problem(
                    path=attempt.path,
                    message=f"{len(attempts)} runs share one folder and are kept apart: {paths}",
                    remedy="give each run a folder of its own, or remove those that do not count",
                )
            )
    return attempts


def _add(piece: Piece, attempts: list[Attempt]) -> None:
    """Place a log with a clock."""
    if not attempts:
        attempts.append(Attempt(dict(piece.series), [piece]))
        return
    copied = [(a, other) for a in attempts for other in a.pieces if _is_copy(piece, other)]
    if copied:
        _add_copy(piece, *copied[0])
        return
    target = _target_of(piece, attempts)
    if _says_void(piece, target):
        _restart(target, piece, piece.first or 0)
        return
    shared = [key for key in piece.series if key in target.series]
    if not shared:
        target.series.update(piece.series)
        target.pieces.append(piece)
        return
    old = [target.series[key] for key in shared]
    new = [piece.series[key] for key in shared]
    first_old, first_new = (min(int(s.steps[0]) for s in some) for some in (old, new))
    # Each for itself: a file may end amid a step, with some of its tags logged and others not.
    if all(later.steps[0] > one.steps[-1] for one, later in zip(old, new, strict=True)):
        _continue(target, piece, first_new, overlaps=_ended(old) > piece.start)
    elif _is_again(old, new):
        _evaluate_again(target, piece)
    elif first_new > first_old and _ended(old) <= piece.start:
        _restart(target, piece, first_new)
    else:
        attempts.append(Attempt(dict(piece.series), [piece]))


def _target_of(piece: Piece, attempts: Sequence[Attempt]) -> Attempt:
    """Return the attempt that a log could belong to: one of its process, else the last."""
    same = [a for a in attempts if piece.process and piece.process in a.processes]
    return (same or attempts)[-1]


def _in_folder(target: Attempt, piece: Piece) -> dict[str, Series]:
    """Return the series of an attempt that files in the folder of this log have written."""
    keys = {key for one in target.pieces if one.folder == piece.folder for key in one.series}
    return {key: series for key, series in target.series.items() if key in keys}


def _says_void(piece: Piece, target: Attempt) -> bool:
    """Tell whether a log, begun when earlier ones had ended, declares points of theirs void."""
    old = list(_in_folder(target, piece).values())
    first = piece.first
    if first is None or not any(int(s.steps[-1]) >= first for s in old):
        return False
    return _ended(old) <= piece.start


def _ended(series: Sequence[Series]) -> float:
    """Return the last wall time, NaN where there is none."""
    times = np.concatenate([s.wall_times for s in series])
    times = times[np.isfinite(times)]
    return float(times.max()) if len(times) else math.nan


def _is_copy(one: Piece, other: Piece) -> bool:
    """Tell whether two files hold the same points, as far as both go, at the very same times."""
    total = 0
    for key in set(one.series) & set(other.series):
        mine, theirs = one.series[key], other.series[key]
        _, at, there = np.intersect1d(mine.steps, theirs.steps, return_indices=True)
        clocks = np.equal(mine.wall_times[at], theirs.wall_times[there])
        if not clocks.all() or not np.array_equal(
            mine.values[at], theirs.values[there], equal_nan=True
        ):
            return False
        total += len(at)
    return total > 0


def _add_copy(piece: Piece, target: Attempt, original: Piece) -> None:
    """Take of a copy what the original lacks; either may have been cut off."""
    for key, series in piece.series.items():
        there = target.series.get(key)
        target.series[key] = join(series, there) if there is not None else series
    target.pieces.append(piece)
    target.problems.append(
        Problem(
            path=piece.log.source.path,
            message=f"a copy: the same points as in {original.log.source.path}, logged at the "
            "same times; read once",
            remedy="remove the copy that is older",
        )
    )


def _add_session(piece: Piece, attempts: list[Attempt], *, trained: bool) -> None:
    """Give what `add_hparams` wrote to the run above; without one it is a run of its own."""
    target = _target_of(piece, attempts) if attempts else None
    if target is None or (not trained and set(piece.series) & set(target.series)):
        attempts.append(Attempt(dict(piece.series), [piece]))
        return
    target.pieces.append(piece)
    for key, series in piece.series.items():
        there = target.series.setdefault(key, series)
        if there is series or series.values[0] in there.values[there.steps == series.steps[0]]:
            continue
        target.problems.append(
            Problem(
                path=piece.log.source.path,
                message=f"{key} {series.values[0]} was stated with the hyperparameters, at step "
                f"{series.steps[0]}; the logged series is kept",
                level="note",
            )
        )


def _is_again(old: Sequence[Series], new: Sequence[Series]) -> bool:
    """Tell an evaluation after training: one step, logged before, and nothing of training."""
    steps = {int(step) for series in new for step in series.steps}
    trains = any(s.split == "train" and s.metric not in {"", "epoch"} for s in new)
    return len(steps) == 1 and not trains and any(steps & set(s.steps.tolist()) for s in old)


def _continue(target: Attempt, piece: Piece, first: int, *, overlaps: bool) -> None:
    for key, series in piece.series.items():
        target.series[key] = join(target.series.get(key), series)
    before = target.pieces[-1].log.source.path
    if before.rpartition("/")[0] != piece.log.source.path.rpartition("/")[0] and not piece.folder:
        target.problems.append(
            Problem(
                path=piece.log.source.path,
                message=f"taken as the continuation of {before} from step {first} on",
                level="note",
            )
        )
    if overlaps:
        target.problems.append(
            Problem(
                path=piece.log.source.path,
                message=f"goes on from step {first} where others of its folder end, but their "
                "clocks overlap; taken as one run",
                remedy="give each run a folder of its own if two programs wrote these files",
            )
        )
    target.pieces.append(piece)


def _restart(target: Attempt, piece: Piece, first: int) -> None:
    """Let a later file replace what was written before it in its folder, from `first` on."""
    lost = 0
    for key, series in _in_folder(target, piece).items():
        keep = np.less(series.steps, first) | np.greater_equal(series.wall_times, piece.start)
        lost += int((~keep).sum())
        if keep.any():
            target.series[key] = _select(series, keep)
        else:
            del target.series[key]
    for key, series in piece.series.items():
        target.series[key] = join(target.series.get(key), series)
    target.pieces.append(piece)
    points = f"{lost} point{'' if lost == 1 else 's'}"
    target.problems.append(
        Problem(
            path=piece.log.source.path,
            message=f"training began again at step {first}: {points} superseded",
            level="note",
        )
    )


def _evaluate_again(target: Attempt, piece: Piece) -> None:
    """Keep what training logged; a later evaluation may be of other weights."""
    path = piece.log.source.path
    target.problems += evaluated_again(target.series, piece.series, path, tolerance=CLOSE)
    for key, series in piece.series.items():
        there = target.series.get(key)
        # Joined the other way round: of two points of a step the earlier one stays.
        target.series[key] = join(series, there) if there is not None else series
    target.pieces.append(piece)


def _attach(piece: Piece, attempts: list[Attempt]) -> None:
    """Place a log without a clock: beside the run whose values it repeats."""
    for attempt in reversed(attempts):
        shared = agreeing_points(attempt.series, piece.series, CLOSE)
        if shared is not None and (shared or not set(attempt.series) & set(piece.series)):
            for key, series in piece.series.items():
                attempt.series[key] = overlay(attempt.series.get(key), series)
            attempt.pieces.append(piece)
            return
    attempts.append(Attempt(dict(piece.series), [piece]))


def agreeing_points(
    one: dict[str, Series], other: dict[str, Series], tolerance: float
) -> int | None:
    """Return how many points two sets of series have in common, None where one differs.

    Clock readings and epoch counters do not count: they are rounded at will.
    """
    total = 0
    for key in set(one) & set(other):
        if one[key].metric in {"", "epoch", "learning_rate"}:
            continue
        both, at_one, at_other = np.intersect1d(
            one[key].steps, other[key].steps, return_indices=True
        )
        mine, theirs = one[key].values[at_one], other[key].values[at_other]
        if not np.allclose(
            mine.astype(float), theirs.astype(float), rtol=tolerance, atol=0, equal_nan=True
        ):
            return None
        total += len(both)
    return total


def join(old: Series | None, new: Series) -> Series:
    """Return the points of both; where both have a step, the new one's."""
    if old is None:
        return new
    old_values, new_values = _widen(old, new)
    steps = np.concatenate([old.steps, new.steps])
    order = np.argsort(steps, kind="stable")
    last = np.append(steps[order][1:] != steps[order][:-1], True)
    order = order[last]
    return replace(
        new,
        steps=steps[order],
        values=np.concatenate([old_values, new_values])[order],
        wall_times=np.concatenate([old.wall_times, new.wall_times])[order],
    )


def overlay(clocked: Series | None, exact: Series) -> Series:
    """Return the points of both: values of the exact one, wall times of the clocked one."""
    if clocked is None:
        return exact
    joined = join(clocked, exact)
    _, at_joined, at_clocked = np.intersect1d(joined.steps, clocked.steps, return_indices=True)
    wall_times = joined.wall_times.copy()
    wall_times[at_joined] = clocked.wall_times[at_clocked]
    return replace(joined, wall_times=wall_times)


def _widen(old: Series, new: Series) -> tuple[np.ndarray, np.ndarray]:
    """Return both columns in one width; a float32 becomes the shortest decimal it stands for."""
    if old.values.dtype == new.values.dtype:
        return old.values, new.values
    return _decimals(old.values), _decimals(new.values)


def _decimals(values: np.ndarray) -> np.ndarray:
    if values.dtype == np.float64:
        return values
    return np.array([decimal_float(value) for value in values], dtype=np.float64)


def _select(series: Series, keep: np.ndarray) -> Series:
    return replace(
        series,
        steps=series.steps[keep],
        values=series.values[keep],
        wall_times=series.wall_times[keep],
    )
