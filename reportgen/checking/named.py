r"""Numbers that carry the id they have in a built report (`\rgnum{id}{79.9}`), held against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from reportgen.checking.context import Claiming
from reportgen.checking.numbers import NumberStyle, find_numbers
from reportgen.checking.verdicts import Form, form_of, is_printed, verdict_on
from reportgen.records.manuscript import Manuscript, Named
from reportgen.records.record import replace
from reportgen.records.verdict import Number, Printed, Stated, Trace, Verdict

__all__ = ["named_verdicts", "own_verdicts", "scale_of"]

_PROSE = re.compile(r"prose\.\d+\.(.+?)(\.\d+)?")
"""An id where the author's words repeat a number: its own is in it."""
_SCALES = tuple(
    Decimal(scale) for scale in (1, 100, *(Decimal(1) / 1024**power for power in range(1, 6)))
)
"""From the value of report.json to its print: as it is, as a percentage, in binary units."""
_STYLES = (NumberStyle(comma=True), NumberStyle(point=True))


def named_verdicts(
    manuscript: Manuscript, numbers: Sequence[Claiming], stated: Mapping[str, Stated]
) -> Iterator[Verdict]:
    """Yield a verdict on each number that carries an id.

    Args:
        manuscript: The report.
        numbers: Its numbers; those without an id are passed over.
        stated: Id to the number of the built report.
    """
    found: dict[tuple[str, int], list[Number]] = {}
    for one in numbers:
        place = one.number.place
        found.setdefault((place.file, place.line), []).append(one.number)
    known = [(named, _stated(stated, named.id)) for named in manuscript.named]
    for named, own in known if any(own for _, own in known) else ():
        near = found.get((named.place.file, named.place.line), [])
        number = next((one for one in near if _is_at(one, named)), None)
        yield _verdict(named, number, own)


def own_verdicts(numbers: Sequence[Claiming], stated: Mapping[str, Stated]) -> Iterator[Verdict]:
    """Yield verdicts on the numbers of a report that this program wrote, by what it prints.

    A report without ids is known by its numbers: where many of those with three digits or more
    are printed by a report of the same evidence, each of these is traced to it. Those of a part
    that is not at hand, as a checkpoint, are not; of other evidence one in twenty is.
    """
    printed: dict[Decimal, Stated] = {}
    for one in stated.values():
        for spelt in find_numbers(one.printed):
            printed.setdefault(abs(spelt.value), one)
    claiming = [every.number for every in numbers if not every.reason]
    values = [abs(number.printed.value) for number in claiming]
    telling = [value for value in values if len(value.as_tuple().digits) >= _TELLING]
    known = sum(value in printed for value in telling)
    if not telling or known < _OWN_SHARE * len(telling):
        return
    for number in claiming:
        found = printed.get(abs(number.printed.value))
        if found is not None:
            trace = Trace(what=f"{found.id} of {found.source}", value=found.value, tag=found.id)
            yield verdict_on(number, "named", bindings=("name",), traces=(trace,))


_TELLING, _OWN_SHARE = 3, 0.4


def _is_at(number: Number, named: Named) -> bool:
    start, end = named.place.column, named.place.end_column
    return start <= number.place.column < max(end, start + 1)


def _stated(stated: Mapping[str, Stated], name: str) -> Stated | None:
    """Return what an id stands for; of a number that is repeated, what the number does."""
    found = stated.get(name)
    repeated = _PROSE.fullmatch(name)
    if found is None and repeated:
        found = stated.get(repeated[1] + (repeated[2] or "")) or stated.get(repeated[1])
    return found


def _verdict(named: Named, number: Number | None, stated: Stated | None) -> Verdict:
    verdict = Verdict(
        outcome="untraced", rule="named", place=named.place, number=number, quote=named.text[:200]
    )
    if stated is None:
        return replace(verdict, reason=f"no number of the built report is called {named.id}")
    trace = Trace(what=f"{stated.id} of {stated.source}", value=stated.value, tag=stated.id)
    if named.text == stated.printed or _agrees(named.text, stated):
        return replace(verdict, outcome="traced", bindings=("name",), traces=(trace,))
    return replace(
        verdict,
        outcome="contradicted",
        # Another study file than the author's may give other numbers rightly.
        level="error" if stated.settled else "warning",
        bindings=("name", "key"),
        traces=(trace,),
        expected=stated.printed,
        message=f"{named.text} is printed; {stated.source} prints {stated.printed} as {stated.id}",
    )


def _agrees(text: str, stated: Stated) -> bool:
    if stated.value is None:
        return False
    scale = scale_of(stated.printed, Decimal(repr(stated.value)))
    value = stated.value * float(scale) if scale is not None else None
    forms = [form_of(number) for number in _printed_as(text)]
    if value is None:
        own = [form_of(number) for number in _printed_as(stated.printed)]
        return any(one.value == other.value for one in forms for other in own)
    # Next to a count, a step or a seed stands another one.
    whole = value == int(value)
    return any(_fits(form, value, whole=whole) for form in forms)


def _fits(form: Form, value: float, *, whole: bool) -> bool:
    return form.value == value if whole and form.decimals <= 0 else is_printed(form, value)


def _printed_as(text: str) -> tuple[Printed, ...]:
    """Return a number as each style of decimals has it: `26,237` is 26.237 and 26237.

    Example:
        >>> [str(number.value) for number in _printed_as("26,237")]
        ['26.237', '26237']
    """
    numbers = (find_numbers(text, style)[:1] for style in _STYLES)
    return tuple({number.value: number for found in numbers for number in found}.values())


def scale_of(printed: str, value: Decimal) -> Decimal | None:
    """Return by what a value was multiplied for print; None where no such factor is known.

    Example:
        >>> scale_of("80.63", Decimal("0.80629")), scale_of("1.50 GiB", Decimal(1610612736)) is None
        (Decimal('100'), False)
    """
    fits = (
        scale
        for number in _printed_as(printed)
        for scale in _SCALES
        if abs(value * scale - number.value) <= number.half_unit
    )
    return next(fits, None)
