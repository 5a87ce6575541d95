"""Verdicts on numbers of sentences: traced by search, accused only where two things bind them.

The words around a number leave some readings open: families by metric and split, runs by name,
times by a step, an epoch or a word such as best, aggregates. A number is traced where one of them
is printed so and few enough numbers would be. It is contradicted where its metric, its run and its
time are said, every reading fails, and something beside it or a simple change speaks for the
reading.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from reportgen.checking.catalogue import Catalogue, Choices, Family, Reading, Time, tag_is_said
from reportgen.checking.causes import (
    SPREADS,
    Cause,
    cause_of_digits,
    cause_of_reading,
    chance_of_slip,
)
from reportgen.checking.context import Claiming
from reportgen.checking.phrases import Phrase, is_listed, is_ranged, phrases_of
from reportgen.checking.places import moments, times_at
from reportgen.checking.verdicts import (
    Form,
    denied,
    form_of,
    is_close,
    is_printed,
    spell,
    verdict_on,
)
from reportgen.checking.words import said
from reportgen.records.record import record, replace
from reportgen.records.verdict import Number, Trace, Verdict

__all__ = ["sentence_verdicts"]

RULE = "sentence"
_CHANCE = 0.05
_CHANCE_UNSAID = 0.01
_CHANCE_BESIDE = 0.3
"""Of a slip where a number beside it tells its run and time."""
_MOST_READINGS = 4000
_ENDS = frozenset({"first", "last", "max", "min"})
"""When a change begins and ends."""
_MOST_EXPLAINED = 12
_MOST_SURE = 12
_MOST_OF_A_SENTENCE = 16
"""Numbers: what has more is a table that reading has missed, and its words are heads of columns."""
_MOST_MEANT = 2
"""Families that a number may mean and still be told."""
_NO_SCORES = frozenset({"", "loss", "learning_rate", "epoch", "grad_norm"})


@record
class _Agreed:
    """A reading that a number agrees with."""

    reading: Reading
    scale: float


def sentence_verdicts(numbers: Sequence[Claiming], catalogue: Catalogue) -> dict[str, Verdict]:
    """Return verdicts on numbers of sentences and lists by the ids of the numbers."""
    phrases = phrases_of(numbers, catalogue)
    agreed: dict[str, _Agreed] = {}
    found: dict[str, Verdict] = {}
    for before, phrase in zip((None, *phrases), phrases, strict=False):
        mean = agreed.get(before.number.id) if before is not None else None
        hit = _agreed_spread(phrase, mean, catalogue) or _agreement(phrase, catalogue)
        if hit is not None:
            agreed[phrase.number.id] = hit
            found[phrase.number.id] = _traced(phrase, hit, catalogue)
    sentences: dict[tuple[int, int], list[Phrase]] = {}
    for phrase in phrases:
        sentences.setdefault(phrase.sentence, []).append(phrase)
    for phrase in phrases:
        if phrase.number.id in found or len(sentences[phrase.sentence]) > _MOST_OF_A_SENTENCE:
            continue
        meant = _with_neighbours(phrase, sentences[phrase.sentence], agreed, catalogue)
        verdict = None
        if meant.may_be_told:
            verdict = _told(meant, phrases, agreed, catalogue)
        elif meant.gap:
            verdict = _told_gap(meant, phrases, catalogue)
        if verdict is not None:
            found[phrase.number.id] = verdict
    for phrase in phrases:
        for name, verdict in _clocks(phrase, agreed, catalogue):
            found.setdefault(name, verdict)
    return found


def _with_neighbours(
    phrase: Phrase, members: Sequence[Phrase], agreed: dict[str, _Agreed], catalogue: Catalogue
) -> Phrase:
    """Return a number with the metric, and the run, of the members of its sentence traced.

    `reaches 78.7 % on the test set, the other 65.9 %` names no metric: the first number tells it.
    """
    numbers = [one.number for one in members if one.number.id in agreed]
    beside = [agreed[number.id].reading for number in numbers]
    if not beside:
        return phrase
    like = any(
        agreed_number.printed.decimals == phrase.number.printed.decimals
        and agreed_number.printed.unit == phrase.number.printed.unit
        for agreed_number in numbers
    )
    if not phrase.said_metric and phrase.families and like and len(phrase.spoken) > 1:
        metrics = {catalogue.families[reading.family].metric for reading in beside}
        families = tuple(one for one in phrase.families if one.metric in metrics - {""})
        phrase = replace(phrase, families=families, said_metric=bool(families))
    if not phrase.named and not phrase.alone:
        runs = {reading.runs for reading in beside}
        phrase = replace(phrase, named=tuple(runs)) if len(runs) == 1 else phrase
    return phrase


def _readings_of(phrase: Phrase, catalogue: Catalogue) -> Iterator[Reading]:
    """Yield the readings that the words of a number leave open."""
    count = 0
    named = [*_named_runs(phrase, catalogue)]
    for family in phrase.families:
        times = [*phrase.times(family), *_moments(phrase, family, catalogue)]
        for runs, time in product(named or _runs(phrase, family, catalogue), times):
            for aggregate in _aggregates(phrase, runs):
                reading = catalogue.read(family, runs, time, aggregate)
                if reading is not None:
                    count += 1
                    yield reading
                if count > _MOST_READINGS:
                    return


def _choices(phrase: Phrase, families: tuple[Family, ...], catalogue: Catalogue) -> Choices:
    """Return the readings of a number in some families; of like words they are the same."""
    words = phrase.words
    said = (words.moments, words.clocks, words.aggregates)
    how = (phrase.at, phrase.carried, phrase.named, phrase.changes, phrase.number.spread)
    key = (tuple(one.key for one in families), *said, *how)
    return catalogue.choices(
        key, lambda: _readings_of(replace(phrase, families=families), catalogue)
    )


def _moments(phrase: Phrase, family: Family, catalogue: Catalogue) -> Iterator[Time]:
    if phrase.at and not (phrase.carried or phrase.words.moments or family.once):
        return
    yield from moments(phrase.words, family, catalogue)
    if phrase.changes and "first" not in phrase.words.moments:
        yield Time(kind="first")
        yield Time(kind="last")


def _named_runs(phrase: Phrase, catalogue: Catalogue) -> Iterator[tuple[int, ...]]:
    """Yield the runs that a sentence names, and what it may mean by them."""
    whole, single = dict.fromkeys(phrase.named), dict[tuple[int, ...], None]()
    for runs in phrase.named if not phrase.words.aggregates else ():
        single.update(dict.fromkeys((run,) for run in runs if len(runs) > 1))
    # Of several groups a number is seldom the mean.
    mixed = any(len({catalogue.runs[run].group for run in runs}) > 1 for runs in whole)
    yield from {**single, **whole} if mixed else {**whole, **single}
    if mixed and phrase.words.aggregates:
        sets = [frozenset(runs) for runs in whole]
        for members in catalogue.groups.values():
            own = frozenset(members)
            if any(own < runs for runs in sets):
                yield members


def _runs(phrase: Phrase, family: Family, catalogue: Catalogue) -> Iterator[tuple[int, ...]]:
    """Yield the runs that a sentence which names none may mean: each, each group and all."""
    members = tuple(family.curves)
    if not phrase.words.aggregates or len(members) == 1:
        yield from ((run,) for run in members[:60])
    yield from (runs for runs in catalogue.groups.values() if len(runs) > 1)
    if len(members) > 1 and len(catalogue.groups) > 1:
        yield members


def _aggregates(phrase: Phrase, runs: Sequence[int]) -> tuple[str, ...]:
    said = phrase.words.aggregates
    if len(runs) == 1:
        return () if phrase.number.spread else ("",)
    if phrase.number.spread or said & {"std"}:
        return ("std", "pstd", "se") if phrase.number.spread else ("std", "pstd")
    if "se" in said:
        return ("se",)
    if "median" in said:
        return ("median",)
    return ("mean",)


def _differences(phrase: Phrase, catalogue: Catalogue) -> Iterator[tuple[float, Reading]]:
    """Yield the differences between named runs, with the first reading of each."""
    for family in phrase.families:
        times = list(phrase.times(family)) or list(moments(phrase.words, family, catalogue))
        for left, right in combinations(phrase.spoken[:6], 2):
            for time in times:
                pair = [
                    catalogue.read(family, runs, time, "mean" if len(runs) > 1 else "")
                    for runs in (left, right)
                ]
                if pair[0] is not None and pair[1] is not None:
                    yield pair[0].value - pair[1].value, pair[0]


def _agreement(phrase: Phrase, catalogue: Catalogue) -> _Agreed | None:
    """Return a reading that a number agrees with, unless chance would find one."""
    form = form_of(phrase.number.printed)
    if phrase.gap:
        return _agreed_gap(phrase, form, catalogue)
    hit = _searched(phrase, form, catalogue)
    if hit is None and (phrase.above or not phrase.called):
        # Names of a later clause, which has numbers of its own, are not those of this one.
        hit = _searched(replace(phrase, named=phrase.above), form, catalogue)
    return hit


def _agreed_spread(phrase: Phrase, mean: _Agreed | None, catalogue: Catalogue) -> _Agreed | None:
    """Return the spread that a number is, behind a mean that agrees: of its runs, at its time."""
    if mean is None or not phrase.number.spread:
        return None
    of = mean.reading
    for aggregate in SPREADS:
        found = catalogue.read(catalogue.families[of.family], of.runs, of.time, aggregate)
        form = form_of(phrase.number.printed)
        if found is not None and is_printed(form, found.value * mean.scale):
            return _Agreed(reading=found, scale=mean.scale)
    return None


def _searched(phrase: Phrase, form: Form, catalogue: Catalogue) -> _Agreed | None:
    """Return the reading of a search, with the odds of finding one by chance held low."""
    standing = catalogue.index.families_having(form)
    likely = tuple(
        one
        for one in phrase.families
        if one.rest
        or one.key in standing
        or (phrase.said_metric and len(one.curves) > 1)  # its means may be at steps of their own
    )
    choices = _choices(phrase, likely, catalogue)
    if not choices.may_have(form):
        return None
    most = _CHANCE if phrase.said_metric else _CHANCE_UNSAID
    timed = _timed(phrase, choices, catalogue)
    found = _hit(form, timed, most, catalogue) if timed is not None else None
    return found or _hit(form, choices, most, catalogue)


def _hit(form: Form, choices: Choices, most: float, catalogue: Catalogue) -> _Agreed | None:
    """Return the first reading that is printed so, if few enough numbers would find one."""
    of_family = {
        key: (catalogue.families[key], _scales(form, catalogue.families[key]))
        for key in choices.families
    }
    hit = next(
        (
            _Agreed(reading=one, scale=scale)
            for one, scale in choices.printed(form)
            if scale in of_family[one.family][1]
            and _width(form, one, of_family[one.family][0], scale) is not None
        ),
        None,
    )
    if hit is None:
        return None
    odds, seen, unit = 0.0, set[float](), 2 * form.half
    # Of a value with several widths the last counts.
    for one in reversed(choices.readings):
        family, scales = of_family[one.family]
        for scale in reversed(scales):
            value = one.value * scale
            width = _width(form, one, family, scale) if value not in seen else None
            if width is not None:
                seen.add(value)
                odds += min(1.0, unit / width) if width else 0.0
                if odds > most:
                    return None
    return hit


def _width(form: Form, reading: Reading, family: Family, scale: float) -> float | None:
    """Return how wide the values lie that a reading is one of; None for a number far from them."""
    if reading.aggregate in SPREADS:
        return abs(reading.value * scale)
    width = max((family.high - family.low) * scale, abs(reading.value * scale) * 0.2)
    near = family.low * scale - width <= form.value <= family.high * scale + width
    return width if near else None


def _timed(phrase: Phrase, choices: Choices, catalogue: Catalogue) -> Choices | None:
    """Return, where a best value has its step or epoch beside it, the readings of that time."""
    if "best" not in phrase.words.moments or len(phrase.clocks) != 1:
        return None
    clock, number = phrase.clocks[0]
    at = float(number.printed.value)
    return Choices(one for one in choices.readings if at in _times_of(one, clock, catalogue))


def _agreed_gap(phrase: Phrase, form: Form, catalogue: Catalogue) -> _Agreed | None:
    found = list(_differences(phrase, catalogue))
    for value, reading in found:
        for scale in (1.0, 100.0):
            if is_printed(form._replace(value=abs(form.value)), abs(value) * scale):
                odds = len(found) * 2 * form.half / max(abs(value) * scale, form.half)
                if odds <= 1.0:
                    return _Agreed(reading=reading._replace(value=value), scale=scale)
    return None


def _scales(form: Form, family: Family) -> tuple[float, ...]:
    """Return the units in which a number may give a family."""
    if form.percent:
        if family.unit == "fraction":
            return (100.0,)
        return (1.0, 100.0) if family.fraction else (1.0,)
    if family.fraction:
        return (1.0, 100.0) if form.value > 1.0 else (1.0,)
    percent = family.low >= 0.0 and family.high <= 100.0 and family.high > 1.0
    return (1.0, 0.01) if percent and abs(form.value) <= 1.0 else (1.0,)


def _told(
    phrase: Phrase, phrases: Sequence[Phrase], agreed: dict[str, _Agreed], catalogue: Catalogue
) -> Verdict | None:
    """Return a verdict on a number that no open reading bears out, or None."""
    form = form_of(phrase.number.printed)
    beside = [
        (one, agreed[one.number.id].reading)
        for one in phrases
        if one.number.id in agreed and one.number.id != phrase.number.id and one.near(phrase)
    ]
    everything = _choices(phrase, phrase.families, catalogue).readings
    readings = _meant(phrase, everything, beside)
    unsaid = not readings and not phrase.changes
    listed = _listed(phrase, everything, beside) if unsaid else []
    if unsaid:
        readings = listed or [one for one in everything if one.time.kind in _ENDS]
    open_values = len({reading.value for reading in readings})
    if not beside and open_values > _MOST_SURE:
        return None
    if not readings or any(
        is_printed(form, reading.value * scale)
        for reading in _wider(everything, catalogue)
        for scale in _scales(form, catalogue.families[reading.family])
    ):
        return None
    readings = _of_few(readings, phrase)
    best, scale, cause = _explained(form, readings, beside, catalogue)
    if best is None or cause is None or is_close(form, best.value * scale):
        return None
    curves = catalogue.families[best.family].curves
    if not (catalogue.is_whole(best) and all(curves[run].ordered for run in best.runs)):
        # Which of a list is meant, its place says; of runs that are not here nothing is known.
        return None
    timed = any(
        float(number.printed.value) in _times_of(best, clock, catalogue)
        for clock, number in phrase.clocks
    )
    beside_it = bool(beside or timed)
    surely = cause.slipped and beside_it and len(phrase.splits) < 2
    if (phrase.is_loose and not surely) or (unsaid and not cause.slipped):
        return None
    most = _most_likely(phrase, best, beside=beside_it and not listed, unsaid=unsaid and not listed)
    if cause.slipped and _by_chance(form, readings, best, scale, catalogue) > most:
        return None
    if _may_be_of_another(cause.other or best, best, phrase, catalogue):
        return None
    if _may_be_meant(form, best, cause, phrase, catalogue):
        return None
    if any(one.sentence == phrase.sentence and of.value == best.value for one, of in beside):
        # The sentence has the right number already: this one is of something else.
        return None
    neighbour = ("neighbour",) if beside_it else ()
    bindings = ("words", *neighbour, *(("name",) if phrase.named else ()))
    expected = spell(best.value * scale, phrase.number.printed.decimals)
    return replace(
        denied(phrase.number, RULE, catalogue.trace(best), expected),
        level="error" if len(bindings) > 1 and open_values <= _MOST_SURE else "warning",
        bindings=bindings,
        cause=cause.words,
    )


def _may_be_meant(
    form: Form, best: Reading, cause: Cause, phrase: Phrase, catalogue: Catalogue
) -> bool:
    """Say whether a number is right under words that bind it less closely than its neighbours do.

    A spread in percent has no sign where its mean has one; of two moments of a sentence either may
    be that of the number, and so may either of the groups that it compares.
    """
    if best.aggregate in SPREADS and is_printed(form, best.value * 100):
        return True
    if not cause.slipped and len({number.printed.text for _, number in phrase.clocks}) > 1:
        return True
    own = {run for runs in phrase.named for run in runs}
    others = tuple(runs for runs in phrase.spoken if own.isdisjoint(runs))
    compared = _choices(replace(phrase, named=others), phrase.families, catalogue).readings
    return bool(own and others) and any(
        is_printed(form, reading.value * scale)
        for reading in _wider(compared, catalogue)
        for scale in _scales(form, catalogue.families[reading.family])
    )


def _may_be_of_another(other: Reading, best: Reading, phrase: Phrase, catalogue: Catalogue) -> bool:
    """Say whether the sentence may mean the split or the seed that a number is of."""
    own, split = (catalogue.families[one.family].split for one in (best, other))
    if (
        split != own
        and split in phrase.splits
        and (own == "validation" or is_listed(phrase.number))
    ):
        # It speaks of that split too: `at its best validation accuracy, 69.9% on test`.
        return True
    alike = (other.family, other.time) == (best.family, best.time) and other.runs != best.runs
    # Reports count seeds from one, logs from zero: another seed may be the one that is meant.
    return alike and any(one.slot == "thing" for one in said(phrase.number.context.sentence))


def _of_few(readings: Sequence[Reading], phrase: Phrase) -> Sequence[Reading]:
    """Return readings of a few families: of many, those whose tags are said; else none."""
    if len({one.family for one in readings}) > _MOST_MEANT:
        spoken = {one.key for one in phrase.families if tag_is_said(phrase.words, one)}
        readings = [one for one in readings if one.family in spoken]
    return readings if len({one.family for one in readings}) <= _MOST_MEANT else ()


def _is_round(form: Form) -> bool:
    """Say whether a number has one digit beside zeros: it is what others have too by chance."""
    return form.value == float(f"{form.value:.0e}")


def _most_likely(phrase: Phrase, best: Reading, *, beside: bool, unsaid: bool) -> float:
    """Return how likely a slip may be by chance for a number to be told.

    A best value is one of several choices: what stands beside it tells which.
    """
    if unsaid:
        return _CHANCE_UNSAID
    if phrase.is_loose:
        return _CHANCE_BESIDE
    best_of = best.time.kind in {"max", "min", "at"} and not beside
    return _CHANCE if phrase.changes or best_of else 1.0


def _by_chance(
    form: Form, readings: Sequence[Reading], best: Reading, scale: float, catalogue: Catalogue
) -> float:
    """Return how likely a right number of another kind is a digit from one of some readings."""
    values = {reading.value for reading in readings if reading.family == best.family}
    return min(len(values), _MOST_EXPLAINED) * chance_of_slip(form, best, scale, catalogue)


def _explained(
    form: Form,
    readings: Sequence[Reading],
    beside: Sequence[tuple[Phrase, Reading]],
    catalogue: Catalogue,
) -> tuple[Reading | None, float, Cause | None]:
    """Return the reading a number most likely stands for, with the cause of its difference.

    Readings of the time and aggregate of a number beside it go first, then the nearest.
    """
    alike = {(reading.time, reading.aggregate) for _, reading in beside}
    ordered = sorted(
        readings,
        key=lambda one: ((one.time, one.aggregate) not in alike, _distance(form, one, catalogue)),
    )
    for reading in ordered[:_MOST_EXPLAINED]:
        scale = _scale(form, reading, catalogue)
        cause = cause_of_reading(form, reading, scale, catalogue)
        if cause and (cause.slipped or not _is_round(form)):
            return reading, scale, cause
    return None, 1.0, None


def _told_gap(phrase: Phrase, phrases: Sequence[Phrase], catalogue: Catalogue) -> Verdict | None:
    """Return a verdict on a difference of two named groups at a time that is said, or None.

    What two numbers of its sentence differ by is right, whatever their time.
    """
    metrics = {family.metric for family in phrase.families if family.metric not in _NO_SCORES}
    apart = len(phrase.spoken) == 2 and not set(phrase.spoken[0]) & set(phrase.spoken[1])
    timed = bool(phrase.at or phrase.words.moments)
    if not apart or not timed or len(metrics) != 1 or phrase.quoted:
        return None
    scores = tuple(family for family in phrase.families if family.metric in metrics)
    form = form_of(phrase.number.printed)
    found = [
        (abs(value) * scale, reading)
        for value, reading in _differences(replace(phrase, families=scores), catalogue)
        for scale in (1.0, 100.0)
    ]
    if not found or not all(catalogue.is_whole(reading) for _, reading in found):
        return None
    size = form._replace(value=abs(form.value))
    value, reading = min(found, key=lambda one: abs(one[0] - size.value))
    beside = [one.number.printed for one in phrases if one.sentence == phrase.sentence]
    printed_apart = (
        abs(float(one.value) - float(other.value)) for one, other in combinations(beside, 2)
    )
    if is_printed(size, value) or any(is_printed(size, apart) for apart in printed_apart):
        return None
    cause = cause_of_digits(size, value)
    if not cause:
        return None
    expected = spell(value, phrase.number.printed.decimals)
    trace = catalogue.trace(reading)
    printed = phrase.number.printed.text
    return replace(
        denied(phrase.number, RULE, trace, expected),
        bindings=("words", "name"),
        cause=cause.words,
        message=f"a difference of {printed} is printed; in the evidence it is {expected} "
        f"({trace.what}, less that of the other)",
    )


def _meant(
    phrase: Phrase, readings: Sequence[Reading], beside: Sequence[tuple[Phrase, Reading]]
) -> Sequence[Reading]:
    """Return the readings of a number whose time is said, or shared by what stands beside it."""
    single = all(
        len(curve.values) == 1 for family in phrase.families for curve in family.curves.values()
    )
    if (phrase.at and not phrase.carried) or phrase.words.moments or single:
        return readings
    same = {
        (reading.time, reading.aggregate)
        for other, reading in beside
        if other.sentence == phrase.sentence and phrase.named
    }
    counts = Counter((reading.runs, reading.time.kind) for _, reading in beside)
    places = {place for place, count in counts.items() if count > 1}
    if phrase.changes:
        ends = {(reading.family, reading.runs) for _, reading in beside}
        return [
            one for one in readings if (one.family, one.runs) in ends and one.time.kind in _ENDS
        ]
    return [
        one
        for one in readings
        if (one.runs, one.time.kind) in places or (one.time, one.aggregate) in same
    ]


def _listed(
    phrase: Phrase, readings: Sequence[Reading], beside: Sequence[tuple[Phrase, Reading]]
) -> list[Reading]:
    """Return the readings of a run and time that a number has that is listed with this one."""
    lead = phrase.number.context.caption
    members = [of for one, of in beside if lead and one.number.context.caption == lead]
    places = {(one.runs, one.time.kind) for one in members}
    return [one for one in readings if (one.runs, one.time.kind) in places]


def _wider(readings: Sequence[Reading], catalogue: Catalogue) -> Iterator[Reading]:
    """Yield the readings, and those an epoch before and behind: reports count from 0 or 1."""
    yield from readings
    for reading in readings:
        family, time = catalogue.families[reading.family], reading.time
        if time.kind in {"epoch", "index"} and not family.from_one:
            for offset in (-1, 1):
                other = time._replace(at=time.at + offset)
                found = catalogue.read(family, reading.runs, other, reading.aggregate)
                if found is not None and time.kind == "index":
                    yield found


def _scale(form: Form, reading: Reading, catalogue: Catalogue) -> float:
    """Return the unit in which a number is likeliest given: that of the nearest order of size."""
    scales = _scales(form, catalogue.families[reading.family])
    ratio = abs(form.value / reading.value) if form.value and reading.value else 1.0
    return min(scales, key=lambda scale: abs(math.log(ratio / scale)))


def _distance(form: Form, reading: Reading, catalogue: Catalogue) -> float:
    return abs(form.value - reading.value * _scale(form, reading, catalogue))


def _traced(phrase: Phrase, hit: _Agreed, catalogue: Catalogue) -> Verdict:
    bindings = ("words",) if phrase.said_metric else ()
    traces = (catalogue.trace(hit.reading),)
    return verdict_on(phrase.number, RULE, bindings=bindings, traces=traces)


def _clocks(
    phrase: Phrase, agreed: dict[str, _Agreed], catalogue: Catalogue
) -> Iterator[tuple[str, Verdict]]:
    """Yield verdicts on the steps and epochs in the sentence of a number that was traced."""
    hit = agreed.get(phrase.number.id)
    if hit is None:
        return
    for clock, number in phrase.clocks:
        times = _times_of(hit.reading, clock, catalogue)
        trace = catalogue.trace(hit.reading)
        if float(number.printed.value) in times:
            yield number.id, _clock_verdict(number, trace)
        elif times and _is_chosen(hit.reading, phrase, catalogue) and not is_ranged(number):
            yield number.id, _clock_verdict(number, trace, f"{min(times):g}")


def _is_chosen(reading: Reading, phrase: Phrase, catalogue: Catalogue) -> bool:
    """Say whether a value is the best of several in time, and the sentence tells one time."""
    curves = (catalogue.families[reading.family].curves[run] for run in reading.runs)
    several = all(len(curve.values) > 1 for curve in curves)
    bound = len(phrase.clocks) == 1 and not (phrase.carried or phrase.windowed)
    return several and bound and phrase.words.moments == {"best"}


def _times_of(reading: Reading, clock: str, catalogue: Catalogue) -> set[float]:
    """Return the steps, epochs or evaluations at which a value stands."""
    family = catalogue.families[reading.family]
    found: set[float] = set()
    for run in reading.runs:
        curve = family.curves[run]
        for at in (curve.values == reading.value).nonzero()[0] if not reading.aggregate else ():
            found |= {*times_at(clock, curve, at)}
    if reading.aggregate and reading.time.kind in {"step", "epoch"}:
        found.add(reading.time.at)
    return found


def _clock_verdict(number: Number, trace: Trace, expected: str = "") -> Verdict:
    printed = number.printed.text
    verdict = verdict_on(number, RULE, bindings=("words", "neighbour"), traces=(trace,))
    if not expected:
        return verdict
    return replace(
        verdict,
        outcome="contradicted",
        level="error",
        expected=expected,
        cause="it is the time of another value",
        message=f"{printed} is printed; the value beside it is that of {expected} ({trace.what})",
    )
