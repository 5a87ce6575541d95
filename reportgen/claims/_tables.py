"""Values in tables, bound by their heads, labels and captions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reportgen.claims._binding import (
    GUESSED,
    HYPOTHETICAL,
    UNSAID,
    Binding,
    Settled,
    ddof_of,
    is_never_in_percent,
    is_possible,
    settle,
)
from reportgen.claims._brackets import bracketed
from reportgen.claims._cells import Part, parts_of
from reportgen.claims._table import Spot, Table
from reportgen.claims._table_words import (
    HEADED,
    bind_group,
    bind_spot,
    is_listed,
    is_measured,
    is_of_others,
    paired,
    spread_kind,
    unit_said,
)
from reportgen.claims._vocabulary import SPREADS
from reportgen.records.claim import Claim, Meaning


def labels_of(table: Table) -> tuple[str, ...]:
    """Return the labels of groups that a table of results uses."""
    contents = [claim.content for claim in claims_of(table)]
    return tuple(dict.fromkeys(c.group for c in contents if isinstance(c, Meaning) and c.group))


def claims_of(table: Table) -> Iterator[Claim]:
    """Yield what the cells of a table claim."""
    for spot in table.spots():
        if spot.role in {"step", "epoch"}:
            yield from _best_step(spot, spot.role)
        elif spot.role in {"", "seed"} and is_measured(spot):
            yield from _values(spot)


def _values(spot: Spot) -> Iterator[Claim]:
    """Yield the claims of one cell of values."""
    parts = parts_of(spot.entry.cell.text, spot.table.style)
    pair = paired(spot, parts)
    for place, written in enumerate(parts):
        if written.role == "spread" and spot.table.tells_multiples:
            continue
        binding = bind_spot(spot)
        part = written
        if pair:
            slot, values = pair
            binding.put(slot, values[place], HEADED)
            part = replace(written, role="value")
        if part.role == "bracket" and not _told(binding, part, spot, parts):
            continue
        _place(binding, part, spot, beside_spread=any(p.role == "spread" for p in parts))
        if is_listed(spot, parts) and binding.said("aggregate") == "mean" and not pair:
            binding.put("aggregate", "", GUESSED)
        metric, aggregate = binding.metric(), binding.said("aggregate")
        if not metric or not is_possible(part.number, metric, aggregate):
            continue
        if is_never_in_percent(metric) and any(h.unit == "percent" for h in spot.entry.heads):
            continue  # of a head in two lines only the second was read: `Accuracy,` over `%`
        if spot.table.context.narrow or is_of_others(spot):
            binding.caps.append(HYPOTHETICAL)
        whose = (
            parts[part.of] if part.of is not None and not (pair and pair[0] == "metric") else None
        )
        unit = _unit(spot, binding, part, whose)
        yield _claim(spot, part, settle(binding, part.number, unit))


def _unit(spot: Spot, binding: Binding, part: Part, whose: Part | None) -> str:
    """Return the unit of a number that does not print its own."""
    unit = unit_said(spot, binding.metric())
    if whose is not None and not part.number.unit:
        return whose.number.unit or unit or settle(binding, whose.number, "").meaning.unit
    if unit or binding.said("aggregate") not in {*SPREADS, "difference"}:
        return unit
    # A spread in a cell of its own is in the unit of its row's values.
    others = [e.cell.text for e in spot.row.entries if e is not spot.entry]
    beside = [p.number for text in others for p in parts_of(text, spot.table.style)]
    largest = max(beside, key=lambda number: abs(number.value), default=None)
    return settle(binding, largest, "").meaning.unit if largest is not None else ""


def _told(binding: Binding, part: Part, spot: Spot, parts: tuple[Part, ...]) -> bool:
    """Say what a number in brackets is; return whether that can be told."""
    if part.of is None or binding.said("aggregate") not in {"", "mean"}:
        return True
    slots = bracketed(spot, parts[part.of], part, binding.metric())
    for slot, value in (slots or {}).items():
        binding.put(slot, value, GUESSED if value in SPREADS else UNSAID)
    return slots is not None


def _place(binding: Binding, part: Part, spot: Spot, *, beside_spread: bool) -> None:
    """Say what a part of a cell is: the value, its spread, an end of an interval."""
    aggregate, seeded = binding.said("aggregate"), "seed" in binding.values
    if part.role == "spread":
        _place_spread(binding, spot)
    elif part.role in {"low", "high"}:
        if aggregate not in SPREADS and part.of is None:
            binding.caps.append(GUESSED)
        binding.put("aggregate", "interval", HEADED)
    elif beside_spread and aggregate in {"", "mean", *SPREADS}:
        if seeded and not aggregate:
            binding.caps.append(UNSAID)
        elif aggregate in SPREADS and "±" not in _over(spot):
            # Under `Std return` a mean of the spreads of runs stands with its own.
            binding.caps.append(GUESSED)
        else:
            binding.put("aggregate", "mean", HEADED)
    elif aggregate == "std":
        binding.take_number("ddof", ddof_of(spot.table.block.caption))


def _over(spot: Spot) -> str:
    """Return the words over and before a cell."""
    return " ".join(head.text for head in spot.sources())


def _place_spread(binding: Binding, spot: Spot) -> None:
    """Say what the number behind `±` is."""
    kind, sure = spread_kind(spot)
    if binding.said("aggregate") == "difference":
        # Beside a difference stands its interval, unless somebody says otherwise.
        kind, sure = ("interval" if sure < HEADED else kind), UNSAID
    binding.put("aggregate", kind, sure)
    if "seed" in binding.values:
        binding.caps.append(GUESSED)
    if kind == "std":
        binding.take_number("ddof", ddof_of(spot.table.block.caption))


def _best_step(spot: Spot, role: str) -> Iterator[Claim]:
    """Yield the best step (or epoch) that a cell states."""
    table = spot.table
    parts = parts_of(spot.entry.cell.text, table.style)
    with_spread = len(parts) == 2 and parts[1].role == "spread"
    if not table.best_steps or not (len(parts) == 1 or with_spread):
        return
    number = parts[0].number
    binding = Binding(base=HEADED)
    if with_spread or spot.says("aggregate", "mean"):
        binding.take("aggregate", "mean", HEADED)
    for head in spot.sources():
        binding.take_from(head, ("seed", "metric"), HEADED)
    if "seed" in spot.row.counted:
        binding.take("seed", f"{spot.row.counted['seed'].normalize():f}", HEADED)
    bind_group(binding, spot)
    binding.take("metric", table.only("metric"), 0.95)
    for head, sure in table.context.layers():
        binding.take_from(head, ("metric",), sure)
    if not binding.metric():
        return
    shown = {value for head in table.heads for value in head.values("split")}
    if "validation" in shown or "validation" in table.block.caption.lower():
        binding.take("split", "validation", 0.95)
    binding.take("selection", "best", table.best_steps)
    binding.take(role, f"{number.value.normalize():f}", HEADED)
    settled = settle(binding, number, "")
    meaning = replace(settled.meaning, unit="")
    yield _claim(spot, parts[0], replace(settled, kind="best_step", meaning=meaning))


def _claim(spot: Spot, part: Part, settled: Settled) -> Claim:
    """Return the claim of one number of a cell."""
    table, row, cell, number = spot.table, spot.row, spot.entry.cell, part.number
    start = table.starts.get(id(cell.line), 0) + cell.start + number.start
    hints = {
        "where": f"{table.context.where}, row {row.number}",
        "row": ", ".join([*(head.text for head in row.labels), *row.settings]),
        "column": " / ".join(head.text for head in reversed(spot.entry.heads)),
        "caption": table.block.caption,
        "without": settled.unsaid,
        "end": part.role if part.role in {"low", "high"} else "",
        "condition": table.context.narrow,
        "tail": settled.tail,
    }
    return Claim(
        kind=settled.kind,
        quote=" | ".join(c.text for c in table.block.rows[row.index] if c.span)[:200],
        place=cell.place(number.start, number.end),
        block=table.index,
        start=start,
        end=start + number.end - number.start,
        printed=number,
        content=settled.meaning,
        confidence=settled.confidence,
        table=table.index,
        row=row.index,
        column=spot.entry.column,
        hints={key: value for key, value in hints.items() if value},
    )
