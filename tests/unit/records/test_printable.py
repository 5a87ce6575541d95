"""Names are strangers' text: what of them a message may hold."""

import pytest
from fakes.rows import rows_beside

from reportgen.records.run import Problem
from reportgen.records.source import printable

ROWS = rows_beside(__file__)


@pytest.mark.parametrize("text", ["", "café", "模型 😀", "مرحبا", "a b", "x\u200dy", "C:\\runs"])
def test_letters_of_every_script_stay(text):
    assert printable(text) == text


@pytest.mark.parametrize(("text", "shown"), ROWS["control_characters_are_written_out"])
def test_control_characters_are_written_out(text, shown):
    assert printable(text) == shown
    problem = Problem(path=text, message=text, remedy=text)
    assert (problem.path, problem.message, problem.remedy) == (shown, shown, shown)
