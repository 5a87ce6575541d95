"""`reportgen serve`: a report in the browser that follows a running training."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path

from reportgen.app.live import PORT
from reportgen.cli.arguments import Commands, add_command, add_names, to_output
from reportgen.cli.build import FORMATS as ENDINGS
from reportgen.cli.build import add_input, add_settings, make_options
from reportgen.cli.following import follow_until_ended, print_line
from reportgen.cli.parser import Parser
from reportgen.records.errors import UsageError

FORMATS = ("html", "pdf", "json")
"""What is made where nothing is written: what a browser shows, and what belongs to it."""


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen serve --runs logs/",
        "reportgen serve study.toml --open",
        "reportgen serve --runs logs/ --out out/ --port 0 --json",
    )
    command = add_command(commands, "serve", about, examples)
    add_input(command)
    _add_output(command)
    add_settings(command)
    command.set_defaults(run=run)


def _add_output(command: Parser) -> None:
    output = command.add_argument_group("output")
    output.add_argument(
        "--out",
        type=to_output,
        metavar="FILE|DIR",
        help="write the report as well, as build does (default: nothing is written)",
    )
    told = f"formats beside HTML, separated by commas (default: {', '.join(FORMATS[1:])})"
    add_names(output, "--format", ENDINGS, told)
    output.add_argument(
        "--port",
        type=int,
        metavar="N",
        help=f"port of 127.0.0.1; 0 takes a free one (default: {PORT}, or one of the next)",
    )
    output.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="open the page in the browser (default: no)",
    )
    output.add_argument(
        "-q", "--quiet", action="store_true", help="print the address and warnings only"
    )
    output.add_argument("--json", action="store_true", help="print a line of JSON an event")


def run(arguments: argparse.Namespace) -> int:
    """Call the use case until somebody ends it."""
    writes = arguments.out is not None
    formats = tuple(arguments.format) or (() if writes else FORMATS)
    options = make_options(arguments, out=arguments.out or Path("report"), formats=formats)

    if options.study is None and options.runs is None:
        raise UsageError(
            "nothing to serve: neither a study file nor a folder with logs",
            remedy="reportgen serve --runs DIR, or reportgen serve STUDY",
        )

    def ready(port: int) -> None:
        url = f"http://127.0.0.1:{port}/"
        if arguments.json:
            print_line({"state": "serving", "url": url, "port": port})
        else:
            if arguments.port is None and port != PORT:
                print(f"port {PORT} is taken; using {port}")
            print(f"serving {url} to this machine alone; Ctrl-C ends it", flush=True)
        if arguments.open:
            webbrowser.open(url)

    return follow_until_ended(
        options,
        as_json=arguments.json,
        quiet=arguments.quiet,
        writes=writes,
        port=arguments.port,
        ready=ready,
    )
