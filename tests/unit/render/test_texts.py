"""Text of strangers in every format: what is said reaches the page, and nothing of it acts."""

import json
import re

import pytest
import typst
from fakes.rows import rows_beside
from fakes.spelling import drawable, spell_text
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records import document as doc
from reportgen.records.quantity import Quantity
from reportgen.render import clean, clean_prose, render

ROWS = rows_beside(__file__)
COMMAND = re.compile(r"\\(?:[a-zA-Z]+|.)")
TYPST = re.compile(r'#("(?:[^"\\]|\\.)*");')


def number(value, decimals=2):
    return doc.Number(id=f"n{value}", quantity=Quantity(value=value), decimals=decimals)


DAGGER = doc.Mark("†", "re-run")
SPAN = '<span class="mark" role="img" aria-label="re-run" title="re-run">†</span>'
SPELLED = [
    # what, and how it is spelled: as plain characters, in LaTeX, in Typst, in Markdown, in HTML
    (("Six runs.",), "Six runs.", "Six runs.", '#"Six runs.";', "Six runs.", "Six runs."),
    (
        (number(80.63), DAGGER),
        "80.63†",
        r"\rgnum{n80.63}{80.63}\dag{}",
        '#"80.63";#"†";',
        "80.63†",
        f'<a class="num" id="n:n80.63" href="#e:1">80.63</a>{SPAN}',
    ),
    (("\u65e5",), "\u65e5", "[U+65E5]", '#"[U+65E5]";', "\u65e5", "\u65e5"),
    (
        (doc.Strong(("a",)), doc.Code("eval_loss")),
        "aeval_loss",
        r"\textbf{a}\texttt{eval\_loss}",
        '#strong[#"a";];#code("eval_loss");',
        "**a**`eval_loss`",
        "<strong>a</strong><code>eval_loss</code>",
    ),
]
FORMS = ("json", "latex", "typst", "markdown", "html")


@pytest.mark.parametrize("row", SPELLED, ids=lambda row: str(row[1]))
def test_each_format_has_its_spelling(row):
    assert tuple(spell_text(row[0], form) for form in FORMS) == row[1:]


@given(st.text())
def test_latex_holds_no_character_that_is_read_as_a_command(text):
    spelled = spell_text((text,), "latex")
    bare = COMMAND.sub("", spelled)
    assert not set(bare) & set("\\$&#%_~\"'`<>|\x00\x07\n") - {"~", "^", "_", "'", '"', "`"}
    assert spelled.isascii()
    # Every brace is a command's or a pair.
    assert bare.count("{") == bare.count("}")
    assert "--" not in spelled
    assert ",," not in spelled


@given(st.lists(st.text(), min_size=1, max_size=8))
def test_typst_reads_back_what_was_spelled(texts):
    literals = [TYPST.findall(spell_text((text,), "typst")) for text in texts]
    joined = ", ".join(f"({' + '.join(some)})" for some in literals)
    found = typst.query(f"#metadata(({joined},))<x>".encode(), "<x>", field="value", one=True)
    assert json.loads(found) == [drawable(clean_prose(text), "typst") for text in texts]


@pytest.mark.parametrize(
    ("text", "pieces"), ROWS["long_names_can_break_after_separators_and_inside_runs"]
)
def test_long_names_can_break_after_separators_and_inside_runs(text, pieces):
    assert spell_text((doc.Code(text),), "html")[6:-7].split("<wbr>") == pieces


@pytest.mark.parametrize(("text", "printed"), ROWS["what_cannot_be_seen_is_dropped"])
def test_what_cannot_be_seen_is_dropped(text, printed):
    assert clean(text) == printed


def test_apostrophes_of_words_are_set_as_such():
    assert clean_prose("the run's and the runs' 'x'") == "the run\u2019s and the runs\u2019 'x'"


@pytest.mark.parametrize(("text", "spelled"), ROWS["latex_beyond_ascii"])
def test_latex_beyond_ascii(text, spelled):
    assert spell_text((text,), "latex") == spelled


def test_a_mark_is_no_markup():
    hostile = spell_text((doc.Mark("<", '"><script>'),), "html")
    assert "<script" not in hostile
    assert hostile.count('"') == 8


def test_wide_lines_of_a_listing_go_on_after_a_hook():
    listing = doc.Listing(id="l", caption=(), text="x" * 200)
    report = doc.Report(title="T", sections=(doc.Section(id="s", title="S", blocks=(listing,)),))
    source = render(report, "typst")["report.typ"].decode()
    lines = re.findall(r'"((?:\u21aa )?x+)"', source)
    assert [len(line) for line in lines] == [88, 88, 28]
    assert all(line.startswith("\u21aa ") for line in lines[1:])


@pytest.mark.parametrize(
    ("text", "lines"), [("", [""]), ("\n", [""]), ("a\n\nb\n\n", ["a", "", "b"])]
)
def test_a_listing_has_a_line_and_ends_in_none_that_is_empty(text, lines):
    listing = doc.Listing(id="l", caption=(), text=text)
    report = doc.Report(title="T", sections=(doc.Section(id="s", title="S", blocks=(listing,)),))
    source = render(report, "typst")["report.typ"].decode()
    printed = source.partition("raw(block: true, (")[2].partition(").join")[0]
    assert re.findall(r'"(.*)"', printed) == lines


SPREAD = (number(80.63), " ± ", number(0.68), DAGGER)
COLUMN = (SPREAD, (number(73.63), " ± ", number(0.46)), (number(7.0), DAGGER), (number(81.4, 1),))


def table(*cells, kind="body"):
    rows = tuple(doc.TableRow(cells=(cell,), kind=kind) for cell in cells)
    column = doc.TableColumn(title=("Value",), align="decimal")
    block = doc.Table(id="t", caption=(), columns=(column,), rows=rows)
    return doc.Report(title="T", sections=(doc.Section(id="s", title="S", blocks=(block,)),))


def width_of(cell):
    """Characters that a cell is wide: what is printed, and what stands in for it."""
    pads = "".join(re.findall(r'data-pad="([^"]*)"', cell))
    return len(re.sub(r"<[^>]*>", "", cell)) + len(pads)


def test_on_a_page_marked_and_unmarked_cells_are_equally_wide():
    page = render(table(*COLUMN), "html")["report.html"].decode()
    cells = re.findall(r'<td class="decimal">(.*?)</td>', page)
    assert [width_of(cell) for cell in cells] == [
        *[len("80.63 ± 0.68†")] * 2, len("7.00 ± 0.68†"), len("81.40 ± 0.68†")
    ]  # fmt: skip


def test_on_paper_the_mark_of_a_single_number_hangs_beside_its_column():
    def boxes(*cells):
        source = render(table(*cells), "latex")["report.tex"].decode()
        (first, *_) = re.findall(r"\\decimal.*", source.partition(r"\begin{tabular}")[2])
        return [float(width) for width in re.findall(r"\{([\d.]+)em\}", first)]

    unmarked = [tuple(node for node in cell if node is not DAGGER) for cell in COLUMN]
    marked, bare = boxes(*COLUMN), boxes(*unmarked)
    assert marked[:2] == bare[:2]
    assert marked[3] > bare[3]
    assert boxes(COLUMN[2])[1] > boxes(unmarked[2])[1]


def test_bold_markdown_keeps_the_mark_inside():
    page = render(table(SPREAD, kind="summary"), "markdown")["report.md"].decode()
    assert "**80.63 ± 0.68†**" in page
