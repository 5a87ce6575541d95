"""`reportgen autograder`: an assignment for Gradescope as one archive."""

from __future__ import annotations

import argparse
from pathlib import Path

from reportgen.cli.arguments import Commands, add_command, to_path
from reportgen.records.errors import ExitCode, UsageError


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen autograder --study study.toml --rubric rubric.toml",
        "reportgen autograder --runs logs/ --rubric rubric.toml --out lab3.zip",
        "reportgen autograder --rubric rubric.toml",
    )
    notes = """\
Upload the archive under Configure Autograder. It holds the evidence, the rubric, this version of
reportgen, setup.sh and run_autograder; every submission is checked, nothing in it is executed.
Without evidence, each submission is held against the logs in it.
"""
    command = add_command(commands, "autograder", about, examples, notes)
    for name, what in (
        ("study", "study file (TOML) with what it names; all of it in its folder"),
        ("runs", "folder with the training logs"),
        ("checkpoint", "model folder, config or checkpoint"),
        ("adapter", "adapter folder or its configuration"),
        ("base", "base model of the adapter"),
        ("rubric", "points by rule (TOML); without one nothing is scored"),
    ):
        command.add_argument(f"--{name}", type=to_path, metavar="PATH", help=what)
    command.add_argument(
        "--out",
        type=to_path,
        default=Path("autograder.zip"),
        metavar="FILE",
        help="where to write (default: autograder.zip)",
    )
    command.add_argument("--force", action="store_true", help="replace the file where it is there")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Call the use case, write the archive and say what is in it."""
    from reportgen import app
    from reportgen.read.store import write_files

    out: Path = arguments.out
    if out.exists() and not arguments.force:
        raise UsageError(
            f"{out} is there already", remedy="name another file with --out, or add --force"
        )
    names = ("study", "runs", "checkpoint", "adapter", "base", "rubric")
    options = app.AutograderOptions(**{name: getattr(arguments, name) for name in names})
    made = app.make_autograder(options)
    write_files(out.parent, {out.name: made.content})
    print(f"wrote {out}: {len(made.names)} files, {len(made.content) / 2**20:.1f} MB")
    if options.rubric is None:
        print("no rubric: results are shown, and nothing is scored")
    print("next: upload it to Gradescope under Configure Autograder, on Ubuntu 22.04 or newer")
    return int(ExitCode.OK)
