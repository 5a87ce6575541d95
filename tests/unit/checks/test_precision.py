"""Decimals of a column."""

from __future__ import annotations

from fakes import made_claims as make

from reportgen.checks.precision import check


def column(*texts, build=make.std, number=2, table=22):
    return [build(text, "A", place=(row, number, table)) for row, text in enumerate(texts)]


def found(*claims):
    return {f.claim.printed.text: f for f in check(make.alone(*claims))}


def test_a_published_column():
    stds = column("1.92", "1.08", "0.46", "0.61", "0.37", "1.67", "4.2", "1.48", "2.61", "0.31")
    findings = found(*stds)
    assert list(findings) == ["4.2"]
    assert findings["4.2"].level == "note"
    assert findings["4.2"].message.endswith("its column prints 2 decimals and it 1")


def test_zeros_that_are_left_out_everywhere_are_a_custom():
    assert found(*column("81.5", "80", "83.5", "62", "65", "63", build=make.value)) == {}


def test_one_whole_number_among_decimals():
    findings = found(*column("79.9", "80", "83.5", "65.4", "66.7", "67.4", build=make.value))
    assert list(findings) == ["80"]
    assert findings["80"].message.endswith("its column prints 1 decimal and it none")


def test_a_number_that_is_far_larger_needs_no_decimals():
    usual = ("0.3664", "0.7220", "0.5056", "1.8371", "0.4151", "0.4067")
    for text in ("239460", "10.607", "1009.4"):
        assert found(*column(*usual, text, build=make.mean)) == {}, text
    for text in ("0.41", "12"):
        assert list(found(*column(*usual, text, build=make.mean))) == [text], text


def test_a_column_of_as_many_digits_each_has_no_custom_of_decimals():
    last = ("200.00", "390.21", "82.592", "504.29", "980.7", "110.64", "166.41", "27.83", "1000.0")
    assert found(*column(*last, build=make.value)) == {}
    bare = ("504.29", "36.855", "169.99", "200", "1621.9", "1000", "488.71", "174.02")
    assert found(*column(*bare, build=make.value)) == {}
    usual = ("504.29", "36.85", "169.99", "162.19", "10.36", "488.71", "174.02", "27.8")
    assert list(found(*column(*usual, build=make.value))) == ["27.8"]


def test_a_whole_number_among_as_many_digits_each_leaves_one_zero_out():
    returns = ("1000", "440.27", "-243.88", "-239.56", "-263.28", "-273.07", "-292.88")
    assert found(*column(*returns, build=make.value)) == {}
    short = ("100", "440.27", "-243.88", "-239.56", "-263.28", "-273.07", "-292.88")
    assert list(found(*column(*short, build=make.value))) == ["100"]


def test_short_columns_and_other_columns():
    assert found(*column("79.9", "80", "83.5")) == {}
    one, two = column("79.9", "80.1", "83.5"), column("1", "2", "3", table=23)
    assert found(*one, *two) == {}
    assert found(*(make.value(t, "A", s) for s, t in enumerate(("1.1", "2", "3.1", "4.1")))) == {}


def test_a_table_may_lie_on_its_side():
    row = [make.value(t, "A", s, place=(1, s, 22)) for s, t in enumerate(("79.9", "80", "83.5"))]
    below = [make.value(t, "B", s, place=(2, s, 22)) for s, t in enumerate(("67.5", "68.1"))]
    assert list(found(*row, *below)) == ["80"]


def test_percent_and_bare_numbers_are_counted_apart():
    mixed = column("79.9%", "80.1%", "83.5%", "0.8", "0.9", build=make.value)
    assert found(*mixed) == {}


def test_the_mean_of_differences_may_print_fewer_than_they():
    told = {"group": "A", "against": "B", "aggregate": "difference"}
    texts = ("26.88", "25.83", "35.42", "29.37")
    runs = [
        make.claim("aggregate_other", text, seed=seed, place=(seed, 3, 8), **told)
        for seed, text in enumerate(texts)
    ]
    mean = make.claim("aggregate_other", "29.4", place=(5, 3, 8), **told)
    assert found(*runs, mean) == {}
