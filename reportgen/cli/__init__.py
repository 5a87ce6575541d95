"""Arguments to use cases; the only package that prints, and the only one that sets exit codes.

One file a command, in the table below: `add` declares its arguments, `run` calls the use case.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from reportgen import __version__
from reportgen.cli._arguments import EXIT_CODES, Parser
from reportgen.cli._talk import say_error
from reportgen.errors import ExitCode, ReportgenError, UsageError
from reportgen.registry import Entry, Registry

COMMANDS = Registry(
    "command",
    {
        "build": Entry("reportgen.cli.build:add", "write the report of a folder of runs"),
        "plan": Entry(
            "reportgen.cli.plan:add",
            "show which cells of the grid are done, why others are not, and what they would cost",
        ),
        "rerun": Entry(
            "reportgen.cli.rerun:add",
            "train the missing cells of the grid; found logs are only read",
        ),
        "check": Entry(
            "reportgen.cli.check:add",
            "say where a written report disagrees with logs, model, itself or arithmetic",
        ),
        "init": Entry(
            "reportgen.cli.init:add", "write down what is inferred from the logs as a study file"
        ),
        "inspect": Entry(
            "reportgen.cli.inspect:add",
            "show what a log, a checkpoint, an adapter or a config holds",
        ),
        "explain": Entry("reportgen.cli.explain:add", "say where a printed number comes from"),
        "diff": Entry("reportgen.cli.diff:add", "show what changed between two reports"),
        "templates": Entry("reportgen.cli.templates:add", "list the templates, or copy some out"),
    },
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    # Numerical libraries start a thread pool a core; nothing here profits from one, and
    # leaving it out makes a cold start measurably cheaper.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Processes that read logs: as many as pay.
    os.environ.setdefault("REPORTGEN_JOBS", "0")
    _open_closed_streams()
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        arguments = _parser(words).parse_args(words)
        return int(arguments.run(arguments))
    except ReportgenError as fault:
        say_error(fault)
        return int(fault.exit_code)
    except KeyboardInterrupt:
        print("\ninterrupted; no file was left half-written", file=sys.stderr)
        return int(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output went away (`| head`); nothing is wrong with the work.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(ExitCode.OK)
    except OSError as fault:
        place = f"{fault.filename}: " if fault.filename else ""
        say_error(UsageError(f"{place}{fault.strerror or fault}", remedy="check paths and disk"))
        return int(ExitCode.USAGE)
    except Exception as fault:
        if os.environ.get("REPORTGEN_TRACEBACK"):
            raise
        print(f"error: internal: {type(fault).__name__}: {fault}", file=sys.stderr)
        print(
            "  this is a defect of reportgen; set REPORTGEN_TRACEBACK=1 to see where",
            file=sys.stderr,
        )
        return int(ExitCode.INTERNAL)


def _open_closed_streams() -> None:
    """Put nothing in the place of streams that the caller has closed (`>&-`).

    The lowest free number is taken each time, so no file or pipe of ours can become one of them.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - for good
            setattr(sys, name, nothing)


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser; of the commands only the one asked for is imported, else all."""
    parser = Parser(
        prog="reportgen",
        description="Turns training logs, checkpoints and LoRA configurations into a lab report.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"reportgen {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    asked = [words[0]] if words and words[0] in COMMANDS else list(COMMANDS)
    for name in asked:
        COMMANDS.load(name)(commands, COMMANDS[name].about)
    return parser
