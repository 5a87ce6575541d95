"""Findings to points: what disagrees may cost, what is open or borderline never does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase

from reportgen.checking.projections._sections import headings_above
from reportgen.records.finding import Finding, Judgement
from reportgen.records.rubric import Rubric, RubricLine

DEFAULT_RUBRIC = Rubric(
    title="Consistency with the evidence",
    lines=(
        RubricLine(
            id="calculations",
            title="Calculations and formulas",
            kinds=("equation*", "*_formula"),
        ),
        RubricLine(
            id="results",
            title="Values, best steps, means and spreads",
            kinds=("metric_value", "best_step", "aggregate_*"),
        ),
        RubricLine(
            id="statements",
            title="Comparisons, trends and ranges",
            kinds=("comparison", "superlative", "trend", "range"),
        ),
        RubricLine(
            id="model",
            title="Architecture and numbers of parameters",
            kinds=("arch_*", "param_count"),
        ),
        RubricLine(
            id="settings",
            title="Hyper-parameters, LoRA and counts of runs",
            kinds=("hyperparameter", "lora_*", "count"),
        ),
        RubricLine(id="other", title="Everything else"),
    ),
)
"""What is used without a rubric: one line a topic, each worth nothing.

A course that gave no rubric wants to read what was found, not to have it graded: every line is
worth 0 points, so that no score is changed, and shows whether it holds an error.
"""


_UNBOUND = "number"
"""Kind of a claim that the report binds to no meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """One claim that costs points.

    Attributes:
        finding: The finding that does.
        points: What it costs; where nothing is left, more than could be taken.
    """

    finding: Finding
    points: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredLine:
    """One line of a rubric with what a report earns on it.

    Attributes:
        line: The line.
        earned: Points, from 0 to those of the line; None where nothing is scored.
        costs: Claims that cost points, in reading order; on a line worth nothing, those that
            would.
        findings: Decisive findings of the claims that the line looks at, in reading order.
        fault: Why the report could not be checked, or empty.
        nothing: Whether the report has nothing that the line could look at.
    """

    line: RubricLine
    earned: Decimal | None
    costs: tuple[Cost, ...] = ()
    findings: tuple[Finding, ...] = ()
    fault: str = ""
    nothing: bool = False

    @property
    def clean(self) -> bool:
        """Whether nothing on the line costs anything."""
        return not self.fault and not self.costs and self.earned == self.line.points

    def with_verdict(self, verdict: str) -> tuple[Finding, ...]:
        """Return the findings whose verdict begins with a word (`agrees`)."""
        return tuple(finding for finding in self.findings if finding.verdict.startswith(verdict))


def score(judgement: Judgement, rubric: Rubric) -> tuple[ScoredLine, ...]:
    """Return what a report earns on each line of a rubric.

    A claim belongs to the first line that looks at its decisive finding (else at the next of
    its findings), and costs points once: there, and as much as the dearest of them. Only
    findings that disagree, at the levels error and warning, cost anything; no line falls below
    0. What is borderline or cannot be checked never costs points. A line that the report says
    nothing for earns nothing, unless the rubric says `nothing_to_check = "full"`; it is not taken
    for one where a claim could not be checked that may belong to it.

    Missing: Of a report that could not be checked nothing is earned and nothing lost: `earned`
    is None and `fault` says why, unless the rubric says `unreadable = "zero"`.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> line = RubricLine(id="all", points=Decimal(4))
        >>> [scored] = score(Judgement(manuscript=report, findings=()), Rubric(lines=(line,)))
        >>> print(scored.earned, scored.clean)
        0 False
    """
    if judgement.fault:
        earned = Decimal(0) if rubric.unreadable == "zero" else None
        lines = rubric.lines
        return tuple(ScoredLine(line=one, earned=earned, fault=judgement.fault) for one in lines)
    above = headings_above(judgement.manuscript)
    unmet = {line.id: line for line in rubric.lines}
    costs: dict[str, list[Cost]] = {line.id: [] for line in rubric.lines}
    seen: dict[str, list[Finding]] = {line.id: [] for line in rubric.lines}
    for findings in _by_claim(judgement.findings):
        block = findings[0].claim.block
        headings = above[block] if 0 <= block < len(above) else ()
        unmet = {k: one for k, one in unmet.items() if not _may_meet(one, findings, headings)}
        line, cost = _assign(findings, headings, rubric)
        if line is not None:
            seen[line.id].append(findings[0])
            if cost is not None:
                costs[line.id].append(cost)
    return tuple(
        _unmet(line, rubric) if line.id in unmet else _scored(line, costs[line.id], seen[line.id])
        for line in rubric.lines
    )


