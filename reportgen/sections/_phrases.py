"""Pieces of text and numbers that the sections about results share.

What is decided here is which number is printed with how many decimals, and the sentences
that define a statistic. How it is spelt is decided by the formats.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.records.document import Number, Text
from reportgen.records.facts import Facts, GroupResult, RunResult, Summary
from reportgen.records.quantity import Evidence, Quantity, Reading
from reportgen.records.study import Study

# Values with more decimals than this were not rounded by the program that logged them.
MOST_PERCENT_DECIMALS = 2
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """How the values of the metric are printed throughout the report.

    Attributes:
        style: Number style of a value (`"percent"` or `"plain"`).
        difference: Number style of a difference (`"points"` or `"signed"`).
        value: Decimals of a single logged value.
        spread: Decimals of means, standard deviations and differences.
        sign: What follows a value in a sentence (`"%"` or nothing).
        gap: What follows a difference in a sentence (`" points"` or nothing).
    """

    style: str
    difference: str
    value: int
    spread: int
    sign: str
    gap: str

    def one(self, identifier: str, reading: Reading) -> Number:
        """Return a single logged value."""
        return Number(id=identifier, quantity=reading, style=self.style, decimals=self.value)

    def mean(self, identifier: str, reading: Reading) -> Number:
        """Return a mean, a spread or the half width of an interval."""
        return Number(id=identifier, quantity=reading, style=self.style, decimals=self.spread)

    def delta(self, identifier: str, reading: Reading) -> Number:
        """Return a signed difference."""
        return Number(id=identifier, quantity=reading, style=self.difference, decimals=self.spread)


def printing_of(groups: Sequence[GroupResult]) -> Printing:
    """Return how values are printed, from what was logged and how much it varies.

    A standard deviation gets two significant digits and at most one decimal more than the
    logged metric; means and differences get the same decimals. One choice holds for all
    groups, so that a column has fixed decimals.
    """
    cells = [cell for group in groups for cell in group.cells]
    readings = [r for c in cells for r in (c.select_value, c.report_value, c.last_value)]
    found = [q for q in readings if isinstance(q, Quantity)]
    percent = any(q.unit == "fraction" for q in found)
    value = _logged_decimals([q.value for q in found], percent=percent)
    stds = [s.std for g in groups for s in (g.report, g.last, g.select)]
    needed = [
        _two_digits(q.value, percent=percent)
        for q in stds
        if isinstance(q, Quantity) and q.value > 0
    ]
    return Printing(
        style="percent" if percent else "plain",
        difference="points" if percent else "signed",
        value=value,
        spread=min(max(needed), value + 1) if needed else value,
        sign="%" if percent else "",
        gap=" points" if percent else "",
    )


def _logged_decimals(values: Iterable[float], *, percent: bool) -> int:
    """Return the decimals the values were logged with, up to what is worth printing."""
    shift = 2 if percent else 0
    decimals, largest = 0, 0.0
    for value in values:
        exponent = Decimal(repr(value)).scaleb(shift).normalize().as_tuple().exponent
        decimals = max(decimals, -exponent if isinstance(exponent, int) else 0)
        largest = max(largest, abs(value))
    if percent:
        return min(decimals, MOST_PERCENT_DECIMALS)
    magnitude = math.floor(math.log10(largest)) if largest else 0
    return min(decimals, max(0, 4 - magnitude) if magnitude >= 0 else 3 - magnitude)


def _two_digits(std: float, *, percent: bool) -> int:
    """Return the decimals that show two significant digits of a positive number."""
    printed = 100 * std if percent else std
    return max(0, 1 - math.floor(math.log10(printed)))


# --- numbers --------------------------------------------------------------------------


def slug(name: str) -> str:
    """Return a name as it stands inside the id of a number.

    Example:
        >>> slug("RoBERTa small (fr)")
        'RoBERTa_small_fr'
    """
    return re.sub(r"[^\w-]+", "_", name).strip("_") or "group"


def group_key(facts: Facts, group: GroupResult) -> str:
    """Return the part of an id that stands for a group, unique in the report."""
    key = slug(group.name)
    same = [g.name for g in facts.groups if slug(g.name) == key]
    return key if len(same) == 1 else f"{key}-{same.index(group.name)}"


def cell_key(group: GroupResult, cell: RunResult) -> str:
    """Return the part of an id that stands for a cell: its seed, where seeds are unique."""
    if cell.seed is not None and [c.seed for c in group.cells].count(cell.seed) == 1:
        return str(cell.seed)
    return f"run{next(i for i, c in enumerate(group.cells) if c is cell)}"


def counted(identifier: str, value: int, method: str) -> Number:
    """Return a whole number that was counted."""
    quantity = Quantity(value=value, unit="count", method=method)
    return Number(id=identifier, quantity=quantity, style="count")


def step_number(identifier: str, reading: Reading) -> Number:
    """Return a step."""
    return Number(id=identifier, quantity=reading, style="count")


def epoch_number(identifier: str, reading: Reading) -> Number:
    """Return an epoch: whole where it is whole, else with two decimals."""
    whole = isinstance(reading, Quantity) and float(reading.value).is_integer()
    return Number(id=identifier, quantity=reading, decimals=0 if whole else 2)


def mean_and_std(identifier: str, summary: Summary, printing: Printing) -> Text:
    """Return `mean ± std`, both values of two runs, the value of one, or what is missing."""
    if summary.n >= 3:
        mean = printing.mean(f"{identifier}.mean", summary.mean)
        return (mean, " ± ", printing.mean(f"{identifier}.std", summary.std))
    if summary.n == 2:
        first, second = (
            printing.one(f"{identifier}.value{i}", reading)
            for i, reading in enumerate(_singles(summary))
        )
        return (first, " and ", second)
    return (printing.one(f"{identifier}.mean", summary.mean),)


def _singles(summary: Summary) -> tuple[Quantity, ...]:
    """Return the values of a summary as quantities, each with its share of the evidence."""
    mean = summary.mean
    sources: tuple[Evidence, ...] = mean.sources if isinstance(mean, Quantity) else ()
    unit = mean.unit if isinstance(mean, Quantity) else ""
    per_value = len(sources) == len(summary.values)
    return tuple(
        Quantity(
            value=value,
            unit=unit,
            method="value of a single run",
            sources=(sources[i],) if per_value else sources,
        )
        for i, value in enumerate(summary.values)
    )


# --- words ----------------------------------------------------------------------------


def plural(word: str, count: int) -> str:
    """Return a word in the number that a count asks for.

    Example:
        >>> plural("run", 1), plural("run", 3)
        ('run', 'runs')
    """
    return word if count == 1 else f"{word}s"


def in_words(count: int) -> str:
    """Return a small count as a word.

    Example:
        >>> in_words(3), in_words(12)
        ('three', '12')
    """
    return _WORDS[count] if 0 <= count < len(_WORDS) else str(count)


def capital(text: str) -> str:
    """Return a sentence with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def joined(parts: Sequence[Text]) -> Text:
    """Return texts as an enumeration in a sentence.

    Example:
        >>> "".join(joined([("a",), ("b",), ("c",)]))
        'a, b and c'
    """
    text: Text = ()
    for position, part in enumerate(parts):
        if position:
            text += (" and " if position == len(parts) - 1 else ", ",)
        text += part
    return text


