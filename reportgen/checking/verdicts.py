"""Whether a printed number is a value, and the verdict on it, with its place and its words."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from reportgen.records.record import replace
from reportgen.records.verdict import Number, Printed, Trace, Verdict

__all__ = [
    "SCALES",
    "Form",
    "chance",
    "denied",
    "ends_of",
    "form_of",
    "is_close",
    "is_printed",
    "quote_of",
    "spell",
    "verdict_on",
]


# The verdict on a number, with its place and its words.

_LONGEST = 200


def verdict_on(
    number: Number,
    rule: str,
    outcome: str = "traced",
    *,
    quote: str = "",
    bindings: tuple[str, ...] = (),
    traces: tuple[Trace, ...] = (),
    reason: str = "",
) -> Verdict:
    """Return a verdict on a number; it quotes the number's sentence where nothing else is given."""
    return Verdict(
        outcome=outcome,
        rule=rule,
        place=number.place,
        number=number,
        quote=_shortened(quote or number.context.sentence),
        bindings=bindings,
        traces=traces,
        reason=reason,
    )


@lru_cache(maxsize=1024)
def _shortened(words: str) -> str:
    return " ".join(words.split())[:_LONGEST]


def denied(number: Number, rule: str, trace: Trace, expected: str, quote: str = "") -> Verdict:
    """Return that a number should be another, as a warning until more speaks for it."""
    printed = number.printed.text
    return replace(
        verdict_on(number, rule, "contradicted", quote=quote, traces=(trace,)),
        level="warning",
        expected=expected,
        message=f"{printed} is printed; the evidence has {expected} ({trace.what})",
    )


def quote_of(number: Number) -> str:
    """Return what stands at a number of a table: its row, its head, its cell."""
    context = number.context
    return " | ".join(text for text in (context.row, context.head, context.sentence) if text)


# Whether a printed number is a value of the evidence: rounded, cut off, in percent or not.

SCALES = (1.0, 100.0, 0.01)
"""Printed value over value of the evidence: as it is, in percent, as a fraction."""


class Form(NamedTuple):
    """A printed number for comparing: its value, and half a unit of its last place."""

    value: float
    half: float
    decimals: int
    percent: bool


def form_of(printed: Printed) -> Form:
    """Return the form of a printed number.

    Example:
        >>> from decimal import Decimal
        >>> form_of(Printed(text="0.81", value=Decimal("0.81"), decimals=2))
        Form(value=0.81, half=0.005, decimals=2, percent=False)
    """
    return Form(
        value=float(printed.value),
        half=0.5 * 10.0**-printed.decimals,
        decimals=printed.decimals,
        percent=printed.unit == "percent",
    )


def is_printed(form: Form, value: float) -> bool:
    """Say whether a value is printed so: rounded, or cut off.

    Example:
        >>> is_printed(Form(0.81, 0.005, 2, False), 0.8149), is_printed(
        ...     Form(0.81, 0.005, 2, False), 0.8198)
        (True, True)
        >>> is_printed(Form(0.81, 0.005, 2, False), 0.8049)
        False
    """
    slack = 1e-9 + 2e-7 * abs(value)
    if abs(form.value - value) <= form.half + slack:
        return True
    over = abs(value) - abs(form.value)
    same_sign = value * form.value >= 0
    return same_sign and -slack <= over < 2 * form.half and form.decimals > 0


@lru_cache(maxsize=16_384)
def ends_of(form: Form, scale: float) -> tuple[float, float]:
    """Return the least and the largest value that may be printed so in a unit.

    Example:
        >>> low, high = ends_of(Form(81.0, 0.05, 1, True), 100.0)
        >>> round(low, 4), round(high, 4)
        (0.8095, 0.8115)
    """
    value, half = form.value / scale, form.half / scale
    low, high = value - half, value + half
    if form.decimals > 0:
        # Cut off, the value lies up to a whole unit further from zero.
        low, high = low - 2 * half * (form.value < 0), high + 2 * half * (form.value >= 0)
    slack = 1e-9 * max(1.0, 1 / scale) + 2e-7 * (abs(value) + 3 * half)
    return low - slack, high + slack


def is_close(form: Form, value: float) -> bool:
    """Say whether a number differs from a value by no more than one in its last place.

    Example:
        >>> is_close(Form(0.81, 0.005, 2, False), 0.7957), is_close(
        ...     Form(0.81, 0.005, 2, False), 0.79)
        (True, False)
    """
    return abs(form.value - value) <= 3 * form.half + 1e-9 + 2e-7 * abs(value)


def chance(form: Form, low: float, high: float, count: int = 1) -> float:
    """Return how likely a number of this form and range is one of so many values by chance.

    Example:
        >>> round(chance(Form(0.81, 0.005, 2, False), 0.5, 1.0, 3), 3)
        0.06
    """
    width = high - low
    if width <= 0:
        return 1.0 if form.decimals <= 0 else min(1.0, 0.1 * count)
    return min(1.0, 2 * form.half * count / width)


