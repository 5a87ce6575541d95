"""What heads, labels, captions and the text around say of one cell of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.claims._binding import GUESSED, UNSAID, Binding, is_ratio
from reportgen.claims._cells import Part, parts_of
from reportgen.claims._context import Context
from reportgen.claims._heads import Head
from reportgen.claims._labels import group_mentions, is_known_group
from reportgen.claims._table import Spot, Table
from reportgen.claims._vocabulary import SPREADS

HEADED, GROUPED = 0.97, 0.92
"""How sure a slot is that a head says, or a label that names a group only by where it stands."""
_SLOTS = (
    *("metric", "average", "generic", "split", "aggregate", "selection"),
    *("seed", "epoch", "step", "n", "tail"),
)
_SHARED = ("metric", "generic", "split", "n")
_PAIRED_SLOTS = ("aggregate", "split", "metric", "selection")
_QUANTITY = gated(
    r"\s*(?:quantit(?:y|é)|statistic|statistique|property|item|grandeur|parameter|paramètre"
    r"|hyper-?param(?:eter|ètre)|key|clé)s?\s*",
    re.IGNORECASE,
)
_STUDY_KEY = re.compile(r"(?:groups|runs|metric|splits|statistics|comparison)\.")
"""Of a table of what no study file said: `groups.BERT.seeds` is no group."""
_OURS = gated(
    r"\s*(?:ours|our\s(?:runs?|results?|reproduction)|reproduced|reproduction|nous|nos\s\w+)\s*",
    re.IGNORECASE,
)
_OF_OTHERS = gated(
    r"\s*(?:reported|published|literature|(?:the\s)?(?:original\s)?paper|rapportée?s?|publiée?s?"
    r"|littérature|(?:l['’])?article)\s*",
    re.IGNORECASE,
)
_TWO = 2
_AND = re.compile(r"[\s%\\~]*(?:and|et|&)[\s~]*")
_MINUS = re.compile(r"\s(?:minus|moins|[−–])\s")


def bind_spot(spot: Spot) -> Binding:
    """Gather all that is said of a cell."""
    table, context = spot.table, spot.table.context
    binding = Binding(base=HEADED)
    for slot, number in spot.row.counted.items():
        binding.take(slot, f"{number.normalize():f}", HEADED)
    _take_heads(binding, spot)
    measured = [head.one("metric") for head in spot.row.labels if head.one("metric")]
    if measured and binding.said("metric") not in measured:
        # A row of one metric under the head of another, as `accuracy` under `f1-score`.
        binding.put("metric", measured[0], GUESSED)
    if table.grid.roles[0]:
        binding.take_from(table.grid.corner, _SHARED, 0.95)
    if not binding.said("metric"):
        binding.values.pop("metric", None)
        binding.take("metric", context.title.one("metric"), 0.95)
        binding.take("metric", _common_metric(spot), 0.95)
    bind_group(binding, spot)
    _bind_choice(binding, spot)
    for head, sure in context.layers():
        binding.take("metric", _metric_left(spot, head), min(sure, 0.9))
        binding.take_from(head, _SHARED, sure)
        if not {"step", "epoch", "selection"} & set(binding.values):
            binding.take_from(head, ("step", "epoch"), sure)
        if "seed" not in binding.values:
            _take_mean(binding, head, sure)
        if "aggregate" not in binding.values:
            binding.take_from(head, ("seed",), min(sure, 0.9))
    if not binding.said("split"):
        binding.take("split", _neighbour_split(table, binding), 0.85)
        if "split" not in binding.values:
            binding.take("split", *context.split)
    binding.take_from(context.caption, ("n",), 0.95)
    if "seed" not in binding.values:
        binding.take("n", _seeds_beside(spot), 0.9)
        _take_mean_of_runs(binding, spot)
    return binding


def _common_metric(spot: Spot) -> str:
    """Return the metric that all heads agree on.

    A split beside a metric that says none is no split of that one: `Valid | Test | F1`.
    """
    return "" if _stands_apart(spot) else spot.table.only("metric")


def _stands_apart(spot: Spot) -> bool:
    """Say whether a split heads the column alone, and another column a metric alone."""
    own = spot.entry.heads
    if not own or any(head.values("metric") for head in own) or not own[0].values("split"):
        return False
    return any(h.values("metric") and not h.values("split") for h in spot.table.lowest)


def _metric_left(spot: Spot, head: Head) -> str:
    """Return the one of the metrics of a caption that no column is headed by."""
    said = head.values("metric")
    if len(said) < 2 or not _stands_apart(spot):
        return ""
    headed = {value for lowest in spot.table.lowest for value in lowest.values("metric")}
    left = [metric for metric in said if metric not in headed]
    return left[0] if len(left) == 1 else ""


def _take_mean_of_runs(binding: Binding, spot: Spot) -> None:
    """Take a value for a mean that stands beside how many runs it is of."""
    if spot.row.counted.get("n", 0) < _TWO or binding.said("selection") == "oracle":
        return
    told = [head for head, _ in spot.table.context.layers()]
    others = {m.value for head in told for m in head.mentions if m.slot in {"aggregate", "extreme"}}
    if others <= {"mean", *SPREADS}:
        binding.take("aggregate", "mean", UNSAID)


def _seeds_beside(spot: Spot) -> str:
    """Return how many seeds have a value in the cell's row: what a mean beside them is over."""
    seeds = {
        head.one("seed")
        for entry in spot.row.entries
        for head in entry.heads
        if any(character.isdigit() for character in entry.cell.text)
    } - {""}
    return str(len(seeds)) if len(seeds) > 1 else ""


