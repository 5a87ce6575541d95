"""Values in the logs of all that the sentence of a claim names, and not of the claim alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice, product

from reportgen.checking.numbers._gated import gated
from reportgen.checks._choices import choices
from reportgen.checks._logged import Logbook, Point, logbook_of
from reportgen.checks._once import once
from reportgen.checks._statistics import mean_of, statistics_of
from reportgen.checks._subjects import group_called
from reportgen.claims._clauses import sentences
from reportgen.claims._heads import read_text
from reportgen.claims._mentions import Mention
from reportgen.claims._ordered import within
from reportgen.claims._run_names import among as names_among
from reportgen.claims._whole import labels_in
from reportgen.records.claim import Claim, Meaning
from reportgen.records.finding import Case

MOST_RUNS, MOST_GROUPS, MOST_MOMENTS, MOST = 40, 8, 24, 2000
"""Of one sentence: runs of a group, groups, moments, and values in all."""
_SHORTEST_TAG = 4
_VALUES = frozenset(
    {"metric_value", "aggregate_mean", "aggregate_other", "aggregate_std", "tail", "number"}
)
_ALWAYS, _EXTREMES = frozenset({"mean", "std", "se"}), frozenset({"min", "max", "median"})
_ENDS = gated(
    r"\b(?:at\sthe\s(?:very\s)?end|ends?\b|ended\b|ending\b|final(?:ly)?|last|à\sla\sfin|finit|finissent"
    r"|termine\w*|final\w*|derni[eè]re?s?)\b",
    re.IGNORECASE,
)
_BESTS = gated(
    r"\b(?:best|lowest|highest|minimum|maximum|peak\w*|smallest|largest|worst|min|max|meilleure?s?"
    r"|minimale?|maximale?|pire)\b",
    re.IGNORECASE,
)
_BETWEEN = gated(
    r"\b(?:rang\w+|between|from|median|spread|entre|de(?=\s\d[\d.,]*\s?%?\s(?:à|jusqu))|médiane?)\b",
    re.IGNORECASE,
)
_MOMENTS = re.compile(
    r"\b(?P<clock>epochs?|[ée]poques?|steps?)\s(?P<first>\d{1,6})\s?(?:to|à|-|–|—|through)\s?(?P<last>\d{1,6})\b",
    re.IGNORECASE,
)
_EACH_EPOCH = gated(
    r"\b(?:(?:after|at|in|for|of|après|à|pour)\s(?:each|every|chaque)|per|by|par)\s(?:epoch|époque)\b",
    re.IGNORECASE,
)
_WHOLE_TRAINING = gated(
    r"\b(?:over|during|throughout|pendant|sur)\s(?:the\s|l['’]|tout\sl['’])?(?:(?:whole|entire|full)\s)?"
    r"(?:training|entra[iî]nement)\b",
    re.IGNORECASE,
)
_ALL_TOGETHER = gated(r"\b(?:all|both|every|overall|toutes?|tous|deux|pooled)\b", re.IGNORECASE)


_Own = tuple[str, str, str, str, str]
"""What a claim is bound to: metric, split, its groups, and the metric that chose its step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A logged value, or a statistic of some, that a sentence names.

    Attributes:
        value: In the unit of the log.
        unit: Of the log: `"percent"`, `"fraction"` or `""`.
        aggregate: As in `Meaning`; empty for a value of one run.
        among: Of a value of one run that is not named: how many runs its group has.
        what: What it is, in words.
        places: Where its points stand: (path, tag, step) of each.
    """

    value: Decimal
    unit: str
    aggregate: str
    what: str
    places: frozenset[tuple[str, str, int]]
    among: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """What a sentence names, together with what one of its claims is bound to.

    Attributes:
        series: Metric and split of each series.
        groups: Groups of the evidence.
        seeds: As written.
        moments: Each with its step, epoch or selection alone.
        pooled: Whether it speaks of all groups together.
        extremes: Whether it speaks of the highest or lowest of several.
    """

    series: tuple[tuple[str, str], ...]
    groups: tuple[str, ...]
    seeds: tuple[int, ...]
    moments: tuple[Meaning, ...]
    pooled: bool
    extremes: bool


def sentence_of(case: Case, block: int, place: int) -> tuple[int, int]:
    """Return where the sentence around a place of a block begins and ends."""
    spans = _spans(case, block)
    index = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return spans[index] if index >= 0 and place < spans[index][1] else (place, place)


@once
def claims_together(case: Case) -> Mapping[tuple[int, int], tuple[Claim, ...]]:
    """Return the claims of running text by block and start of their sentence."""
    found: dict[tuple[int, int], list[Claim]] = {}
    for claim in case.claims:
        if claim.table is None and claim.block < len(case.manuscript.blocks):
            key = (claim.block, sentence_of(case, claim.block, claim.start)[0])
            found.setdefault(key, []).append(claim)
    return {key: tuple(claims) for key, claims in found.items()}


@once
def _spans(case: Case, block: int) -> tuple[tuple[int, int], ...]:
    with names_among(case.manuscript.group_names):
        return tuple(sentences(case.manuscript.blocks[block].text))


def values_beside(case: Case, book: Logbook, claim: Claim) -> tuple[Beside, ...]:
    """Return the values of what the sentence of a claim names, whichever word stands nearest.

    Args:
        case: The report and its evidence.
        book: The logs.
        claim: In running text, bound to a meaning.
    """
    meaning = claim.content if isinstance(claim.content, Meaning) else Meaning()
    start, end = sentence_of(case, claim.block, claim.start)
    groups = (meaning.run_group, meaning.run_against)
    own = (meaning.metric, meaning.split, *groups, meaning.chosen_by)
    return _values(case, book, (claim.block, start, end), own)


def printed_beside(case: Case, claim: Claim) -> tuple[Beside, ...]:
    """Return the other values that the sentence of a claim prints.

    Args:
        case: The report.
        claim: One of its values.
    """
    start, _ = sentence_of(case, claim.block, claim.start)
    return tuple(
        Beside(value=value, unit="", aggregate="", what=text, places=frozenset())
        for other in claims_together(case).get((claim.block, start), ())
        if other is not claim
        if other.printed is not None and other.kind in _VALUES
        for value, text in [(other.printed.value, other.printed.text)]
    )


@once
def _values(
    case: Case, book: Logbook, place: tuple[int, int, int], own: _Own
) -> tuple[Beside, ...]:
    block, *span = place
    named = _named(case, book, block, (span[0], span[1]), own)
    found: dict[tuple[Decimal, frozenset[tuple[str, str, int]]], Beside] = {}
    for one in islice(_of_all(case, book, named), MOST):
        found.setdefault((one.value, one.places), one)
    return tuple(found.values())


def _named(case: Case, book: Logbook, block: int, span: tuple[int, int], own: _Own) -> _Named:
    text = case.manuscript.blocks[block].text
    spoken = within(read_text(text, labels_in(case.manuscript)).mentions, *span)
    words = text[slice(*span)]
    metric, split, *groups, chosen_by = own
    labels = dict.fromkeys(m.value for m in spoken if m.slot == "group")
    called = [*groups, *(group_called(case, book, label) for label in labels)]
    called += [group for label, group in case.groups.items() if label and label in words]
    called += [name for name in book.groups() if book.study.label(name) in words]
    known = tuple(name for name in dict.fromkeys(called) if name)[:MOST_GROUPS]
    return _Named(
        series=_series(book, spoken, words, (metric, split)),
        groups=known or book.groups()[:MOST_GROUPS],
        seeds=tuple(dict.fromkeys(int(float(m.value)) for m in spoken if m.slot == "seed")),
        moments=_moments(spoken, words, chosen_by),
        pooled=not known or bool(_ALL_TOGETHER.search(words)),
        extremes=_speaks_of_extremes(words, chosen_by) or bool(_BETWEEN.search(words)),
    )


def _series(
    book: Logbook, spoken: Sequence[Mention], words: str, own: tuple[str, str]
) -> tuple[tuple[str, str], ...]:
    """Return metric and split of every series that is named; a tag by its own name."""
    metrics = dict.fromkeys(
        book.metric(name)
        for name in (own[0], *(m.value for m in spoken if m.slot in {"metric", "generic"}))
    )
    splits = dict.fromkeys((own[1], *(m.value for m in spoken if m.slot == "split")))
    named = [split for split in splits if split] or [book.study.metric.report_on]
    found = [(metric, split) for metric in metrics if metric for split in named]
    if "loss" in metrics and _WHOLE_TRAINING.search(words):
        found.append(("loss", "train"))
    return tuple(dict.fromkeys((*found, *tags_named(book, words.casefold()))))


def tags_named(book: Logbook, words: str) -> Iterator[tuple[str, str]]:
    """Yield metric and split of each logged series whose tag is spelt in some words.

    Args:
        book: The logs.
        words: In lower case.
    """
    for tag, metric, split in _tags(book):
        spelt = {tag.casefold(), tag.rpartition("/")[2].casefold()}
        marked = (name for name in spelt if len(name) >= _SHORTEST_TAG and not name.isalpha())
        if metric and any(name in words for name in marked):
            yield metric, split


def _tags(book: Logbook) -> frozenset[tuple[str, str, str]]:
    runs = (run for group in book.groups() for run in book.runs(group)[:MOST_RUNS])
    return frozenset((tag, s.metric, s.split) for run in runs for tag, s in run.scalars.items())


def _moments(spoken: Sequence[Mention], words: str, chosen_by: str) -> tuple[Meaning, ...]:
    """Return every moment that is named; one left open where none is."""
    found = [
        Meaning(step=int(float(m.value))) if m.slot == "step" else Meaning(epoch=float(m.value))
        for m in spoken
        if m.slot in {"step", "epoch"}
    ]
    for match in _MOMENTS.finditer(words):
        numbers = range(int(match["first"]), int(match["last"]) + 1)[:MOST_MOMENTS]
        if match["clock"].casefold().startswith("step"):
            found += [Meaning(step=number) for number in numbers]
        else:
            found += [Meaning(epoch=float(number)) for number in numbers]
    if _EACH_EPOCH.search(words):
        found += [Meaning(epoch=float(number)) for number in range(1, MOST_MOMENTS + 1)]
    chosen = dict.fromkeys(m.value for m in spoken if m.slot == "selection")
    names = [name for name in chosen if name in {"best", "last", "first", "oracle"}]
    names += ["last"] if _ENDS.search(words) else []
    names += ["best", "oracle"] if _speaks_of_extremes(words, chosen_by) else []
    found += [
        Meaning(selection=name, chosen_by=chosen_by if name == "best" else "") for name in names
    ]
    return tuple(dict.fromkeys(found))[:MOST_MOMENTS] or (Meaning(),)


def _speaks_of_extremes(words: str, chosen_by: str) -> bool:
    """Say whether a sentence names the best of several, beside the one that chose its step."""
    return len(_BESTS.findall(words)) > bool(chosen_by)


def _of_all(case: Case, book: Logbook, named: _Named) -> Iterator[Beside]:
    for (metric, split), moment in product(named.series, named.moments):
        pool: dict[str, list[Point]] = {}
        if named.extremes:
            yield from _of_extreme_groups(case, book, (metric, split, moment))
        for group in named.groups:
            seeds = {case.seeds.get(group, {}).get(seed, seed) for seed in named.seeds}
            for rule, points in _by_rule(case, group, (metric, split, moment)).items():
                pool.setdefault(rule, []).extend(points)
                what = f"{split} {metric} {rule}".strip()
                yield from _of_points(book, points, seeds, what, extremes=named.extremes)
        if named.pooled and len(named.groups) > 1:
            for rule, points in pool.items():
                what = f"{split} {metric} {rule}, every run together"
                yield from _statistics(points, what, extremes=named.extremes)


def _of_extreme_groups(
    case: Case, book: Logbook, series: tuple[str, str, Meaning]
) -> Iterator[Beside]:
    """Yield the highest and the lowest mean of any group: `the larger one has the lowest loss`."""
    metric, split, _ = series
    means: dict[str, list[Beside]] = {}
    for group in book.groups()[:MOST_GROUPS]:
        for rule, points in _by_rule(case, group, series).items():
            value = mean_of([point.value for point in points])
            what = f"the mean of {book.study.label(group)}, {split} {metric} {rule}"
            means.setdefault(rule, []).append(_beside(points, value, "mean", what))
    for same in means.values():
        yield min(same, key=lambda one: one.value)
        yield max(same, key=lambda one: one.value)


@once
def _by_rule(case: Case, group: str, series: tuple[str, str, Meaning]) -> Mapping[str, list[Point]]:
    """Return the points of a group's runs, one a run, by the rule that chose them."""
    book, (metric, split, moment) = logbook_of(case), series
    if book is None:
        return {}
    found: dict[str, dict[str, Point]] = {}
    for run in book.runs(group)[:MOST_RUNS]:
        for choice in choices(book, run, metric, split, moment):
            found.setdefault(choice.rule, {}).setdefault(run.id, choice.point)
    return {rule: list(points.values()) for rule, points in found.items()}


