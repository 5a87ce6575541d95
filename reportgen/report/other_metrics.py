"""Metrics that chose nothing: what they are at the step that the deciding metric chose."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import noun, retell, say, tell
from reportgen.records.document import (
    Block,
    Code,
    Number,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Comparison, Facts, GroupResult, OtherMetric
from reportgen.records.quantity import Missing, Quantity
from reportgen.report._directions import better_words
from reportgen.report._excerpts import MOST_GROUPS, excerpt_of_groups, groups_number
from reportgen.report._metric_names import spelled
from reportgen.report._number_ids import group_key, slug
from reportgen.report._numbers import Printing, printing_of, summary_beside
from reportgen.report._phrases import (
    capital,
    joined,
    level,
    metric_words,
    name_of,
    result_n,
    section_of,
    spread_words,
)
from reportgen.stats import BITS, LOSSES, unlogged_others

METRICS_A_TABLE = 3


def build(facts: Facts) -> Section | None:
    """Return the section, or None where no other metric was evaluated."""
    if facts.selection.is_last:
        return None
    shown = [m for m in facts.others.metrics if any(g.report.n for g in m.groups)]
    texts = [text for text in (_left(facts), _unlogged(facts)) if text]
    if not shown and not texts:
        return None
    blocks: list[Block] = []
    if shown:
        opening = say(
            "Only the {select} {metric} chose a step for each run. The other metrics that the "
            "runs were evaluated on are read at that very step; none of them chose anything.",
            select=noun(facts.study.metric.select_on),
            metric=metric_words(facts.study),
        )
        blocks.append(Paragraph(text=opening))
    for start in range(0, len(shown), METRICS_A_TABLE):
        number = 1 + start // METRICS_A_TABLE
        key = "other_metrics.table" if number == 1 else f"other_metrics.table{number}"
        blocks.append(_table(facts, shown[start : start + METRICS_A_TABLE], key))
    blocks += [Paragraph(text=text) for text in texts]
    return section_of("other_metrics", tell("Other metrics at the best step"), blocks)


def _table(facts: Facts, metrics: Sequence[OtherMetric], key: str) -> Table:
    shown = [g for g in facts.groups if any(_of(m, g).report.n for m in metrics)]
    rows = [_row(facts, metrics, group, key) for group in shown]
    indices = {id(group): index for index, group in enumerate(shown)}
    if facts.comparisons:
        rows += _differences(facts, metrics, key)
    return Table(
        id=key,
        caption=_caption(facts, metrics, shown, key),
        columns=(
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=("n",), align="right"),
            *(_column(metric) for metric in metrics),
        ),
        rows=tuple(rows),
        notes=tuple(_notes(facts, metrics, key)),
        excerpt=excerpt_of_groups(facts, key, indices, range(len(indices), len(rows))),
    )


def _column(metric: OtherMetric) -> TableColumn:
    sign = ", %" if printing_of(metric.groups).style == "percent" else ""
    split = _split(metric)
    over: Text = (capital(noun(split)),) if split else ()
    title = f"{capital(_words(metric))}{sign}"
    return TableColumn(title=(title,), align="decimal", group=over)


def _of(metric: OtherMetric, group: GroupResult) -> GroupResult:
    return next(g for g in metric.groups if g.name == group.name)


def _split(metric: OtherMetric) -> str:
    """Return the split of a metric's values; empty where groups have different ones."""
    splits = {g.report_split for g in metric.groups if g.report.n}
    return splits.pop() if len(splits) == 1 else ""


def _words(metric: OtherMetric) -> str:
    return spelled(metric.name)


def _row(facts: Facts, metrics: Sequence[OtherMetric], group: GroupResult, key: str) -> TableRow:
    name = f"{key}.{group_key(facts, group)}"
    stated = next(_of(m, group) for m in metrics if _of(m, group).report.n)
    cells = []
    for metric in metrics:
        one = _of(metric, group)
        printing = printing_of(metric.groups, one)
        identifier = f"{name}.{slug(metric.name)}"
        empty = not one.report.n
        beside = summary_beside(identifier, one.report, printing, stated.report)
        cells.append(("—",) if empty else beside)
    n = result_n(f"{name}.n", stated, facts.study)
    return TableRow(cells=((group.label,), (n,), *cells))


def _differences(facts: Facts, metrics: Sequence[OtherMetric], key: str) -> list[TableRow]:
    """Return the rows of the difference and of its interval, where any metric has one."""
    found = [metric.comparisons[0] for metric in metrics]
    if all(isinstance(one.difference, Missing) for one in found):
        return []
    names = [f"{key}.difference.{slug(metric.name)}" for metric in metrics]
    prints = [_pair_printing(metric) for metric in metrics]
    triples = list(zip(names, prints, found, strict=True))
    rows = [
        TableRow(
            kind="total",
            cells=(
                say("Difference"),
                (),
                *((printing.delta(name, one.difference),) for name, printing, one in triples),
            ),
        )
    ]
    if any(isinstance(one.low, Quantity) for one in found):
        head = say("{level} interval", level=level(facts.study))
        rows.append(TableRow(cells=(head, (), *(_interval(*one) for one in triples))))
    return rows


