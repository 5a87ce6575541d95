"""Results as lines for a terminal; `cli` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from reportgen.cli.console._lines import (
    Alert,
    Heading,
    plain,
    round_lines,
    several,
    table_lines,
    warning_lines,
)
from reportgen.cli.console._logs import decision_lines, log_lines, problem_lines
from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.app import RerunOutcome
    from reportgen.cli.console._reports import chain_lines, change_lines
    from reportgen.cli.console._summary import summary_page
    from reportgen.records.job import Cost, GridPlan

# What one command alone prints.
__getattr__ = lazy_names(__name__)

_LISTED = 20
"""Entries of a list in an adapter's configuration that are printed."""

_NO_CELLS = "the grid has no cells: no run that was found tells its seed, and no group has seeds"


def inspection_lines(
    found: Mapping[str, Any], *, width: int | None = None, everything: bool = False
) -> Iterator[str]:
    """Yield what `inspect` found, as small tables and totals.

    Args:
        found: As in the JSON.
        width: Columns of the terminal; None neither wraps nor cuts.
        everything: Fold nothing together.
    """
    if found["kind"] == "logs":
        yield from log_lines(found, width=width, everything=everything)
        return
    yield f"{found['path']}: {found['kind']}"
    if found["kind"] == "settings":
        yield from (f"{key} = {value}" for key, value in found["settings"].items())
    else:
        if found["kind"] == "adapter":
            yield from _adapter_lines(found)
        yield from _count_lines(found)
    yield from problem_lines(found["problems"], width, everything=everything)


def _adapter_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the kind of an adapter and the keys that a reader knows, rank and scaling first."""
    from reportgen.parameters.adapters import KEYS_OF_KIND

    kind, settings = found["peft_type"], found["settings"]
    if kind:
        yield f"kind: {kind}"
    known = KEYS_OF_KIND.get(kind, {})
    for key in [key for key in known or settings if key in settings and key != "peft_type"]:
        value = settings[key]
        told = several(list(map(str, value)), _LISTED) if isinstance(value, list) else str(value)
        yield f"{key} = {told}"


def _count_lines(found: Mapping[str, Any]) -> Iterator[str]:
    rows = [(t["label"], t["formula"], f"{t['count']:,}") for t in found["terms"]]
    if rows:
        yield from table_lines(("term", "formula", "parameters"), rows, "llr")
    for name, count in found["scopes"].items():
        yield f"{name}: {count:,}"
    missing = found.get("missing", {})
    if found.get("total_parameters") is not None:
        yield f"total parameters: {found['total_parameters']:,}"
    elif "total_parameters" in missing:
        yield f"total parameters: unknown: {missing['total_parameters']}"
    if found.get("trainable_parameters") is not None:
        yield f"trainable parameters: {found['trainable_parameters']:,}"
    if found.get("stored_parameters") is not None:
        yield f"stored parameters: {found['stored_parameters']:,} in {found['stored_in']}"
    if "explanation" in found:
        yield found["explanation"]["text"]
    if found["kind"] == "adapter" and found.get("trainable_parameters") is None:
        reason = missing["trainable_parameters"]
        without = reason.startswith("no base model was given")
        why = "; name the base model with --base CONFIG" if without else f": {reason}"
        yield f"trainable parameters: unknown{why}"


def grid_lines(found: GridPlan) -> Iterator[str]:
    """Yield the cells of a grid with their states, reasons and prices."""
    rows = [
        (cell.group, str(cell.seed), cell.state + (" †" if cell.rerun else ""), _price(cell.cost))
        for cell in found.cells
    ]
    yield from table_lines(("group", "seed", "state", "cost"), rows, "lrlr")
    for cell in found.cells:
        if cell.state != "done":
            yield f"{cell.group}/{cell.seed}: {cell.reason}"
        for setting, then, now in cell.changed:
            yield f"  {setting}: was {then or 'not set'}, is {now or 'not set'}"
    bases = {(cell.cost.basis, cell.group): None for cell in found.cells if cell.cost}
    for basis in dict.fromkeys(basis for basis, _ in bases):
        groups = ", ".join(group for one, group in bases if one == basis)
        yield f"cost of {groups}: {basis}"
    yield from _totals(found)
    for problem in found.problems:
        yield f"{problem.level}: {problem.path}: {problem.message}"
        if problem.remedy:
            yield f"  remedy: {problem.remedy}"


def _price(cost: Cost | None) -> str:
    if cost is None or not cost.steps:
        return ""
    return f"{duration(cost.seconds)} ({duration(cost.low)} to {duration(cost.high)})"


def _totals(found: GridPlan) -> Iterator[str]:
    costs = [cell.cost for cell in found.cells if cell.cost and cell.cost.steps]
    open_cells = [cell for cell in found.cells if cell.state not in {"done", "running"}]
    if not open_cells:
        yield "every cell is done" if found.cells else _NO_CELLS
        return
    counted = f"{len(open_cells)} of {len(found.cells)} cells to train"
    if costs:
        total = sum(cost.seconds for cost in costs)
        where = f"{found.workers} at a time on {found.device}"
        hours = f", {total / 3600:.2g} GPU hours" if found.device == "cuda" else ""
        disk = f"{max(sum(cost.disk for cost in costs), 1) / 1e6:,.0f} MB of disk"
        counted += f": about {duration(found.wall_seconds())}, {where}{hours}, {disk}"
    else:
        counted += "; no log tells what they cost (`reportgen plan --probe` measures it)"
    yield counted


def rerun_lines(outcome: RerunOutcome, *, quiet: bool = False) -> Iterator[str]:
    """Yield what became of every fine-tune that was started."""
    if not outcome.started and not outcome.exit_code:
        yield from _idle_lines(outcome.plan)
    yield from outcome.drift
    for member, result in outcome.results:
        if quiet and not result.reason:
            continue
        reason = f": {result.reason}" if result.reason else f" at {member.place}"
        yield f"{member.group}, seed {member.seed}: {result.state}{reason}"
    if any(result.state == "withheld" for _, result in outcome.results):
        yield "nothing was published: look for what differs, or go on with --accept-drift"


def _idle_lines(found: GridPlan) -> Iterator[str]:
    """Yield why there is nothing to train."""
    if not found.cells:
        yield f"nothing to train: {_NO_CELLS}"
        return
    if all(cell.state == "done" for cell in found.cells):
        yield "nothing to train: every cell is done"
        return
    for cell in found.cells:
        if cell.state != "done":
            yield f"{cell.group}/{cell.seed}: {cell.state}: {cell.reason}"
    if any(cell.state == "stale" for cell in found.cells):
        yield "nothing to train: stale cells are trained again with --restart only"
    else:
        yield "nothing to train: the rest is being trained by another process"


def duration(seconds: float) -> str:
    """Return a time in words, to about two digits.

    Example:
        >>> duration(0.4), duration(75), duration(4000), duration(200000)
        ('1 s', '75 s', '1 h 7 min', '55 h 33 min')
    """
    whole = max(1, round(seconds))
    if whole < 120:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"
