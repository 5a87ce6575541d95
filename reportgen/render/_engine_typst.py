"""The embedded engine: Typst source to PDF, SVG figures to PDF and PNG."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from reportgen.records.errors import EngineError
from reportgen.render._escape_typst import borrowed, quote
from reportgen.render._fonts import fonts_with, lacking, warn_of
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


def compile_source(
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
        raise _fault(fault.message, fault.diagnostic, source, "; ".join(fault.hints)) from fault
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
    raise _fault(parts["message"], parts["diagnostic"], source, "")


def _fault(message: str, diagnostic: str, source: bytes, remedy: str) -> SourceError:
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
