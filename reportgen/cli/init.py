"""Commands that write what a start needs: a study file, templates, an autograder, completion."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from reportgen.cli.arguments import arguments_of, taken, to_path, to_root
from reportgen.cli.console import decision_lines, plain
from reportgen.cli.talk import say, write_file
from reportgen.records.errors import ExitCode, UsageError

# `reportgen init`: what is inferred, as a study file.


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


def run_autograder(arguments: argparse.Namespace) -> int:
    """Call the use case, write the archive and say what is in it."""
    from reportgen import app
    from reportgen.read.store import write_files

    out: Path = arguments.out
    if out.exists() and not arguments.force:
        raise UsageError(
            f"{out} is there already", remedy="name another file with --out, or add --force"
        )
    options = taken(app.AutograderOptions, arguments)
    made = app.make_autograder(options)
    write_files(out.parent, {out.name: made.content})
    print(f"wrote {out}: {len(made.names)} files, {len(made.content) / 2**20:.1f} MB")
    if options.rubric is None:
        print("no rubric: results are shown, and nothing is scored")
    print("next: upload it to Gradescope under Configure Autograder, on Ubuntu 22.04 or newer")
    return int(ExitCode.OK)


# `reportgen completion`: what lets a shell complete commands, options and paths.

_PATHS = ("DIR", "FILE", "PATH", "STUDY", "REPORT")


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
