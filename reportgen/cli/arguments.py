"""What every command's arguments are made with."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TypeAlias

from reportgen.cli.parser import Page, Parser
from reportgen.read.remote import is_url
from reportgen.records.errors import UsageError

# The type of what add_subparsers gives has no public name.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001
Container: TypeAlias = "Parser | argparse._ArgumentGroup"  # noqa: SLF001
"""A command, or a group of its arguments."""


OPTION_OF = {
    "runs.repeats": "--group-by",
    "runs.pattern": "--pattern",
    "metric.name": "--metric",
    "metric.direction": "--direction",
    "metric.select_on": "--select-on",
    "metric.report_on": "--report-on",
}
"""Key of a decision to the option that answers its question."""

_MOST_DIGITS = 11
_MOST_SEEDS = 1001


def add_command(
    commands: Commands, name: str, about: str, examples: tuple[str, ...], notes: str = ""
) -> Parser:
    """Add a command with its help and examples."""
    return commands.add_parser(
        name, help=about, page=Page(about=about, examples=examples, notes=notes)
    )


def add_loader(command: Container) -> None:
    """Declare `--loader`."""
    command.add_argument(
        "--loader",
        choices=("own", "loop", "tbparse"),
        default="own",
        help="what reads event files: reportgen's reader, its plain second one, or tbparse",
    )


def add_names(command: Container, option: str, names: tuple[str, ...], told: str) -> None:
    """Declare an option that takes a list of names; a shell completes the first of them."""
    action = command.add_argument(option, type=to_names, default=(), metavar="LIST", help=told)
    action.names = names  # type: ignore[attr-defined]


def add_cluster(command: Container) -> None:
    """Declare where reading and checking take place; `address_of` reads it."""
    command.add_argument(
        "--executor",
        choices=("local", "dask"),
        default="local",
        help="where logs are read and several reports are checked",
    )
    command.add_argument(
        "--address",
        default="",
        metavar="URL",
        help="a running Dask scheduler, with --executor dask",
    )


def address_of(arguments: argparse.Namespace) -> str:
    """Return the address of the scheduler that was asked for, empty without one.

    Raises:
        UsageError: An executor without its address, or an address without its executor.
    """
    if (arguments.executor == "dask") != bool(arguments.address):
        raise UsageError(
            "--executor dask and --address belong together",
            remedy="name the scheduler: --executor dask --address tcp://127.0.0.1:8786",
        )
    return str(arguments.address)


def to_path(text: str) -> Path:
    """Read a path; an empty one is refused."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path names nothing; the folder here is .")
    if is_url(text):
        raise argparse.ArgumentTypeError(
            f"{text!r}: a URL is read for a folder of runs alone; copy it to this machine"
        )
    return Path(text)


def to_named(text: str) -> str:
    """Read a path that may hold `{name}`, or the URL of a folder; an empty one is refused."""
    return str(to_root(text))


def to_output(text: str) -> Path:
    """Read where a report goes; what ends in a slash is a folder, whatever its name looks like.

    Example:
        >>> to_output("run-lr0.1/").as_posix(), to_output("out/report.html").as_posix()
        ('run-lr0.1/report.pdf', 'out/report.html')
    """
    path = to_path(text)
    is_folder = text.endswith(("/", os.sep)) and path.suffix
    # A folder gets every format, as a report with the ending of a PDF does.
    return path / "report.pdf" if is_folder else path


def to_root(text: str) -> Path | str:
    """Read the path of a folder of runs, or its URL in an object store."""
    return text if is_url(text) else to_path(text)


def to_names(text: str) -> tuple[str, ...]:
    """Read names separated by commas."""
    names = tuple(name.strip().lower() for name in text.split(",") if name.strip())
    if not names:
        raise argparse.ArgumentTypeError("names no format")
    return names


def to_seeds(text: str) -> tuple[int, ...]:
    """Read seeds: numbers and ranges of them, separated by commas (`0-4,42`)."""
    found: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        ends = (first, last if dash else first)
        if not all(end.isascii() and end.isdecimal() and len(end) < _MOST_DIGITS for end in ends):
            raise argparse.ArgumentTypeError(f"{part.strip()!r} is no seed, as 3, or range, as 0-4")
        if not 0 <= int(ends[1]) - int(ends[0]) < _MOST_SEEDS:
            raise argparse.ArgumentTypeError(f"{part.strip()!r}: a range goes up, by at most 1000")
        found.update(dict.fromkeys(range(int(ends[0]), int(ends[1]) + 1)))
    return tuple(found)


def to_count(text: str) -> int:
    """Read a number of parameters in any of its spellings."""
    from reportgen.app import read_count

    try:
        return read_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
