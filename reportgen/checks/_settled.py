"""Findings on claims that are no printed number: names, lists, shapes, sentences."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.checks._ladder import level_of, sentence
from reportgen.checks._reading import Reading, show
from reportgen.records.claim import Claim
from reportgen.records.finding import LEVELS, Expected, Finding


def settled(
    rule: str,
    claim: Claim,
    verdict: str,
    says: str,
    *,
    loudest: str = "error",
    level: str = "",
    found: Sequence[Reading] = (),
    cause: str = "",
) -> Finding:
    """Return the finding on a claim whose verdict is known.

    Args:
        rule: Name of the check.
        claim: What was checked.
        verdict: One of the verdicts.
        says: What the evidence has, as a clause.
        loudest: Highest level that the verdict and the confidence may lead to.
        level: The level itself where neither decides it.
        found: Every legal reading, the likeliest first.
        cause: What would explain a disagreement.
    """
    earned = level or level_of(verdict, claim.confidence)
    capped = max(earned, loudest, key=LEVELS.index)
    expected = None
    if found:
        value = found[0].value
        expected = Expected(
            value=value if isinstance(value, str) else show(value),
            definition=found[0].where,
            evidence=found[0].evidence,
        )
    return Finding(
        rule=rule,
        level=capped,
        verdict=verdict,
        claim=claim,
        message=sentence(claim, says, cause),
        expected=expected,
        readings=tuple(reading.where for reading in found),
        likely_cause=cause,
    )
