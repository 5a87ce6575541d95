"""Talking: lines, errors, progress. Only the commands call it."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Self, TextIO

from reportgen.cli.console import Alert, Heading, duration, plain
from reportgen.records.errors import ReportgenError

# The standard streams: there, and able to take every character.
#
# Windows gives programs whose output goes to a file or a pipe an old code page, and a bare
# container gives ASCII. Neither has a minus sign or a Greek letter, and Python would end the
# program at the first one.

_SIGNS = """— -- … ... × x · * ⋅ * ± +/- ≈ ~ ≤ <= ≥ >= → -> ⇒ => • * † + ‡ ++ √ sqrt ² ^2 ³ ^3
    σ sigma ρ rho α alpha β beta""".split()  # noqa: SIM905
PLAINER = {
    **dict.fromkeys("\u00a0\u2009\u202f", " "),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("–−\u2011", "-"),
    **dict(zip(_SIGNS[::2], _SIGNS[1::2], strict=True)),
}
"""Signs that the program itself prints, in ASCII. Letters are not made plainer: they are written as
escapes, so that no name is taken for another."""

_HANDLER = "reportgen-plainer"


def prepare_streams() -> None:
    """Open what the caller has closed, and let every stream take any character."""
    # Nothing takes the place of what the caller has closed (`>&-`). The lowest free number is
    # taken each time, so no file or pipe of ours can become one of them.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - for good
            setattr(sys, name, nothing)
    codecs.register_error(_HANDLER, _spell)
    for stream in (sys.stdout, sys.stderr):
        # In notebooks and tests they may be something else, which takes all of Unicode.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def write_file(text: str) -> None:
    """Write what is meant for a file or another program: UTF-8 wherever nobody just reads it."""
    stream = sys.stdout
    if stream.isatty() or not isinstance(stream, io.TextIOWrapper):
        stream.write(text)
        return
    stream.flush()
    stream.buffer.write(text.encode())


def terminal_columns(usual: int) -> int:
    """Return how wide the terminal is, as `COLUMNS` or the system says; `usual` without either.

    It is what `shutil` says, without importing every kind of archive that `shutil` packs.
    """
    stated = os.environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated):
        return int(stated)
    try:
        stream = sys.__stdout__
        return (os.get_terminal_size(stream.fileno()).columns if stream else 0) or usual
    except (ValueError, OSError):  # it is closed, or no terminal
        return usual


def _spell(fault: UnicodeError) -> tuple[str, int]:
    """Return what stands for characters that an encoding lacks, and where to go on."""
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    lacking = fault.object[fault.start : fault.end]
    spelled = (
        PLAINER.get(c) or c.encode("ascii", "backslashreplace").decode("ascii") for c in lacking
    )
    return "".join(spelled), fault.end


def say(lines: Iterable[str], *, coloured: bool = False) -> None:
    """Print lines, control characters written out; headings and alerts stand out in colour."""
    for line in lines:
        style = _STYLES.get(type(line), "") if coloured else ""
        print(f"\x1b[{style}m{plain(line)}\x1b[0m" if style else plain(line))


_STYLES = {Heading: "1", Alert: "33"}


def colours(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal whose user wants colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def columns() -> int | None:
    """Return how wide the terminal is; None for a pipe or a file, which cut nothing.

    `COLUMNS` states a width for either.
    """
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        return None
    return max(_NARROWEST, terminal_columns(100))


_NARROWEST = 40


def say_json(value: object) -> None:
    """Print plain values as JSON, which knows no NaN; half a letter stands as its escape."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    write_file(text.encode("utf-8", "backslashreplace").decode() + "\n")


def say_error(fault: ReportgenError) -> None:
    """Print what happened and the remedy on the standard error."""
    lines = [plain(line) for line in fault.message.splitlines()]
    label = f"error[{fault.stage}]:" if fault.stage else "error:"
    label = f"\x1b[1;31m{label}\x1b[0m" if colours(sys.stderr) else label
    message = "\n".join(lines)
    print(f"{label} {message}", file=sys.stderr)
    for line in fault.lines():
        print(plain(line), file=sys.stderr)


class Progress:
    """A line that is redrawn on a terminal, plain lines elsewhere when work is long.

    Where a stage counts steps and takes long, the time it still needs is estimated from those
    done since it was first seen, but for a first step, which holds what comes once (processes
    that start, evidence that is read). A `with` block clears the line at its end.
    """

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._terminal = sys.stderr.isatty()
        self._begun = self._last = time.monotonic()
        self._drawn = False
        self._stage = ("", 0, 0)
        self._first = (self._begun, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage is."""
        now = time.monotonic()
        anew = (stage, total) != (self._stage[0], self._stage[2]) or done < self._stage[1]
        if anew or (done and not self._first[1]):
            self._first = (now, done)
        elif self._stage == (stage, done, total) and not self._terminal:
            return
        self._stage = (stage, done, total)
        if not self._shown or (now - self._last < self._pause(now) and done < total):
            return
        self._last = now
        count = f" {done}/{total}{self._left(now, done, total)}" if total > 1 else ""
        if self._terminal:
            print(f"\r\x1b[K{stage}{count}", end="", file=sys.stderr, flush=True)
            self._drawn = True
        elif now - self._begun > 5:
            print(f"{stage}{count}", file=sys.stderr, flush=True)

    def reached(self, stage: str) -> str:
        """Return how far a stage has come, `12 of 200`; empty where the work is in another."""
        return f"{self._stage[1]} of {self._stage[2]}" if self._stage[0] == stage else ""

    def _pause(self, now: float) -> float:
        """Return the time between two lines; a log of hours is not filled with them."""
        return 0.1 if self._terminal else min(60.0, max(2.0, (now - self._begun) / 20))

    def _left(self, now: float, done: int, total: int) -> str:
        since, already = self._first
        if now - since < 2 or done <= already or done >= total:
            return ""
        return f", about {duration((now - since) / (done - already) * (total - done))} left"

    def close(self) -> None:
        """Clear the line."""
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
