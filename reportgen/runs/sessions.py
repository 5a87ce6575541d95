"""Sessions of one run folder: what each process wrote, and how the sessions make up runs.

The policy, one sentence a rule:

1. A session is what one process wrote, over all files and splits of a run folder.
2. Sessions come in the order of their clocks; in files without one, in the order of their rows.
3. A session that begins where another ended goes on with it.
4. A session that begins amid another is a resume: it replaces what that one logged at or after
   its first step, in every series of the run.
5. A session that begins at the first step, or before it, is another attempt: a run of its own.
6. Sessions that write the same series at the same time are runs of their own.
7. A session that only evaluates, at one step that is there already, is an evaluation after
   training: the logged values stay, and its own, where they are others, are results without a
   step.
8. A file that repeats another's points, at the same times, is a copy and is read once.
9. A file without a clock belongs to the run whose values it repeats, else to the last run that
   has other series.
10. Of starts whose files a program names after its clock, each goes on with those before it; of
    several attempts with the same settings that which goes furthest is the run, the last of equals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reportgen.records.run import Log, Problem, Result, Series, decimal_float
from reportgen.runs._config import seed_in, settings_of

_PROCESS = re.compile(r"tfevents[._]\d+\.(.+)\.(\d+)\.\d+(?:\.v2)?")
_STARTED = re.compile(r"(?:^|/)(\d{8}_\d{6})(?:\.log\.json$|/vis_data/)")
"""When a training of mmcv or mmengine began, in the names of its files and folders."""

_TIMINGS = ("runtime", "_per_second", "_time", "epoch")
"""How tags end whose values differ each time, whatever the weights."""

_EVALUATED = frozenset({"validation", "test"})
BOOKKEEPING = frozenset({"", "epoch", "learning_rate"})
"""Metrics that are rounded at will, and prove nothing."""

AS_FAR = 0.9
"""Share of the steps of another that a run has gone which ended about where that one did."""

CLOSE = 1e-6
"""Relative tolerance of single precision."""

_PRINTED = 200
"""Numbers by which is told how many digits a text prints."""

_FEWEST_DIGITS = 4
"""Digits that a column must have, for numbers of fewer agree by chance."""

_HALF = 0.51
"""Half a unit of the last digit, and a little for the rounding of binary fractions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What one process wrote into one file, its series under the run's keys.

    Attributes:
        folder: Split folder inside the run's, or empty.
        series: Key (tag with its split folder) to labelled series.
        start: Earliest wall time, NaN where the log has no clock.
        end: Latest wall time.
        process: Host and process id out of the file's name, or empty.
        first: Step from which the log says that earlier points are void, or None.
        summary: It is what `add_hparams` writes below a run: settings, and what came of them.
    """

    log: Log
    folder: str
    series: dict[str, Series]
    start: float
    end: float
    process: tuple[str, ...]
    first: int | None = None
    summary: bool = False

    @property
    def began(self) -> str:
        """Return when its process began, where its program names files so."""
        found = _STARTED.search(self.log.source.path)
        return found[1] if found else ""


@dataclass(slots=True)
class Attempt:
    """One run out of one folder: its sessions put together.

    Attributes:
        series: Key to series, each step once.
        pieces: What it was put together from.
        problems: What was replaced, repeated or doubtful.
        results: What was measured after training.
    """

    series: dict[str, Series] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    @property
    def path(self) -> str:
        """Return the path of its first file."""
        return self.pieces[0].log.source.path

    @property
    def processes(self) -> set[tuple[str, ...]]:
        """Return who wrote its files, where their names tell."""
        return {piece.process for piece in self.pieces if piece.process}

    @property
    def end(self) -> int:
        """Return its last step."""
        return max((int(s.steps[-1]) for s in self.series.values() if len(s)), default=0)

    @property
    def config(self) -> dict[str, object]:
        """Return what its files state."""
        return {key: value for p in self.pieces for key, value in p.log.config.items()}


@dataclass(slots=True)
class _Session:
    """The pieces of one process, no two of which share a series."""

    pieces: list[Piece]
    series: dict[str, Series]

    @classmethod
    def of(cls, piece: Piece) -> _Session:
        return cls([piece], dict(piece.series))

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.series.update(piece.series)

    @property
    def path(self) -> str:
        return self.pieces[0].log.source.path

    @property
    def start(self) -> float:
        return self.pieces[0].start

    @property
    def void_from(self) -> int | None:
        """Return from which step on the session says that earlier points are void."""
        return min((p.first for p in self.pieces if p.first is not None), default=None)


def piece_of(log: Log, folder: str, series: dict[str, Series], *, summary: bool = False) -> Piece:
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
        summary=summary,
    )


def put_together(pieces: Iterable[Piece]) -> list[Attempt]:
    """Put the logs of one folder together into runs, by the rules above.

    The order in which the pieces come changes nothing.
    """
    written = [piece for piece in pieces if piece.series]
    clocked = [p for p in written if not math.isnan(p.start) and not p.summary]
    clocked.sort(key=lambda p: (p.start, p.log.session, p.log.source.path))
    attempts: list[Attempt] = []
    copies: list[tuple[Piece, Piece]] = []
    for session in _sessions_by_clock(clocked, copies):
        _add(session, attempts)
    for piece, original in copies:
        _add_copy(piece, original, attempts)
    for without_clock in _attempts_without_clock([p for p in written if math.isnan(p.start)]):
        _attach(without_clock, attempts)
    trained = bool(attempts)
    summaries = [p for p in written if p.summary and not math.isnan(p.start)]
    for piece in sorted(summaries, key=lambda p: (p.start, p.log.source.path)):
        _add_summary(piece, attempts, trained=trained)
    return _without_aborted(attempts)


def _without_aborted(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Keep of the starts of one training that which goes furthest, and tell the others.

    One that states other settings, or goes as far with another seed, is a run of its own.
    """
    if len(attempts) < 2 or not all(piece.began for one in attempts for piece in one.pieces):
        return list(attempts)
    run = max(reversed(attempts), key=lambda one: one.end)
    settings, seed = settings_of(run.config), seed_in(run.config)
    kept = []
    for one in attempts:
        repeats = seed_in(one.config) in {None, seed} or one.end < AS_FAR * run.end
        if one is run or not repeats or settings_of(one.config) != settings:
            kept.append(one)
            continue
        run.pieces = [*one.pieces, *run.pieces]
        text = f"a start that ended at step {one.end} is left out; another went to step {run.end}"
        run.problems.append(Problem(path=one.path, message=text, level="note"))
    return kept


