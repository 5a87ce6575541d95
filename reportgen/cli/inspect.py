"""`reportgen inspect`: what a file or folder holds."""

from __future__ import annotations

import argparse
import sys

from reportgen.cli.arguments import (
    Commands,
    add_cluster,
    add_command,
    add_loader,
    address_of,
    to_count,
    to_path,
    to_root,
)
from reportgen.cli.console import inspection_lines
from reportgen.cli.talk import colours, columns, say, say_json
from reportgen.records.errors import ExitCode


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen inspect logs/",
        "reportgen inspect logs/ --all --study study.toml",
        "reportgen inspect model/config.json --json",
        "reportgen inspect lora/adapter_config.json \\\n    --base lora/bloom-560m/config.json",
        "reportgen inspect model/config.json --total 20,578,304",
        "reportgen inspect model.safetensors --json > tensors.json",
    )
    command = add_command(commands, "inspect", about, examples)
    command.add_argument("path", type=to_root, metavar="PATH|URL", help="what to look into")
    command.add_argument("--base", type=to_path, metavar="PATH", help="base model of an adapter")
    command.add_argument(
        "--total",
        type=to_count,
        metavar="N",
        help="say what a stated number of parameters counts",
    )
    command.add_argument(
        "--study", type=to_path, metavar="FILE", help="read the logs as this study file says"
    )
    command.add_argument(
        "--all", action="store_true", help="every run, tag and problem on a line of its own"
    )
    add_loader(command)
    add_cluster(command)
    command.add_argument("--json", action="store_true", help="print it as JSON")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    found = app.inspect(
        arguments.path,
        base=arguments.base,
        total=arguments.total,
        study=arguments.study,
        loader=arguments.loader,
        address=address_of(arguments),
    )
    if arguments.json:
        say_json(found)
    else:
        lines = inspection_lines(found, width=columns(), everything=arguments.all)
        say(lines, coloured=colours(sys.stdout))
    # What was found is told above; to a script a folder without a run is one like an empty one.
    nothing = found["kind"] == "logs" and not found["runs"]
    return int(ExitCode.EVIDENCE if nothing else ExitCode.OK)