def _unmet(line: RubricLine, rubric: Rubric) -> ScoredLine:
    full = (line.nothing_to_check or rubric.nothing_to_check) == "full"
    return ScoredLine(line=line, earned=line.points if full else Decimal(0), nothing=True)


def _scored(line: RubricLine, costs: Sequence[Cost], findings: Sequence[Finding]) -> ScoredLine:
    lost = sum((cost.points for cost in costs), Decimal(0))
    return ScoredLine(
        line=line,
        earned=max(Decimal(0), line.points - lost),
        costs=tuple(costs),
        findings=tuple(findings),
    )


def _may_meet(line: RubricLine, findings: Sequence[Finding], headings: Sequence[str]) -> bool:
    """Return whether a claim is what a line looks at, or may be, for nothing could check it.

    Which check would have spoken of it is not known then, and of a number that nothing binds
    not even its kind.
    """
    if any(looks_at(line, finding, headings) for finding in findings):
        return True
    first = findings[0]
    kinds = () if first.claim.kind == _UNBOUND else line.kinds
    return (
        first.verdict.startswith("not checkable")
        and _fits((first.claim.kind,), kinds)
        and _fits(headings, line.sections)
    )


def _by_claim(findings: Sequence[Finding]) -> tuple[tuple[Finding, ...], ...]:
    """Return the findings of each claim, the decisive one first, in reading order."""
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.claim.id, []).append(finding)
    return tuple(map(tuple, found.values()))


def _assign(
    findings: Sequence[Finding], headings: Sequence[str], rubric: Rubric
) -> tuple[RubricLine | None, Cost | None]:
    """Return the line that a claim belongs to, and what it costs there."""
    pairs = ((finding, line) for finding in findings for line in rubric.lines)
    line = next((line for finding, line in pairs if looks_at(line, finding, headings)), None)
    if line is None:
        return None, None
    own = (finding for finding in findings if looks_at(line, finding, headings))
    costs = [Cost(finding=one, points=_price(line, one)) for one in own]
    dearest = max(costs, key=lambda cost: cost.points)
    return line, dearest if dearest.points else None


def _price(line: RubricLine, finding: Finding) -> Decimal:
    if finding.verdict != "disagrees":
        return Decimal(0)
    return {"error": line.error, "warning": line.warning}.get(finding.level, Decimal(0))


def looks_at(line: RubricLine, finding: Finding, headings: Sequence[str] = ()) -> bool:
    """Say whether a line of a rubric looks at a finding under these headings.

    Example:
        >>> from reportgen.records.claim import Claim
        >>> from reportgen.records.manuscript import Place
        >>> claim = Claim(kind="aggregate_std", quote="0.61", place=Place(line=3))
        >>> found = Finding(
        ...     rule="aggregate", level="none", verdict="agrees", claim=claim, message=""
        ... )
        >>> line = RubricLine(id="task3", kinds=("aggregate_*",), sections=("task 3*",))
        >>> looks_at(line, found, ("Seeds", "Task 3: fine-tuning")), looks_at(line, found)
        (True, False)
    """
    return (
        _fits((finding.rule,), line.rules)
        and _fits((finding.claim.kind,), line.kinds)
        and _fits(headings, line.sections)
    )


def _fits(texts: Sequence[str], patterns: Sequence[str]) -> bool:
    if not patterns:
        return True
    return any(fnmatchcase(text.casefold(), p.casefold()) for text in texts for p in patterns)
