"""Runs that were logged twice: to files, and to a state, a console, a tracker, another format.

One match says whether two logs are of one run: what both measured agrees, and nothing else
contradicts. A value may stand in percent in one log and as a fraction in the other, and with other
digits. Then all that both measured must agree, in one unit a metric, and be more than chance makes
equal. Where the other log may lie is elsewhere, the folder of the run, or anywhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from reportgen.records.record import field, record, replace
from reportgen.records.run import Clock, Result, Series
from reportgen.runs._evidence import contradict, seed_in, seed_of, settings_of
from reportgen.runs._layout import Draft, by_depth, called, count_once, leaf, parent
from reportgen.runs._words import is_share, problem, words
from reportgen.runs.series import (
    BOOKKEEPING,
    CLOSE,
    Scalars,
    agreeing_points,
    clock_of,
    group_by,
    join,
    last_step,
    overlay,
    printed_rooms,
    result_of,
    shared_values,
    span_of,
    telling,
)

TRACKERS = frozenset({"wandb", "mlflow"})
"""Layouts of programs that are told what other files hold as well."""

_KEPT, _OF_RESULTS = words("names", "kept"), words("names", "of_results")
_MOST_LOGS = 8
"""More runs than these in one folder are no logs of one run."""

CONSOLE_CLOSE, _BEGIN_CLOSE = 1e-3, 5e-3
"""Relative tolerances of numbers printed with four digits, and with three."""

_HUNDRED, _NEAR = 2.0, 5e-4
"""How far apart the logarithms of sums may lie of values that are rounded."""

_Firsts = Mapping[str, Sequence[float]]


def absorb_repeats(drafts: Sequence[Draft]) -> list[Draft]:
    """Put runs together that were logged twice: to files, and to a state, a console, a tracker.

    A console run goes by the folder it printed, all others by their values; each only where
    every shared point agrees. Numbers without a step go to the one run of their folder.
    """
    for draft in drafts:
        _settle_units(draft)
    begins = {id(draft): _firsts(draft.scalars) for draft in drafts}
    events = [draft for draft in drafts if _holds(draft, "tfevents")]
    written = [draft for draft in drafts if not _is_of(draft, "console")]
    kept: list[Draft] = []
    for draft in sorted(drafts, key=lambda one: one.layout in TRACKERS):
        hosts: list[Draft] = []
        if _is_of(draft, "console"):
            hosts = written
        elif draft.layout in TRACKERS:
            # Whoever is kept may be what a tracker was told as well, clock or no clock.
            hosts = [one for one in kept if one.layout not in TRACKERS]
        elif draft.layout in {"hf_trainer", "lightning"} or _holds(draft, "fairseq_log"):
            alike = set() if _holds(draft, "tfevents") else {draft.layout, "fairseq"}
            hosts = [one for one in events if one.layout in alike]
        elif all(source.kind == "arrays" for source in draft.sources):
            # Stable-Baselines3 keeps evaluations apart from the event files of each start.
            hosts = events
        found = [(h, match) for h in hosts if (match := _match_elsewhere(h, draft, begins))]
        if len(found) == 1:
            _absorb(draft, *found[0], joined=True)
        else:
            kept.append(draft)
    left = _without_processes(_results_elsewhere(_one_a_folder(kept)))
    _name_neighbours(left)
    return _without_retold(left)


def _match_elsewhere(host: Draft, guest: Draft, begins: Mapping[int, _Firsts]) -> Match | None:
    """Return what shows that a log is another log of a run: its values, or its name and these."""
    if _is_of(guest, "console"):
        shown = _is_shown(host, guest, begins)
        return (match_values(host.scalars, guest.scalars) or Match({})) if shown else None
    if not _begin_alike(begins[id(host)], begins[id(guest)]):
        return None
    places = {tuple(one.place.split("/")[-2:]) for one in (host, guest)}
    named = _holds(guest, "fairseq_log") and len(places) == 1
    match = match_values(host.scalars, guest.scalars) if named else match_runs(host, guest)
    proven = match is not None and (match.is_proof or (named and match.twins))
    return match if proven else None


def _is_shown(host: Draft, guest: Draft, begins: Mapping[int, _Firsts]) -> bool:
    """Tell whether a console shows the values of a run, in their order or at their steps."""
    pairs = [
        (one, other)
        for one in telling(guest.scalars).values()
        for other in host.scalars.values()
        if one.metric == other.metric and (one.split or "train") == (other.split or "train")
    ]
    if sum(len(one) for one, _ in pairs) >= 3 and all(_in_order(*pair) for pair in pairs):
        return True
    elsewhere = host.place != guest.place
    if not elsewhere or not _begin_alike(begins[id(host)], begins[id(guest)]):
        return False
    found = match_values(host.scalars, guest.scalars)
    return found is not None and found.digits >= PROOF


def _in_order(some: Series, all_: Series) -> bool:
    """Tell whether values, as they are printed, stand among others in the same order."""
    left = iter(all_.values.tolist())
    shown = some.values.tolist()
    return all(any(math.isclose(one, v, rel_tol=CONSOLE_CLOSE) for v in left) for one in shown)


def _firsts(scalars: Scalars) -> _Firsts:
    """Return the first values of each metric of a run."""
    several = group_by(telling(scalars).values(), lambda one: one.metric)
    return {metric: [float(one.values[0]) for one in own] for metric, own in several.items()}


def _begin_alike(one: _Firsts, other: _Firsts) -> bool:
    """Tell in short whether two of many runs may be one: a metric of both begins about alike."""
    return any(
        math.isclose(mine, theirs * factor, rel_tol=_BEGIN_CLOSE)
        for metric in one.keys() & other.keys()
        for mine in one[metric]
        for theirs in other[metric]
        for factor in FACTORS
    )


def _holds(draft: Draft, kind: str) -> bool:
    return any(source.kind == kind for source in draft.sources)


def _is_of(draft: Draft, kind: str) -> bool:
    """Tell whether all curves of a run are of files of a kind, whatever else lies beside them."""
    told = {series.path for series in draft.scalars.values()}
    return all(one.kind == kind for one in draft.sources if one.path in told or not told)


# --- in one folder ------------------------------------------------------------------------


def _one_a_folder(drafts: Sequence[Draft]) -> list[Draft]:
    """Put together what several programs, or files, say of the one run of a folder."""
    gone: set[int] = set()
    for several in group_by(drafts, _home).values():
        left = _left_of(several) if len(several) > 1 else several
        gone |= {id(one) for one in several} - {id(one) for one in left}
        if len(left) == 1 < len(several) and left[0].layout != "fairseq_console":
            left[0].id = min((one.place for one in several), key=len) or "."
    return [draft for draft in drafts if id(draft) not in gone]


def _left_of(several: Sequence[Draft]) -> list[Draft]:
    """Return the runs of a folder that are no logs of others; whoever tells most is kept.

    What was none the first time may repeat what another tells then. Numbers without a step go to
    the run that is left. Of many runs in one folder hardly any are logs of the same one.
    """
    left = [*several]
    is_crowd = len(several) > _MOST_LOGS
    begins = {id(one): _firsts(one.scalars) for one in several if is_crowd}
    for _ in range(2):
        before = len(left)
        for guest in sorted(left, key=_rank):
            others = [one for one in left if one is not guest]
            if guest.measured_only:
                others = [one for one in others if one.layout != guest.layout]
            elif is_crowd:
                others = [one for one in others if _may_repeat(one, guest, begins)]
            absorb = _absorb_measured if guest.measured_only else _absorb_logged
            if absorb(guest, others):
                left = [one for one in left if one is not guest]
        if len(left) == before:
            break
    return left


def _may_repeat(one: Draft, guest: Draft, begins: Mapping[int, _Firsts]) -> bool:
    """Tell in short whether one of many runs may be another, of another program or kind of file."""
    if one.layout != guest.layout:
        return True
    other_kind = kinds_of(one).isdisjoint(kinds_of(guest))
    return other_kind and _begin_alike(begins[id(one)], begins[id(guest)])


def _name_neighbours(drafts: Sequence[Draft]) -> None:
    """Say of the runs of one folder that they share it, where no names of files tell them apart."""
    logged = [draft for draft in drafts if not draft.measured_only]
    for several in group_by(logged, lambda one: (one.place, one.layout)).values():
        files = [source.path for draft in several for source in draft.sources if source.points]
        if len(set(files)) == len(files) and not any(map(is_timed, several)):
            continue
        paths = list(dict.fromkeys(draft.sources[0].path for draft in several))
        code = "one_file" if len(paths) == 1 else "one_folder"
        found = problem(code, paths[0], n=len(several), paths=", ".join(paths))
        for draft in several if len(several) > 1 else ():
            # Said of each, and told once.
            draft.problems.append(found)


def _home(draft: Draft) -> str:
    """Return the folder of a run; what a program keeps of it, as Weights & Biases, lies below."""
    if draft.layout == "fairseq_console":
        return parent(draft.sources[0].path)
    if draft.layout != "wandb":
        place = draft.place
        while leaf(place).lower() in _KEPT:
            place = parent(place)
        return place
    above, inside, _ = f"/{draft.place}".rpartition("/wandb/")
    return above.lstrip("/") if inside else draft.place


def _rank(draft: Draft) -> tuple[bool, bool, float, int, int]:
    """Order runs by how much they tell: times, then digits, then files and points."""
    shown = _digits(draft)
    digits = sum(shown) / max(1, len(shown))
    points = sum(map(len, draft.scalars.values()))
    return draft.measured_only, is_timed(draft), digits, len(draft.sources), points


def _absorb_measured(guest: Draft, others: Sequence[Draft]) -> bool:
    """Give numbers without a step to the one run beside them, and tell whether there is one."""
    hosts = [one for one in others if not one.measured_only]
    if others and not hosts:
        # Nothing but numbers without a step, in several files: of one run, all the same.
        others[0].scalars = {**guest.scalars, **others[0].scalars}
        hosts = list(others[:1])
    results = _results_of(guest)
    if len(hosts) != 1 or not all(_may_be_of(one, hosts[0], guest) for one in results):
        return False
    guest.results = results
    hosts[0].take(guest)
    return True


def _results_of(guest: Draft) -> list[Result]:
    return guest.results or [result_of(one, one.tag) for one in guest.scalars.values()]


def _may_be_of(result: Result, host: Draft, guest: Draft) -> bool:
    """Tell whether a run shows a number that was found below its folder, or nothing of its kind."""
    about = (result.metric, result.split)
    several = [s for s in host.scalars.values() if (s.metric, s.split) == about]
    shown = [value * factor for one in several for value in one.values for factor in FACTORS]
    near = any(math.isclose(value, result.value, rel_tol=CONSOLE_CLOSE) for value in shown)
    return guest.place == host.place or not shown or near


def _absorb_logged(guest: Draft, others: Sequence[Draft]) -> bool:
    """Put a run into the one beside it that it is by all that both say; tell whether it is."""
    others = [one for one in others if not one.measured_only]
    found = [(host, match) for host in others if (match := _match_beside(host, guest)) is not None]
    proven = [pair for pair in found if pair[1].is_proof]
    if proven:
        # Of several that are one run themselves, that which tells most.
        if not all(_are_one(*two) for two in combinations([host for host, _ in proven], 2)):
            return False
        _absorb(guest, *max(proven, key=lambda pair: _rank(pair[0])))
        return True
    # What has nothing in common with another goes to it where all of the folder may be one run.
    near = all(one.place == guest.place or "wandb" in {one.layout, guest.layout} for one in others)
    alike = near and 0 < len(found) == len(others)
    if not alike or not all(_match_beside(*two) for two in combinations(others, 2)):
        return False
    _absorb(guest, *found[-1])
    return True


def _are_one(one: Draft, other: Draft) -> bool:
    """Tell whether either of two runs holds what the other does: a clock may turn one way alone."""
    return any((m := _match_beside(*two)) and m.is_proof for two in ((one, other), (other, one)))


def _match_beside(host: Draft, guest: Draft) -> Match | None:
    """Return what two runs of a folder have in common, None where anything tells them apart.

    Sessions have told apart what event files hold, and one file. Two files of one kind are of one
    run where one says what the other does in other words, or their names differ in nothing else.
    """
    curves = [{series.path for series in one.scalars.values()} for one in (host, guest)]
    if curves[0] & curves[1] or (_holds(host, "tfevents") and _holds(guest, "tfevents")):
        return None
    found = match_runs(host, guest)
    if found is None or kinds_of(host) != kinds_of(guest):
        return found
    named, other = (called([s.path for s in one.sources if s.points]) for one in (host, guest))
    if found.twins and (found.factors or precision(host) != precision(guest)):
        return found
    return found if named == other and (found.is_proof or not found.twins) else None


_SHOWN, _SIGNIFICANT = 2, 6
"""Results that a run shows elsewhere, and their digits, by which they are that run's."""


