"""Arguments to use cases; the only package that prints, and the only one that sets exit codes.

The table `commands.ini` tells where each command is: one function declares its arguments, as the
table has them, the other, `run`, calls the use case.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from reportgen.cli.arguments import ROWS, Page, Parser, ShowVersions, add_command
from reportgen.cli.talk import prepare_streams, say_error
from reportgen.records.errors import ExitCode, ReportgenError, UsageError
from reportgen.records.registry import Registry

COMMANDS = Registry(
    "command", __name__, "\n".join(f"{name} {told}" for name, told in ROWS["commands"].items())
)

_PAGE = Page(about=ROWS[""]["about"], examples=tuple(ROWS["examples"]))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    # Numerical libraries start a thread pool a core; nothing here profits from one, and
    # leaving it out makes a cold start measurably cheaper.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Processes that read logs: as many as pay.
    os.environ.setdefault("REPORTGEN_JOBS", "0")
    prepare_streams()
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        arguments = make_parser(words).parse_args(words)
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


def make_parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser; of the commands only the one asked for is imported, else all."""
    parser = Parser(prog="reportgen", page=_PAGE)
    parser.add_argument("--version", action=ShowVersions)
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=Parser, prog=parser.prog
    )
    asked = [words[0]] if words and words[0] in COMMANDS else list(COMMANDS)
    for name in asked:
        run = COMMANDS.load(name)
        # What its module knows of the words of its rows.
        known = run.__globals__.get("KNOWN", {})
        add_command(commands, name, COMMANDS[name].about, run, **known)
    return parser