def _take_heads(binding: Binding, spot: Spot) -> None:
    """Take what stands over and before a cell; a difference of means is a difference."""
    for head in spot.sources():
        _take_head(binding, head)
    subtracted = any(head.values("aggregate") == ("difference",) for head in spot.row.labels)
    if subtracted and binding.said("aggregate") == "mean":
        binding.put("aggregate", "difference", HEADED)


def _take_head(binding: Binding, head: Head) -> None:
    """Take what one head says; a mean with its spread is a mean."""
    means = head.values("aggregate")
    if "mean" in means and len(means) == 2 and set(means) & SPREADS:
        binding.take("aggregate", "mean", HEADED)
    binding.take_from(head, _SLOTS, HEADED)


def _take_mean(binding: Binding, head: Head, sure: float) -> None:
    """Take an aggregate from a caption: a mean, alone or with its spread."""
    values = set(head.values("aggregate")) - {"difference"}
    if "mean" in values and values - {"mean"} <= SPREADS:
        binding.take("aggregate", "mean", min(sure, 0.85 if len(values) == 1 else 0.75))


def bind_group(binding: Binding, spot: Spot) -> None:
    """Name the group: labels before the cell, then heads over it, then the text around."""
    row, context = spot.row, spot.table.context
    labels = [row.section.label, *(h.label for h in row.labels), *row.settings]
    if not any(labels):
        labels = [row.inherited]
    heads = [h.label for h in reversed(spot.entry.heads) if not (labels[1:] and _says_whose(h))]
    name = ", ".join(dict.fromkeys(part for part in (*labels, *heads) if part))
    if name:
        sure = HEADED if is_known_group(name, spot.table.known) else GROUPED
        binding.take("group", with_framework(name, context), sure)
    else:
        for head, sure in context.layers():
            values = head.values("group")
            if len(values) == 1:
                binding.take("group", with_framework(values[0], context), sure)
            if values:
                break
        binding.take("group", context.framework, 0.8)
    # The interval under a difference is that of the difference, where no group is named.
    below = not name and spot.says("aggregate", "interval") and subtracted_groups(spot.table)
    if below or spot.says("aggregate", "difference"):
        _bind_difference(binding, spot)


def with_framework(name: str, context: Context) -> str:
    """Return a label with the program of its section, where the report has several."""
    program = context.framework
    return f"{name} ({program})" if program and program.lower() not in name.lower() else name


