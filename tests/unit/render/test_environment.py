"""Templates: found in order, escaped by default, faults told with file, line and block."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportgen.errors import TemplateError
from reportgen.render import _environment
from reportgen.render._environment import (
    make_environment,
    packaged_templates,
    render_block,
    render_report,
)
from reportgen.render._inline import Raw
from reportgen.render.latex import render as render_latex
from reportgen.render.typst import render as render_typst


def shout(text: str) -> str:
    return text.upper()


@pytest.fixture
def folder(tmp_path):
    """A template folder of the user's for LaTeX."""
    (tmp_path / "latex" / "blocks").mkdir(parents=True)
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / "latex" / name).write_text(text)


def test_the_packaged_templates_serve_where_nothing_is_overridden(written):
    source = written(render_latex)["report.tex"].decode()
    assert r"\begin{document}" in source


def test_an_installed_copy_is_found_inside_the_package(tmp_path, monkeypatch):
    package = tmp_path / "site-packages" / "reportgen"
    monkeypatch.setattr(_environment, "__file__", str(package / "formats" / "_environment.py"))
    assert packaged_templates() == package.parent / "templates"
    (package / "_templates").mkdir(parents=True)
    assert packaged_templates() == package / "_templates"


def test_one_kind_of_block_can_be_overridden(written, folder):
    write(folder, "blocks/paragraph.j2", r"\mypar{<%= text %>}")
    source = written(render_latex, folders=(folder,))["report.tex"].decode()
    assert r"\mypar{The encoder's count is}".replace("'", r"\textquoteright{}") in source
    assert r"\begin{tabular}" in source


def test_one_block_can_be_overridden_by_its_id(written, folder):
    write(folder, "blocks/table.best-step.j2", "MINE <%= caption %>")
    source = written(render_latex, folders=(folder,))["report.tex"].decode()
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
    source = written(render_latex, folders=(folder,))["report.tex"].decode()
    assert "% MINE & #1" in source
    assert r"\documentclass[10pt,a4paper]{article}" in source


def test_the_first_folder_wins(written, folder, tmp_path):
    project = tmp_path / "project"
    (project / "latex" / "blocks").mkdir(parents=True)
    (project / "latex" / "blocks" / "paragraph.j2").write_text("PROJECT")
    (project / "latex" / "blocks" / "bullets.j2").write_text("BULLETS")
    write(folder, "blocks/paragraph.j2", "NAMED")
    source = written(render_latex, folders=(folder, project))["report.tex"].decode()
    assert "NAMED" in source
    assert "BULLETS" in source
    assert "PROJECT" not in source


def test_a_folder_for_one_format_leaves_the_others_alone(written, folder):
    write(folder, "blocks/paragraph.j2", "MINE")
    assert b"MINE" not in written(render_typst, folders=(folder,))["report.typ"]


def test_values_are_escaped_unless_they_are_raw(folder):
    write(folder, "blocks/x.j2", "<%= value %> <%= value|raw %> <%= 3 %> <%= 'lit' %>")
    environment = make_environment("latex", shout, (folder,))
    assert render_block(environment, "x", "", {"value": "a"}) == "A a 3 LIT"
    assert render_block(environment, "x", "", {"value": Raw("a")}) == "a a 3 LIT"


def test_join_escapes_each_item_once(folder):
    write(folder, "blocks/x.j2", '<%= values|join(" & "|raw) %>')
    environment = make_environment("latex", shout, (folder,))
    assert render_block(environment, "x", "", {"values": ["a", Raw("b")]}) == "A & b"


def test_what_macros_and_sets_produce_is_not_escaped_again(folder):
    write(
        folder,
        "blocks/x.j2",
        "<% macro twice(v) %>x<%= v %><%= v %><% endmacro %><% set s %>y<%= value %><% endset %>"
        "<%= twice(value) %><%= s %>",
    )
    environment = make_environment("latex", shout, (folder,))
    assert render_block(environment, "x", "", {"value": "a"}) == "xAAyA"


def test_an_undefined_name_is_told_with_file_line_and_block(written, folder):
    write(folder, "blocks/table.j2", "line one\n<%= captoin %>\n")
    with pytest.raises(TemplateError) as caught:
        written(render_latex, folders=(folder,))
    message = str(caught.value)
    assert f"{folder}/latex/blocks/table.j2:2" in message
    assert "captoin" in message
    assert "best-step" in message
    assert caught.value.exit_code == 4


def test_a_syntax_error_is_told_with_file_and_line(written, folder):
    write(folder, "blocks/table.j2", "one\ntwo\n<% if %>\n")
    with pytest.raises(TemplateError, match=r"table\.j2:3"):
        written(render_latex, folders=(folder,))


def test_a_template_that_is_not_utf_8_is_told_with_file_and_line(written, folder):
    (folder / "latex" / "blocks" / "table.j2").write_bytes(b"one\ntwo\ncaf\xe9\n")
    with pytest.raises(TemplateError, match=r"table\.j2:3: this line is not UTF-8") as caught:
        written(render_latex, folders=(folder,))
    assert caught.value.details["block"]


def test_a_failing_expression_is_told_with_file_and_line(written, folder):
    write(folder, "blocks/paragraph.j2", "\n\n<%= 1 // 0 %>")
    with pytest.raises(TemplateError, match=r"paragraph\.j2:3"):
        written(render_latex, folders=(folder,))


def test_a_missing_report_template_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(_environment, "packaged_templates", lambda: tmp_path)
    environment = make_environment("nothing", shout, (tmp_path,))
    with pytest.raises(TemplateError, match=r"report\.j2"):
        render_report(environment, {})


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
        written(render_latex, folders=(folder,))


@pytest.mark.parametrize("name", ["../../secret", "/etc/hostname"])
def test_templates_outside_the_folder_are_not_read(written, folder, name):
    (folder.parent / "secret").write_text("SECRET")
    write(folder, "blocks/paragraph.j2", f'<% include "{name}" %>')
    with pytest.raises(TemplateError):
        written(render_latex, folders=(folder,))


def test_a_link_that_leads_out_is_refused(written, folder, tmp_path):
    secret = tmp_path / "secret.j2"
    secret.write_text("SECRET")
    (folder / "latex" / "blocks" / "paragraph.j2").symlink_to(secret)
    with pytest.raises(TemplateError, match="link"):
        written(render_latex, folders=(folder,))
