"""The arithmetic of a row of runs with their mean, of whatever metric it may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from reportgen.checks._printed_runs import Shown
from reportgen.claims._cells import parts_of
from reportgen.claims._grid import Entry, Row, read_grid
from reportgen.claims._whole import style_of
from reportgen.records.claim import LIKELY, Claim, Meaning
from reportgen.records.finding import Case

_FEWEST = 2
_STATED = {"mean": "mean", "std": "std"}
Cells = Mapping[int, list[Claim]]
"""The numbers of a row that no finder has bound, by column."""


def nameless_rows(case: Case) -> Iterator[tuple[Shown, tuple[Shown, ...]]]:
    """Yield each mean and deviation that names no metric, with the runs of its own row.

    Args:
        case: The report.
    """
    rows: dict[tuple[int, int], dict[int, list[Claim]]] = {}
    for claim in case.claims:
        if claim.kind == "number" and None not in (claim.table, claim.row, claim.column):
            key = claim.table or 0, claim.row or 0
            rows.setdefault(key, {}).setdefault(claim.column or 0, []).append(claim)
    style = style_of(case.manuscript)
    for table in dict.fromkeys(table for table, _ in rows):
        block = case.manuscript.blocks[table]
        for row in read_grid(block, block.caption, style).rows:
            cells = rows.get((table, row.index), {})
            runs = tuple(_runs(row, cells))
            if len(runs) >= _FEWEST and "seed" not in row.counted:
                for entry in row.entries:
                    parts = parts_of(entry.cell.text, style)
                    for about in _stated(entry, cells, [part.role for part in parts]):
                        yield about, runs


def _runs(row: Row, cells: Cells) -> Iterator[Shown]:
    """Yield the values under the heads of single runs, where each has one number."""
    for entry in row.entries:
        seeds = {head.one("seed") for head in entry.heads} - {""}
        claims = cells.get(entry.column, [])
        if len(seeds) == 1 and len(claims) == 1:
            yield _shown(claims[0], Meaning(seed=int(seeds.pop())))


def _stated(entry: Entry, cells: Cells, roles: list[str]) -> Iterator[Shown]:
    """Yield the mean of a cell, its deviation, or both."""
    said = {value for head in entry.heads[:1] for value in head.values("aggregate")}
    claims = cells.get(entry.column, [])
    if any(head.values("seed") for head in entry.heads) or len(claims) != len(roles):
        return
    if roles == ["value", "spread"] and said in ({"mean"}, {"mean", "std"}):
        named = ["mean", "std"] if "std" in said else ["mean"]
    elif roles == ["value"] and len(said) == 1:
        named = [_STATED[value] for value in said if value in _STATED]
    else:
        named = []
    for claim, aggregate in zip(claims, named, strict=False):
        yield _shown(claim, Meaning(aggregate=aggregate))


def _shown(claim: Claim, meaning: Meaning) -> Shown:
    if claim.printed is None:
        raise ValueError(f"a number in {claim.place} is not printed")
    sure = replace(claim, confidence=LIKELY, content=meaning)
    return Shown(claim=sure, meaning=meaning, printed=claim.printed)
