"""What every command's arguments are made with."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NoReturn, TypeAlias

from reportgen.errors import ExitCode
from reportgen.mirror.url import is_url

EXIT_CODES = """\
exit codes:
  0 done (warnings may have been printed)   1 findings at or above --fail-on
  2 usage, configuration or output folder   3 evidence or engine missing
  4 template                                5 internal error
"""


class Parser(argparse.ArgumentParser):
    """Ends a usage error with the documented exit code and a remedy."""

    def error(self, message: str) -> NoReturn:
        print(f"error: {message}\n  remedy: {self.prog} --help", file=sys.stderr)
        raise SystemExit(int(ExitCode.USAGE))


# The type of what add_subparsers gives has no public name.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001


def add_command(commands: Commands, name: str, about: str, examples: str) -> Parser:
    """Add a command with its help and examples."""
    return commands.add_parser(
        name,
        help=about,
        description=about,
        epilog=f"examples:\n{examples}\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_loader(command: Parser) -> None:
    """Declare `--loader`."""
    command.add_argument(
        "--loader",
        choices=("own", "loop", "tbparse"),
        default="own",
        help="what reads event files: reportgen's reader, its plain second one, or tbparse",
    )


def to_path(text: str) -> Path:
    """Read a path; an empty one is refused."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path names nothing; the folder here is .")
    if is_url(text):
        raise argparse.ArgumentTypeError(
            "a URL is read for a folder of runs alone; copy what it names to this machine"
        )
    return Path(text)


def to_root(text: str) -> Path | str:
    """Read the path of a folder of runs, or its URL in an object store."""
    return text if is_url(text) else to_path(text)


def to_names(text: str) -> tuple[str, ...]:
    """Read names separated by commas."""
    names = tuple(name.strip().lower() for name in text.split(",") if name.strip())
    if not names:
        raise argparse.ArgumentTypeError("names no format")
    return names


def to_count(text: str) -> int:
    """Read a number of parameters in any of its spellings."""
    from reportgen.api.options import read_count

    try:
        return read_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
