"""A sign behind a number: how each format spells it, and that columns stay aligned."""

from __future__ import annotations

import re

import pytest

from reportgen.records.document import (
    Mark,
    Number,
    Report,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.quantity import Quantity
from reportgen.render._html_table import print_table
from reportgen.render._html_text import HtmlPrinter
from reportgen.render._numbering import resolve
from reportgen.render._plain_text import PlainPrinter
from reportgen.render._table import lay_out
from reportgen.render._widths import Ruler
from reportgen.render.latex import LatexPrinter
from reportgen.render.markdown import MarkdownPrinter
from reportgen.render.typst import TypstPrinter

DAGGER = Mark("†", "re-run")
LABELS = resolve(Report(title="", sections=()))


def number(value, decimals=2):
    return Number(id=f"n{value}", quantity=Quantity(value=value), decimals=decimals)


def table(*cells: Text) -> Table:
    rows = tuple(TableRow(cells=(cell,)) for cell in cells)
    column = TableColumn(title=("Value",), align="decimal")
    return Table(id="t", caption=(), columns=(column,), rows=rows)


@pytest.mark.parametrize(
    ("printer", "spelt"),
    [
        (PlainPrinter, "80.63†"),
        (MarkdownPrinter, "80.63†"),
        (TypstPrinter, '#"80.63";#"†";'),
        (LatexPrinter, r"\rgnum{n80.63}{80.63}\dag{}"),
    ],
)
def test_each_format_has_a_dagger(printer, spelt):
    assert printer(LABELS).print_text((number(80.63), DAGGER)) == spelt


def test_a_page_reads_its_meaning_aloud():
    spelt = HtmlPrinter(LABELS).print_text((DAGGER,))
    assert spelt == '<span class="mark" role="img" aria-label="re-run" title="re-run">†</span>'
    hostile = HtmlPrinter(LABELS).print_text((Mark("<", '"><script>'),))
    assert "<script" not in hostile
    assert hostile.count('"') == 8


SPREAD = (number(80.63), " ± ", number(0.68), DAGGER)
COLUMN = (SPREAD, (number(73.63), " ± ", number(0.46)), (number(7.0), DAGGER), (number(81.4, 1),))


def width_of(cell: str) -> int:
    """Characters that a cell is wide: what is printed, and what stands in for it."""
    pads = "".join(re.findall(r'data-pad="([^"]*)"', cell))
    return len(re.sub(r"<[^>]*>", "", cell)) + len(pads)


def test_on_a_page_marked_and_unmarked_cells_are_equally_wide():
    spelt = print_table(table(*COLUMN), HtmlPrinter(LABELS), "t")
    cells = re.findall(r"<td[^>]*>(.*?)</td>", spelt)
    assert len(cells) == 4
    assert {width_of(cell) for cell in cells[:2]} == {len("80.63 ± 0.68†")}
    assert width_of(cells[2]) == len("7.00 ± 0.68†")
    assert width_of(cells[3]) == len("81.40 ± 0.68†")
    plain = re.findall(
        r"<td[^>]*>(.*?)</td>", print_table(table(*COLUMN[1:2]), HtmlPrinter(LABELS), "t")
    )
    assert 'class="mark"' not in plain[0]
    assert "data-pad" not in plain[0]


def test_on_paper_the_mark_of_a_single_number_hangs_beside_its_column():
    ruler = Ruler(LABELS)
    marked = lay_out(table(*COLUMN), ruler).columns[0].boxes
    unmarked = [tuple(node for node in cell if node is not DAGGER) for cell in COLUMN]
    bare = lay_out(table(*unmarked), ruler).columns[0].boxes
    assert marked[0] == bare[0]
    assert marked[1][1] > bare[1][1]
    alone = lay_out(table(COLUMN[2]), ruler).columns[0].boxes
    assert alone[0][1] > lay_out(table(unmarked[2]), ruler).columns[0].boxes[0][1]


def test_the_mark_is_part_of_the_boxed_number():
    decimals = (("80", ".63"), ("0", ".68†"))
    boxes = ((1.0, 1.5), (0.5, 2.0))
    assert '.68†"' in TypstPrinter(LABELS).print_decimals(decimals, boxes, bold=False)
    assert r".68\dag{}" in LatexPrinter(LABELS).print_decimals(decimals, boxes, bold=True)


def test_bold_markdown_keeps_it_inside():
    from reportgen.render._markdown_table import print_pipe_table

    rows = (TableRow(cells=(SPREAD,), kind="summary"),)
    shown = Table(id="t", caption=(), columns=(TableColumn(title=("V",)),), rows=rows)
    assert "**80.63 ± 0.68†**" in print_pipe_table(shown, MarkdownPrinter(LABELS, in_table=True))
