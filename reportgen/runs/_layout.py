"""What a layout plug-in is made of, a run on its way to being one, and words for both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from reportgen.records.metrics import known_metric
from reportgen.records.record import field, record
from reportgen.records.run import (
    FAILED,
    FINISHED,
    OPEN,
    Log,
    Problem,
    Result,
    Series,
    Source,
)
from reportgen.records.source import NaturalKey, natural_key, printable
from reportgen.runs._words import SPLIT_NAMES, problem, words

_EXTENSIONS = re.compile(r"(?:\.[^\W\d]+)+$")
_STEP = re.compile(r"(?i)(?:epoch|step|iter|iteration|checkpoint)[_-]?(\d{1,18})(?!\d)")
_COPY = re.compile(r"\bcopy\b|\(\d+\)$", re.IGNORECASE)
TABLES = ("metrics_csv", "json_lines")
"""Kinds of files that hold rows."""
OF_LOGS = words("names", "of_logs")
"""Words that say no more than what a log is called."""


@record
class Place:
    """Where a log belongs.

    Attributes:
        run: Path of the run's folder below the root; empty for the root itself.
        folder: Split folder inside it (`valid`), or empty.
    """

    run: str
    folder: str = ""


@record(frozen=False)
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
        ended: How its last process ended, as a log of it says.
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
    ended: str = ""

    def take(self, other: Draft) -> None:
        """Take the settings, files and results of another log of the same run."""
        self.config = {**other.config, **self.config}
        self.sources += other.sources
        self.results += other.results
        self.problems += other.problems
        self.tell_end(other.ended)

    def tell_end(self, *told: str) -> None:
        """Take how another log of the run says that it ended.

        A program may fail, or be killed, behind a training that ended by itself.
        """
        known = {self.ended, *told}
        self.ended = next((end for end in (FINISHED, FAILED, OPEN) if end in known), "")


Names = Mapping[str, str]
"""Folder or tag prefix to split: the built-in ones and the study's."""


@record
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
    finish: Callable[[Draft, Sequence[Log], Names], None] = lambda *_: None
    settle: Callable[[list[Draft], Sequence[Log]], list[Draft]] = lambda drafts, _: drafts
    percent_metrics: Callable[[Draft], frozenset[str]] = lambda _: frozenset()


def by_depth(draft: Draft) -> tuple[bool, int, NaturalKey]:
    """Order runs by whether they are called copies, how deep they lie, and then by name."""
    return is_called_copy(draft.id), draft.id.count("/"), natural_key(draft.id)


def is_called_copy(path: str) -> bool:
    """Tell whether a folder or file is named as a copy.

    Example:
        >>> [is_called_copy(p) for p in ("Copy of run1", "run1 (copy)", "run1 (2)", "copynet")]
        [True, True, True, False]
    """
    return bool(_COPY.search(path))


def count_once(run: Draft, copy: Draft, code: str) -> None:
    """Give the files of a copy to the run that counts, and say so there."""
    run.sources += copy.sources
    run.tell_end(copy.ended)
    run.problems.append(problem(code, copy.id, copy=copy.id, run=run.id))


def parent(path: str) -> str:
    """Return the folder of a POSIX path, empty at the root."""
    return path.rpartition("/")[0]


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders a POSIX path lies in, the nearest first, the root as an empty name."""
    while path:
        path = parent(path)
        yield path


def leaf(path: str) -> str:
    """Return the last part of a POSIX path; a packed file is called as what it holds."""
    return path.rpartition("/")[2].removesuffix(".gz")


def stem_of(path: str) -> str:
    """Return what a file is called without its extensions, in which there is no digit.

    Example:
        >>> [stem_of(path) for path in ("a/drop_0.2.csv", "20240301_1.log.json", "alpha0.5.log.gz")]
        ['drop_0.2', '20240301_1', 'alpha0.5']
    """
    return _EXTENSIONS.sub("", leaf(path))


def step_in_name(log: Log) -> str:
    """Return the number in a file's name where it is that of the only step that the file holds."""
    told = _STEP.search(stem_of(log.source.path))
    steps = {int(step) for series in log.series.values() for step in series.steps}
    return told[1] if told and steps == {int(told[1])} else ""


def called(paths: Iterable[str]) -> set[str]:
    """Return the words of names of files but for splits, metrics, and what a log is called.

    Example:
        >>> sorted(called(["a/train_log_small.csv", "a/val_loss_small.csv"]))
        ['small']
    """
    stems = [stem_of(path).lower() for path in paths]
    found = {word for stem in stems for word in re.split(r"[\W_]+", stem)}
    return {w for w in found if w not in {*SPLIT_NAMES, *OF_LOGS} and not known_metric(w)}


def inside(*parts: str) -> str:
    """Return a path of those parts that are not empty."""
    return "/".join(part for part in parts if part)


def safe_key(key: str) -> str:
    r"""Return a path that leads neither up nor elsewhere, with control characters written out.

    A stranger wrote it: the file system is asked for what lies in the folder of a run.

    Example:
        >>> safe_key("logs/small/0"), safe_key("/srv/me/../logs/./0"), safe_key("..")
        ('logs/small/0', 'srv/me/logs/0', '_')
        >>> print(safe_key("lo\x00gs/0"))
        lo\x00gs/0
    """
    parts = [part for part in printable(key).split("/") if part not in {"", ".", ".."}]
    return "/".join(parts) or "_"
