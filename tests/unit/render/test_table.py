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

from reportgen.records.document import Table, TableColumn, TableRow
from reportgen.render._numbering import Labels, resolve
from reportgen.render._table import TEXT_WIDTH, Room, lay_out, split_decimal
from reportgen.render._widths import Ruler, width_of_string


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


LONG_NAME = "run_logs/q2_pg_pendulum_discount0.99_smallBatch_gae0.98_InvertedPendulum-v4"


def two_long_names(**where):
    columns = (
        TableColumn(title=("Step",)),
        TableColumn(**{where["at"]: (f"{LONG_NAME}-a",), "align": "decimal"} | where["more"]),
        TableColumn(**{where["at"]: (f"{LONG_NAME}-b",), "align": "decimal"} | where["more"]),
    )
    rows = tuple(TableRow(cells=((f"{n}",), ("1000",), ("1000",))) for n in range(3))
    return Table(id="t", caption=(), columns=columns, rows=rows)


def test_a_long_name_above_columns_is_not_wider_than_they_are():
    named = two_long_names(at="group", more={"title": ("Average return on validation",)})
    layout = lay_out(named, EMPTY, Room(width=219.0))
    room = max(sum(map(sum, column.boxes)) for column in layout.columns) + 8
    for span in layout.spans[1:]:
        assert "".join(str(line[0]) for line in span.lines).startswith(LONG_NAME)
        assert max(width_of_string(line[0]) for line in span.lines) <= room


def test_a_word_above_a_column_that_is_wider_than_it_takes_its_room():
    columns = (
        TableColumn(title=("Group",), wide=True),
        TableColumn(title=("n",), align="decimal", group=("Validation",)),
    )
    rows = tuple(TableRow(cells=((LONG_NAME,), ("1",))) for _ in range(3))
    narrow = Table(id="t", caption=(), columns=columns, rows=rows)
    layout = lay_out(narrow, EMPTY, Room(width=219.0))
    head = width_of_string("Validation") * layout.size
    assert layout.columns[0].share * 219.0 + layout.gap + head <= 219.0


def test_a_long_name_at_the_head_of_a_column_is_broken_before_the_type_is_tiny():
    layout = lay_out(two_long_names(at="title", more={}), EMPTY, Room(width=219.0))
    assert layout.size >= 8
    widths = [max(width_of_string(line[0]) for line in column.head) for column in layout.columns]
    assert sum(widths) * layout.size + 2 * layout.gap <= 219.0


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


def test_a_long_name_above_short_cells_has_the_room_that_the_page_has():
    names = [f"q2_pg_pendulum_discount0.99_smallbatch_gae0.9{i}_InvertedPendulum-v4" for i in "78"]
    columns = [TableColumn(title=(title,), align="decimal") for title in ("Seed", *names)]
    rows = tuple(TableRow(cells=(("1",), ("10.0",), ("12.0",))) for _ in range(5))
    layout = lay_out(Table(id="t", caption=(), columns=tuple(columns), rows=rows), EMPTY)
    assert max(len(column.head) for column in layout.columns) <= 3
    for column, name in zip(layout.columns[1:], names, strict=True):
        assert "".join(line[0] for line in column.head) == name
