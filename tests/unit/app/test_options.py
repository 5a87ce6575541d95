"""Whole numbers as people write them: read exactly, or refused."""

import pytest
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.app.options import read_count

ROWS = rows_beside(__file__)


@pytest.mark.parametrize(("text", "number"), ROWS["a_whole_number_is_read_in_every_spelling"])
def test_a_whole_number_is_read_in_every_spelling(text, number):
    assert read_count(text) == number


@pytest.mark.parametrize(("text", "said"), ROWS["what_counts_nothing_exactly_is_refused"])
def test_what_counts_nothing_exactly_is_refused(text, said):
    with pytest.raises(ValueError, match=said):
        read_count(text)


@given(st.integers(0, 10**15), st.sampled_from([",", "_", ""]))
def test_what_python_prints_is_read_back(number, separator):
    assert read_count(f"{number:{separator}}") == number


@given(st.integers(0, 10**15))
def test_what_python_prints_with_an_exponent_is_read_back(number):
    assert read_count(f"{number:.15e}") == number
