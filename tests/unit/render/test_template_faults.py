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


@pytest.mark.parametrize("row", ROWS["what_an_engine_refuses"], ids=lambda row: row["why"])
def test_what_an_engine_refuses_is_named(own, row, monkeypatch):
    form, template = row["form"], f"{row['form']}/{row.get('template', 'blocks/table.j2')}"
    if form == "latex":
        require_pdflatex()
    monkeypatch.setattr(LIMITS, "engine_seconds", row.get("seconds", LIMITS.engine_seconds))
    own.change(template, row["old"], row["new"])
    own.write(template, row.get("before", "") + (own.folder / template).read_text("utf-8"))
    fault = own.fault(form, make(*row.get("cells", ()), title=row.get("title", "A title")))
    path, _, line = fault.details["template"].rpartition(":")
    assert Path(path) == own.folder / template
    assert row["line"] in Path(path).read_text(encoding="utf-8").split("\n")[int(line) - 1]
    assert fault.details["block"] == row.get("block", "runs")
    assert fault.details["value"] == row.get("value", fault.details["value"])
    assert row.get("message", "") in fault.message
    assert row.get("remedy", "") in fault.remedy
