"""One value that the evidence has for a setting, and how values are compared and shown."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from reportgen.records.quantity import Evidence

Plain = Decimal | str | bool | tuple[str, ...]
"""A value of a configuration: a number is a decimal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One value that the evidence has for a setting.

    Attributes:
        value: The value; a number as a decimal.
        where: The key and the file, for messages.
        evidence: Where it stands.
        derived: Whether it was computed, so that a printed number may be rounded.
    """

    value: Plain
    where: str
    evidence: tuple[Evidence, ...] = ()
    derived: bool = False


def plain_value(value: object) -> Plain | None:
    """Return a configuration's value as a decimal, a truth value or a text.

    Example:
        >>> plain_value("5e-06"), plain_value([1e-05]), plain_value("None"), plain_value("adam")
        (Decimal('0.000005'), Decimal('0.00001'), None, 'adam')
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, int | float | str):
        text = str(value).strip().strip("[]'\"")
        try:
            number = Decimal(text)
        except InvalidOperation:
            return text if text and text.casefold() not in {"none", "null"} else None
        return (
            Decimal(f"{number:f}") if number.is_finite() and abs(number.adjusted()) < 30 else None
        )
    return None


def show(value: Plain) -> str:
    """Return a value as a message prints it.

    Example:
        >>> show(Decimal("0.00001")), show(Decimal(22807552)), show(("q_proj", "v_proj"))
        ('1e-5', '22807552', 'q_proj, v_proj')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, str):
        return value[:80]
    plain = f"{value.normalize():f}"
    if value and abs(value) < Decimal("0.001"):
        digits = value.normalize().as_tuple().digits
        point = f".{''.join(map(str, digits[1:]))}" if digits[1:] else ""
        return f"{digits[0]}{point}e{value.adjusted()}"
    return plain
