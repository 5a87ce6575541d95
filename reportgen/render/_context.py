"""What a format is told beside the report itself: the page, the theme, names of files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from reportgen.records.errors import UnknownNameError, UsageError
from reportgen.records.record import record

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
POINTS = 72 / 25.4
_DIGITS_PER_EM = 1.9
# Size of the type of listings for each size of running text, in points of its own width.
_LISTING_EM = {10: 8.5, 11: 9.25, 12: 10.0}
_LETTER = 0.525


def packaged_templates() -> Path:
    """Return the folder of the templates that come with the program.

    In an installed wheel that is `reportgen/_templates`, in a checkout `templates/`.
    """
    package = Path(__file__).resolve().parent.parent
    installed = package / "_templates"
    return installed if installed.is_dir() else package.parent / "templates"


@record
class Page:
    """How a page is divided. Lengths are millimetres, sizes of type points.

    Attributes:
        paper: `"a4"` or `"letter"`.
        columns: 1 or 2.
        size: Size of running text: 10, 11 or 12.
        margin: Left and right of the text.
        top, bottom: Above and below it.
        gutter: Between two columns.
        text_width: Width of the text; 0 takes what the margins leave. A theme that is known by
            its measure keeps it on any paper.
    """

    paper: str = "a4"
    columns: int = 1
    size: float = 10
    margin: float = 25
    top: float = 25
    bottom: float = 25
    gutter: float = 6
    text_width: float = 0

    @property
    def width(self) -> float:
        """Width of the paper."""
        return PAPERS[self.paper][0]

    @property
    def height(self) -> float:
        """Height of the paper."""
        return PAPERS[self.paper][1]

    @property
    def text(self) -> float:
        """Width of the text, over all columns.

        Example:
            >>> Page().text, Page(text_width=139.7).text
            (160.0, 139.7)
        """
        return self.text_width or self.width - 2 * self.margin

    @property
    def column(self) -> float:
        """Width of one column.

        Example:
            >>> Page(columns=2).column
            77.0
        """
        return (self.text - self.gutter * (self.columns - 1)) / self.columns

    @property
    def side(self) -> float:
        """Room left and right of the text."""
        return (self.width - self.text) / 2

    @property
    def text_height(self) -> float:
        """Height of the text."""
        return self.height - self.top - self.bottom

    @property
    def lines(self) -> float:
        """Lines of ten points that a page holds."""
        return self.text_height * POINTS / 12

    @property
    def digits(self) -> float:
        """Digits of a formula that a column holds beside the number of the equation.

        Example:
            >>> round(Page().digits), round(Page(columns=2, size=10).digits)
            (78, 33)
        """
        return _DIGITS_PER_EM * (self.column * POINTS / self.size) - 8.3

    @property
    def letters(self) -> int:
        """Letters of a listing's line.

        Example:
            >>> Page().letters, Page(columns=2, size=10).letters
            (88, 48)
        """
        return min(88, int(self.column * POINTS / (_LETTER * _LISTING_EM[round(self.size)])))


# --- themes ---------------------------------------------------------------------------

FILE = "theme.toml"
_CHOICES: Mapping[str, tuple[object, ...]] = {
    "paper": tuple(PAPERS),
    "columns": (1, 2),
    "size": (10, 11, 12),
}
_LEAST_COLUMN = 60.0


@record
class Theme:
    """What a report looks like.

    Attributes:
        folder: Where its templates lie, one folder a format; those it lacks are the packaged.
        page: The page they are made for.
    """

    folder: Path
    page: Page

    @property
    def packaged(self) -> bool:
        """Tell whether it came with the program, and is no stranger's."""
        return self.folder.is_relative_to(packaged_templates())