def _interval(name: str, printing: Printing, comparison: Comparison) -> Text:
    if isinstance(comparison.low, Missing):
        return ("—",)
    low: Number = printing.delta(f"{name}.low", comparison.low)
    high: Number = printing.delta(f"{name}.high", comparison.high)
    return say("{low} to {high}", low=low, high=high)


def _pair_printing(metric: OtherMetric) -> Printing:
    one = metric.comparisons[0]
    pair = [g for g in metric.groups if g.name in {one.first, one.second}]
    return printing_of(metric.groups, *pair)


def _caption(
    facts: Facts, metrics: Sequence[OtherMetric], shown: Sequence[GroupResult], key: str
) -> Text:
    named: list[Text] = []
    for metric in metrics:
        percent = printing_of(metric.groups).style == "percent"
        split = noun(_split(metric) or "reported")
        named.append(
            say(
                "{split} {metric} in percent" if percent else "{split} {metric}",
                split=split,
                metric=_words(metric),
            )
        )
    summaries = [_of(metric, group).report for metric in metrics for group in shown]
    text = say(
        "{metrics:cap} at the step that the {select} {metric} chose: {spread}.",
        metrics=joined(named),
        select=noun(facts.study.metric.select_on),
        metric=metric_words(facts.study),
        spread=spread_words(f"{key}.caption", summaries, shown, facts.study),
    )
    return (*text, *better_words([(metric.name, metric.direction) for metric in metrics]))


def _notes(facts: Facts, metrics: Sequence[OtherMetric], key: str) -> list[Text]:
    return [*_difference_notes(facts, metrics), *_split_notes(facts, metrics, key), *_bits(metrics)]


def _difference_notes(facts: Facts, metrics: Sequence[OtherMetric]) -> list[Text]:
    """Say what is subtracted, in what, and why a metric has no difference or no interval."""
    if not facts.comparisons:
        return []
    comparison = facts.comparisons[0]
    first, second = (name_of(facts.group(n)) for n in (comparison.first, comparison.second))
    notes: list[Text] = []
    if any(isinstance(m.comparisons[0].difference, Quantity) for m in metrics):
        percent = any(_pair_printing(m).gap for m in metrics)
        text = say(
            "Difference: {first} minus {second}, of percentages in points."
            if percent
            else "Difference: {first} minus {second}.",
            first=first,
            second=second,
        )
        notes.append(text)
    reasons: dict[str, list[Text]] = {}
    for metric in metrics:
        one = metric.comparisons[0]
        for reading in (one.difference, one.low):
            if isinstance(reading, Missing):
                reasons.setdefault(reading.reason, []).append((_words(metric),))
                break
    for reason, names in reasons.items():
        notes.append(say("— ({metrics}): {reason}.", metrics=joined(names), reason=retell(reason)))
    return notes


def _split_notes(facts: Facts, metrics: Sequence[OtherMetric], key: str) -> list[Text]:
    """Say of which groups a metric is read on the split that chose, not on the reported one."""
    notes: list[Text] = []
    select = facts.study.metric.select_on
    for metric in metrics:
        there = [g for g in metric.groups if g.report.n and g.report_split == select]
        other = [g for g in there if facts.group(g.name).report_split != select]
        for split in dict.fromkeys(facts.group(g.name).report_split for g in other):
            said = [g for g in other if facts.group(g.name).report_split == split]
            text = say(
                "The {metric} of {groups} is that of the {select} split: none was logged on "
                "{split}.",
                metric=_words(metric),
                groups=joined([(name_of(g),) for g in said])
                if len(said) <= MOST_GROUPS
                else say(
                    "{n} groups",
                    n=groups_number(facts, f"{key}.{slug(metric.name)}.{split}.groups", said),
                ),
                select=noun(select),
                split=noun(split),
            )
            notes.append(text)
    return notes


def _bits(metrics: Sequence[OtherMetric]) -> list[Text]:
    """Say in which unit losses are that fairseq logged, and those beside them."""
    units = {
        reading.unit
        for metric in metrics
        for group in metric.groups
        if isinstance(reading := group.report.mean, Quantity) and metric.name in LOSSES
    }
    if BITS not in units:
        return []
    if "" not in units:
        return [say("Losses are in bits: fairseq divides them by the logarithm of 2.")]
    return [
        say(
            "Losses of fairseq are in bits, for it divides them by the logarithm of 2; others are "
            "as their program logged them, cross-entropies as a rule in nats."
        )
    ]


def _left(facts: Facts) -> Text:
    """Name the metrics that found no room."""
    if not facts.others.left:
        return ()
    names: list[Text] = [(Code(name),) for name in facts.others.left]
    return say(
        "Not shown: {names}. They can be asked for by name under {key} in the study file.",
        names=joined(names),
        key=Code("[metric] others"),
    )


def _unlogged(facts: Facts) -> Text:
    """Name the metrics that the study asks for and no run has."""
    absent = unlogged_others(facts.study.metric, facts.groups)
    if not absent:
        return ()
    names: list[Text] = [(Code(name),) for name in absent]
    return say(
        "Asked for under {key}, but in no run with a best step: {names}.",
        names=joined(names),
        key=Code("[metric] others"),
    )
