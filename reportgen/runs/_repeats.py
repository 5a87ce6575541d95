"""Runs that were logged twice: to files, and to a state, a console, a tracker, a second format."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from reportgen.records.run import Problem, Result, Series, decimal_float
from reportgen.runs._layout import Draft
from reportgen.runs.sessions import BOOKKEEPING, CLOSE, agreeing_points, join, overlay

TRACKERS = frozenset({"wandb", "mlflow"})
"""Layouts of programs that are told what other files hold as well."""

_ENOUGH = 3
"""Shared points by which two runs are one."""

CONSOLE_CLOSE = 1e-3
"""Relative tolerance of numbers printed with three digits."""


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
            others = [o for o in several if o.layout != guest.layout and id(o) not in gone]
            hosts = [one for one in others if not one.measured_only]
            if guest.measured_only and others and not hosts:
                # Nothing but numbers without a step, in several files: of one run, all the same.
                others[0].scalars = {**guest.scalars, **others[0].scalars}
                hosts = others[:1]
            if len(hosts) != 1:
                continue
            if guest.measured_only:
                hosts[0].results.extend(guest.results or _results_of(guest))
                hosts[0].sources.extend(guest.sources)
                hosts[0].config = {**guest.config, **hosts[0].config}
                hosts[0].problems.extend(guest.problems)
            elif len(guest.sources) <= len(hosts[0].sources) and _repeats(hosts[0], guest):
                _absorb_rest(guest, hosts[0])
            else:
                continue
            gone.add(id(guest))
    return [draft for draft in drafts if id(draft) not in gone]


def _results_of(draft: Draft) -> list[Result]:
    """Return what is known of a run without a curve, as numbers without a step."""
    return [
        Result(
            tag=series.tag,
            value=decimal_float(series.values[-1]),
            metric=series.metric,
            split=series.split,
            path=series.path,
        )
        for series in draft.scalars.values()
    ]


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
            if one.metric == other.metric not in {"", "epoch", "learning_rate", *BOOKKEEPING}
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
