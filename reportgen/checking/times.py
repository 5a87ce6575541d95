"""When the values of a line may have been measured: at a step beside them, or at a moment."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue, Curve, Family, Time
from reportgen.checking.places import MAJORITY, Line
from reportgen.checking.words import Said, Words, said, words_of
from reportgen.records.metrics import known_metric
from reportgen.runs import direction_of

__all__ = [
    "MOMENTS",
    "Timed",
    "at_clock",
    "clock_in",
    "is_said_of_time",
    "moments",
    "numbered",
    "timed",
    "times_at",
]

_MOST_CHOOSERS = 8
_MOST_PARTS = 6
_BEHIND, _BEFORE = re.compile(r"\W{0,3}(\d{1,9})\b"), re.compile(r"\b(\d{1,9})\W{0,3}$")


def clock_in(head: str) -> str:
    """Return `said` of a head that names steps or epochs, `open` of an empty one, else nothing.

    Example:
        >>> clock_in("Epoch"), clock_in("#"), clock_in("Loss")
        ('said', 'open', '')
    """
    if words_of(head).clocks:
        return "said"
    return "" if head.strip(" #") else "open"


_CLOCKS = (
    ("step", 0, False),
    ("epoch", 0, False),
    ("epoch", -1, True),
    ("index", -1, False),
    ("index", 0, True),
)
"""How a number may be a time: its kind, what is added, and whether a log has to count from 0."""


class Timed(NamedTuple):
    """A way in which numbers beside the items of a line may be their times.

    Attributes:
        times: Of each item; empty where no number says it.
        source: The numbers.
        ahead: Whether the log has to count from 0.
    """

    times: tuple[Time | None, ...]
    source: str
    ahead: bool = False


def timed(line: Line) -> Iterator[Timed]:
    """Yield the ways in which numbers beside the items may be their times; first none."""
    yield Timed((), "")
    for source, values in line.beside().items():
        known = [value for value in values if value is not None]
        if len(known) < max(1, MAJORITY * len(values)):
            continue
        if len(set(known)) < max(1, MAJORITY * len(known)):
            continue
        if source.startswith("w") and any(words_of(one.name).things for one in line.items):
            continue  # `run 3` is no third evaluation
        clocked = line.clocks.get(source, "open" if source.startswith("w") else "")
        whole = all(value == int(value) for value in known)
        for kind, offset, ahead in _CLOCKS:
            if kind == "index" and not clocked:
                continue
            # Only epochs are counted in parts, and a head says that they are.
            if not whole and (kind != "epoch" or clocked != "said"):
                continue
            for clock in ("", *(one for one in ("step", "epoch") if one in line.words.clocks)):
                times = tuple(
                    Time(kind=kind, at=value + offset, clock=clock) if value is not None else None
                    for value in values
                )
                yield Timed(times, source, ahead and min(known) >= 1)


def at_clock(clock: str, at: float, family: Family) -> Iterator[Time]:
    """Yield the times of a family that a number beside the word of a clock may be.

    A report may count from 1 what a log counts from 0, and not the other way round.
    """
    for kind, offset, ahead in _CLOCKS:
        kinds = {"step": ("step",), "iteration": ("index",)}.get(clock, (kind,))
        if kind in kinds and not (ahead and family.from_one):
            yield Time(kind=kind, at=at + offset)
    if clock == "epoch":
        yield from (Time(kind="epoch", at=one) for one in _parts_near(at, family))


def _parts_near(at: float, family: Family) -> list[float]:
    """Return the epochs in parts that a whole number may round: the nearest of a family's."""
    found: set[float] = set()
    for curve in islice(family.curves.values(), _MOST_CHOOSERS):
        middle = int(curve.parts.searchsorted(at))
        near = curve.parts[max(0, middle - _MOST_PARTS) : middle + _MOST_PARTS]
        found.update(one for one in near.tolist() if abs(one - at) < 1.0)
    return sorted(found, key=lambda one: (abs(one - at), one))[:_MOST_PARTS]


def times_at(clock: str, curve: Curve, at: int) -> Iterator[float]:
    """Yield the steps, epochs or evaluations that a report may call the one at a position.

    An epoch is what its log says, in parts or rounded, or the count of evaluations; where the log
    does not count from 1, also the epoch before or behind.

    Example:
        >>> import numpy as np
        >>> parts = np.array([4.89, 9.78])
        >>> curve = Curve(steps=np.array([40, 80]), values=parts, path="", tag="", epochs=parts)
        >>> [*times_at("step", curve, 1)], sorted({*times_at("epoch", curve, 1)})
        ([80.0], [2.0, 9.0, 9.78, 10.0])
    """
    if clock == "step" or curve.epochs is None:
        yield float(curve.steps[at])
    if clock == "step":
        return
    yield float(at + 1)
    if clock == "epoch" and curve.epochs is not None:
        epoch = float(curve.epochs[at])
        yield from (epoch, float(math.floor(epoch)), float(math.ceil(epoch)))
        if not curve.from_one:
            yield from (math.ceil(epoch) - 1.0, math.floor(epoch) + 1.0)
    else:
        yield float(at)


