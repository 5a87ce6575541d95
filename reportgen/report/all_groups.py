"""Three and more groups side by side: the difference of every pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from reportgen.languages import message, noun, retell, say, tell
from reportgen.records.document import (
    Block,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Comparison, Facts, GroupResult
from reportgen.records.quantity import Missing
from reportgen.records.study import Study
from reportgen.report._caveats import interval_note
from reportgen.report._evidence import of_values
from reportgen.report._excerpts import MOST_GROUPS
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import Printing, counted, printing_of
from reportgen.report._phrases import (
    level,
    metric_words,
    section_of,
    unit_words,
)
from reportgen.report._tasks import ranked_by_task, told_tasks
from reportgen.stats import compare_pair

FEWEST = 3
MOST_IN_A_TABLE = 6
TABLE = "all_groups.pairs"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """Two groups with their difference, alone and among all pairs."""

    first: GroupResult
    second: GroupResult
    alone: Comparison
    jointly: Comparison


def build(facts: Facts) -> Section | None:
    """Return the section, or None where no three groups can be set side by side."""
    several = len(told_tasks(facts)) > 1
    families = [f for f in ranked_by_task(facts) if len(f) >= (2 if several else FEWEST)]
    if facts.selection.is_last or not families:
        return None
    blocks: list[Block] = []
    for number, groups in enumerate(families[:MOST_GROUPS], 1):
        blocks += _side_by_side(facts, groups, f".{number}" if several else "")
    return section_of("all_groups", tell("All groups side by side"), blocks) if blocks else None


def _side_by_side(facts: Facts, groups: Sequence[GroupResult], suffix: str) -> list[Block]:
    """Return the differences of every two groups of one task, the better one first."""
    repeated = [group for group in groups if group.report.n > 2]
    if not FEWEST <= len(repeated) <= MOST_IN_A_TABLE:
        return []
    return [_table(facts, _pairs(facts.study, repeated), printing_of(facts.groups), suffix)]


def _pairs(study: Study, groups: Sequence[GroupResult]) -> list[_Pair]:
    """Compare every two groups, the better one first, at the study's level and at Bonferroni's."""
    chosen = list(combinations(groups, 2))
    confidence = study.statistics.confidence
    raised = 1 - (1 - confidence) / len(chosen)
    return [
        _Pair(
            first=first,
            second=second,
            alone=compare_pair(first, second, confidence=confidence),
            jointly=compare_pair(first, second, confidence=raised),
        )
        for first, second in chosen
    ]


def _table(facts: Facts, pairs: Sequence[_Pair], printing: Printing, suffix: str) -> Table:
    gap = f",{printing.gap}" if printing.gap else ""
    first = pairs[0].first
    paired = {pair.alone.method for pair in pairs}
    text = say(
        "Difference of the mean {split} {metric}{unit} at the best step for every two groups, "
        "{how}. The last column holds for all {count} pairs at once.",
        split=noun(first.report_split),
        metric=metric_words(facts.study),
        unit=unit_words(printing),
        how=_how(paired),
        count=_count(f"{TABLE}{suffix}.count", pairs),
    )
    reasons = [p.alone.low.reason for p in pairs if isinstance(p.alone.low, Missing)]
    return Table(
        id=f"{TABLE}{suffix}",
        caption=text,
        columns=(
            TableColumn(title=say("Groups"), wide=True),
            TableColumn(title=say("Difference{gap}", gap=gap), align="decimal"),
            TableColumn(title=say("{level} interval", level=level(facts.study)), align="center"),
            TableColumn(title=say("Interval for all pairs"), align="center"),
        ),
        rows=tuple(_row(facts, pair, printing) for pair in pairs),
        notes=(
            *(say("—: {reason}.", reason=retell(reason)) for reason in dict.fromkeys(reasons)),
            *((interval_note(first),) if len(reasons) < len(pairs) else ()),
        ),
    )


def _how(methods: set[str]) -> str:
    if methods == {"paired t"}:
        return tell("paired by seed")
    if methods == {"Welch t"}:
        return tell("by Welch’s method")
    return tell("paired by seed where both have the same seeds, else by Welch’s method")


def _row(facts: Facts, pair: _Pair, printing: Printing) -> TableRow:
    key = f"{TABLE}.{group_key(facts, pair.first)}.{group_key(facts, pair.second)}"
    names = say("{first} minus {second}", first=pair.first.label, second=pair.second.label)
    return TableRow(
        cells=(
            names,
            (printing.delta(f"{key}.difference", pair.alone.difference),),
            _interval(key, pair.alone, printing),
            _interval(f"{key}.jointly", pair.jointly, printing),
        )
    )


def _interval(key: str, comparison: Comparison, printing: Printing) -> Text:
    if isinstance(comparison.low, Missing):
        return ("—",)
    low = printing.delta(f"{key}.low", comparison.low)
    high = printing.delta(f"{key}.high", comparison.high)
    return say("{low} to {high}", low=low, high=high)


def _count(identifier: str, pairs: Sequence[_Pair]) -> Text:
    sources = [e for pair in pairs for g in (pair.first, pair.second) for e in of_values(g.report)]
    return (counted(identifier, len(pairs), message("pairs of groups"), sources),)