def _sessions_by_clock(
    pieces: Sequence[Piece], copies: list[tuple[Piece, Piece]]
) -> list[_Session]:
    """Deal pieces, in order of their start, out to the processes that wrote them."""
    sessions: list[_Session] = []
    taken: list[Piece] = []
    for piece in pieces:
        original = next((other for other in taken if _is_copy(piece, other)), None)
        if original is not None:
            copies.append((piece, original))
            continue
        taken.append(piece)
        session = _session_of(piece, sessions)
        if session is None:
            sessions.append(_Session.of(piece))
        else:
            session.add(piece)
    return sessions


def _session_of(piece: Piece, sessions: Sequence[_Session]) -> _Session | None:
    """Return the session that a piece belongs to; None where it begins one.

    One process writes a series into one file. Of two that write at once, the names of the
    files tell which is which.
    """
    fitting = [
        s
        for s in sessions
        if not set(s.series) & set(piece.series) and piece.first in {None, s.void_from}
    ]
    writing = [
        s
        for s in fitting
        if piece.process in {p.process for p in s.pieces}
        and max(p.end for p in s.pieces) >= piece.start
    ]
    if writing:
        return writing[-1]
    return sessions[-1] if fitting and fitting[-1] is sessions[-1] else None


def _attempts_without_clock(pieces: Sequence[Piece]) -> list[Attempt]:
    """Put the files without a clock together, start by start where their names tell it."""
    starts: dict[str, list[Piece]] = {}
    for piece in sorted(pieces, key=lambda p: (p.log.source.path, p.log.run_key, p.log.session)):
        starts.setdefault(piece.began, []).append(piece)
    found = _attempts_of_one_start(starts.pop("", []))
    later: list[Attempt] = []
    for _, own in sorted(starts.items()):
        written: list[Attempt] = []
        for attempt in _attempts_of_one_start(own):
            _attach(attempt, written)
        for attempt in written:
            _add(_Session(attempt.pieces, attempt.series), later)
    return [*found, *later]


