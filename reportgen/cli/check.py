"""`reportgen check`: a written report held against its evidence, itself and arithmetic."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.checking.projections import FINDINGS
from reportgen.cli.arguments import (
    Commands,
    add_cluster,
    add_command,
    add_names,
    address_of,
    to_named,
    to_path,
)
from reportgen.cli.console import plain
from reportgen.cli.parser import Parser
from reportgen.cli.talk import Progress, say_error, write_file
from reportgen.records.errors import EvidenceError, ExitCode, UsageError
from reportgen.records.record import replace

if TYPE_CHECKING:
    from reportgen.app import Checked, CheckOptions, Shown, ShowOptions

_NAMED = "{name} in it stands for the submission's name"


def add(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen check report.pdf --runs logs/",
        "reportgen check report.tex --runs logs/ --checkpoint model/ --adapter lora/",
        "reportgen check paper.tex --report out/report.json",
        "reportgen check report.md --runs logs/ --format sarif --out findings.sarif",
        "reportgen check report.ipynb    # the report against itself and arithmetic",
        "reportgen check submissions/ --runs logs/ --rubric rubric.toml \\\n    --out results/",
        """reportgen check submissions/ --runs 'evidence/{name}/logs' \\
    --format json,gradescope --out results/""",
        """reportgen check submissions/ --runs /shared/logs \\
    --executor dask --address tcp://127.0.0.1:8786""",
    )
    notes = """\
A folder is a class: each folder in it that holds a report is one submission, and so is each
report in it. --runs DIR means DIR/NAME for the submission NAME where that exists, else DIR for
all; without --runs it is the submission's own logs/ or runs/.
"""
    command = add_command(commands, "check", about, examples, notes)
    command.add_argument(
        "reports",
        nargs="+",
        type=to_path,
        metavar="REPORT",
        help=".pdf .tex .md .ipynb .docx .html .txt, or a folder of submissions",
    )
    _add_evidence(command)
    _add_output(command)
    _add_limits(command)
    command.set_defaults(run=run)


def _add_evidence(command: Parser) -> None:
    evidence = command.add_argument_group("evidence", f"what reports are held against; {_NAMED}")
    for option, place, what in (
        ("--runs", "DIR|URL", "folder with the training logs"),
        ("--study", "FILE", "study file (TOML)"),
        ("--checkpoint", "PATH", "model folder, config or checkpoint"),
        ("--adapter", "PATH", "adapter folder or its configuration"),
        ("--base", "PATH", "base model of the adapter"),
    ):
        evidence.add_argument(option, type=to_named, metavar=place, help=what)
    evidence.add_argument(
        "--report",
        type=to_named,
        metavar="FILE",
        help=r"report.json of a build: each \rgnum{id}{...} in LaTeX is held against its number",
    )
    evidence.add_argument(
        "--only-with-evidence",
        action="store_true",
        help="pass over reports that nothing is named for and nothing lies beside (for hooks)",
    )


def _add_output(command: Parser) -> None:
    output = command.add_argument_group("output")
    told = f"separated by commas: {', '.join(FINDINGS)} (default: text; with --out json and html)"
    add_names(output, "--format", tuple(FINDINGS), told)
    output.add_argument(
        "--out",
        type=to_path,
        metavar="FILE|DIR",
        help="where to write; a class gets a folder, with class.csv and class.html "
        "(default: it is printed)",
    )
    output.add_argument(
        "--fail-on",
        choices=("error", "warning", "never"),
        default="error",
        help="level from which on the exit code is 1 (default: error)",
    )
    output.add_argument("--rubric", type=to_path, metavar="FILE", help="points by rule (TOML)")
    output.add_argument(
        "--visibility",
        choices=("hidden", "after_due_date", "after_published", "visible"),
        default="",
        help="when students see results on Gradescope (default: as the rubric says)",
    )
    output.add_argument(
        "--sarif-all", action="store_true", help="also what is traced and what is untraced"
    )
    output.add_argument("-q", "--quiet", action="store_true", help="errors only")
    output.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="what is untraced and traced too, with the evidence",
    )


