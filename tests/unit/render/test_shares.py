"""Columns of words share the width that is left."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.render._shares import NARROWEST, share_out

ROOM, GAP = 60.0, 1.0


def test_columns_that_fit_are_left_as_wide_as_they_are():
    assert share_out([10, 20], {1}, ROOM, GAP, [[20]]) == [0, 0]


def test_what_fits_in_no_way_is_told():
    assert share_out([50, 40], {1}, ROOM, GAP, [[40]]) is None


def test_the_wider_text_gets_the_wider_column():
    shares = share_out([200, 30], {0, 1}, ROOM, GAP, [[200, 30], [150, 20]])
    assert shares is not None
    assert shares[0] > 2 * shares[1]
    assert sum(shares) * ROOM == pytest.approx(ROOM - GAP)


cells = st.lists(st.tuples(*[st.floats(0, 300)] * 3), min_size=1, max_size=8)


@given(cells)
def test_sharing_never_takes_more_lines_than_an_even_split(rows):
    natural = [max(column) for column in zip(*rows, strict=True)]
    shares = share_out(natural, {0, 1, 2}, ROOM, GAP, rows)
    if not shares or not all(shares):
        return
    even = (ROOM - 2 * GAP) / 3
    assert min(shares) * ROOM >= min(NARROWEST, *natural) - 1e-9

    def lines(widths):
        return sum(
            max(math.ceil(c / w - 1e-9) for c, w in zip(row, widths, strict=True)) for row in rows
        )

    if min(natural) >= even:
        assert lines([share * ROOM for share in shares]) <= lines([even] * 3)
