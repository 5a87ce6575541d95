"""From logs to runs that have no group yet."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.records.run import Log, Problem, Result, Series, decimal_float
from reportgen.runs import LAYOUTS
from reportgen.runs._config import config_of
from reportgen.runs._layout import Draft, Layout, Names, Place, leaf, parent
from reportgen.runs.clock import on_steps
from reportgen.runs.sessions import (
    BOOKKEEPING,
    CLOSE,
    Attempt,
    Piece,
    agreeing_points,
    join,
    overlay,
    piece_of,
    put_together,
)

TRACKERS = frozenset({"wandb", "mlflow"})
"""Layouts of programs that are told what other files hold as well."""

_ENOUGH = 3
"""Shared points by which two runs are one."""

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
    _lift_summaries(folders)
    drafts: list[Draft] = []
    for folder, members in sorted(folders.items()):
        late = [log for _, log in members if layout.is_late(log)]
        pieces = [
            piece
            for place, log in members
            if not layout.is_late(log)
            for piece in _pieces(layout, place, log, names, stated=id(log) in places)
        ]
        attempts = put_together(pieces)
        bare = [piece.log for piece in pieces if not piece.series]
        ids = _ids(folder, attempts)
        found = [
            _draft(layout, name, folder, attempt, bare)
            for name, attempt in zip(ids, attempts, strict=True)
        ]
        measured = [log for _, log in members if log.results and not layout.is_late(log)]
        _add_results(layout, folder, found, measured, names)
        if late and not found:
            found = [Draft(id=folder or ".", place=folder, layout=layout.name, scalars={})]
        if late:
            _finish(layout, found[-1], late, names)
        drafts.extend(draft for draft in found if draft.scalars)
    return layout.settle(drafts, logs)


def _ids(folder: str, attempts: Sequence[Attempt]) -> list[str]:
    """Return the name of each run of a folder: its owner's, where folders or files have one.

    Event files are called by their program; of those only the number tells which is which.
    """
    if len(attempts) < 2:
        return [folder or "."] * len(attempts)
    paths = [{piece.log.source.path for piece in one.pieces} for one in attempts]
    folders = [{parent(path) for path in own} for own in paths]
    if all(len(own) == 1 for own in folders) and len(set().union(*folders)) == len(attempts):
        return [min(own) or "." for own in folders]
    named = [min(own) if len(own) == 1 else "" for own in paths]
    if all(named) and not any("tfevents" in leaf(path) for path in named):
        stems = [f"{parent(path)}/{leaf(path).partition('.')[0]}".lstrip("/") for path in named]
        counted = Counter(stems)
        return [
            f"{stem}#{stems[: at + 1].count(stem)}" if counted[stem] > 1 else stem
            for at, stem in enumerate(stems)
        ]
    return [f"{folder or '.'}#{number}" for number in range(1, len(attempts) + 1)]


def _add_results(
    layout: Layout, folder: str, found: list[Draft], logs: Sequence[Log], names: Names
) -> None:
    """Give numbers without a step to the last run of their folder, or make one of them alone."""
    if not logs:
        return
    results = []
    for log in logs:
        for tag, value in log.results.items():
            metric, split = layout.label("", tag, names)
            path = log.source.path
            results.append(Result(tag=tag, value=value, metric=metric, split=split, path=path))
    if found:
        found[-1].results.extend(results)
        return
    # Of a run that left nothing else, they are all there is: one point each, before any step.
    point = np.zeros(1, dtype=np.int64)
    scalars = {
        one.tag: Series(
            tag=one.tag,
            steps=point,
            values=np.array([one.value]),
            wall_times=np.full(1, np.nan),
            metric=one.metric,
            split=one.split,
            path=one.path,
        )
        for one in results
    }
    draft = Draft(
        id=folder or ".",
        place=folder,
        layout=layout.name,
        scalars=scalars,
        results=results,
        measured_only=True,
    )
    draft.sources = [log.source for log in logs]
    for log in logs:
        draft.config.update(config_of(log))
        draft.problems.extend(log.problems)
    found.append(draft)


def _lift_summaries(folders: dict[str, list[tuple[Place, Log]]]) -> None:
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


def _pieces(layout: Layout, place: Place, log: Log, names: Names, *, stated: bool) -> list[Piece]:
    """Return what a log holds, labelled; what it logged again after its end comes by itself."""
    series, again = {}, {}
    for tag, one in log.series.items():
        metric, split = layout.label(place.folder, tag, names)
        if not split and f"val_{tag}" in log.series:
            split = "train"  # as Keras and its kin call the two
        if stated and place.folder:
            split = names.get(place.folder.lower(), split)
        key = f"{place.folder}/{tag}" if place.folder else tag
        series[key] = replace(one, metric=metric, split=split, again=None)
        if one.again is not None:
            again[key] = replace(
                series[key],
                steps=one.steps[-1:],
                values=np.array([one.again[0]], dtype=one.values.dtype),
                wall_times=np.array([one.again[1]]),
            )
    below = not place.folder and parent(log.source.path) != place.run
    summary = below and _sums_up(log)
    found = [piece_of(log, place.folder, on_steps(series), summary=summary)]
    if again:
        later = replace(log, session=log.session + 1, problems=(), config={})
        found.append(piece_of(later, place.folder, again))
    return found


def _draft(layout: Layout, name: str, folder: str, attempt: Attempt, bare: Iterable[Log]) -> Draft:
    config: dict[str, object] = {}
    logs = {id(piece.log): piece.log for piece in attempt.pieces}
    for log in (*bare, *logs.values()):
        config.update(config_of(log))
    problems = [*attempt.problems]
    for log in (*logs.values(), *bare):
        problems.extend(quieten(log))
    sources = {log.source.path: log.source for log in (*logs.values(), *bare)}
    return Draft(
        id=name,
        place=folder,
        layout=layout.name,
        scalars=dict(sorted(on_steps(attempt.series).items())),
        config=config,
        sources=list(sources.values()),
        problems=problems,
        results=[*attempt.results, *_measured_once(attempt.series)],
    )


def _measured_once(scalars: Mapping[str, Series]) -> list[Result]:
    """Return what was tested once, when training was over: whose weights, the logs do not say.

    A program that fits and then tests logs one value behind all evaluations; some write it twice.
    """
    ends = [int(s.steps[-1]) for s in scalars.values() if s.split == "validation" and len(s) > 1]
    return [
        Result(
            tag=key,
            value=decimal_float(series.values[0]),
            metric=series.metric,
            split=series.split,
            path=series.path,
        )
        for key, series in scalars.items()
        if ends
        and series.split == "test"
        and series.metric not in {"", "epoch"}
        and len(set(series.values.tolist())) == 1
        and int(series.steps[0]) >= max(ends)
    ]


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
    every shared point agrees. Numbers without a step go to the one run of their folder.
    """
    hosts = [d for d in drafts if any(s.kind == "tfevents" for s in d.sources)]
    clocked = {id(draft) for draft in hosts}
    kept: list[Draft] = []
    written = [draft for draft in drafts if not _is_printed(draft)]
    for draft in sorted(drafts, key=lambda one: one.layout in TRACKERS):
        if _is_printed(draft):
            host = _printed_of(draft, written)
        elif draft.layout in TRACKERS:
            # Whoever is kept may be what a tracker was told as well, clock or no clock.
            host = _tracked_of(draft, [one for one in kept if one.layout not in TRACKERS])
        else:
            host = None if id(draft) in clocked else _host_of(draft, hosts)
        if host is None:
            kept.append(draft)
        else:
            _absorb(draft, host)
    return _one_a_folder(kept)


