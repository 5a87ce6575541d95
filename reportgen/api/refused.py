"""Tables in which nothing was taken for the step, told where nothing else is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

MOST = 8
"""Columns that are named."""
REMEDY = (
    "name the column of the step in the study file: [[logs.tables]] match = {match}, step = ..."
)


def refused_table(root: Path, files: Sequence[str]) -> tuple[str, str]:
    """Return what is said of the first CSV file below a root, and the remedy; empty without one.

    Args:
        root: The folder, or the file itself.
        files: Paths below it of all files of use, none of which was read as a log.

    Example:
        >>> refused_table(Path("lab"), ["config.json"])
        ('', '')
    """
    from reportgen.read.logs._delimiter import delimiter_of
    from reportgen.read.logs._wide import as_utf8

    name = next((one for one in files if one.lower().endswith((".csv", ".tsv"))), "")
    if not name:
        return "", ""
    try:
        with (root / name if root.is_dir() else root).open("rb") as stream:
            content, _ = as_utf8(stream.read(1 << 16))
    except OSError:
        return "", ""
    head = content.decode("utf-8-sig", "replace").partition("\n")[0]
    cells = [cell.strip().strip('"') for cell in head.split(delimiter_of(content))]
    shown = "".join(c for c in ", ".join(cells[:MOST]) if c.isprintable())[:200]
    more = f" and {len(cells) - MOST} more" if len(cells) > MOST else ""
    told = f"{name} has no column that is taken for the step (step, epoch, ...): {shown}{more}"
    return told, REMEDY.format(match=f'"*/{name.rpartition("/")[2]}"')