def metric_words(study: Study) -> str:
    """Return the metric as a word of a sentence."""
    return study.metric.name.replace("_", " ") or "metric"


def level(study: Study) -> str:
    """Return the confidence level as it is written before the word interval."""
    return f"{100 * study.statistics.confidence:g}%"


def std_words(study: Study) -> str:
    """Return what the printed standard deviation is called, with its denominator."""
    if study.statistics.ddof == 1:
        return "sample standard deviation (denominator n − 1)"
    return "population standard deviation (denominator n)"


def unit_words(printing: Printing) -> str:
    """Return the unit of a column as a caption says it."""
    return " in percent" if printing.style == "percent" else ""


def selection_words(study: Study) -> str:
    """Return the sentence that says how a best step is chosen."""
    metric = study.metric
    extreme = "lowest" if metric.direction == "lower" else "highest"
    tie = "latest" if metric.ties == "last" else "earliest"
    return (
        f"The best step of a run is the one with the {extreme} {metric.select_on} "
        f"{metric_words(study)}, and the {tie} one where several are equal."
    )


def has_seeds(group: GroupResult) -> bool:
    """Return whether every cell of a group has a seed of its own."""
    seeds = [cell.seed for cell in group.cells]
    return None not in seeds and len(set(seeds)) == len(seeds)


def runs_words(identifier: str, groups: Sequence[GroupResult]) -> Text:
    """Return "over n = 3 runs that differ in their seed", true of these groups."""
    counts = sorted({group.report.n for group in groups})
    differ = (
        "which differ in their seed"
        if all(has_seeds(g) for g in groups)
        else "which do not all have a known seed of their own, so that the spread is not one "
        "over seeds alone"
    )
    if len(counts) == 1:
        n = counted(f"{identifier}.n", counts[0], "runs with a value in each group")
        each = "" if len(groups) == 1 else " of each group"
        return ("over the n = ", n, f" {plural('run', counts[0])}{each}, {differ}")
    return (f"over the n runs of each group, {differ}",)


def sizes_words(identifier: str, study: Study) -> Text:
    """Return a sentence with the split sizes the study states, or nothing."""
    parts: list[Text] = [
        (f"{split} ", counted(f"{identifier}.size.{slug(split)}", size, f"examples of {split}"))
        for split, size in study.split_sizes.items()
    ]
    return (" Examples a split: ", *joined(parts), ".") if parts else ()


def group_result(identifier: str, group: GroupResult, study: Study, printing: Printing) -> Text:
    """Return a sentence, without its full stop, that states the result of a group for any n."""
    what = f"{group.report_split} {metric_words(study)}"
    value = mean_and_std(identifier, group.report, printing)
    sign = printing.sign
    if group.report.n == 0:
        return (f"No run of {group.label} has a {what} at a best step",)
    if group.report.n == 1:
        return (f"The {what} of {group.label} is ", *value, f"{sign} in a single run")
    if group.report.n == 2:
        first, joint, second = value
        start = f"The {what} of {group.label} is "
        return (start, first, sign, joint, second, f"{sign} in its two runs")
    return (
        f"The mean {what} of {group.label} is ",
        *value,
        f"{sign} over ",
        counted(f"{identifier}.n", group.report.n, f"runs of {group.label} with a value"),
        " seeds" if has_seeds(group) else " runs",
    )