_LINK = re.compile(
    r"[\s_(]*(?:(?:of|at|with|by|to|on|an?|the|its|our|de|du|des|de[rmn]|la|les?|une?|à|bei|mit"
    r"|eine[rm])\s+|[dl]['’])*",
    re.IGNORECASE,
)
_STOPS = re.compile(r"\s*(?:[):=,.]|$|(?:\w{1,2}|was|est|ist|von)\b)", re.IGNORECASE)


def is_said_of_time(word: Said, text: str, words: Sequence[Said], values: Sequence[int]) -> bool:
    """Say whether a word such as last tells when: it is said of a metric, value, epoch or training.

    Args:
        word: Of the slot `moment`; best always tells when.
        text: The sentence.
        words: Its words of the lexicon.
        values: Where its numbers begin that are values.

    Example:
        >>> def tells(text):
        ...     words = said(text)
        ...     last = next(one for one in words if one.slot == "moment")
        ...     return is_said_of_time(last, text, words, ())
        >>> tells("The last layer has the accuracy"), tells("The last validation accuracy")
        (False, True)
    """
    if word.value == "best":
        return True
    behind = _LINK.match(text, word.end)
    at = behind.end() if behind else word.end
    linked = bool(text[word.end : at].strip(" _("))
    heads = {"metric", "head", "aggregate", "moment", "thing" if linked else "clock"}
    while split := next((one for one in words if (one.slot, one.start) == ("split", at)), None):
        if linked and split.value == "train":
            return True
        at = split.end + len(text[split.end :]) - len(text[split.end :].lstrip(" _"))
    if at in values or any(one.start == at and one.slot in heads for one in words):
        return True
    before = (one for one in words if one.slot in {"metric", "split", "head"})
    stops = _STOPS.match(text, word.end) is not None
    return stops and any(
        one.end <= word.start and not text[one.end : word.start].strip(" _(") for one in before
    )


def numbered(text: str, family: Family) -> Iterator[Time]:
    """Yield the steps and epochs that the head of a line names: a number beside a clock's word."""
    for one in said(text):
        if one.slot == "clock":
            found = (_BEHIND.match(text, one.end), _BEFORE.search(text[: one.start]))
            for number in filter(None, found):
                at = float(number[1])
                yield from (t for t in at_clock("epoch", at, family) if t.kind != "index")


def moments(words: Words, family: Family, catalogue: Catalogue) -> Iterator[Time]:
    """Yield the times that words may mean where no step stands beside a number.

    Where words say best, last or first, only these; in a line that names a clock, when that was.

    Example:
        >>> from reportgen.checking.stored import catalogue_of_stored
        >>> from reportgen.checking.words import words_of
        >>> from reportgen.records.verdict import Stored
        >>> rows = [Stored(path="m.json", keys=(f"{i}", "f1"), value=i / 9) for i in range(3)]
        >>> catalogue = catalogue_of_stored(rows)
        >>> family = catalogue.families["f1"]
        >>> [time.kind for time in moments(words_of("Best F1, last F1"), family, catalogue)]
        ['last', 'max']
    """
    if family.once:
        yield Time(kind="once")
        return
    stated = words.moments
    clocks = [clock if clock != "iteration" else "index" for clock in sorted(words.clocks)]
    best = [Time(kind=end) for end in _ends(family)]
    best += [Time(kind="at", by=by) for by in _choosers(family, catalogue)]
    times: list[Time] = []
    if "last" in stated or not stated:
        times.append(Time(kind="last"))
    if "best" in stated or not stated:
        times += best
    if "first" in stated or not stated:
        times.append(Time(kind="first"))
    if not clocks:
        yield from times
        return
    for time, clock in product(best if not stated else times, clocks):
        yield Time(kind=time.kind, at=time.at, by=time.by, clock=clock)
    if not stated:
        yield Time(kind="last", clock=clocks[0])


def _ends(family: Family) -> tuple[str, ...]:
    """Return which end of a family is its best: by its metric, else both."""
    known = known_metric(family.metric) if family.metric else None
    return _ENDS[known.better if known is not None else ""]


_ENDS = {"higher": ("max",), "lower": ("min",), "": ("max", "min")}


def _choosers(family: Family, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Yield the families by whose best value a step may have been chosen: those of validation."""
    count = 0
    for other in catalogue.families.values():
        usable = other.split == "validation" and other.key != family.key and other.metric
        if usable and not other.once and count < _MOST_CHOOSERS:
            count += 1
            better = direction_of(other.metric)
            for end in _ENDS[better] if better else _ends(other):
                yield other.key, end


MOMENTS = {"last": "last", "first": "first", "max": "best", "min": "best", "at": "best"}
