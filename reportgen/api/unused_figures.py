"""Figures of an earlier report, which the one that replaces it does not show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

SOURCES = (".md", ".tex", ".typ", ".html")
"""Endings of reports that name the files of their figures."""
MOST = 1 << 26
"""Bytes of a report that are looked through."""


def drawn_before(folder: Path, files: Iterable[str]) -> frozenset[str]:
    """Return the figures of the reports that some files will replace, by name below a folder."""
    tops = [folder / name for name in files if "/" not in name and name.endswith(SOURCES)]
    return frozenset(figure for path in tops for figure in _figures_of(path))


def _figures_of(path: Path) -> Iterator[str]:
    """Yield what a report shows of the folder of its name, in which nobody else writes."""
    place = f"{path.stem}_files"
    with suppress(OSError):
        with path.open("rb") as stream:
            text = stream.read(MOST).decode("utf-8", "replace")
        yield from re.findall(rf"{re.escape(place)}/[\w.-]+", text)


def remove_unused(folder: Path, drawn: Iterable[str]) -> None:
    """Remove figures that no report in the folder shows any more.

    Args:
        folder: Where the reports lie.
        drawn: Figures of the reports that were replaced.
    """
    for name in drawn:
        stem, path = name.partition("_files/")[0], folder / name
        if path.name in {".", ".."} or path.is_symlink() or not path.is_file():
            continue
        if not any(name in _figures_of(folder / f"{stem}{ending}") for ending in SOURCES):
            with suppress(OSError):
                path.unlink()
