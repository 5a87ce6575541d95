"""Runs that were logged twice: to files, and to a state, a console, a tracker, a second format."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from reportgen.records.metrics import known_metric
from reportgen.records.run import Problem, Result, Series, decimal_float
from reportgen.runs._kinds import is_share
from reportgen.runs._layout import Draft, leaf
from reportgen.runs._names import SPLIT_NAMES
from reportgen.runs._same import (
    FACTORS,
    Match,
    is_timed,
    kinds_of,
    match_runs,
    match_values,
    precision,
)
from reportgen.runs.sessions import BOOKKEEPING, join, overlay

TRACKERS = frozenset({"wandb", "mlflow"})
"""Layouts of programs that are told what other files hold as well."""

_MOST_LOGS = 8
"""More runs than these in one folder are no logs of one run."""

_OF_LOGS = ("log", "logs", "metrics", "history", "curve", "curves", "loss", "acc")

CONSOLE_CLOSE = 1e-3
"""Relative tolerance of numbers printed with three digits."""

_Firsts = Mapping[str, Sequence[float]]


def absorb_repeats(drafts: Sequence[Draft]) -> list[Draft]:
    """Put runs together that were logged twice: to files, and to a state, a console, a tracker.

    A console run goes by the folder it printed, all others by their values; each only where
    every shared point agrees. Numbers without a step go to the one run of their folder.
    """
    hosts = [draft for draft in drafts if _is_events(draft)]
    for draft in drafts:
        _settle_units(draft)
    clocked = {id(draft) for draft in hosts}
    begins = {id(draft): _firsts(draft) for draft in drafts}
    kept: list[Draft] = []
    written = [draft for draft in drafts if not _is_printed(draft)]
    for draft in sorted(drafts, key=lambda one: one.layout in TRACKERS):
        if _is_printed(draft):
            found = _printed_of(draft, written)
        elif draft.layout in TRACKERS:
            # Whoever is kept may be what a tracker was told as well, clock or no clock.
            found = _one_of(draft, [one for one in kept if one.layout not in TRACKERS], begins)
        else:
            same = draft.layout in {"hf_trainer", "lightning"} or _is_console(draft)
            beside = [h for h in hosts if h.layout in {draft.layout, "fairseq"}]
            found = _one_of(draft, beside, begins) if same and id(draft) not in clocked else None
        if found is None:
            kept.append(draft)
        else:
            _absorb(draft, *found, joined=True)
    left = _one_a_folder(kept)
    _name_neighbours(left)
    return left


def _name_neighbours(drafts: Sequence[Draft]) -> None:
    """Say of the runs of one folder that they share it, where no names of files tell them apart.

    A text or table holds a run, and is called after it; event files are called after the time.
    """
    beside: dict[tuple[str, str], list[Draft]] = {}
    for draft in drafts:
        if not draft.measured_only:
            beside.setdefault((draft.place, draft.layout), []).append(draft)
    for several in beside.values():
        files = [source.path for draft in several for source in draft.sources if source.points]
        if len(set(files)) == len(files) and not any(map(is_timed, several)):
            continue
        paths = list(dict.fromkeys(draft.sources[0].path for draft in several))
        if len(paths) == 1:
            message = f"it holds {len(several)} runs, which are kept apart"
            remedy = "give each run a file of its own, or remove those that do not count"
        else:
            message = f"{len(several)} runs share one folder and are kept apart: {', '.join(paths)}"
            remedy = "give each run a folder of its own, or remove those that do not count"
        for draft in several if len(several) > 1 else ():
            # Said of each, and told once.
            draft.problems.append(Problem(path=paths[0], message=message, remedy=remedy))


def _one_a_folder(drafts: Sequence[Draft]) -> list[Draft]:
    """Put together what several programs, or files, say of the one run of a folder."""
    beside: dict[str, list[Draft]] = {}
    for draft in drafts:
        beside.setdefault(_home(draft), []).append(draft)
    gone: set[int] = set()
    for several in beside.values():
        # Whoever tells most is kept: times, then digits, then files and points. Numbers without a
        # step go to the run that is left.
        for guest in sorted(several, key=_rank) if len(several) > 1 else ():
            others = [o for o in several if o is not guest and id(o) not in gone]
            if guest.measured_only:
                absorbed = _absorb_measured(guest, others)
            else:
                # Of many runs in one folder those of one layout are no logs of the same one.
                many = len(several) > _MOST_LOGS
                others = [o for o in others if not (many and o.layout == guest.layout)]
                absorbed = _absorb_logged(guest, [o for o in others if not o.measured_only])
            gone |= {id(guest)} if absorbed else set()
        left = [draft for draft in several if id(draft) not in gone]
        if len(left) == 1 < len(several):
            left[0].id = left[0].place or "."
    return [draft for draft in drafts if id(draft) not in gone]


def _home(draft: Draft) -> str:
    """Return the folder of a run; what Weights & Biases keeps of it lies below that."""
    if draft.layout != "wandb":
        return draft.place
    above, inside, _ = f"/{draft.place}".rpartition("/wandb/")
    return above.lstrip("/") if inside else draft.place


def _rank(draft: Draft) -> tuple[bool, bool, int, int, int]:
    points = sum(map(len, draft.scalars.values()))
    return draft.measured_only, is_timed(draft), precision(draft), len(draft.sources), points


def _absorb_measured(guest: Draft, others: Sequence[Draft]) -> bool:
    """Give numbers without a step to the one run beside them, and tell whether there is one."""
    others = [one for one in others if one.layout != guest.layout]
    hosts = [one for one in others if not one.measured_only]
    if others and not hosts:
        # Nothing but numbers without a step, in several files: of one run, all the same.
        others[0].scalars = {**guest.scalars, **others[0].scalars}
        hosts = others[:1]
    results = guest.results or _results_of(guest)
    if len(hosts) != 1 or not all(_may_be_of(one, hosts[0], guest) for one in results):
        return False
    hosts[0].results.extend(results)
    hosts[0].sources.extend(guest.sources)
    hosts[0].config = {**guest.config, **hosts[0].config}
    hosts[0].problems.extend(guest.problems)
    return True


def _may_be_of(result: Result, host: Draft, guest: Draft) -> bool:
    """Tell whether a run shows a number that was found below its folder, or nothing of its kind."""
    about = (result.metric, result.split)
    several = [s for s in host.scalars.values() if (s.metric, s.split) == about]
    shown = [value * factor for one in several for value in one.values for factor in FACTORS]
    near = any(math.isclose(value, result.value, rel_tol=CONSOLE_CLOSE) for value in shown)
    return guest.place == host.place or not shown or near


def _absorb_logged(guest: Draft, others: Sequence[Draft]) -> bool:
    """Put a run into the one beside it that it is by all that both say; tell whether it is."""
    found = [(host, match) for host in others if (match := _match(host, guest)) is not None]
    proven = [pair for pair in found if pair[1].is_proof]
    # What has nothing in common with another goes to it where all of the folder may be one run.
    alike = len(found) == len(others) and all(_match(*two) for two in combinations(others, 2))
    certain = proven or (found[-1:] if alike else [])
    if len(certain) != 1:
        return False
    _absorb(guest, *certain[0])
    return True


def _match(host: Draft, guest: Draft) -> Match | None:
    """Return what two runs of a folder have in common, None where anything tells them apart.

    Sessions have told apart what event files hold, and one file. Two files of one kind are of one
    run where one says what the other does in other words, or their names differ in nothing else.
    """
    one_file = {s.path for s in host.sources} & {s.path for s in guest.sources}
    if one_file or (_is_events(host) and _is_events(guest)):
        return None
    found = match_runs(host, guest)
    if found is None or kinds_of(host) != kinds_of(guest):
        return found
    if found.twins:
        return found if found.factors or precision(host) != precision(guest) else None
    return found if _called(host) == _called(guest) else None


def _called(draft: Draft) -> set[str]:
    """Return the words of names of files but for splits, metrics, and what a log is called."""
    paths = [source.path for source in draft.sources if source.points]
    stems = [leaf(path).partition(".")[0].lower() for path in paths]
    words = {word for stem in stems for word in re.split(r"[\W_]+", stem)}
    return {w for w in words if w not in {*SPLIT_NAMES, *_OF_LOGS} and not known_metric(w)}


def _is_events(draft: Draft) -> bool:
    return any(source.kind == "tfevents" for source in draft.sources)


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


def _settle_units(draft: Draft) -> None:
    """Leave one series of two that a run holds in percent and as a fraction, in two files."""
    files: dict[str, dict[str, Series]] = {}
    for key, series in draft.scalars.items():
        if is_share(series.metric):
            files.setdefault(series.path, {})[key] = series
    for one, other in combinations(files.values(), 2):
        told = {(s.metric, s.split) for s in one.values()}
        if not any((s.metric, s.split) in told for s in other.values()):
            continue
        match = match_values(one, other)
        if match is not None and match.is_proof and match.factors:
            for key in match.series:
                draft.scalars.pop(key, None)
            _add_rest(match, draft)


def _add_rest(match: Match, host: Draft) -> None:
    """Add what only a guest logged, in the unit that its other series show."""
    for key, series in match.series.items():
        if key not in match.twins and key not in host.scalars:
            factor = match.factors.get(series.metric, 1.0)
            unit = {1.0: series.unit, 100.0: "fraction", 0.01: "percent"}[factor]
            host.scalars[key] = replace(series, unit=unit)
    host.scalars = dict(sorted(host.scalars.items()))


def _absorb(guest: Draft, host: Draft, match: Match, *, joined: bool = False) -> None:
    """Add what only a guest logged; of what both did, the host's series stays, or both are joined.

    Values are then of whichever has them in full, and times of the host, where it has any.
    """
    counts = {
        k: k for k, s in match.series.items() if s.metric in BOOKKEEPING and k in host.scalars
    }
    for key, name in {**counts, **match.twins}.items() if joined else ():
        series, there = match.series[key], host.scalars[name]
        if series.metric in match.factors or _is_console(guest):
            continue
        if not np.isfinite(there.wall_times).any():
            host.scalars[name] = overlay(series, there)
        elif there.values.dtype == np.float64:
            host.scalars[name] = join(series, there)
        else:
            host.scalars[name] = overlay(there, series)
    _add_rest(match, host)
    _add_sources(guest, host)


def _add_sources(draft: Draft, host: Draft) -> None:
    """Give a run the settings, files and results of one that it is, and say so."""
    host.config = {**draft.config, **host.config}
    host.sources.extend(draft.sources)
    host.results.extend(draft.results)
    host.problems.extend(draft.problems)
    paths = ", ".join(sorted({source.path for source in draft.sources}))
    called = (host.place or ".") if draft.place == host.place else host.id
    message = f"the same run as {called}, read from {paths}"
    host.problems.append(Problem(path=draft.id, message=message, level="note"))


def _is_console(draft: Draft) -> bool:
    return any(source.kind == "fairseq_log" for source in draft.sources)


def _is_printed(draft: Draft) -> bool:
    return all(source.kind == "console" for source in draft.sources)


def _printed_of(guest: Draft, hosts: Sequence[Draft]) -> tuple[Draft, Match] | None:
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
    return (found[0], Match({})) if len(found) == 1 else None


def _in_order(some: Series, all_: Series) -> bool:
    """Tell whether values, as they are printed, stand among others in the same order."""
    left = iter(all_.values.tolist())
    shown = some.values.tolist()
    return all(any(math.isclose(one, v, rel_tol=CONSOLE_CLOSE) for v in left) for one in shown)


def _one_of(
    guest: Draft, hosts: Sequence[Draft], begins: Mapping[int, _Firsts]
) -> tuple[Draft, Match] | None:
    """Return the only run that a log is another log of: by its values, or its name and these.

    A console of fairseq prints the folder of its run, wherever that lies.
    """
    found = []
    for host in hosts:
        if not _begin_alike(begins[id(host)], begins[id(guest)]):
            continue
        named = _is_console(guest) and host.place.split("/")[-2:] == guest.place.split("/")[-2:]
        match = match_values(host.scalars, guest.scalars) if named else match_runs(host, guest)
        if match is not None and (match.is_proof or (named and match.twins)):
            found.append((host, match))
    return found[0] if len(found) == 1 else None


def _firsts(draft: Draft) -> _Firsts:
    """Return the first values of each metric of a run."""
    found: dict[str, list[float]] = {}
    for series in draft.scalars.values():
        if series.metric not in BOOKKEEPING and len(series):
            found.setdefault(series.metric, []).append(float(series.values[0]))
    return found


def _begin_alike(one: _Firsts, other: _Firsts) -> bool:
    """Tell in short whether two of many runs may be one: a metric of both begins about alike."""
    return any(
        math.isclose(mine, theirs * factor, rel_tol=CONSOLE_CLOSE)
        for metric in one.keys() & other.keys()
        for mine in one[metric]
        for theirs in other[metric]
        for factor in FACTORS
    )
