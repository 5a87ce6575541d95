"""Annotations: nine of a level and a count, and no command of a stranger's."""

import re
from dataclasses import replace

import pytest
from fakes.reviews import hostile, reviewed, shown, unreadable, verdict

from reportgen.checking.projections import Rendering, summary
from reportgen.records.manuscript import Place


def lines(*reviews, **options) -> list[str]:
    return shown("github", *reviews, **options).splitlines()


def read(line: str) -> tuple[str, dict[str, str], str]:
    """Read a command as the runner of GitHub's actions does."""
    assert line.startswith("::")
    head, message = line[2:].split("::", 1)
    command, _, pairs = head.partition(" ")
    values = dict(pair.split("=", 1) for pair in pairs.split(",")) if pairs else {}

    def plain(text: str, more: tuple[tuple[str, str], ...] = ()) -> str:
        for code, char in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
            text = text.replace(code, char)
        return text

    marks = (("%3A", ":"), ("%2C", ","))
    return command, {k: plain(v, marks) for k, v in values.items()}, plain(message)


@pytest.mark.parametrize(("count", "shown"), [(9, 9), (10, 10), (11, 10), (300, 10)])
def test_nine_of_a_level_and_how_many_more(count, shown):
    told = lines(reviewed([verdict(i) for i in range(count)]))
    assert len(told) == shown
    if count > 9:
        assert read(told[-1])[2] == f"and {count - 9} more"


def test_levels_have_their_own_nine():
    levels = ("error", "warning", "note")
    told = lines(reviewed([verdict(i, level=levels[i % 3]) for i in range(60)]))
    assert [read(line)[0] for line in told] == [
        *["error"] * 10,
        *["warning"] * 10,
        *["notice"] * 10,
    ]


def test_a_page_has_no_line():
    one = verdict(1)
    one = replace(one, number=replace(one.number, place=Place(line=3, page=2)))
    _, where, _ = read(lines(reviewed([one]))[0])
    assert set(where) == {"file", "title"}


def test_a_report_that_could_not_be_checked_is_an_error():
    assert read(lines(unreadable())[0])[:2] == (
        "error", {"file": "broken.pdf", "title": "could not be checked"},
    )  # fmt: skip


def test_the_summary_holds_strangers_words_and_no_markdown_of_theirs():
    text = summary([hostile()], Rendering())
    for row in text.splitlines():
        if row.startswith("| "):
            assert len(re.findall(r"(?<!\\)\|", row)) in {5, 6}
    assert "<script" not in text
    assert not re.search(r"(?<!\\)[`*\[]", text.replace("# reportgen", ""))