def _results_elsewhere(drafts: Sequence[Draft]) -> list[Draft]:
    """Give numbers without a step to the one run, wherever it lies, that shows several of them."""
    told = {id(one): _shown(_results_of(one)) for one in drafts if one.measured_only}
    about = {(metric, split) for shown in told.values() for metric, split, _ in shown}
    logged = [(one, _logged(one, about)) for one in drafts if about and not one.measured_only]
    gone: set[int] = set()
    for guest in (draft for draft in drafts if draft.measured_only):
        hosts = [host for host, shown in logged if len(shown & told[id(guest)]) >= _SHOWN]
        if len(hosts) == 1:
            guest.results = _results_of(guest)
            hosts[0].take(guest)
            gone.add(id(guest))
    left = [draft for draft in drafts if id(draft) not in gone]
    if sorted(one.measured_only for one in left) == [False, True]:
        # Beside one training alone, a folder of results without a name holds those of no other.
        host, guest = sorted(left, key=lambda one: one.measured_only)
        unnamed = guest.id == guest.place and leaf(guest.place).lower() in _OF_RESULTS
        if unnamed and _absorb_measured(guest, [host]):
            return [host]
    return left


def _shown(results: Iterable[Result]) -> set[tuple[str, str, str]]:
    """Return results as they are compared, without those of too few digits to tell anything."""
    found = set()
    for one in results:
        text = f"{one.value:.{_SIGNIFICANT}g}"
        digits = len(text.partition("e")[0].replace(".", "").strip("-0"))
        if digits == _SIGNIFICANT and one.metric not in BOOKKEEPING:
            found.add((one.metric, one.split, text))
    return found


