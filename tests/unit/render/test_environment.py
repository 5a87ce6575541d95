"""Templates: found in order, escaped by default, faults told with file, line and block."""

from pathlib import Path

import pytest
from fakes.rows import rows_beside
from fakes.sample_report import make_report

from reportgen.records.document import Emphasis, Paragraph, Report, Section, Table, walk
from reportgen.records.errors import TemplateError
from reportgen.render import RenderContext, forget_templates, render

ROWS = rows_beside(__file__)


@pytest.fixture
def folder(tmp_path):
    """A template folder of the user's for LaTeX."""
    (tmp_path / "latex" / "blocks").mkdir(parents=True)
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / "latex" / name).write_text(text)


def test_an_override_can_extend_the_packaged_report(written, folder):
    write(
        folder,
        "report.j2",
        '<% extends "base/report.j2" %>'
        "<% block preamble %><%= super() %>% MINE & #1\n<% endblock %>",
    )
    source = written("latex", folders=(folder,))["report.tex"].decode()
    assert "% MINE & #1" in source
    assert r"\documentclass[10pt,a4paper]{article}" in source


MARKED = Report(
    title="T",
    sections=(
        Section(id="s", title="S", blocks=(Paragraph(id="p", text=("a & ", Emphasis(("b",)))),)),
    ),
)


@pytest.mark.parametrize(("template", "printed"), ROWS["values_are_escaped_unless_they_are_raw"])
def test_values_are_escaped_unless_they_are_raw(written, folder, template, printed):
    write(folder, "blocks/paragraph.j2", f"[{template}]")
    source = written("latex", of=MARKED, folders=(folder,))["report.tex"].decode()
    assert f"[{printed}]" in source


def test_a_template_that_is_not_utf_8_is_told_with_file_and_line(written, folder):
    (folder / "latex" / "blocks" / "table.j2").write_bytes(b"one\ntwo\ncaf\xe9\n")
    with pytest.raises(TemplateError, match=r"table\.j2:3: this line is not UTF-8") as caught:
        written("latex", folders=(folder,))
    assert caught.value.details["block"]


@pytest.mark.parametrize("attack", ROWS["foreign_templates_reach_nothing_private"])
def test_foreign_templates_reach_nothing_private(written, folder, attack):
    write(folder, "blocks/bullets.j2", attack)
    with pytest.raises(TemplateError):
        written("latex", folders=(folder,))


@pytest.mark.parametrize("name", ["../../secret", "/etc/hostname"])
def test_templates_outside_the_folder_are_not_read(written, folder, name):
    (folder.parent / "secret").write_text("SECRET")
    write(folder, "blocks/paragraph.j2", f'<% include "{name}" %>')
    with pytest.raises(TemplateError):
        written("latex", folders=(folder,))


def test_a_link_that_leads_out_is_refused(written, folder, tmp_path):
    secret = tmp_path / "secret.j2"
    secret.write_text("SECRET")
    (folder / "latex" / "blocks" / "paragraph.j2").symlink_to(secret)
    with pytest.raises(TemplateError, match="link"):
        written("latex", folders=(folder,))


def test_packaged_templates_are_compiled_once_as_modules_are(written, tmp_path, monkeypatch):
    plain = written("latex")
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("sys.pycache_prefix", str(tmp_path))
    forget_templates()
    assert written("latex") == plain
    kept = list(tmp_path.rglob("*.jinja"))
    assert len(kept) > 5
    kept[0].write_bytes(kept[0].read_bytes()[:-9])
    kept[1].write_bytes(b"")
    with monkeypatch.context() as without:
        without.setattr("jinja2.Environment._generate", None)
        forget_templates()
        with pytest.raises(TemplateError):  # but for the two that are damaged
            written("latex")
    forget_templates()
    assert written("latex") == plain
    forget_templates()


ENDINGS = {"latex": "tex", "typst": "typ", "markdown": "md", "html": "html"}
REPORT = make_report()
TABLES = [block for block in walk(REPORT.sections) if isinstance(block, Table)]


@pytest.mark.parametrize("form", ENDINGS)
@pytest.mark.parametrize("name", ["table", f"table.{TABLES[0].id}"])
def test_a_kind_or_a_single_block_is_replaced(form, name, figures, tmp_path):
    path = tmp_path / form / "blocks" / f"{name}.j2"
    path.parent.mkdir(parents=True)
    path.write_text("REPLACED", encoding="utf-8")
    context = RenderContext(template_dirs=(tmp_path,))
    files = render(REPORT, form, figures, context)
    expected = len(TABLES) if name == "table" else 1
    assert files[f"report.{ENDINGS[form]}"].decode().count("REPLACED") == expected
