"""Numbers that a sentence gives as a bound on all runs: they are nobody's value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportgen.checks._ladder import unbound
from reportgen.records.claim import Claim, Statement
from reportgen.records.finding import Case, Finding

_RULES = frozenset({"value", "aggregate"})
_WHY = "it is a bound, which is held against all that lie above or below it"


def without_bounds(
    case: Case, findings: Mapping[str, Sequence[Finding]]
) -> dict[str, list[Finding]]:
    """Return the findings of each claim, open where its number is only a bound.

    `All runs are above 40 %` says of no value that it is 40 %.

    Args:
        case: The report and its evidence.
        findings: Id of a claim to its findings, the decisive one first.
    """
    bounds: dict[int, list[Claim]] = {}
    for claim in case.claims:
        if isinstance(claim.content, Statement) and claim.content.predicate in {"above", "below"}:
            bounds.setdefault(claim.block, []).append(claim)
    kept = {name: list(found) for name, found in findings.items()}
    for found in kept.values():
        if found and any(_is_bound(found[0], one) for one in bounds.get(found[0].claim.block, ())):
            found[:] = [_open(one) for one in found]
    return kept


def _is_bound(finding: Finding, bound: Claim) -> bool:
    claim = finding.claim
    inside = bound.start <= claim.start and claim.end <= bound.end
    printed, content = claim.printed, bound.content
    if not inside or printed is None or not isinstance(content, Statement):
        return False
    return any(printed.value == amount.value for amount in content.amounts)


def _open(finding: Finding) -> Finding:
    against = finding.rule in _RULES and finding.verdict in {"disagrees", "borderline"}
    return unbound(finding.rule, finding.claim, _WHY) if against else finding
