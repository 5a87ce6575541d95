"""The question before training, and signals while it goes on."""

import os
import signal
import sys
from argparse import Namespace
from io import StringIO

import pytest

from reportgen.cli.plan import confirmation, interruptible
from reportgen.cli.talk import Progress
from reportgen.records.job import Cell, Cost, GridPlan

COST = Cost(steps=10, seconds=5.0, low=4.0, high=8.0, basis="by hand", disk=100)
PLAN = GridPlan(
    cells=(Cell(group="a\x1b[31m", seed=0, state="missing", reason="no logs", cost=COST),),
    device="cpu",
    workers=1,
)


class Input(StringIO):
    def __init__(self, answer, *, terminal=True):
        super().__init__(answer)
        self.isatty = lambda: terminal


def ask(monkeypatch, answer, *, terminal=True, **given):
    monkeypatch.setattr(sys, "stdin", Input(answer, terminal=terminal))
    arguments = Namespace(**({"yes": False, "json": False, "quiet": False} | given))
    return confirmation(arguments, Progress(shown=False))(PLAN)


@pytest.mark.parametrize(
    ("answer", "told"), [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_only_yes_is_yes(answer, told, monkeypatch, capsys):
    assert ask(monkeypatch, answer) is told
    said = capsys.readouterr().err
    assert said.endswith("train these cells now? [y/N] ")
    assert "no logs" in said
    assert "\x1b" not in said


def test_without_a_terminal_nobody_is_asked(monkeypatch, capsys):
    assert not ask(monkeypatch, "y\n", terminal=False)
    assert "add --yes" in capsys.readouterr().err


@pytest.mark.parametrize("how", ["json", "quiet"])
def test_yes_needs_no_question(how, monkeypatch, capsys):
    assert ask(monkeypatch, "", yes=True, **{how: True})
    assert capsys.readouterr().err == ""
    assert ask(monkeypatch, "", yes=True)
    assert "no logs" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_end_of_a_session_is_an_interrupt(number):
    # Under nohup the tests themselves ignore the one.
    inherited = signal.signal(number, signal.SIG_DFL)
    try:
        with pytest.raises(KeyboardInterrupt), interruptible():
            signal.raise_signal(number)
        assert signal.getsignal(number) == signal.SIG_DFL
    finally:
        signal.signal(number, inherited)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGHUP")
def test_what_nohup_ignores_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            signal.raise_signal(signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