def find_theme(
    name: str,
    *,
    home: Path,
    template_dirs: Sequence[Path] = (),
    paper: str = "",
    columns: int = 0,
) -> Theme:
    """Return a theme, on the paper and with the columns that are asked for.

    A name is looked for in `themes/` of each template folder, then among those that came with
    the program; anything with a slash is a folder, relative to `home`.

    Args:
        name: A name, or the path of a folder.
        home: Folder of the study file.
        template_dirs: The user's template folders.
        paper: `"a4"` or `"letter"`; empty takes the theme's.
        columns: 1 or 2; 0 takes the theme's.

    Raises:
        UnknownNameError: There is no such theme; names those there are.
        UsageError: Its `theme.toml` cannot be read, or leaves no room for text.
    """
    folder = _folder(name, home, template_dirs)
    chosen = _read(folder / FILE)
    chosen |= {"paper": paper} if paper else {}
    chosen |= {"columns": columns} if columns else {}
    page = Page(**chosen)
    if page.column < _LEAST_COLUMN or page.side < 0 or page.text_height < 2 * _LEAST_COLUMN:
        raise UsageError(
            f"the theme {name!r} leaves a column of {page.column:.0f} x {page.text_height:.0f} mm"
            f" on {page.paper} paper",
            remedy=f"a column needs at least {_LEAST_COLUMN:.0f} mm: change {FILE}, or --columns",
        )
    return Theme(folder=folder, page=page)


def _folder(name: str, home: Path, template_dirs: Sequence[Path]) -> Path:
    roots = [folder / "themes" for folder in (*template_dirs, packaged_templates())]
    named = [] if "/" in name or name in {"", ".", ".."} else [root / name for root in roots]
    for folder in (*named, home / name):
        if name and folder.is_dir():
            return folder
    known = sorted({found.name for root in roots if root.is_dir() for found in root.iterdir()})
    raise UnknownNameError(
        f"no theme is called {name!r}",
        remedy=f"use one of: {', '.join(known)}; or the path of a folder with templates",
    )


def _read(file: Path) -> dict[str, Any]:
    """Return what a theme says of its page; a folder without the file says nothing."""
    if not file.is_file():
        return {}
    try:
        given = tomllib.loads(file.read_text("utf-8"))
        # An integer in hexadecimal may be longer than Python ever prints one.
        repr(given)
    except (OSError, ValueError, RecursionError) as fault:
        raise UsageError(f"{file}: {fault}", remedy="mend the file: it is TOML") from fault
    given.pop("about", None)
    legal = [field.name for field in fields(Page)]
    for key, value in given.items():
        if key not in legal:
            raise UsageError(
                f"{file}: no key is called {key!r}",
                remedy=f"use about, {', '.join(legal)}",
            )
        choices = _CHOICES.get(key)
        if value not in choices if choices else not _is_length(value):
            wanted = ", ".join(map(str, choices)) if choices else "millimetres from 0 to 300"
            raise UsageError(f"{file}: {key} = {value!r}", remedy=f"{key} is one of {wanted}")
    return given


def _is_length(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 300


# --- the context ----------------------------------------------------------------------


@record
class RenderContext:
    """Choices of one build.

    Attributes:
        template_dirs: Folders with templates of the user's, first one first (`--template`,
            then the project's `templates/`); each holds a folder a format.
        stem: Name of the main file without its ending; figures lie in `<stem>_files/`.
        options: Choices of single formats (`"markdown.math": "dollars"`).
        theme: What the pages look like; None is the packaged look.
        siblings: Endings of the files that are made together.
        json: report.json, where it is rendered already.
    """

    template_dirs: tuple[Path, ...] = ()
    stem: str = "report"
    options: tuple[tuple[str, str], ...] = ()
    theme: Theme | None = None
    siblings: tuple[str, ...] = ()
    json: bytes = b""

    @property
    def page(self) -> Page:
        """The page that is set."""
        return self.theme.page if self.theme else Page()

    @property
    def theme_folder(self) -> Path | None:
        """Folder of the theme's templates."""
        return self.theme.folder if self.theme else None

    @property
    def foreign_dirs(self) -> tuple[Path, ...]:
        """Folders with templates that did not come with the program."""
        own = (self.theme.folder,) if self.theme and not self.theme.packaged else ()
        return (*self.template_dirs, *own)

    def option(self, name: str, default: str = "") -> str:
        """Return the choice of this name, or `default`."""
        return dict(self.options).get(name, default)

    def figure_path(self, anchor: str, ending: str) -> str:
        """Return the relative path of a figure's file.

        Example:
            >>> RenderContext(stem="lab").figure_path("curves", "svg")
            'lab_files/curves.svg'
        """
        return f"{self.stem}_files/{anchor}.{ending}"
