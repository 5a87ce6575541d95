"""Other metrics at the step that the deciding one chose, or at the last one."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import noun, say
from reportgen.records.document import Block, Code, Ref, Table, TableColumn, TableRow, Text
from reportgen.records.facts import Facts, GroupResult, OtherMetric
from reportgen.records.quantity import Quantity
from reportgen.report._names import group_key, short_name, slug
from reportgen.report._numbers import printing_of, summary_beside
from reportgen.report._phrases import capital, joined, result_n, spelled
from reportgen.report.appendix._tables import (
    DASH,
    excerpt_of_groups,
    lean_table,
    paragraph,
)
from reportgen.stats import BITS, LOSSES

TABLE = "evaluations.others"
METRICS_A_TABLE = 3


def other_blocks(facts: Facts) -> list[Block]:
    """Return the other metrics of each group; nothing where none was evaluated."""
    shown = [m for m in facts.others.metrics if any(g.report.n for g in m.groups)]
    chunks = [shown[i : i + METRICS_A_TABLE] for i in range(0, len(shown), METRICS_A_TABLE)]
    keys = [f"{TABLE}{i + 1}" if i else TABLE for i in range(len(chunks))]
    if not shown:
        return []
    refs = joined([(Ref(key),) for key in keys])
    about = say(
        "Other metrics at the last step: {tables}."
        if facts.selection.is_last
        else "Other metrics at the chosen step: {tables}.",
        tables=refs,
    )
    names: list[Text] = [(Code(name),) for name in facts.others.left]
    left = say("In the logs alone: {names}.", names=joined(names)) if names else ()
    tables = [_table(facts, some, key) for some, key in zip(chunks, keys, strict=True)]
    return [*paragraph(about, left), *tables]


def _table(facts: Facts, metrics: Sequence[OtherMetric], key: str) -> Table:
    own = [{group.name: group for group in metric.groups} for metric in metrics]
    shown = [g for g in facts.groups if any(one[g.name].report.n for one in own)]
    rows = [
        _row(facts, metrics, [one[g.name] for one in own], f"{key}.{group_key(facts, g)}")
        for g in shown
    ]
    if len(shown) > 1 and any(
        isinstance(one.difference, Quantity) for m in metrics for one in m.comparisons[:1]
    ):
        rows.append(_difference(facts, metrics, key))
    names = joined([_words(metric) for metric in metrics])
    return lean_table(
        key,
        say(
            "{metrics:cap} at the last step."
            if facts.selection.is_last
            else "{metrics:cap} at the chosen step.",
            metrics=names,
        ),
        (
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=("n",), align="right"),
            *(TableColumn(title=_title(metric), align="decimal") for metric in metrics),
        ),
        rows,
        notes=_bits(metrics),
        lean=(1,),
        excerpt=excerpt_of_groups(
            facts, key, {g.name: (i,) for i, g in enumerate(shown)}, range(len(shown), len(rows))
        ),
    )


def _words(metric: OtherMetric) -> Text:
    """Return a metric with the split of its values, where all groups have the same one."""
    splits = {g.report_split for g in metric.groups if g.report.n}
    split = splits.pop() if len(splits) == 1 else ""
    words = spelled(metric.name)
    return say("{split} {metric}", split=noun(split), metric=words) if split else (words,)


def _title(metric: OtherMetric) -> Text:
    sign = ", %" if printing_of(metric.groups).style == "percent" else ""
    return (capital("".join(map(str, _words(metric)))) + sign,)


def _bits(metrics: Sequence[OtherMetric]) -> list[Text]:
    """Say in which unit losses are that fairseq logged, and those beside them."""
    losses = [m for m in metrics if m.name in LOSSES]
    means = [g.report.mean for metric in losses for g in metric.groups]
    units = {mean.unit for mean in means if isinstance(mean, Quantity)}
    if BITS not in units:
        return []
    if "" in units:
        return [say("Losses of fairseq are in bits, others as their program logs them.")]
    return [say("Losses are in bits.")]


def _row(
    facts: Facts, metrics: Sequence[OtherMetric], groups: Sequence[GroupResult], name: str
) -> TableRow:
    """Return the values of one group, which comes once with those of each metric."""
    stated = next(group for group in groups if group.report.n)
    cells: list[Text] = []
    for metric, one in zip(metrics, groups, strict=True):
        printing = printing_of(metric.groups, one)
        beside = summary_beside(f"{name}.{slug(metric.name)}", one.report, printing, stated.report)
        cells.append(beside if one.report.n else DASH)
    n = result_n(f"{name}.n", stated, facts.study)
    return TableRow(cells=((short_name(facts, stated),), (n,), *cells))


def _difference(facts: Facts, metrics: Sequence[OtherMetric], key: str) -> TableRow:
    """Return the row of the headline difference of each metric, with its interval."""
    cells: list[Text] = []
    for metric in metrics:
        one, name = metric.comparisons[0], f"{key}.difference.{slug(metric.name)}"
        pair = [g for g in metric.groups if g.name in {one.first, one.second}]
        printing = printing_of(metric.groups, *pair)
        if not isinstance(one.difference, Quantity):
            cells.append(DASH)
            continue
        cell: Text = (printing.delta(name, one.difference),)
        if isinstance(one.low, Quantity):
            low = printing.delta(f"{name}.low", one.low)
            high = printing.delta(f"{name}.high", one.high)
            cell = say("{difference} ({low} to {high})", difference=cell, low=low, high=high)
        cells.append(cell)
    names = (facts.comparisons[0].first, facts.comparisons[0].second)
    first, second = (short_name(facts, facts.group(name)) for name in names)
    return TableRow(
        kind="total", cells=(say("{first} − {second}", first=first, second=second), (), *cells)
    )
