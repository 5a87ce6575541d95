"""Faults of templates, of each kind in each format: template, line, block and value."""

import datetime as dt
from pathlib import Path

import pytest
from fakes.pdf_engines import require_pdflatex
from fakes.rows import rows_beside

from reportgen.records import document as doc
from reportgen.records.errors import TemplateError
from reportgen.render import LIMITS, RenderContext, packaged_templates, render_bundle

ROWS = rows_beside(__file__)
pytestmark = pytest.mark.slow
MOMENT = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
ENDINGS = {"latex": "tex", "typst": "typ", "markdown": "md", "html": "html"}


def cells(*values):
    columns = (doc.TableColumn(title=("Run",)), doc.TableColumn(title=("Note",)))
    rows = tuple(doc.TableRow(cells=((f"run {i}",), (doc.Code(v),))) for i, v in enumerate(values))
    return doc.Table(id="runs", caption=("All runs",), columns=columns, rows=rows)


def make(*values, title="A title"):
    first = doc.Paragraph(id="first", text=("Nothing is the matter here.",))
    last = doc.Paragraph(id="last", text=("The last words.",))
    section = doc.Section(id="all", title="All", blocks=(first, cells(*(values or ("x",))), last))
    return doc.Report(title=title, sections=(section,), lang="en")


