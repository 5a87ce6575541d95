"""Sentences cut into results, and endless ones."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._ordered import outside, within
from reportgen.claims._segments import pieces
from reportgen.claims._sentences import _LONGEST, _windows


def cut(text):
    found = pieces(text, (0, len(text)), find_numbers(text), ())
    return [text[p.start : p.end].strip() for p in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("81.1% for A and 67.7% for B", ["81.1% for A", "and 67.7% for B"]),
        ("A gets 80.1, while B gets 70", ["A gets 80.1", ", while B gets 70"]),
        ("A (79.9%) beats B (67.7%)", ["A (79.9%)", "beats B (67.7%)"]),
        (
            "A is first (IoU 0.67) and B last (IoU 0.65)",
            ["A is first (IoU 0.67)", "and B last (IoU 0.65)"],
        ),
        ("79.9 with a std of 0.37", ["79.9", "with a std of 0.37"]),
        ("from 57 at the start to 85.5", ["from 57 at the start", "to 85.5"]),
        ("80.1 on test against 70 for B", ["80.1 on test", "against 70 for B"]),
        ("mean 80 ± 1 and 70 ± 2", ["mean 80 ± 1", "and 70 ± 2"]),
    ],
)
def test_a_sentence_is_cut_between_its_results(text, expected):
    assert cut(text) == expected


@given(st.lists(st.sampled_from(["81.5", "and", "(", ")", ",", "to", "for A", "±", "0.3"])))
def test_pieces_cover_the_sentence_without_gaps(words):
    text = " ".join(words)
    found = pieces(text, (0, len(text)), find_numbers(text), ())
    edges = [0, *(p.end for p in found)]
    assert [p.start for p in found] == edges[: len(found)]
    assert all(p.start <= p.number.start and p.stop <= p.end for p in found)


@given(st.integers(0, 3 * _LONGEST), st.integers(1, 50))
def test_endless_sentences_are_read_in_pieces_that_cover_them(length, width):
    text = ("a" * width + " ") * (length // (width + 1))
    spans = list(_windows(text))
    assert all(0 < end - start <= _LONGEST for start, end in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    covered = "".join(text[a:b] for a, b in spans)
    assert covered.replace(" ", "") == text.replace(" ", "")


@given(
    st.lists(st.integers(0, 9), max_size=20),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=8),
)
def test_things_outside_spans_are_those_that_touch_none(digits, spans):
    things = find_numbers(" ; ".join(map(str, digits)))
    spans = [(min(span), max(span)) for span in spans]
    naive = [t for t in things if not any(a < t.end and t.start < b for a, b in spans if a < b)]
    assert outside(things, [span for span in spans if span[0] < span[1]]) == naive
    for start, end in spans:
        inside = [t for t in things if start <= t.start and t.end <= end]
        assert within(things, start, end) == inside
