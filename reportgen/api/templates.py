"""List the templates that come with the program, and copy them out to be changed."""

from __future__ import annotations

from pathlib import Path

from reportgen.errors import UnknownNameError, UsageError
from reportgen.store import write_files


def list_templates() -> tuple[str, ...]:
    """Return every template as `format/path`, sorted."""
    from reportgen.formats._environment import packaged_templates

    root = packaged_templates()
    return tuple(sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()))


def eject_templates(name: str, to: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Copy one template, or all of a folder, to where a build looks first.

    Args:
        name: `latex/blocks/table.j2`, or a folder (`latex`).
        to: Folder to copy into; `templates` beside the study is found by itself.
        force: Replace files that are there.

    Raises:
        UnknownNameError: No template has this name.
        UsageError: A file is there already.
    """
    from reportgen.formats._environment import packaged_templates

    wanted = name.strip("/")
    chosen = [t for t in list_templates() if t == wanted or t.startswith(f"{wanted}/")]
    if not wanted or not chosen:
        raise UnknownNameError(
            f"no template is called {name!r}", remedy="`reportgen templates list` names them all"
        )
    there = [template for template in chosen if (to / template).exists()]
    if there and not force:
        raise UsageError(
            f"{to / there[0]} is there already", remedy="add --force to replace it, or change --to"
        )
    root = packaged_templates()
    return write_files(to, {template: (root / template).read_bytes() for template in chosen})
