"""From logs to runs that have no group yet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.records.run import Log, Problem, Series
from reportgen.runs import LAYOUTS
from reportgen.runs._config import config_of
from reportgen.runs._layout import Draft, Layout, Names, Place, parent
from reportgen.runs._merge import (
    CLOSE,
    Attempt,
    Piece,
    agreeing_points,
    join,
    merge_pieces,
    overlay,
    piece_of,
)

TRACKERS = frozenset({"wandb", "mlflow"})
"""Layouts of programs that are told what other files hold as well."""

CONSOLE_CLOSE = 1e-3
"""Relative tolerance of numbers printed with three digits."""


def claim_logs(logs: Sequence[Log], layout: str) -> list[tuple[Layout, list[Log]]]:
    """Deal the logs out to the layouts; a layout given by name takes all."""
    if layout:
        return [(LAYOUTS.load(layout), list(logs))]
    claimed: list[tuple[Layout, list[Log]]] = []
    rest = [log for log in logs if log.series or log.results or log.config or log.texts]
    for name in LAYOUTS:
        plug_in: Layout = LAYOUTS.load(name)
        taken = {id(log) for log in plug_in.recognise(rest)}
        members = [log for log in rest if id(log) in taken]
        rest = [log for log in rest if id(log) not in taken]
        if members:
            claimed.append((plug_in, members))
    return claimed


def draft_runs(
    layout: Layout, logs: Sequence[Log], names: Names, places: Mapping[int, Place]
) -> list[Draft]:
    """Put the logs of one layout together, folder by folder.

    Args:
        layout: The layout.
        logs: Its logs.
        names: Folder or tag prefix to split.
        places: `id` of a log to its place, where the study's pattern states one.
    """
    folders: dict[str, list[tuple[Place, Log]]] = {}
    for log in logs:
        place = places.get(id(log)) or layout.place(log)
        folders.setdefault(place.run, []).append((place, log))
    _lift_sessions(folders)
    drafts: list[Draft] = []
    for folder, members in sorted(folders.items()):
        late = [log for _, log in members if layout.is_late(log)]
        pieces = [
            _label(layout, place, log, names, stated=id(log) in places)
            for place, log in members
            if not layout.is_late(log)
        ]
        attempts = merge_pieces(pieces)
        bare = [piece.log for piece in pieces if not piece.series]
        found = [
            _draft(layout, folder, attempt, bare, number if len(attempts) > 1 else 0)
            for number, attempt in enumerate(attempts, start=1)
        ]
        if late and not found:
            found = [Draft(id=folder or ".", place=folder, layout=layout.name, scalars={})]
        if late:
            _finish(layout, found[-1], late, names)
        drafts.extend(draft for draft in found if draft.scalars)
    return layout.settle(drafts, logs)


def _lift_sessions(folders: dict[str, list[tuple[Place, Log]]]) -> None:
    """Give folders that hold nothing but settings and what came of them to the run above.

    `add_hparams(..., run_name="final")` makes one in the folder of the run.
    """
    for folder in list(folders):
        above = folders.get(parent(folder), [])
        trained = any(len(series) > 1 for _, log in above for series in log.series.values())
        if folder and trained and all(_sums_up(log) for _, log in folders[folder]):
            place = Place(run=parent(folder))
            above.extend((place, log) for _, log in folders.pop(folder))


def _sums_up(log: Log) -> bool:
    """Tell whether a log states settings, and of every metric one value."""
    settings = log.source.kind == "tfevents" and set(log.config) - {"purge_step"}
    return bool(settings) and all(len(series) == 1 for series in log.series.values())


def _label(layout: Layout, place: Place, log: Log, names: Names, *, stated: bool) -> Piece:
    series = {}
    for tag, one in log.series.items():
        metric, split = layout.label(place.folder, tag, names)
        if stated and place.folder:
            split = names.get(place.folder.lower(), split)
        key = f"{place.folder}/{tag}" if place.folder else tag
        series[key] = replace(one, metric=metric, split=split)
    below = not place.folder and parent(log.source.path) != place.run
    return piece_of(log, place.folder, series, session=below and _sums_up(log))


def _draft(
    layout: Layout, folder: str, attempt: Attempt, bare: Iterable[Log], number: int
) -> Draft:
    config: dict[str, object] = {}
    for log in (*bare, *(piece.log for piece in attempt.pieces)):
        config.update(config_of(log))
    problems = [*attempt.problems, *(p for piece in attempt.pieces for p in piece.problems)]
    for log in (*(piece.log for piece in attempt.pieces), *bare):
        problems.extend(quieten(log))
    return Draft(
        id=f"{folder or '.'}#{number}" if number else folder or ".",
        place=folder,
        layout=layout.name,
        scalars=dict(sorted(attempt.series.items())),
        config=config,
        sources=[log.source for log in (*(p.log for p in attempt.pieces), *bare)],
        problems=problems,
    )


def quieten(log: Log) -> list[Problem]:
    """Return a log's problems as those of a run that other files give points to.

    A file that ends after its header costs such a run no number; one of which nothing could
    be read may.
    """
    read = log.source.size > 0 and not log.series
    header_only = read and all(p.offset is None for p in log.problems)
    return [replace(p, level="note") if header_only else p for p in log.problems]


def _finish(layout: Layout, draft: Draft, late: Sequence[Log], names: Names) -> None:
    for log in late:
        draft.config = {**config_of(log), **draft.config}
        draft.sources.append(log.source)
        draft.problems.extend(log.problems)
    layout.finish(draft, late, names)
    draft.scalars = dict(sorted(draft.scalars.items()))


def absorb_repeats(drafts: Sequence[Draft]) -> list[Draft]:
    """Put runs together that were logged twice: to files, and to a state, a console, a tracker.

    A console run goes by the folder it printed, all others by their values; each only where
    every shared point agrees.
    """
    hosts = [d for d in drafts if any(s.kind == "tfevents" for s in d.sources)]
    clocked = {id(draft) for draft in hosts}
    kept: list[Draft] = []
    for draft in sorted(drafts, key=lambda one: one.layout in TRACKERS):
        if draft.layout in TRACKERS:
            # Whoever is kept may be what a tracker was told as well, clock or no clock.
            host = _tracked_of(draft, [one for one in kept if one.layout not in TRACKERS])
        else:
            host = None if id(draft) in clocked else _host_of(draft, hosts)
        if host is None:
            kept.append(draft)
        else:
            _absorb(draft, host)
    return kept


def _absorb(draft: Draft, host: Draft) -> None:
    """Put what a run logged a second time into the run that it is."""
    tracked = draft.layout in TRACKERS
    for key, series in (_as_named_in(host, draft) if tracked else draft.scalars).items():
        there = host.scalars.get(key)
        if there is not None and tracked and not np.isfinite(there.wall_times).any():
            host.scalars[key] = overlay(series, there)
        elif there is not None and tracked and there.values.dtype == np.float64:
            host.scalars[key] = join(series, there)
        elif there is None or not _is_console(draft):
            host.scalars[key] = overlay(there, series)
    host.scalars = dict(sorted(host.scalars.items()))
    host.config = {**draft.config, **host.config}
    host.sources.extend(draft.sources)
    host.problems.extend(draft.problems)
    paths = ", ".join(sorted({source.path for source in draft.sources}))
    message = f"the same run as {host.id}, read from {paths}"
    host.problems.append(Problem(path=draft.id, message=message, level="note"))


def _is_console(draft: Draft) -> bool:
    return any(source.kind == "fairseq_log" for source in draft.sources)


def _tracked_of(guest: Draft, hosts: Sequence[Draft]) -> Draft | None:
    found = []
    for host in hosts:
        told = _as_named_in(host, guest)
        if _begin_alike(host.scalars, told):
            found += [host] if (agreeing_points(host.scalars, told, CLOSE) or 0) >= 3 else []
    return found[0] if len(found) == 1 else None


def _as_named_in(host: Draft, guest: Draft) -> dict[str, Series]:
    """Return a run's series under the keys that another has for the same metric and split.

    The Trainer tells MLflow of `eval_accuracy`, and writes `eval/accuracy`. What begins at
    another step is another thing: `train_loss` is the mean that it tells at the end.
    """
    keys: dict[tuple[str, str, int], list[str]] = {}
    for key, series in host.scalars.items():
        if series.metric and series.split:
            keys.setdefault(_meaning(series), []).append(key)
    found: dict[str, Series] = {}
    for key, series in guest.scalars.items():
        same = keys.get(_meaning(series), [])
        there = same[0] if len(same) == 1 else key
        taken = key in host.scalars or there in found or there in guest.scalars
        found[key if taken else there] = series
    return found


def _meaning(series: Series) -> tuple[str, str, int]:
    return series.metric, series.split, int(series.steps[0])


def _begin_alike(one: Mapping[str, Series], other: Mapping[str, Series]) -> bool:
    """Tell in short whether two runs may be one: a shared metric has the same first point."""
    for key, series in other.items():
        there = one.get(key)
        if there is not None and series.metric not in {"", "epoch", "learning_rate"}:
            same = math.isclose(float(there.values[0]), float(series.values[0]), rel_tol=CLOSE)
            return bool(there.steps[0] == series.steps[0]) and same
    return False


def _host_of(guest: Draft, hosts: Sequence[Draft]) -> Draft | None:
    if _is_console(guest):
        tail = guest.place.split("/")[-2:]
        found = [
            h
            for h in hosts
            if h.layout == "fairseq"
            and h.place.split("/")[-2:] == tail
            and agreeing_points(h.scalars, guest.scalars, CONSOLE_CLOSE)
        ]
    elif guest.layout in {"hf_trainer", "lightning"}:
        found = [
            h
            for h in hosts
            if h.layout == guest.layout
            and (agreeing_points(h.scalars, guest.scalars, CLOSE) or 0) >= 3
        ]
    else:
        found = []
    return found[0] if len(found) == 1 else None
