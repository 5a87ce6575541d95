"""What is said of all models holds of each of them, and not of one that is found first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.checks import CHECKS
from reportgen.checks._left_out import left_out_in, of_others
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._weigh import quieter
from reportgen.records.claim import Claim, Statement
from reportgen.records.finding import LEVELS, VERDICTS, Case, Finding

_RULES = frozenset({"superlative", "ordering", "trend", "range"})
_NOUNS = (
    r"(?:models?|modèles?|groups?|groupes?|systems?|systèmes?|methods?|méthodes?|variants?|variantes?|networks?|réseaux"
    r"|architectures?|configurations?)\b"
)
_COUNT = r"(?:(?:two|three|four|five|six|seven|eight|deux|trois|quatre|cinq|sept|huit|\d{1,2})\s)?"
_ALL = (
    rf"(?:all\s(?:of\s)?(?:the\s|our\s|these\s)?{_COUNT}|(?:every|each)\s|tou(?:s|tes)\s(?:les\s|nos\s|ces\s){_COUNT}"
    rf"|chaque\s){_NOUNS}"
)
_EACH = gated(
    rf"(?:\A\W*|[,;:(]\s|\b(?:and|but|while|that|for|in|with|et|mais|que|pour|dans|avec|chez)\s){_ALL}"
    rf"|\b(?:of|de)\s(?:every|each|chaque)\s{_NOUNS}",
    re.IGNORECASE,
)
"""`The lowest loss of all models` is one loss; that `of every model` is one of each."""
_MOST_CLAIMS, _MOST_GROUPS = 40, 12


def of_all_groups(
    case: Case, findings: Mapping[str, Sequence[Finding]]
) -> dict[str, list[Finding]]:
    """Return the findings of each claim, where those on all groups agree with every one of them.

    Args:
        case: The report and its evidence.
        findings: Id of a claim to its findings, the decisive one first.
    """
    kept = {name: list(found) for name, found in findings.items()}
    book = logbook_of(case)
    if book is None:
        return kept
    asked = [found for found in kept.values() if _is_of_each(case, found)]
    for found in asked[:_MOST_CLAIMS]:
        groups, claim = _meant(case, book, found[0])
        if 1 < len(groups) <= _MOST_GROUPS and _names_none(claim):
            told = sorted(_of_each(case, found[0], claim, groups), key=_loudness)
            found[:1] = told[:1] or found[:1]
    return kept


def _is_of_each(case: Case, found: Sequence[Finding]) -> bool:
    """Say whether something agrees that is said of each group."""
    if not found or found[0].rule not in _RULES or not found[0].verdict.startswith("agrees"):
        return False
    claim = found[0].claim
    content = claim.content
    if not isinstance(content, Statement) or content.denied or content.vague or content.share:
        return False
    return bool(_EACH.search(case.manuscript.blocks[claim.block].text, claim.start, claim.end))


def _meant(case: Case, book: Logbook, finding: Finding) -> tuple[tuple[str, ...], Claim]:
    """Return the groups that all are, and the claim as it is said of them.

    They are those that the report speaks of, where these are several, without those that the
    sentence leaves out.
    """
    spoken = tuple(dict.fromkeys(g for g in book.groups() if g in set(case.groups.values())))
    absent = left_out_in(case, book, finding)
    every = spoken if len(set(spoken) - set(absent)) > 1 else tuple(book.groups())
    claim = of_others(finding.claim, absent) if absent else finding.claim
    return tuple(group for group in every if group not in absent), claim


def _names_none(claim: Claim) -> bool:
    content = claim.content
    if not isinstance(content, Statement):
        return False
    return not any(s.group or s.against or s.seed is not None for s in content.subjects)


def _of_each(
    case: Case, finding: Finding, claim: Claim, groups: Sequence[str]
) -> Iterator[Finding]:
    """Yield what speaks against a claim where it is held against one group after the other."""
    content = claim.content
    if not isinstance(content, Statement):
        return
    for group in groups:
        subjects = tuple(replace(s, group=group, run_group=group) for s in content.subjects)
        # `At epoch 4 (0.391, 0.389 and 0.391)`: which value is whose is another question.
        amounts = content.amounts if finding.rule == "range" else ()
        one = replace(claim, content=replace(content, subjects=subjects, amounts=amounts))
        part = replace(case, claims=(one,))
        found = sorted(CHECKS.load(finding.rule)(part), key=_loudness)
        if found and found[0].verdict in {"disagrees", "borderline"}:
            told = replace(found[0], claim=finding.claim)
            yield replace(told, level=quieter(told.level, "warning"))


def _loudness(finding: Finding) -> tuple[int, int]:
    return VERDICTS.index(finding.verdict), LEVELS.index(finding.level)
