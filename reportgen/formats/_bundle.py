"""All the files of one report: the formats asked for, their figures, the finished pages."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import EngineError
from reportgen.formats import FORMATS, pdf
from reportgen.formats._context import RenderContext
from reportgen.formats._numbering import Labels, resolve
from reportgen.records.document import Report

SOURCES: Mapping[str, str] = {
    "tex": "latex",
    "typ": "typst",
    "md": "markdown",
    "html": "html",
    "json": "json",
}
"""Ending of a file to the format that renders it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Files by relative path, main ones first.

    Attributes:
        files: Relative path to content.
        warnings: What the reader should know of the pages.
        engine: What set the PDF, in words.
        fault: Why there is no PDF although one was asked for, or None.
    """

    files: Mapping[str, bytes]
    warnings: tuple[str, ...]
    engine: str
    fault: EngineError | None = None


def render_bundle(
    report: Report,
    figures: Mapping[str, bytes],
    *,
    endings: tuple[str, ...],
    context: RenderContext,
    engine: str,
    metrics: bytes,
    moment: dt.datetime,
) -> Bundle:
    """Render a report in every format asked for.

    Without an engine the sources are rendered all the same, and the fault is handed back.

    Args:
        report: The document.
        figures: Figure id to SVG.
        endings: `pdf`, `tex`, `md`, `html`, `json`, `typ`, `zip`, in order of importance.
        context: Templates and file names.
        engine: `"auto"`, `"typst"` or `"latex"`.
        metrics: metrics.csv, attached to the PDF.
        moment: Time the files carry.

    Raises:
        TemplateError: A template could not be rendered.
    """
    parts = (report, resolve(report), figures, context)
    json = _source("json", *parts)
    attached = {"report.json": json[f"{context.stem}.json"], "metrics.csv": metrics}
    # Both engines work outside the interpreter's lock: the other formats are rendered
    # while the pages are set.
    with ThreadPoolExecutor(max_workers=1) as setter:
        pages = None
        if "pdf" in endings:
            seconds = int(moment.timestamp())
            pages = setter.submit(
                pdf.render, *parts, engine=engine, attachments=attached, timestamp=seconds
            )
        files: dict[str, bytes] = {}
        for ending in endings:
            if ending == "zip":
                files[f"{context.stem}.zip"] = _zip(_source("tex", *parts), moment)
            elif ending != "pdf":
                files |= json if ending == "json" else _source(ending, *parts)
    compiled, fault = _finished(pages)
    if compiled is not None:
        files[f"{context.stem}.pdf"] = compiled.pdf
    main = [name for ending in endings if (name := f"{context.stem}.{ending}") in files]
    return Bundle(
        files={name: files[name] for name in dict.fromkeys((*main, *files))},
        warnings=compiled.warnings if compiled else (),
        engine=compiled.engine if compiled else "no PDF",
        fault=fault,
    )


def _finished(
    pages: Future[pdf.Compiled] | None,
) -> tuple[pdf.Compiled | None, EngineError | None]:
    """Return the pages, or why there are none."""
    if pages is None:
        return None, None
    try:
        return pages.result(), None
    except EngineError as fault:
        return None, fault


def _source(
    ending: str,
    report: Report,
    labels: Labels,
    figures: Mapping[str, bytes],
    context: RenderContext,
) -> dict[str, bytes]:
    rendered: dict[str, bytes] = FORMATS.load(SOURCES[ending])(report, labels, figures, context)
    return rendered


def _zip(files: Mapping[str, bytes], moment: dt.datetime) -> bytes:
    """Return a ZIP archive whose bytes depend on nothing but the files and the moment."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(Path(name).as_posix(), moment.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return out.getvalue()
