"""What training left behind: files, series of logged values, runs."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from reportgen.records.record import field, record
from reportgen.records.source import Fate, Problem, Source

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from reportgen.records.study import TablePlan

    Column = NDArray[np.generic]

Named = TypeVar("Named")

SPLITS = ("train", "validation", "test")

FINISHED, FAILED, OPEN = "finished", "failed", "open"
"""How a training ended, as its program recorded it: by itself; with an error or killed; not at
all, though it would have been recorded. Where no program says, it is empty."""

ELAPSED = frozenset(
    {"TimeSinceStart", "_runtime", "elapsed_time", "time_elapsed", "train_runtime", "wall"}
)
"""Last parts of tags that count the seconds since training began."""
_DATES = 1e9
"""Seconds from which on a clock counts from 1970, and not from when training began."""


def decimal_float(value: np.generic) -> float:
    """Return the decimal that a logged value stands for: the shortest one, or a whole number.

    A float32 that was logged as 79.9 reads as 79.9000015 where it is widened. A whole one is
    known to its last digit, and the shortest decimal that tells it from its neighbours would
    lose some: of 126356792 it makes 126356790.

    Example:
        >>> import numpy as np
        >>> decimal_float(np.float32(79.9)), decimal_float(np.float32(126356792))
        (79.9, 126356792.0)
    """
    widened = float(value)
    return widened if widened.is_integer() else float(str(value))


@record(eq=False)
class Series:
    """All points of one tag of one run, at most one a step.

    Attributes:
        tag: Tag as logged (`accuracy`, `eval/accuracy`).
        metric: What the tag measures, in one spelling for all layouts (`accuracy`).
        split: `"train"`, `"validation"`, `"test"`, or `""` where a tag has none.
        unit: Unit of `values` as logged: `"percent"`, `"fraction"`, or `""`.
        steps: int64, sorted, unique.
        values: float32 or float64 as stored in the log; NaN and infinities are kept.
        wall_times: float64, seconds since the epoch.
        path: File the points come from (the last one, where a restart spans several).
        replaced: Points left out because one written later has their step and another value.
        clock: What `steps` count where it is not the run's own step: `"epoch"` in rows that state
            an epoch and no step; empty otherwise.

    Shape: `steps`, `values` and `wall_times` have the same length.
    """

    tag: str
    steps: Column
    values: Column
    wall_times: Column
    metric: str = ""
    split: str = ""
    unit: str = ""
    path: str = ""
    replaced: int = 0
    clock: str = ""

    def __len__(self) -> int:
        return len(self.steps)

    def points(self) -> Iterator[tuple[int, float]]:
        """Yield (step, value); a float32 comes as the shortest decimal it stands for.

        Example:
            >>> import numpy as np
            >>> series = Series(tag="accuracy", steps=np.array([225]), wall_times=np.array([0.0]),
            ...                 values=np.array([79.9], dtype=np.float32))
            >>> list(series.points())
            [(225, 79.9)]
        """
        # A float64 is that decimal already.
        plain = self.values.dtype == "float64"
        values = self.values.tolist() if plain else map(decimal_float, self.values)
        yield from zip(self.steps.tolist(), values, strict=True)


@record
class Result:
    """A number that was measured once, after training, and has no step of its own.

    Attributes:
        tag: Key in the file (`test/accuracy`).
        value: As logged.
        metric: What it measures, in one spelling (`accuracy`).
        split: As in `Series`.
        unit: As in `Series`.
        path: File it comes from.
        step: Step of the weights that were measured; None where that is not logged.
        weights: `"best"` or `"last"` where the program says which weights were measured, else
            empty.
    """

    tag: str
    value: float
    metric: str = ""
    split: str = ""
    unit: str = ""
    path: str = ""
    step: int | None = None
    weights: str = ""


@record(eq=False)
class Clock:
    """How one run counts: its own steps beside its own epochs.

    Attributes:
        unit: What `Series.steps` count: `"step"`, `"epoch"`, `"episode"`.
        steps: int64, sorted, unique: steps at which the run says how many epochs were finished.
        epochs: float64, epochs finished at those steps.
        steps_per_epoch: Where it is one number all along; 0 where it is not, or unknown.
        source: How the epochs are known (`epoch is 2 at step 450`); empty where they are not.

    Shape: `steps` and `epochs` have the same length.
    """

    unit: str = "step"
    steps: Column
    epochs: Column
    steps_per_epoch: int = 0
    source: str = ""

    @property
    def counts_epochs(self) -> bool:
        """Whether every step is an epoch."""
        return self.unit == "epoch" or self.steps_per_epoch == 1


@record
class Log:
    """What one process wrote into one file, before runs are put together.

    Attributes:
        source: The file.
        series: Tag to series, as stored (`metric`, `split` and `unit` still empty, unless
            the format itself states them).
        texts: Text events and similar (`sys.argv`, `args/text_summary`), tag to text.
        config: Hyperparameters stated in the file.
        skipped: Kind of record to how many were passed over, being no numbers over steps
            (`image`, `histogram`, `audio`, `graph`).
        run_key: Name of the run inside the file, for files that hold several.
        session: Number of the process among those that wrote into the same file, from 0; a later
            one began again where its counter goes back.
        results: Tag to a number that stands in the file once, without a step.
        program: Program that wrote the file, where its content tells (`lightning`).
        told: How the rows were read of a file whose columns of names were taken to tell its
            runs apart; None where names of columns or a study said it.
        counted: How they were read where no column is called step or epoch, and one that counts
            was taken for the step; else None.
        ended: How the process ended, as the file says: `FINISHED`, `FAILED`, `OPEN`, or empty.
    """

    source: Source
    series: Mapping[str, Series] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    config: Mapping[str, object] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    run_key: str = ""
    session: int = 0
    results: Mapping[str, float] = field(default_factory=dict)
    program: str = ""
    told: TablePlan | None = None
    counted: TablePlan | None = None
    ended: str = ""


@record
class Run:
    """One training process with one seed.

    Attributes:
        id: Path of the run below the root, unique.
        group: Name shared by runs that differ only in their seed.
        seed: None where neither name nor configuration tells.
        layout: Name of the layout that recognised it (`fairseq`, `hf_trainer`, ...).
        scalars: Key to series; the key is the tag with its split folder (`valid/accuracy`).
        config: Hyperparameters found in logs and configuration files.
        checkpoints: Paths of checkpoint files below the run.
        results: Numbers that were measured once, after training.
        clock: Its steps beside its epochs; None where it logs no epochs.
        rerun: Where it comes from, if `rerun` made it; None for logs that were found. Its
            paths begin with the name of the run store, not below the root of the others.
        ended: How its last process ended, as its program says: as of `Log`.
    """

    id: str
    group: str
    seed: int | None
    layout: str
    scalars: Mapping[str, Series]
    config: Mapping[str, object] = field(default_factory=dict)
    checkpoints: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    sources: tuple[Source, ...] = ()
    results: tuple[Result, ...] = ()
    clock: Clock | None = None
    rerun: Rerun | None = None
    ended: str = ""

    def find(self, metric: str, split: str) -> Series | None:
        """Return the series of a metric on a split, the longest where several measure it."""
        found = [s for s in self.scalars.values() if s.metric == metric and s.split == split]
        return max(found, key=len) if len(found) > 1 else next(iter(found), None)

    def elapsed(self) -> Series | None:
        """Return the seconds since training began as it logged them, the longest of several.

        What goes back times each step, or a process that began anew; a billion seconds are a date.
        """
        named = (s for s in self.scalars.values() if s.tag.rpartition("/")[2] in ELAPSED and len(s))
        told = ((series, [*map(float, series.values)]) for series in named)
        found = [s for s, own in told if own == sorted(own) and own[-1] < _DATES]
        return max(found, key=len, default=None)

    def is_measured(self, metric: str, split: str) -> bool:
        """Return whether a number of a metric on a split is there: in a series, or without a step.

        Example:
            >>> late = Result(tag="test/accuracy", value=0.8, metric="accuracy", split="test")
            >>> run = Run(id="a", group="a", seed=0, layout="plain", scalars={}, results=(late,))
            >>> run.is_measured("accuracy", "test"), run.is_measured("accuracy", "validation")
            (True, False)
        """
        series = [s for s in self.scalars.values() if (s.metric, s.split) == (metric, split)]
        finite = any(any(map(math.isfinite, one.values)) for one in series)
        return finite or any((r.metric, r.split) == (metric, split) for r in self.results)


def of_most(found: Iterable[Named]) -> Counter[Named]:
    """Count names, without those that come less than half as often as the most frequent one.

    What few runs have does not stand for all of them.

    Example:
        >>> of_most(["train", "train", "train", "test"])
        Counter({'train': 3})
    """
    count = Counter(found)
    most = max(count.values(), default=0)
    return Counter({name: n for name, n in count.items() if 2 * n >= most})


def missing_seeds(seeds: Sequence[int], runs: Sequence[Run]) -> tuple[int, ...]:
    """Return those seeds that no run of a group has; none where one has a seed nobody knows.

    It may be any of them, and a run must not be counted as there and as missing.

    Example:
        >>> one = Run(id="a/1", group="a", seed=1, layout="plain", scalars={})
        >>> runs = [one, Run(id="a/old", group="a", seed=None, layout="plain", scalars={})]
        >>> missing_seeds((1, 2), runs[:1]), missing_seeds((1, 2), runs)
        ((2,), ())
    """
    found = {run.seed for run in runs}
    return () if None in found else tuple(seed for seed in seeds if seed not in found)


@record
class Runs:
    """Every run below one root and in the run store, and every problem met on the way.

    Attributes:
        root: The folder as the user named it.
        runs: Sorted by group, seed, id.
        problems: Those of files that belong to no run.
        files: Paths of recognised files below the root, of any kind.
        fates: What became of every file below the root.
    """

    root: str
    runs: tuple[Run, ...]
    problems: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()
    fates: tuple[Fate, ...] = ()

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def groups(self) -> dict[str, tuple[Run, ...]]:
        """Return group name to its runs, in order of first appearance."""
        found: dict[str, list[Run]] = {}
        for run in self.runs:
            found.setdefault(run.group, []).append(run)
        return {name: tuple(members) for name, members in found.items()}

    def all_problems(self) -> tuple[Problem, ...]:
        """Return the problems of the root and of every run, without repeats."""
        everything = [*self.problems, *(p for run in self.runs for p in run.problems)]
        return tuple(dict.fromkeys(everything))

    def places(self, group: str, seed: int) -> tuple[str, ...]:
        """Return where a run of this group and seed should lie, by the paths of its siblings.

        Example:
            >>> run = Run(id="lab/a/0", group="a", seed=0, layout="plain", scalars={})
            >>> Runs(root="lab", runs=(run,)).places("a", 2)
            ('lab/a/2',)
        """
        found = {
            f"{match[1]}{seed}{match[2]}"
            for run in self.runs
            if run.group == group and run.seed is not None
            if (match := re.fullmatch(rf"(|.*\D){run.seed}(\D*)", run.id))
        }
        return tuple(sorted(found))

    def why_missing(self, group: str, seed: int) -> str:
        """Return what is wrong in the place where a run should lie, empty where nothing is.

        The place is that of another run of the group, with the other seed in its name.
        """
        places = self.places(group, seed)
        for problem in self.problems:
            inside = any(f"{problem.path}/".startswith(f"{place}/") for place in places)
            if inside and problem.level == "warning":
                return f"{problem.path} {problem.message}"
        return ""

    def to_frame(self) -> pd.DataFrame:
        """Return every point and every result as a pandas frame.

        Columns: `run, group, seed, split, tag, step, value, wall_time`; one row a point,
        `value` in the log's own unit, float32 as the shortest decimal it stands for. What was
        measured once, after training, has `<NA>` for its step.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        from reportgen.records.frame import frame_of_runs

        return frame_of_runs(self)


# A run that `rerun` made: what is known of it, and by what its folder is told from others.

RECORD = "run.json"
"""File with the content of `Rerun`; a folder is a finished re-run exactly when it is there."""

PRIVATE = ".reportgen"
"""Folder of a run store that holds its own affairs; no run lies there."""


@record
class Rerun:
    """Where a run comes from that `rerun` made: the content of its `run.json`.

    Attributes:
        key: Digest of everything that decides the numbers.
        group, seed: The cell.
        device: What it ran on, in words (`"NVIDIA H200"`, `"CPU, x86_64, 1 thread"`).
        date: ISO date and time of the end, UTC.
        versions: Package to version.
        engine: `"stacked"` or `"module"`, with the number of members trained together.
        settings: What went into the key, flat, in words: a stale cell is explained by them.
        notes: What a reader must know (a halved batch, a nondeterministic device).
        seconds: Time of training and evaluation, without start-up.
        sha256: File of the run to its digest.
    """

    key: str
    group: str
    seed: int
    device: str
    date: str
    versions: Mapping[str, str]
    engine: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    sha256: Mapping[str, str] = field(default_factory=dict)
