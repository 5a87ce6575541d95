"""The likely cause of a contradiction: a simple change that makes the printed number right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue, Family, Reading, Time
from reportgen.checking.places import Item, Line
from reportgen.checking.verdicts import SCALES, Form, chance, is_printed, spell
from reportgen.checking.vote import Binding

__all__ = [
    "SPREADS",
    "Cause",
    "cause_of",
    "cause_of_digits",
    "cause_of_reading",
    "chance_of_slip",
    "is_slipped",
]


class Cause(NamedTuple):
    """Why a number may differ from what it should be.

    Attributes:
        words: In words.
        other: The value that is printed instead; None where a digit slipped, or the unit.
        slipped: Whether a digit differs, or two are swapped.
    """

    words: str
    other: Reading | None = None
    slipped: bool = False


def cause_of(
    item: Item, reading: Reading, line: Line, binding: Binding, catalogue: Catalogue
) -> Cause | None:
    """Return why a number may differ from its reading, or None."""
    form = item.form
    for index, other in enumerate(binding.readings):
        if other is not None and is_printed(form, other.value * binding.scale):
            name = line.items[index].name or line.items[index].number.context.row
            if name != item.name:
                return Cause(f"it is the value of {name}", other)
            return Cause(f"it is {catalogue.trace(other).what}", other)
    return cause_of_reading(form, reading, binding.scale, catalogue, wide=True)


def cause_of_reading(
    form: Form, reading: Reading, scale: float, catalogue: Catalogue, *, wide: bool = False
) -> Cause | None:
    """Return the simple change that makes a number of a reading, or None.

    Args:
        form: The number.
        reading: What it should be.
        scale: Printed value over value of the evidence.
        catalogue: The evidence.
        wide: Whether the value of another metric is a cause too, as of a swapped column.
    """
    for other in SCALES:
        if other != scale and is_printed(form, reading.value * other):
            unit = "a fraction is given as percent" if other < scale else "percent as a fraction"
            return Cause(unit)
    neighbours = [*_neighbours(form, reading, catalogue, wide=wide)]
    for neighbour, words in neighbours:
        if is_printed(form, neighbour.value * scale):
            rare = wide or _is_rare(form, scale, neighbours)
            return Cause(words, neighbour) if rare else None
    return cause_of_digits(form, reading.value * scale)


def _is_rare(form: Form, scale: float, neighbours: Sequence[tuple[Reading, str]]) -> bool:
    """Say whether few numbers of a form are one of the values one change away by chance."""
    values = {reading.value * scale for reading, _ in neighbours}
    return chance(form, min(values), max(values), len(values)) <= _DENSE


def _neighbours(
    form: Form, reading: Reading, catalogue: Catalogue, *, wide: bool
) -> Iterator[tuple[Reading, str]]:
    """Yield values one change away: another split, metric, definition, moment, step or run."""
    own = catalogue.families[reading.family]
    yield from _other_families(reading, catalogue, wide=wide)
    if reading.aggregate in SPREADS:
        for aggregate, words in SPREADS.items():
            found = catalogue.read(own, reading.runs, reading.time, aggregate)
            if found is not None and aggregate != reading.aggregate:
                yield found, words
    if wide or reading.time.kind not in {"max", "min", "at"}:
        yield from _other_times(form, reading, catalogue)
    for run in own.curves if not reading.aggregate else ():
        found = catalogue.read(own, (run,), reading.time)
        if found is not None and reading.runs != (run,):
            yield found, f"it is the value of {catalogue.runs[run].id}"


def _other_families(
    reading: Reading, catalogue: Catalogue, *, wide: bool
) -> Iterator[tuple[Reading, str]]:
    """Yield values of the metric on other splits at the same time, and of other metrics."""
    own, time = catalogue.families[reading.family], reading.time
    times = [time]
    if time.kind == "at":
        times.append(Time(kind=time.by[1]))
    if time.kind in {"once", "last"}:
        times += [Time(kind=kind) for kind in ("last", "max", "min")]
    others = [
        family
        for family in catalogue.families.values()
        if family.key != own.key and (wide or (own.metric and family.metric == own.metric))
    ]
    for family in sorted(others, key=lambda family: family.metric != own.metric):
        for one in times:
            found = catalogue.read(family, reading.runs, one, reading.aggregate)
            if found is not None:
                yield found, f"it is the value of tag {family.key}"


SPREADS = {
    "std": "it is the sample standard deviation (n - 1)",
    "pstd": "it is the population standard deviation (n)",
    "se": "it is the standard error",
}
_DIGITS = 3
"""So many digits a number has to have for one that differs to tell anything."""

_KINDS = {"last": "last", "max": "highest", "min": "lowest", "first": "first"}


def _other_steps(reading: Reading, catalogue: Catalogue) -> Iterator[tuple[Reading, str]]:
    """Yield the values of the evaluations before and behind, the nearest first."""
    family = catalogue.families[reading.family]
    curve = family.curves[reading.runs[0]]
    if reading.step is None:
        steps = [float(step) for step in curve.steps[:64]]
        for step in steps:
            time = Time(kind="step", at=step)
            found = catalogue.read(family, reading.runs, time, reading.aggregate)
            if found is not None:
                yield found, f"it is the value at step {step:g}"
        return
    at = curve.index_of(Time(kind="step", at=float(reading.step)))
    if at is None:
        return
    order = sorted(range(len(curve.steps)), key=lambda index: abs(index - at))[1:200]
    for index in order:
        step = float(curve.steps[index])
        found = catalogue.read(family, reading.runs[:1], Time(kind="step", at=step))
        if found is not None:
            yield found, f"it is the value at step {step:g}"


def _other_times(
    form: Form, reading: Reading, catalogue: Catalogue
) -> Iterator[tuple[Reading, str]]:
    """Yield the values of other moments and, unless they are many, of all other steps."""
    own = catalogue.families[reading.family]
    for kind, name in _KINDS.items():
        found = catalogue.read(own, reading.runs, Time(kind=kind), reading.aggregate)
        if found is not None:
            yield found, f"it is the {name} value"
    timed = reading.time.kind in {"step", "epoch", "index"} or reading.time.clock
    few = all(len(own.curves[run].values) <= _FEW for run in reading.runs if run in own.curves)
    if (timed or few) and not _is_dense(form, own, reading):
        yield from _other_steps(reading, catalogue)


def _is_dense(form: Form, family: Family, reading: Reading) -> bool:
    """Say whether a curve has so many values that any number of this form is one of them."""
    curve = family.curves.get(reading.runs[0])
    return curve is None or chance(form, family.low, family.high, len(curve.values)) > _DENSE


_DENSE = 0.2
_FEW = 12
"""A curve of so few evaluations is short enough for one to be taken for another."""


def chance_of_slip(form: Form, reading: Reading, scale: float, catalogue: Catalogue) -> float:
    """Return how likely a right number of another kind is one digit from a reading."""
    family, value = catalogue.families[reading.family], abs(reading.value * scale)
    width = max((family.high - family.low) * scale, value * 0.2)
    digits = sum(map(str.isdigit, spell(value, form.decimals).lstrip("0.")))
    return 9 * digits * 2 * form.half / width if width else 1.0


def is_slipped(form: Form, reading: Reading, scale: float, catalogue: Catalogue) -> bool:
    """Say whether a number is a value but for a digit, as numbers of others hardly are."""
    slip = cause_of_digits(form, reading.value * scale)
    return slip is not None and chance_of_slip(form, reading, scale, catalogue) <= _SLIPPED


_SLIPPED = 0.3


def cause_of_digits(form: Form, value: float) -> Cause | None:
    """Say whether two digits are swapped, or one differs; of short numbers this says nothing."""
    printed = spell(form.value, form.decimals)
    right = spell(value, form.decimals)
    telling = min(sum(map(str.isdigit, one.lstrip("-0."))) for one in (printed, right))
    if len(printed) != len(right) or telling < _DIGITS:
        return None
    places = [i for i, (a, b) in enumerate(zip(printed, right, strict=True)) if a != b]
    if len(places) == 1:
        return Cause("one digit differs", slipped=True)
    if (
        len(places) == 2
        and printed[places[0]] == right[places[1]]
        and (printed[places[1]] == right[places[0]])
    ):
        return Cause("two digits are swapped", slipped=True)
    return None
