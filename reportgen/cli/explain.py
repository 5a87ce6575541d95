"""`reportgen explain`: where a printed number comes from."""

from __future__ import annotations

import argparse
from pathlib import Path

from reportgen.cli._arguments import Commands, add_command, to_path
from reportgen.cli._talk import say, say_json
from reportgen.console import explanation_lines
from reportgen.errors import ExitCode


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = """\
  reportgen explain 80.63
  reportgen explain best_step.pretrained.0.report_value --report out/report.json
"""
    command = add_command(commands, "explain", about, examples)
    command.add_argument("number", metavar="NUMBER", help="as printed, or its id")
    command.add_argument(
        "--report",
        type=to_path,
        default=Path("out/report.json"),
        metavar="FILE",
        help="report.json",
    )
    command.add_argument("--json", action="store_true", help="as JSON")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import api

    found = api.explain(arguments.number, arguments.report)
    if arguments.json:
        say_json(found)
    else:
        say(explanation_lines(found))
    return int(ExitCode.OK)
