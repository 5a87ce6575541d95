"""Wilson's interval, and when there is none."""

import pytest

from reportgen.records.quantity import Missing, Quantity
from reportgen.stats import summarise_sampling_error, wilson_interval


def test_a_known_interval():
    # Newcombe 1998, Statistics in Medicine 17, table I, method 3: 81 of 263.
    low, high = wilson_interval(81 / 263, 263, 0.95)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


@pytest.mark.parametrize("accuracy", [0.0, 1.0])
def test_the_ends_stay_inside(accuracy):
    low, high = wilson_interval(accuracy, 29, 0.95)
    assert 0 <= low < high <= 1
    assert accuracy in (low, high)


@pytest.mark.parametrize(("accuracy", "size"), [(-0.1, 10), (1.1, 10), (0.5, 0)])
def test_no_proportion_no_interval(accuracy, size):
    with pytest.raises(ValueError, match="no proportion"):
        wilson_interval(accuracy, size, 0.95)


def test_the_summary_carries_its_evidence():
    error = summarise_sampling_error(Quantity(value=0.8, unit="fraction"), 2000, 0.95)
    assert round(100 * error.half_width.value, 2) == 1.75
    assert error.low.value < 0.8 < error.high.value
    assert error.low.method == "lower end of the 0.95 Wilson interval for 2000 examples"


@pytest.mark.parametrize(
    ("reading", "size", "reason"),
    [
        (Missing(reason="no logs"), 2000, "no logs"),
        (Quantity(value=0.8, unit="fraction"), 0, "the number of examples"),
        (Quantity(value=0.8, unit=""), 2000, "no share|not a proportion"),
        (Quantity(value=1.2, unit="fraction"), 2000, "not a proportion"),
    ],
)
def test_what_is_missing_says_why(reading, size, reason):
    error = summarise_sampling_error(reading, size, 0.95)
    assert isinstance(error.half_width, Missing)
    assert any(part in error.low.reason for part in reason.split("|"))