def _logged(host: Draft, about: Collection[tuple[str, str]]) -> set[tuple[str, str, str]]:
    """Return the values of some metrics that a run logged, as results are compared."""
    curves = [s for s in host.scalars.values() if (s.metric, s.split) in about]
    return {(s.metric, s.split, f"{value:.{_SIGNIFICANT}g}") for s in curves for value in s.values}


_PROCESS = re.compile(r"(?<![^\W_])rank[-_]?(\d{1,4})(?![^\W_])")


def _without_processes(drafts: Sequence[Draft]) -> list[Draft]:
    """Return the runs without the other processes of one, which are called rank 1, 2 and so on."""
    found = [(draft, match) for draft in drafts if (match := _PROCESS.search(draft.id))]
    gone: set[int] = set()
    for several in group_by(found, lambda one: _PROCESS.sub("", one[0].id)).values():
        ranks = {int(match[1]): draft for draft, match in several}
        if len(several) == len(ranks) > 1 and max(ranks) < len(ranks):
            for rank in range(1, len(ranks)):
                count_once(ranks[0], ranks[rank], "other_process")
                gone.add(id(ranks[rank]))
    return [draft for draft in drafts if id(draft) not in gone]


# --- two logs made one --------------------------------------------------------------------


def _settle_units(draft: Draft) -> None:
    """Leave one series of two that a run holds in two files, in two units or on two clocks."""
    files: dict[str, dict[str, Series]] = {}
    for key, series in draft.scalars.items():
        files.setdefault(series.path, {})[key] = series
    begins = {path: _firsts(scalars) for path, scalars in files.items() if len(files) > 1}
    # Those with a clock first.
    ordered = sorted(begins, key=lambda path: math.isnan(span_of(files[path].values())[0]))
    for one, other in combinations(ordered, 2):
        if not _begin_alike(begins[one], begins[other]):
            continue
        match = match_in_order(files[one], files[other])
        if match is None:
            pair = (files[one], files[other])
            shares = ({k: s for k, s in some.items() if is_share(s.metric)} for some in pair)
            match = match_values(*shares)
            if match is None or not (match.is_proof and match.factors):
                continue
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
    """Add what only a guest logged; of both, that with more digits stays, or both are joined.

    Where only one of the two names the split of a series, it is that of both.
    """
    counts = {
        k: k for k, s in match.series.items() if s.metric in BOOKKEEPING and k in host.scalars
    }
    for key, name in {**counts, **match.twins}.items() if joined else match.twins.items():
        series, there = match.series[key], host.scalars[name]
        split = there.split or series.split
        series, there = replace(series, split=split), replace(there, split=split)
        host.scalars[name] = there
        if series.metric in match.factors or _holds(guest, "fairseq_log"):
            continue
        if not joined:
            finer = _digits_of(series) > _digits_of(there)
            host.scalars[name] = overlay(there, series) if finer else there
        elif not np.isfinite(there.wall_times).any():
            host.scalars[name] = overlay(series, there)
        elif there.values.dtype == np.float64:
            host.scalars[name] = join(series, there)
        else:
            host.scalars[name] = overlay(there, series)
    _add_rest(match, host)
    host.take(guest)
    paths = ", ".join(sorted({source.path for source in guest.sources}))
    name = (host.place or ".") if guest.place == host.place else host.id
    host.problems.append(problem("same_run", guest.id, run=name, paths=paths))


