"""Ids held against today's evidence: other settings than the author's may be as right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportgen.records.finding import Case, Finding

_RULE = "named"


def without_other_settings(case: Case, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings of a claim, mild where the author may have set something else.

    What the evidence gives for an id depends on settings (ddof, ties, splits) that may not be
    those of the author. Where another check finds a legal reading under which the number
    agrees, it does; where none speaks, nothing louder than a warning is said.
    """
    claim = findings[0].claim if findings else None
    stated = case.stated.get(claim.named) if claim is not None else None
    if stated is None or stated.settled:
        return list(findings)
    others = [one for one in findings if one.rule != _RULE]
    if any(one.verdict.startswith("agrees") for one in others):
        return [one for one in findings if one.rule != _RULE or one.verdict != "disagrees"]
    if any(one.verdict == "disagrees" for one in others):
        return list(findings)
    return [
        replace(one, level="warning") if one.rule == _RULE and one.level == "error" else one
        for one in findings
    ]
