"""Numbers as text: rounding, grouping, signs and units.

This is the one place of the program that rounds for printing. The characters are those
of typography (U+2212 minus, U+202F narrow space); a format maps them to its own spelling.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from reportgen.languages import language_of
from reportgen.records.document import Number
from reportgen.records.quantity import Missing

MINUS = "\u2212"
NO_BREAK_SPACE = "\u00a0"
NARROW_SPACE = "\u202f"
MISSING = "\u2014"
TIMES = "\u00d7"
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_EXPONENTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", f"0123456789{MINUS}")
_BINARY_PREFIXES = ("", "Ki", "Mi", "Gi", "Ti", "Pi")
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_PRECISION_OF_P = 3
# Room for every float: a diverged loss of 1e300 is printed, not a fault of the program.
_WIDE = Context(prec=800)
# Beyond these a row of zeros says less than a power of ten.
_LARGE, _SMALL = Decimal("1e15"), Decimal("1e-9")


def exact(value: float) -> Decimal:
    """Return the shortest decimal that reads back as `value`.

    Raises:
        ValueError: The value is NaN or infinite; such a number must be `Missing`.

    Example:
        >>> exact(0.1) * 3
        Decimal('0.3')
    """
    decimal = Decimal(value) if isinstance(value, int) else Decimal(repr(float(value)))
    if not decimal.is_finite():
        raise ValueError(f"{value} is not a number that can be printed; state it as Missing")
    return decimal


def round_half_up(value: Decimal, decimals: int) -> Decimal:
    """Round to `decimals` digits after the point, ties away from zero.

    Example:
        >>> round_half_up(Decimal("0.125"), 2), round_half_up(Decimal("-2.5"), 0)
        (Decimal('0.13'), Decimal('-3'))
    """
    return value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP, context=_WIDE)


def print_decimal(
    value: Decimal,
    *,
    decimals: int | None = None,
    grouped: bool = False,
    signed: bool = False,
    lang: str = "en",
) -> str:
    """Print a decimal with a typographic minus and the marks of a language.

    A value that rounds to zero carries no sign.

    Example:
        >>> print_decimal(Decimal("22807552"), grouped=True)
        '22,807,552'
        >>> print_decimal(Decimal("13.04"), decimals=1, signed=True)
        '+13.0'
        >>> print_decimal(Decimal("79.5"), lang="fr")
        '79,5'
    """
    rounded = value.normalize() if decimals is None else round_half_up(value, decimals)
    digits = _localised(f"{abs(rounded):{',' if grouped else ''}f}", lang)
    if rounded < 0:
        return MINUS + digits
    return f"+{digits}" if signed and rounded > 0 else digits


def _localised(digits: str, lang: str) -> str:
    """Return digits with commas between groups and a point, with the marks of a language."""
    return digits.translate(_marks_of(lang))


@lru_cache(maxsize=8)
def _marks_of(lang: str) -> dict[int, str]:
    language = language_of(lang)
    return str.maketrans({",": language.group_mark, ".": language.decimal_mark})


def print_scientific(value: Decimal, decimals: int | None = None, lang: str = "en") -> str:
    """Print as mantissa times a power of ten.

    Example:
        >>> print_scientific(Decimal(12345), 1) == f"1.2{TIMES}10⁴"
        True
    """
    exponent = value.adjusted() if value else 0
    mantissa = value.scaleb(-exponent)
    if decimals is not None and abs(round_half_up(mantissa, decimals)) >= 10:
        exponent += 1
        mantissa = value.scaleb(-exponent)
    power = str(exponent).translate(_SUPERSCRIPTS)
    return f"{print_decimal(mantissa, decimals=decimals, lang=lang)}{TIMES}10{power}"


def split_power(text: str) -> tuple[str, str]:
    """Split a number printed as mantissa times a power of ten; else the power is empty.

    Example:
        >>> split_power(print_scientific(Decimal(12345), 1))
        ('1.2', '4')
        >>> split_power("79.5")
        ('79.5', '')
    """
    mantissa, _, power = text.partition(f"{TIMES}10")
    return mantissa, power.translate(_EXPONENTS)


def print_bytes(value: Decimal, decimals: int | None = None, lang: str = "en") -> str:
    r"""Print a size in binary units; three significant digits where none are asked for.

    Example:
        >>> print_bytes(Decimal(1610612736)), print_bytes(Decimal(512))
        ('1.50\xa0GiB', '512\xa0B')
        >>> print_bytes(Decimal(1610612736), lang="fr")
        '1,50\xa0Gio'
    """
    unit = 0
    while abs(round_half_up(value, decimals or 0)) >= 1024 and unit < len(_BINARY_PREFIXES) - 1:
        value /= 1024
        unit += 1
    places = max(0, 2 - round_half_up(value, 2).adjusted()) if decimals is None else decimals
    text = print_decimal(value, decimals=places if unit else 0, grouped=True, lang=lang)
    return f"{text}{NO_BREAK_SPACE}{_BINARY_PREFIXES[unit]}{language_of(lang).byte_mark}"


def spell_date(date: str, lang: str = "en") -> str:
    """Return an ISO date as a reader writes it; anything else as it stands.

    Example:
        >>> spell_date("2026-03-04"), spell_date("2026-03-01", "fr")
        ('4 March 2026', '1er mars 2026')
    """
    found = _DATE.fullmatch(date)
    if found is None or not 1 <= int(found[2]) <= 12:
        return date
    return language_of(lang).date(int(found[3]), int(found[2]), int(found[1]))


def print_p_value(value: Decimal, decimals: int | None = None, lang: str = "en") -> str:
    """Print a p-value: two significant digits, and a bound where it is tiny.

    Example:
        >>> [print_p_value(Decimal(p)) for p in ("0.25", "0.0037", "0.00021")]
        ['0.25', '0.0037', '<0.001']
    """
    bound = Decimal(1).scaleb(-(_PRECISION_OF_P if decimals is None else decimals))
    if value < bound:
        return f"<{_localised(f'{bound:f}', lang)}"
    places = max(2, 1 - value.adjusted()) if decimals is None else decimals
    return print_decimal(value, decimals=places, lang=lang)


def print_number(number: Number, lang: str = "en") -> str:
    """Print a number in its style; what is missing is an em dash.

    Missing: Printed as an em dash; the reason is given by the document elsewhere.

    Raises:
        ValueError: The value is NaN or infinite, or the style is unknown.

    Example:
        >>> from reportgen.records.quantity import Quantity
        >>> print_number(Number(id="a", quantity=Quantity(value=0.79849), style="percent",
        ...                     decimals=1))
        '79.8'
    """
    if isinstance(number.quantity, Missing):
        return MISSING
    try:
        return _print_value(number.quantity.value, number.style, number.decimals, lang)
    except KeyError as fault:
        raise ValueError(f"number {number.id!r} has the unknown style {fault}") from fault


# A number of a table is asked for when its column is measured, aligned and spelled: what is kept
# has to be more than the largest table holds, or nothing of it is found again.
@lru_cache(maxsize=1 << 18, typed=True)
def _print_value(number: float, style: str, places: int | None, lang: str) -> str:
    """Print a value in a style."""
    value = exact(number)
    extreme = abs(value) >= _LARGE or (places is None and 0 < abs(value) < _SMALL)
    if extreme and style not in {"count", "bytes", "p"}:
        return print_scientific(value, None if places is None else min(places, 2), lang)
    match style:
        case "plain":
            return print_decimal(value, decimals=places, lang=lang)
        case "signed":
            return print_decimal(value, decimals=places, signed=True, lang=lang)
        case "percent":
            return print_decimal(value * 100, decimals=places, lang=lang)
        case "percent_sign":
            shown = print_decimal(value * 100, decimals=places, lang=lang)
            return shown + language_of(lang).percent_mark
        case "points":
            return print_decimal(value * 100, decimals=places, signed=True, lang=lang)
        case "count":
            return print_decimal(value, decimals=places or 0, grouped=True, lang=lang)
        case "bytes":
            return print_bytes(value, places, lang)
        case "scientific":
            return print_scientific(value, places, lang)
        case "signed_scientific":
            return ("+" if value > 0 else "") + print_scientific(value, places, lang)
        case "p":
            return print_p_value(value, places, lang)
    raise KeyError(style)