class Project:
    """A folder of templates, and what comes of a report with them."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def change(self, name, old, new):
        source = (packaged_templates() / name).read_text("utf-8")
        assert old in source
        self.write(name, source.replace(old, new))

    def build(self, form, report=None, *, pages=True):
        pages = pages and form in {"latex", "typst"}
        return render_bundle(
            report or make(),
            {},
            endings=("pdf", ENDINGS[form]) if pages else (ENDINGS[form],),
            context=RenderContext(template_dirs=(self.folder,)),
            engine=form if pages else "typst",
            metrics=b"",
            moment=MOMENT,
        )

    def fault(self, form, report=None):
        try:
            bundle = self.build(form, report)
        except TemplateError as fault:
            return fault
        assert not [name for name in bundle.files if name.endswith(".pdf")]
        assert isinstance(bundle.fault, TemplateError), bundle.fault
        assert bundle.fault.stage == form
        return bundle.fault


@pytest.fixture
def own(tmp_path):
    return Project(tmp_path)


@pytest.fixture
def tex(own):
    require_pdflatex()
    return own


def say(form, text):
    return f"{{{{ {text} }}}}" if form in {"markdown", "html"} else f"<%= {text} %>"


def do(form, text):
    return f"{{% {text} %}}" if form in {"markdown", "html"} else f"<% {text} %>"


EVERY = pytest.mark.parametrize("form", ENDINGS)


# --- what Jinja refuses ---------------------------------------------------------------


@EVERY
@pytest.mark.parametrize(("text", "message"), ROWS["an_expression_is_told_with_line_and_text"])
def test_an_expression_is_told_with_line_and_text(own, form, text, message):
    own.write(f"{form}/blocks/paragraph.j2", f"one\n\n{say(form, text)}\n")
    if not message:
        assert own.build(form, pages=False).files
        return
    fault = own.fault(form)
    assert message in fault.message
    assert "Raw" not in str(fault)
    assert fault.details["template"].endswith(f"{form}/blocks/paragraph.j2:3")
    assert fault.details["line"] == say(form, text)
    assert fault.details["block"] == "first"
    assert fault.exit_code == 4
    if text == "text / 2":
        assert "text = " in fault.details["value"]


@EVERY
def test_an_include_of_what_is_not_there_is_told_with_the_nearest(own, form):
    own.write(f"{form}/blocks/paragraph.j2", "\n" + do(form, 'include "blocks/tabel.j2"'))
    fault = own.fault(form)
    assert "'blocks/tabel.j2' was not found; did you mean 'blocks/table.j2'?" in fault.message
    assert fault.details["template"].endswith("paragraph.j2:2")


@EVERY
def test_a_loop_without_an_end_is_ended(own, form, monkeypatch):
    monkeypatch.setattr(LIMITS, "loop_seconds", 0.3)
    loops = do(form, "for i in range(99999)") * 3 + do(form, "endfor") * 3
    own.write(f"{form}/blocks/paragraph.j2", loops)
    assert "a loop was ended" in own.fault(form).message


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_in_texts_a_raw_value_is_the_users_own_doing(own, form):
    own.write(f"{form}/report.j2", "{{ title|raw }}")
    assert own.build(form, make(title="plain")).files


# --- what an engine refuses -----------------------------------------------------------


def test_a_raw_cell_in_latex_is_named_among_many(tex):
    values = ("fine", "also fine", "50% done & a_b", "fine again")
    tex.change(
        "latex/blocks/table.j2",
        '{}<%= row.cells|join(" & "|raw) %>',
        "{}x & <%= block.rows[loop.index0].cells[1][0].text|raw %>",
    )
    fault = tex.fault("latex", make(*values))
    assert fault.details["block"] == "runs"
    assert fault.details["value"] == "'50% done & a_b' contains unescaped % & _"
    assert ":" in fault.details["template"]
    assert "|raw" in fault.remedy
    line = (
        (tex.folder / "latex/blocks/table.j2")
        .read_text()
        .split("\n")[int(fault.details["template"].rpartition(":")[2]) - 1]
    )
    assert "cells[1][0].text|raw" in line


@pytest.mark.parametrize("value", ["a & b", "a_b", "a#b", "a {b", "a} b", "a \\b", "a^b", "a$b"])
def test_each_raw_sign_is_named(tex, value):
    tex.change("latex/report.j2", "<%= title %>", "<%= title|raw %>")
    fault = tex.fault("latex", make(title=f"so {value}"))
    sign = next(c for c in value if c in "&_#{}\\^$")
    assert fault.details["block"] == "report"
    assert fault.details["value"] == f"title = {f'so {value}'!r} contains unescaped {sign}"
    assert "latex/report.j2:" in fault.details["template"]


def test_a_raw_percent_that_swallows_the_rest_of_the_file_is_found(tex):
    tex.change(
        "latex/blocks/table.j2", r"\caption{<%= caption %>}", r"\caption{<%= report_note|raw %>}"
    )
    source = (tex.folder / "latex/blocks/table.j2").read_text()
    note = "<% set report_note = block.rows[0].cells[1][0].text %>\n"
    tex.write("latex/blocks/table.j2", note + source)
    fault = tex.fault("latex", make("50% done"))
    assert "File ended while scanning" in fault.message
    assert fault.details["block"] == "runs"
    assert fault.details["value"] == "'50% done' contains unescaped %"


def test_a_missing_brace_is_found_in_its_template(tex):
    tex.change("latex/blocks/table.j2", r"\caption{<%= caption %>}", r"\caption{<%= caption %>")
    fault = tex.fault("latex")
    assert fault.details["block"] == "runs"
    assert not fault.details["value"]
    path, _, line = fault.details["template"].rpartition(":")
    assert r"\caption{" in Path(path).read_text(encoding="utf-8").split("\n")[int(line) - 1]


def test_a_loop_of_tex_without_an_end_is_killed_and_its_block_named(tex, monkeypatch):
    monkeypatch.setattr(LIMITS, "engine_seconds", 4)
    tex.change("latex/blocks/table.j2", r"\centering", r"\loop\iftrue\repeat")
    fault = tex.fault("latex")
    assert fault.details["block"] == "runs"
    assert "did not finish within 4 seconds" in fault.message
    assert "endless loop" in fault.remedy
    path, _, line = fault.details["template"].rpartition(":")
    assert "iftrue" in Path(path).read_text(encoding="utf-8").split("\n")[int(line) - 1]


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"), ROWS["a_literal_that_is_printed_raw_is_named_with_its_line"]
)
def test_a_literal_that_is_printed_raw_is_named_with_its_line(own, name, old, new, reason):
    own.change(f"typst/{name}", old, new)
    fault = own.fault("typst")
    path, _, line = fault.details["template"].rpartition(":")
    assert "|raw" in Path(path).read_text(encoding="utf-8").split("\n")[int(line) - 1]
    assert reason in fault.message
    assert fault.details["block"] == ("report" if name == "report.j2" else "runs")
    assert "|raw" in fault.remedy


def test_a_raw_value_in_typst_is_named(own):
    own.change(
        "typst/blocks/table.j2",
        "caption: [<%= caption %>]",
        "caption: [<%= block.rows[0].cells[1][0].text|raw %>]",
    )
    fault = own.fault("typst", make("a #b [c"))
    assert fault.details["block"] == "runs"
    assert fault.details["value"] == "'a #b [c' contains unescaped # ["
    assert "typst/blocks/table.j2:" in fault.details["template"]


def test_a_loop_of_typst_without_an_end_is_named(own):
    own.change("typst/blocks/table.j2", "#figure(", "#while true { }\n#figure(")
    fault = own.fault("typst")
    assert fault.details["block"] == "runs"
    assert "while true" in Path(fault.details["template"].rpartition(":")[0]).read_text(
        encoding="utf-8"
    )
