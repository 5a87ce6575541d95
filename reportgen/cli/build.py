"""`reportgen build`: a folder of runs to a report."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.cli.arguments import (
    OPTION_OF,
    Commands,
    add_command,
    add_loader,
    add_names,
    address_of,
    to_output,
    to_path,
    to_root,
    to_seeds,
)
from reportgen.cli.console import decision_lines, plain, rerun_lines, warning_lines
from reportgen.cli.following import follow_until_ended
from reportgen.cli.parser import Parser
from reportgen.cli.plan import add_choice
from reportgen.cli.rerun import add_training, complete
from reportgen.cli.talk import Progress, say, say_json
from reportgen.languages import LANGUAGES
from reportgen.records.errors import UsageError
from reportgen.records.record import replace
from reportgen.render import ENDINGS

if TYPE_CHECKING:
    from reportgen.app import BuildOptions, BuildOutcome


FORMATS = (*ENDINGS, "zip")
"""Endings that --format takes."""
_OF_TRAINING = {
    "only": [],
    "yes": False,
    "max_gpu_hours": None,
    "resume": False,
    "restart": False,
    "accept_drift": False,
    "device": "auto",
    "workers": 0,
    "executor_option": [],
}
"""What only --rerun asks for, each with what it is where it was left out."""


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen build --runs logs/ --out out/report.pdf",
        "reportgen build study.toml --out out/ --format pdf,html",
        "reportgen build --runs logs/ --checkpoint model/ --adapter lora/ \\\n    --out report.pdf",
        "reportgen build study.toml --out out/report.pdf --engine latex --ddof 0",
        "reportgen build study.toml --out out/rapport.pdf --lang fr --theme acl",
        "reportgen build study.toml --out out/report.pdf --rerun --yes",
        "reportgen build --runs logs/ --out out/ --watch",
        """reportgen build --runs /shared/logs --out out/ \\
    --executor dask --address tcp://127.0.0.1:8786""",
    )
    command = add_command(commands, "build", about, examples)
    add_input(command)
    _add_output(command)
    add_settings(command)
    training = command.add_argument_group(
        "completing the grid", "what --rerun trains, and where; without it nothing is trained"
    )
    training.add_argument(
        "--rerun", action="store_true", help="train missing cells first, after asking"
    )
    add_choice(training)
    add_training(training)
    command.set_defaults(run=run)


def add_input(command: Parser) -> None:
    """Declare what a report is built from: `make_options` reads it."""
    evidence = command.add_argument_group("evidence", "a study file, a folder of logs, or both")
    evidence.add_argument(
        "study", nargs="?", type=to_path, metavar="STUDY", help="study file (TOML)"
    )
    evidence.add_argument(
        "--runs", type=to_root, metavar="DIR|URL", help="folder with the training logs"
    )
    evidence.add_argument(
        "--checkpoint",
        type=to_path,
        metavar="PATH",
        help="model folder, config.json or checkpoint",
    )
    evidence.add_argument(
        "--adapter",
        type=to_path,
        metavar="PATH",
        help="adapter folder or adapter_config.json",
    )
    evidence.add_argument(
        "--base",
        type=to_path,
        metavar="PATH",
        help="config.json or checkpoint of the adapter's base",
    )
    add_loader(evidence)


def add_settings(command: Parser) -> None:
    """Declare how a report is computed and what it looks like: `make_options` reads it."""
    _add_statistics(command)
    _add_look(command)
    cache = command.add_argument_group("cache")
    cache.add_argument(
        "--cache",
        type=to_path,
        default=Path(),
        metavar="DIR",
        help="cache folder (default: $REPORTGEN_CACHE, or the system's place for caches)",
    )
    cache.add_argument("--no-cache", action="store_true", help="build everything afresh")


def _add_output(command: Parser) -> None:
    output = command.add_argument_group("output")
    output.add_argument(
        "--out",
        type=to_output,
        required=True,
        metavar="FILE|DIR",
        help="a .pdf or a folder gets every format; .html .md .tex .json .zip that one",
    )
    told = f"only these, separated by commas: {', '.join(FORMATS)} (default: as --out says)"
    add_names(output, "--format", FORMATS, told)
    output.add_argument(
        "--watch",
        action="store_true",
        help="build again whenever logs, study or templates change, until Ctrl-C",
    )
    output.add_argument("-q", "--quiet", action="store_true", help="print warnings only")
    output.add_argument("--json", action="store_true", help="print the outcome as JSON")


def _add_look(command: Parser) -> None:
    look = command.add_argument_group("look", f"how the report is set; {_ELSE}")
    look.add_argument(
        "--engine",
        choices=("auto", "typst", "latex"),
        default="auto",
        help="what makes the PDF; auto: typst, but pdflatex where own templates are LaTeX's",
    )
    look.add_argument(
        "--template",
        type=to_path,
        metavar="DIR",
        help="folder with own templates (default: templates/ beside the study file)",
    )
    look.add_argument(
        "--theme",
        type=_to_theme,
        metavar="NAME|DIR",
        help="look of the pages: plain, acl, neurips, or a folder",
    )
    look.add_argument(
        "--lang", choices=tuple(LANGUAGES), help="language of the report (default: en)"
    )
    look.add_argument(
        "--detail",
        choices=("brief", "standard", "full"),
        help="brief is one page, standard has an appendix, full prints all there is",
    )
    look.add_argument("--paper", choices=("a4", "letter"), help="paper of the pages (default: a4)")
    look.add_argument(
        "--columns", type=int, choices=(1, 2), help="columns of a page (default: the theme's)"
    )
    look.add_argument("--title", metavar="TEXT", help="title of the report")


