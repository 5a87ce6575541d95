"""Names with numbers in them, in the order in which people count."""

from reportgen.records.source import natural_key


def test_a_number_of_thousands_of_digits_is_the_last():
    names = ["step_" + "9" * 5000, "step_7", "step_12"]
    assert sorted(names, key=natural_key) == ["step_7", "step_12", names[0]]


def test_numbers_too_large_for_a_double_are_ordered_by_their_digits():
    names = ["step_9007199254740993", "step_9007199254740992", "step_17"]
    assert sorted(names, key=natural_key) == list(reversed(names))
