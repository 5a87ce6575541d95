"""What choosing each run's step on the split that is reported would give, as a warning."""

from __future__ import annotations

from reportgen.languages import message, noun, say
from reportgen.records.document import Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.report._evidence import of_values
from reportgen.report._excerpts import GROUPS_AT_AN_END, ends_of
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import counted, printing_of, same_runs
from reportgen.report._phrases import joined, name_of


def oracle(facts: Facts) -> list[Text]:
    """Return what choosing on the reporting split itself would give, named as an oracle."""
    printing = printing_of(facts.groups)
    groups = [
        g
        for g in facts.groups
        if g.oracle.n >= 3
        and g.report_split != facts.study.metric.select_on
        and _may_choose(facts, g)
    ]
    if not groups:
        return []
    ends = ends_of(facts, GROUPS_AT_AN_END)
    shown = [g for g in groups if ends is None or any(g is one for one in ends.groups)]
    parts: list[Text] = [
        (
            printing.mean(f"best_step.{group_key(facts, g)}.oracle", g.oracle.mean),
            f"{printing.sign} ({name_of(g)}",
            *_number(facts, g),
            ")",
        )
        for g in shown or groups[:GROUPS_AT_AN_END]
    ]
    note = say(
        "Choosing each run’s step on the {split} split itself would give a mean of {means}: an "
        "oracle, not a result, for it has seen the split it is judged on.",
        split=noun(groups[0].report_split),
        means=joined(parts),
    )
    return [note]


def _number(facts: Facts, group: GroupResult) -> Text:
    """Return the n of an oracle over other runs than those of the group's result."""
    if same_runs(group.oracle, group.report):
        return ()
    identifier = f"best_step.{group_key(facts, group)}.oracle.n"
    runs = of_values(group.oracle)
    return (", n = ", counted(identifier, group.oracle.n, message("runs with this value"), runs))


def _may_choose(facts: Facts, group: GroupResult) -> bool:
    """Say whether a run has several values on the reporting split: else nothing is chosen."""
    asked = facts.study.metric.name, group.report_split
    series = (s for cell in group.cells if cell.run for s in cell.run.scalars.values())
    return any(len(s) > 1 for s in series if (s.metric, s.split) == asked)