def _one_a_folder(drafts: Sequence[Draft]) -> list[Draft]:
    """Put together what two programs, or two formats, say of the one run of a folder."""
    beside: dict[str, list[Draft]] = {}
    for draft in drafts:
        beside.setdefault(draft.place, []).append(draft)
    gone: set[int] = set()
    for several in beside.values():
        for guest in several:
            hosts = [one for one in several if one is not guest and not one.measured_only]
            hosts = [one for one in hosts if one.layout != guest.layout]
            if len(hosts) != 1 or id(hosts[0]) in gone:
                continue
            if guest.measured_only:
                hosts[0].results.extend(guest.results)
                hosts[0].sources.extend(guest.sources)
                hosts[0].config = {**guest.config, **hosts[0].config}
                hosts[0].problems.extend(guest.problems)
            elif len(guest.sources) <= len(hosts[0].sources) and _repeats(hosts[0], guest):
                _absorb_rest(guest, hosts[0])
            else:
                continue
            gone.add(id(guest))
    return [draft for draft in drafts if id(draft) not in gone]


def _twins(host: Draft, guest: Draft) -> dict[str, str]:
    """Return key of a guest to the key of the host that logged the same values at its steps."""
    found = {}
    for key, series in guest.scalars.items():
        for other, there in host.scalars.items():
            if series.metric in BOOKKEEPING or series.metric != there.metric:
                continue
            if (agreeing_points({key: there}, {key: series}, CLOSE) or 0) >= _ENOUGH:
                found[key] = other
                break
    return found


