"""Commands that write what a start needs: a study file, templates, an autograder, completion."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from reportgen.cli.arguments import Commands, Parser, add_command, arguments_of, to_path, to_root
from reportgen.cli.console import decision_lines, plain
from reportgen.cli.talk import say, write_file
from reportgen.records.errors import ExitCode, UsageError

# `reportgen init`: what is inferred, as a study file.


def add_init(commands: Commands, about: str) -> None:
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
    _add_out(command, "study.toml", "where to write; - prints it")
    command.set_defaults(run=run_init)


def _add_out(command: Parser, default: str, about: str) -> None:
    """Add where a file is written, and that it may replace another."""
    command.add_argument("--out", type=to_path, default=Path(default), metavar="FILE", help=about)
    command.add_argument("--force", action="store_true", help="replace the file where it is there")


def run_init(arguments: argparse.Namespace) -> int:
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


# `reportgen templates`: list the templates, or copy some out.


def add_templates(commands: Commands, about: str) -> None:
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
    command.set_defaults(run=run_templates)


def run_templates(arguments: argparse.Namespace) -> int:
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


# `reportgen autograder`: an assignment for Gradescope as one archive.


def add_autograder(commands: Commands, about: str) -> None:
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
    _add_out(command, "autograder.zip", "where to write (default: autograder.zip)")
    command.set_defaults(run=run_autograder)


def run_autograder(arguments: argparse.Namespace) -> int:
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


# `reportgen completion`: what lets a shell complete commands, options and paths.

SHELLS = ("bash", "zsh", "fish", "powershell")
_PATHS = ("DIR", "FILE", "PATH", "STUDY", "REPORT")


def add_completion(commands: Commands, about: str) -> None:
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
    command.set_defaults(run=run_completion)


def run_completion(arguments: argparse.Namespace) -> int:
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
