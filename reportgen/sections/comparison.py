"""Two groups side by side: pairs of seeds, the test, and what the curves have in common."""

from __future__ import annotations

from reportgen.records.document import (
    Block,
    Bullets,
    Cite,
    Number,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Comparison, Facts, GroupResult, RunResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.sections._commentary import comment_on
from reportgen.sections._comparison_pair import pair_of
from reportgen.sections._numbers import (
    Printing,
    counted,
    mean_and_std,
    of_seed,
    of_values,
    seed_number,
)
from reportgen.sections._phrases import (
    capital,
    has_seeds,
    level,
    metric_words,
    name_of,
    plural,
    result_n,
    section_of,
    unit_words,
)
from reportgen.stats.compare import difference_of, t_statistic


def build(facts: Facts) -> Section | None:
    """Return the section, or None where no two groups were compared."""
    if not facts.comparisons:
        return None
    blocks: list[Block] = []
    for position, comparison in enumerate(facts.comparisons):
        prefix = "comparison" if position == 0 else f"comparison{position + 1}"
        blocks += _one(facts, comparison, prefix)
    first, second = _pair(facts, facts.comparisons[0])
    return section_of("comparison", f"{first.label} against {second.label}", blocks)


def _pair(facts: Facts, comparison: Comparison) -> tuple[GroupResult, GroupResult]:
    return facts.group(comparison.first), facts.group(comparison.second)


def _one(facts: Facts, comparison: Comparison, prefix: str) -> list[Block]:
    first, second = _pair(facts, comparison)
    if isinstance(comparison.difference, Missing):
        reason = comparison.difference.reason
        sentence = f"No comparison of {name_of(first)} and {name_of(second)} is possible: {reason}."
        return [Paragraph(text=(sentence,))]
    printing = pair_of(facts, comparison, prefix).printing
    blocks: list[Block] = [Paragraph(text=_method(facts, comparison))]
    if comparison.pairs:
        blocks.append(_pairs(facts, comparison, printing, prefix))
    blocks.append(_test(facts, comparison, printing, prefix))
    items = comment_on(facts, comparison, prefix)
    if items:
        lead = (
            f"What the logs of {name_of(first)} and {name_of(second)} show, computed from the same "
            "values as the tables:"
        )
        blocks += [Paragraph(text=(lead,)), Bullets(items=items)]
    return blocks


def _method(facts: Facts, comparison: Comparison) -> Text:
    first, second = _pair(facts, comparison)
    tested = isinstance(comparison.p, Quantity)
    if comparison.method == "paired t":
        how: Text = (
            (
                f"The runs of {name_of(first)} and of {name_of(second)} have the same seeds, so "
                "their values are compared seed by seed"
            ),
            *((" (paired t ", Cite("student"), ")") if tested else ()),
            ". ",
        )
    else:
        known = has_seeds(first) and has_seeds(second)
        why = "do not have values for the same seeds" if known else "cannot be paired by seed"
        how = (
            (
                f"The runs of {name_of(first)} and of {name_of(second)} {why}, "
                "so their means are compared without pairing"
            ),
            *((" (Welch’s t ", Cite("welch"), ")") if tested else ()),
            ". ",
        )
    if isinstance(comparison.p, Missing):
        return (*how, f"No p-value is given: {comparison.p.reason}.")
    return (
        *how,
        (
            "The interval of the difference says more than the p-value: at so small an n the "
            "latter rests on the assumption that the values are normally distributed, and "
            f"an exact {_exact(comparison)} test could not fall below the last line of the table."
        ),
    )


def _exact(comparison: Comparison) -> str:
    return "sign-flip" if comparison.method == "paired t" else "permutation"


def _pairs(facts: Facts, comparison: Comparison, printing: Printing, prefix: str) -> Table:
    first, second = _pair(facts, comparison)
    rows = [_pair_row(facts, comparison, seed, printing, prefix) for seed, _, _ in comparison.pairs]
    rows.append(
        TableRow(
            kind="total",
            cells=(
                ("Mean",),
                (printing.mean(f"{prefix}.first.mean", first.report.mean),),
                (printing.mean(f"{prefix}.second.mean", second.report.mean),),
                (printing.delta(f"{prefix}.pairs.difference", comparison.difference),),
            ),
        )
    )
    what = f"{capital(first.report_split)} {metric_words(facts.study)}{unit_words(printing)}"
    gap = f",{printing.gap}" if printing.gap else ""
    return Table(
        id=f"{prefix}.pairs",
        caption=(
            f"{what} at the best {facts.study.metric.select_on} step, seed by seed, for n = ",
            counted(
                *(f"{prefix}.pairs.n", len(comparison.pairs), "pairs of runs"),
                of_values(first.report) + of_values(second.report),
            ),
            (
                f" {plural('pair', len(comparison.pairs))} of runs; difference: "
                f"{name_of(first)} minus {name_of(second)}."
            ),
        ),
        columns=(
            TableColumn(title=("Seed",)),
            TableColumn(title=(first.label,), align="decimal"),
            TableColumn(title=(second.label,), align="decimal"),
            TableColumn(title=(f"Difference{gap}",), align="decimal"),
        ),
        rows=tuple(rows),
    )


def _pair_row(
    facts: Facts, comparison: Comparison, seed: int, printing: Printing, prefix: str
) -> TableRow:
    cells = [_cell(group, seed) for group in _pair(facts, comparison)]
    left, right = (cell.report_value for cell in cells)
    read = [of_seed(cell.run, facts.study.metric) for cell in cells if cell.run is not None]
    difference = difference_of(left, right, f"difference at seed {seed}")
    key = f"{prefix}.seed{seed}"
    style = printing.difference
    return TableRow(
        cells=(
            (seed_number(f"{key}.seed", seed, read),),
            (printing.one(f"{key}.first", left),),
            (printing.one(f"{key}.second", right),),
            (
                Number(
                    id=f"{key}.difference",
                    quantity=difference,
                    style=style,
                    decimals=printing.value,
                ),
            ),
        )
    )


def _cell(group: GroupResult, seed: int) -> RunResult:
    return next(c for c in group.cells if c.seed == seed and isinstance(c.report_value, Quantity))


def _test(facts: Facts, comparison: Comparison, printing: Printing, prefix: str) -> Table:
    first, second = _pair(facts, comparison)
    interval: Text = ("—",)
    if isinstance(comparison.low, Quantity):
        low = printing.delta(f"{prefix}.low", comparison.low)
        interval = (low, " to ", printing.delta(f"{prefix}.high", comparison.high))
    gap = f",{printing.gap}" if printing.gap else ""
    lines: list[tuple[Text, Text]] = [
        ((first.label,), mean_and_std(f"{prefix}.test.first", first.report, printing)),
        ((second.label,), mean_and_std(f"{prefix}.test.second", second.report, printing)),
        (
            (f"Difference{gap}",),
            (printing.delta(f"{prefix}.difference", comparison.difference),),
        ),
        ((f"{level(facts.study)} interval{gap}",), interval),
    ]
    if isinstance(comparison.p, Quantity):
        lines += _statistics(first, second, comparison, prefix)
    reasons = [r.reason for r in (comparison.low, comparison.p) if isinstance(r, Missing)]
    return Table(
        id=f"{prefix}.test",
        caption=(
            (
                f"Difference of the mean {first.report_split} {metric_words(facts.study)}"
                f"{unit_words(printing)} at the best step, {name_of(first)} minus "
                f"{name_of(second)}, {_test_words(comparison)}n = "
            ),
            *_sizes(facts, first, second, prefix),
        ),
        columns=(TableColumn(title=("Quantity",)), TableColumn(title=("Value",), align="right")),
        rows=tuple(TableRow(cells=line) for line in lines),
        notes=tuple((f"—: {reason}.",) for reason in dict.fromkeys(reasons)),
    )


def _statistics(
    first: GroupResult, second: GroupResult, comparison: Comparison, prefix: str
) -> list[tuple[Text, Text]]:
    degrees = comparison.degrees or 0.0
    freedom = Quantity(
        value=degrees,
        method=f"degrees of freedom of the {comparison.method} test",
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
            ("Degrees of freedom",),
            (Number(id=f"{prefix}.degrees", quantity=freedom, decimals=0 if whole else 1),),
        ),
        (("p, two-sided",), (Number(id=f"{prefix}.p", quantity=comparison.p, style="p"),)),
        (
            (f"Smallest p of an exact {_exact(comparison)} test",),
            (Number(id=f"{prefix}.p_floor", quantity=comparison.p_floor, style="p"),),
        ),
    ]


def _sizes(facts: Facts, first: GroupResult, second: GroupResult, prefix: str) -> Text:
    left = result_n(f"{prefix}.first.n", first, facts.study)
    if first.report.n == second.report.n:
        return (left, f" {plural('run', first.report.n)} a group.")
    right = result_n(f"{prefix}.second.n", second, facts.study)
    return (left, " and n = ", right, " runs.")


def _test_words(comparison: Comparison) -> str:
    if isinstance(comparison.p, Missing):
        return ""
    return "by the paired t test, " if comparison.method == "paired t" else "by Welch’s t test, "
