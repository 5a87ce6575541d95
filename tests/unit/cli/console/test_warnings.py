"""What is the matter on a terminal: one line a kind, with a count and the first places."""

import pytest
from fakes.rows import rows_beside

from reportgen.cli.console import warning_lines
from reportgen.records.source import kind_of_message

ROWS = rows_beside(__file__)

FOLDED = ROWS["folded"]


@pytest.mark.parametrize(("told", "lines"), FOLDED)
def test_one_line_a_kind(told, lines):
    assert list(warning_lines(told)) == lines


def test_notes_follow_the_warnings():
    assert list(warning_lines(["a: bad"], ["b: odd"])) == ["warning: a: bad", "note: b: odd"]


@pytest.mark.parametrize("count", [7, 50, 5000])
def test_few_lines_for_any_lab(count):
    kinds = [
        "bad " + str(n).translate(str.maketrans("0123456789", "abcdefghij")) for n in range(count)
    ]
    lines = list(warning_lines([f"{n}.csv: {kind}" for n, kind in enumerate(kinds)]))
    assert len(lines) == 6
    assert lines[-1].startswith(f"  and {count - 5} more kinds")
    assert max(map(len, lines)) <= 410


def test_a_word_is_gone_through_once_however_long_it_is():
    """Once more for each of its letters would take hours."""
    long = "x" * 1_000_000
    assert kind_of_message(f"{long} in a/b.csv") == f"{long} in …"
