"""Arguments to exit codes: what each fault ends in, and what is said of it."""

import argparse
import os
import shlex
import sys
import textwrap

import pytest

from reportgen import app
from reportgen.cli import COMMANDS, main, make_parser
from reportgen.cli.arguments import arguments_of
from reportgen.records.errors import EvidenceError, ExitCode


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch):
    """`main` sets defaults for what it starts."""
    for name in ("OPENBLAS_NUM_THREADS", "REPORTGEN_JOBS"):
        monkeypatch.setenv(name, "1")
    monkeypatch.delenv("REPORTGEN_TRACEBACK", raising=False)


@pytest.fixture
def failing(monkeypatch):
    """Let the use case behind `templates list` raise."""

    def let(fault):
        def raise_it():
            raise fault

        monkeypatch.setattr(app, "list_templates", raise_it, raising=False)

    return let


def parsed(name):
    """The parser of one command, taken out of the program."""
    program = make_parser([name])
    [commands] = [one for one in arguments_of(program) if one.nargs == argparse.PARSER]
    return program, commands.choices[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_can_be_typed(name):
    program, command = parsed(name)
    assert command.page.examples
    for example in command.page.examples:
        # As the shell joins its lines, and without what it does with the output.
        typed = example.replace("\\\n", "").partition(">")[0]
        words = shlex.split(typed, comments=True)
        assert words[0] == "reportgen"
        assert callable(program.parse_args(words[1:]).run), example
        assert textwrap.indent(example, "  ") in command.format_help()


@pytest.mark.parametrize("name", COMMANDS)
def test_help_tells_every_argument_and_every_exit_code(name):
    _, command = parsed(name)
    assert all(action.help for action in command._actions)
    for code in (ExitCode.USAGE, ExitCode.EVIDENCE, ExitCode.TEMPLATE, ExitCode.INTERNAL):
        assert f"  {int(code)} " in f" {command.format_help()}".replace("\n", " "), code


@pytest.mark.parametrize("columns", ["80", "200"])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_a_terminal_of_eighty_columns(name, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    shown = (make_parser([name]) if not name else parsed(name)[1]).format_help()
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.startswith("usage: reportgen")
    # One line tells how it is typed: what must be there comes before what may.
    assert "[options]" in shown.splitlines()[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_is_taken_where_an_option_is_left_out(name):
    _, command = parsed(name)
    shown = " ".join(command.format_help().split())
    for action in command._actions:
        if action.option_strings and action.default and action.default is not argparse.SUPPRESS:
            said = shown.partition(f" {action.option_strings[-1]} ")[2].partition(" --")[0]
            assert "default" in said, action.dest


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    said = " ".join(out.split())
    assert all(f" {name} {entry.about} " in said for name, entry in COMMANDS.items())


def test_an_option_may_still_be_shortened(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--vers"])
    assert not ended.value.code
    assert capsys.readouterr().out.startswith("reportgen ")


def test_an_error_of_ours_has_its_own_exit_code(failing, capsys):
    failing(EvidenceError("no logs\x1b[31m here", remedy="look elsewhere"))
    assert main(["templates", "list"]) == ExitCode.EVIDENCE
    said = capsys.readouterr().err
    assert said.startswith("error: no logs")
    assert "  remedy: look elsewhere\n" in said
    assert "\x1b" not in said


def test_a_fault_of_the_system_names_its_file(failing, capsys):
    failing(PermissionError(13, "Permission denied", "/a/file"))
    assert main(["templates", "list"]) == ExitCode.USAGE
    assert "error: /a/file: Permission denied" in capsys.readouterr().err


def test_a_defect_is_owned_and_shows_its_place_only_when_asked(failing, capsys, monkeypatch):
    failing(ZeroDivisionError("division by zero"))
    assert main(["templates", "list"]) == ExitCode.INTERNAL
    said = capsys.readouterr().err
    assert "ZeroDivisionError: division by zero" in said
    assert "Traceback" not in said
    monkeypatch.setenv("REPORTGEN_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main(["templates", "list"])


def test_an_interrupt_is_an_end_of_its_own(failing, capsys):
    failing(KeyboardInterrupt())
    assert main(["templates", "list"]) == ExitCode.INTERRUPTED
    assert "interrupted" in capsys.readouterr().err


def test_streams_that_the_caller_closed_swallow_what_is_said(failing, monkeypatch):
    failing(EvidenceError("no logs"))
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["templates", "list"]) == ExitCode.EVIDENCE
    for stream in (sys.stdout, sys.stderr):
        stream.close()


def test_settings_of_the_caller_are_left_alone(failing):
    failing(EvidenceError("no"))
    main(["templates", "list"])
    assert os.environ["REPORTGEN_JOBS"] == "1"
