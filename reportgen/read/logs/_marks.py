"""Marks in numbers: a decimal comma, thousands that are parted, a sign of percent.

What a mark means is told by a whole table, never by a cell: `1,406` alone may be either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from reportgen.records.record import record

_NUMBER = re.compile(
    r"[-+]?(?P<whole>\d*)(?P<rest>(?:[.,]\d+)*)(?P<power>[eE][-+]?\d+)?\s*(?P<sign>%?)"
)
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:\.\d{3})+")
_OTHER = {",": ".", ".": ","}
DOUBT = " (?)"
"""Stands behind a cell whose mark may mean either, so that it is no number."""


def is_group(number: str) -> bool:
    """Tell whether the marks in a number may part thousands, and so need not be decimal ones.

    Example:
        >>> [is_group(number) for number in ("1,406", "0,406", "1,4067", "1.406.000")]
        [True, False, False, True]
    """
    return _GROUPS.fullmatch(number) is not None


@record(kw_only=False)
class Marks:
    """How the numbers of a table are written.

    Attributes:
        decimal: The mark before decimals.
        grouped: Columns in which the other mark parts thousands.
        percent: Columns in which each number has a sign of percent.
    """

    decimal: str = "."
    grouped: frozenset[str] = frozenset()
    percent: frozenset[str] = frozenset()

    def plain(self, column: str, cell: str) -> str:
        """Return a cell as programs write numbers; one that does not fit its column is none.

        Example:
            >>> marks = Marks(decimal=",", percent=frozenset({"acc"}))
            >>> marks.plain("acc", "51,29%"), marks.plain("loss", "1.406")
            ('51.29', '1.406 (?)')
        """
        found = _NUMBER.fullmatch(cell.strip())
        if found is None or not cell.strip():
            return cell
        other, is_signed = _OTHER[self.decimal], bool(found["sign"])
        fits = is_signed == (column in self.percent)
        if other in found["rest"]:
            head = f"{found['whole']}{found['rest']}".partition(self.decimal)[0]
            fits = fits and column in self.grouped and is_group(head)
        if not fits:
            return f"{cell}{DOUBT}"
        text = cell.strip().removesuffix("%").strip()
        return text.replace(other, "").replace(",", ".")


def marks_of(columns: Mapping[str, Sequence[str]], *, comma: bool = False) -> Marks | None:
    """Return how the numbers of a table are written, as all its cells together tell.

    Args:
        columns: Name of a column to its filled cells.
        comma: Whether decimals have a comma where nothing tells, as behind semicolons.

    Returns:
        None where both marks are decimal ones.

    Example:
        >>> marks_of({"step": ["500", "1,000"], "acc": ["0.5129", "0.603"]}).grouped
        frozenset({'step'})
        >>> marks_of({"step": ["1", "2"], "acc": ["0,5129", "0,603"]}).decimal
        ','
    """
    read = {name: [_NUMBER.fullmatch(cell.strip()) for cell in columns[name]] for name in columns}
    sound = {name: [one for one in found if one] for name, found in read.items()}
    sound = {name: found for name, found in sound.items() if len(found) == len(columns[name])}
    numbers = [f"{one['whole']}{one['rest']}" for found in sound.values() for one in found]
    commas, points = (_has_decimals(numbers, mark) for mark in ",.")
    if commas and points:
        return None
    decimal = "," if commas or (comma and not points) else "."
    other, told = _OTHER[decimal], commas or points
    return Marks(
        decimal=decimal,
        grouped=frozenset(n for n, found in sound.items() if _is_grouped(found, other, told=told)),
        percent=frozenset(n for n, found in sound.items() if all(one["sign"] for one in found)),
    )


def _has_decimals(numbers: Iterable[str], mark: str) -> bool:
    """Tell whether a mark stands in a number in which it can only be a decimal one."""
    for number in numbers:
        head, found, tail = number.rpartition(mark)
        alone = found and mark not in head and _OTHER[mark] not in tail
        if alone and (_OTHER[mark] in head or not is_group(number)):
            return True
    return False


def _is_grouped(numbers: Sequence[re.Match[str]], mark: str, *, told: bool) -> bool:
    """Tell whether a mark parts the thousands of a column, and all of them.

    Args:
        numbers: All of the column.
        mark: The mark.
        told: Whether other numbers of the table tell that it is no decimal one.
    """
    parted = [mark in one["rest"] for one in numbers]
    short = [len(one["whole"]) < 4 for one, has in zip(numbers, parted, strict=True) if not has]
    return any(parted) and all(short) and (told or bool(short))
