"""Results as lines for a terminal; `cli` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reportgen.api import RerunOutcome
    from reportgen.records.job import Cost, GridPlan

_NO_CELLS = "the grid has no cells: no logs were found, and no group has seeds"


def plain(text: str) -> str:
    r"""Return a text with its control characters spelled out.

    Names come from strangers' folders; printed raw they could recolour or rewrite a terminal.

    Example:
        >>> plain("a\x1b[31mb"), plain("é 日")
        ('a\\x1b[31mb', 'é 日')
    """
    return "".join(c if c.isprintable() or c == " " else repr(c)[1:-1] for c in text)


def inspection_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what `inspect` found, as a small table and its totals."""
    yield f"{found['path']}: {found['kind']}"
    if found["kind"] == "logs":
        yield from _log_lines(found)
    elif found["kind"] == "settings":
        yield from (f"{key} = {value}" for key, value in found["settings"].items())
    else:
        yield from _count_lines(found)
    for problem in found["problems"]:
        place = f" at byte {problem['offset']}" if problem.get("offset") is not None else ""
        yield f"{problem['level']}: {problem['path']}{place}: {problem['message']}"
        if problem.get("remedy"):
            yield f"  remedy: {problem['remedy']}"


def _log_lines(found: Mapping[str, Any]) -> Iterator[str]:
    rows = [
        (
            run["id"],
            run["group"],
            "–" if run["seed"] is None else str(run["seed"]),
            run["layout"],
            str(len(run["tags"])),
            f"{run['points']:,}",
        )
        for run in found["runs"]
    ]
    yield from table_lines(("run", "group", "seed", "layout", "tags", "points"), rows, "lllrrr")
    tags = dict.fromkeys(tag for run in found["runs"] for tag in run["tags"])
    yield f"tags: {', '.join(tags)}" if tags else "no scalar tags"
    for decision in found["decisions"]:
        value = decision["value"] or "not set"
        yield f"inferred {decision['key']} = {value}  ({decision['reason']})"


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


def explanation_lines(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield where printed numbers come from, one paragraph a number."""
    for number in found:
        value = "missing" if number["value"] is None else repr(number["value"])
        yield f"{number['printed']}  {number['id']}  (value {value} {number['unit']})".rstrip()
        for key in ("method", "formula", "reason"):
            if number.get(key):
                yield f"  {key}: {number[key]}"
        for item in number["evidence"]:
            step = f" step {item['step']}" if item.get("step") is not None else ""
            tag = f" {item['tag']}" if item.get("tag") else ""
            logged = f" = {item['value']}" if item.get("value") is not None else ""
            yield f"  from {item['path']}:{tag}{step}{logged}"


def decision_lines(decisions: Sequence[tuple[str, str, str, Sequence[str]]]) -> Iterator[str]:
    """Yield what was inferred, with the reasons, aligned."""
    if not decisions:
        return
    yield "inferred (`reportgen init` writes it down; change it there):"
    width = max(len(key) for key, *_ in decisions)
    for key, value, reason, alternatives in decisions:
        yield f"  {key:<{width}} = {value or 'not set'}  ({reason})"
        if alternatives:
            yield f"  {'':<{width}}   also possible: {', '.join(alternatives)}"


def table_lines(
    head: Sequence[str], rows: Sequence[Sequence[str]], alignment: str
) -> Iterator[str]:
    """Yield a table in columns, `l` or `r` a column.

    Example:
        >>> list(table_lines(("run", "n"), [("a", "10")], "lr"))
        ['run   n', 'a    10']
    """
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = (
            f"{cell:>{width}}" if side == "r" else f"{cell:<{width}}"
            for cell, width, side in zip(row, widths, alignment, strict=True)
        )
        yield "  ".join(cells).rstrip()


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
    bases = dict.fromkeys(cell.cost.basis for cell in found.cells if cell.cost)
    for basis in bases:
        yield f"cost: {basis}"
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
        counted += "; no log tells what they cost (--probe measures it)"
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
