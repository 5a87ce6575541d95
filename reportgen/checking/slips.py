"""Numbers that would stand under their own words, beside their neighbours, but for a digit.

What stands beside a number, in its sentence or its row and column, says of which object or which
field it is; its own words say which value there. Where nothing bears the number and the one value
meant is a digit away, that value is told.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue, Family, Reading
from reportgen.checking.causes import cause_of_digits
from reportgen.checking.context import Claiming
from reportgen.checking.leaves import (
    LIKE,
    Leaves,
    is_of_others,
    leaves_of,
    own_words,
    scores_of,
)
from reportgen.checking.phrases import Phrase, phrases_of
from reportgen.checking.verdicts import Form, denied, form_of, is_close, quote_of, spell
from reportgen.checking.words import tokens_of, words_of
from reportgen.records.record import replace
from reportgen.records.verdict import Number, Trace, Verdict

__all__ = ["slip_verdicts"]

_CHANCE = 0.3
"""That one of the values that may be meant is a digit from a number by chance, at most."""
_SHARE = 0.6
"""Of the other numbers of a line that have to stand in the evidence."""
_EVIDENCE = frozenset({"series", "sentence", "search"})
_MOST_NEIGHBOURS = 40
_LISTINGS = frozenset({"code", "output"})

Places = Mapping[tuple[object, ...], Sequence[int]]
"""Sentence, list, row or column to the leaves that numbers there were traced to."""


class _Evidence(NamedTuple):
    """What numbers of a report are held against.

    Attributes:
        catalogue: The evidence.
        leaves: Its values.
        having: Family, or runs, to the leaves that are of them.
        there: What numbers stand for, by their places.
    """

    catalogue: Catalogue
    leaves: Leaves
    having: Mapping[object, Sequence[int]]
    there: Places


def slip_verdicts(
    numbers: Sequence[Claiming], known: Mapping[str, Verdict], catalogues: Sequence[Catalogue]
) -> Iterator[tuple[str, Verdict]]:
    """Yield the ids of numbers that are a digit from what their words and neighbours name.

    Args:
        numbers: All numbers of a report.
        known: Verdicts by the ids of the numbers; those of them are passed over.
        catalogues: The evidence.
    """
    traced = [one.number for one in numbers if _is_evident(known.get(one.number.id))]
    open_ = [
        one.number
        for one in numbers
        if not one.reason and one.number.id not in known and _may_be_told(one.number)
    ]
    if not traced or not open_:
        return
    for one in catalogues:
        for number, (reading, scale, cause) in _slips(open_, traced, known, one):
            spoken = number.row is None and number.type not in _LISTINGS
            loose = spoken and _is_loose(number, phrases_of(numbers, one))
            form, family = form_of(number.printed), one.families[reading.family]
            loose = loose or not one.is_whole(reading)
            if not loose and not any(_stands(form, family, other) for other in catalogues):
                expected = spell(reading.value * scale, number.printed.decimals)
                quote = quote_of(number) if number.row is not None else ""
                rule = "series" if number.row is not None else "sentence"
                wrong = denied(number, rule, one.trace(reading), expected, quote)
                bindings = ("words", "neighbour")
                yield number.id, replace(wrong, level="error", bindings=bindings, cause=cause)


def _slips(
    open_: Sequence[Number],
    traced: Sequence[Number],
    known: Mapping[str, Verdict],
    catalogue: Catalogue,
) -> Iterator[tuple[Number, tuple[Reading, float, str]]]:
    """Yield numbers with the value that each means, its unit, and why it differs."""
    leaves = leaves_of(catalogue)
    there: dict[tuple[object, ...], list[int]] = defaultdict(list)
    borne: dict[tuple[object, ...], list[Reading]] = defaultdict(list)
    for number in traced:
        leaf = _leaf_of(known[number.id].traces[0], leaves, catalogue)
        if leaf is None:
            continue
        for place in _places_of(number):
            there[place].append(leaf)
            # A number of one digit stands, or not, by chance.
            if _is_telling(number):
                borne[place].append(leaves.readings[leaf])
    having: dict[object, list[int]] = defaultdict(list)
    for at, reading in enumerate(leaves.readings) if there else ():
        having[reading.family].append(at)
        having[reading.runs].append(at)
    held = _Evidence(catalogue, leaves, having, there)
    ends = _ends_of((*open_, *traced))
    every = Counter(chain(*map(_places_of, filter(_is_telling, (*traced, *open_)))))
    for number in open_:
        places = _places_of(number)
        # Where a row has another number, which stands nowhere, the column says nothing of it.
        lines = [one for one in places[: 1 + (every[places[0]] <= 1)] if one in there]
        found = _slip(number, held, ends[lines[0]]) if lines else None
        if found is None:
            continue
        # Where most numbers of a metric stand nowhere, or elsewhere, they are of other runs.
        lines = [
            one
            for one in places
            if any(leaves.readings[at].family == found[0].family for at in there.get(one, ()))
        ]
        kin = {one: sum(_is_kin(other, found[0]) for other in borne[one]) for one in places}
        if all(kin[one] >= _SHARE * (every[one] - 1) for one in lines or places[-1:]):
            yield number, found


def _is_telling(number: Number) -> bool:
    return len(number.printed.value.as_tuple().digits) > 1


def _is_evident(verdict: Verdict | None) -> bool:
    traced = verdict is not None and verdict.outcome == "traced" and bool(verdict.traces)
    return traced and verdict is not None and verdict.rule in _EVIDENCE


def _may_be_told(number: Number) -> bool:
    printed = number.printed
    return printed.decimals > 0 and not (printed.approximate or printed.word or number.spread)


def _is_loose(number: Number, phrases: Sequence[Phrase]) -> bool:
    """Say whether the words of a sentence leave open that a number is no value of the evidence."""
    one = next((one for one in phrases if one.number.id == number.id), None)
    if one is None:
        return True
    bounds = one.quoted or one.ranged or "interval" in one.words.aggregates
    return bounds or one.gap or one.windowed


def _places_of(number: Number) -> list[tuple[object, ...]]:
    """Return the sentence in which a number stands, with its list; or the row and the column."""
    if number.row is None:
        own = number.block, "sentence", number.start - number.context.offset
        if number.type in _LISTINGS:
            return [own, (number.block, "list")]
        about = number.context.headings, number.context.caption
        return [own, (*about, "list")] if number.type == "item" else [own]
    column = number.column, number.part
    return [(number.block, "row", number.row), (number.block, "column", *column)]


def _leaf_of(trace: Trace, leaves: Leaves, catalogue: Catalogue) -> int | None:
    """Return the leaf that a number was traced to, or None where it is of other evidence."""
    if trace.value is None:
        return None
    for at in leaves.between(trace.value, trace.value):
        reading = leaves.readings[at]
        one = catalogue.trace(reading)
        if (one.path, one.tag, one.run) == (trace.path, trace.tag, trace.run):
            return int(at)
    return None


def _slip(
    number: Number, held: _Evidence, ends: Sequence[int]
) -> tuple[Reading, float, str] | None:
    """Return the one value that a number means, and is not for a digit; with its unit."""
    catalogue, leaves, having, there = held
    form = form_of(number.printed)
    near = [there.get(place, ())[:_MOST_NEIGHBOURS] for place in _places_of(number)]
    alone = not near[0]
    if alone:
        near.reverse()  # each row has one number: of one object, each of a field of its own
    beside, *above = ([leaves.readings[at] for at in places] for places in near)
    across = above[0] if above else []
    used = {(one.family, one.runs, one.value) for one in (*beside, *across)}
    context = number.context
    whole = context.sentence if number.row is None else f"{context.row} | {context.head}"
    words = whole
    most = Counter(one.runs for one in beside).most_common(2)
    if alone and len(most) > 1:
        return None
    several = len(having[most[0][0]]) < len(leaves.readings)
    if number.row is None and several and most[0][1] > sum(n for _, n in most[1:]) + 1:
        # All is of one run: the words between the numbers say which of its values.
        beside = [one for one in beside if one.runs == most[0][0]]
        words = _between(number, ends)
    meant = [
        at
        for at in _related(beside, leaves, having)
        for one in [leaves.readings[at]]
        if (one.family, one.runs, one.value) not in used
        and not _is_listed(one, catalogue)
        and (one.runs == most[0][0] or not (alone or words != whole))
        and (not across or any(_is_like(one, other) for other in across))
    ]
    scores = scores_of(words, " | ".join((*context.headings[-2:], context.caption)), leaves)
    best = max((scores[at] for at in meant), default=0.0)
    # A word has to tell it from what stands beside it, unless what stands above does.
    said = [
        one for one in own_words(words, leaves).values() if across or not one.issuperset(near[0])
    ]
    top = [
        at
        for at in meant
        if scores[at] >= best - LIKE and any(at in one for one in said)
        if not is_of_others(at, words, leaves)
    ]
    values = {leaves.readings[at].value: at for at in top}
    found, odds = [], 0.0
    for value, at in values.items():
        for scale in _scales(form, value):
            digits = sum(map(str.isdigit, spell(value * scale, form.decimals).lstrip("-0.")))
            odds += 9 * digits * 2 * form.half / (leaves.widths[at] * scale)
            slipped = cause_of_digits(form, value * scale)
            if slipped and not is_close(form, value * scale):
                found.append((leaves.readings[at], scale, slipped.words))
    return found[0] if len(found) == 1 and odds <= _CHANCE else None


def _ends_of(numbers: Sequence[Number]) -> Mapping[tuple[object, ...], list[int]]:
    """Return where the numbers of each sentence begin and end."""
    ends: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for number in numbers:
        at = number.context.offset
        ends[_places_of(number)[0]] += at, at + number.end - number.start
    return ends


def _between(number: Number, ends: Sequence[int]) -> str:
    """Return the words from the number before to the number behind."""
    text, start = number.context.sentence, number.context.offset
    end = start + number.end - number.start
    first = max((one for one in ends if one <= start and one != start), default=0)
    last = min((one for one in ends if one > end), default=len(text))
    return f"{text[first:start]} | {text[end:last]}"


def _scales(form: Form, value: float) -> tuple[float, ...]:
    return (100.0,) if (form.percent or form.value > 1.0) and abs(value) <= 1.0 else (1.0,)


def _is_listed(one: Reading, catalogue: Catalogue) -> bool:
    """Say whether a value is one of a list: which is meant, its place says and no moment."""
    curves = catalogue.families[one.family].curves
    return not all(curves[run].ordered for run in one.runs)


def _is_kin(one: Reading, other: Reading) -> bool:
    """Say whether two values are of one family or of one run."""
    return one.family == other.family or one.runs == other.runs


def _is_like(one: Reading, other: Reading) -> bool:
    """Say whether two values are of one run or of one family, and of one time."""
    timed = (one.time, one.aggregate) == (other.time, other.aggregate)
    return timed and (one.family == other.family) != (one.runs == other.runs)


def _related(
    beside: Collection[Reading], leaves: Leaves, having: Mapping[object, Sequence[int]]
) -> list[int]:
    """Return the leaves that are of one run, or of one family, with a value beside."""
    keys = {one.family for one in beside} | {one.runs for one in beside}
    found = sorted({at for key in keys for at in having[key]})
    return [at for at in found if any(_is_like(leaves.readings[at], one) for one in beside)]


def _stands(form: Form, meant: Family, catalogue: Catalogue) -> bool:
    """Say whether a number is any value of the metric of a family, or of one of like words."""
    families = (catalogue.families[key] for key in catalogue.index.families_having(form))
    return any(not _words_of(meant).isdisjoint(_words_of(one)) for one in families)


def _words_of(family: Family) -> set[str]:
    words = {word for word in tokens_of(family.key) if not words_of(word).splits}
    return {*words, family.metric} - {""}
