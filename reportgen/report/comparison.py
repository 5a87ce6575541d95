"""Two groups side by side: pairs of seeds, and the test."""

from __future__ import annotations

from reportgen.languages import message, noun, noun_later, retell, say, say_count, tell
from reportgen.records.document import (
    Block,
    Number,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Comparison, Facts, GroupResult, RunResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.report._caveats import interval_note
from reportgen.report._evidence import of_seed, of_values
from reportgen.report._numbers import Printing, counted, mean_and_std, printing_of, seed_number
from reportgen.report._phrases import (
    level,
    metric_words,
    name_of,
    result_n,
    section_of,
    unit_words,
)
from reportgen.stats import difference_of, t_statistic


def build(facts: Facts) -> Section | None:
    """Return the section, or None where no two groups were compared."""
    if facts.selection.is_last:
        return None
    blocks: list[Block] = []
    for position, comparison in enumerate(facts.comparisons):
        prefix = "comparison" if position == 0 else f"comparison{position + 1}"
        blocks += _one(facts, comparison, prefix)
    if not blocks:
        return None
    first, second = _pair(facts, facts.comparisons[0])
    title = tell("{first} against {second}", first=first.label, second=second.label)
    return section_of("comparison", title, blocks)


def _pair(facts: Facts, comparison: Comparison) -> tuple[GroupResult, GroupResult]:
    return facts.group(comparison.first), facts.group(comparison.second)


def _one(facts: Facts, comparison: Comparison, prefix: str) -> list[Block]:
    if isinstance(comparison.difference, Missing):
        return []
    printing = printing_of(facts.groups, *_pair(facts, comparison))
    blocks: list[Block] = []
    if comparison.pairs:
        blocks.append(_pairs(facts, comparison, printing, prefix))
    return [*blocks, _test(facts, comparison, printing, prefix)]


def _pairs(facts: Facts, comparison: Comparison, printing: Printing, prefix: str) -> Table:
    first, second = _pair(facts, comparison)
    rows = [_pair_row(facts, comparison, seed, printing, prefix) for seed, _, _ in comparison.pairs]
    rows.append(
        TableRow(
            kind="total",
            cells=(
                say("Mean"),
                (printing.mean(f"{prefix}.first.mean", first.report.mean),),
                (printing.mean(f"{prefix}.second.mean", second.report.mean),),
                (printing.delta(f"{prefix}.pairs.difference", comparison.difference),),
            ),
        )
    )
    return Table(
        id=f"{prefix}.pairs",
        caption=_pairs_caption(facts, comparison, printing, prefix),
        columns=(
            TableColumn(title=say("Seed")),
            TableColumn(title=(first.label,), align="decimal"),
            TableColumn(title=(second.label,), align="decimal"),
            TableColumn(title=_in_points(say("Difference"), printing), align="decimal"),
        ),
        rows=tuple(rows),
    )


def _pairs_caption(facts: Facts, comparison: Comparison, printing: Printing, prefix: str) -> Text:
    first, second = _pair(facts, comparison)
    count = len(comparison.pairs)
    pairs = counted(
        *(f"{prefix}.pairs.n", count, message("pairs of runs")),
        of_values(first.report) + of_values(second.report),
    )
    return say_count(
        "{split:cap} {metric}{unit} at the best {select} step, seed by seed, for n = {n} pair "
        "of runs; difference: {first} minus {second}.",
        "{split:cap} {metric}{unit} at the best {select} step, seed by seed, for n = {n} pairs "
        "of runs; difference: {first} minus {second}.",
        count,
        split=noun(first.report_split),
        metric=metric_words(facts.study),
        unit=unit_words(printing),
        select=noun(facts.study.metric.select_on),
        n=pairs,
        first=name_of(first),
        second=name_of(second),
    )


def _in_points(title: Text, printing: Printing) -> Text:
    return (*title, f",{printing.gap}") if printing.gap else title


def _pair_row(
    facts: Facts, comparison: Comparison, seed: int, printing: Printing, prefix: str
) -> TableRow:
    cells = [_cell(group, seed) for group in _pair(facts, comparison)]
    left, right = (cell.report_value for cell in cells)
    read = [of_seed(cell.run, facts.study.metric) for cell in cells if cell.run is not None]
    difference = difference_of(left, right, message("difference at seed {seed}", seed=seed))
    key = f"{prefix}.seed{seed}"
    return TableRow(
        cells=(
            (seed_number(f"{key}.seed", seed, read),),
            (printing.one(f"{key}.first", left),),
            (printing.one(f"{key}.second", right),),
            (printing.change(f"{key}.difference", difference),),
        )
    )


def _cell(group: GroupResult, seed: int) -> RunResult:
    return next(c for c in group.cells if c.seed == seed and isinstance(c.report_value, Quantity))


def _test_lines(
    facts: Facts, comparison: Comparison, printing: Printing, prefix: str
) -> list[tuple[Text, Text]]:
    """Return the lines of the test: both groups, the difference, its interval, the statistics."""
    first, second = _pair(facts, comparison)
    interval: Text = ("—",)
    if isinstance(comparison.low, Quantity):
        interval = say(
            "{low} to {high}",
            low=printing.delta(f"{prefix}.low", comparison.low),
            high=printing.delta(f"{prefix}.high", comparison.high),
        )
    lines: list[tuple[Text, Text]] = [
        ((first.label,), mean_and_std(f"{prefix}.test.first", first.report, printing)),
        ((second.label,), mean_and_std(f"{prefix}.test.second", second.report, printing)),
        (
            _in_points(say("Difference"), printing),
            (printing.delta(f"{prefix}.difference", comparison.difference),),
        ),
        (_in_points(say("{level} interval", level=level(facts.study)), printing), interval),
    ]
    if isinstance(comparison.p, Quantity):
        lines += _statistics(first, second, comparison, prefix)
    return lines


def _test(facts: Facts, comparison: Comparison, printing: Printing, prefix: str) -> Table:
    first, second = _pair(facts, comparison)
    lines = _test_lines(facts, comparison, printing, prefix)
    reasons = [retell(r.reason) for r in (comparison.low, comparison.p) if isinstance(r, Missing)]
    return Table(
        id=f"{prefix}.test",
        caption=say(
            _BY_TEST["" if isinstance(comparison.p, Missing) else comparison.method],
            split=noun(first.report_split),
            metric=metric_words(facts.study),
            unit=unit_words(printing),
            first=name_of(first),
            second=name_of(second),
            runs=_sizes(facts, first, second, prefix),
        ),
        columns=(
            TableColumn(title=say("Quantity")),
            TableColumn(title=say("Value"), align="right"),
        ),
        rows=tuple(TableRow(cells=line) for line in lines),
        notes=(
            *(say("—: {reason}.", reason=reason) for reason in dict.fromkeys(reasons)),
            *((interval_note(first),) if isinstance(comparison.low, Quantity) else ()),
        ),
    )


# Method of the test, or nothing where there is none, to what the caption says.
_BY_TEST = {
    "": message(
        "Difference of the mean {split} {metric}{unit} at the best step, {first} minus {second}, "
        "{runs}."
    ),
    "paired t": message(
        "Difference of the mean {split} {metric}{unit} at the best step, {first} minus {second}, "
        "by the paired t test, {runs}."
    ),
    "Welch t": message(
        "Difference of the mean {split} {metric}{unit} at the best step, {first} minus {second}, "
        "by Welch’s t test, {runs}."
    ),
}


def _statistics(
    first: GroupResult, second: GroupResult, comparison: Comparison, prefix: str
) -> list[tuple[Text, Text]]:
    degrees = comparison.degrees or 0.0
    freedom = Quantity(
        value=degrees,
        method=message("degrees of freedom of the {test} test", test=noun_later(comparison.method)),
        formula=f"{first.report.n} - 1" if comparison.pairs else "",
        sources=of_values(first.report) + of_values(second.report),
    )
    whole = degrees.is_integer()
    return [
        (
            ("t",),
            (Number(id=f"{prefix}.t", quantity=t_statistic(first, second), decimals=2),),
        ),
        (
            say("Degrees of freedom"),
            (Number(id=f"{prefix}.degrees", quantity=freedom, decimals=0 if whole else 1),),
        ),
        (say("p, two-sided"), (Number(id=f"{prefix}.p", quantity=comparison.p, style="p"),)),
        (
            say(
                "Smallest p of an exact sign-flip test"
                if comparison.method == "paired t"
                else "Smallest p of an exact permutation test"
            ),
            (Number(id=f"{prefix}.p_floor", quantity=comparison.p_floor, style="p"),),
        ),
    ]


def _sizes(facts: Facts, first: GroupResult, second: GroupResult, prefix: str) -> Text:
    left = result_n(f"{prefix}.first.n", first, facts.study)
    if first.report.n == second.report.n:
        return say_count("n = {n} run a group", "n = {n} runs a group", first.report.n, n=left)
    right = result_n(f"{prefix}.second.n", second, facts.study)
    return say("n = {first} and n = {second} runs", first=left, second=right)
