"""Tables fitted to the page."""

from __future__ import annotations

import pytest
from fakes.sample_report import (
    best_step_table,
    epoch_table,
    number,
    parameter_table,
    plus_minus,
    wide_table,
)
from hypothesis import given
from hypothesis import strategies as st

from reportgen.formats._numbering import Labels, resolve
from reportgen.formats._table import TEXT_WIDTH, lay_out, split_decimal
from reportgen.formats._widths import Ruler
from reportgen.records.document import Table, TableColumn, TableRow


@pytest.fixture(scope="module")
def ruler(report):
    return Ruler(resolve(report))


EMPTY = Ruler(Labels(targets={}, citations={}, words={}))


def table(cells, **column):
    rows = tuple(TableRow(cells=(cell,)) for cell in cells)
    return Table(id="t", caption=(), columns=(TableColumn(title=("x",), **column),), rows=rows)


def test_a_small_table_keeps_its_size(ruler):
    layout = lay_out(best_step_table(), ruler)
    assert layout.size == 10
    assert not layout.wrapped
    assert not layout.long


def test_neighbouring_columns_share_the_head_above_them(ruler):
    layout = lay_out(best_step_table(), ruler)
    spans = [(span.lines, span.start, span.stop) for span in layout.spans]
    assert spans == [(((),), 0, 3), ((("accuracy (%)",),), 3, 5)]


def test_a_long_table_may_run_over_pages(ruler):
    assert lay_out(epoch_table(), ruler).long


def test_wide_text_is_wrapped_to_the_space_left_over(ruler):
    layout = lay_out(parameter_table(), ruler)
    _, count, share, meaning = layout.columns
    assert meaning.share > 0
    assert (count.share, share.share) == (0, 0)


def test_a_crowded_table_breaks_its_heads_before_it_shrinks(ruler):
    layout = lay_out(wide_table(), ruler)
    assert max(len(column.head) for column in layout.columns) > 1
    assert layout.size < 8


def test_decimals_are_aligned_on_the_point():
    layout = lay_out(table([("9.5",), ("1,234.25",), ("\u2014",)], align="decimal"), EMPTY)
    ((before, after),) = layout.columns[0].boxes
    # Four digits of half an em and a comma; a point and two digits.
    assert before == pytest.approx(2.278, abs=0.001)
    assert after == pytest.approx(1.278, abs=0.001)


def test_deviations_are_aligned_too():
    cells = [plus_minus("a", 0.795, 0.0087), plus_minus("b", 0.8, 0.123), (number("n", 3),)]
    layout = lay_out(table(cells, align="decimal"), EMPTY)
    assert len(layout.columns[0].boxes) == 2
    assert layout.columns[0].boxes[1][0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("79.5", (("79", ".5"),)),
        ("\u22123", (("\u22123", ""),)),
        ("+5.76", (("+5", ".76"),)),
        ("22,807,552", (("22,807,552", ""),)),
        ("0.28%", (("0", ".28%"),)),
        ("80.1\u2020", (("80", ".1\u2020"),)),
        ("79.5 \u00b1 0.9", (("79", ".5"), ("0", ".9"))),
        ("79.5 \u00b1 0.9*", (("79", ".5"), ("0", ".9*"))),
        ("\u2014", None),
        ("", None),
        ("1 of 3", None),
        ("+5.76 to +8.24", None),
    ],
)
def test_what_counts_as_a_number(text, halves):
    assert split_decimal(text) == halves


@given(st.from_regex(r"[+\u2212]?\d{1,3}(,\d{3})*(\.\d+)?", fullmatch=True))
def test_the_halves_are_the_number(text):
    halves = split_decimal(text)
    assert halves is not None
    assert "".join(halves[0]) == text


texts = st.text(alphabet="abc def", min_size=1, max_size=60).map(lambda text: (text,))


@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=5))
def test_wrapped_columns_never_take_more_than_the_page(rows):
    wide = Table(
        id="t",
        caption=(),
        columns=tuple(TableColumn(title=("head",), wide=i > 0) for i in range(3)),
        rows=tuple(TableRow(cells=row) for row in rows),
    )
    layout = lay_out(wide, EMPTY)
    assert sum(column.share for column in layout.columns) <= 1
    natural = [
        max(EMPTY.width(row.cells[i]) for row in wide.rows) * layout.size
        for i, column in enumerate(layout.columns)
        if not column.share
    ]
    taken = sum(natural) + sum(column.share for column in layout.columns) * TEXT_WIDTH
    assert taken <= TEXT_WIDTH * 1.01
