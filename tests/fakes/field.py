"""Logs as strangers leave them: two labs of each kind that differ in every accident.

Each file of `tests/contract/labs` is a kind and holds its labs, 1 and 2: the text of each file, or
of event files the tags with their points, and the time of step 0. What is true of them stands in
`tests/contract/field.yaml` under the same name.
"""

from pathlib import Path
from typing import Any

from fakes.event_file import header, hyperparameters, put, scalars, starts
from fakes.rows import rows_of

LABS = Path(__file__).resolve().parents[1] / "contract" / "labs"
KINDS = sorted(path.stem for path in LABS.glob("*.yaml"))


def write_lab(kind: str, variant: str, folder: Path) -> None:
    """Write lab `variant` ("1" or "2") of a kind below a folder."""
    write_files(folder, rows_of(LABS / f"{kind}.yaml")[variant])


def write_files(folder: Path, files: dict[str, Any]) -> None:
    """Write files that hold a text, or events: one part of them, or a list of parts.

    A part has `tags` and the time of its step 0, `start`; or `void_from`, the step from which a
    writer says that all is void; or `settings`, the hyperparameters of a session.
    """
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            put(path, events_of(content if isinstance(content, list) else [content]))


def events_of(parts: list[dict[str, Any]]) -> list[Any]:
    """Return the events of one file; each part has a clock of its own."""
    written = [header()]
    for part in parts:
        written += [starts(part["void_from"])] if "void_from" in part else []
        written += [hyperparameters(**part["settings"])] if "settings" in part else []
        for tag, points in part.get("tags", {}).items():
            written += scalars(tag, points, part["start"])
    return written
