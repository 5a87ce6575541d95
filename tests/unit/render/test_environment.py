"""Templates: found in order, escaped by default, faults told with file, line and block."""

from pathlib import Path

import pytest

from reportgen.records.document import Emphasis, Paragraph, Report, Section
from reportgen.records.errors import TemplateError
from reportgen.render import packaged_templates


@pytest.fixture
def folder(tmp_path):
    """A template folder of the user's for LaTeX."""
    (tmp_path / "latex" / "blocks").mkdir(parents=True)
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / "latex" / name).write_text(text)


def test_the_packaged_templates_are_there():
    assert (packaged_templates() / "latex" / "report.j2").is_file()


def test_the_packaged_templates_serve_where_nothing_is_overridden(written):
    source = written("latex")["report.tex"].decode()
    assert r"\begin{document}" in source


def test_one_kind_of_block_can_be_overridden(written, folder):
    write(folder, "blocks/paragraph.j2", r"\mypar{<%= text %>}")
    source = written("latex", folders=(folder,))["report.tex"].decode()
    assert r"\mypar{The encoder's count is}".replace("'", r"\textquoteright{}") in source
    assert r"\begin{tabular}" in source


def test_one_block_can_be_overridden_by_its_id(written, folder):
    write(folder, "blocks/table.best-step.j2", "MINE <%= caption %>")
    source = written("latex", folders=(folder,))["report.tex"].decode()
    assert source.count("MINE ") == 1
    assert r"\label{best-step}" not in source
    assert r"\label{params}" in source


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


def test_the_first_folder_wins(written, folder, tmp_path):
    project = tmp_path / "project"
    (project / "latex" / "blocks").mkdir(parents=True)
    (project / "latex" / "blocks" / "paragraph.j2").write_text("PROJECT")
    (project / "latex" / "blocks" / "bullets.j2").write_text("BULLETS")
    write(folder, "blocks/paragraph.j2", "NAMED")
    source = written("latex", folders=(folder, project))["report.tex"].decode()
    assert "NAMED" in source
    assert "BULLETS" in source
    assert "PROJECT" not in source


def test_a_folder_for_one_format_leaves_the_others_alone(written, folder):
    write(folder, "blocks/paragraph.j2", "MINE")
    assert b"MINE" not in written("typst", folders=(folder,))["report.typ"]


MARKED = Report(
    title="T",
    sections=(
        Section(id="s", title="S", blocks=(Paragraph(id="p", text=("a & ", Emphasis(("b",)))),)),
    ),
)


@pytest.mark.parametrize(
    ("template", "printed"),
    [
        ("<%= block.text[0] %> <%= block.text[0]|raw %> <%= 3 %> <%= '%' %>", r"a \&  a &  3 \%"),
        ("<%= text %>", r"a \& \emph{b}"),
        ('<%= ["%", text]|join(" + "|raw) %>', r"\% + a \& \emph{b}"),
        (
            "<% macro x(v) %>x<%= v %><% endmacro %><% set s %>y<% endset %><%= x('&') %><%= s %>",
            r"x\&y",
        ),
    ],
)
def test_values_are_escaped_unless_they_are_raw(written, folder, template, printed):
    write(folder, "blocks/paragraph.j2", f"[{template}]")
    source = written("latex", of=MARKED, folders=(folder,))["report.tex"].decode()
    assert f"[{printed}]" in source


def test_an_undefined_name_is_told_with_file_line_and_block(written, folder):
    write(folder, "blocks/table.j2", "line one\n<%= captoin %>\n")
    with pytest.raises(TemplateError) as caught:
        written("latex", folders=(folder,))
    message = str(caught.value)
    assert f"{folder}/latex/blocks/table.j2:2" in message
    assert "captoin" in message
    assert "best-step" in message
    assert caught.value.exit_code == 4


def test_a_syntax_error_is_told_with_file_and_line(written, folder):
    write(folder, "blocks/table.j2", "one\ntwo\n<% if %>\n")
    with pytest.raises(TemplateError, match=r"table\.j2:3"):
        written("latex", folders=(folder,))


def test_a_template_that_is_not_utf_8_is_told_with_file_and_line(written, folder):
    (folder / "latex" / "blocks" / "table.j2").write_bytes(b"one\ntwo\ncaf\xe9\n")
    with pytest.raises(TemplateError, match=r"table\.j2:3: this line is not UTF-8") as caught:
        written("latex", folders=(folder,))
    assert caught.value.details["block"]


def test_a_failing_expression_is_told_with_file_and_line(written, folder):
    write(folder, "blocks/paragraph.j2", "\n\n<%= 1 // 0 %>")
    with pytest.raises(TemplateError, match=r"paragraph\.j2:3"):
        written("latex", folders=(folder,))


@pytest.mark.parametrize(
    "attack",
    [
        "<%= ''.__class__.__mro__ %>",
        "<%= block.__init__.__globals__ %>",
        "<%= ''|attr('__class__') %>",
        "<% set _ = items.append(1) %>",
    ],
)
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