# --- anywhere, in other words -------------------------------------------------------------


def _without_retold(drafts: Sequence[Draft]) -> list[Draft]:
    """Return the runs without those of which another of one seed says the same in other words.

    That is in a file of another kind, in another unit, or rounded. Kept is that with the most
    digits, then that which lies less deep, then the first by name; of the others it is told.
    """
    ordered = sorted(drafts, key=by_depth)
    order = {id(draft): place for place, draft in enumerate(ordered)}
    gone: set[int] = set()
    for several in group_by(ordered, lambda one: _look(one) or (id(one),)).values():
        # Runs of about the same values lie side by side, in percent or not.
        places = {id(one): _size(one) % _HUNDRED for one in several if len(several) > 1}
        digits = {id(one): precision(one) for one in several if len(several) > 1}
        shares = {id(one): _highest_shares(one) for one in several if len(several) > 1}
        sides = sorted(several, key=lambda one: places.get(id(one), 0.0))
        for at, one in enumerate(sides):
            for other in reversed(sides[:at]):
                if places[id(one)] - places[id(other)] > _NEAR:
                    break
                if id(other) in gone:
                    continue
                alike = digits[id(one)] == digits[id(other)]
                in_percent = _are_of_two_units(shares[id(one)], shares[id(other)])
                if _is_retold(one, other, alike=alike, in_percent=in_percent):
                    first, copy = sorted((one, other), key=lambda o: (-digits[id(o)], order[id(o)]))
                    count_once(first, copy, "same_otherwise")
                    gone.add(id(copy))
                    break
    return [draft for draft in drafts if id(draft) not in gone]


