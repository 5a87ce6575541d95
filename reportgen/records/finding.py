"""What a check says of a claim, and everything a check may look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from reportgen.records.claim import Claim
from reportgen.records.facts import Facts
from reportgen.records.manuscript import Manuscript
from reportgen.records.quantity import Evidence
from reportgen.records.source import Problem

LEVELS = ("error", "warning", "note", "none")
VERDICTS = (
    "disagrees",
    "borderline",
    "agrees within rounding",
    "agrees",
    "not checkable",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the evidence has where the report prints a number.

    Attributes:
        value: Nearest of the legal readings, in the unit of the printed number.
        low, high: Ends of what would be possible, where it is a range.
        definition: How it was computed ("mean over 3 seeds at the best validation step").
        evidence: What it rests on; empty where it rests on the same report.
    """

    value: float | int | str | None = None
    low: float | None = None
    high: float | None = None
    definition: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The verdict of one check on one claim.

    Attributes:
        rule: Name of the check.
        level: `"error"`, `"warning"`, `"note"`, or `"none"`.
        verdict: One of `VERDICTS`.
        claim: What was checked.
        message: For people: what the report says and where, what the evidence has and where.
            Never the words wrong, false, fabricated.
        expected: What would agree.
        delta: Printed minus expected, in the printed unit.
        readings: Every legal reading that was tried, in words.
        likely_cause: A simple change that would explain it, or empty.
        reason: Of what cannot be checked: why.
    """

    rule: str
    level: str
    verdict: str
    claim: Claim
    message: str
    expected: Expected | None = None
    delta: Decimal | None = None
    readings: tuple[str, ...] = ()
    likely_cause: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """One number of a built report: what an id stands for.

    Attributes:
        id: In full; a source may spell it without the characters that LaTeX cannot take.
        printed: As the report prints it; an em dash where it is missing.
        value: Unrounded, as report.json has it; None where it is missing.
        source: Where that stands, in words (`report.json`).
        settled: Whether this is what the author's own report says, and not what the evidence
            gives under the settings of today.
    """

    id: str
    printed: str
    value: float | None
    source: str
    settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One report with its evidence: the input of every check.

    Attributes:
        manuscript: What was read.
        claims: What it says, in reading order.
        facts: What logs, checkpoint and adapters show; None where only the report is there.
        given: What evidence there is: `"logs"`, `"model"`, `"adapter"`.
        seeds: How the report numbers the seeds: group of the evidence to (as written ->
            seed of the evidence), as it was solved.
        groups: Label as written to group of the evidence.
        stated: Id, as a source spells it, to the number of the built report.
        worked_out: What checks worked out and other checks ask for again.
    """

    manuscript: Manuscript
    claims: tuple[Claim, ...]
    facts: Facts | None = None
    given: frozenset[str] = frozenset()
    seeds: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    stated: Mapping[str, Stated] = field(default_factory=dict)
    worked_out: dict[object, object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """All that was found in one report.

    Attributes:
        manuscript: The report.
        findings: First the decisive finding of each claim, in reading order, each with its
            further remarks behind it.
        claims: Every claim, in reading order.
        numbers: How many numbers the report prints; section, figure and citation numbers
            and years count, though they claim nothing.
        evidence: Files the verdicts rest on: id, path, sha256.
        problems: What could not be read, of the report and of the evidence.
        assumed: What was solved and not stated: (what, value, why).
        fault: Why the report could not be checked at all, or empty.
    """

    manuscript: Manuscript
    findings: tuple[Finding, ...]
    claims: tuple[Claim, ...] = ()
    numbers: int = 0
    evidence: tuple[tuple[str, str, str], ...] = ()
    problems: tuple[Problem, ...] = ()
    assumed: tuple[tuple[str, str, str], ...] = ()
    fault: str = ""

    def decisive(self) -> tuple[Finding, ...]:
        """Return one finding a claim: the first that names it."""
        first: dict[str, Finding] = {}
        for finding in self.findings:
            first.setdefault(finding.claim.id, finding)
        return tuple(first.values())

    def totals(self) -> dict[str, int]:
        """Return how many numbers, claims and verdicts there are, by claim."""
        verdicts = [finding.verdict for finding in self.decisive()]
        agrees = sum(v.startswith("agrees") for v in verdicts)
        open_ones = verdicts.count("not checkable")
        return {
            "numbers": self.numbers,
            "claims": len(self.claims),
            "checked": len(verdicts) - open_ones,
            "agrees": agrees,
            "borderline": verdicts.count("borderline"),
            "disagrees": verdicts.count("disagrees"),
            "not_checkable": open_ones,
        }
