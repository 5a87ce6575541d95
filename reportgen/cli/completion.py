"""`reportgen completion`: what lets a shell complete commands, options and paths."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from reportgen.cli.arguments import Commands, add_command, to_path, to_root
from reportgen.cli.parser import arguments_of
from reportgen.cli.streams import write_file
from reportgen.records.errors import ExitCode

SHELLS = ("bash", "zsh", "fish", "powershell")
_PATHS = ("DIR", "FILE", "PATH", "STUDY", "REPORT")


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen completion bash \\\n    > ~/.local/share/bash-completion/completions/reportgen",
        "reportgen completion zsh > ~/.zfunc/_reportgen",
        "reportgen completion fish > ~/.config/fish/completions/reportgen.fish",
        "reportgen completion powershell >> $PROFILE",
    )
    notes = "zsh looks there after fpath+=~/.zfunc in .zshrc, before compinit."
    command = add_command(commands, "completion", about, examples, notes)
    command.add_argument("shell", choices=SHELLS, help="the shell that is to complete")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the script, made of the same parsers that read the arguments."""
    import shtab

    from reportgen.cli import make_parser

    parser = make_parser()
    for action in _actions(parser):
        named = action.metavar if isinstance(action.metavar, str) else ""
        if action.type in {to_path, to_root} or named.partition("|")[0] in _PATHS:
            # That is where shtab looks for it.
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        action.choices = action.choices or getattr(action, "names", None)
    write_file(shtab.complete(parser, shell=arguments.shell) + "\n")
    return int(ExitCode.OK)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser and of those below it."""
    for action in arguments_of(parser):
        yield action
        if isinstance(action.choices, dict):
            for below in action.choices.values():
                yield from _actions(below)
