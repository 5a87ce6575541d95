"""One report bound to its evidence and checked; twice, where names of groups are words as well."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reportgen.checks._ladder import unbound
from reportgen.checks._run import run_checks
from reportgen.claims._as_names import (
    Covered,
    cover,
    is_everywhere,
    is_greek_group,
    is_in_every_sentence,
    names_with_meaning,
)
from reportgen.claims._broken_names import with_whole_names
from reportgen.claims._collect import collect
from reportgen.claims._named import with_names
from reportgen.claims._run_names import with_run_names
from reportgen.claims.pace import solve_pace
from reportgen.claims.resolve import resolve
from reportgen.records.claim import Meaning
from reportgen.records.finding import Case, Finding

if TYPE_CHECKING:
    from reportgen.api.evidence import Gathered
    from reportgen.records.claim import Claim
    from reportgen.records.manuscript import Manuscript
    from reportgen.records.source import Problem

_LOUD = frozenset({"error", "warning"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A report, read and checked.

    Attributes:
        case: Its claims, bound to the groups and seeds of the evidence.
        findings: As of `run_checks`.
        numbers: How many numbers it prints.
        unnamed: Numbers whose ids nothing explains.
        problems: Checks that failed themselves.
    """

    case: Case
    findings: tuple[Finding, ...]
    numbers: int
    unnamed: tuple[Problem, ...]
    problems: tuple[Problem, ...]


def read_and_checked(manuscript: Manuscript, gathered: Gathered) -> Read:
    """Bind what a report says to its evidence, and run every check.

    Where groups are called by words that mean something else too, these are read as names, and
    what agrees once they are read as words is no finding. Metrics and splits stand everywhere in
    a report: with such names both readings have to find the same. With numbers, counters and words
    that any sentence may have, only tables have findings.
    """
    from reportgen.api.stated import stated_for

    manuscript = with_whole_names(manuscript, gathered.facts)
    manuscript = with_run_names(manuscript, gathered.facts)
    stated, unnamed = stated_for(manuscript, gathered.facts, gathered.stated)
    words = Case(
        manuscript=manuscript,
        claims=(),
        facts=gathered.facts,
        given=gathered.given,
        stated=stated,
    )
    names = names_with_meaning(gathered.facts)
    read = _read(words, cover(manuscript, names), unnamed)
    if not names or not any(finding.level in _LOUD for finding in read.findings):
        return read
    other = _read(words, cover(manuscript, ()), unnamed)
    told = {_where(f.claim): f for f in other.findings[::-1]}
    doubtful = {
        _where(finding.claim)
        for finding in read.findings
        if _takes_back(told.get(_where(finding.claim)), finding, names)
    }
    return replace(read, findings=tuple(_without(read.findings, doubtful, names)))


def _takes_back(other: Finding | None, finding: Finding, names: Sequence[str]) -> bool:
    """Say whether the other reading of a place leaves a finding without ground."""
    if finding.claim.table is None and any(is_in_every_sentence(name, names) for name in names):
        return True
    if other is not None and _lost_a_group(other.claim, finding.claim):
        return False
    if any(map(is_everywhere, names)):
        return other is None or other.message != finding.message
    return other is not None and other.verdict.startswith("agrees")


def _lost_a_group(other: Claim, claim: Claim) -> bool:
    """Say whether only a group called by a Greek letter is not read by words: as a setting."""
    meant, left = claim.content, other.content
    if not isinstance(meant, Meaning) or not isinstance(left, Meaning) or left.group:
        return False
    sentence = claim.hints.get("sentence", claim.quote)
    return claim.table is None and is_greek_group(meant.group, sentence)


def _read(case: Case, covered: Covered, unnamed: tuple[Problem, ...]) -> Read:
    """Read and check a report in which names are covered, and uncover them in what is found."""
    found, numbers = collect(covered.manuscript)
    if case.stated:
        found = with_names(case.manuscript, found)
    # The words around a number stay covered until the end: checks read them again.
    claims = tuple(replace(one, content=covered.uncovered(one.content)) for one in found)
    bound = solve_pace(resolve(replace(case, manuscript=covered.manuscript, claims=claims)))
    findings, problems = run_checks(bound)
    claims = covered.uncovered(bound.claims)
    return Read(
        case=replace(bound, manuscript=case.manuscript, claims=claims),
        findings=covered.uncovered(findings),
        numbers=numbers,
        unnamed=unnamed,
        problems=problems,
    )


def _where(claim: Claim) -> tuple[int | None, ...]:
    return claim.block, claim.row, claim.column, claim.start


def _without(
    findings: tuple[Finding, ...], doubtful: Container[object], names: Sequence[str]
) -> Iterator[Finding]:
    """Yield findings, those taken back that only one reading bears."""
    called = " and ".join(f"“{name}”" for name in names[:3])
    why = f"it can be read in two ways, for groups of the logs are called {called}"
    said: set[str] = set()
    for finding in findings:
        if finding.level not in _LOUD or _where(finding.claim) not in doubtful:
            yield finding
        elif finding.claim.id not in said:
            said.add(finding.claim.id)
            yield unbound(finding.rule, finding.claim, why)
