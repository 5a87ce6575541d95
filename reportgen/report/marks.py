"""The dagger: every value, mean and figure that rests on a re-run is marked, in one place.

A number names the runs it was read from. Those that name a re-run are marked wherever they
stand, so that no section can forget to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportgen.languages import message, say, say_count, spoken, tell
from reportgen.records import document as doc
from reportgen.records.facts import Facts
from reportgen.records.quantity import Quantity
from reportgen.records.record import replace
from reportgen.records.run import Rerun, Run
from reportgen.report.phrases import joined

RERUN = doc.Mark("†", message("re-run"))
RERUNS_TABLE = "problems.reruns"
MOST_NAMED = 6
MOST_LETTERS = 80
_COUNTS = frozenset({"count", "step", "epoch"})  # of these nothing was measured
# Numbers whose ids end so are two parts of one value, marked once behind the second part.
_SECOND_PARTS = {"mean": "std", "low": "high", "sampling_low": "sampling_high"}

Reruns = Mapping[str, Run]


def rerun_mark() -> doc.Mark:
    """Return the dagger with its meaning in the spoken language."""
    return replace(RERUN, meaning=tell(RERUN.meaning))


def reruns_of(facts: Facts) -> dict[str, Run]:
    """Return the runs that `rerun` made, by their id."""
    return {run.id: run for run in facts.runs if run.rerun is not None}


def store_of(facts: Facts) -> str:
    """Return the name of the run store, with which the paths of re-runs begin."""
    name = facts.study.reruns.rstrip("/")
    # A path of this machine has no place in a report.
    return name.rpartition("/")[2] if name.startswith("/") else name


def mark_sections(facts: Facts, sections: Sequence[doc.Section]) -> tuple[doc.Section, ...]:
    """Mark every number that rests on a re-run, with one note a table and figure."""
    reruns = reruns_of(facts)
    return tuple(_mark_section(s, facts, reruns) if reruns else s for s in sections)


def mark_text(text: doc.Text, facts: Facts) -> doc.Text:
    """Mark the numbers of a text that stands outside of sections."""
    reruns = reruns_of(facts)
    return _mark(text, reruns) if reruns else text


def _mark_section(section: doc.Section, facts: Facts, reruns: Reruns) -> doc.Section:
    return replace(section, blocks=tuple(_mark_block(b, facts, reruns) for b in section.blocks))


def _mark_block(block: doc.Block, facts: Facts, reruns: Reruns) -> doc.Block:
    match block:
        case doc.Section():
            return _mark_section(block, facts, reruns)
        case doc.Paragraph():
            return replace(block, text=_mark(block.text, reruns))
        case doc.Bullets():
            return _mark_list(block, reruns)
        case doc.Table():
            return _mark_table(block, facts, reruns)
        case doc.Figure():
            return _mark_figure(block, facts, reruns)
    return block


def _mark_list(block: doc.Bullets, reruns: Reruns) -> doc.Bullets:
    items = tuple(_mark(item, reruns) for item in block.items)
    inner = tuple(tuple(_mark_list(each, reruns) for each in below) for below in block.inner)
    return replace(block, items=items, inner=inner)


def _mark_table(table: doc.Table, facts: Facts, reruns: Reruns) -> doc.Table:
    texts = (*(cell for row in table.rows for cell in row.cells), *table.notes)
    found = {name for text in texts for node in doc.inlines(text) for name in _named(node, reruns)}
    if not found:
        return table
    rows = tuple(
        replace(row, cells=tuple(_mark(cell, reruns) for cell in row.cells)) for row in table.rows
    )
    notes = tuple(_mark(note, reruns) for note in table.notes)
    note = rerun_note(facts, [run for name, run in reruns.items() if name in found])
    return replace(table, rows=rows, notes=(*notes, note))


def _mark(text: doc.Text, reruns: Reruns) -> doc.Text:
    """Put a mark behind each number that rests on a re-run, and behind its percent sign."""
    marked: doc.Text = ()
    sign, due = spoken().percent_mark, False
    mark = rerun_mark()
    for position, node in enumerate(text):
        if isinstance(node, doc.Emphasis | doc.Strong):
            marked += (replace(node, content=_mark(node.content, reruns)),)
        elif due and isinstance(node, str) and node.startswith(sign):
            marked += tuple(part for part in (sign, mark, node.removeprefix(sign)) if part)
        else:
            marked += (mark, node) if due else (node,)
        due = bool(_named(node, reruns)) and not _goes_on(node, text[position + 1 :], reruns)
    return (*marked, mark) if due else marked


def _goes_on(node: doc.Inline, rest: doc.Text, reruns: Reruns) -> bool:
    """Say whether a marked number follows that belongs to the one before: mean ± std."""
    if not isinstance(node, doc.Number) or len(rest) < 2 or not isinstance(rest[0], str):
        return False
    whole, _, part = node.id.rpartition(".")
    second = rest[1]
    return (
        isinstance(second, doc.Number)
        and second.id == f"{whole}.{_SECOND_PARTS.get(part)}"
        and bool(_named(second, reruns))
    )


def _named(node: object, reruns: Reruns) -> list[str]:
    """Return the re-runs that a measured value rests on; counts, seeds and steps are none."""
    if not isinstance(node, doc.Number) or not isinstance(node.quantity, Quantity):
        return []
    if node.quantity.unit in _COUNTS:
        return []
    return [e.run for e in node.quantity.sources if e.step is not None and e.run in reruns]


# --- the note -------------------------------------------------------------------------


def drawn_runs(figure: doc.Figure, facts: Facts) -> list[Run]:
    """Return the runs that a figure of curves, bands or dots shows."""
    found: dict[str, Run] = {}
    for panel in figure.chart.panels:
        parts: tuple[doc.Line | doc.Band | doc.Dot, ...] = (*panel.lines, *panel.bands, *panel.dots)
        for part in parts:
            found.update({run.id: run for run in _runs_of(part, facts)})
    return list(found.values())


def _runs_of(part: doc.Line | doc.Band | doc.Dot, facts: Facts) -> list[Run]:
    """Return the runs that a line, a mean or a row of dots stands for."""
    cells = facts.groups[part.group_index].cells
    if isinstance(part, doc.Line):
        everywhere = [cell for group in facts.groups for cell in group.cells]
        cells = (cells[part.member],) if part.member >= 0 else tuple(everywhere)
    return [cell.run for cell in cells if cell.run is not None]


def _mark_figure(figure: doc.Figure, facts: Facts, reruns: Reruns) -> doc.Figure:
    """Mark the names of re-runs and of groups that have one, and say in the caption which."""
    shown = [run for run in drawn_runs(figure, facts) if run.id in reruns]
    if not shown:
        return figure
    again = {run.group for run in reruns.values()}
    groups = {index for index, group in enumerate(facts.groups) if group.name in again}

    def label(part: doc.Line | doc.Band | doc.Dot) -> str:
        own = any(run.id in reruns for run in _runs_of(part, facts))
        return f"{part.label}{RERUN.sign}" if own else part.label

    def group(part: doc.Line | doc.Band) -> str:
        return f"{part.group}{RERUN.sign}" if part.group_index in groups else part.group

    panels = tuple(
        replace(
            panel,
            lines=tuple(replace(p, label=label(p), group=group(p)) for p in panel.lines),
            bands=tuple(replace(p, label=label(p), group=group(p)) for p in panel.bands),
            dots=tuple(replace(p, label=label(p)) for p in panel.dots),
        )
        for panel in figure.chart.panels
    )
    caption = (*figure.caption, " ", *rerun_note(facts, shown))
    return replace(figure, chart=replace(figure.chart, panels=panels), caption=caption)


def rerun_note(facts: Facts, runs: Sequence[Run]) -> doc.Text:
    """Return what the dagger stands for, and where the re-runs are described, if anywhere."""
    which = named_cells(facts, runs) if len(runs) <= MOST_NAMED else say("what is so marked")
    return say(
        "{mark} Re-run, or computed with a re-run: {which}."
        if facts.study.report.detail == "brief"
        else "{mark} Re-run, or computed with a re-run: {which} ({table}).",
        mark=RERUN.sign,
        which=which,
        table=doc.Ref(RERUNS_TABLE),
    )


def named_cells(facts: Facts, runs: Sequence[Run]) -> doc.Text:
    """Return cells in words, the seeds of a group together: "a, seeds 0 and 1"."""
    seeds: dict[str, list[str]] = {}
    for run in runs:
        seeds.setdefault(facts.study.label(run.group), []).append(str(run.seed))
    return joined(
        [
            say_count(
                "{group}, seed {seeds}",
                "{group}, seeds {seeds}",
                len(found),
                group=doc.Emphasis((label,)),
                seeds=joined([(s,) for s in found]),
            )
            for label, found in seeds.items()
        ]
    )


def day(rerun: Rerun) -> str:
    """Return the day on which a re-run ended, as ISO writes it.

    Example:
        >>> day(Rerun(key="", group="a", seed=0, device="CPU", date="2025-11-02T10:00:00+00:00",
        ...           versions={}))
        '2025-11-02'
    """
    return clipped(rerun.date.partition("T")[0]) or tell("date unknown")


def clipped(text: str, most: int = MOST_LETTERS) -> str:
    """Return a stranger's words, cut where they are longer than any name is."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
