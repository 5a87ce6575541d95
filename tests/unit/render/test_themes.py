"""Themes: found by name or folder, read with care, laid under the templates of the user's."""

import pytest

from reportgen.records.document import Paragraph, Report, Section
from reportgen.records.errors import UnknownNameError, UsageError
from reportgen.render import Page, RenderContext, find_theme, render

REPORT = Report(
    title="Title",
    abstract=("Brief.",),
    authors=("Ada Writer (University of Somewhere) <ada@example.org>", "B. Other"),
    sections=(Section(id="s", title="S", blocks=(Paragraph(text=("Words",)),)),),
)


def source(theme, form="latex", **context):
    files = render(REPORT, form, context=RenderContext(theme=theme, **context))
    return files["report.tex" if form == "latex" else "report.typ"].decode()


@pytest.fixture
def own(tmp_path):
    """A theme of a newcomer's: one folder, one template, one file of measures."""
    folder = tmp_path / "themes" / "mine"
    (folder / "latex").mkdir(parents=True)
    (folder / "latex" / "report.j2").write_text(
        '<% extends "base/report.j2" %><% block fonts %><%= super() %>% MY FONTS\n<% endblock %>'
    )
    (folder / "theme.toml").write_text('about = "mine"\npaper = "letter"\nsize = 12\n')
    return folder


@pytest.mark.parametrize(
    ("name", "paper", "columns", "text"),
    [("plain", "a4", 1, 160.0), ("acl", "a4", 2, 160.0), ("neurips", "letter", 1, 139.7)],
)
def test_each_theme_brings_its_page(tmp_path, name, paper, columns, text):
    page = find_theme(name, home=tmp_path).page
    assert (page.paper, page.columns, page.text) == (paper, columns, text)
    # Five and a half inches stay that on any paper; other margins stay what they are.
    wider = find_theme(name, home=tmp_path, paper="letter", columns=1).page
    assert wider.text == pytest.approx(139.7 if name == "neurips" else 165.9)


def test_a_theme_is_a_folder_beside_the_study_or_among_the_templates(own, tmp_path):
    by_path = find_theme("themes/mine", home=tmp_path)
    by_name = find_theme("mine", home=tmp_path / "elsewhere", template_dirs=(tmp_path,))
    assert by_path == by_name
    assert by_path.page == Page(paper="letter", size=12)
    written = source(by_path)
    assert "% MY FONTS" in written
    assert r"\documentclass[12pt,letterpaper]{article}" in written


def test_a_strangers_theme_runs_in_the_sandbox(own, tmp_path):
    theme = find_theme("mine", home=tmp_path, template_dirs=(tmp_path,))
    assert RenderContext(theme=theme).foreign_dirs == (own,)
    assert RenderContext(theme=find_theme("acl", home=tmp_path)).foreign_dirs == ()
    (own / "latex" / "report.j2").write_text("<%= ().__class__.__mro__ %>")
    with pytest.raises(Exception, match="unsafe"):
        source(theme)


def test_an_unknown_theme_is_answered_with_those_there_are(tmp_path):
    with pytest.raises(UnknownNameError) as caught:
        find_theme("nips", home=tmp_path)
    assert "acl, neurips, plain" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("columns = 3", "columns"),
        ('paper = "a3"', "paper"),
        ("size = 9", "size"),
        ("margin = 'wide'", "margin"),
        ("margin = -1", "margin"),
        ("margin = true", "margin"),
        ("colour = 3", "colour"),
        ("columns = ", "Invalid value"),
        (f"columns = 0x{'f' * 5000}", "theme.toml"),
        ("margin = 90", "30 x"),
        ("text_width = 300", "300 x"),
        ("columns = 2\ngutter = 100", "30 x"),
    ],
)
def test_a_fault_in_the_measures_is_told(own, tmp_path, text, told):
    (own / "theme.toml").write_text(text)
    with pytest.raises(UsageError) as caught:
        find_theme("mine", home=tmp_path, template_dirs=(tmp_path,))
    assert told in str(caught.value)
    assert caught.value.remedy


def test_a_theme_nested_too_deep_for_a_parser_is_said(tmp_path):
    (tmp_path / "look").mkdir()
    (tmp_path / "look" / "theme.toml").write_text(f"paper = {'[' * 5000}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"theme\.toml"):
        find_theme("look/", home=tmp_path)
