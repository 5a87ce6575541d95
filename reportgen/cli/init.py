"""`reportgen init`: what is inferred, as a study file."""

from __future__ import annotations

import argparse
from pathlib import Path

from reportgen.cli.arguments import Commands, add_command, to_path, to_root
from reportgen.cli.console import decision_lines
from reportgen.cli.streams import write_file
from reportgen.cli.talk import say
from reportgen.records.errors import ExitCode, UsageError


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen init --runs logs/",
        "reportgen init --runs logs/ --out -",
    )
    command = add_command(commands, "init", about, examples)
    command.add_argument(
        "--runs",
        type=to_root,
        required=True,
        metavar="DIR|URL",
        help="folder with the training logs",
    )
    command.add_argument(
        "--out",
        type=to_path,
        default=Path("study.toml"),
        metavar="FILE",
        help="where to write; - prints it",
    )
    command.add_argument("--force", action="store_true", help="replace the file where it is there")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    out: Path = arguments.out
    if str(out) != "-" and out.exists() and not arguments.force:
        raise UsageError(
            f"{out} is there already", remedy="name another file with --out, or add --force"
        )
    text, decisions = app.make_study(arguments.runs, out)
    if str(out) == "-":
        write_file(text)
    else:
        from reportgen.read.store import write_files
        from reportgen.read.study import SCHEMA_LINE, SCHEMA_NAME, schema_text

        schema = {SCHEMA_NAME: schema_text().encode()}
        write_files(out.parent, {out.name: f"{SCHEMA_LINE}\n{text}".encode(), **schema})
        say(decision_lines(decisions))
        print(f"wrote {out}\nnext: reportgen build {out} --out out/report.pdf")
    return int(ExitCode.OK)