def _attempts_of_one_start(pieces: Sequence[Piece]) -> list[Attempt]:
    """Put the files of one start together: those with other series, session by session."""
    by_file: dict[tuple[str, str], list[Piece]] = {}
    for piece in pieces:
        by_file.setdefault((piece.log.source.path, piece.log.run_key), []).append(piece)
    sets: list[list[Piece]] = []
    for members in by_file.values():
        keys = {key for piece in members for key in piece.series}
        host = next((s for s in sets if not keys & {key for p in s for key in p.series}), None)
        if host is None:
            sets.append(list(members))
        else:
            host.extend(members)
    found: list[Attempt] = []
    for several in sets:
        attempts: list[Attempt] = []
        by_number: dict[int, _Session] = {}
        for piece in sorted(several, key=lambda p: (p.log.session, p.log.source.path)):
            session = by_number.get(piece.log.session)
            if session is None:
                by_number[piece.log.session] = _Session.of(piece)
            else:
                session.add(piece)
        for session in by_number.values():
            _add(session, attempts)
        found.extend(attempts)
    return found


def _add(session: _Session, attempts: list[Attempt]) -> None:
    """Place a session among the runs that earlier ones made."""
    if not attempts:
        attempts.append(Attempt(dict(session.series), list(session.pieces)))
        return
    target = _target_of(session, attempts)
    void = session.void_from
    if void is not None and _says_void(session, target):
        _resume(target, session, void)
        return
    shared = [key for key in session.series if key in target.series]
    if not shared:
        target.series.update(session.series)
        target.pieces.extend(session.pieces)
        return
    # What a program notes of itself may stand at any step.
    telling = [key for key in shared if session.series[key].metric not in BOOKKEEPING] or shared
    old = [target.series[key] for key in telling]
    new = [session.series[key] for key in telling]
    first_old, first_new = (min(int(s.steps[0]) for s in some) for some in (old, new))
    # Each for itself: a file may end amid a step, with some of its tags logged and others not.
    if all(later.steps[0] > one.steps[-1] for one, later in zip(old, new, strict=True)):
        _continue(target, session, first_new, overlaps=_ended(old) > session.start)
    elif _only_evaluates(session, target):
        _evaluate_again(target, session)
    elif first_new > first_old and not _ended(old) > session.start:
        first = min(int(s.steps[0]) for s in session.series.values() if s.metric or not telling)
        _resume(target, session, min(first, first_new) if first > first_old else first_new)
    else:
        attempts.append(Attempt(dict(session.series), list(session.pieces)))


def _target_of(session: _Session, attempts: Sequence[Attempt]) -> Attempt:
    """Return the run that a session could belong to: one of its process, else the last.

    One that ended before the session begins is passed over for one that went nearer.
    """
    own = {piece.process for piece in session.pieces if piece.process}
    same = [a for a in attempts if own & a.processes]
    first = min((int(s.steps[0]) for s in session.series.values() if len(s)), default=0)
    return min(reversed(same or attempts), key=lambda one: max(0, first - one.end))


def _says_void(session: _Session, target: Attempt) -> bool:
    """Tell whether a session, begun when others had ended, declares points of theirs void."""
    void, old = session.void_from, list(target.series.values())
    if void is None or not any(int(s.steps[-1]) >= void for s in old):
        return False
    return not _ended(old) > session.start


def _ended(series: Sequence[Series]) -> float:
    """Return the last wall time, NaN where there is none."""
    times = np.concatenate([s.wall_times for s in series])
    times = times[np.isfinite(times)]
    return float(times.max()) if len(times) else math.nan


def _only_evaluates(session: _Session, target: Attempt) -> bool:
    """Tell an evaluation after training: one step, logged before, and no training beside it.

    What a process measured once more of its training, at its very end, is one, too.
    """
    measured = [s for s in session.series.values() if s.metric not in BOOKKEEPING]
    steps = {int(step) for series in measured for step in series.steps}
    shared = [target.series[key] for key in session.series if key in target.series]
    if len(steps) != 1 or not any(bool(np.isin(s.steps, list(steps)).any()) for s in shared):
        return False
    splits = {s.split for s in measured}
    if "train" not in splits:
        return True
    # Another process trained on; the same one measured its training once more.
    curves = [s for s in shared if len(s) > 1]
    at_end = bool(curves) and all(int(s.steps[-1]) in steps for s in curves)
    own = {piece.log.source.path for piece in session.pieces}
    there = {piece.log.source.path for piece in target.pieces}
    return splits == {"train"} and at_end and own <= there


