"""What a layout plug-in is made of, and a run on its way to being one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reportgen.records.run import Log, Problem, Result, Series, Source, printable


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a log belongs.

    Attributes:
        run: Path of the run's folder below the root; empty for the root itself.
        folder: Split folder inside it (`valid`), or empty.
    """

    run: str
    folder: str = ""


@dataclass(slots=True, kw_only=True)
class Draft:
    """A run before it has a group and a seed.

    Attributes:
        id: Path of the run, unique.
        place: Path of the folder it lies in; differs from `id` where several share one.
        measured_only: Nothing but numbers without a step is known of it.
        seed: As the study's pattern states it, else None.
        group: As the study's pattern states it, else empty.
        name: What its program calls it, as a path from which group and seed are read in place
            of its folder's; empty where it has no name.
        resumed: Folders in which its training went on.
    """

    id: str
    place: str
    layout: str
    scalars: dict[str, Series]
    config: dict[str, object] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    measured_only: bool = False
    seed: int | None = None
    group: str = ""
    name: str = ""
    resumed: list[str] = field(default_factory=list)


Names = Mapping[str, str]
"""Folder or tag prefix to split: the built-in ones and the study's."""


def finish_nothing(draft: Draft, late: Sequence[Log], names: Names) -> None:
    """Leave a run as it is: for layouts without late logs."""


def keep_all(drafts: list[Draft], _logs: Sequence[Log]) -> list[Draft]:
    """Leave runs to the names of their folders."""
    return drafts


def no_metrics(_draft: Draft) -> frozenset[str]:
    """Name nothing: for layouts of programs that have no unit of their own."""
    return frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One way to lay out logs.

    Attributes:
        name: Its name in the table.
        recognise: Which of the logs left over are of this layout.
        place: Where a log belongs.
        label: (folder, tag, names) to (metric, split).
        is_late: Logs that state no step, and are given to `finish` instead of being merged.
        finish: Completes a run once its files are merged.
        settle: Gives the runs of all its logs the names that their program knows them by, and
            returns those that count.
        percent_metrics: Metrics of a run that its program logs in percent, rounded to one
            decimal, by its own convention.
    """

    name: str
    recognise: Callable[[Sequence[Log]], Sequence[Log]]
    place: Callable[[Log], Place]
    label: Callable[[str, str, Names], tuple[str, str]]
    is_late: Callable[[Log], bool] = lambda _: False
    finish: Callable[[Draft, Sequence[Log], Names], None] = finish_nothing
    settle: Callable[[list[Draft], Sequence[Log]], list[Draft]] = keep_all
    percent_metrics: Callable[[Draft], frozenset[str]] = no_metrics


def parent(path: str) -> str:
    """Return the folder of a POSIX path, empty at the root."""
    return path.rpartition("/")[0]


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders a POSIX path lies in, the nearest first, the root as an empty name.

    Example:
        >>> list(folders_above("lab/a/0.log"))
        ['lab/a', 'lab', '']
    """
    while path:
        path = parent(path)
        yield path


def leaf(path: str) -> str:
    """Return the last part of a POSIX path; a packed file is called as what it holds."""
    return path.rpartition("/")[2].removesuffix(".gz")


def with_safe_key(log: Log) -> Log:
    """Return a log whose run's name, which stood in the file, is a path below the root.

    A stranger wrote it: the file system is asked for what lies in the folder of a run.
    """
    return replace(log, run_key=safe_key(log.run_key)) if log.run_key else log


def safe_key(key: str) -> str:
    r"""Return a path that leads neither up nor elsewhere, with control characters written out.

    Example:
        >>> safe_key("logs/small/0"), safe_key("/srv/me/../logs/./0"), safe_key("..")
        ('logs/small/0', 'srv/me/logs/0', '_')
        >>> print(safe_key("lo\x00gs/0"))
        lo\x00gs/0
    """
    parts = [part for part in printable(key).split("/") if part not in {"", ".", ".."}]
    return "/".join(parts) or "_"


def by_folder(logs: Iterable[Log]) -> dict[str, list[Log]]:
    """Group logs by the folder their file lies in."""
    found: dict[str, list[Log]] = {}
    for log in logs:
        found.setdefault(parent(log.source.path), []).append(log)
    return found