def _size(draft: Draft) -> float:
    """Return the logarithm of the sum of a run's first series, in the order of their metrics."""
    several = telling(draft.scalars).values()
    one = min(several, key=lambda o: (o.metric, o.split, len(o)))
    size = abs(float(one.values[np.isfinite(one.values)].sum()))
    return math.log10(size) if 0 < size < math.inf else 0.0


def _look(draft: Draft) -> tuple[object, ...]:
    """Return what two tellings of a run share at least, empty where no seed is stated."""
    seed = seed_of(draft)
    shown = sorted(
        (one.metric, one.split, len(one), int(one.steps[0]), int(one.steps[-1]))
        for one in telling(draft.scalars).values()
    )
    return (seed, *shown) if seed is not None and shown else ()


def _is_retold(host: Draft, guest: Draft, *, alike: bool, in_percent: bool) -> bool:
    """Tell whether a run repeats another in a file of another kind, in percent, or rounded.

    Args:
        host: The run.
        guest: What may repeat it.
        alike: Whether both show as many digits.
        in_percent: Whether one of them may be in percent.
    """
    if is_timed(host) and is_timed(guest):
        return False
    same = alike and kinds_of(host) == kinds_of(guest)
    if same and not in_percent:
        return False
    match = match_values(host.scalars, guest.scalars)
    if match is None or match.digits < 2 * PROOF or (same and not match.factors):
        return False
    told = telling(guest.scalars).keys()
    return told <= match.twins.keys() and not differ_in_settings(host, guest)


