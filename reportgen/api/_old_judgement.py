"""Judgements of the engine that goes, and what turns one into a review.

This module is deleted whole when `judge` calls the engine of `reportgen.checking`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportgen.api.at_rest import at_rest
from reportgen.api.submissions import Submission
from reportgen.errors import EvidenceError
from reportgen.records.claim import Claim
from reportgen.records.finding import Expected, Finding, Judgement
from reportgen.records.manuscript import Manuscript
from reportgen.records.verdict import Context, Number, Review, Trace, Verdict

if TYPE_CHECKING:
    from reportgen.records.facts import Facts
    from reportgen.records.finding import Case

_RULES = {
    **dict.fromkeys(("hyperparameter", "lora_meaning"), "setting"),
    **dict.fromkeys(("lora_config",), "adapter"),
    **dict.fromkeys(
        ("counted", "inventory", "parameter_count", "shape", "share", "steps"), "count"
    ),
    **dict.fromkeys(("arithmetic", "ingredients"), "arithmetic"),
    **dict.fromkeys(("copied", "spread", "substitution"), "column"),
    **dict.fromkeys(("ordering", "range", "superlative", "trend"), "statement"),
    "contradiction": "twice",
    "difference": "difference",
    "named": "named",
    "unchecked": "",
}


def judgement_of(submission: Submission, *, guarded: bool = False, address: str = "") -> Judgement:
    """Return what the engine that goes says of a report; arguments are those of `judge`."""
    from reportgen.api.own_evidence import gather_for
    from reportgen.api.reading_twice import read_and_checked
    from reportgen.read.documents._guarded import read_guarded
    from reportgen.read.documents._read import format_of, read_manuscript

    if submission.report is None:
        raise EvidenceError(submission.fault, remedy="hand in a report")
    native = guarded and format_of(submission.report) == "pdf"
    manuscript = (read_guarded if native else read_manuscript)(submission.report)
    gathered, left_out = gather_for(submission, address)
    with at_rest():
        read = read_and_checked(manuscript, gathered)
    evidence_problems = gathered.facts.problems if gathered.facts else ()
    return Judgement(
        manuscript=read.case.manuscript,
        findings=read.findings,
        claims=read.case.claims,
        numbers=read.numbers,
        evidence=gathered.files,
        problems=(
            *manuscript.problems,
            *read.unnamed,
            *left_out,
            *read.problems,
            *evidence_problems,
        ),
        assumed=tuple(_assumed(read.case, gathered.facts)),
    )


def _assumed(case: Case, facts: Facts | None) -> Iterator[tuple[str, str, str]]:
    """Yield what was solved and not stated: groups, seeds and epochs that the report means."""
    if case.facts is not None and case.facts is not facts:
        steps = str(case.facts.study.steps_per_epoch)
        yield "steps an epoch", steps, "the runs were evaluated once for each epoch of the report"
    for label, group in sorted(case.groups.items()):
        if label != group:
            yield f"group {label!r}", group, "by its words"
    for group, seeds in sorted(case.seeds.items()):
        if any(written != logged for written, logged in seeds.items()):
            pairs = ", ".join(f"{written} is {logged}" for written, logged in sorted(seeds.items()))
            yield f"seeds of {group}", pairs, "the values fit no other numbering"


def review_of(judgement: Judgement) -> Review:
    """Return a judgement as a review: a verdict a claim, its loudest finding."""
    loudest: dict[str, Finding] = {}
    for finding in judgement.findings:
        known = loudest.setdefault(finding.claim.id, finding)
        if _LEVELS.index(finding.level) < _LEVELS.index(known.level):
            loudest[finding.claim.id] = finding
    return Review(
        manuscript=judgement.manuscript,
        verdicts=tuple(
            _verdict(finding, judgement.manuscript, index)
            for index, finding in enumerate(loudest.values(), 1)
        ),
        evidence=judgement.evidence,
        problems=judgement.problems,
        assumed=judgement.assumed,
        fault=judgement.fault,
    )


_LEVELS = ("error", "warning", "note", "none")


def _verdict(finding: Finding, manuscript: Manuscript, index: int) -> Verdict:
    claim, expected = finding.claim, finding.expected
    outcome = "untraced"
    if finding.level in {"error", "warning"} or finding.verdict == "disagrees":
        outcome = "contradicted"
    elif finding.verdict != "not checkable":
        outcome = "traced"
    is_loud = outcome == "contradicted"
    return Verdict(
        outcome=outcome,
        rule=_RULES.get(finding.rule, "series"),
        place=claim.place,
        number=_number(claim, manuscript, f"n{index}"),
        quote=claim.quote,
        level=finding.level if is_loud else "none",
        traces=tuple(_traces(expected)) if expected and outcome != "untraced" else (),
        expected=str(expected.value) if expected and is_loud else "",
        cause=finding.likely_cause,
        message=finding.message if is_loud else "",
        reason=finding.reason,
    )


def _number(claim: Claim, manuscript: Manuscript, name: str) -> Number | None:
    if claim.printed is None:
        return None
    block = manuscript.blocks[claim.block]
    in_cell = claim.row is not None and bool(block.rows)
    span = (claim.printed.start, claim.printed.end) if in_cell else (claim.start, claim.end)
    return Number(
        id=name,
        printed=claim.printed,
        place=claim.place,
        block=claim.block,
        type=block.type,
        start=span[0],
        end=span[1],
        context=Context(sentence=claim.quote),
        row=claim.row if in_cell else None,
        column=claim.column if in_cell else None,
    )


def _traces(expected: Expected) -> Iterator[Trace]:
    for one in expected.evidence:
        value = float(one.value) if isinstance(one.value, int | float) else None
        at = {"path": one.path, "tag": one.tag, "run": one.run}
        yield Trace(what=expected.definition, value=value, step=one.step, **at)
    if not expected.evidence:
        known = expected.value if isinstance(expected.value, int | float) else None
        yield Trace(what=expected.definition, value=known)
