"""What the tables of the appendix share: sections, names, and no column that says nothing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from reportgen.languages import message, say
from reportgen.records.document import (
    Block,
    Excerpt,
    Number,
    Paragraph,
    Section,
    Strong,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts
from reportgen.records.quantity import Missing
from reportgen.records.record import replace
from reportgen.report._focus import focus_of, ranked_by_task
from reportgen.report.numbers import counted, of_run
from reportgen.report.phrases import capital, listed, sentences

MOST_GROUPS = 12
"""Groups that all have their rows on pages."""
MOST_ROWS = 60
"""Rows that a table has on pages; of more, some are printed."""
PRINTED = 24
"""Rows of a longer table that are printed."""
Item = TypeVar("Item")

DASH: Text = ("—",)
"""What stands in a cell without a value."""


def appendix_section(identifier: str, title: str, blocks: Sequence[Block]) -> Section | None:
    """Return a section of the appendix; None where it has nothing to say."""
    if not blocks:
        return None
    return Section(id=identifier, title=title, blocks=tuple(blocks), appendix=True)


def paragraph(*texts: Text) -> list[Block]:
    """Return sentences as one paragraph; nothing where all are empty.

    Example:
        >>> paragraph((), ("One.",), ("Two.",))
        [Paragraph(text=('One.', ' ', 'Two.'), id='')]
    """
    said = [text for text in texts if text]
    return [Paragraph(text=sentences(said))] if said else []


def lowered(words: Text) -> Text:
    """Return a head or a label as it stands inside a sentence.

    Example:
        >>> lowered(("Batch size",)), lowered(("SHA-256",))
        (('batch size',), ('SHA-256',))
    """
    first = words[0] if words else ""
    if not isinstance(first, str) or first != capital(first.lower()):
        return words
    return (first.lower(), *words[1:])


def lean_table(
    identifier: str,
    caption: Text,
    columns: Sequence[TableColumn],
    rows: Sequence[TableRow],
    *,
    lean: Iterable[int] | None = None,
    notes: Iterable[Text] = (),
    excerpt: Excerpt | None = None,
) -> Table:
    """Return a table without empty columns; what is the same in every row is said once below.

    Args:
        identifier: Id of the table.
        caption: Its caption.
        columns: Every column that it may have.
        rows: A cell for each of them.
        lean: Columns that may be left out; all but the first where none is named.
        notes: What stands below it.
        excerpt: What of it is printed on pages.

    Example:
        >>> heads = [TableColumn(title=(name,)) for name in ("Run", "Layout", "Seed")]
        >>> rows = [TableRow(cells=((run,), ("fairseq",), ())) for run in "ab"]
        >>> table = lean_table("runs", ("Runs.",), heads, rows)
        >>> [column.title for column in table.columns], table.notes
        ([('Run',)], (('In every row: layout fairseq.',),))
    """
    may_go = set(range(1, len(columns)) if lean is None else lean)
    kept: list[int] = []
    same: list[Text] = []
    for index, column in enumerate(columns):
        told = [cell for row in rows if (cell := row.cells[index])]
        meanings = {meaning_of(cell) for cell in told}
        ones = len(meanings) == 1 and _is_one(told[0])
        alone = len(told) == 1 and told[0] != DASH and not ones
        if index not in may_go or len(meanings) > 1 or alone:
            kept.append(index)
        elif told and meanings != {DASH} and not ones:
            sign = " " if column.align == "left" else " = "
            same.append((*lowered(column.title), sign, *told[0]))
    said = [say("In every row: {cells}.", cells=listed(same))] if same else []
    return Table(
        id=identifier,
        caption=caption,
        columns=tuple(columns[index] for index in kept),
        rows=tuple(replace(row, cells=tuple(row.cells[i] for i in kept)) for row in rows),
        notes=(*notes, *said),
        excerpt=excerpt,
    )


def _is_one(cell: Text) -> bool:
    """Return whether a cell counts one, which nobody needs to be told of every row."""
    numbers = [node for node in cell if isinstance(node, Number) and node.style == "count"]
    return len(numbers) == len(cell) == 1 and getattr(numbers[0].quantity, "value", 0) == 1


def meaning_of(cell: Text) -> tuple[Hashable, ...]:
    """Return what a cell says, whatever the ids of its numbers are."""
    found: list[Hashable] = []
    for node in cell:
        if isinstance(node, Strong):
            found += meaning_of(node.content)
        elif not isinstance(node, Number):
            found.append(node)
        elif isinstance(node.quantity, Missing):
            found += DASH
        else:
            found.append((node.quantity.value, node.style, node.decimals))
    return tuple(found)


def excerpt_of_groups(
    facts: Facts, key: str, rows: Mapping[str, Sequence[int]], also: Sequence[int] = ()
) -> Excerpt | None:
    """Choose from a long table the first rows of each group, of many groups the best ones.

    Every row is in the HTML of the report and in a CSV file beside it.

    Args:
        facts: What the analysis found.
        key: Id of the table.
        rows: Name of each group to the indices of its rows, in the order of the table.
        also: Rows that belong to no group, such as a difference; they come last.
    """
    count = sum(map(len, rows.values()))
    if count <= MOST_ROWS and len(rows) <= MOST_GROUPS:
        return None
    families = ranked_by_task(facts)
    best = [group.name for family in families for group in family]
    body = {group.name for group in focus_of(facts).groups}
    order = [name for name in dict.fromkeys((*best, *rows)) if name in rows]
    order.sort(key=lambda name: name not in body)
    single = count == len(rows)
    shown = order[: MOST_GROUPS if single else MOST_GROUPS // 2]
    each = max(1, PRINTED // len(shown))
    chosen = [index for name in shown for index in list(rows[name])[:each]]
    numbers = _shown_of(facts, key, len(chosen), count)
    note = (
        say("{shown} of {all} rows are printed, the best groups first.", **numbers)
        if len(families) == 1
        else say("{shown} of {all} rows are printed.", **numbers)
    )
    return Excerpt(rows=(*chosen, *also), note=note)


def excerpt_of_top(facts: Facts, key: str, count: int, most: int, shown: int) -> Excerpt | None:
    """Choose the first rows, `shown` of them, of a table that has more than `most`."""
    if count <= most:
        return None
    numbers = _shown_of(facts, key, shown, count)
    note = say("The first {shown} of {all} rows are printed.", **numbers)
    return Excerpt(rows=tuple(range(shown)), note=note)


def _shown_of(facts: Facts, key: str, shown: int, count: int) -> dict[str, Number]:
    sources = [of_run(run, facts.study.metric) for run in facts.runs]
    return {
        "shown": counted(f"{key}.first", shown, message("rows printed"), sources),
        "all": counted(f"{key}.all", count, message("rows of the table"), sources),
    }


def thinned(items: Sequence[Item], most: int) -> Sequence[Item]:
    """Return evenly spaced items with the last one among them, where there are too many.

    Example:
        >>> thinned((1, 2, 3, 4, 5, 6, 7), 3)
        (1, 4, 7)
    """
    if len(items) <= most:
        return items
    stride = -(-len(items) // most)
    return items[(len(items) - 1) % stride :: stride]
