"""Verdicts on steps and epochs that a sentence calls the best: `the best epoch of A is 4`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reportgen.checking.catalogue import Catalogue, Family, metric_fits
from reportgen.checking.context import Claiming
from reportgen.checking.mentions import Naming, mentions_in
from reportgen.checking.phrases import by_sentence
from reportgen.checking.times import moments, times_at
from reportgen.checking.verdicts import denied, verdict_on
from reportgen.checking.words import Words, said, words_of
from reportgen.records.record import replace
from reportgen.records.verdict import Number, Trace, Verdict

__all__ = ["best_times"]

_IS = re.compile(
    r"^\s*$|(?:\b(?:is|was|at|est|ist|war|à)\b|[=:(])\s*(?:the\s+)?(?:[^\W\d_]+\s*)?$",
    re.IGNORECASE,
)
_BEST = Words(moments=frozenset({"best"}))


def best_times(numbers: Sequence[Claiming], catalogue: Catalogue) -> Iterator[tuple[str, Verdict]]:
    """Yield the ids of numbers that are called the best step or epoch, with their verdicts.

    Where a sentence names no metric, the best time of any one that is not of training is right.
    """
    for members in by_sentence(numbers).values():
        text = members[0].number.context.sentence
        clock = _clock_of(text)
        found = [one.number for one in members if clock and _is_told(one.number, clock[1], text)]
        if len(found) != 1 or clock is None:
            continue
        naming = Naming(text, said(text), mentions_in(text, catalogue))
        named = naming.of(found[0], found)
        runs = named or ((0,),) * (len(catalogue.runs) == 1)
        if len(runs) == 1 and len(runs[0]) == 1:
            times = dict(_times(runs[0], clock[0], words_of(text), catalogue))
            # Of an only run that is not named, a report may have had others.
            if times and (named or float(found[0].printed.value) in times):
                yield found[0].id, _verdict(found[0], times)


def _clock_of(text: str) -> tuple[str, int] | None:
    """Return the clock that is called best, and where its word ends."""
    words = said(text)
    best = [one.end for one in words if one.slot == "moment" and one.value == "best"]
    clocks = (one for one in words if one.slot == "clock" and one.value in {"step", "epoch"})
    return next(
        ((o.value, o.end) for o in clocks if any(0 <= o.start - e <= 1 for e in best)), None
    )


def _is_told(number: Number, behind: int, text: str) -> bool:
    printed, before = number.printed, text[behind : number.context.offset]
    whole = printed.decimals <= 0 and not (printed.unit or printed.approximate)
    return whole and number.context.offset >= behind and _IS.search(before) is not None


def _times(
    runs: tuple[int, ...], clock: str, words: Words, catalogue: Catalogue
) -> Iterator[tuple[float, Trace]]:
    """Yield the times at which a family of a run has its best value."""
    for family in catalogue.families.values():
        curve = family.curves.get(runs[0])
        if curve is None or len(curve.values) < 2 or not _may_choose(family, words):
            continue
        for time in moments(_BEST, family, catalogue):
            reading = catalogue.read(family, runs, time)
            if reading is None or time.kind not in {"max", "min"}:
                continue
            for at in (curve.values == reading.value).nonzero()[0]:
                trace = catalogue.trace(reading)
                yield from ((one, trace) for one in times_at(clock, curve, at))


def _may_choose(family: Family, words: Words) -> bool:
    if words.splits and family.split not in words.splits:
        return False
    if words.metrics:
        return metric_fits(words, family)
    return family.split in {"validation", "test"} and bool(family.metric)


def _verdict(number: Number, times: dict[float, Trace]) -> Verdict:
    at = float(number.printed.value)
    right = min(times, key=lambda one: abs(one - at))
    bindings = ("words", "name")
    if at == right:
        return verdict_on(number, "sentence", bindings=bindings, traces=(times[right],))
    told = denied(number, "sentence", times[right], f"{right:g}")
    return replace(told, bindings=bindings)
