"""Groups and seeds on a terminal: what is there, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.cli.console._lines import Heading, common_prefix, counted, fitted_table, plain

_ROWS = 24
_MISSING = "–"


def grid_of_runs(found: Mapping[str, Any], width: int | None) -> Iterator[str]:
    """Yield one row a group, one column a seed; in a cell the points and the last step.

    Where seeds are too many for the width, a row names them instead.
    """
    rows = found["grid"]["groups"]
    if not rows:
        return
    seeds = found["grid"]["seeds"]
    shared = common_prefix((run["id"] for run in found["runs"]), "/")
    below = f", all in {shared}" if shared else ""
    shown = rows if len(rows) <= _ROWS else rows[: _ROWS - 4]
    names = [_name(row, found) for row in shown]
    cut = common_prefix(names, "/_-. ") if len(names) > 3 else ""
    cut = cut if len(cut) > 7 else ""
    names = [f"…{name[len(cut) :]}" if cut else name for name in names]
    head, table = _matrix(shown, names, seeds)
    told = " (points to last step)"
    wide = max(sum(len(plain(c)) for c in row) + 2 * len(row) for row in table)
    if seeds and width is not None and wide > width and len(seeds) > 1:
        (head, table), told = _list(shown, names), ""
    yield Heading(f"runs{below}{told}")
    yield from fitted_table(head, table, "l" + "r" * (len(head) - 1), width)
    if cut:
        yield f"… stands for {cut}"
    if len(rows) > len(shown):
        rest = rows[len(shown) :]
        runs = sum(len(_runs(row)) for row in rest)
        yield f"and {counted(len(rest), 'group')} of {counted(runs, 'run')} more; --all lists them"
    if any(cell["state"] == "missing" for row in rows for cell in row["cells"]):
        yield f"{_MISSING} is missing: the study names this seed"


def _name(row: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    layouts = {run["layout"] for run in found["runs"]}
    name = str(row["group"])
    return f"{name} [{row['layout']}]" if len(layouts) > 1 and row["layout"] else name


def _runs(row: Mapping[str, Any]) -> list[str]:
    cells = [*row["cells"], row["without_seed"]]
    return [run for cell in cells for run in cell["runs"]]


def _matrix(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], seeds: Sequence[int]
) -> tuple[list[str], list[list[str]]]:
    head = ["group", *(f"seed {seed}" for seed in seeds)]
    head.append("no seed" if seeds else "runs")
    table = []
    for row, name in zip(rows, names, strict=True):
        cells = {cell["seed"]: cell for cell in row["cells"]}
        texts = [_cell(cells[seed]) if seed in cells else "" for seed in seeds]
        table.append([name, *texts, _cell(row["without_seed"], always=not seeds)])
    return head, table


def _cell(cell: Mapping[str, Any], *, always: bool = False) -> str:
    """Write a cell: `124 to 1,125` is 124 points, the last at step 1,125."""
    if cell.get("state") == "missing":
        return _MISSING
    if not cell["runs"]:
        return ""
    low, high = cell["points"]
    points = f"{low:,}" if low == high else f"{low:,}–{high:,}"
    count = f"{len(cell['runs'])} runs: " if len(cell["runs"]) > 1 else "1 run: " if always else ""
    last = "" if cell["last_step"] is None else f" to {cell['last_step']:,}"
    return f"{count}{points}{last}"


def _list(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> tuple[list[str], list[list[str]]]:
    """Return a narrow table: the seeds of a group in one cell."""
    table = []
    for row, name in zip(rows, names, strict=True):
        there = [cell for cell in row["cells"] if cell["runs"]]
        gone = [str(cell["seed"]) for cell in row["cells"] if not cell["runs"]]
        seeds = " ".join(str(cell["seed"]) for cell in there)
        cells = [*there, row["without_seed"]]
        points = [n for cell in cells for n in cell["points"] if cell["runs"]]
        last = [cell["last_step"] for cell in cells if cell["last_step"] is not None]
        spread = f"{min(points):,}" if points else ""
        spread += f"–{max(points):,}" if points and max(points) > min(points) else ""
        top = f"{max(last):,}" if last else ""
        table.append([name, str(len(_runs(row))), seeds, " ".join(gone), spread, top])
    return ["group", "runs", "seeds", "missing", "points", "last step"], table


def run_lines(found: Mapping[str, Any], width: int | None) -> Iterator[str]:
    """Yield one row a run."""
    if not found["runs"]:
        return
    shared = common_prefix((run["id"] for run in found["runs"]), "/")
    rows = [
        [
            run["id"].removeprefix(shared),
            run["group"],
            "" if run["seed"] is None else str(run["seed"]),
            run["layout"],
            str(len(run["tags"])),
            f"{run['points']:,}",
            "" if run["last_step"] is None else f"{run['last_step']:,}",
        ]
        for run in found["runs"]
    ]
    yield Heading(f"runs{f', all in {shared}' if shared else ''}")
    head = ("run", "group", "seed", "layout", "tags", "points", "last step")
    yield from fitted_table(head, rows, "llrlrrr", width)