def _of_points(
    book: Logbook, points: Sequence[Point], seeds: set[int], what: str, *, extremes: bool
) -> Iterator[Beside]:
    """Yield single values, and statistics of all, of the named seeds, and of the others."""
    named = [point for point in points if point.run.seed in seeds]
    for point in named or points:
        one = _beside([point], point.value, "", book.where(point))
        yield one if named or len(points) == 1 else replace(one, among=len(points))
    yield from _statistics(points, what, extremes=extremes)
    if 0 < len(named) < len(points):
        others = [point for point in points if point not in named]
        for some, which in ((named, "that are named"), (others, "that are not named")):
            yield from _statistics(some, f"{what}, the seeds {which}", extremes=extremes)


def _statistics(points: Sequence[Point], what: str, *, extremes: bool) -> Iterator[Beside]:
    if len(points) < 2 or len({point.unit for point in points}) > 1:
        return
    for name, words, value in statistics_of([point.value for point in points]):
        if name in _ALWAYS or (extremes and name in _EXTREMES):
            yield _beside(points, value, name, f"the {words} of {what}")


def _beside(points: Sequence[Point], value: Decimal, aggregate: str, what: str) -> Beside:
    places = frozenset((p.series.path, p.series.tag, p.step) for p in points)
    return Beside(value=value, unit=points[0].unit, aggregate=aggregate, what=what, places=places)
