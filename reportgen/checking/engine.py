"""One report held against its evidence: from numbers with their context to verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.checking.catalogue import Catalogue, make_catalogue
from reportgen.checking.context import Claiming, numbers_of
from reportgen.checking.sentences import sentence_verdicts
from reportgen.checking.stored import catalogue_of_stored
from reportgen.checking.tables import table_verdicts
from reportgen.checking.words import Words, words_of
from reportgen.records.manuscript import Manuscript
from reportgen.records.verdict import Evidence, Review, Verdict

__all__ = ["review"]


def review(
    manuscript: Manuscript, evidence: Evidence, catalogue: Catalogue | None = None
) -> Review:
    """Return a verdict on each number of a report.

    Args:
        manuscript: The report.
        evidence: What it is held against.
        catalogue: Made of the evidence before, where reports share it.
    """
    numbers = numbers_of(manuscript)
    catalogue = catalogue or make_catalogue(evidence)
    said = _said(manuscript)
    found: dict[str, Verdict] = {}
    for one in (catalogue, catalogue_of_stored(evidence.stored)):
        if one is None:
            continue
        for judged in (table_verdicts(numbers, one, said), sentence_verdicts(numbers, one)):
            for name, verdict in judged.items():
                if name not in found or verdict.outcome == "traced":
                    found[name] = verdict
    remark = ""
    if _of_others(found.values()):
        remark = _OF_OTHERS
        found = {name: one for name, one in found.items() if one.outcome != "contradicted"}
    return Review(
        manuscript=manuscript,
        verdicts=tuple(found.get(one.number.id) or _open(one) for one in numbers),
        evidence=evidence.files,
        remark=remark,
    )


_OF_OTHERS = "hardly a number of this report stands in the evidence: it seems to be of other runs"
_LEAST_TRACED = 1.5


def _of_others(verdicts: Iterable[Verdict]) -> bool:
    """Say whether so little of a report stands in the evidence that it is another one's."""
    told = [one for one in verdicts if one.rule in {"series", "sentence"}]
    wrong = sum(one.outcome == "contradicted" for one in told)
    return wrong > 0 and len(told) - wrong < _LEAST_TRACED * wrong


def _said(manuscript: Manuscript) -> Words:
    """Return which definition of a standard deviation a report says that it uses."""
    texts = (block.text for block in manuscript.blocks if block.type != "table")
    definitions = frozenset[str]().union(*(words_of(text[:2000]).definitions for text in texts))
    return Words(definitions=definitions if len(definitions) == 1 else frozenset())


def _open(one: Claiming) -> Verdict:
    """Return the verdict on a number that nothing in the evidence was found for."""
    if one.reason:
        return Verdict(
            outcome="no_claim",
            rule="",
            place=one.number.place,
            number=one.number,
            reason=one.reason,
        )
    return Verdict(
        outcome="untraced",
        rule="",
        place=one.number.place,
        number=one.number,
        quote=one.number.context.sentence[:200],
        reason="it stands nowhere in the evidence under its words",
    )
