"""Values of other runs than those of the logs: what most of a passage says, nobody mistook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.checks._ladder import unbound
from reportgen.checks._weigh import quieter
from reportgen.records.claim import Claim, Meaning
from reportgen.records.finding import Case, Finding

_OF_LOGS = frozenset(
    ("value", "best_step", "aggregate", "difference", "copied", "oracle", "smoothed", "trend")
)
_PRINTED = frozenset(("code", "output"))
_ENOUGH = 4
"""Values of one group in one block that show whether they are those of the logs."""
_NONE_AT_ALL = 3
"""Values of a whole report, none of which the logs have, that show the same."""
_WHY = "most values beside it are not in the logs either, so that they may be of other runs"


def without_strangers(
    case: Case, findings: Mapping[str, Sequence[Finding]]
) -> dict[str, list[Finding]]:
    """Return the findings of each claim, quieter where the logs may be of other runs.

    A slip is one value among many that agree. Where a sentence speaks of some of the data or of
    a variant, where most of a passage is not in the logs, where
    nothing in the whole report is, or where a program printed it, the report and the logs
    may each be right. One warning of a passage is enough then.

    Args:
        case: The report and its evidence.
        findings: Id of a claim to its findings, the decisive one first.
    """
    if "logs" not in case.given:
        return {name: list(found) for name, found in findings.items()}
    first = [found[0] for found in findings.values() if found and found[0].rule in _OF_LOGS]
    judged = [finding for finding in first if finding.verdict != "not checkable"]
    strange = set(_strange(judged))
    heads = _first_of_each_block(judged, strange)
    against = sum(finding.verdict == "disagrees" for finding in judged)
    foreign = against == len(judged) and against >= _NONE_AT_ALL
    kept: dict[str, list[Finding]] = {}
    for name, found in findings.items():
        alone = name in strange and name not in heads
        why = _WHY if alone else _condition(found)
        kept[name] = [_open(one, why) if why else one for one in found]
        if foreign or name in heads:
            kept[name] = [_softer(one, "warning") for one in kept[name]]
        if found and _is_printed(case, found[0].claim):
            kept[name] = [_softer(one, "note") for one in kept[name]]
    return kept


def _strange(judged: Sequence[Finding]) -> Iterator[str]:
    """Yield the claims whose block is mostly not in the logs, with nothing to explain it."""
    passages: dict[tuple[int, str], list[Finding]] = {}
    for finding in judged:
        passages.setdefault(_passage(finding.claim), []).append(finding)
    for together in passages.values():
        odd = [f for f in together if f.verdict == "disagrees" and not f.likely_cause]
        if len(together) >= _ENOUGH and 2 * len(odd) > len(together):
            yield from (f.claim.id for f in together if f.verdict == "disagrees")


def _passage(claim: Claim) -> tuple[int, str]:
    """Return the block of a claim and the group it is bound to."""
    meaning = claim.content
    return claim.block, meaning.run_group if isinstance(meaning, Meaning) else ""


def _first_of_each_block(judged: Sequence[Finding], strange: set[str]) -> set[str]:
    heads: dict[tuple[int, str], str] = {}
    for finding in judged:
        if finding.claim.id in strange:
            heads.setdefault(_passage(finding.claim), finding.claim.id)
    return set(heads.values())


def _condition(found: Sequence[Finding]) -> str:
    """Say under which condition a value holds, of which the logs know nothing."""
    told = found[0].claim.hints.get("condition", "") if found else ""
    return f"it is said of “{told}”, which the logs do not tell apart" if told else ""


def _open(finding: Finding, why: str) -> Finding:
    """Return a disagreement with the logs as one that cannot be decided."""
    against = finding.rule in _OF_LOGS and finding.verdict in {"disagrees", "borderline"}
    return unbound(finding.rule, finding.claim, why) if against else finding


def _softer(finding: Finding, loudest: str) -> Finding:
    if finding.rule not in _OF_LOGS:
        return finding
    return replace(finding, level=quieter(finding.level, loudest))


def _is_printed(case: Case, claim: Claim) -> bool:
    """Say whether a program wrote a passage, and not the author."""
    blocks = case.manuscript.blocks
    kind = blocks[claim.block].type if claim.block < len(blocks) else ""
    return kind in _PRINTED or claim.place.file.endswith("output")
