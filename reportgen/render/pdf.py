"""PDF: which engine sets the pages, and what it is given."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import shutil
from collections.abc import Mapping
from pathlib import Path

from reportgen.records.document import Report
from reportgen.records.errors import EngineError, TemplateError, UsageError
from reportgen.records.record import record
from reportgen.render import _engines
from reportgen.render._context import RenderContext
from reportgen.render._engines import svg_to_pdf, svg_to_png
from reportgen.render._limits import SourceError
from reportgen.render._numbering import resolve

__all__ = [
    "ENGINES", "Compiled", "choose_engine", "compile_latex", "compile_typst", "explain_fault",
    "render_pdf", "set_pages", "svg_to_pdf", "svg_to_png",
]  # fmt: skip

ENGINES = ("auto", "typst", "latex")


@record
class Compiled:
    """Finished pages.

    Attributes:
        pdf: The file's content.
        engine: Name and version of the engine that set it.
        warnings: What the reader should know (a standard that was not met).
    """

    pdf: bytes
    engine: str
    warnings: tuple[str, ...] = ()


def choose_engine(requested: str, template_dirs: tuple[Path, ...] = ()) -> str:
    """Return `"typst"` or `"latex"`.

    What is asked for by name is taken. `auto` takes pdflatex where the project overrides
    LaTeX templates, else the embedded engine, else pdflatex. TeX is not preferred where it
    happens to be installed: the same report would look different on another machine.

    Args:
        requested: `"auto"`, `"typst"` or `"latex"`.
        template_dirs: The user's template folders.

    Raises:
        UsageError: `requested` is none of these.
        EngineError: The engine asked for, or every engine, is missing.
    """
    if requested not in ENGINES:
        raise UsageError(
            f"no PDF engine is called {requested!r}", remedy=f"choose one of: {', '.join(ENGINES)}"
        )
    overrides = any(any((folder / "latex").rglob("*.j2")) for folder in template_dirs)
    own_typst = any(any((folder / "typst").rglob("*.j2")) for folder in template_dirs)
    if requested == "latex" or (requested == "auto" and overrides and not own_typst):
        _engines.find_pdflatex()
        return "latex"
    if importlib.util.find_spec("typst") is not None:
        return "typst"
    if requested == "auto" and shutil.which("pdflatex"):
        return "latex"
    _engines.load_typst()
    raise EngineError("no PDF engine is installed", remedy="pip install 'typst>=0.15,<0.16'")


def compile_typst(
    files: Mapping[str, bytes],
    main: str,
    *,
    attachments: Mapping[str, bytes] | None = None,
    timestamp: int | None = None,
    foreign: bool = False,
) -> Compiled:
    """Set Typst source with the embedded engine; see `_engines.set_typst`."""
    pdf, warnings = _engines.set_typst(
        files, main, attachments=attachments, timestamp=timestamp, foreign=foreign
    )
    return Compiled(
        pdf=pdf, engine=f"typst {importlib.metadata.version('typst')}", warnings=warnings
    )


def compile_latex(
    files: Mapping[str, bytes], main: str, *, timestamp: int | None = None
) -> Compiled:
    """Set LaTeX source with pdflatex; see `_engines.set_latex`."""
    pdf, warnings = _engines.set_latex(files, main, timestamp=timestamp)
    return Compiled(pdf=pdf, engine=_engines.engine_version(), warnings=warnings)


def render_pdf(
    report: Report,
    figures: Mapping[str, bytes],
    context: RenderContext,
    *,
    engine: str = "auto",
    attachments: Mapping[str, bytes] | None = None,
    timestamp: int | None = None,
) -> Compiled:
    """Render a report and set its pages.

    Args:
        report: The document.
        figures: Figure id to SVG.
        context: Templates and file names.
        engine: `"auto"`, `"typst"` or `"latex"`.
        attachments: File name to content, attached to the PDF where the engine can.
        timestamp: Seconds since the epoch, written as the time of creation.

    Raises:
        TemplateError: A template could not be rendered.
        EngineError: No engine is there, or it failed.
    """
    chosen = choose_engine(engine, context.foreign_dirs)
    module = importlib.import_module(f"reportgen.render.{chosen}")
    sources: dict[str, bytes] = module.render(report, resolve(report), figures, context)
    return set_pages(chosen, sources, context, attachments=attachments, timestamp=timestamp)


def set_pages(
    engine: str,
    sources: Mapping[str, bytes],
    context: RenderContext,
    *,
    attachments: Mapping[str, bytes] | None = None,
    timestamp: int | None = None,
) -> Compiled:
    """Set the pages of a report that its engine's format has rendered.

    Args:
        engine: `"typst"` or `"latex"`, as `choose_engine` returns it.
        sources: What that format's `render` returned.
        context: Templates and file names, the same as for `render`.
        attachments: File name to content, attached to the PDF where the engine can.
        timestamp: Seconds since the epoch, written as the time of creation.

    Raises:
        EngineError: The engine is missing, or it failed.
    """
    if engine == "latex":
        return compile_latex(sources, f"{context.stem}.tex", timestamp=timestamp)
    return compile_typst(
        sources,
        f"{context.stem}.typ",
        attachments=attachments,
        timestamp=timestamp,
        foreign=bool(context.foreign_dirs),
    )


def explain_fault(
    fault: SourceError, report: Report, sources: Mapping[str, bytes], context: RenderContext
) -> EngineError | TemplateError:
    """Return a fault of a source as what it is to the user.

    Where templates of the user's had a part in the source, that is a letter on the template,
    the block and the value; else the engine's own fault.

    Args:
        fault: What the engine said.
        report: The document.
        sources: What the engine's format rendered.
        context: Templates and file names.
    """
    folders = tuple(folder for folder in context.foreign_dirs if (folder / fault.engine).is_dir())
    if not folders:
        return fault
    from reportgen.render._blame import Scene, blame
    from reportgen.render._escape_typeset import escape_latex, escape_typst

    latex = fault.engine == "latex"
    main = f"{context.stem}.{'tex' if latex else 'typ'}"
    scene = Scene(
        engine=fault.engine,
        main=main,
        lines=sources[main].decode().split("\n"),
        folders=folders,
        escape=escape_latex if latex else escape_typst,
    )
    return blame(fault, scene, report)
