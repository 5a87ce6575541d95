"""Numbers out of JSON values and out of texts; what is none is counted, not dropped."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from reportgen.read.logs.wire import name_tags
from reportgen.records.record import field, record
from reportgen.records.run import Problem, Series

# Numbers out of JSON values, however deep they lie; what is none is counted, not dropped.

DEPTH = 20
_STATISTIC = {"num", "mean", "std"}
MARK = "_type"
"""Key by which Weights & Biases tells media objects: pictures, histograms, tables."""

_WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
ODD_LIMIT = 1000
"""Tags of which cells without a number are counted."""

_ABSENT = frozenset({"", "-", "--", "na", "n/a", "none", "null", "nil"})
_MARKED = re.compile(r"[-+]?\d+(?:[.,]\d+)?\s*%?")
_SHOWN = 20
_NAMED = 5


def as_number(value: object) -> float | None:
    """Return a JSON value as a number, None where it is none.

    Programs whose JSON knows no NaN write it as a text.

    Example:
        >>> [as_number(v) for v in (3, 0.5, True, "0.5", [1])], as_number("-Infinity")
        ([3.0, 0.5, None, None, None], -inf)
    """
    if isinstance(value, float):
        return value
    if isinstance(value, str):
        return _WORDS.get(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def parsed(text: str | bytes) -> object:
    """Return what JSON holds, None where a text is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def leaves(
    value: object, key: str = "", mark: str = ".", depth: int = DEPTH
) -> Iterator[tuple[str, object]]:
    """Yield what nested objects hold under joined keys; a media object is one.

    Of a statistic, as `torch_utils/training_stats.py` of StyleGAN writes it, that is its mean.

    Example:
        >>> dict(leaves({"loss": 0.5, "val": {"acc": 1, "img": {"_type": "image"}}}))
        {'loss': 0.5, 'val.acc': 1, 'val.img': {'_type': 'image'}}
    """
    if not isinstance(value, dict):
        yield key, value
    elif value.keys() == _STATISTIC:
        yield key, value["mean"]
    elif MARK not in value and depth:
        for name, one in value.items():
            yield from leaves(one, f"{key}{mark}{name}" if key else str(name), mark, depth - 1)
    else:
        yield key, value


def read_numbers(key: str, value: object, row: dict[str, float], skipped: dict[str, int]) -> None:
    """Add the numbers of a value to `row`, nested ones under keys joined by dots.

    What is no number is counted in `skipped`, but for nulls and keys of a program's own, which
    begin with an underscore.

    Example:
        >>> row, skipped = {}, {}
        >>> read_numbers("", {"loss": 0.5, "val": {"acc": 1}, "note": "warm"}, row, skipped)
        >>> row, skipped
        ({'loss': 0.5, 'val.acc': 1.0}, {'note': 1})
    """
    for name, one in leaves(value, key):
        number = as_number(one)
        if number is not None:
            row[name] = number
        elif one is not None and not name.startswith("_"):
            skipped[name] = skipped.get(name, 0) + 1


def skipped_note(skipped: dict[str, int]) -> str:
    """Return in words what was no number, empty where all was.

    Example:
        >>> skipped_note({"note": 2, "img": 1})
        '3 logged values are no numbers and are not read (img, note)'
    """
    if not skipped:
        return ""
    total = sum(skipped.values())
    keys = ", ".join(sorted(skipped)[:_NAMED]) + (", ..." if len(skipped) > _NAMED else "")
    told = "value is no number and is" if total == 1 else "values are no numbers and are"
    return f"{total} logged {told} not read ({keys})"


@record(frozen=False, kw_only=False)
class OddCells:
    """Cells that hold something, and no number, by the tag that a number would have had.

    Attributes:
        path: The file, as it is reported.
        place: What a cell's place is called, as in `line 3`.
        found: Tag to how many, the place of the first, and what it holds.
    """

    path: str
    place: str = "line"
    found: dict[str, tuple[int, int, object]] = field(default_factory=dict)

    def add(self, tag: str, cell: object, number: int) -> None:
        """Count a cell, unless it holds nothing, or says so."""
        if cell is None or (isinstance(cell, str) and cell.strip().lower() in _ABSENT):
            return
        count, first, held = self.found.get(tag, (0, number, cell))
        if count or len(self.found) < ODD_LIMIT:
            self.found[tag] = (count + 1, first, held)

    def problems(self, numbers: Mapping[str, int]) -> Iterator[Problem]:
        """Yield a warning for each tag that has numbers as well.

        A column of texts alone is none of measurements, unless they are numbers with a mark.
        """
        for tag, (count, first, cell) in self.found.items():
            sound = numbers.get(tag, 0)
            if sound or (isinstance(cell, str) and _MARKED.fullmatch(cell.strip())):
                yield Problem(
                    path=self.path,
                    message=f"{tag}: {count} of {count + sound} values are no numbers and are "
                    f"left out, the first in {self.place} {first}: {_shown(cell)}",
                    remedy="write each as a plain number, such as 0.5, or leave it empty",
                )


def _shown(cell: object) -> str:
    if isinstance(cell, str):
        return repr(cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}...")
    return "a list" if isinstance(cell, list) else f"a {type(cell).__name__}"


def repeats(
    series: Mapping[str, Series], path: str, remedy: str, is_minor: Callable[[str, Series], bool]
) -> Iterator[Problem]:
    """Say which tags have several values at one step, of which a series keeps the last.

    Example:
        >>> import numpy as np
        >>> one = np.ones(1)
        >>> acc = Series(tag="acc", steps=one, values=one, wall_times=one, replaced=1)
        >>> [problem.message for problem in repeats({"acc": acc}, "a.csv", "", lambda *_: False)]
        ['acc: 1 of 2 values have the step of a later one and are left out']
    """
    alike: dict[tuple[int, int, bool], list[str]] = {}
    for tag, one in series.items():
        if one.replaced:
            key = one.replaced, len(one) + one.replaced, is_minor(tag, one)
            alike.setdefault(key, []).append(tag)
    for (lost, count, minor), tags in alike.items():
        told = f"{lost} of {count} values have the step of a later one and are left out"
        level = "note" if minor else "warning"
        yield Problem(path=path, message=f"{name_tags(tags)}: {told}", remedy=remedy, level=level)


# Marks in numbers: a decimal comma, thousands that are parted, a sign of percent.
#
# What a mark means is told by a whole table, never by a cell: `1,406` alone may be either.

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
