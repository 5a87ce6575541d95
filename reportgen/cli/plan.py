"""`reportgen plan`: what is done, partial, failed, stale or missing, and what it would cost."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from reportgen.cli.arguments import Commands, Container, add_command, to_path, to_root
from reportgen.cli.console import grid_lines
from reportgen.cli.talk import Progress, say, say_json
from reportgen.records.errors import EvidenceError, ExitCode, UsageError, other_than


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen plan study.toml",
        "reportgen plan study.toml --only random --probe",
        "reportgen plan study.toml --json",
    )
    command = add_command(commands, "plan", about, examples)
    add_grid(command)
    add_choice(command)
    command.add_argument(
        "--probe", action="store_true", help="measure a few steps where no log tells the price"
    )
    command.add_argument("--json", action="store_true", help="print the plan as JSON")
    command.set_defaults(run=run)


def add_grid(command: Container) -> None:
    """Declare what `plan` and `rerun` share."""
    command.add_argument(
        "study", nargs="?", type=to_path, metavar="STUDY", help="study file (TOML)"
    )
    command.add_argument(
        "--runs",
        type=to_root,
        metavar="DIR|URL",
        help="folder with the logs (default: the study file's)",
    )


def add_choice(command: Container) -> None:
    """Declare which cells are meant, and on what they are trained."""
    command.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="CELL",
        help="only this group, group/seed or pattern (* and ?); may be repeated",
    )
    command.add_argument(
        "--device", choices=("auto", "cpu", "cuda", "mps"), default="auto", help="what to train on"
    )
    command.add_argument(
        "--workers", type=int, default=0, metavar="N", help="fine-tunes at one time; 0: all cores"
    )


def study_of(arguments: argparse.Namespace, command: str) -> Path:
    """Return the study file that was named.

    Raises:
        UsageError: None was: a folder of logs does not say which runs there shall be.
    """
    study: Path | None = arguments.study
    if study is None:
        runs = shlex.quote(str(arguments.runs)) if arguments.runs else "DIR"
        raise UsageError(
            "no study file was named: it says which groups and seeds there shall be",
            remedy=f"`reportgen init --runs {runs}` writes one of the runs that are there; then "
            f"`reportgen {command} study.toml`",
        )
    return study


def runs_of(arguments: argparse.Namespace) -> Path | str | None:
    """Return the folder of logs that was named.

    Raises:
        EvidenceError: It is not there; a study may name one that training is yet to make.
    """
    runs: Path | str | None = arguments.runs
    if isinstance(runs, Path) and not runs.exists():
        raise EvidenceError(f"there is no file or folder {str(runs)!r}", remedy=other_than(runs))
    return runs


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    options = app.GridOptions(
        study=study_of(arguments, "plan"),
        runs=runs_of(arguments),
        only=tuple(arguments.only),
        device=arguments.device,
        workers=arguments.workers,
        probe=arguments.probe,
    )
    with Progress(shown=not arguments.json) as progress:
        found = app.plan(options, notify=progress)
    if arguments.json:
        say_json(found.to_json())
    else:
        say(grid_lines(found.plan))
    return int(ExitCode.OK)
