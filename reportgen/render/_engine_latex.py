"""The second engine: pdflatex, run without a shell, in a folder of its own, with limits."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from reportgen.records.errors import EngineError
from reportgen.render._escape_latex import drawable
from reportgen.render._fonts import lacking, warn_of
from reportgen.render._limits import LIMITS, SourceError, build_folder, child_limits

_RERUN = re.compile(r"Rerun to get|Rerun LaTeX|undefined references|Table widths have changed")
_FAULT = re.compile(r"^(?:\./)?[^\s:]+:(\d+): (.+)$", re.MULTILINE)
_INTERRUPTED = re.compile(r"^(?:\./)?[^\s:]+:(\d+): Interruption", re.MULTILINE)
_BANG = re.compile(r"^! (.+)$", re.MULTILINE)
_MISSING_FILE = re.compile(r"File `([^']+\.sty)' not found")
_OVERFULL = re.compile(r"Overfull \\hbox \(([\d.]+)pt too wide\)")
_LOST = re.compile(r"Missing character: There is no .*")
_RUNS = 4
_LAST_WORDS_SECONDS = 2
PACKAGES = "apt install texlive-latex-recommended lmodern"


def find_pdflatex() -> str:
    """Return the path of pdflatex.

    Raises:
        EngineError: It is not installed; names the packages that hold it.
    """
    found = shutil.which("pdflatex")
    if found is None:
        raise EngineError(
            "pdflatex is not installed",
            remedy=f"{PACKAGES}, or use --engine typst, which needs no system package",
        )
    return found


def compile_source(
    files: Mapping[str, bytes], main: str, *, timestamp: int | None = None
) -> tuple[bytes, tuple[str, ...]]:
    """Compile LaTeX source in a fresh folder, as often as its labels need.

    Nothing outside the folder and the TeX installation is read, nothing outside the folder
    is written, and no other program is started.

    Args:
        files: Relative path to content.
        main: The path to compile.
        timestamp: Seconds since the epoch, written as the time of creation; the same input
            with the same timestamp gives the same bytes.

    Returns:
        The PDF, and warnings (lines that are too wide, characters without a glyph).

    Raises:
        EngineError: pdflatex is missing, the source has a fault, or a limit was met.
    """
    program = find_pdflatex()
    with build_folder(files) as folder:
        log = ""
        for _ in range(_RUNS):
            log = _run(program, folder, main, timestamp, files[main])
            if not _RERUN.search(log):
                break
        pdf = (folder / main).with_suffix(".pdf").read_bytes()
    wide = [width for width in _OVERFULL.findall(log) if float(width) > 1]
    warnings = [f"pdflatex: a line is {width} pt too wide" for width in wide]
    warnings += [f"pdflatex: {lost}" for lost in dict.fromkeys(_LOST.findall(log))]
    # The outline of the file names more characters than the pages do.
    named = lacking(files[main].decode("utf-8", "replace"))
    return pdf, (*warn_of(frozenset(one for one in named if drawable(one) != one)), *warnings)


def _run(program: str, folder: Path, main: str, timestamp: int | None, source: bytes) -> str:
    """Run pdflatex once; return its log."""
    seconds = LIMITS.engine_seconds
    arguments = [
        program,
        "-no-shell-escape",
        "-interaction=nonstopmode",
        "-halt-on-error",
        "-file-line-error",
        main,
    ]
    limits = child_limits(seconds=seconds, file_bytes=LIMITS.engine_file_bytes)
    child = subprocess.Popen(  # noqa: S603 - a fixed list of arguments, no shell
        arguments,
        cwd=folder,
        env=_environment(folder, timestamp),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # Between fork and exec it only sets limits: no lock that another thread may hold.
        preexec_fn=limits,  # noqa: PLW1509
    )
    with child:
        said, late = _listen(child, seconds)
    log_path = (folder / main).with_suffix(".log")
    log = log_path.read_text("utf-8", "replace") if log_path.exists() else ""
    if late:
        raise _unfinished(log, seconds)
    if child.returncode != 0:
        raise _fault(log or said.decode("utf-8", "replace"), source)
    return log


def _listen(child: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, bool]:
    """Return what TeX said, and whether it had to be interrupted.

    An interrupted TeX names the line it stands in, as at a fault, and ends.
    """
    try:
        return child.communicate(timeout=seconds)[0], False
    except subprocess.TimeoutExpired:
        with suppress(ValueError):  # Windows can only kill
            child.send_signal(signal.SIGINT)
    try:
        return child.communicate(timeout=_LAST_WORDS_SECONDS)[0], True
    except subprocess.TimeoutExpired:
        child.kill()
        return child.communicate()[0], True
    finally:
        child.kill()


def _environment(folder: Path, timestamp: int | None) -> dict[str, str]:
    """Return the variables that keep TeX inside its folder and its output reproducible."""
    variables = {
        **os.environ,
        "openin_any": "p",
        "openout_any": "p",
        "TEXMFOUTPUT": str(folder),
        # Log lines are not folded, so that messages can be read.
        "max_print_line": "10000",
    }
    if timestamp is not None:
        variables |= {"SOURCE_DATE_EPOCH": str(timestamp), "FORCE_SOURCE_DATE": "1"}
    return variables


def _unfinished(log: str, seconds: float) -> SourceError:
    """Return the fault of a run that was ended, with the line it stood in where TeX told it."""
    reason = f"pdflatex did not finish within {seconds:.0f} seconds"
    where = _INTERRUPTED.search(log)
    line = int(where[1]) if where else None
    return SourceError("latex", reason, line=line, limited=True)


def _fault(log: str, source: bytes) -> EngineError:
    """Return the first error of a log with the block and template its line belongs to."""
    missing, found, bang = (rule.search(log) for rule in (_MISSING_FILE, _FAULT, _BANG))
    if missing:
        return EngineError(
            f"the LaTeX package {missing[1]} is not installed",
            remedy=f"{PACKAGES}, or use --engine typst, which needs no system package",
        )
    if found:
        remedy = "mend the template, or remove it to get the packaged one back"
        reason, line = found[2].rstrip("."), int(found[1])
        return SourceError("latex", reason, remedy=remedy, source=source, line=line)
    if bang:
        remedy = "look into the templates that were changed"
        return SourceError("latex", bang[1].rstrip("."), remedy=remedy)
    reason = "pdflatex met a limit on time or file size"
    return SourceError("latex", reason, limited=True)


def engine_version() -> str:
    """Return the first line of `pdflatex --version`, or an empty string."""
    program = shutil.which("pdflatex")
    if program is None:
        return ""
    finished = subprocess.run(  # noqa: S603 - a fixed list of arguments, no shell
        [program, "--version"], capture_output=True, timeout=LIMITS.engine_seconds, check=False
    )
    return finished.stdout.decode("utf-8", "replace").split("\n", 1)[0].strip()
