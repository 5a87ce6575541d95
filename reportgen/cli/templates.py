"""`reportgen templates`: list the templates, or copy some out."""

from __future__ import annotations

import argparse
from pathlib import Path

from reportgen.cli._arguments import Commands, add_command, to_path
from reportgen.errors import ExitCode


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = """\
  reportgen templates list
  reportgen templates eject latex/blocks/table.j2
  reportgen templates eject html
"""
    command = add_command(commands, "templates", about, examples)
    command.add_argument("action", choices=("list", "eject"), help="what to do with them")
    command.add_argument("name", nargs="?", default="", metavar="NAME", help="file or folder")
    command.add_argument(
        "--to",
        type=to_path,
        default=Path("templates"),
        metavar="DIR",
        help="where copies go (templates/)",
    )
    command.add_argument("--force", action="store_true", help="replace files that are there")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import api

    if arguments.action == "list":
        for line in api.list_templates():
            print(line)
    else:
        for path in api.eject_templates(arguments.name, arguments.to, force=arguments.force):
            print(f"wrote {path}")
    return int(ExitCode.OK)
