"""Following a training from the command line: rounds as they come, until somebody ends it."""

from __future__ import annotations

import difflib
import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.cli.arguments import OPTION_OF
from reportgen.cli.console import decision_lines, plain, round_lines, warning_lines
from reportgen.cli.rerun import interruptible
from reportgen.cli.talk import Progress, colours, say, say_error
from reportgen.records.errors import EvidenceError, ExitCode

if TYPE_CHECKING:
    from reportgen.app import BuildOptions, Round


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
    *,
    as_json: bool,
    quiet: bool,
    writes: bool = True,
    port: int | None = None,
    ready: Callable[[int], None] | None = None,
) -> int:
    """Follow the inputs of a report until Ctrl-C or a signal to end; return the last exit code.

    Args:
        options: What to build.
        as_json: Print lines of JSON.
        quiet: Print warnings and faults only.
        writes: Whether files are written.
        port: Where the report is served, as in `app.serve`.
        ready: Called with the port once it is served; without it, it is not.

    Raises:
        EvidenceError: Neither the folder of runs is there nor the one above it.
    """
    from reportgen import app

    waited = awaited(options.runs)
    if waited:
        print(f"warning: {plain(waited)}", file=sys.stderr)
    stop = threading.Event()
    with Progress(shown=not quiet and not as_json) as progress, interruptible():
        teller = Teller(as_json=as_json, quiet=quiet, progress=progress, writes=writes)
        try:
            if ready is None:
                app.follow(options, teller, stop=stop, notify=progress)
            else:
                app.serve(
                    options,
                    teller,
                    stop=stop,
                    ready=ready,
                    port=port,
                    writes=writes,
                    notify=progress,
                )
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
