"""A spread without its definition: which standard deviation, over how many runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reportgen.checking.numbers._gated import gated
from reportgen.checks._aggregates import drawn_of, logged_samples
from reportgen.checks._ladder import compare, sentence
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._printed_runs import Shown, shown
from reportgen.checks._statistics import STD
from reportgen.checks._subjects import counts_from_zero, subject_of
from reportgen.checks._weigh import units_of
from reportgen.claims._labels import group_key
from reportgen.records.finding import Case, Finding

RULE = "definition"
_DDOF = gated(
    r"\bddof\b|population (?:standard dev|std|s\.?d\.?\b)|sample (?:standard dev|std|s\.?d\.?\b)"
    r"|bessel|unbiased|\(?\bn ?[-−–] ?1\b|corrected (?:standard|sample)|pstdev|standard error"
    r"|[ée]carts?[-\s]types?\s\(?(?:corrig|empirique|non biais|(?:de (?:la )?)?population"
    r"|d.{1,4}[ée]chantillon)|\b(?:std|deviation|sd)\s\((?:sample|population)\)"
    r"|erreur[- ]type|confidence interval|intervalle de confiance",
    re.IGNORECASE,
)  # fmt: skip
_RUNS = gated(
    r"\b(?:over|across|of|from|with|for|sur|de|avec|pour)\s(?:(?:the|our|these|all|les|nos|ces)\s){0,2}"
    r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|deux|trois|quatre|cinq|six|sept|huit"
    r"|neuf|dix)\s(?:(?:random|different|independent|separate|diff[ée]rentes|al[ée]atoires)\s){0,2}"
    r"(?:seeds?|runs?|trials?|repetitions?|repeats?|folds?|initiali[sz]ations?|graines?|essais?"
    r"|ex[ée]cutions?|r[ée]p[ée]titions?|entra[iî]nements?)\b"
    r"|\bn\s?=\s?\d",
    re.IGNORECASE,
)  # fmt: skip


def check(case: Case) -> Iterator[Finding]:
    """Note each standard deviation that the report defines nowhere."""
    spreads = [s for s in shown(case, "aggregate_std") if s.meaning.aggregate == STD]
    if not spreads:
        return
    text = "\n".join(block.text for block in case.manuscript.blocks)
    ddof_said, runs_said = bool(_DDOF.search(text)), bool(_RUNS.search(text))
    book = logbook_of(case)
    asked = [s for s in _telling(spreads) if not s.meaning.against]
    unsaid = [s for s in asked if s.meaning.ddof is None and not ddof_said]
    for spread in asked:
        open_ddof = spread in unsaid
        open_n = not spread.meaning.n and not runs_said
        if not (open_ddof or open_n):
            continue
        fits = "" if book is None else _fit_of_logs(case, book, spread)
        yield _note(spread, open_ddof=open_ddof, open_n=open_n, fits=fits)


def _telling(spreads: Sequence[Shown]) -> Iterator[Shown]:
    """Yield the first and the last spread of a group in a block: where it begins, its result.

    The same remark on every row between them would be noise.
    """
    series: dict[tuple[int, str, frozenset[str]], list[Shown]] = {}
    for spread in spreads:
        meaning = spread.meaning
        key = (spread.claim.block, meaning.split, group_key(meaning.group))
        series.setdefault(key, []).append(spread)
    kept = {s.claim.id for found in series.values() for s in (found[0], found[-1])}
    yield from (spread for spread in spreads if spread.claim.id in kept)


def _note(spread: Shown, *, open_ddof: bool, open_n: bool, fits: str) -> Finding:
    parts = []
    if open_ddof:
        parts.append("which standard deviation it is")
    if open_n:
        parts.append("over how many runs it was taken")
    unsaid = f"it is not said {', nor '.join(parts)}"
    told = f"{unsaid}; {fits}" if fits and open_ddof else unsaid
    return Finding(
        rule=RULE,
        level="note",
        verdict="not checkable",
        claim=spread.claim,
        message=sentence(spread.claim, told),
        reason=unsaid,
    )


_NAMES = {
    "population": "population standard deviation (ddof 0)",
    "sample": "sample standard deviation (ddof 1)",
}


def _fit_of_logs(case: Case, book: Logbook, spread: Shown) -> str:
    """Say which of the two the logs give, where it is one only."""
    subject = subject_of(book, spread.meaning, one_run=False)
    if subject.reason:
        return ""
    found = set()
    for sample in logged_samples(book, subject, spread.meaning, zero=counts_from_zero(case)):
        for unit in units_of(spread.claim, sample.points[0].unit):
            for drawn in drawn_of(sample.values(unit)):
                hit = compare(spread.printed, drawn.value).startswith("agrees")
                if drawn.aggregate == STD and hit:
                    found.add(drawn.words.partition(" ")[0])
    if len(found) != 1:
        return ""
    return f"the logs give it as the {_NAMES[found.pop()]}"
