"""Values that lie below the logs, beside a report, and beside a model and its adapter."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.read.stored import Taken, read_stored
from reportgen.records.record import record, replace
from reportgen.records.source import Problem
from reportgen.records.verdict import Stored

if TYPE_CHECKING:
    from reportgen.api.evidence import EvidencePaths
    from reportgen.records.facts import Facts


CONFIGS = ("config.json", "adapter_config.json", "generation_config.json")
"""Files of values that belong to a model or an adapter."""


@record
class Values:
    """Values of all places, in order of place and path.

    Attributes:
        stored: The values.
        sources: (path, sha256) of their files.
        problems: What could not be read.
    """

    stored: tuple[Stored, ...]
    sources: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...]


@record
class _Place:
    """A folder or file of values, and how what lies in it is called.

    Attributes:
        prefix: Stands before the names.
    """

    folder: Path
    keep: Callable[[Path, str], bool]
    within: tuple[str, ...] | None = None
    prefix: str = ""


def values_of(paths: EvidencePaths, root: Path | None, facts: Facts | None) -> Values:
    """Read the values of each place that evidence lies in, no file twice.

    Args:
        paths: Where the evidence lies.
        root: Folder with the logs.
        facts: What has been read of these as logs.
    """
    taken = _taken_of(facts) if facts is not None else None
    stored: list[Stored] = []
    sources: list[tuple[str, str]] = []
    problems: list[Problem] = []
    read: set[str] = set()
    for place in _places(paths, root):

        def is_new(name: str, place: _Place = place) -> bool:
            path = _path_of(place, name)
            return place.keep(path, name) and os.path.realpath(path) not in read

        own = taken if place.folder == root else None
        found, unread = read_stored(place.folder, taken=own, keep=is_new, within=place.within)
        problems += unread
        for name in dict.fromkeys(one.path for one in found):
            path = _path_of(place, name)
            read.add(os.path.realpath(path))
            sources.append((place.prefix + name, _digest_of(path)))
        stored += (replace(one, path=place.prefix + one.path) for one in found)
    return Values(stored=tuple(stored), sources=tuple(sources), problems=tuple(problems))


def _path_of(place: _Place, name: str) -> Path:
    return place.folder / name if place.folder.is_dir() else place.folder


def _digest_of(path: Path) -> str:
    """Return the digest of a file; empty where its name on disk is another than the printed."""
    from reportgen.read.logs import digest_of

    return digest_of(path, path.stat().st_size) if path.is_file() else ""


def _taken_of(facts: Facts) -> Taken:
    """Return what has been read of the files as logs."""
    files = {
        fate.path
        for fate in facts.runs.fates
        # A table that was left out as a log may hold what nothing else does.
        if fate.runs or (fate.kind == "skipped" and fate.source and fate.path.endswith(".json"))
    }
    values: set[float] = set()
    for run in facts.runs:
        for series in run.scalars.values():
            if series.path.endswith(".json"):
                for step, value in series.points():
                    values.update((float(step), value))
        values.update(result.value for result in run.results)
    return Taken(files=files, values=values)


def _places(paths: EvidencePaths, root: Path | None) -> Iterator[_Place]:
    """Yield each place of values: beside model and adapter, beside the report, below the logs."""
    inside = os.path.realpath(root) if root is not None else None
    for named in (paths.checkpoint, paths.adapter, paths.base):
        if named is None or not named.exists():
            continue
        real = Path(os.path.realpath(named))
        is_all = named.is_dir() and not (inside and real.is_relative_to(inside))
        # Below the logs, all else is read where it lies.
        names = None if is_all else {*CONFIGS, named.name}
        folder = named if named.is_dir() else named.parent
        prefix = f"{real.name}/" if named.is_dir() else ""
        yield _Place(folder=folder, keep=_called(names), within=(), prefix=prefix)
    beside = paths.beside
    if beside is not None:
        # Below the logs of a study, what lies there is read with them.
        apart = inside if root != beside.folder else None

        def lies_beside(path: Path, name: str) -> bool:
            real = os.path.realpath(path)
            is_apart = apart is not None and Path(real).is_relative_to(apart)
            return beside.keeps(name) and real not in paths.without and not is_apart

        yield _Place(folder=beside.folder, keep=lies_beside, within=beside.within)
    if root is not None and root.exists() and not (beside and root == beside.folder):
        yield _Place(folder=root, keep=paths.keeps)


def _called(names: set[str] | None) -> Callable[[Path, str], bool]:
    """Return what keeps files of these names, all without any."""

    def keep(_path: Path, name: str) -> bool:
        return names is None or name in names

    return keep
