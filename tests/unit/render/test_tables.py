"""Tables fitted to the page, read in the LaTeX source; the embedded engine is given the same."""

import re
from pathlib import Path

import pytest
from fakes.pdf_engines import require_pdflatex
from fakes.rows import rows_beside
from fakes.sample_report import TABLES, number, plus_minus, roberta_equations
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.records.document import Report, Section, Table, TableColumn, TableRow
from reportgen.render import RenderContext, compile_latex, find_theme, render

ROWS = rows_beside(__file__)
LONG_NAME = "run_logs/q2_pg_pendulum_discount0.99_smallBatch_gae0.98_InvertedPendulum-v4"
COLUMNS = {1: RenderContext(), 2: RenderContext(theme=find_theme("acl", home=Path()))}


def made(cells, **column):
    rows = tuple(TableRow(cells=(cell,)) for cell in cells)
    return Table(id="t", caption=(), columns=(TableColumn(title=("x",), **column),), rows=rows)


def report_of(table):
    target = Section(id="params", title="P", blocks=()) if table.id != "params" else None
    blocks = (table, roberta_equations(), *([target] if target else []))
    return Report(title="T", sections=(Section(id="s", title="S", blocks=blocks),))


def source_of(table, columns=1):
    files = render(report_of(table), "latex", context=COLUMNS[columns])
    return files["report.tex"].decode().partition(r"\caption{")[2].replace(r"\allowbreak{}", "")


def size_of(source):
    return float(re.findall(r"\\fontsize\{([\d.]+)\}", source)[0])


def boxes_of(source):
    (first, *_) = re.findall(r"\\decimal\{.*", source)
    return [float(width) for width in re.findall(r"\{([\d.]+)em\}", first)]


def two_long_names(at):
    columns = [TableColumn(title=("Step",))]
    for end in "ab":
        texts = {at: (f"{LONG_NAME}-{end}",)}
        columns.append(TableColumn(**{"title": ("Average return",), "align": "decimal"} | texts))
    rows = tuple(TableRow(cells=((f"{n}",), ("1000",), ("1000",))) for n in range(3))
    return Table(id="t", caption=(), columns=tuple(columns), rows=rows)


def test_a_small_table_keeps_its_size_and_its_heads():
    shown = source_of(TABLES["best-step"])
    assert size_of(shown) == 9
    assert "wrapped" not in shown
    assert r"\multicolumn{2}{c@{}}{accuracy (\%)}" in shown, shown


def test_wide_text_is_wrapped_to_the_space_left_over():
    (columns, *_) = re.findall(r"\{@\{\}(.*)@\{\}\}", source_of(TABLES["params"]))
    assert re.fullmatch(r">\{\\wrapped\}p\{\S+\}cc>\{\\wrapped\}p\{\S+\}", columns)


def test_a_crowded_table_breaks_its_heads_before_it_shrinks():
    shown = source_of(TABLES["wide"])
    assert r"\headlines" in shown
    assert size_of(shown) < 8


@pytest.mark.parametrize("at", ["group", "title"])
def test_a_long_name_is_broken_before_the_type_is_tiny(at):
    shown = source_of(two_long_names(at), columns=2)
    assert size_of(shown) >= 8
    heads = re.findall(r"\\headlines\{\w\}\{(.*)\}", shown)
    names = [head.replace(r"\\{}", "").replace("\\", "") for head in heads]
    assert [f"{LONG_NAME}-a", f"{LONG_NAME}-b"] == [
        n.rstrip("}") for n in names if n.startswith("run")
    ]


def test_decimals_and_deviations_are_aligned_on_their_points():
    plain = source_of(made([("9.5",), ("1,234.25",), ("\u2014",)], align="decimal"))
    # Four digits of half an em and a comma; a point and two digits.
    assert boxes_of(plain) == [2.278, 1.278]
    cells = [plus_minus("a", 0.795, 0.0087), plus_minus("b", 0.8, 0.123), (number("n", 3),)]
    assert boxes_of(source_of(made(cells, align="decimal")))[2] == 1.0


@pytest.mark.parametrize(("text", "halves"), ROWS["what_is_aligned_as_a_number"])
def test_what_is_aligned_as_a_number(text, halves):
    shown = source_of(made([(text,), ("a",)], align="decimal"))
    row = next((line for line in shown.split("\n") if r"\decimal{" in line), "")
    parts = re.findall(r"em\}\{((?:[^{}]|\{\})*)\}", row)
    assert parts == halves


texts = st.text(alphabet="abc def", min_size=1, max_size=60).map(lambda text: (text,))


@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=5))
@settings(deadline=None)
def test_wrapped_columns_never_take_more_than_the_page(rows):
    columns = tuple(TableColumn(title=("head",), wide=i > 0) for i in range(3))
    wide = Table(
        id="t", caption=(), columns=columns, rows=tuple(TableRow(cells=row) for row in rows)
    )
    shares = re.findall(r"p\{([\d.]+)\\linewidth\}", source_of(wide))
    assert sum(map(float, shares)) <= 1


@pytest.mark.slow
@pytest.mark.latex
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize(
    "table",
    [TABLES["wide"], two_long_names("title"), two_long_names("group"), made([(LONG_NAME,)] * 90)],
    ids=["crowded", "titles", "groups", "long"],
)
def test_no_line_is_too_wide(table, columns):
    require_pdflatex()
    files = render(report_of(table), "latex", context=COLUMNS[columns])
    assert compile_latex(files, "report.tex").warnings == ()