def _highest_shares(draft: Draft) -> dict[str, float]:
    """Return the highest value of each metric that may stand in percent."""
    return {
        name: max(np.nan_to_num(abs(s.values), posinf=0).max(initial=0) for s in own.values())
        for name, own in _by_metric(draft.scalars).items()
        if is_share(name)
    }


def _are_of_two_units(mine: Mapping[str, float], theirs: Mapping[str, float]) -> bool:
    """Tell whether a share may stand in percent in one log and not in the other."""
    sizes = (sorted((mine[name], theirs[name])) for name in mine.keys() & theirs.keys())
    return any(high > 10 * low for low, high in sizes)


# --- the match ----------------------------------------------------------------------------

ENOUGH = 3
"""Shared points, to the last digit, by which two logs of a folder are of one run."""

PROOF = 6.0
"""Digits that agree beyond those which two seeds share by chance, where units or digits differ."""

_SEEDS_DIFFER = 0.01
_MOST_DIGITS = 4.0
_FIRST = 20
_LONG = 50
"""Points of a curve of which the last one may differ."""
_EVALUATED = frozenset({"validation", "test"})
_LATER = 0.05

FACTORS = (1.0, 100.0, 0.01)
"""How many times larger one log may state a share than another."""


@record(frozen=False, kw_only=False)
class Match:
    """What two logs say of the same.

    Attributes:
        series: The guest's, on the clock of the host.
        twins: Key of the guest to the key of the host that holds the same values.
        factors: Metric to how many times larger the host states it, where that is not once.
        digits: How many digits agree that would not by chance.
        points: How many points agree to the last digit.
    """

    series: Scalars
    twins: dict[str, str] = field(default_factory=dict)
    factors: dict[str, float] = field(default_factory=dict)
    digits: float = 0.0
    points: int = 0

    @property
    def is_proof(self) -> bool:
        """Whether what agrees shows that the two are one run."""
        return self.points >= ENOUGH or self.digits >= PROOF


def match_runs(host: Draft, guest: Draft) -> Match | None:
    """Return what two logs of one place have in common, None where they contradict each other.

    Nothing in common contradicts nothing, where seed, settings, times and clocks allow it.
    """
    series = _on_clock_of(host, guest)
    if series is None and _counts_updates(host, guest):
        series = guest.scalars
    found = None if series is None else match_values(host.scalars, series)
    if found is not None and found.is_proof:
        return found
    in_order = match_in_order(host.scalars, guest.scalars)
    if found is None or in_order is not None:
        return None if differ_in_settings(host, guest) else in_order
    mine, theirs = (span_of(one.scalars.values()) for one in (host, guest))
    apart = mine[0] > theirs[1] or theirs[0] > mine[1]
    may_be_one = not (found.twins or differ_in_settings(host, guest) or apart)
    return found if may_be_one else None


def match_in_order(host: Scalars, guest: Scalars) -> Match | None:
    """Return what two logs hold of the same whose steps count other things, None where they differ.

    Values in their order tell which step is which: epochs from 0 and from 1, epochs and updates.
    """
    at: dict[int, int] = {}
    mine = _by_metric(host)
    for series in telling(guest).values():
        for one in mine.get(series.metric, {}).values():
            if one.split == series.split and len(one) == len(series) >= ENOUGH:
                steps = zip(series.steps.tolist(), one.steps.tolist(), strict=True)
                if any(at.setdefault(step, there) != there for step, there in steps):
                    return None
    moved = {
        key: replace(one, steps=np.array([at[step] for step in one.steps.tolist()]))
        for key, one in guest.items()
        if len(one) and at.keys() >= set(one.steps.tolist())
    }
    same = all(step == there for step, there in at.items())
    if same or not moved.keys() >= telling(guest).keys():
        return None
    found = match_values(host, moved)
    return found if found and found.is_proof else None


