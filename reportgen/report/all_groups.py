"""Three and more groups side by side: their order, and the difference of every pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from reportgen.languages import message, noun, retell, say, tell
from reportgen.languages._language import Place
from reportgen.records.document import (
    Block,
    Cite,
    Code,
    Paragraph,
    Section,
    Strong,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Comparison, Facts, GroupResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.study import Study
from reportgen.report._caveats import interval_note
from reportgen.report._evidence import of_values
from reportgen.report._excerpts import MOST_GROUPS, ROWS_AT_AN_END
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import Printing, counted, printing_of
from reportgen.report._phrases import (
    joined,
    level,
    metric_words,
    name_of,
    section_of,
    unit_words,
)
from reportgen.report._tasks import ranked_by_task, task_words, told_tasks
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
    return section_of("all_groups", tell("All groups side by side"), blocks)


def _side_by_side(facts: Facts, groups: Sequence[GroupResult], suffix: str) -> list[Block]:
    """Return the order of the groups of one task, and the differences of their pairs.

    Args:
        facts: What the analysis found.
        groups: The best one first.
        suffix: End of ids where there are several tasks, which are named then.
    """
    printing = printing_of(facts.groups)
    named: Text = (Strong((*task_words(groups[0].task), ".")), " ") if suffix else ()
    blocks: list[Block] = [Paragraph(text=(*named, *_order(facts, groups, printing, suffix)))]
    repeated = [group for group in groups if group.report.n > 2]
    if len(repeated) > MOST_IN_A_TABLE:
        blocks.append(Paragraph(text=_too_many(repeated, suffix)))
    elif len(repeated) >= FEWEST:
        pairs = _pairs(facts.study, repeated)
        table = _table(facts, pairs, printing, suffix)
        blocks += [table, Paragraph(text=_counted(facts, pairs))]
    return blocks


def _order(facts: Facts, groups: Sequence[GroupResult], printing: Printing, suffix: str) -> Text:
    """Return the groups from the best to the weakest; of more than a dozen, those at the ends."""
    many = all(group.report.n > 1 for group in groups)
    places: dict[str, Place] = {
        "split": noun(groups[0].report_split),
        "metric": metric_words(facts.study),
    }
    if len(groups) <= MOST_GROUPS:
        return say(
            "From the best to the weakest {split} {metric}, means as printed: {groups}."
            if many
            else "From the best to the weakest {split} {metric}, as printed, of several runs the "
            "mean: {groups}.",
            groups=_ordered(facts, groups, printing),
            **places,
        )
    sources = [e for group in groups for e in of_values(group.report)]
    return say(
        "Of {count} groups these come first by {split} {metric}, means as printed: {best}. These "
        "come last: {weakest}."
        if many
        else "Of {count} groups these come first by {split} {metric}, as printed, of several runs "
        "the mean: {best}. These come last: {weakest}.",
        count=counted(
            f"all_groups.groups{suffix}", len(groups), message("groups in order"), sources
        ),
        best=_ordered(facts, groups[:ROWS_AT_AN_END], printing),
        weakest=_ordered(facts, groups[-ROWS_AT_AN_END:], printing),
        **places,
    )


def _ordered(facts: Facts, groups: Sequence[GroupResult], printing: Printing) -> Text:
    """Name groups with their results; what is printed alike stands together."""
    tied: dict[Decimal, list[GroupResult]] = {}
    for group in groups:
        if isinstance(group.report.mean, Quantity):
            tied.setdefault(printing.rounded(group.report.mean), []).append(group)
    parts: list[Text] = []
    for members in tied.values():
        names = joined([(name_of(group),) for group in members])
        key = f"all_groups.order.{group_key(facts, members[0])}"
        value = printing.mean(key, members[0].report.mean)
        text = say(
            "{groups} ({value})" if len(members) == 1 else "{groups} ({value} each)",
            groups=names,
            value=(value, printing.sign),
        )
        parts.append(text)
    return joined(parts)


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


def _excludes_zero(comparison: Comparison) -> bool:
    low, high = comparison.low, comparison.high
    if isinstance(low, Missing) or isinstance(high, Missing):
        return False
    return low.value > 0 or high.value < 0


def _counted(facts: Facts, pairs: Sequence[_Pair]) -> Text:
    """Say which intervals exclude zero, one by one and all together."""
    shown = level(facts.study)
    reasons = [p.alone.low.reason for p in pairs if isinstance(p.alone.low, Missing)]
    if len(reasons) == len(pairs):
        why = "; ".join(map(retell, dict.fromkeys(reasons)))
        return say("No {level} interval could be computed: {why}.", level=shown, why=why)
    alone = [pair for pair in pairs if _excludes_zero(pair.alone)]
    jointly = [pair for pair in pairs if _excludes_zero(pair.jointly)]
    first = (
        say("No {level} interval excludes zero.", level=shown)
        if not alone
        else say(
            "The {level} interval excludes zero for {pairs}.", level=shown, pairs=_named(alone)
        )
    )
    second = say(
        "Each of these intervals holds by itself: the more pairs there are, the likelier one of "
        "them excludes zero by chance. At the level that makes all of them hold together at "
        "{level} (Bonferroni {cite}), {which}.",
        level=shown,
        cite=Cite("bonferroni"),
        which=_which(alone, jointly),
    )
    return (*first, " ", *second)


def _which(alone: Sequence[_Pair], jointly: Sequence[_Pair]) -> Text:
    if not jointly:
        return say("none excludes zero")
    if len(jointly) == len(alone):
        return say("the same ones exclude zero")
    if len(jointly) == 1:
        return say("the only one that excludes zero is that for {pair}", pair=_named(jointly))
    return say("those that exclude zero are the ones for {pairs}", pairs=_named(jointly))


def _named(pairs: Sequence[_Pair]) -> Text:
    names: list[Text] = [
        say("{first} against {second}", first=name_of(pair.first), second=name_of(pair.second))
        for pair in pairs
    ]
    return joined(names)


def _too_many(groups: Sequence[GroupResult], suffix: str) -> Text:
    pairs = len(groups) * (len(groups) - 1) // 2
    sources = [e for group in groups for e in of_values(group.report)]
    return say(
        "The {count} pairs of groups with three runs or more are too many for a table; two "
        "groups can be named under {key} in the study file.",
        count=counted(f"all_groups.count{suffix}", pairs, message("pairs of groups"), sources),
        key=Code("[comparison] groups"),
    )
