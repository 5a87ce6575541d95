"""From legal readings of a sentence to its verdict.

A reading says by how much the sentence holds (a positive margin) or fails (a negative one).
The sentence agrees if any reading holds; it disagrees only where every reading fails by more
than a reader of tables and curves could have overlooked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from reportgen.checks._known import Known, is_ratio
from reportgen.checks._ladder import level_of, sentence
from reportgen.records.claim import Claim, Statement
from reportgen.records.finding import Expected, Finding
from reportgen.records.quantity import Evidence

POINT = Decimal("0.1")
"""A tenth of a point of accuracy is what tables and plots are read to."""

TIE = Decimal("1E-9")
"""Margin of a tie where a tie is as good: a value that another one equals is still the best."""
MOST_EVIDENCE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One legal reading of a sentence.

    Attributes:
        name: What it looks at (`means at each epoch`).
        margin: By how much it holds; negative, by how much it fails; zero is a tie.
        slack: What the printing of its values leaves open.
        tolerance: A failure up to here is borderline.
        witness: The values that decide, in words.
        evidence: What they rest on.
        rank: `"headline"` for the mean at the best validation step, by which groups are compared
            where nothing else is said; `"mean"` for that of another moment; `"loose"` where one
            of many pairs of runs is enough.
    """

    name: str
    margin: Decimal
    slack: Decimal = Decimal(0)
    tolerance: Decimal = Decimal(0)
    witness: str = ""
    evidence: tuple[Evidence, ...] = ()
    rank: str = ""

    @property
    def charity(self) -> Decimal:
        """The margin under the kindest rounding."""
        return self.margin + self.slack


def tolerance_of(values: Iterable[Known]) -> Decimal:
    """Return which difference of such values may be overlooked.

    Example:
        >>> values = [Known(value=Decimal(v), metric="loss", split="", group="g",
        ...                 moment=("step", Decimal(v))) for v in (1, 3)]
        >>> tolerance_of(values)
        Decimal('0.01')
    """
    kept = tuple(values)
    if kept and is_ratio(kept[0].metric):
        return POINT
    numbers = [known.value for known in kept]
    return (max(numbers) - min(numbers)) / 200 if numbers else Decimal(0)


def denied(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """Return the readings of the opposite sentence: what is equal is not higher."""
    return tuple(replace(reading, margin=-reading.margin or TIE) for reading in readings)


def verdict_of(readings: Sequence[Reading]) -> str:
    """Return the verdict that at least one reading allows.

    Example:
        >>> verdict_of([Reading(name="means", margin=Decimal(v)) for v in (-2, 1)])
        'agrees'
        >>> verdict_of([Reading(name="means", margin=Decimal(0))])
        'borderline'
    """
    if any(reading.margin > 0 for reading in readings):
        return "agrees"
    if any(reading.charity > 0 for reading in readings):
        return "agrees within rounding"
    if any(reading.charity + reading.tolerance >= 0 for reading in readings):
        return "borderline"
    return "disagrees"


def settle(
    rule: str, claim: Claim, readings: Sequence[Reading], *, logged: bool, crisp: bool = False
) -> Finding:
    """Return the finding on a sentence, given at least one reading.

    Args:
        rule: Name of the check.
        claim: The sentence; its content is a `Statement`.
        readings: The likeliest first.
        logged: Whether they rest on logs.
        crisp: Whether the sentence leaves no room: it may then be an error.
    """
    verdict = verdict_of(readings)
    decisive = _likeliest(readings, verdict)
    level = level_of(verdict, claim.confidence)
    vague = isinstance(claim.content, Statement) and claim.content.vague
    if level == "error" and not (logged and crisp and not vague):
        level = "warning"
    source = "the logs have" if logged else "the same report has"
    says = f"{source} {decisive.witness}" if decisive.witness else f"{source} it otherwise"
    return Finding(
        rule=rule,
        level=level,
        verdict=verdict,
        claim=claim,
        message=sentence(claim, says),
        expected=Expected(
            definition=decisive.name,
            evidence=decisive.evidence[:MOST_EVIDENCE] if logged else (),
        ),
        readings=tuple(dict.fromkeys(reading.name for reading in readings)),
    )


def _likeliest(readings: Sequence[Reading], verdict: str) -> Reading:
    """Return the first reading that gives the verdict, to be shown."""
    return next((r for r in readings if verdict_of([r]) == verdict), readings[0])
