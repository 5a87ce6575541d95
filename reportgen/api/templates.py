"""List the templates that come with the program, and copy them out to be changed."""

from __future__ import annotations

import difflib
from pathlib import Path

from reportgen.errors import UnknownNameError, UsageError
from reportgen.store import write_files


def list_templates(name: str = "") -> tuple[str, ...]:
    """Return templates as `format/path`, sorted.

    Args:
        name: What `eject_templates` takes; empty lists every one.

    Raises:
        UnknownNameError: No template has this name; the nearest ones are named.
    """
    from reportgen.render import FORMATS
    from reportgen.render._environment import packaged_templates

    root = packaged_templates()
    every = sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())
    begun, slash, short = name.strip("/").partition("/")
    # `build --format md` calls a format by the ending of its files.
    form = next((f for f, entry in FORMATS.items() if f"*.{begun}" in entry.match), begun)
    wanted = f"{form}{slash}{short}"
    paths = (wanted, f"{wanted}.j2", f"{form}/blocks/{short}.j2")
    chosen = [t for t in every if t in paths or not wanted or t.startswith(f"{wanted}/")]
    if not chosen:
        near = difflib.get_close_matches(wanted, [*every, *(t[:-3] for t in every)], n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UnknownNameError(
            f"no template is called {wanted!r}{hint}",
            remedy="`reportgen templates list` names them all",
        )
    return tuple(chosen)


def eject_templates(name: str, to: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Copy one template, or all of a folder, to where a build looks first.

    Args:
        name: `latex/blocks/table.j2`, for short `latex/table`; a folder (`latex`); empty is all.
        to: Folder to copy into; `templates` beside the study is found by itself.
        force: Replace files that are there.

    Raises:
        UnknownNameError: No template has this name.
        UsageError: A file is there already.
    """
    from reportgen.render._environment import packaged_templates

    chosen = list_templates(name)
    there = [template for template in chosen if (to / template).exists()]
    if there and not force:
        raise UsageError(
            f"{to / there[0]} is there already", remedy="add --force to replace it, or change --out"
        )
    root = packaged_templates()
    return write_files(to, {template: (root / template).read_bytes() for template in chosen})
