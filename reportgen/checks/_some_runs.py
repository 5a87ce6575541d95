"""Evidence of some of the runs alone: those of named seeds, those that ran to the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from reportgen.checking.numbers._gated import gated
from reportgen.checks._logged import Logbook
from reportgen.claims._clauses import sentences
from reportgen.claims._some_seeds import excluded, only
from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.run import Run

Keep: TypeAlias = Callable[[str, Run], bool]
"""Says of a group and a run whether the run counts."""
_HEADS = frozenset({"heading", "caption"})
_SPOKEN = frozenset({"paragraph", "item"})
_AVERAGED = gated(
    r"\b(?:mean|means|average|averages|averaged|averaging|std|deviations?|all\s(?:results|numbers|values)|report(?:ed)?|moyennes?"
    r"|moyenné\w*|tous\sles\srésultats|toutes\sles\svaleurs|écarts?)\b",
    re.IGNORECASE,
)


def without(facts: Facts, keep: Keep) -> Facts | None:
    """Return facts of those runs alone that count; None where that is all of them, or none.

    Args:
        facts: Of all runs.
        keep: Says which count.
    """
    groups = []
    for group in facts.groups:
        cells = tuple(c for c in group.cells if c.run is None or keep(group.name, c.run))
        if any(cell.run is not None for cell in cells):
            groups.append(replace(group, cells=cells))
    before, after = (sum(len(g.cells) for g in some) for some in (facts.groups, groups))
    return replace(facts, groups=tuple(groups)) if 0 < after < before else None


def reaches_the_end(book: Logbook, group: str, run: Run) -> bool:
    """Say whether a run was logged up to the last step of its group."""
    return _end_of(run) == max(map(_end_of, book.runs(group)), default=0)


def _end_of(run: Run) -> int:
    return max((int(s.steps[-1]) for s in run.scalars.values() if len(s.steps)), default=0)


def seeds_told(case: Case) -> Iterator[Keep]:
    """Yield the runs that a report says its results are of, or are not of, by their seeds.

    A heading or a caption says so by naming them, a sentence where it speaks of averages.

    Args:
        case: The report.
    """
    told = dict.fromkeys(
        named
        for text, head in _texts(case)
        for start, end in sentences(text)
        if (named := _told(text, start, end, head=head)) is not None
    )
    for seeds, gone in told:
        yield partial(_is_one_of, case, seeds, gone)


def _texts(case: Case) -> Iterator[tuple[str, bool]]:
    """Yield each text of a report, and whether it heads what is said below it or beside it."""
    for block in case.manuscript.blocks:
        if block.type in _HEADS | _SPOKEN:
            yield block.text, block.type in _HEADS
        if block.caption:
            yield block.caption, True


def _told(text: str, start: int, end: int, *, head: bool) -> tuple[tuple[int, ...], bool] | None:
    """Return the seeds that a sentence names, and whether as those that are left out."""
    gone = excluded(text, start, end)
    if gone is not None:
        return gone.seeds, True
    seeds = only(text, start, end)
    return (seeds, False) if seeds and (head or _AVERAGED.search(text, start, end)) else None


def _is_one_of(case: Case, seeds: tuple[int, ...], gone: bool, group: str, run: Run) -> bool:
    numbering = case.seeds.get(group, {})
    written = next((told for told, seed in numbering.items() if seed == run.seed), run.seed)
    return (written in seeds) != gone
