"""Settings and counts of parameters that a report states, held against the evidence."""

from __future__ import annotations

from reportgen.checking.context import Claiming
from reportgen.checking.kept import per_evidence
from reportgen.checking.settings._counts import Counts, check_formulas, totals_of
from reportgen.checking.settings._known import (
    Known,
    Lexicon,
    condensed,
    known_of,
    lexicon,
    sizes_of,
)
from reportgen.checking.settings._stated import Reader, lone_seed, refused
from reportgen.checking.settings._verdicts import Court
from reportgen.records.manuscript import Manuscript
from reportgen.records.verdict import Evidence, Verdict

__all__ = ["check_settings"]


def check_settings(
    numbers: tuple[Claiming, ...], manuscript: Manuscript, evidence: Evidence
) -> tuple[Verdict, ...]:
    """Return what the evidence says of the settings and parameter counts of a report.

    Args:
        numbers: Those of the report, of `reportgen.checking.context.numbers_of`.
        manuscript: The report.
        evidence: Runs, model, adapters and plain files, in any combination.

    Example:
        >>> from reportgen.checking.context import numbers_of
        >>> from reportgen.records.manuscript import Block, Line
        >>> from reportgen.records.verdict import Stored
        >>> text = "Batch size 8, weight decay 0.1, a learning rate of 1e-3."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        >>> had = {"batch_size": 8, "weight_decay": 0.1, "lr": 0.01}
        >>> stored = tuple(Stored(path="a.json", keys=(k,), value=v) for k, v in had.items())
        >>> for one in check_settings(numbers_of(report), report, Evidence(stored=stored)):
        ...     print(one.number.printed.text, one.outcome, one.expected)
        8 traced
        0.1 traced
        1e-3 contradicted 0.01
    """
    known, lexis = _read(evidence)
    reader = Reader(manuscript, numbers, lexis, lone_seed(numbers, known))
    stated = tuple(reader.stated())
    illegal = (*refused(stated), *reader.misspelt())
    told = {one.place for one in illegal}
    court = Court(stated, known, lexis)
    found = [one for one in court.verdicts() if one.place not in told]
    done = {one.number.id for one in found if one.number is not None}
    totals = totals_of(evidence.facts, known)
    named = {one.number.id for one in stated if one.number is not None and one.bound != "unit"}
    counts = Counts(manuscript, numbers, totals, known, lexis)
    of_counts = counts.verdicts(evidence.facts, court.owners_beside, named)
    found += [one for one in of_counts if one.number is None or one.number.id not in done]
    sizes = sizes_of(known)
    for block in manuscript.blocks if sizes else ():
        if block.type not in {"table", "heading", "reference"}:
            found += check_formulas(block, sizes, totals, lexis)
    return (*found, *illegal)


@per_evidence
def _read(evidence: Evidence) -> tuple[tuple[Known, ...], Lexicon]:
    """Return the settings of the evidence, and the words for settings with those of its keys."""
    lexis = lexicon()
    known = known_of(evidence, lexis)
    own = {condensed(one.tag.rsplit(".", 1)[-1]): one.key for one in known if not one.derived}
    return known, lexis.with_keys({name: key for name, key in own.items() if len(name) > 2})
