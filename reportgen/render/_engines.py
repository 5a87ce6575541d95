"""The engines: Typst in the process, which also turns figures into PDF and PNG; or pdflatex."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from reportgen.records.errors import EngineError
from reportgen.render._escape_typeset import (
    borrowed,
    drawable_latex,
    fonts_with,
    lacking,
    quote,
    warn_of,
)
from reportgen.render._limits import LIMITS, SourceError, build_folder, child_limits

_ENTRY = re.compile(rb"(\d{10}) (\d{5}) ([nf])(\s\s)")
_LENGTH = re.compile(rb"/Length (\d+)(?!\d| \d+ R)")


def part_ends(pdf: bytes) -> bytes:
    r"""Return a PDF in which no stream's last byte can be taken for the end of its line.

    PDF/A asks that the stated length is what lies between `stream` and the end of the line before
    `endstream`. A stream that happens to end in a carriage return before a line feed seems one
    byte shorter than it is; a second carriage return leaves no doubt.

    Args:
        pdf: A file with one plain table of cross-references, as the embedded engine writes it; any
            other is returned as it is.

    Example:
        >>> part_ends(b"no table")
        b'no table'
    """
    start = pdf.rfind(b"\nstartxref\n")
    stated = re.compile(rb"\nstartxref\n(\d+)").match(pdf, start) if start > 0 else None
    table = int(stated[1]) if stated else -1
    if stated is None or pdf[table : table + 5] != b"xref\n":
        return pdf
    entries = list(_ENTRY.finditer(pdf, table, start))
    places = sorted(int(entry[1]) for entry in entries if entry[3] == b"n")
    doubtful = [
        end
        for place, following in zip(places, [*places[1:], table], strict=True)
        if (end := _doubtful_end(pdf, place, following))
    ]
    if not doubtful:
        return pdf
    out = bytearray()
    before = 0
    for end in doubtful:
        out += pdf[before:end] + b"\r"
        before = end
    out += pdf[before:table]
    return bytes(out) + _moved(pdf[table:start], doubtful) + _tail(pdf, start, table, doubtful)


def _doubtful_end(pdf: bytes, place: int, following: int) -> int:
    """Return where the stream of an object ends, if it ends in doubt; else 0."""
    opened = pdf.find(b"stream\n", place, following)
    stated = _LENGTH.search(pdf, place, opened) if opened > 0 else None
    if stated is None:
        return 0
    end = opened + 7 + int(stated[1])
    return end if pdf[end - 1 : end + 10] == b"\r\nendstream" else 0


def _moved(table: bytes, ends: list[int]) -> bytes:
    """Return the table of cross-references with every place behind what was put in."""

    def move(entry: re.Match[bytes]) -> bytes:
        place = int(entry[1])
        shifted = place + (bisect_left(ends, place) if entry[3] == b"n" else 0)
        return b"%010d %s %s%s" % (shifted, entry[2], entry[3], entry[4])

    return _ENTRY.sub(move, table)


def _tail(pdf: bytes, start: int, table: int, ends: list[int]) -> bytes:
    return pdf[start:].replace(b"%d" % table, b"%d" % (table + len(ends)), 1)


# --- the engine -----------------------------------------------------------------------

STANDARDS = ("a-3a", "ua-1")
_NO_NETWORK = dict.fromkeys(("HTTPS_PROXY", "https_proxy", "ALL_PROXY"), "http://127.0.0.1:9")
_CHILD = """
import json, sys, typst
try:
    pdf = typst.compile(**json.loads(sys.argv[1]), format="pdf")
except typst.TypstError as fault:
    told = {"message": str(fault.message), "diagnostic": str(fault.diagnostic)}
    sys.exit(json.dumps(told))
