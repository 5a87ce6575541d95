"""What groups and runs are called where there is little room."""

from __future__ import annotations

from reportgen.records.document import Emphasis, Text
from reportgen.records.facts import Facts, GroupResult


def short_name(facts: Facts, group: GroupResult) -> str:
    """Return the short name that a study gives a group, else its label."""
    return facts.study.short(group.name) or group.label


def in_text(facts: Facts, group: GroupResult) -> Text:
    """Return the short name of a group as running text has it."""
    return (Emphasis((short_name(facts, group),)),)
