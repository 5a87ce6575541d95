"""How a number of the report is judged against a value, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from reportgen.checking.verdicts import verdict_on
from reportgen.records.record import replace
from reportgen.records.verdict import Number, Printed, Trace, Verdict

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
