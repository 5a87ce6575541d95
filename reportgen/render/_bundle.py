"""All the files of one report: the formats asked for, their figures, the finished pages."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from reportgen.records.document import Report, state_of
from reportgen.records.errors import EngineError, TemplateError
from reportgen.records.kept import Kept
from reportgen.records.record import field, record, replace
from reportgen.render import ENDINGS, FORMATS, pdf
from reportgen.render._context import RenderContext
from reportgen.render._csv_tables import attached
from reportgen.render._limits import SourceError
from reportgen.render._numbering import resolve


@record
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
    fault: EngineError | TemplateError | None = None


def render(
    report: Report,
    name: str,
    figures: Mapping[str, bytes] | None = None,
    context: RenderContext | None = None,
) -> dict[str, bytes]:
    """Render a report in one format.

    Args:
        report: The document.
        name: Name of the format in `FORMATS`, but not `pdf`.
        figures: Figure id to SVG.
        context: Templates, theme and names of files.

    Returns:
        Relative path to content.

    Raises:
        UnknownNameError: No format has this name.
        TemplateError: A template could not be rendered.
        EngineError: The engine that makes PDF or PNG figures is missing.

    Example:
        >>> list(render(Report(title="A lab", sections=()), "markdown"))
        ['report.md']
    """
    return _made(name, context or RenderContext(), report, resolve(report), figures or {})


def _made(name: str, context: RenderContext, *parts: object) -> dict[str, bytes]:
    """Return the files of one format; those of another package are looked at first."""
    made = FORMATS.load(name)(*parts, context)
    files: dict[str, bytes] = made if isinstance(made, dict) else {}
    if name not in FORMATS:
        main = f"{context.stem}.{name}"
        if main not in files:
            raise FORMATS.fault_of(name, f"makes no {main}")
        if any(not isinstance(content, bytes) for content in files.values()):
            raise FORMATS.fault_of(name, "makes a file that is no bytes")
    return files


def render_bundle(
    report: Report,
    figures: Mapping[str, bytes],
    *,
    endings: tuple[str, ...],
    context: RenderContext,
    engine: str,
    metrics: bytes,
    moment: dt.datetime,
    rounds: Rounds | None = None,
) -> Bundle:
    """Render a report in every format asked for.

    Without an engine the sources are rendered all the same, and the fault is handed back.

    Args:
        report: The document.
        figures: Figure id to SVG.
        endings: Those of `ENDINGS`, and `zip`, in order of importance.
        context: Templates and file names.
        engine: `"auto"`, `"typst"` or `"latex"`.
        metrics: metrics.csv, attached to the PDF.
        moment: Time the files carry.
        rounds: What this process has rendered before, where it builds the same report again.

    Raises:
        TemplateError: A template could not be rendered.
    """
    sources = _Sources(report, figures, context, rounds)
    files: dict[str, bytes] = {}
    prepared = sources.prepare(engine) if "pdf" in endings else None
    # Both engines work outside the interpreter's lock: the other formats are rendered
    # while the pages are set.
    with ThreadPoolExecutor(max_workers=1) as setter:
        pages: Future[pdf.Compiled | EngineError | TemplateError] | None = None
        if prepared:
            kept = rounds.kept if rounds else Kept()
            pages = setter.submit(_set_pages, report, prepared, context, (metrics, moment), kept)
        # What is read in the browser comes first, and goes out without waiting for pages.
        if "html" in endings and pages and rounds and rounds.early:
            rounds.early({**sources.render("html"), **sources.render("json")})
        for ending in endings:
            if ending == "zip":
                files[f"{context.stem}.zip"] = _zip(sources.render("tex"), moment)
            elif ending != "pdf":
                files |= sources.render(ending)
    compiled = pages.result() if pages else None
    fault = compiled if isinstance(compiled, EngineError | TemplateError) else None
    if isinstance(compiled, pdf.Compiled) and isinstance(prepared, _Prepared):
        files[f"{context.stem}.pdf"] = compiled.pdf
        files |= {name: prepared.source[name] for name in prepared.source if name.endswith(".csv")}
    main = [name for ending in endings if (name := f"{context.stem}.{ending}") in files]
    return Bundle(
        files={name: files[name] for name in dict.fromkeys((*main, *files))},
        warnings=compiled.warnings if isinstance(compiled, pdf.Compiled) else (),
        engine=compiled.engine if isinstance(compiled, pdf.Compiled) else "no PDF",
        fault=fault,
    )


@record(kw_only=False)
class Rounds:
    """What a process that builds again knows of the round before.

    Attributes:
        kept: What was rendered.
        looks: Folder of a format to the state of the user's templates in it.
        early: Called with the HTML page and report.json while the pages of the PDF are being set.
    """

    kept: Kept = field(default_factory=Kept)
    looks: Mapping[str, str] = field(default_factory=dict)
    early: Callable[[Mapping[str, bytes]], None] | None = None


@record(kw_only=False)
class _Prepared:
    """What an engine is given: its source, and report.json to attach."""

    engine: str
    source: Mapping[str, bytes]
    json: bytes


class _Sources:
    """The text formats of one report, each rendered once."""

    def __init__(
        self,
        report: Report,
        figures: Mapping[str, bytes],
        context: RenderContext,
        rounds: Rounds | None,
    ) -> None:
        self._parts = (report, resolve(report), figures, context)
        self._context = context
        self._rounds = rounds
        self._report = state_of(report) if rounds else ""
        self._rendered: dict[str, Mapping[str, bytes]] = {}

    def render(self, ending: str) -> Mapping[str, bytes]:
        """Return the files of one format."""
        if ending not in self._rendered:
            self._rendered[ending] = self._render_once(ending, ENDINGS.get(ending, ending))
        return self._rendered[ending]

    def _render_once(self, ending: str, name: str) -> Mapping[str, bytes]:
        """Render one format, unless all it is made of is as it was in the round before."""
        rounds = self._rounds or Rounds()
        report, labels, figures, context = self._parts
        known = self._rendered.get("json", {}).get(f"{context.stem}.json", b"")
        made: Mapping[str, bytes] = rounds.kept.once(
            f"{context.stem}.{ending}",
            (self._report, figures, context, rounds.looks.get(name, "")),
            lambda: _made(name, replace(context, json=known), report, labels, figures),
        )
        return made

    def prepare(self, engine: str) -> _Prepared | EngineError:
        """Return the source for the engine that is to be used, or why there is none."""
        try:
            chosen = pdf.choose_engine(engine, self._context.foreign_dirs)
        except EngineError as fault:
            return fault
        json = self.render("json")[f"{self._context.stem}.json"]
        return _Prepared(chosen, self.render("tex" if chosen == "latex" else "typ"), json)


def _set_pages(
    report: Report,
    prepared: _Prepared | EngineError,
    context: RenderContext,
    beside: tuple[bytes, dt.datetime],
    kept: Kept,
) -> pdf.Compiled | EngineError | TemplateError:
    """Set pages, unless the engine was given the same in the round before."""
    if isinstance(prepared, EngineError):
        return prepared
    name, key, (metrics, moment) = f"{context.stem}.pdf", (prepared, context, beside), beside
    more = {"report.json": prepared.json, "metrics.csv": metrics}
    pages: pdf.Compiled | None = kept.find(name, key)
    if pages is not None:
        return pages
    try:
        pages = pdf.set_pages(
            prepared.engine,
            prepared.source,
            context,
            attachments={**attached(prepared.source), **more},
            timestamp=int(moment.timestamp()),
        )
    except SourceError as fault:
        return pdf.explain_fault(fault, report, prepared.source, context)
    except EngineError as fault:
        return fault
    kept.keep(name, key, pages)
    return pages


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
