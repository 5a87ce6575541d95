"""What every format owes: every kind of block, with its caption, its numbers and its links."""

import html
import io
import re
import zipfile

import pytest
from fakes.rows import rows_beside
from fakes.sample_figures import make_figures
from fakes.sample_report import TABLES, figure, make_report, roberta_equations

from reportgen.records import document as doc
from reportgen.records.quantity import Quantity
from reportgen.render import ENDINGS, FORMATS, RenderContext, packaged_templates
from reportgen.render import render as render_report

ROWS = rows_beside(__file__)
FILES = ROWS["files"]
TEMPLATED = tuple(name for name in FORMATS if (packaged_templates() / name).is_dir())
WORDED = tuple(name for name in FILES if name != "json")
# What must not stand in a file of each: the spelling in which `HOSTILE` would do something.
HOSTILE = "<script>\\input{x}#panic()"
RAW = {"typst": "\n#panic()", "latex": "\\input{x}", "markdown": "<script>", "html": HOSTILE}
NUMBER = doc.Number(id="n", quantity=Quantity(value=0.79876), style="percent", decimals=1)
BLOCKS = {
    "section": doc.Section(id="inner", title="Inner title", blocks=()),
    "paragraph": doc.Paragraph(text=("Spoken words ", NUMBER)),
    "bullets": doc.Bullets(items=(("Spoken words",), (NUMBER,))),
    "equations": roberta_equations(),
    "table": TABLES["best-step"],
    "figure": figure("curves", "Spoken words."),
    "listing": doc.Listing(id="config", caption=("Spoken words ", NUMBER), text="r: 16"),
    "references": doc.References(entries=(doc.Reference(key="liu", text=("Y. Liu et al.",)),)),
}
# What must be found in the output, whatever the format; digits may be grouped.
SHOWN = ROWS["shown"]


def render(name: str, *blocks, **front) -> str:
    """Render blocks in one format; return its main file with the spelling of digits undone."""
    # The table's note refers to another one.
    target = doc.Section(id="params", title="T", blocks=())
    sections = (doc.Section(id="outer", title="Outer", blocks=blocks), target)
    report = doc.Report(**{"title": "Title", "sections": sections, **front})
    files = render_report(report, name, make_figures())
    text = html.unescape(text_of(files[FILES[name]]))
    return text.replace("{,}", ",").replace("\N{NO-BREAK SPACE}", " ")


def text_of(content: bytes) -> str:
    """Return the text of a file; of one of Word, that of its document, with names of bookmarks."""
    if not content.startswith(b"PK"):
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        markup = archive.read("word/document.xml").decode()
    return re.sub(r"<(?!w:bookmarkStart|wp:docPr|w:hyperlink)[^>]*>", "", markup)


def words(text: str) -> str:
    """Drop what stands between the halves of a number and the words of a cell."""
    text = re.sub(r"\\decimal\{[\d.]+em\}\{([^{}]*|\\textbf\{[^{}]*\})\}\{[\d.]+em\}", r"\1", text)
    text = re.sub(r"\"?, [\d.]+em, \"", "", text)
    return re.sub(r"\\textbf|[{}]|<wbr>|&nbsp;", "", text)


def test_every_format_is_under_this_contract():
    assert set(FILES) | {"pdf"} == set(FORMATS)
    assert set(RAW) == set(TEMPLATED)


def test_an_ending_is_that_of_the_file_that_is_made():
    made = {name: file for name, file in FILES.items() if name != "card"}
    assert {n: f"report.{e}" for e, n in ENDINGS.items() if n not in {"pdf", "card"}} == made


def test_every_kind_of_block_is_under_this_contract():
    assert set(BLOCKS) == set(doc.BLOCK_KINDS.values())


@pytest.mark.parametrize("name", TEMPLATED)
@pytest.mark.parametrize("kind", sorted(BLOCKS))
def test_every_kind_has_a_template_of_its_own(name, kind):
    assert (packaged_templates() / name / "blocks" / f"{kind}.j2").is_file()


@pytest.mark.parametrize("name", WORDED)
@pytest.mark.parametrize("kind", sorted(BLOCKS))
def test_every_kind_is_shown(name, kind):
    text = words(render(name, BLOCKS[kind]))
    for expected in SHOWN[kind]:
        assert expected in text, f"{kind} in {name} lacks {expected!r}"


@pytest.mark.parametrize("kind", ["paragraph", "bullets", "listing"])
def test_json_holds_the_numbers_as_they_are_printed(kind):
    assert '"79.9"' in render("json", BLOCKS[kind])


@pytest.mark.parametrize("name", WORDED)
def test_the_front_matter_is_shown(name):
    text = render(name, authors=("A. Author",), abstract=("Brief words",), date="2026-03-14")
    for expected in ("Title", "A. Author", "Brief words", "2026"):
        assert expected in text


@pytest.mark.parametrize("name", WORDED)
def test_a_reference_leads_to_its_target(name):
    text = render(name, BLOCKS["table"], doc.Paragraph(text=("see ", doc.Ref("best-step"))))
    assert len(re.findall("best.step", text)) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FILES))
def test_the_same_report_gives_the_same_bytes(name):
    report = make_report(names=("plain",))
    one, other = (render_report(report, name, make_figures()) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_stem_names_all_files(name):
    report = make_report(names=("plain",))
    files = render_report(report, name, make_figures(), RenderContext(stem="lab"))
    assert FILES[name].replace("report", "lab") in files
    assert all(path.startswith(("lab.", "lab-card.", "lab_files/")) for path in files)


@pytest.mark.parametrize("name", TEMPLATED)
def test_a_value_is_escaped_in_every_place(name):
    section = doc.Section(id="s", title=HOSTILE, blocks=(doc.Paragraph(text=(HOSTILE,)),))
    report = doc.Report(title=HOSTILE, sections=(section,))
    assert RAW[name] not in render_report(report, name)[FILES[name]].decode()