def _add_limits(command: Parser) -> None:
    limits = command.add_argument_group("limits")
    limits.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="reports at one time; 0: one a core"
    )
    limits.add_argument(
        "--timeout", type=float, default=60.0, metavar="S", help="seconds for one report"
    )
    limits.add_argument(
        "--memory", type=int, default=4096, metavar="MB", help="memory for one report"
    )
    add_cluster(limits)


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    show = app.ShowOptions(
        formats=tuple(arguments.format),
        out=None if str(arguments.out) == "-" else arguments.out,
        fail_on=arguments.fail_on,
        rubric=arguments.rubric,
        visibility=arguments.visibility,
        sarif_all=arguments.sarif_all,
        quiet=arguments.quiet,
        verbose=arguments.verbose,
        colour=sys.stdout.isatty() and not os.environ.get("NO_COLOR"),
    )
    options = _options(arguments)
    kept = app.KeptCheck(options, show)
    key = kept.key()
    if (found := kept.find(key)) is not None:
        files, code = found
        _print(app.deliver(files, show), show)
        return code
    # What cannot be shown is refused before the work.
    app.plan_formats(show)
    with Progress(shown=not arguments.quiet) as progress:
        try:
            checked = app.check(options, notify=progress)
        except KeyboardInterrupt:
            progress.close()
            if reached := progress.reached("checking reports"):
                print(f"\n{reached} reports were checked, none is shown", file=sys.stderr)
            raise
    if arguments.only_with_evidence and not arguments.quiet:
        _tell_passed_over(arguments.reports, checked)
    folder = any(report.is_dir() for report in arguments.reports)
    files = app.spell(checked, show, whole_class=folder)
    code = int(_exit_code(checked, arguments.fail_on))
    shown = app.deliver(files, show)
    if len(checked) == 1 and (fault := checked[0].review.fault):
        _print(shown, replace(show, quiet=True))
        say_error(EvidenceError(fault, remedy=checked[0].remedy))
        return code
    _print(shown, show)
    if not any(one.review.fault for one in checked):
        kept.keep(key, files, code)
    return code


def _print(shown: Shown, show: ShowOptions) -> None:
    """Print findings, or where they were written."""
    if show.formats in {(), ("text",)}:
        sys.stdout.write(shown.text)
    else:
        write_file(shown.text)
    if not show.quiet and shown.written:
        many = f"{len(shown.written)} files to " if len(shown.written) > 1 else ""
        print(f"wrote {many}{show.out}", file=sys.stderr)


def _tell_passed_over(reports: Sequence[Path], checked: Sequence[Checked]) -> None:
    held = {one.submission.report for one in checked}
    left = [str(report) for report in reports if report not in held and not report.is_dir()]
    if left:
        print(
            plain(f"passed over, with nothing to hold them against: {', '.join(left)}"),
            file=sys.stderr,
        )


def _options(arguments: argparse.Namespace) -> CheckOptions:
    from reportgen import app

    if arguments.jobs < 0:
        raise UsageError(
            f"{arguments.jobs} reports at one time", remedy="use 0 for one a core, or a number"
        )
    return app.CheckOptions(
        reports=tuple(arguments.reports),
        runs=arguments.runs,
        study=arguments.study,
        checkpoint=arguments.checkpoint,
        adapter=arguments.adapter,
        base=arguments.base,
        report=arguments.report,
        only_with_evidence=arguments.only_with_evidence,
        workers=arguments.jobs,
        seconds=arguments.timeout,
        memory=arguments.memory * 2**20,
        address=address_of(arguments),
    )


def _exit_code(checked: Sequence[Checked], fail_on: str) -> ExitCode:
    """Return 1 for findings that count, else 3 where a report could not be checked."""
    if any(one.fails(fail_on) for one in checked):
        return ExitCode.FINDINGS
    if any(one.review.fault for one in checked) and fail_on != "never":
        return ExitCode.EVIDENCE
    return ExitCode.OK
