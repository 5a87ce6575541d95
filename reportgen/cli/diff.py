"""`reportgen diff`: what changed between two reports, number by number."""

from __future__ import annotations

import argparse
import sys

from reportgen.cli.arguments import Commands, add_command, to_path
from reportgen.cli.console import change_lines
from reportgen.cli.talk import colours, say, say_json
from reportgen.records.errors import ExitCode


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen diff out/report.json new/report.json",
        "reportgen diff out/ new/",
        "reportgen diff old.pdf new.pdf",
        "reportgen diff old.json new.json --json > diff.json",
        "reportgen diff old.json new.json --fail-on value",
    )
    notes = """\
Of a folder its report.json is taken, of a PDF the one attached to it.

A number whose print is the same is unchanged. Exit code 1: something printed changed, a number
came or went; --fail-on value passes over what rounding explains, --fail-on never over all.
"""
    command = add_command(commands, "diff", about, examples, notes)
    command.add_argument("old", type=to_path, metavar="OLD", help="report.json, folder or PDF")
    command.add_argument("new", type=to_path, metavar="NEW", help="the later one")
    command.add_argument(
        "--fail-on",
        choices=("changed", "value", "never"),
        default="changed",
        help="what ends in exit code 1 (default: changed)",
    )
    command.add_argument("--all", action="store_true", help="every change on a line of its own")
    command.add_argument("--json", action="store_true", help="print it as JSON")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    found = app.diff(arguments.old, arguments.new)
    if arguments.json:
        say_json(found)
    else:
        lines = change_lines(found, everything=arguments.all)
        say(lines, coloured=colours(sys.stdout))
    totals = found["totals"]
    counted = ["changed", "added", "removed"]
    counted += ["rounding"] if arguments.fail_on == "changed" else []
    fails = arguments.fail_on != "never" and any(totals[name] for name in counted)
    return int(ExitCode.FINDINGS if fails else ExitCode.OK)
