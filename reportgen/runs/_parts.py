"""Runs that are parts of one another: copies, starts that were given up, trainings that went on.

A copy inside a group counts once; one in another group stays there, and both are named. Of starts
with one name, one seed and the same settings, of which one alone came to the end, that one counts.

A run goes on with another where it begins, after step 0, at or near a step of that one, when that
one had ended, and logs what it logged. It is the same run where, besides, no setting speaks
against it, it goes at least as far, and one of these says so:

1. Its settings name a checkpoint of the other as what to begin with.
2. Its name is the other's and a word such as `resume` or `part2`.
3. Names differ in clock readings or running numbers alone, both state the same settings, or one
   seed, and it begins in the second half of the other.
4. One file holds both, one after the other.

It then replaces the other from the step where it begins. A run that repeats what the other logged,
and then goes on, begins where it differs. What is left is a question.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np

from reportgen.records.record import record, replace
from reportgen.records.run import Run
from reportgen.records.source import natural_key
from reportgen.records.study import GroupPlan
from reportgen.runs._evidence import (
    INDEX,
    contradict,
    is_program,
    leaves_of,
    read_path,
    seed_in,
    seed_of,
    settings_of,
    without_clock,
    words_of,
)
from reportgen.runs._layout import Draft, by_depth, count_once, leaf, parent
from reportgen.runs._words import problem, words
from reportgen.runs.series import (
    are_close,
    group_by,
    last_step,
    shared_values,
    span_of,
    supersede,
    telling,
)
from reportgen.runs.sessions import AS_FAR

_POINTS, _VALUES = 8, 5
"""Points and different values of which two runs do not have the same by chance."""
_ATTEMPT = re.compile(r"#\d+$")
"""What is added to the name of a run for each start in its folder."""

Copy = tuple[Draft, Draft]
"""A run that holds what another one holds, to the last digit, and that one, which counts."""
EXACTLY = "same_exactly"


def copies_among(drafts: Iterable[tuple[Draft, Hashable]]) -> list[Copy]:
    """Return the copies among some runs, each given with its content.

    Of equal ones that counts which lies less deep, and of equally deep ones the first by name.
    """
    alike = group_by(sorted(drafts, key=lambda one: by_depth(one[0])), lambda one: one[1])
    return [(copy, run) for (run, _), *copies in alike.values() for copy, _ in copies]


def settle_copies(grouped: Sequence[tuple[Draft, str]]) -> set[int]:
    """Return the `id` of each copy inside a group, or below what it copies, and say so there.

    Of others, which are of two groups, both are named, and both stay.
    """
    home = {id(draft): group for draft, group in grouped}
    known = [(draft, content_of(draft)) for draft, _ in grouped]
    groups = group_by(known, lambda one: home[id(one[0])])
    copies = [copy for own in groups.values() for copy in copies_among(own)]
    gone = {id(copy) for copy, _ in copies}
    for draft, run in copies_among(one for one in known if id(one[0]) not in gone):
        if draft.place.startswith(f"{run.place}/"):
            copies.append((draft, run))
            continue
        places = {"copy": draft.id, "run": run.id}
        groups_of = {"group": home[id(draft)], "other": home[id(run)]}
        draft.problems.append(problem("same_in_two_groups", draft.id, **places, **groups_of))
    for copy, run in copies:
        count_once(run, copy, EXACTLY)
    return {id(copy) for copy, _ in copies}


def content_of(draft: Draft) -> Hashable:
    """Return the files of a run and every point; of too few to tell, what no other run has.

    Rows without a clock may be the same for two seeds; what two processes wrote at one time not.
    """
    series = [one for one in draft.scalars.values() if len(one)]
    timed = bool(series) and all(np.isfinite(one.wall_times).all() for one in series)
    read = [source for source in draft.sources if source.points]
    values = np.sort(np.concatenate([one.values.astype(float) for one in series] or [np.zeros(0)]))
    # `np.unique` would import `numpy.ma`.
    if len(values) < _POINTS or 1 + np.count_nonzero(values[1:] > values[:-1]) < _VALUES:
        # So few may be the same by chance; whole event files are not.
        digests = tuple(sorted(one.sha256 for one in read if one.kind == "tfevents"))
        whole = len(digests) == len(read) > 0 and all(digests)
        return (draft.layout, digests) if whole else id(draft)
    files = sorted((leaf(one.path), one.size, one.sha256) for one in read)
    points = (
        (key, one.steps.tobytes(), one.values.tobytes(), one.wall_times.tobytes())
        for key, one in sorted(draft.scalars.items())
    )
    return draft.layout, tuple(files), None if timed else seed_of(draft), hash(tuple(points))


def given_up(runs: Iterable[tuple[Draft | Run, int | None]]) -> dict[str, str]:
    """Return starts that ended early to the one start, of the same name and seed, that did not.

    Their settings are the same. What ran at the same time is no start of the same run.
    """
    seeded = [(run, seed) for run, seed in runs if seed is not None]
    found: dict[str, str] = {}
    for starts in group_by(seeded, lambda one: (one[0].layout, _named(one[0]), one[1])).values():
        several = [run for run, _ in starts]
        if len(several) > 1 and (whole := _whole_of(several)) is not None:
            found |= {one.id: whole.id for one in several if one is not whole}
    return found


def _named(run: Draft | Run) -> str:
    """Return the name of a run without its clock, its running number and that of its start."""
    called = getattr(run, "name", "") or _ATTEMPT.sub("", run.id)
    reading = read_path(called, run.layout)
    return reading.bare if reading.origin == INDEX else without_clock(called)


def _whole_of(starts: Sequence[Draft | Run]) -> Draft | Run | None:
    """Return the one of some starts that came to the end; None where they are no such starts."""
    ends = [last_step(one.scalars) for one in starts]
    whole = [run for run, end in zip(starts, ends, strict=True) if end >= AS_FAR * max(ends)]
    # What has no clock meets nothing.
    spans = sorted(
        (-math.inf, -math.inf) if math.isnan(span[0]) else span
        for span in (span_of(one.scalars.values()) for one in starts)
    )
    apart = all(one[1] <= other[0] for one, other in pairwise(spans))
    settings = [settings_of(one.config) for one in starts]
    alike = settings.count(settings[0]) == len(settings)
    return whole[0] if len(whole) == 1 and apart and alike else None


def declared_group(draft: Draft, group: str, plans: Sequence[GroupPlan]) -> str:
    """Return the first declared group that a run belongs to, else the group that it has.

    A pattern is on the run's path, or on the name by which its program knows it; without
    one, the group's name must be the run's.
    """
    # The root's own name may be part of the pattern or not: "*/a" also means a top folder.
    paths = [f"{top}{path}" for path in (draft.id, draft.name) if path for top in ("", "/")]
    for plan in plans:
        matched = any(fnmatchcase(path, plan.match) for path in paths)
        if matched if plan.match else group == plan.name:
            return plan.name
    return group


# --- trainings that went on ---------------------------------------------------------------

RESUMES = words("names", "resumes")
BEGINS_WITH = words("settings", "begins_with")
LENGTHS = words("settings", "lengths")
_WORD = re.compile(
    rf"(?:^|[_\-. ]+)(?:{'|'.join(sorted(RESUMES))})(?:[_\-. ]?\d{{1,3}})?(?=$|[_\-. /])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[_\-. ]*\d{1,3}$")
_Either = TypeVar("_Either", Draft, Run)
_MOST_BEFORE = 100
"""Runs of a folder that are looked at as those that another may go on with."""
_MOST_FOLDERS = 20
"""Parts of a stated path that are looked at."""
_ENOUGH = 3
"""Points that a run repeats of another which it goes on with."""


def join_resumed(drafts: Sequence[Draft], plans: Sequence[GroupPlan] = ()) -> list[Draft]:
    """Put each run that goes on with another into that one, where evidence says that it does.

    What the declared groups tell apart stays apart.
    """
    spans = [span for draft in drafts if (span := _span_of(draft)) is not None]
    spans.sort(key=lambda s: (np.nan_to_num(s.began), s.first, s.last, natural_key(s.run.id)))
    gone: set[int] = set()
    now: dict[int, _Span[Draft]] = {}
    alike: dict[tuple[str, str], list[Draft]] = {}
    called: dict[str, list[Draft]] = {}
    names = {id(draft): _bare(draft) for draft in drafts}
    homes = {id(draft): declared_group(draft, draft.group, plans) for draft in drafts}
    for span in spans:
        draft, name = span.run, names[id(span.run)]
        own = alike.setdefault((draft.layout, _NUMBER.sub("", name)), [])
        named = list(_named_before(draft, called))
        says_so = any(map(_WORD.search, (draft.name or draft.id).split("/")))
        late = says_so or span.first > 2 * span.stride
        for other in [*(own[-_MOST_BEFORE:] if late else ()), *named][::-1]:
            told = (says_so and names[id(other)] == name) or any(other is one for one in named)
            told = told or _in_one_file(draft, other)
            part = (_own_part(span, now[id(other)]) if told else None) or span
            one = _is_one(part, now[id(other)], told=told)
            if one and homes[id(draft)] == homes[id(other)]:
                _join(other, part)
                gone.add(id(draft))
                now[id(other)] = _span_of(other) or part
                break
        else:
            own.append(draft)
            called.setdefault(leaf(draft.place), []).append(draft)
            now[id(draft)] = span
    kept = [draft for draft in drafts if id(draft) not in gone]
    for draft in kept:
        files = {source.path for source in draft.sources}
        stem = draft.sources[0].path.rpartition(".")[0] if draft.sources else ""
        others = (source.path for one in kept if one is not draft for source in one.sources)
        # The one run of a file is called after that, and no more after its number in it.
        in_file = draft.id == draft.place and parent(draft.place) == stem
        if draft.resumed and in_file and files.isdisjoint(others):
            draft.id = draft.place = stem
    return kept


def resumptions(runs: Iterable[Run]) -> dict[str, Run]:
    """Return a run's id to the run that it may go on with: that ended before, where it begins.

    Both lie in one folder, are of one layout, and log a tag in common. That they are one, nothing
    else says. Where they have no clock, the one begins behind the last step of the other.
    """
    known = [span for run in runs if (span := _span_of(run)) is not None]
    alike = group_by(
        known, lambda one: (parent(one.run.id), one.run.layout, math.isfinite(one.began))
    )
    found: dict[str, Run] = {}
    for (_, _, timed), several in alike.items():
        # Of runs that end at one moment the first one counts, which comes last here.
        late = several[::-1]
        own = late if timed else [replace(one, began=one.first, ended=one.last) for one in late]
        spans = sorted(own, key=lambda span: span.ended)
        ends = [span.ended for span in spans]
        for span in spans:
            if span.first > 2 * span.stride:
                until = bisect_right(ends, span.began)
                for one in reversed(spans[max(0, until - _MOST_BEFORE) : until]):
                    seeds = {span.run.seed, one.run.seed} - {None}
                    if _goes_on(span, one) and len(seeds) < 2:
                        found[span.run.id] = one.run
                        break
    return found


@record(kw_only=False)
class _Span(Generic[_Either]):
    """Where a run begins and ends, by its steps and by the clock.

    Attributes:
        first: Its first step; of a run that repeats another, the first that is its own.
        stride: How far apart the steps are of the curve that begins first.
        began: Its first wall time, NaN, as `ended`, where it has no clock.
    """

    run: _Either
    first: int
    stride: float
    last: int
    began: float
    ended: float


def _span_of(run: _Either) -> _Span[_Either] | None:
    """Return where a run begins and ends; None where it has no two points."""
    curves = [s for s in run.scalars.values() if len(s)]
    longer = [s for s in curves if len(s) > 1]
    if not longer:
        return None
    began, ended = span_of(curves)
    earliest = min(longer, key=lambda s: (int(s.steps[0]), s.tag))
    return _Span(
        run=run,
        first=int(earliest.steps[0]),
        stride=float(np.median(np.diff(earliest.steps))),
        last=last_step(run.scalars),
        began=began,
        ended=ended,
    )


def _goes_on(span: _Span[_Either], before: _Span[_Either]) -> bool:
    """Tell whether a run begins at or near a step of another, after its first, and later on."""
    met = before.first < span.first <= before.last + 2 * span.stride
    begins = span.first > min(2 * span.stride, before.last)
    shared = not span.run.scalars.keys().isdisjoint(before.run.scalars)
    later = not before.ended > span.began or _in_one_file(before.run, span.run)
    return met and begins and shared and later


def _is_one(span: _Span[Draft], before: _Span[Draft], *, told: bool) -> bool:
    """Tell whether a run is the second part of another, as far as its clock and settings say."""
    one, other = before.run, span.run
    if not _goes_on(span, before) or span.last < before.last:
        return False
    if len({seed_of(one), seed_of(other)} - {None}) > 1:
        return False
    mine, theirs = _kept_settings(one), _kept_settings(other)
    if told:
        return not contradict(mine, theirs)
    timed = math.isfinite(before.ended) and math.isfinite(span.began)
    late = 2 * span.first >= before.first + before.last
    said = bool(mine) or seed_in(one.config) is not None
    return timed and late and said and mine == theirs


def _in_one_file(one: Draft | Run, other: Draft | Run) -> bool:
    """Tell whether one file of a console holds two trainings, and no other file does."""
    mine, theirs = ({s.path for s in run.sources if s.points} for run in (one, other))
    return len(mine) == 1 and mine == theirs and one.layout == "fairseq_console"


def _kept_settings(draft: Draft) -> dict[str, str]:
    """Return the settings that a training keeps where it goes on."""
    return {
        key: value
        for key, value in settings_of(draft.config).items()
        if _last(key) not in LENGTHS and not words_of(key) & BEGINS_WITH
    }


def _last(key: str) -> str:
    return key.replace("/", ".").rpartition(".")[2]


def _bare(draft: Draft) -> str:
    """Return the name of a run without clock readings, and without words that say it goes on."""
    parts = (_WORD.sub("", part) for part in without_clock(draft.name or draft.id).split("/"))
    return "/".join(part for part in parts if part)


def _named_before(draft: Draft, called: Mapping[str, Sequence[Draft]]) -> Iterator[Draft]:
    """Yield the runs in whose folder lies what a run says that it began with."""
    for key, value in leaves_of(draft.config):
        if not isinstance(value, str) or not words_of(key) & BEGINS_WITH:
            continue
        parts = value.replace("\\", "/").split("/")[-_MOST_FOLDERS:]
        for above, name in zip(["", *parts], parts, strict=False):
            others = called.get(name, ())
            common = is_program(name) or name.isdigit() or name == leaf(draft.place)
            for other in others:
                same = not common and len(others) == 1
                if other.layout == draft.layout and (same or above == leaf(parent(other.place))):
                    yield other


def _own_part(span: _Span[Draft], before: _Span[Draft]) -> _Span[Draft] | None:
    """Return where a run that carries the history of another begins; None where it does not."""
    agreed, begins = 0, []
    for key, series in telling(before.run.scalars).items():
        there = span.run.scalars.get(key)
        if there is None:
            continue
        both, mine, theirs = shared_values(series, there)
        apart = ~are_close(mine, theirs)
        count = int(apart.argmax()) if apart.any() else len(both)
        agreed += count
        own = there.steps[there.steps > both[count - 1]] if count else there.steps
        begins += own[:1].tolist()
    first = min(begins, default=before.first)
    return replace(span, first=first) if agreed >= _ENOUGH and first > before.first else None


def _join(before: Draft, span: _Span[Draft]) -> None:
    """Let a run go on with another, and say so."""
    draft, first = span.run, span.first
    scalars, lost = supersede(before.scalars, draft.scalars, first, math.nan)
    before.scalars = dict(sorted(scalars.items()))
    lengths = {key: value for key, value in draft.config.items() if _last(key) in LENGTHS}
    before.config = {**draft.config, **before.config, **lengths}
    again = {one.tag for one in draft.results}
    before.results = [one for one in before.results if one.tag not in again] + draft.results
    before.sources += draft.sources
    before.ended = draft.ended
    before.problems += draft.problems
    before.resumed += [draft.place, *draft.resumed]
    places = {"other": draft.id, "run": before.id, "first": first, "lost": lost}
    before.problems.append(problem("went_on", draft.id, **places))
