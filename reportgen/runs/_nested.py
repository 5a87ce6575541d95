"""Split folders that stand above or inside the folders of runs: `train/a`, `a/valid/tb`."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.records.run import Log
from reportgen.runs._layout import Layout, Names, Place


def nested_splits(layout: Layout, logs: Sequence[Log], names: Names) -> dict[int, Place]:
    """Return `id` of a log to its place, where a folder above its own is that of a split.

    A folder called `test` may be anything. It is a split only where the same path exists
    below a folder of another split: `train/a` beside `test/a`.
    """
    found: dict[str, list[tuple[int, Place]]] = {}
    for log in logs:
        place = layout.place(log)
        parts = place.run.split("/")
        for index in range(len(parts) - 1, -1, -1):
            if not place.folder and parts[index].lower() in names:
                run = "/".join([*parts[:index], *parts[index + 1 :]])
                folder = parts[index]
                found.setdefault(run, []).append((id(log), Place(run=run, folder=folder)))
                break
    return {
        key: place
        for several in found.values()
        if len({names[place.folder.lower()] for _, place in several}) > 1
        for key, place in several
    }