def _to_theme(text: str) -> str:
    """Return a name as it stands, and a folder so that it is found from anywhere."""
    return str(Path(text).absolute()) if "/" in text or os.sep in text else text


def _to_pattern(text: str) -> str:
    """Read a pattern on paths of runs; one that tells neither group nor seed is refused."""
    from reportgen.read.study import fault_of_pattern

    if fault := fault_of_pattern(text):
        raise argparse.ArgumentTypeError(fault)
    return text


def _add_statistics(command: Parser) -> None:
    statistics = command.add_argument_group("statistics", f"what is computed; {_ELSE}")
    statistics.add_argument(
        "--group-by",
        choices=("seeds", "numbers", "none"),
        help="which runs repeat one another: those that differ in their seed, also in a number "
        "or the time in their name, or none",
    )
    statistics.add_argument(
        "--pattern",
        type=_to_pattern,
        metavar="REGEX",
        help="group and seed of a run from its path, as (?P<group>.+)/(?P<seed>\\d+)$",
    )
    splits = ("train", "validation", "test")
    statistics.add_argument("--metric", metavar="NAME", help="metric that decides")
    statistics.add_argument("--direction", choices=("higher", "lower"), help="which is better")
    statistics.add_argument("--select-on", choices=splits, help="split that chooses the best step")
    statistics.add_argument("--report-on", choices=splits, help="split that is reported")
    statistics.add_argument(
        "--ties", choices=("first", "last"), help="which of equal best steps (default: first)"
    )
    statistics.add_argument(
        "--ddof",
        type=int,
        choices=(0, 1),
        help="0: population std, 1: sample std (default: 1)",
    )
    statistics.add_argument(
        "--expect",
        type=to_seeds,
        metavar="SEEDS",
        help="seeds that each group should have, as 0-4 or 0,1,2; those without a run are missing",
    )


_ELSE = "what is left out is the study file's, or inferred"


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    _refuse_unused(arguments)
    options = make_options(arguments, out=arguments.out, formats=tuple(arguments.format))
    if arguments.executor == "dask":
        options = replace(options, address=arguments.address)
    failed = _complete(arguments) if arguments.rerun else 0
    if arguments.watch:
        return failed or follow_until_ended(options, as_json=arguments.json, quiet=arguments.quiet)
    with Progress(shown=not arguments.quiet and not arguments.json) as progress:
        outcome = app.build(options, notify=progress)
    if arguments.json:
        say_json(outcome.to_json())
    else:
        _say_outcome(outcome, quiet=arguments.quiet)
    return outcome.exit_code or failed


def _refuse_unused(arguments: argparse.Namespace) -> None:
    """Refuse options of which one would be passed over.

    Raises:
        UsageError: The ending of --out is a format that --format leaves out, or an option says
            what is trained and nothing is.
    """
    ending = arguments.out.suffix.lower().removeprefix(".")
    # A PDF has every format beside it: --format chooses among them.
    single = ending in FORMATS and ending != "pdf" and not arguments.out.is_dir()
    if single and arguments.format and ending not in arguments.format:
        listed = ",".join(arguments.format)
        first = arguments.out.with_suffix(f".{arguments.format[0]}")
        raise UsageError(
            f"--out {arguments.out} asks for another format than --format {listed}",
            remedy=f"--out {first}, or --format {ending},{listed}, or a folder as --out",
        )
    if arguments.rerun:
        return
    given = [name for name, none in _OF_TRAINING.items() if getattr(arguments, name) != none]
    given += ["executor slurm"] if arguments.executor == "slurm" else []
    if given:
        option = f"--{given[0].replace('_', '-')}"
        raise UsageError(
            f"{option} says what is trained, and without --rerun nothing is",
            remedy=f"add --rerun, or leave {option} out",
        )
    address_of(arguments)


def make_options(
    arguments: argparse.Namespace, *, out: Path, formats: tuple[str, ...]
) -> BuildOptions:
    """Return what a report is built from and how, and into what."""
    from reportgen import app

    return app.BuildOptions(
        study=arguments.study,
        runs=arguments.runs,
        out=out,
        formats=formats,
        engine=arguments.engine,
        template=arguments.template,
        checkpoint=arguments.checkpoint,
        adapter=arguments.adapter,
        base=arguments.base,
        settings=_settings(arguments),
        cache=None if arguments.no_cache else arguments.cache,
        loader=arguments.loader,
    )


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
        *("metric", "direction", "select_on", "report_on", "ties", "ddof", "expect"),
        *("group_by", "pattern"),
        *("title", "lang", "theme", "paper", "columns", "detail"),
    )
    return {n: getattr(arguments, n) for n in names if getattr(arguments, n) is not None}


def _say_outcome(outcome: BuildOutcome, *, quiet: bool) -> None:
    if not quiet:
        say(decision_lines(outcome.decisions, OPTION_OF))
    for line in warning_lines(outcome.warnings, () if quiet else outcome.notes):
        print(line, file=sys.stderr)
    if not quiet:
        for path in outcome.files:
            print(plain(f"{'wrote' if path in outcome.written else 'unchanged'} {path}"))
        count = len(outcome.warnings)
        print(f"{outcome.engine}; {count} {'warning' if count == 1 else 'warnings'}")
