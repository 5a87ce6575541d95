"""`reportgen check`: a written report held against its evidence, itself and arithmetic."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.checking.projections import FINDINGS
from reportgen.cli.arguments import address_of, taken
from reportgen.cli.console import plain
from reportgen.cli.talk import Progress, colours, say_error, write_file
from reportgen.records.errors import EvidenceError, ExitCode, UsageError
from reportgen.records.record import replace

if TYPE_CHECKING:
    from reportgen.app import Checked, CheckOptions, Shown, ShowOptions


KNOWN = {"names": tuple(FINDINGS)}


def run(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    show = taken(
        app.ShowOptions,
        arguments,
        formats=tuple(arguments.format),
        out=None if str(arguments.out) == "-" else arguments.out,
        colour=colours(sys.stdout),
    )
    options = _options(arguments)
    read = [*options.reports, *filter(None, [arguments.report])]
    if show.out and show.out.is_file() and show.out.resolve() in [one.resolve() for one in read]:
        remedy = "write the findings to another file"
        raise UsageError(f"{show.out} is read: nothing is written over it", remedy=remedy)
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
    return taken(
        app.CheckOptions,
        arguments,
        reports=tuple(arguments.reports),
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