def _continue(target: Attempt, session: _Session, first: int, *, overlaps: bool) -> None:
    """Let a session go on where the run ends."""
    for key, series in session.series.items():
        target.series[key] = join(target.series.get(key), series)
    before, now = target.pieces[-1].log.source.path, session.path
    inside = any(piece.folder for piece in session.pieces)
    if before.rpartition("/")[0] != now.rpartition("/")[0] and not inside:
        target.problems.append(
            Problem(
                path=now,
                message=f"taken as the continuation of {before} from step {first} on",
                level="note",
            )
        )
    if overlaps:
        target.problems.append(
            Problem(
                path=now,
                message=f"goes on from step {first} where others of its folder end, but their "
                "clocks overlap; taken as one run",
                remedy="give each run a folder of its own if two programs wrote these files",
            )
        )
    target.pieces.extend(session.pieces)


def _resume(target: Attempt, session: _Session, first: int) -> None:
    """Let a session replace what was logged before it, from `first` on, in every series."""
    files = {piece.log.source.path for piece in session.pieces}
    target.series, lost = supersede(
        target.series, session.series, first, session.start, files=files
    )
    target.pieces.extend(session.pieces)
    points = f"{lost} point{'' if lost == 1 else 's'}"
    target.problems.append(
        Problem(
            path=session.path,
            message=f"training began again at step {first}: {points} superseded",
            level="note",
        )
    )


def supersede(
    old: Mapping[str, Series],
    new: Mapping[str, Series],
    first: int,
    start: float,
    *,
    files: Collection[str] = (),
) -> tuple[dict[str, Series], int]:
    """Put a later session in the place of what was logged at its first step or after it.

    Args:
        old: What was logged before.
        new: What the session logged.
        first: Step from which on it counts.
        start: Wall time of its start: what was written after it stays; NaN where there is none.
        files: Files that show no second start; what the session has not passed there stays.

    Returns:
        The series of both, and how many points are superseded.
    """
    last = max(int(s.steps[-1]) for s in new.values())
    lost, found = 0, dict(old)
    for key, series in old.items():
        void = np.greater_equal(series.steps, first)
        if not math.isnan(start):
            void &= ~np.greater_equal(series.wall_times, start)
        elif files and key not in new and series.path not in files:
            void &= np.greater(series.steps, last)
        lost += int(void.sum())
        if void.all():
            del found[key]
        elif void.any():
            found[key] = _select(series, ~void)
    return found | {key: join(found.get(key), series) for key, series in new.items()}, lost


def _evaluate_again(target: Attempt, session: _Session) -> None:
    """Keep what training logged; what was measured later is a result without a step."""
    again = {key: s for key, s in session.series.items() if not key.endswith(_TIMINGS)}
    best = _step_with_the_same(target.series, again)
    before = {key for key in again if key in target.series}
    for key, series in session.series.items():
        there = target.series.get(key)
        # Joined the other way round: of two points of a step the earlier one stays.
        target.series[key] = join(series, there) if there is not None else series
    apart = [
        (key, *difference)
        for key, series in again.items()
        for difference in _differences(target.series[key], series)
    ]
    others = {key for key, *_ in apart} | (again.keys() - before)
    of_training = {key for key, series in again.items() if series.split not in _EVALUATED}
    target.pieces.extend(session.pieces)
    target.problems.extend(_told_again(apart, best, session.path, of_training))
    target.results.extend(
        Result(
            tag=key,
            value=decimal_float(series.values[-1]),
            metric=series.metric,
            split=series.split,
            path=series.path,
            step=best,
            weights="" if best is None else "best",
        )
        for key, series in again.items()
        if key in others and series.split in _EVALUATED and series.metric not in BOOKKEEPING
    )


def _told_again(
    apart: Sequence[tuple[str, int, str, str]],
    best: int | None,
    path: str,
    of_training: set[str],
) -> list[Problem]:
    """Say how an evaluation after training differs from what training logged at its step.

    On validation and test that is an evaluation after training. Of other tags nobody knows what
    it is.
    """
    if apart and best is not None:
        metrics = ", ".join(key for key, *_ in apart)
        message = (
            f"evaluated again after training, with the values of step {best}: the best weights, "
            f"loaded at the end; {metrics} as training logged them at step {apart[0][1]} are kept"
        )
        return [Problem(path=path, message=message, level="note")]
    return [
        Problem(
            path=path,
            message=f"{key} has a second value at the last step, {step}: {again} beside {value}; "
            "the first one is kept",
            remedy="log a step that never comes twice, or each phase under a tag of its own",
        )
        if key in of_training
        else Problem(
            path=path,
            message=f"{key} was evaluated again after training: {again} beside {value} at step "
            f"{step}; the first one is kept",
            level="note",
        )
        for key, step, value, again in apart
    ]


