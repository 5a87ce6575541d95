"""Finished pages by both engines: the same numbers, names as they are, the same bytes."""

import io
from dataclasses import replace

import pypdf
import pytest
from fakes.pdf_engines import complaints, pages, require_pdflatex, squeezed
from fakes.sample_report import HOSTILE, make_report

from reportgen.records.document import Listing, Paragraph, Report, Section
from reportgen.records.errors import EngineError
from reportgen.render import (
    LIMITS,
    Compiled,
    RenderContext,
    choose_engine,
    compile_latex,
    compile_typst,
    find_theme,
    render,
    render_pdf,
    svg_to_pdf,
)

pytestmark = pytest.mark.slow
MOMENT = 1_700_000_000
ENGINES = ["typst", pytest.param("latex", marks=pytest.mark.latex)]


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    if request.param == "latex":
        require_pdflatex()
    return request.param


@pytest.fixture(scope="module")
def compiled(figures):
    """Compile a report, once for each."""
    done: dict[tuple[int, str], tuple[Report, Compiled]] = {}

    def compile_report(report: Report, engine: str) -> Compiled:
        key = (id(report), engine)
        if key not in done:
            attached = {"report.json": b"{}", "metrics.csv": b"a,b\n"}
            pages = render_pdf(
                report, figures, RenderContext(),
                engine=engine, attachments=attached, timestamp=MOMENT,
            )  # fmt: skip
            # The report is kept: no other one may get its id.
            done[key] = report, pages
        return done[key][1]

    return compile_report


def one_paragraph(*text) -> Report:
    section = Section(id="s", title="S", blocks=(Paragraph(text=tuple(text)),))
    return Report(title="T", sections=(section,))


def test_the_pages_are_set_without_a_complaint(report, compiled, engine):
    found = compiled(report, engine)
    assert found.pdf.startswith(b"%PDF-")
    assert complaints(found) == []
    assert engine in found.engine or "pdfTeX" in found.engine


def test_what_the_fonts_lack_is_drawn_by_others_or_named_once(compiled, engine):
    georgian, unassigned = "\u10d0", "\u0378"
    found = compiled(one_paragraph(f"{georgian} {unassigned} {unassigned}"), engine)
    (warning,) = found.warnings
    assert warning.count("U+0378") == 1
    text = "".join(pages(found.pdf))
    assert text.count("[U+0378]") == 2
    assert (georgian in text) == ("U+10D0" not in warning)
    assert engine == "typst" or "U+10D0" in warning


@pytest.mark.parametrize("place", ["title", "author", "caption", "section", "listing", "alt"])
def test_hostile_names_are_harmless_in_every_place(place, compiled, engine, figures):
    text = " ".join(HOSTILE)
    report = make_report(names=("x",))
    figure = report.sections[2].blocks[1]
    listing = report.sections[1].blocks[2].blocks[4]
    changed = {
        "title": replace(report, title=text),
        "author": replace(report, authors=(text,)),
        "section": replace(report, sections=(replace(report.sections[4], title=text),)),
        "caption": Report(title="T", sections=(
            Section(id="s", title="S", blocks=(replace(figure, caption=(text,)),)),)),
        "listing": Report(title="T", sections=(
            Section(id="s", title="S", blocks=(replace(listing, text="\n".join(HOSTILE)),)),)),
        "alt": Report(title="T", sections=(
            Section(id="s", title="S", blocks=(replace(figure, alt=text),)),)),
    }[place]  # fmt: skip
    if place in {"title", "author"}:
        changed = replace(changed, sections=report.sections[4:], abstract=())
    found = compiled(changed, engine)
    if place != "alt":
        assert "/etc/hostname}" in squeezed("".join(pages(found.pdf)))
    assert complaints(found) == []


def test_every_figure_and_equation_has_an_alternative_text(report, compiled):
    reader = pypdf.PdfReader(io.BytesIO(compiled(report, "typst").pdf))
    alts = []

    def walk(node):
        node = node.get_object()
        if isinstance(node, list):
            for kid in node:
                walk(kid)
        elif isinstance(node, dict):
            if node.get("/S") in {"/Figure", "/Formula"}:
                alts.append(node.get("/Alt"))
            if "/K" in node:
                walk(node["/K"])

    walk(reader.trailer["/Root"]["/StructTreeRoot"]["/K"])
    assert len(alts) >= 6
    assert all(alts)
    assert any("Line chart" in alt for alt in alts)
    assert any("16,517,120" in alt for alt in alts)


# --- faults ---------------------------------------------------------------------------


def test_without_pdflatex_the_packages_are_named(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EngineError) as caught:
        compile_latex({"a.tex": b""}, "a.tex")
    assert "texlive-latex-recommended" in caught.value.remedy


def test_where_the_standards_cannot_be_met_a_plain_pdf_comes_with_a_warning():
    source = b'#set document(title: "t")\n#image("a.svg")\n'
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    found = compile_typst({"a.typ": source, "a.svg": svg}, "a.typ", timestamp=MOMENT)
    assert found.pdf.startswith(b"%PDF-")
    assert "alt" in found.warnings[0]


def test_a_file_that_leads_out_of_the_folder_is_refused():
    with pytest.raises(EngineError, match="leads out"):
        compile_typst({"../a.typ": b"", "b.typ": b""}, "b.typ")


def test_typst_cannot_read_outside_its_folder():
    with pytest.raises(EngineError):
        compile_typst({"a.typ": b'#read("/etc/hostname") #read("../../etc/hostname")'}, "a.typ")


