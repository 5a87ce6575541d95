"""`reportgen templates`: list the templates, or copy some out."""

from __future__ import annotations

import argparse
from pathlib import Path

from reportgen.cli.arguments import Commands, add_command, to_path
from reportgen.cli.console import plain
from reportgen.records.errors import ExitCode


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen templates list",
        "reportgen templates eject latex table --out templates",
        "reportgen templates eject latex/blocks/table.j2",
        "reportgen templates eject html",
        "reportgen templates eject",
    )
    command = add_command(commands, "templates", about, examples)
    command.add_argument(
        "action", choices=("list", "eject"), metavar="{list,eject}", help="what to do with them"
    )
    command.add_argument(
        "names",
        nargs="*",
        default=[],
        metavar="FORMAT NAME",
        help="a format and a kind of block, `report` or a path in it; a format alone; nothing: all",
    )
    command.add_argument(
        "--out",
        "--to",
        dest="to",
        type=to_path,
        default=Path("templates"),
        metavar="DIR",
        help="where copies go",
    )
    command.add_argument("--force", action="store_true", help="replace files that are there")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    if arguments.action == "list":
        named = ("/".join(arguments.names),) if arguments.names else ()
        for line in app.list_templates(*named):
            print(line)
    else:
        written = app.eject_templates(
            "/".join(arguments.names), arguments.to, force=arguments.force
        )
        for path in written:
            print(plain(f"wrote {path}"))
        form = written[0].relative_to(arguments.to).parts[0]
        engine = " --engine latex" if form == "latex" else ""
        where = "" if arguments.to.name == "templates" else f" --template {arguments.to}"
        build = f"reportgen build study.toml --out out/report.pdf{engine}{where}"
        print(plain(f"next: change it, then {build}"))
    return int(ExitCode.OK)
