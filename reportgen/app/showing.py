"""What was found, spelled in the formats that are asked for, and written where it is asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.app.reading import at_rest
from reportgen.checking.projections import FINDINGS
from reportgen.records.errors import UsageError
from reportgen.records.record import replace

if TYPE_CHECKING:
    from reportgen.app.checking import Checked
    from reportgen.checking.projections import Rendering
    from reportgen.records.verdict import Rubric

USUAL = ("json", "html")
"""Formats that a folder gets when none are named."""

CLASS_FILES = ("class.csv", "class.html")
"""Files about all submissions together, beside the folders of each."""

_BY_ENDING = {
    ".json": "json",
    ".xml": "junit",
    ".sarif": "sarif",
    ".html": "html",
    ".txt": "text",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowOptions:
    """How findings are shown.

    Attributes:
        formats: Names of findings formats; empty is text, or in a folder json and html.
        out: File or folder; None gives the text back.
        fail_on: `"error"`, `"warning"` or `"never"`.
        rubric: Rubric file.
        visibility: When students see results; empty leaves it to the rubric.
        sarif_all: Whether SARIF holds what is traced and untraced too.
        quiet, verbose, colour: For the text on a terminal.
    """

    formats: tuple[str, ...] = ()
    out: Path | None = None
    fail_on: str = "error"
    rubric: Path | None = None
    visibility: str = ""
    sarif_all: bool = False
    quiet: bool = False
    verbose: bool = False
    colour: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Findings spelled out: what to print, and what was written."""

    text: str = ""
    written: tuple[Path, ...] = ()


def plan_formats(options: ShowOptions) -> tuple[str, ...]:
    """Return the formats that are meant, and refuse what cannot be, before any work is done.

    Raises:
        UsageError: A format does not exist, or several are to go into one file.
        EvidenceError: There is no such rubric.
        StudyError: The rubric cannot be used.
        OutputError: The output cannot be written.

    Example:
        >>> plan_formats(ShowOptions(out=Path("findings.sarif")))
        ('sarif',)
        >>> plan_formats(ShowOptions())
        ('text',)
    """
    for name in options.formats:
        FINDINGS.load(name)
    _rubric(options)
    if options.out is None:
        formats = options.formats or ("text",)
    elif _is_file(options.out):
        formats = options.formats or (_BY_ENDING.get(options.out.suffix.lower(), ""),)
    else:
        formats = options.formats or USUAL
    if formats == ("",):
        raise UsageError(
            f"no findings format is known by the ending of {options.out}",
            remedy=f"name it with --format: {', '.join(FINDINGS)}",
        )
    if len(formats) > 1 and (options.out is None or _is_file(options.out)):
        raise UsageError(
            f"{len(formats)} formats cannot share one place: {', '.join(formats)}",
            remedy="name a folder with --out, or one format",
        )
    if options.out is not None:
        from reportgen.read.store import check_writable

        check_writable(options.out.parent if _is_file(options.out) else options.out)
    return formats


def _is_file(out: Path) -> bool:
    return bool(out.suffix) and not out.is_dir()


def show(checked: Sequence[Checked], options: ShowOptions, *, whole_class: bool) -> Shown:
    """Spell findings in every format asked for.

    Args:
        checked: What was checked, one or more.
        options: Which formats, and where to.
        whole_class: Whether a folder of submissions was checked: then an output folder gets a
            folder for each, `class.csv` and `class.html`; else one file a format holds them all.

    Raises:
        StudyError: The rubric cannot be used.
        OutputError: The output cannot be written.
    """
    return deliver(spell(checked, options, whole_class=whole_class), options)


def deliver(files: Mapping[str, str], options: ShowOptions) -> Shown:
    """Write spelled findings where they are to go; without such a place, give the text back.

    Raises:
        OutputError: The output cannot be written.
    """
    if options.out is None:
        return Shown(text=files[""])
    from reportgen.read.store import write_files

    folder = options.out.parent if _is_file(options.out) else options.out
    content = {name: text.encode() for name, text in files.items()}
    return Shown(written=write_files(folder, content))


@at_rest()
def spell(checked: Sequence[Checked], options: ShowOptions, *, whole_class: bool) -> dict[str, str]:
    """Spell findings in every format asked for: name of the file, or none, to text.

    Raises:
        StudyError: The rubric cannot be used.
    """
    formats = plan_formats(options)
    rendering = _rendering(checked, options)
    if "github" in formats:
        _append_summary(checked, rendering)
    if options.out is None or _is_file(options.out):
        name = options.out.name if options.out is not None else ""
        return {name: _render(formats[0], checked, rendering)}
    files = {}
    if not whole_class:
        files = {FINDINGS[name].match[0]: _render(name, checked, rendering) for name in formats}
    else:
        for one, folder in zip(checked, _folders(checked), strict=True):
            own = replace(rendering, names=(one.submission.name,))
            for name in formats:
                files[f"{folder}/{FINDINGS[name].match[0]}"] = _render(name, [one], own)
        files.update(_class_files(checked, rendering))
    return files


def _folders(checked: Sequence[Checked]) -> tuple[str, ...]:
    """Return a folder for each submission: its name, if no file of the class is called so."""
    taken = {one.submission.name for one in checked}
    folders = []
    for name in (one.submission.name for one in checked):
        folder = name
        while folder.casefold() in CLASS_FILES or (folder != name and folder in taken):
            folder += "_"
        taken.add(folder)
        folders.append(folder)
    return tuple(folders)


def _append_summary(checked: Sequence[Checked], rendering: Rendering) -> None:
    """Add to the page that GitHub shows of a job, where it runs in one."""
    if not (page := os.environ.get("GITHUB_STEP_SUMMARY")):
        return
    from reportgen.checking.projections import summary

    text = summary([one.review for one in checked], rendering)
    with Path(page).open("a", encoding="utf-8") as stream:
        stream.write(text)


def _render(name: str, checked: Sequence[Checked], rendering: Rendering) -> str:
    rendered: str = FINDINGS.load(name)([one.review for one in checked], rendering)
    return rendered


def _class_files(checked: Sequence[Checked], rendering: Rendering) -> dict[str, str]:
    from reportgen.checking.projections import class_csv, class_html

    reviews = [one.review for one in checked]
    return {
        CLASS_FILES[0]: class_csv(reviews, rendering),
        CLASS_FILES[1]: class_html(reviews, rendering),
    }


def _rendering(checked: Sequence[Checked], options: ShowOptions) -> Rendering:
    from reportgen.checking.projections import Rendering

    shared = ("fail_on", "sarif_all", "quiet", "verbose", "colour", "visibility")
    return Rendering(
        rubric=_rubric(options),
        names=tuple(one.submission.name for one in checked),
        root=str(Path.cwd()),
        **{name: getattr(options, name) for name in shared},
    )


def _rubric(options: ShowOptions) -> Rubric | None:
    if options.rubric is None:
        return None
    from reportgen.read.study import read_rubric

    return read_rubric(options.rubric)
