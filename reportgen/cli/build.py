"""`reportgen build` and `reportgen serve`: a folder of runs to a report, once or as it grows."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.app.live import PORT
from reportgen.cli.arguments import OPTION_OF, address_of, taken, to_seeds
from reportgen.cli.console import decision_lines, plain, rerun_lines, round_lines, warning_lines
from reportgen.cli.plan import complete, interruptible, to_hours
from reportgen.cli.talk import Progress, colours, say, say_error, say_json
from reportgen.languages import LANGUAGES
from reportgen.records.errors import EvidenceError, ExitCode, UsageError
from reportgen.records.record import replace
from reportgen.render import ENDINGS

if TYPE_CHECKING:
    from reportgen.app import BuildOptions, BuildOutcome, Round


# Following a training from the command line: rounds as they come, until somebody ends it.


class Teller:
    """Prints rounds: lines for people, or one line of JSON each for programs.

    Args:
        as_json: Print JSON.
        quiet: Print warnings and faults only.
        progress: The line to be cleared before something is printed.
        writes: Whether files are written.
    """

    def __init__(
        self, *, as_json: bool, quiet: bool, progress: Progress, writes: bool = True
    ) -> None:
        self._writes = writes
        self._json, self._quiet, self._progress = as_json, quiet, progress
        self._warned: tuple[str, ...] = ()
        self._letter = ""
        self.exit_code = int(ExitCode.INTERRUPTED)

    def __call__(self, round_: Round) -> None:
        """Print a round."""
        if not round_.under_way:
            first, self.exit_code = self.exit_code == ExitCode.INTERRUPTED, round_.exit_code
            self._progress.close()
        if self._json:
            print_line(round_.to_json())
        elif not round_.under_way:
            self._say(round_, first=first)

    def _say(self, round_: Round, *, first: bool) -> None:
        letter, self._letter = self._letter, str(round_.fault or "")
        if round_.fault is not None and self._letter == letter:
            return
        if round_.fault is not None and round_.state == "failed":
            say_error(round_.fault)
        if round_.outcome is not None:
            if first and not self._quiet:
                say(decision_lines(round_.outcome.decisions, OPTION_OF))
            new = [w for w in round_.outcome.warnings if w not in self._warned]
            for line in warning_lines(new):
                print(line, file=sys.stderr)
            self._warned = round_.outcome.warnings
            if letter and not self._quiet:
                say([f"{time.strftime('%H:%M:%S')} the fault is gone; the report is up to date"])
            if not first and not new and not round_.files_changed:
                return
        if not self._quiet:
            lines = round_lines(round_, time.strftime("%H:%M:%S"), writes=self._writes)
            say(lines, coloured=colours(sys.stdout))
        sys.stdout.flush()


def print_line(value: dict[str, object]) -> None:
    """Print a line of JSON at once, for programs that read along."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False), flush=True)


def follow_until_ended(
    options: BuildOptions,
    run: Callable[..., None],
    *,
    as_json: bool,
    quiet: bool,
    writes: bool = True,
) -> int:
    """Follow the inputs of a report until Ctrl-C or a signal to end; return the last exit code.

    Args:
        options: What to build.
        run: Follows them: `app.follow`, or `app.serve` with the port.
        as_json: Print lines of JSON.
        quiet: Print warnings and faults only.
        writes: Whether files are written.

    Raises:
        EvidenceError: Neither the folder of runs is there nor the one above it.
    """
    waited = awaited(options.runs)
    if waited:
        print(f"warning: {plain(waited)}", file=sys.stderr)
    stop = threading.Event()
    with Progress(shown=not quiet and not as_json) as progress, interruptible():
        teller = Teller(as_json=as_json, quiet=quiet, progress=progress, writes=writes)
        try:
            run(options, teller, stop=stop, writes=writes, notify=progress)
        except KeyboardInterrupt:
            progress.close()
    if not quiet and not as_json:
        print("\nended; the last report stays as it is" if writes else "\nended", file=sys.stderr)
    return teller.exit_code


def awaited(runs: Path | str | None) -> str:
    """Return that a folder of runs is not there yet, and what else it may be; else nothing.

    Raises:
        EvidenceError: Not even the folder it would be in is there.
    """
    if not isinstance(runs, Path) or runs.exists():
        return ""
    folder = runs.absolute().parent
    if not folder.is_dir():
        raise EvidenceError(
            f"there is neither {str(runs)!r} nor the folder that it would be in",
            remedy="correct --runs; the folder of a training that starts later may be missing, "
            "but not the one above it",
        )
    close = difflib.get_close_matches(runs.name, [each.name for each in folder.iterdir()], n=1)
    meant = f"; did you mean {str(runs.parent / close[0])!r}?" if close else ""
    return f"there is no {str(runs)!r} yet; the report begins when it is made{meant}"


# `reportgen build`: a folder of runs to a report.

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


def _to_theme(text: str) -> str:
    """Return a name as it stands, and a folder so that it is found from anywhere."""
    return str(Path(text).absolute()) if "/" in text or os.sep in text else text


def _to_pattern(text: str) -> str:
    """Read a pattern on paths of runs; one that tells neither group nor seed is refused."""
    from reportgen.read.study import fault_of_pattern

    if fault := fault_of_pattern(text):
        raise argparse.ArgumentTypeError(fault)
    return text


KNOWN = {
    "names": FORMATS,
    "languages": tuple(LANGUAGES),
    "port": PORT,
    "hours": to_hours,
    "seeds": to_seeds,
    "pattern": _to_pattern,
    "theme": _to_theme,
}
"""What the rows of its commands name: values, and what reads words."""


def run_build(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    _refuse_unused(arguments)
    options = make_options(arguments, out=arguments.out, formats=tuple(arguments.format))
    if arguments.executor == "dask":
        options = replace(options, address=arguments.address)
    failed = _complete(arguments) if arguments.rerun else 0
    if arguments.watch:
        return failed or follow_until_ended(
            options, app.follow, as_json=arguments.json, quiet=arguments.quiet
        )
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

    return taken(
        app.BuildOptions,
        arguments,
        out=out,
        formats=formats,
        settings=_settings(arguments),
        cache=None if arguments.no_cache else arguments.cache,
        address="",
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


# `reportgen serve`: a report in the browser that follows a running training.

SERVED = ("html", "pdf", "json")
"""What is made where nothing is written: what a browser shows, and what belongs to it."""


def run_serve(arguments: argparse.Namespace) -> int:
    """Call the use case until somebody ends it."""
    from reportgen import app

    writes = arguments.out is not None
    formats = tuple(arguments.format) or (() if writes else SERVED)
    options = make_options(arguments, out=arguments.out or Path("report"), formats=formats)

    if options.study is None and options.runs is None:
        raise UsageError(
            "nothing to serve: neither a study file nor a folder with logs",
            remedy="reportgen serve --runs DIR, or reportgen serve STUDY",
        )

    def ready(port: int) -> None:
        url = f"http://127.0.0.1:{port}/"
        if arguments.json:
            print_line({"state": "serving", "url": url, "port": port})
        else:
            if arguments.port is None and port != PORT:
                print(f"port {PORT} is taken; using {port}")
            print(f"serving {url} to this machine alone; Ctrl-C ends it", flush=True)
        if arguments.open:
            webbrowser.open(url)

    run = partial(app.serve, ready=ready, port=arguments.port)
    return follow_until_ended(
        options, run, as_json=arguments.json, quiet=arguments.quiet, writes=writes
    )
