"""Pieces of text and numbers that the sections about results share.

What is decided here is which number is printed with how many decimals, and the sentences
that define a statistic. How it is spelt is decided by the formats.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from reportgen.records.document import (
    Block,
    Bullets,
    Emphasis,
    Number,
    Paragraph,
    Section,
    Table,
    Text,
)
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


def printing_of(groups: Sequence[GroupResult], only: GroupResult | None = None) -> Printing:
    """Return how values are printed, from what was logged and how much it varies.

    A standard deviation gets two significant digits and at most one decimal more than the
    logged metric; means and differences get the same decimals. One choice holds for all
    groups, so that a column has fixed decimals and a number looks the same everywhere;
    single values keep the decimals they were logged with.

    Args:
        groups: All groups of the report.
        only: The group whose single values are printed; None takes the most decimals.
    """
    percent = any(q.unit == "fraction" for g in groups for q in _singles_of(g))
    values = {id(g): _logged_decimals(_singles_of(g), percent=percent) for g in groups}
    spreads = [
        min(_two_digits(std.value, percent=percent), values[id(group)] + 1)
        for group in groups
        for std in (group.report.std, group.last.std, group.select.std)
        if isinstance(std, Quantity) and std.value > 0
    ]
    value = max(values.values(), default=0) if only is None else values[id(only)]
    return Printing(
        style="percent" if percent else "plain",
        difference="points" if percent else "signed",
        value=value,
        spread=max(spreads, default=value),
        sign="%" if percent else "",
        gap=" points" if percent else "",
    )


def _singles_of(group: GroupResult) -> list[Quantity]:
    """Return every single value of a group that a table prints."""
    readings = [r for c in group.cells for r in (c.select_value, c.report_value, c.last_value)]
    return [r for r in readings if isinstance(r, Quantity)]


def _logged_decimals(readings: Iterable[Quantity], *, percent: bool) -> int:
    """Return the decimals the values were logged with, up to what is worth printing."""
    shift = 2 if percent else 0
    decimals, largest = 0, 0.0
    for value in (float(reading.value) for reading in readings):
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


# --- names of groups ------------------------------------------------------------------

# Marks around a group's label inside a string, of the private use area of Unicode, until
# the label becomes emphasised words: "RoBERTa small, pretrained" may hold commas.
_OPEN, _CLOSE = "\ue000", "\ue001"


def name_of(group: GroupResult) -> str:
    """Return a group's label, marked to be emphasised in running text."""
    return f"{_OPEN}{group.label}{_CLOSE}"


def with_names(text: Text) -> Text:
    """Return a text in which every marked label is emphasised.

    Example:
        >>> with_names(("Runs of \ue000random\ue001 end.",))
        ('Runs of ', Emphasis(content=('random',)), ' end.')
    """
    found: Text = ()
    for node in text:
        if not isinstance(node, str):
            found += (node,)
            continue
        for position, part in enumerate(re.split(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}", node)):
            if part:
                found += (Emphasis((part,)) if position % 2 else part,)
    return found


def section_of(identifier: str, title: str, blocks: Sequence[Block]) -> Section:
    """Return a section whose running texts emphasise the labels of groups."""
    return Section(id=identifier, title=title, blocks=tuple(_named(b) for b in blocks))


def _named(block: Block) -> Block:
    match block:
        case Paragraph():
            return replace(block, text=with_names(block.text))
        case Bullets():
            return replace(block, items=tuple(with_names(item) for item in block.items))
        case Table():
            notes = tuple(with_names(note) for note in block.notes)
            return replace(block, caption=with_names(block.caption), notes=notes)
        case _:
            return block


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
        return (f"No run of {name_of(group)} has a {what} at a best step",)
    if group.report.n == 1:
        return (f"The {what} of {name_of(group)} is ", *value, f"{sign} in a single run")
    if group.report.n == 2:
        first, joint, second = value
        start = f"The {what} of {name_of(group)} is "
        return (start, first, sign, joint, second, f"{sign} in its two runs")
    return (
        f"The mean {what} of {name_of(group)} is ",
        *value,
        f"{sign} over ",
        counted(f"{identifier}.n", group.report.n, f"runs of {group.label} with a value"),
        " seeds" if has_seeds(group) else " runs",
    )
