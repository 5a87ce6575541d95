"""`reportgen plan` and `reportgen rerun`: what is missing of a grid, and training it."""

from __future__ import annotations

import argparse
import math
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.cli.arguments import taken
from reportgen.cli.console import grid_lines, plain, rerun_lines
from reportgen.cli.talk import Progress, say, say_json
from reportgen.records.errors import EvidenceError, ExitCode, UsageError, other_than

if TYPE_CHECKING:
    from reportgen import app
    from reportgen.records.job import GridPlan


# `reportgen plan`: what is done, partial, failed, stale or missing, and what it would cost.


def study_of(arguments: argparse.Namespace, command: str) -> Path:
    """Return the study file that was named.

    Raises:
        UsageError: None was: a folder of logs does not say which runs there shall be.
    """
    study: Path | None = arguments.study
    if study is None:
        runs = shlex.quote(str(arguments.runs)) if arguments.runs else "DIR"
        raise UsageError(
            "no study file was named: it says which groups and seeds there shall be",
            remedy=f"`reportgen init --runs {runs}` writes one of the runs that are there; then "
            f"`reportgen {command} study.toml`",
        )
    return study


def runs_of(arguments: argparse.Namespace) -> Path | str | None:
    """Return the folder of logs that was named.

    Raises:
        EvidenceError: It is not there; a study may name one that training is yet to make.
    """
    runs: Path | str | None = arguments.runs
    if isinstance(runs, Path) and not runs.exists():
        raise EvidenceError(f"there is no file or folder {str(runs)!r}", remedy=other_than(runs))
    return runs


def run_plan(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    options = taken(
        app.GridOptions,
        arguments,
        study=study_of(arguments, "plan"),
        runs=runs_of(arguments),
        only=tuple(arguments.only),
    )
    with Progress(shown=not arguments.json) as progress:
        found = app.plan(options, notify=progress)
    if arguments.json:
        say_json(found.to_json())
    else:
        say(grid_lines(found.plan))
    return int(ExitCode.OK)


# `reportgen rerun`: train the missing cells, after asking.


def to_hours(text: str) -> float:
    """Read a number of hours; a NaN would limit nothing."""
    try:
        hours = float(text)
    except ValueError:
        hours = math.nan
    if not 0 <= hours < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of hours")
    return hours


KNOWN = {"hours": to_hours}


def run_rerun(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    outcome = complete(arguments)
    if arguments.json:
        say_json(outcome.to_json())
    else:
        say(rerun_lines(outcome, quiet=arguments.quiet))
    return outcome.exit_code


def complete(arguments: argparse.Namespace) -> app.RerunOutcome:
    """Train what is missing, after asking."""
    from reportgen import app

    try:
        with (
            Progress(shown=not arguments.quiet and not arguments.json) as progress,
            interruptible(),
        ):
            return app.rerun(
                training_options(arguments),
                confirm=confirmation(arguments, progress),
                notify=progress,
            )
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the last checkpoints", file=sys.stderr)
        raise


@contextmanager
def interruptible() -> Iterator[None]:
    """Take what ends a session or a job of a cluster for an interrupt of the keyboard.

    Python would end at once, and the children with no word of where they stand.
    """
    names = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    # What is ignored, as under nohup, stays ignored.
    caught = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, signal.default_int_handler) for number in caught}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def training_options(arguments: argparse.Namespace) -> app.RerunOptions:
    """Return what the arguments ask to train."""
    from reportgen import app

    return taken(
        app.RerunOptions,
        arguments,
        study=study_of(arguments, "rerun"),
        runs=runs_of(arguments),
        only=tuple(arguments.only),
        # What it costs is measured for whoever decides by it.
        probe=not arguments.yes,
        executor_options=tuple(arguments.executor_option),
    )


def confirmation(arguments: argparse.Namespace, progress: Progress) -> app.Confirm:
    """Return the question that `rerun` asks before it trains."""

    def confirm(plan: GridPlan) -> bool:
        progress.close()
        if not (arguments.json or arguments.quiet) or not arguments.yes:
            for line in grid_lines(plan):
                print(plain(line), file=sys.stderr)
        if arguments.yes:
            return True
        if not sys.stdin.isatty():
            print("not started: add --yes to train without being asked", file=sys.stderr)
            return False
        print("train these cells now? [y/N] ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower() in {"y", "yes"}

    return confirm
