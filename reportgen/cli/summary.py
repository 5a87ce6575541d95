"""`reportgen summary`: a page of Markdown for CI."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from reportgen.cli.arguments import Commands, add_command, to_path
from reportgen.cli.console import summary_page
from reportgen.cli.parser import Parser
from reportgen.cli.talk import write_file
from reportgen.records.errors import ExitCode


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen summary --report out/",
        """reportgen summary --report out/report.json --findings findings.json \\
    --base main/report.json""",
        'reportgen summary --report out/ >> "$GITHUB_STEP_SUMMARY"',
        "reportgen summary --report out/ --findings results/ \\\n    --out summary.md --max-kb 60",
    )
    notes = """\
The page is in the language of the report. A part that has no room is left out as a whole, and
the page says so. A base that is not there is said on the page: the first report has none.
"""
    command = add_command(commands, "summary", about, examples, notes)
    command.add_argument(
        "--report",
        type=to_path,
        default=Path("out"),
        metavar="FILE|DIR",
        help="report.json, its folder, or the PDF (default: out)",
    )
    command.add_argument(
        "--findings",
        type=to_path,
        action="append",
        default=[],
        metavar="FILE|DIR",
        help="what `check --format json` wrote; may be given more than once",
    )
    command.add_argument(
        "--base", type=to_path, metavar="FILE|DIR", help="the base, to say what changed"
    )
    _add_output(command)
    command.set_defaults(run=run)


def _add_output(command: Parser) -> None:
    command.add_argument(
        "--out", type=to_path, metavar="FILE", help="where to write (default: it is printed)"
    )
    command.add_argument(
        "--max-kb",
        type=to_kibibytes,
        default=1000,
        metavar="N",
        help="most KiB of the page (default: 1000; GitHub takes 1024 a step)",
    )


def to_kibibytes(text: str) -> int:
    """Read a size of one KiB or more."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of KiB from 1 on")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and print, or write, the page."""
    from reportgen import app

    found = app.summarise_report(
        app.SummaryOptions(
            report=arguments.report, findings=tuple(arguments.findings), base=arguments.base
        )
    )
    page = summary_page(found, arguments.max_kb * 1024)
    if found.no_base:
        print(f"not compared with a base: {found.no_base}", file=sys.stderr)
    if arguments.out is None or str(arguments.out) == "-":
        write_file(page)
    else:
        from reportgen.read.store import write_files

        write_files(arguments.out.parent, {arguments.out.name: page.encode()})
        print(f"wrote {arguments.out}")
    return int(ExitCode.OK)