def match_values(host: Scalars, guest: Scalars) -> Match | None:
    """Return which series of a guest a host holds as well, None where one has other values.

    A program may log the mean of an epoch of training, and show that of its last minutes. Where
    all evaluations are the same beyond doubt, those of training need not be. One that stays the
    same, as that of a model which always says one class, leaves doubt.
    """
    if (found := _match_all(host, guest)) is not None:
        return found
    shared = {one.metric for one in host.values()}
    rest = {k: s for k, s in guest.items() if s.split in _EVALUATED or s.metric not in shared}
    moving = {k: s for k, s in rest.items() if len(np.unique(s.values)) >= ENOUGH}
    proof = _match_all(host, moving)
    return _match_all(host, rest) if proof and proof.digits >= 2 * PROOF else None


def _match_all(host: Scalars, guest: Scalars) -> Match | None:
    found, unsure = Match(guest), False
    mine, theirs = _by_metric(host), _by_metric(guest)
    for metric, several in theirs.items():
        there = mine.get(metric, {})
        beside = any(_of_one_split(a, b) for a in several.values() for b in there.values())
        factors = (FACTORS if is_share(metric) else FACTORS[:1]) if there else ()
        tried = {factor: _matched(there, several, factor) for factor in factors}
        agreed = {factor: one for factor, one in tried.items() if one is not None and one[0]}
        if not agreed:
            if beside and None in tried.values():
                return None
            unsure |= beside
            continue
        factor = max(agreed, key=lambda one: agreed[one][1])
        twins, digits = agreed[factor]
        found.twins.update(twins)
        found.digits += digits
        if factor == 1.0:
            pairs = (({"": there[b]}, {"": several[a]}) for a, b in twins.items())
            found.points += sum(agreeing_points(*pair) or 0 for pair in pairs)
        else:
            found.factors[metric] = factor
    return None if unsure and not found.is_proof else found


def _matched(host: Scalars, guest: Scalars, factor: float) -> tuple[dict[str, str], float] | None:
    """Return the twins of one metric and how many digits agree, None where values contradict."""
    twins: dict[str, str] = {}
    digits = 0.0
    others: list[set[str]] = []
    for key, series in guest.items():
        order = sorted(host, key=lambda k: (host[k].split != series.split, k != key))
        agreeing = ((k, _agreeing(host[k], series, factor)) for k in order)
        twin, own = next(((k, found) for k, found in agreeing if found is not None), ("", 0.0))
        if twin:
            twins[key] = twin
            digits += own
            continue
        beside = {k for k, one in host.items() if _of_one_split(one, series)}
        if any(len(np.intersect1d(host[k].steps, series.steps)) for k in beside):
            others.append(beside)
    return (twins, digits) if all(beside & set(twins.values()) for beside in others) else None


def _agreeing(host: Series, guest: Series, factor: float) -> float | None:
    """Return how many digits agree that would not by chance, None where any value does not."""
    both, own, others = shared_values(host, guest)
    if len(both) < min(ENOUGH, len(host), len(guest)):
        return None
    mine, theirs = _plain(own), _plain(others) * factor
    finite = np.isfinite(mine)
    if not np.array_equal(finite, np.isfinite(theirs)):
        return None
    mine, theirs = mine[finite], theirs[finite]
    # One number shows no more places than all do: where it is too far, so are they.
    if _room(mine[:1], theirs[:1]) is None:
        return None
    if (near := _room(mine, theirs)) is None and len(mine) >= _LONG:
        # What a program says when it is done need not be what it logged.
        mine, theirs = mine[:-1], theirs[:-1]
        near = _room(mine, theirs)
    if near is None:
        return None
    shown = np.flatnonzero(theirs)
    _, first = np.unique(np.round(theirs[shown] / near[shown]), return_index=True)
    one_of_each = shown[first]
    digits = np.log10(_SEEDS_DIFFER * np.abs(theirs[one_of_each]) / near[one_of_each])
    return float(np.clip(digits, 0.0, _MOST_DIGITS).sum())


def _room(mine: np.ndarray, theirs: np.ndarray) -> np.ndarray | None:
    """Return how far each value may lie from the other as printed, None where one lies farther."""
    pairs = zip(printed_rooms(mine)[0], printed_rooms(theirs)[0], strict=True)
    rooms = (np.maximum(*pair) + CLOSE * np.abs(theirs) for pair in pairs)
    return next((room for room in rooms if (np.abs(mine - theirs) <= room).all()), None)


