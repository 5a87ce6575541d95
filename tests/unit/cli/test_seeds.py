"""`--expect`: seeds as a person writes them."""

import argparse

import pytest

from reportgen.cli.arguments import to_seeds


@pytest.mark.parametrize(
    ("text", "seeds"),
    [("3", (3,)), ("0-4", (0, 1, 2, 3, 4)), ("0,1, 42", (0, 1, 42)), ("7-8,8,1", (7, 8, 1))],
)
def test_seeds_and_ranges(text, seeds):
    assert to_seeds(text) == seeds


@pytest.mark.parametrize("text", ["", "a", "1-", "-1", "4-0", "0-5000", "1,,2", "9" * 40])
def test_what_is_no_seed_is_refused_by_name(text):
    with pytest.raises(argparse.ArgumentTypeError, match=r"is no seed|goes up"):
        to_seeds(text)
