"""A table that no page holds is parted between its rows."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reportgen.render._table_parts import split_rows

rows = st.lists(st.floats(0.5, 5), min_size=1, max_size=60)


@given(rows, st.floats(6, 40), st.floats(3, 50))
def test_the_parts_of_a_long_table_fit_and_lose_no_row(heights, most, first):
    parts = split_rows(heights, most, first)
    assert [row for start, stop in parts for row in range(start, stop)] == list(range(len(heights)))
    assert all(start < stop for start, stop in parts)
    assert all(sum(heights[start:stop]) <= most + 5 for start, stop in parts[:-1])


@given(rows, st.floats(6, 40))
def test_the_first_part_leaves_room_and_none_is_made_for_nothing(heights, most):
    parts = split_rows(heights, most, most / 2)
    assert (len(parts) > 1) == (sum(heights) > most)
    if len(parts) > 1:
        start, stop = parts[0]
        assert sum(heights[start:stop]) <= max(most / 2, heights[0])


def test_parts_behind_the_first_are_about_as_high_as_each_other():
    parts = split_rows([1.0] * 50, 20, 10)
    assert [stop - start for start, stop in parts] == [10, 20, 20]
    assert all(one[1] == two[0] for one, two in pairwise(parts))