sys.stdout.buffer.write(pdf)
"""
_WHERE = re.compile(r":(\d+):\d+")
_MIME_TYPES = {".json": "application/json", ".csv": "text/csv", ".toml": "application/toml"}


def load_typst() -> ModuleType:
    """Import the engine.

    Raises:
        EngineError: It is not installed (there is no wheel for this system).
    """
    try:
        import typst
    except ImportError as fault:
        raise EngineError(
            "the embedded PDF engine (the Python package typst) is not installed; figures of "
            "PDF and LaTeX need it too",
            remedy="pip install 'typst>=0.15,<0.16', or do without: --format md,html,json",
        ) from fault
    return typst


def set_typst(
    files: Mapping[str, bytes],
    main: str,
    *,
    attachments: Mapping[str, bytes] | None = None,
    timestamp: int | None = None,
    foreign: bool = False,
) -> tuple[bytes, tuple[str, ...]]:
    """Compile Typst source in a fresh folder, as PDF/A-3a and PDF/UA-1 where that can be.

    Args:
        files: Relative path to content.
        main: The path to compile.
        attachments: File name to content, attached to the PDF.
        timestamp: Seconds since the epoch, written as the time of creation; the same input
            with the same timestamp gives the same bytes.
        foreign: The source comes from templates of a stranger's: the engine runs in a child
            with limits on time and memory, and without the network.

    Returns:
        The PDF, and warnings (characters without a glyph, why the standards were not met).

    Raises:
        EngineError: The engine is missing, or the source has a fault.
    """
    attached = dict(attachments or {})
    source = files[main] + _attach(attached).encode()
    with build_folder({**files, **attached, main: source}) as folder:
        options: dict[str, Any] = {"root": str(folder), "ignore_system_fonts": True}
        if timestamp is not None:
            options["timestamp"] = timestamp
        text = source.decode()
        if fonts := sorted({*fonts_with(borrowed(text)).values()}):
            options["font_paths"] = fonts
        warnings = warn_of(lacking(text))
        path = str(folder / main)
        run = _compile_apart if foreign else _compile
        try:
            made = run(path, source, pdf_standards=list(STANDARDS), **options)
        except EngineError as fault:
            if isinstance(fault, SourceError) and fault.limited:
                raise
            plain = run(path, source, **options)
            warning = f"the PDF is not PDF/A and PDF/UA: {fault.message}"
            return plain, (*warnings, warning)
        return part_ends(made), warnings


def _attach(attachments: Mapping[str, bytes]) -> str:
    lines = [
        f'\n#pdf.attach({quote(name)}, relationship: "data", '
        f"mime-type: {quote(_MIME_TYPES.get(Path(name).suffix, 'application/octet-stream'))}, "
        f"description: {quote(f'{name}: the numbers of this report')})"
        for name in sorted(attachments)
    ]
    return "".join(lines)


def _compile(path: str, source: bytes, **options: Any) -> bytes:
    """Run the engine; every fault becomes an `EngineError` that names the block."""
    typst = load_typst()
    try:
        pdf: bytes = typst.compile(path, format="pdf", **options)
    except typst.TypstError as fault:
        raise _set_fault(fault.message, fault.diagnostic, source, "; ".join(fault.hints)) from fault
    except BaseException as fault:
        if type(fault).__name__ != "PanicException":
            raise
        raise EngineError(f"the embedded PDF engine failed: {fault}") from fault
    return pdf


def _compile_apart(path: str, source: bytes, **options: Any) -> bytes:
    """Run the engine in a child with limits; its faults are told as in this process."""
    load_typst()
    seconds = LIMITS.engine_seconds
    arguments = [sys.executable, "-c", _CHILD, json.dumps({"input": path, **options})]
    try:
        finished = subprocess.run(  # noqa: S603 - our own program, no shell
            arguments,
            env={**os.environ, **_NO_NETWORK},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
            preexec_fn=child_limits(
                seconds=seconds,
                file_bytes=LIMITS.engine_file_bytes,
                memory_bytes=LIMITS.engine_memory_bytes,
            ),
        )
    except subprocess.TimeoutExpired as fault:
        reason = f"typst did not finish within {seconds:.0f} seconds"
        raise SourceError("typst", reason, limited=True) from fault
    if finished.returncode == 0:
        return finished.stdout
    told = finished.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    if not told.startswith("{"):
        reason = "typst met a limit on time or memory"
        raise SourceError("typst", reason, limited=True)
    parts = json.loads(told)
    raise _set_fault(parts["message"], parts["diagnostic"], source, "")


def _set_fault(message: str, diagnostic: str, source: bytes, remedy: str) -> SourceError:
    """Return the engine's fault, with its line where that is one of the source."""
    where = _WHERE.search(diagnostic)
    line = int(where[1]) if where else None
    return SourceError("typst", message, remedy=remedy, source=source, line=line)


def svg_to_pdf(figures: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return SVG figures as PDF 1.5, which pdflatex includes without a warning.

    Raises:
        EngineError: The engine is missing, or a figure is not SVG.
    """
    return {name: _draw_pdf(name, svg) for name, svg in figures.items()}


# Of a report that is built again, most figures are as they were.
@lru_cache(maxsize=64)
def _draw_pdf(name: str, svg: bytes) -> bytes:
    return _draw(name, svg, format="pdf", pdf_standards=["1.5"])


def svg_to_png(figures: Mapping[str, bytes], *, dpi: float = 200) -> dict[str, bytes]:
    """Return SVG figures as PNG.

    Raises:
        EngineError: The engine is missing, or a figure is not SVG.
    """
    return {name: _draw(name, svg, format="png", ppi=dpi) for name, svg in figures.items()}


def _draw(name: str, svg: bytes, **options: Any) -> bytes:
    typst = load_typst()
    source = b'#set page(width: auto, height: auto, margin: 0pt)\n#image("figure.svg")\n'
    with build_folder({"figure.svg": svg, "main.typ": source}) as folder:
        main = str(folder / "main.typ")
        try:
            drawn: bytes = typst.compile(main, timestamp=0, ignore_system_fonts=True, **options)
        except typst.TypstError as fault:
            raise EngineError(f"figure {name!r} cannot be drawn: {fault.message}") from fault
    return drawn


# --- pdflatex, without a shell, in a folder of its own --------------------------------


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


def set_latex(
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
    return pdf, (*warn_of(frozenset(one for one in named if drawable_latex(one) != one)), *warnings)


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
        raise _latex_fault(log or said.decode("utf-8", "replace"), source)
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


def _latex_fault(log: str, source: bytes) -> EngineError:
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
