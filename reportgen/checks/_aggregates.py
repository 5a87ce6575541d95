"""Readings of a mean or a spread: from the logs under every definition, from printed runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.checks._logged import Logbook
from reportgen.checks._printed_runs import Shown
from reportgen.checks._quartiles import QUARTILES, quartiles_of
from reportgen.checks._samples import Sample, samples
from reportgen.checks._statistics import MEAN, STD, mean_of, statistics_of, variance_of
from reportgen.checks._subjects import Subject
from reportgen.checks._weigh import SPREADS, Change, Reading, rounding_of, spell, units_of
from reportgen.claims.together import VARIES
from reportgen.records.claim import Meaning
from reportgen.records.run import Run
from reportgen.runs import is_share

_SPELT_OUT = gated(
    r"\bstd\b|\bstdev\b|\bs\.?d\.?\b|deviation|[ée]cart|σ|\bsigma\b|standard err|\bsem\b"
    r"|erreur|confidence|confiance|interval|\bci\b",
    re.IGNORECASE,
)
_BY_DDOF = {0: "population", 1: "sample"}
MOST_LISTED = 6
MOST_GROUPS = 10
"""Other groups that are looked at for a number that was taken from the wrong row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A statistic of a sample.

    Attributes:
        aggregate: As in `Meaning`.
        words: Its definition.
        value: In the unit of print.
    """

    aggregate: str
    words: str
    value: Decimal


def is_legal(about: Shown, drawn: Drawn) -> bool:
    """Say whether a claim may mean this statistic.

    What a report calls a standard deviation is one, of either kind unless it says which. A
    bare ± may be anything that people write behind it.
    """
    meaning = about.meaning
    if drawn.aggregate == meaning.aggregate:
        kind = _BY_DDOF.get(meaning.ddof) if meaning.ddof is not None else None
        return drawn.aggregate != STD or kind is None or drawn.words.startswith(kind)
    if drawn.aggregate == "interval end":
        return meaning.aggregate == "interval"
    if about.claim.hints.get("over") == VARIES:
        # By how much values vary may be told as their deviation.
        return drawn.aggregate == STD
    bare = meaning.aggregate in SPREADS and not is_spelt_out(about)
    return bare and drawn.aggregate in SPREADS and meaning.ddof is None


def is_spelt_out(about: Shown) -> bool:
    """Say whether a report calls a spread by its name, and not only by ±."""
    return bool(_SPELT_OUT.search(" ".join((about.claim.quote, *about.claim.hints.values()))))


def drawn_of(values: Sequence[Decimal], aggregate: str = "") -> tuple[Drawn, ...]:
    """Return every statistic of a sample; of an interval its half width and both ends.

    Args:
        values: The sample.
        aggregate: That is asked for: where it is a quartile, nothing else is worked out.
    """
    if aggregate in QUARTILES:
        return tuple(
            Drawn(aggregate=name, words=words, value=value)
            for name, words, value in quartiles_of(values)
        )
    found = [
        Drawn(aggregate=name, words=words, value=value)
        for name, words, value in statistics_of(values)
    ]
    centre = found[0].value
    for half in [drawn for drawn in found if drawn.aggregate == "interval"]:
        for end, value in (("lower", centre - half.value), ("upper", centre + half.value)):
            words = f"{end} end of the interval by {half.words}"
            found.append(Drawn(aggregate="interval end", words=words, value=value))
    return tuple(found)


def logged_samples(
    book: Logbook,
    subject: Subject,
    meaning: Meaning,
    *,
    zero: bool,
    named: Callable[[Run], bool] | None = None,
) -> tuple[Sample, ...]:
    """Return the samples that a claim may speak of, on the likeliest split.

    Args:
        book: The logs.
        subject: Groups, metric and splits.
        meaning: Of the claim.
        zero: Whether the report numbers its epochs from 0.
        named: Which runs are meant, where the claim does not speak of all.
    """
    split = subject.splits[0]
    return tuple(
        sample
        for group in subject.groups
        for sample in samples(book, group, subject.metric, split, meaning, zero=zero, named=named)
    )


def logged_readings(book: Logbook, about: Shown, found: Sequence[Sample]) -> Iterator[Reading]:
    """Yield every legal reading of a claim in the logs."""
    for sample in found:
        first = sample.points[0]
        curve = book.curve(first.run, first.series.metric, first.series.split)
        decimals = curve.decimals if curve is not None else None
        for unit in units_of(about.claim, first.unit):
            values = sample.values(unit)
            for drawn in filter(
                lambda d: is_legal(about, d), drawn_of(values, about.meaning.aggregate)
            ):
                runs = f"{len(values)} runs" if len(values) > 1 else "one run"
                what = f"{drawn.words} of {runs} of {book.study.label(sample.group)}"
                yield Reading(
                    value=drawn.value,
                    what=f"{what}, {sample.words}",
                    evidence=tuple(point.evidence for point in sample.points),
                    slack=rounding_of(decimals, first.unit, unit),
                    says=f"the logs give {spell(drawn.value)}, the {what}, {sample.words}",
                )


def logged_changes(
    book: Logbook, about: Shown, subject: Subject, found: Sequence[Sample], *, zero: bool
) -> Iterator[Change]:
    """Yield what may explain that a mean or a spread is not one of the logs."""
    for unit in units_of(about.claim, found[0].points[0].unit):
        yield from _other_statistics(about, found[0].values(unit), "")
        yield from _single_values(book, about, found[0], unit)
        yield from _other_samples(book, about, subject, unit, zero=zero)


def _other_samples(
    book: Logbook, about: Shown, subject: Subject, unit: str, *, zero: bool
) -> Iterator[Change]:
    """Yield the same statistic of other values: another split, rule, step or group."""
    meaning = about.meaning
    said = bool(meaning.split)
    for split in [s for s in ("validation", "test", "train") if s != subject.splits[0]]:
        for sample in _of_split(book, subject, split, meaning, zero=zero):
            yield from _same_statistic(about, sample, unit, sample.words, soft=not said)
    anything = Meaning(split=meaning.split)
    for sample in _of_split(book, subject, subject.splits[0], anything, zero=zero):
        yield from _same_statistic(about, sample, unit, sample.words, soft=False)
    yield from _other_steps(book, about, subject, unit)
    others = [group for group in book.groups() if group not in subject.groups]
    for group in others[:MOST_GROUPS]:
        for sample in samples(book, group, subject.metric, subject.splits[0], meaning, zero=zero):
            words = f"{book.study.label(group)}, {sample.words}"
            yield from _same_statistic(about, sample, unit, words, soft=False)


def _of_split(
    book: Logbook, subject: Subject, split: str, meaning: Meaning, *, zero: bool
) -> Iterator[Sample]:
    for group in subject.groups:
        yield from samples(book, group, subject.metric, split, meaning, zero=zero)


def _same_statistic(
    about: Shown, sample: Sample, unit: str, words: str, *, soft: bool
) -> Iterator[Change]:
    for drawn in drawn_of(sample.values(unit), about.meaning.aggregate):
        if is_legal(about, drawn):
            yield Change(value=drawn.value, text=f"it is the {drawn.words} of {words}", soft=soft)


def _other_steps(book: Logbook, about: Shown, subject: Subject, unit: str) -> Iterator[Change]:
    """Another row of a table by epochs."""
    meaning = about.meaning
    open_ended = meaning.step is None and meaning.epoch is None and not meaning.selection
    for group in subject.groups:
        curves = [book.curve(r, subject.metric, subject.splits[0]) for r in book.runs(group)]
        steps = {p.step for curve in curves if curve is not None for p in curve.points}
        if len(steps) > 50:
            return
        for step in sorted(steps):
            wanted = Meaning(step=step)
            for sample in samples(book, group, subject.metric, subject.splits[0], wanted):
                yield from _same_statistic(about, sample, unit, sample.words, soft=open_ended)


def _single_values(book: Logbook, about: Shown, sample: Sample, unit: str) -> Iterator[Change]:
    if about.meaning.aggregate != MEAN:
        return
    for point in sample.points:
        yield Change(value=point.in_unit(unit), text=f"it is the value of {book.where(point)}")


def _other_statistics(about: Shown, values: Sequence[Decimal], of: str) -> Iterator[Change]:
    """Yield the fraction for the percentage, another definition, the variance."""
    drawn = drawn_of(values, about.meaning.aggregate)
    legal = [one for one in drawn if is_legal(about, one)]
    for one in legal:
        yield from _in_other_unit(about, one, of)
    spread = about.meaning.aggregate in SPREADS
    for one in drawn:
        if one not in legal and (one.aggregate in SPREADS if spread else one.aggregate == "median"):
            # Another spread than the one that is named: a slip of the pen, and no other number.
            yield Change(value=one.value, text=f"it is the {one.words}{of}", soft=spread)
    if spread and len(values) > 1:
        for ddof, kind in _BY_DDOF.items():
            text = f"it is the {kind} variance{of}, the square of the standard deviation"
            yield Change(value=variance_of(values, ddof), text=text)


def _in_other_unit(about: Shown, drawn: Drawn, of: str) -> Iterator[Change]:
    fraction, percent = drawn.value.scaleb(-2), drawn.value.scaleb(2)
    behind = "with a percent sign" if about.printed.unit == "percent" else "beside percentages"
    shown = spell(round(fraction, 2 - fraction.adjusted()) if fraction else fraction)
    text = f"it is the {drawn.words}{of} as the fraction {shown}, printed {behind}"
    yield Change(value=fraction, text=text, unit=True)
    if about.printed.unit != "percent":
        text = f"it is the {drawn.words}{of} in percent"
        yield Change(value=percent, text=text, unit=True)


def listed(values: Sequence[Shown]) -> str:
    """Return printed values with their place, as messages say them."""
    texts = ", ".join(v.printed.text for v in values[:MOST_LISTED])
    more = f" and {len(values) - MOST_LISTED} more" if len(values) > MOST_LISTED else ""
    return f"{texts}{more} ({values[0].claim.place})"


def printed_readings(about: Shown, values: Sequence[Shown]) -> Iterator[Reading]:
    """Yield every legal reading of a claim in the runs that the report prints."""
    numbers = [value.printed.value for value in values]
    for shift in _shifts(about, values[0]):
        for drawn in filter(
            lambda d: is_legal(about, d), drawn_of(numbers, about.meaning.aggregate)
        ):
            value = drawn.value.scaleb(shift)
            yield Reading(
                value=value,
                what=f"{drawn.words} of {listed(values)}",
                slack=_slack(drawn, values).scaleb(shift) + about.printed.half_unit,
                says=f"{listed(values)} have the {drawn.words} {spell(value)}",
            )


def _slack(drawn: Drawn, values: Sequence[Shown]) -> Decimal:
    """Return how far a statistic of printed values may be from that of the values themselves.

    They may be cut off and not rounded: each is open by a unit, not by half of one. A mean
    moves by their mean, a sample deviation by the root of their squares over n - 1.
    """
    units = [2 * value.printed.half_unit for value in values]
    if drawn.aggregate == MEAN:
        return mean_of(units)
    if drawn.aggregate in SPREADS and len(units) > 1:
        return (sum((unit * unit for unit in units), Decimal()) / (len(units) - 1)).sqrt()
    return max(units)


def _shifts(about: Shown, single: Shown) -> tuple[int, ...]:
    """Return the powers of ten between the unit of single runs and that of their aggregate."""
    own, theirs = _unit(about), _unit(single)
    if own and theirs:
        return (0,) if own == theirs else (-2,) if theirs == "percent" else (2,)
    return (0, -2, 2)


def _unit(shown: Shown) -> str:
    unit = shown.printed.unit or shown.meaning.unit
    large = is_share(shown.meaning.metric) and abs(shown.printed.value) > 1
    return "percent" if unit == "points" or (not unit and large) else unit


def printed_changes(about: Shown, values: Sequence[Shown]) -> tuple[Change, ...]:
    """Return what may explain that a number is no statistic of the printed runs."""
    return tuple(_other_statistics(about, [value.printed.value for value in values], ""))


def printed_causes(about: Shown, values: Sequence[Shown]) -> Iterator[Change]:
    """Yield statistics of the printed runs, as what explains a number that the logs have not."""
    numbers = [value.printed.value for value in values]
    of = f" of {listed(values)}"
    for drawn in drawn_of(numbers, about.meaning.aggregate):
        if is_legal(about, drawn):
            yield Change(value=drawn.value, text=f"it is the {drawn.words}{of}")
    yield from _other_statistics(about, numbers, of)