def _repeats(host: Draft, guest: Draft) -> bool:
    """Tell whether a run says again what another of its folder does: each metric that both have."""
    metrics = {s.metric for s in host.scalars.values()} & {
        s.metric for s in guest.scalars.values() if s.metric not in BOOKKEEPING
    }
    twins = {guest.scalars[key].metric for key in _twins(host, guest)}
    return bool(twins) and twins == metrics


def _absorb_rest(guest: Draft, host: Draft) -> None:
    """Add what only a guest logged; of what both did, the host's series stays."""
    twins = _twins(host, guest)
    for key, series in guest.scalars.items():
        if key not in twins:
            host.scalars.setdefault(key, series)
    host.scalars = dict(sorted(host.scalars.items()))
    _add_sources(guest, host)


def _absorb(draft: Draft, host: Draft) -> None:
    """Put what a run logged a second time into the run that it is."""
    tracked = draft.layout in TRACKERS
    for key, series in (_as_named_in(host, draft) if tracked else draft.scalars).items():
        there = host.scalars.get(key)
        if there is not None and tracked and not np.isfinite(there.wall_times).any():
            host.scalars[key] = overlay(series, there)
        elif there is not None and tracked and there.values.dtype == np.float64:
            host.scalars[key] = join(series, there)
        elif (there is None or not _is_console(draft)) and not _is_printed(draft):
            host.scalars[key] = overlay(there, series)
    host.scalars = dict(sorted(host.scalars.items()))
    _add_sources(draft, host)


def _add_sources(draft: Draft, host: Draft) -> None:
    """Give a run the settings, files and results of one that it is, and say so."""
    host.config = {**draft.config, **host.config}
    host.sources.extend(draft.sources)
    host.results.extend(draft.results)
    host.problems.extend(draft.problems)
    paths = ", ".join(sorted({source.path for source in draft.sources}))
    message = f"the same run as {host.id}, read from {paths}"
    host.problems.append(Problem(path=draft.id, message=message, level="note"))


def _is_console(draft: Draft) -> bool:
    return any(source.kind == "fairseq_log" for source in draft.sources)


def _is_printed(draft: Draft) -> bool:
    return all(source.kind == "console" for source in draft.sources)


def _printed_of(guest: Draft, hosts: Sequence[Draft]) -> Draft | None:
    """Return the only run whose values a console shows, in their order; it may know no steps."""
    found = []
    for host in hosts:
        pairs = [
            (one, other)
            for one in guest.scalars.values()
            for other in host.scalars.values()
            if one.metric == other.metric not in {"", "epoch", "learning_rate"}
            and (one.split or "train") == (other.split or "train")
        ]
        if sum(len(one) for one, _ in pairs) >= 3 and all(_in_order(*pair) for pair in pairs):
            found.append(host)
    return found[0] if len(found) == 1 else None


def _in_order(some: Series, all_: Series) -> bool:
    """Tell whether values, as they are printed, stand among others in the same order."""
    left = iter(all_.values.tolist())
    shown = some.values.tolist()
    return all(any(math.isclose(one, v, rel_tol=CONSOLE_CLOSE) for v in left) for one in shown)


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
