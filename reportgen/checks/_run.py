"""Every check on one case, and one decisive finding a claim."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.checks import CHECKS
from reportgen.checks._bound_numbers import without_bounds
from reportgen.checks._ladder import unbound
from reportgen.checks._left_out import without_left_out
from reportgen.checks._misread import without_misread
from reportgen.checks._of_all_groups import of_all_groups
from reportgen.checks._recomputed import without_other_settings
from reportgen.checks._several_at_once import at_most_noted
from reportgen.checks._strangers import without_strangers
from reportgen.checks.smoothed import without_raw
from reportgen.records.claim import Claim
from reportgen.records.finding import LEVELS, VERDICTS, Case, Finding
from reportgen.records.source import Problem

NO_CHECK = "unchecked"
"""Rule of a claim that no check has anything to say on."""


def run_checks(case: Case) -> tuple[tuple[Finding, ...], tuple[Problem, ...]]:
    """Return the findings of a report, and a problem for each check that failed itself.

    The findings of a claim stand together, in reading order of the claims: first the decisive
    one, then further remarks. A claim that no check speaks of is not checkable, with a reason.
    """
    found: dict[str, list[Finding]] = {claim.id: [] for claim in case.claims}
    problems = []
    for name in CHECKS:
        try:
            for finding in CHECKS.load(name)(case):
                found[finding.claim.id].append(finding)
        # A defect of one check may not hide what the others found.
        except Exception as fault:  # noqa: BLE001
            message = (
                f"the check {name!r} could not be carried out: {type(fault).__name__}: {fault}"
            )
            problems.append(Problem(path=case.manuscript.path, message=message))
    ordered = {claim.id: list(_ordered(case, claim, found[claim.id])) for claim in case.claims}
    read = without_misread(case, without_bounds(case, ordered))
    read = of_all_groups(case, without_left_out(case, read))
    quiet = at_most_noted(case, without_strangers(case, read))
    return tuple(f for claim in case.claims for f in quiet[claim.id]), tuple(problems)


def _ordered(case: Case, claim: Claim, findings: list[Finding]) -> Iterator[Finding]:
    """Yield the decisive finding of a claim, then every other that is worth reading."""
    if not findings:
        yield unbound(NO_CHECK, claim, why_unchecked(case, claim))
        return
    findings = without_raw(without_other_settings(case, findings))
    # The table's order settles what rank and level leave open, for sorting is stable.
    first, *others = sorted(findings, key=_rank)
    yield first
    yield from (other for other in others if other.level != "none")


def _rank(finding: Finding) -> tuple[int, int]:
    return VERDICTS.index(finding.verdict), LEVELS.index(finding.level)


def why_unchecked(case: Case, claim: Claim) -> str:
    """Return why no check speaks of a claim, as a clause.

    Example:
        >>> from reportgen.records.manuscript import Manuscript, Place
        >>> case = Case(manuscript=Manuscript(path="r.md", format="markdown", sha256="", blocks=()),
        ...             claims=())
        >>> why_unchecked(case, Claim(kind="metric_value", quote="79.9", place=Place(line=1)))
        'no logs were given, and nothing else in the report speaks of it'
    """
    if claim.reason:
        return claim.reason
    needs = _NEEDS.get(claim.kind, "")
    if needs and needs not in case.given:
        return f"{_ABSENT[needs]}, and nothing else in the report speaks of it"
    return _OPEN.get(claim.kind, "the evidence has nothing that it could be held against")


_ABSENT = {
    "logs": "no logs were given",
    "model": "no model was given",
    "adapter": "no adapter was given",
}
_NEEDS = {
    **dict.fromkeys(("metric_value", "tail", "best_step"), "logs"),
    **dict.fromkeys(("aggregate_mean", "aggregate_std", "aggregate_other"), "logs"),
    **dict.fromkeys(("comparison", "superlative", "trend", "range", "count"), "logs"),
    **dict.fromkeys(("arch_count", "arch_shape", "arch_formula", "arch_claim"), "model"),
    **dict.fromkeys(("param_count", "hyperparameter"), "model"),
    **dict.fromkeys(("lora_config", "lora_formula"), "adapter"),
}
_OPEN = {
    "number": "nothing in the report binds it to a run, a setting or a count",
    "provenance": "it says where a number comes from, which is not in the evidence",
    "figure_claim": "it speaks of a figure",
    "claim_of_optimality": "no log can show that nothing better is possible",
    "speculation": "it is a supposition",
    "lora_semantics": "it explains in words",
}
