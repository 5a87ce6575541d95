"""Text of strangers: what is said reaches the page, and nothing of it is a command."""

from __future__ import annotations

import re

import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.render import _escape_latex, _escape_typst
from reportgen.render._escape import breakable, clean, clean_prose, listing_lines

COMMAND = re.compile(r"\\(?:[a-zA-Z]+|.)")


def test_ordinary_words_are_left_as_they_are():
    assert _escape_latex.escape("Six runs, three seeds.") == "Six runs, three seeds."
    assert _escape_typst.escape("Six runs.") == '#"Six runs.";'


@pytest.mark.parametrize("name", "\\{}$&#%_^~\"'`<>|")
def test_each_active_character_has_a_spelling(name):
    assert _escape_latex.spell(name) != name


@given(st.text())
def test_latex_holds_no_character_that_is_read_as_a_command(text):
    spelled = _escape_latex.escape(text)
    bare = COMMAND.sub("", spelled)
    assert not set(bare) & set("\\$&#%_~\"'`<>|\x00\x07\n") - {"~", "^", "_", "'", '"', "`"}
    assert spelled.isascii()
    # Every brace is a command's or a pair.
    assert bare.count("{") == bare.count("}")
    assert "--" not in spelled
    assert ",," not in spelled


@given(st.text())
def test_a_typst_literal_ends_where_it_should(text):
    literal = _escape_typst.quote(clean(text))
    inside = re.sub(r"\\[\\\"]", "", literal[1:-1])
    assert '"' not in inside
    assert "\\" not in inside
    assert not re.search(r"[\x00-\x1f\u202a-\u202e]", literal)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(), min_size=1, max_size=8))
def test_typst_reads_back_what_was_quoted(texts):
    source = "#metadata((" + "".join(f"{_escape_typst.quote(clean(t))}, " for t in texts) + "))<x>"
    found = typst.query(source.encode(), "<x>", field="value", one=True)
    import json

    assert json.loads(found) == [_escape_typst.drawable(clean(t)) for t in texts]


@given(st.text())
def test_breaking_changes_no_character(text):
    assert "".join(breakable(text)) == text


def test_short_words_are_not_broken():
    assert breakable("best_step of a/b") == ("best_step of a/b",)


def test_long_names_can_break_after_separators_and_inside_runs():
    assert breakable("runs/RoBERTa_small_fr/valid/seed_12") == (
        "runs/", "RoBERTa_", "small_", "fr/", "valid/", "seed_", "12",
    )  # fmt: skip
    assert max(map(len, breakable("x" * 300))) == 12
    assert breakable("https://arxiv.org/abs/1706.03762")[-1] == "1706.03762"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a\x00b\x07c", "abc"),
        ("\u202eabc\u202c", "abc"),
        ("a\tb\nc", "a b c"),
        ("e\u0301", "\u00e9"),
        ("a\u00adb\u200bc", "abc"),
    ],
)
def test_what_cannot_be_seen_is_dropped(text, printed):
    assert clean(text) == printed


def test_apostrophes_of_words_are_set_as_such():
    assert clean_prose("the run's and the runs' 'x'") == "the run\u2019s and the runs\u2019 'x'"


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("\u65e5", "[U+65E5]"),
        ("\U0001f680", "[U+1F680]"),
        ("\u00e9", r"\'{e}"),
        ("\u0142", r"\l{}"),
        ("\u03b1", r"\ensuremath{\alpha}"),
        ("\u0394", r"\ensuremath{\Delta}"),
        ("\u00b2", r"\ensuremath{^{2}}"),
        ("\u2212", r"\ensuremath{-}"),
        ("--", "-{}-"),
        ("---", "-{}-{}-"),
    ],
)
def test_latex_beyond_ascii(text, spelled):
    assert _escape_latex.spell(text) == spelled


def test_typst_names_characters_that_its_fonts_lack():
    assert _escape_typst.quote("\u65e5\u00e9") == '"[U+65E5]\u00e9"'


def test_wide_lines_of_a_listing_go_on_after_a_hook():
    lines = listing_lines("x" * 200)
    assert [len(line) for line in lines] == [88, 88, 28]
    assert all(line.startswith("\u21aa ") for line in lines[1:])
    assert "".join(line.removeprefix("\u21aa ") for line in lines) == "x" * 200