def _bind_difference(binding: Binding, spot: Spot) -> None:
    """Say which group is subtracted from which."""
    table = spot.table
    stated = subtracted_groups(table)
    if stated:
        first, second, sure = *stated, HEADED
    else:
        titles = (h.label for h in table.lowest if h.label and not _says_whose(h))
        over = tuple(dict.fromkeys(titles))
        before = dict.fromkeys(h.label for r in table.grid.rows for h in r.labels if h.label)
        names = over if len(over) == 2 else () if _is_between_columns(spot) else tuple(before)
        if len(names) != 2:
            binding.values.pop("group", None)
            return
        first, second, sure = *names, UNSAID
    binding.values["group"], binding.sure["group"] = first, sure
    binding.take("against", second, sure)


def _is_between_columns(spot: Spot) -> bool:
    """Say whether a column of differences stands beside two of values, in rows that are groups.

    Under `reported | ours | Δ` each row is subtracted in itself, and no row from another.
    """
    headed = any("difference" in head.values("aggregate") for head in spot.entry.heads)
    named = any(head.label for head in spot.row.labels)
    others = [e for e in spot.row.entries if e is not spot.entry and not e.role]
    told = [e for e in others if not any(h.values("aggregate") for h in e.heads)]
    return headed and named and len(told) >= _TWO


def _says_whose(head: Head) -> bool:
    """Say whether a head only tells one's own results from those of others."""
    return bool(_OURS.fullmatch(head.text) or _OF_OTHERS.fullmatch(head.text))


def is_of_others(spot: Spot) -> bool:
    """Say whether a cell holds what others reported, beside a column of one's own."""
    lowest = spot.table.lowest
    own = any(_OURS.fullmatch(head.text) for head in lowest)
    return own and any(_OF_OTHERS.fullmatch(head.text) for head in spot.entry.heads)


def subtracted_groups(table: Table) -> tuple[str, str] | None:
    """Return the two groups of `first minus second` in the caption or the note behind it."""
    for text in (table.context.caption.text, table.context.note):
        for match in _MINUS.finditer(text):
            lead = group_mentions(text[: match.start()], table.known)
            tail = group_mentions(text[match.end() :], table.known)
            if lead and tail and match.start() - lead[-1].end <= 2 and tail[0].start <= 6:
                return lead[-1].value, tail[0].value
    return None


def _bind_choice(binding: Binding, spot: Spot) -> None:
    """Say at which step a value was taken, where the table has a column of best steps."""
    chosen = spot.table.best_steps
    if binding.said("selection") in {"last", "oracle"}:
        for slot in ("step", "epoch"):
            if slot in spot.row.counted:
                binding.values.pop(slot, None)
        return
    summary = binding.said("aggregate") in {"mean", *SPREADS}
    if chosen:
        moment = {"step", "epoch"} & set(binding.values)
        if not summary or not moment:
            binding.take("selection", "best", chosen)
        step = None if summary else _step_beside(spot)
        if step is not None:
            binding.take("step", f"{step.normalize():f}", HEADED)
    if "epoch" in binding.values or "step" in binding.values:
        return
    for head, sure in spot.table.context.layers():
        values = head.values("selection")
        if len(values) == 1:
            binding.take("selection", values[0], sure)
        if values:
            break


def _step_beside(spot: Spot) -> Decimal | None:
    """Return the best step in the same row, or in the same column of a table on its side."""
    if "step" in spot.row.counted:
        return spot.row.counted["step"]
    for other in spot.table.grid.rows:
        if not any(head.role == "step" for head in other.labels):
            continue
        for entry in other.entries:
            if entry.column == spot.entry.column:
                parts = parts_of(entry.cell.text, spot.table.style)
                return parts[0].number.value if len(parts) == 1 else None
    return None


