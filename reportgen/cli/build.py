"""`reportgen build`: a folder of runs to a report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.cli._arguments import (
    Commands,
    Parser,
    add_command,
    add_loader,
    to_names,
    to_path,
    to_root,
)
from reportgen.cli._talk import Progress, say, say_json
from reportgen.cli.plan import add_choice
from reportgen.cli.rerun import add_training, complete
from reportgen.console import decision_lines, plain, rerun_lines
from reportgen.errors import UsageError
from reportgen.languages import LANGUAGES

if TYPE_CHECKING:
    from reportgen.api import BuildOutcome


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = """\
  reportgen build --runs logs/ --out out/report.pdf
  reportgen build study.toml --out out/ --format pdf,html
  reportgen build --runs logs/ --checkpoint model/ --adapter lora/ --out report.pdf
  reportgen build study.toml --out out/report.pdf --engine latex --ddof 0
  reportgen build study.toml --out out/rapport.pdf --lang fr --theme acl
  reportgen build study.toml --out out/report.pdf --rerun --yes
"""
    command = add_command(commands, "build", about, examples)
    _add_input_and_output(command)
    _add_evidence(command)
    _add_settings(command)
    command.add_argument(
        "--rerun", action="store_true", help="train missing cells first, after asking"
    )
    add_choice(command)
    add_training(command)
    command.add_argument(
        "--cache", type=to_path, default=Path(), metavar="DIR", help="cache folder"
    )
    command.add_argument("--no-cache", action="store_true", help="build everything afresh")
    add_loader(command)
    command.add_argument("--quiet", action="store_true", help="print warnings only")
    command.add_argument("--json", action="store_true", help="print the outcome as JSON")
    command.set_defaults(run=run)


def _add_input_and_output(command: Parser) -> None:
    command.add_argument(
        "study", nargs="?", type=to_path, metavar="STUDY", help="study file (TOML)"
    )
    command.add_argument(
        "--runs", type=to_root, metavar="DIR|URL", help="folder with the training logs"
    )
    command.add_argument(
        "--out",
        type=to_path,
        required=True,
        metavar="FILE|DIR",
        help="a .pdf or a folder gets every format; .html .md .tex .json .zip that one",
    )
    command.add_argument(
        "--format",
        type=to_names,
        default=(),
        metavar="LIST",
        help="only these, comma separated: pdf,tex,md,html,json,typ,zip",
    )
    command.add_argument(
        "--engine", choices=("auto", "typst", "latex"), default="auto", help="what makes the PDF"
    )
    command.add_argument(
        "--template", type=to_path, metavar="DIR", help="folder with own templates"
    )
    command.add_argument(
        "--theme",
        type=_to_theme,
        metavar="NAME|DIR",
        help="look of the pages: plain, acl, neurips, or a folder",
    )
    command.add_argument("--lang", choices=tuple(LANGUAGES), help="language of the report")
    command.add_argument("--paper", choices=("a4", "letter"), help="paper of the pages")
    command.add_argument("--columns", type=int, choices=(1, 2), help="columns of a page")


def _to_theme(text: str) -> str:
    """Return a name as it stands, and a folder so that it is found from anywhere."""
    return str(Path(text).absolute()) if "/" in text else text


def _add_evidence(command: Parser) -> None:
    command.add_argument(
        "--checkpoint",
        type=to_path,
        metavar="PATH",
        help="model folder, config.json or checkpoint",
    )
    command.add_argument(
        "--adapter",
        type=to_path,
        metavar="PATH",
        help="adapter folder or adapter_config.json",
    )
    command.add_argument(
        "--base",
        type=to_path,
        metavar="PATH",
        help="config.json or checkpoint of the adapter's base",
    )


def _add_settings(command: Parser) -> None:
    splits = ("train", "validation", "test")
    command.add_argument("--metric", metavar="NAME", help="metric that decides (accuracy)")
    command.add_argument("--direction", choices=("higher", "lower"), help="which is better")
    command.add_argument("--select-on", choices=splits, help="split that chooses the best step")
    command.add_argument("--report-on", choices=splits, help="split that is reported")
    command.add_argument("--ties", choices=("first", "last"), help="which of equal best steps")
    command.add_argument("--ddof", type=int, choices=(0, 1), help="0: population std, 1: sample")
    command.add_argument("--title", metavar="TEXT", help="title of the report")


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import api

    options = api.BuildOptions(
        study=arguments.study,
        runs=arguments.runs,
        out=arguments.out,
        formats=tuple(arguments.format),
        engine=arguments.engine,
        template=arguments.template,
        checkpoint=arguments.checkpoint,
        adapter=arguments.adapter,
        base=arguments.base,
        settings=_settings(arguments),
        cache=None if arguments.no_cache else arguments.cache,
        loader=arguments.loader,
    )
    failed = _complete(arguments) if arguments.rerun else 0
    with Progress(shown=not arguments.quiet and not arguments.json) as progress:
        outcome = api.build(options, notify=progress)
    if arguments.json:
        say_json(outcome.to_json())
    else:
        _say_outcome(outcome, quiet=arguments.quiet)
    return outcome.exit_code or failed


def _complete(arguments: argparse.Namespace) -> int:
    """Train what is missing; return the exit code that a cell without a result asks for."""
    if arguments.study is None:
        raise UsageError(
            "--rerun needs a study file, which says how a cell is trained",
            remedy="reportgen init --runs DIR writes one; then add [train]",
        )
    outcome = complete(arguments)
    if not arguments.json:
        say(rerun_lines(outcome, quiet=arguments.quiet))
    return outcome.exit_code


def _settings(arguments: argparse.Namespace) -> dict[str, object]:
    names = (
        *("metric", "direction", "select_on", "report_on", "ties", "ddof"),
        *("title", "lang", "theme", "paper", "columns"),
    )
    return {n: getattr(arguments, n) for n in names if getattr(arguments, n) is not None}


def _say_outcome(outcome: BuildOutcome, *, quiet: bool) -> None:
    if not quiet:
        say(decision_lines(outcome.decisions))
    for warning in outcome.warnings:
        print(f"warning: {plain(warning)}", file=sys.stderr)
    if not quiet:
        for path in outcome.files:
            print(plain(f"{'wrote' if path in outcome.written else 'unchanged'} {path}"))
        print(f"{outcome.engine}; {len(outcome.warnings)} warnings")
