"""Names with numbers in them, in the order in which people count."""

from __future__ import annotations

from reportgen.records.natural import natural_key


def test_numbers_in_names_are_ordered_by_value():
    names = ["step_500", "step_0", "step_5000", "step_1000", "step_x"]
    ordered = ["step_0", "step_500", "step_1000", "step_5000", "step_x"]
    assert sorted(names, key=natural_key) == ordered