def _plain(values: np.ndarray) -> np.ndarray:
    return np.array([float(f"{value:.7g}") for value in values.tolist()], dtype=np.float64)


def _by_metric(scalars: Scalars) -> dict[str, dict[str, Series]]:
    found: dict[str, dict[str, Series]] = {}
    for key, series in telling(scalars).items():
        found.setdefault(series.metric, {})[key] = series
    return found


def _of_one_split(one: Series, other: Series) -> bool:
    return one.split == other.split or not (one.split and other.split)


# --- clocks, seeds and settings -----------------------------------------------------------


def _on_clock_of(host: Draft, guest: Draft) -> Scalars | None:
    """Return a guest's series on the clock of a host, None where the two count other things."""
    mine, theirs = (clock_of(one.scalars, one.config) for one in (host, guest))
    if mine and theirs and theirs.counts_epochs and not mine.counts_epochs:
        return _moved(guest.scalars, mine, theirs)
    apart = mine and theirs and mine.steps_per_epoch != theirs.steps_per_epoch
    return None if apart or not _end_alike(host, guest) else guest.scalars


def _counts_updates(host: Draft, guest: Draft) -> bool:
    """Tell whether one of two logs holds losses of updates alone, and the other the epochs."""
    mine, theirs = (telling(one.scalars).values() for one in (host, guest))
    shared = {one.metric for one in mine} & {one.metric for one in theirs}
    inner = [{one.split for one in several} == {"train"} for several in (mine, theirs)]
    return not shared and inner[0] != inner[1]


def _moved(scalars: Scalars, steps: Clock, epochs: Clock) -> Scalars | None:
    """Return series that count epochs at the steps at which these ended."""
    ends = {float(e): int(s) for s, e in zip(steps.steps, steps.epochs, strict=True)}
    numbers = {int(s): float(e) for s, e in zip(epochs.steps, epochs.epochs, strict=True)}
    found = {}
    for key, series in scalars.items():
        at = [ends.get(numbers.get(int(step), math.nan)) for step in series.steps]
        if None in at:
            return None
        found[key] = replace(series, steps=np.array(at, dtype=np.int64))
    return {key: one for key, one in found.items() if one.metric != "epoch"}


def _end_alike(host: Draft, guest: Draft) -> bool:
    """Tell whether two logs count to about the same number, if the guest holds curves.

    That is one gap between points apart.
    """
    if all(len(one) == 1 for one in guest.scalars.values()):
        return True
    ends, gaps = [], []
    mine, theirs = ({one.metric for one in draft.scalars.values()} for draft in (host, guest))
    shared = (mine & theirs) - BOOKKEEPING
    for draft in (host, guest):
        counted = {k: s for k, s in draft.scalars.items() if not shared or s.metric in shared}
        ends.append(last_step(counted))
        gaps += [float(np.median(np.diff(s.steps))) for s in counted.values() if len(s) > 1]
    return abs(ends[0] - ends[1]) <= max(gaps, default=0.0) + _LATER * max(ends)


def differ_in_settings(one: Draft, other: Draft) -> bool:
    """Tell whether two logs state other seeds, or another value of a setting."""
    seeds = {seed_in(one.config), seed_in(other.config)} - {None}
    return len(seeds) > 1 or contradict(settings_of(one.config), settings_of(other.config))


def is_timed(draft: Draft) -> bool:
    """Tell whether a log says when it was written."""
    return not math.isnan(span_of(draft.scalars.values())[0])


def kinds_of(draft: Draft) -> set[str]:
    """Return the kinds of the files that hold points of a run."""
    return {source.kind for source in draft.sources if source.points}


def precision(draft: Draft) -> int:
    """Return how many digits the numbers of a run show."""
    return max(_digits(draft), default=0)


def _digits(draft: Draft) -> list[int]:
    """Return how many digits each series of a run shows."""
    return [_digits_of(series) for series in telling(draft.scalars).values()]


def _digits_of(series: Series) -> int:
    values = series.values[:_FIRST].astype(float)
    return printed_rooms(values[np.isfinite(values)])[1]
