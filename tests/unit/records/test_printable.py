"""Names are strangers' text: what of them a message may hold."""

import pytest

from reportgen.records.run import Problem, printable


@pytest.mark.parametrize("text", ["", "café", "模型 😀", "مرحبا", "a b", "x\u200dy", "C:\\runs"])
def test_letters_of_every_script_stay(text):
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("new\nline\r\t", r"new\nline\r\t"),
        ("\x7f\x9b2J", r"\x7f\x9b2J"),
        ("\u202eabc", r"\u202eabc"),
        ("a\u2028b", r"a\u2028b"),
    ],
)
def test_control_characters_are_written_out(text, shown):
    assert printable(text) == shown
    problem = Problem(path=text, message=text, remedy=text)
    assert (problem.path, problem.message, problem.remedy) == (shown, shown, shown)