LEGAL = b'#set document(title: "t")\n#title()\nx\n'


def test_a_foreign_source_gives_the_same_bytes_in_a_child():
    apart = compile_typst({"a.typ": LEGAL}, "a.typ", timestamp=MOMENT, foreign=True)
    assert apart == compile_typst({"a.typ": LEGAL}, "a.typ", timestamp=MOMENT)
    assert apart.warnings == ()


@pytest.mark.parametrize(
    "attack",
    [
        b'#let s = "x" * 1000\n#while true { s = s + s }',
        b"#let n = 0\n#range(10000000000).len()",
        b'#import "@preview/anything:0.1.0": x',
        b"#undefined-name",
    ],
)
def test_a_foreign_source_meets_limits(attack, monkeypatch):
    monkeypatch.setattr(LIMITS, "engine_seconds", 5)
    monkeypatch.setattr(LIMITS, "engine_memory_bytes", 2**30)
    with pytest.raises(EngineError, match="typst"):
        compile_typst({"a.typ": LEGAL + attack}, "a.typ", foreign=True)


def test_a_fault_in_a_child_names_the_block_too():
    source = LEGAL + b"// rg my-table blocks/table.j2\n#undefined-name\n"
    with pytest.raises(EngineError, match=r"my-table.*blocks/table\.j2"):
        compile_typst({"a.typ": source}, "a.typ", foreign=True)


BARE = rb"\documentclass{article}\begin{document}%s\end{document}"


@pytest.mark.latex
class TestPdflatex:
    """What pdflatex may and may not do."""

    @pytest.fixture(autouse=True)
    def _there(self):
        require_pdflatex()

    @pytest.mark.parametrize(
        "attack",
        [
            rb"\input{/etc/hostname}",
            rb"\input{../../../etc/hostname}",
            rb'\input{|"id"}',
            rb"\newwrite\f\immediate\openout\f=/tmp/reportgen-owned\immediate\write\f{x}",
        ],
    )
    def test_nothing_outside_the_folder_is_read_or_written(self, attack, tmp_path):
        with pytest.raises(EngineError):
            compile_latex({"a.tex": BARE % attack}, "a.tex")

    def test_no_shell_is_started(self, tmp_path):
        target = tmp_path / "owned"
        source = BARE % (rb"x\immediate\write18{touch %s}" % str(target).encode())
        compile_latex({"a.tex": source}, "a.tex")
        assert not target.exists()

    def test_an_endless_loop_is_ended(self, monkeypatch):
        monkeypatch.setattr(LIMITS, "engine_seconds", 1)
        with pytest.raises(EngineError):
            compile_latex({"a.tex": BARE % rb"\loop\iftrue\repeat"}, "a.tex")

    def test_endless_pages_are_ended(self, monkeypatch):
        monkeypatch.setattr(LIMITS, "engine_file_bytes", 20_000)
        with pytest.raises(EngineError):
            compile_latex({"a.tex": BARE % rb"\loop x\newpage\iftrue\repeat"}, "a.tex")

    def test_a_missing_package_is_named(self):
        source = rb"\documentclass{article}\usepackage{no-such}\begin{document}\end{document}"
        with pytest.raises(EngineError, match=r"no-such\.sty") as caught:
            compile_latex({"a.tex": source}, "a.tex")
        assert "apt install" in caught.value.remedy

    def test_a_line_that_is_too_wide_is_told(self):
        found = compile_latex({"a.tex": BARE % (b"\\mbox{" + b"x" * 200 + b"}")}, "a.tex")
        assert "too wide" in found.warnings[0]

    def test_a_listing_stands_in_its_column_where_paragraphs_are_indented(self, tmp_path):
        words = Paragraph(text=("Words.",))
        listing = Listing(id="l", caption=("Words.",), text="print(1)", language="py")
        section = Section(id="s", title="S", blocks=(words, words, listing))
        report = Report(title="T", sections=(section,))
        context = RenderContext(theme=find_theme("acl", home=tmp_path))
        files = render(report, "latex", {}, context)
        assert compile_latex(files, "report.tex").warnings == ()

    def test_the_source_compiles_without_latin_modern(self, written):
        files = written("latex")
        files["report.tex"] = files["report.tex"].replace(b"{lmodern.sty}", b"{no-such.sty}")
        found = compile_latex(files, "report.tex")
        assert complaints(found) == []
        assert "80.6" in "".join(pages(found.pdf))


# --- choice of the engine -------------------------------------------------------------


@pytest.mark.latex
def test_overridden_latex_templates_choose_pdflatex(tmp_path):
    require_pdflatex()
    (tmp_path / "latex").mkdir()
    assert choose_engine("auto", (tmp_path,)) == "typst"
    (tmp_path / "latex" / "report.j2").write_text("")
    assert choose_engine("auto", (tmp_path,)) == "latex"
    assert choose_engine("typst", (tmp_path,)) == "typst"


def test_overridden_latex_without_pdflatex_is_not_ignored(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    (tmp_path / "latex").mkdir()
    (tmp_path / "latex" / "report.j2").write_text("")
    with pytest.raises(EngineError, match="pdflatex"):
        choose_engine("auto", (tmp_path,))


def test_without_any_engine_the_remedies_are_told(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setitem(__import__("sys").modules, "typst", None)
    with pytest.raises(EngineError):
        choose_engine("auto")


def test_a_figure_that_is_none_is_named():
    with pytest.raises(EngineError, match="'broken'"):
        svg_to_pdf({"broken": b"not an image"})