def spell(value: float, decimals: int) -> str:
    """Return a value with as many decimals as the number it is held against.

    Example:
        >>> spell(0.81449, 2), spell(4714.6, 0), spell(22_812_672, -5)
        ('0.81', '4715', '22800000')
    """
    return f"{round(value, decimals):.{max(decimals, 0)}f}"


# How a number of the report is judged against a value, and what is said of it.

_DIGITS = Context(prec=600)
"""More than the digits of any number that is read or computed."""


def is_printed_as(printed: Printed, value: Fraction) -> bool:
    """Say whether a value may be printed so: rounded, or cut off."""
    shown, half = Fraction(printed.value), Fraction(printed.half_unit)
    cut = shown * value >= 0 and 0 <= abs(value) - abs(shown) < 2 * half
    return cut or abs(value - shown) <= half


def shown_like(printed: Printed, value: Fraction) -> str:
    """Return a value as the report would print it where another number stands."""
    unit = Decimal(1).scaleb(-printed.decimals)
    exact = _DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))
    found = exact.quantize(unit, ROUND_HALF_UP, _DIGITS)
    if printed.decimals < 0:
        return f"{found:,.0f}"
    text = f"{abs(found):,.{printed.decimals}f}"
    whole, _, tail = text.partition(".")
    comma = printed.decimals > 0 and "," in printed.text and "." not in printed.text
    mark = next((m for m in (",", " ", "\u202f", "\u2009", "\u00a0", "'") if m in printed.text), "")
    whole = whole.replace(",", "" if comma and mark == "," else mark)
    sign = "-" if found < 0 else "+" if printed.text.startswith("+") else ""
    return f"{sign}{whole}{(',' if comma else '.') + tail if tail else ''}"


def cause_of(printed: Printed, expected: Fraction) -> str:
    """Return the simple change that would explain a wrong number, or nothing."""
    shown = Fraction(printed.value)
    if expected and is_printed_as(printed, -expected):
        return "the sign is wrong"
    for power, words in ((100, "a percentage for a fraction"), (1000, "a factor of a thousand")):
        for factor in (Fraction(power), Fraction(1, power)):
            half = Fraction(printed.half_unit) * max(factor, Fraction(1))
            if shown and abs(shown * factor - expected) <= half:
                return words if factor < 1 or power > 100 else "a fraction for a percentage"
    right = shown_like(printed, expected)
    a, b = ("".join(filter(str.isdigit, text)) for text in (printed.text, right))
    if len(a) != len(b):
        short = sorted((a, b), key=len)
        cut = (short[1][:i] + short[1][i + 1 :] for i in range(len(short[1])))
        return "a digit too many or too few" if len(short[0]) > 2 and short[0] in cut else ""
    unlike = [index for index, pair in enumerate(zip(a, b, strict=True)) if pair[0] != pair[1]]
    if len(unlike) == 1 and len(a) > 1:
        return "one digit is wrong"
    if len(unlike) == 2 and unlike[1] == unlike[0] + 1 and sorted(a) == sorted(b):
        return "two digits are swapped"
    return ""


def traced(number: Number, rule: str, what: str, value: Fraction | float) -> Verdict:
    """Return that a number follows from others of the report."""
    traces = (Trace(what=what, value=float(value)),)
    return verdict_on(number, rule, bindings=("formula",), traces=traces)


def contradicted(
    number: Number,
    rule: str,
    what: str,
    value: Fraction | float,
    *,
    level: str = "warning",
    bindings: tuple[str, ...] = ("formula",),
    cause: str | None = None,
) -> Verdict:
    """Return that a number does not follow from the others of the report that it should."""
    printed, value = number.printed, Fraction(value)
    expected = shown_like(printed, value)
    why = cause_of(printed, value) if cause is None else cause
    message = f"“{printed.text}” is printed, but {what} is {expected}"
    return replace(
        traced(number, rule, what, value),
        outcome="contradicted",
        level=level,
        bindings=bindings,
        expected=expected,
        cause=why,
        message=f"{message}: {why}" if why else message,
    )


def one_each(groups: Iterable[Iterable[Verdict]]) -> tuple[Verdict, ...]:
    """Return one verdict a number, in reading order; the first rule that decides stands.

    Within a rule a reading under which a number is right counts more than one against it.
    """
    ranks = ("traced", "error", "warning")
    kept: dict[int, Verdict] = {}
    for group in groups:
        found: dict[int, list[Verdict]] = {}
        for one in group:
            if one.number is not None:
                found.setdefault(int(one.number.id[1:]), []).append(one)
        for name, verdicts in found.items():
            rank = [ranks.index("traced" if v.level == "none" else v.level) for v in verdicts]
            kept.setdefault(name, verdicts[rank.index(min(rank))])
    return tuple(kept[name] for name in sorted(kept))
