"""What is the matter on a terminal: one line a kind, with a count and the first places."""

import pytest

from reportgen.cli.console import warning_lines
from reportgen.records.source import kind_of_message

HEADERS = [f"version_{i}/metrics.csv: 4 runs share one folder: version_{i}" for i in range(12)]
VERSIONS = ", ".join(f"version_{i}/metrics.csv" for i in range(3))
SEEDS = "b, seed 1, b, seed 2, b, seed 3"
FOLDED = [
    (["a.csv: empty"], ["warning: a.csv: empty"]),
    (["no PDF was made"], ["warning: no PDF was made"]),
    (
        [f"{n}.csv: line {i} is cut off" for i, n in enumerate("ab")],
        ["warning: line 0 is cut off (2 places: a.csv, b.csv)"],
    ),
    (
        HEADERS,
        [f"warning: 4 runs share one folder: version_0 (12 places: {VERSIONS}, …)"],
    ),
    (
        [f"b, seed {n}: missing: no logs found for b, seed {n}" for n in range(1, 5)],
        [f"warning: missing: no logs found for b, seed 1 (4 places: {SEEDS}, …)"],
    ),
    (
        [f"a.csv: line {n} has no 'loss'" for n in range(9)],
        ["warning: a.csv: line 0 has no 'loss' (9 times)"],
    ),
    (["a.csv: empty"] * 55, ["warning: a.csv: empty"]),
]


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
