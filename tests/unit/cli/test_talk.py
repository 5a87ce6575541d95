"""Progress: redrawn on a terminal, seldom in a log, and with an estimate where there is one."""

import io
import json
import math
from contextlib import redirect_stderr

import pytest
from fakes.rows import rows_beside

from reportgen.cli import talk
from reportgen.cli.console import Alert, Heading
from reportgen.cli.talk import Progress, say, say_error, say_json
from reportgen.records.errors import UsageError


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(talk, "time", made)
    return made


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


@pytest.mark.parametrize("row", rows_beside(__file__), ids=lambda row: row["it"])
def test_what_is_said_of_progress(clock, terminal, row):
    stream = terminal if row.get("terminal") else io.StringIO()
    with redirect_stderr(stream), Progress(shown=row.get("shown", True)) as progress:
        for seconds, *told in row["told"]:
            clock.now += seconds
            progress(*told)
    assert stream.getvalue() == row["says"]


def test_what_is_reached_is_of_a_stage():
    progress = Progress(shown=False)
    assert progress.reached("checking reports") == ""
    progress("reading logs", 5, 90)
    assert progress.reached("checking reports") == ""
    progress("checking reports", 1, 3)
    assert progress.reached("checking reports") == "1 of 3"


def test_long_work_is_told_seldom_in_a_log(clock, capsys):
    progress = Progress(shown=True)
    for done in range(2000):
        clock.now += 1
        progress("training", done, 2000)
    lines = capsys.readouterr().err.splitlines()
    assert 20 < len(lines) < 100
    assert all(line.startswith("training ") and " left" in line for line in lines[1:])


def test_words_of_strangers_are_printed_harmless(capsys):
    say(["a\x1b[31mb"])
    assert "\x1b" not in capsys.readouterr().out


def test_json_is_what_every_reader_of_json_takes(capsys):
    say_json({"name": "à b", "value": None})
    assert json.loads(capsys.readouterr().out) == {"name": "à b", "value": None}
    with pytest.raises(ValueError, match="JSON"):
        say_json({"value": math.nan})


def test_colour_is_for_terminals_that_want_it(terminal, monkeypatch):
    fault = UsageError("no", remedy="yes")
    with redirect_stderr(terminal):
        say_error(fault)
    assert terminal.getvalue() == "\x1b[1;31merror:\x1b[0m no\n  remedy: yes\n"
    monkeypatch.setenv("NO_COLOR", "1")
    with redirect_stderr(terminal):
        say_error(fault)
    assert terminal.getvalue().endswith("error: no\n  remedy: yes\n")


def test_headings_and_alerts_stand_out_on_a_terminal_alone(terminal, monkeypatch, capsys):
    lines = [Heading("runs"), Alert("warning: \x1b[31mred"), "one"]

    say(lines, coloured=talk.colours(terminal))
    assert capsys.readouterr().out == (
        "\x1b[1mruns\x1b[0m\n\x1b[33mwarning: \\x1b[31mred\x1b[0m\none\n"
    )

    monkeypatch.setenv("NO_COLOR", "1")
    for stream in (terminal, io.StringIO()):
        say(lines, coloured=talk.colours(stream))
        assert capsys.readouterr().out == "runs\nwarning: \\x1b[31mred\none\n"


def test_the_width_is_that_of_the_terminal_and_a_pipe_has_none(terminal, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert talk.columns() is None
    monkeypatch.setattr("sys.stdout", terminal)
    assert talk.columns() == 100
    monkeypatch.setenv("COLUMNS", "72")
    assert talk.columns() == 72


def test_half_a_letter_in_json_stands_as_its_escape(capsys):
    """A name in a stranger's JSON may be half a letter, which no encoding has."""
    say_json({"tag": "eval_\ud800", "n": 1})
    assert json.loads(capsys.readouterr().out) == {"tag": "eval_\ud800", "n": 1}
