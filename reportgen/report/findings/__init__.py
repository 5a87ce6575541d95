"""Ranked findings: what a report says of its facts, the most important first.

A candidate is a predicate that yields a claim, sentences that show it, and its size and noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reportgen.records.document import Text
from reportgen.records.facts import Facts
from reportgen.records.record import record, replace
from reportgen.report.findings import _course, _pair, _settings, _training
from reportgen.report.findings._scene import (
    CONCLUSION,
    WEIGHTS,
    Draft,
    Finding,
    Scene,
    scene_of,
)

__all__ = [
    "CANDIDATES", "CONCLUSION", "MOST", "Finding", "find_all", "rank_findings", "reserve_lead",
]  # fmt: skip


# The candidates in one table, and their order.

MOST = 8
"""Findings that are said."""
LEAST = 1.0
"""Score below which a finding is not worth its line."""
MOST_SENTENCES = 3
SCALE = 10.0


@record(kw_only=False)
class Candidate:
    """Something that may be worth saying.

    Attributes:
        name: Its own, and the id of a finding that has its head.
        subject: What it is about; one finding a subject is said.
        find: Yields what it says where its predicate holds.
        surprise: From 0, what everybody expects, to 1, what nobody does.
        told: What a table or a figure says of it already, in points of the score.
    """

    name: str
    subject: str
    find: Callable[[Scene], Iterator[Draft]]
    surprise: float
    told: float = 0.0


CANDIDATES = (
    Candidate("difference", "difference", _pair.difference, 1.0),
    Candidate("saturation", "saturation", _course.saturation, 1.0),
    Candidate("at_chance", "chance", _course.at_chance, 1.0),
    Candidate("dead", "dead", _training.dead, 1.0),
    Candidate("diverged", "dead", _training.diverged, 1.0),
    Candidate("best_of", "sweep", _settings.best_of, 1.0),
    Candidate("factor", "factor", _settings.factor, 1.0),
    Candidate("trend", "factor", _settings.trend, 0.9),
    Candidate("lengths", "lengths", _training.lengths, 0.8),
    Candidate("gap", "end", _pair.gap, 0.9, 0.5),
    Candidate("rising", "end", _course.rising, 0.8),
    Candidate("crossing", "speed", _pair.crossing, 0.8, 0.5),
    Candidate("leaving_chance", "speed", _course.leaving_chance, 0.5, 0.5),
    Candidate("schedule", "schedule", _training.schedule, 0.75),
    Candidate("overfitting", "overfitting", _course.overfitting, 0.7),
    Candidate("test_error", "precision", _pair.test_error, 0.7),
    Candidate("disagreement", "validation", _pair.disagreement, 0.7),
    Candidate("one_example", "validation", _pair.one_example, 0.6),
    Candidate("choice", "selection", _pair.choice, 0.8, 0.5),
    Candidate("time", "time", _training.time, 0.6),
    Candidate("absent", "absent", _settings.absent, 0.8, 0.5),
)


def rank_findings(facts: Facts) -> tuple[Finding, ...]:
    """Return what is worth saying of some facts, the most important first, eight at most.

    Nothing is ranked or subtracted that may not be compared. Candidates of one subject are one
    finding, with the head of that which scores highest.
    """
    found: dict[str, list[Finding]] = {}
    for finding in find_all(facts):
        found.setdefault(finding.subject, []).append(finding)
    merged = [_merged(members) for members in found.values()]
    told = [finding for finding in merged if finding.score >= LEAST]
    return tuple(sorted(told, key=lambda finding: -finding.score)[:MOST])


def reserve_lead(facts: Facts) -> Text:
    """Return what the abstract says beside the best: most never learn, or it is hardly ahead."""
    scene = scene_of(facts)
    failed = [draft.head for draft in _training.dead(scene) if draft.about == CONCLUSION]
    return failed[0] if failed else _settings.unclear_lead(scene)


def find_all(facts: Facts) -> Iterator[Finding]:
    """Yield what every candidate says of some facts, in the order of the table."""
    scene = scene_of(facts)
    for candidate in CANDIDATES:
        for draft in candidate.find(scene):
            yield _finding(candidate, draft)


def _finding(candidate: Candidate, draft: Draft) -> Finding:
    """Return a finding; it scores by effect over effect and noise, weight and surprise."""
    both = draft.effect + draft.noise
    strength = draft.effect / both if both > 0 else 0.0
    scale = SCALE * WEIGHTS[draft.about] * candidate.surprise
    return Finding(
        id=candidate.name,
        subject=candidate.subject,
        kind=draft.kind or (CONCLUSION if draft.about == CONCLUSION else "caveat"),
        score=max(0.0, scale * strength - candidate.told),
        head=draft.head,
        sentences=tuple(filter(None, draft.sentences)),
        rows=draft.rows,
    )


def _merged(members: list[Finding]) -> Finding:
    """Return one finding of several on one subject: the head of the first, sentences of all."""
    first, *others = sorted(members, key=lambda finding: -finding.score)
    more = (sentence for other in others for sentence in other.sentences)
    rows = tuple(row for member in members for row in member.rows)
    return replace(first, sentences=(*first.sentences, *more)[:MOST_SENTENCES], rows=rows)
