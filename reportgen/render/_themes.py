"""Themes: a folder of templates, and the page they are made for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from reportgen.errors import UnknownNameError, UsageError
from reportgen.render._environment import packaged_templates
from reportgen.render._page import PAPERS, Page

FILE = "theme.toml"
_CHOICES: Mapping[str, tuple[object, ...]] = {
    "paper": tuple(PAPERS),
    "columns": (1, 2),
    "size": (10, 11, 12),
}
_LEAST_COLUMN = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
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