def _step_with_the_same(old: Mapping[str, Series], new: Mapping[str, Series]) -> int | None:
    """Return the last earlier step at which every metric had these values, bit by bit.

    One metric alone may have the same value twice: an accuracy counts no more than examples.
    """
    measured = [key for key in new if key in old]
    if len(measured) < 2:
        return None
    found: set[int] | None = None
    for key in measured:
        earlier = np.less(old[key].steps, new[key].steps[0])
        same = np.equal(old[key].values, new[key].values[0]) & earlier
        steps = {int(step) for step in old[key].steps[same]}
        found = steps if found is None else found & steps
    return max(found) if found else None


def _differences(old: Series, new: Series) -> list[tuple[int, str, str]]:
    """Return (step, value, other value) where two series differ."""
    both, at_old, at_new = np.intersect1d(old.steps, new.steps, return_indices=True)
    mine, theirs = old.values[at_old], new.values[at_new]
    close = np.isclose(mine.astype(float), theirs.astype(float), rtol=CLOSE, atol=0, equal_nan=True)
    return [
        (int(step), str(value), str(again))
        for step, value, again in zip(both[~close], mine[~close], theirs[~close], strict=True)
    ]


def _is_copy(one: Piece, other: Piece) -> bool:
    """Tell whether two files hold the same points, as far as both go, at the very same times."""
    if one.log.source.path == other.log.source.path:
        return False
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


def _add_copy(piece: Piece, original: Piece, attempts: Sequence[Attempt]) -> None:
    """Take of a copy what the original lacks; either may have been cut off."""
    target = next(a for a in attempts if any(p is original for p in a.pieces))
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


def _add_summary(piece: Piece, attempts: list[Attempt], *, trained: bool) -> None:
    """Give what `add_hparams` wrote to the run above; without one it is a run of its own."""
    target = _target_of(_Session.of(piece), attempts) if attempts else None
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


def _attach(guest: Attempt, attempts: list[Attempt]) -> None:
    """Place files without a clock: beside the run whose values they repeat."""
    for attempt in reversed(attempts):
        shared = agreeing_points(attempt.series, guest.series, CLOSE)
        if shared is not None and (shared or not set(attempt.series) & set(guest.series)):
            for key, series in guest.series.items():
                attempt.series[key] = overlay(attempt.series.get(key), series)
            attempt.pieces.extend(guest.pieces)
            attempt.problems.extend(guest.problems)
            attempt.results.extend(guest.results)
            return
    attempts.append(guest)


def agreeing_points(
    one: Mapping[str, Series], other: Mapping[str, Series], tolerance: float
) -> int | None:
    """Return how many points two sets of series have in common, None where one differs.

    Clock readings and epoch counters do not count: they are rounded at will. A text that rounds
    its numbers agrees as far as it prints them.
    """
    total = 0
    for key in set(one) & set(other):
        if one[key].metric in BOOKKEEPING:
            continue
        both, at_one, at_other = np.intersect1d(
            one[key].steps, other[key].steps, return_indices=True
        )
        mine, theirs = one[key].values[at_one], other[key].values[at_other]
        if not _agree(mine.astype(float), theirs.astype(float), theirs.dtype, tolerance):
            return None
        total += len(both)
    return total


def _agree(mine: Any, theirs: Any, printed: np.dtype[Any], tolerance: float) -> bool:
    """Tell whether values are the same within a tolerance, or as far as the second are printed."""
    if np.allclose(mine, theirs, rtol=tolerance, atol=0, equal_nan=True):
        return True
    finite = np.isfinite(theirs)
    if printed != np.float64 or not np.array_equal(finite, np.isfinite(mine)):
        return False
    texts = [f"{value:.12g}" for value in theirs[finite][:_PRINTED]]
    decimals = max((len(text.partition(".")[2]) for text in texts if "e" not in text), default=0)
    digits = max(len(text.partition("e")[0].lstrip("-0.").replace(".", "")) for text in texts)
    if digits < _FEWEST_DIGITS:
        return False
    apart, size = np.abs(mine - theirs)[finite], np.abs(theirs[finite])
    by_digits = (apart <= _HALF * 10.0 ** (1 - digits) * size).all()
    return bool(by_digits or (apart <= _HALF * 10.0**-decimals).all())


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