def _neighbour_split(table: Table, binding: Binding) -> str:
    """Return validation where an unnamed metric stands beside the loss of a validation.

    The tables of the Hugging Face Trainer are so: `Training Loss | Validation Loss | Accuracy`.
    """
    splits = {head.one("split") for head in table.lowest}
    losses = [head for head in table.lowest if head.one("metric") == "loss"]
    trainer = len(losses) == 2 and splits >= {"train", "validation"} and "test" not in splits
    return "validation" if trainer and binding.said("metric") != "loss" else ""


def spread_kind(spot: Spot) -> tuple[str, float]:
    """Return what stands behind `±`: as heads or the caption say, else a standard deviation."""
    context = spot.table.context
    for head in (*spot.sources(), spot.table.grid.corner, context.caption, *context.leads):
        kinds = [value for value in head.values("aggregate") if value in SPREADS]
        if len(kinds) == 1:
            return kinds[0], HEADED
        sign = head.text.find("±")
        named = [m for m in head.mentions if m.value in SPREADS and 0 <= sign < m.start]
        if kinds and named:
            return named[0].value, HEADED
    return "std", 0.85


def paired(spot: Spot, parts: Sequence[Part]) -> tuple[str, tuple[str, ...]] | None:
    """Return the slot in which one head names as many things as a cell has numbers."""
    if len(parts) < 2 or any(part.role not in {"value", "bracket"} for part in parts):
        return None
    listed, own = is_listed(spot, parts), tuple(spot.sources())
    for place, head in enumerate((*own, spot.table.grid.corner, spot.table.context.title)):
        for slot in _PAIRED_SLOTS:
            values = head.values(slot)
            if len(values) != len(parts) or (listed and {"difference", *SPREADS} & set(values)):
                continue
            if listed and place >= len(own) and any(near.values(slot) for near in own):
                continue  # What a title names two of, the head of a column has chosen from.
            return slot, values
    return None


def is_listed(spot: Spot, parts: Sequence[Part]) -> bool:
    """Say whether a cell lists values: of two runs a table of `mean ± std` has `50.5 and 51.5`."""
    if len(parts) < 2:
        return False
    between = spot.entry.cell.text[parts[0].number.end : parts[1].number.start]
    return _AND.fullmatch(between) is not None


def is_measured(spot: Spot) -> bool:
    """Say whether a cell holds values of a metric, and not of something beside them."""
    table, row, entry = spot.table, spot.row, spot.entry
    if any(h.role in {"other", "n", "setting"} for h in (*row.labels, *entry.heads[:1])):
        return False
    if row.strange and not any(head.one("metric") for head in entry.heads):
        return False
    if not entry.heads and _is_torn(spot):
        return False
    over = any(head.speaks for head in entry.heads)
    before = any(head.speaks for head in (*row.labels, row.section))
    explicit = any(head.one("metric") for heads in table.grid.columns for head in heads)
    titled = table.context.title.one("metric") and any(head.label for head in entry.heads)
    if explicit and not over and not before and not titled:
        return any(h.label and is_known_group(h.label, table.known) for h in entry.heads)
    if _QUANTITY.fullmatch(table.grid.corner.text) and not before:
        named = (h.label for h in row.labels if not _STUDY_KEY.match(h.label))
        return any(label and is_known_group(label, table.known) for label in named)
    return True


def _is_torn(spot: Spot) -> bool:
    """Say whether several columns stand without a head, a title or a lead-in: half of a table."""
    near = (*spot.row.labels, spot.row.section, *spot.table.context.leads)
    said = spot.table.block.caption or any(head.one("metric") for head in near)
    return len(spot.row.entries) > 1 and not said


def unit_said(spot: Spot, metric: str) -> str:
    """Return the unit that heads state, else the corner, the caption or the lead-in."""
    near = [head.unit for head in spot.sources() if head.unit]
    if near:
        return near[0]
    if not is_ratio(metric):
        return ""
    context = spot.table.context
    around = (spot.table.grid.corner, context.title, context.caption, *context.leads)
    return next((head.unit for head in around if head.unit == "percent"), "")
