"""From a plan to jobs: what one process trains together, and what is repeated to be compared."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Any

from reportgen.records.errors import StudyError, UsageError
from reportgen.records.facts import GroupResult
from reportgen.records.job import TRAINABLE, UNTRAINED, Cell, CellId, GridPlan, Job, Member
from reportgen.records.quantity import Quantity
from reportgen.records.run import Run, Runs
from reportgen.records.study import MEASURED, RANDOM, GroupPlan, MetricPlan, Study, TrainPlan
from reportgen.stats import mean_of, normal_quantile, std_of, summarise_groups, t_quantile
from reportgen.train.plan.grid import place_of
from reportgen.train.plan.steps import Group, finished, groups_of

_FOLDERS = {
    "fairseq": {"train": "train", "validation": "valid", "test": "test"},
    "hf_trainer": {"train": "train", "validation": "eval", "test": "test"},
}
_DEFAULT_LAYOUT = "hf_trainer"


def choose_cells(cells: Sequence[Cell], only: Sequence[str]) -> tuple[Cell, ...]:
    """Return the cells that the words of `--only` name; no words name all.

    A word is a group, `group/seed`, or a pattern (`*` and `?`) on `group/seed`.

    Raises:
        UsageError: A word names no cell.

    Example:
        >>> cells = [Cell(group="random", seed=s, state="missing", reason="") for s in (0, 1)]
        >>> [c.seed for c in choose_cells(cells, ["random/1"])]
        [1]
        >>> [c.seed for c in choose_cells(cells, ["rand*"])]
        [0, 1]
    """
    for word in only:
        if not any(_names(word, cell) for cell in cells):
            groups = ", ".join(dict.fromkeys(cell.group for cell in cells)) or "none"
            seeds = ", ".join(str(seed) for seed in sorted({cell.seed for cell in cells}))
            raise UsageError(
                f"--only {word} names no cell of the grid",
                remedy=f"groups: {groups}; seeds: {seeds or 'none'}; write GROUP or GROUP/SEED",
            )
    return tuple(cell for cell in cells if not only or any(_names(word, cell) for word in only))


def _names(word: str, cell: Cell) -> bool:
    path = f"{cell.group}/{cell.seed}"
    return word in {cell.group, path} or fnmatchcase(path, word)


def make_jobs(
    plan: GridPlan,
    study: Study,
    runs: Runs,
    *,
    keys: Mapping[CellId, str],
    home: str,
    device: str,
    shapes: Mapping[str, str],
    groups: Sequence[GroupResult] | None = None,
    repeated: Collection[str] = (),
    restart: bool = False,
    accept_drift: bool = False,
) -> tuple[Job, ...]:
    """Return the work that fills the cells of a plan, jobs that only repeat a finished run first.

    On a GPU a job holds every declared seed of the groups whose models have one shape,
    whatever is missing: found ones are repeated and compared, and cells that were not asked
    for are not published. Elsewhere a job is one cell, and each group of which something is
    trained has one finished run repeated before, unless that was done already.

    Args:
        plan: Cells with their states.
        study: Study with `[train]`.
        runs: Logs that were found.
        keys: (group, seed) to the key of its fine-tune; a cell without one is not trained.
        home: Absolute POSIX path of the folder that the study's paths are relative to.
        device: `"cpu"`, `"cuda"` or `"mps"`.
        shapes: Group to the shape of its model; a group without one has a shape of its own.
        groups: Results of the found logs; None computes them.
        repeated: Keys of finished runs that were repeated already.
        restart: Begin afresh, and train stale cells again.
        accept_drift: Publish however far the repeated runs drift.

    Raises:
        StudyError: There is no `[train]`, or its metric is none that training measures.
    """
    if study.train is None:
        raise StudyError(
            "the study does not say how a missing cell is trained",
            remedy="add [train] with the data and the hyperparameters, and start to each group",
        )
    states = TRAINABLE if restart else UNTRAINED
    chosen = [cell for cell in plan.cells if cell.state in states]
    results = summarise_groups(study, runs) if groups is None else tuple(groups)
    groups_found = groups_of(study, runs)
    bench = _Bench(
        study=study,
        runs=runs,
        groups=groups_found,
        keys=keys,
        home=PurePosixPath(home),
        wanted={key: c for c in chosen if (key := (c.group, c.seed)) in keys},
        originals=_originals(groups_found, runs),
        values={
            cell.run.id: cell.report_value.value
            for result in results
            for cell in result.cells
            if cell.run is not None and isinstance(cell.report_value, Quantity)
        },
    )
    metric = _metric(study.metric, study.train.task)
    shared = Job(
        id="",
        members=(),
        train=at_home(study.train, bench.home),
        metric=metric.name,
        direction=metric.direction,
        ties=metric.ties,
        device=device,
        tolerance=None if accept_drift else bench.tolerance(results),
        fresh=restart,
    )
    sets = bench.stacks(shapes) if device == "cuda" else bench.singles(repeated)
    return tuple(bench.job(shared, members) for members in sets)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """Everything that members are made of.

    Attributes:
        wanted: Cells to train.
        originals: (group, seed) to a complete found run.
        values: Id of a found run to the value it reports.
    """

    study: Study
    runs: Runs
    groups: Mapping[str, Group]
    keys: Mapping[CellId, str]
    home: PurePosixPath
    wanted: Mapping[CellId, Cell]
    originals: Mapping[CellId, Run]
    values: Mapping[str, float]

    def tolerance(self, results: Sequence[GroupResult]) -> float | None:
        """Return the drift that the spread of the complete found runs explains."""
        complete = {run.id for run in self.originals.values()}
        kept = [
            replace(r, cells=tuple(c for c in r.cells if c.run and c.run.id in complete))
            for r in results
        ]
        split = self.study.metric.report_on
        return tolerance(kept, self.study.split_sizes.get(split, 0))

    def singles(self, repeated: Collection[str]) -> list[list[Member]]:
        """Return one member a job: first finished runs to repeat, then the wanted cells."""
        canaries = []
        for plan in self.study.groups:
            cells = [(plan.name, seed) for seed in sorted(plan.seeds)]
            done = [c for c in cells if c in self.keys and c in self.originals]
            known = any(self.keys.get(cell) in repeated for cell in cells)
            needed = any(group == plan.name for group, _ in self.wanted)
            if done and needed and not known:
                canaries.append([self._member(plan, done[0][1])])
        plans = {plan.name: plan for plan in self.study.groups}
        fills = [[self._member(plans[group], seed)] for group, seed in self.wanted]
        return canaries + fills

    def stacks(self, shapes: Mapping[str, str]) -> list[list[Member]]:
        """Return every declared seed of each shape of which something is wanted."""
        stacks: dict[tuple[bool, str], list[Member]] = {}
        for plan in self.study.groups:
            # A shape may be named as a group is.
            shape = (plan.name in shapes, shapes.get(plan.name, plan.name))
            stacks.setdefault(shape, []).extend(
                self._member(plan, seed)
                for seed in sorted(plan.seeds)
                if (plan.name, seed) in self.keys
            )
        return [found for found in stacks.values() if any(m.publish for m in found)]

    def _member(self, plan: GroupPlan, seed: int) -> Member:
        cell = (plan.name, seed)
        original = self.originals.get(cell)
        wanted = self.wanted.get(cell)
        place = wanted.place if wanted else original.id if original else ""
        random = plan.start == RANDOM
        return Member(
            group=plan.name,
            seed=seed,
            start=RANDOM if random else str(self.home / plan.start),
            adapter=str(self.home / plan.adapter) if plan.adapter else "",
            place=place or place_of(plan, self.runs, seed),
            key=self.keys[cell],
            publish=wanted is not None,
            reference=self.values.get(original.id) if original else None,
        )

    def job(self, shared: Job, members: Sequence[Member]) -> Job:
        """Return a job of its members; its logs look like those that lie beside."""
        names = {member.group for member in members}
        beside = [run for name in names if name in self.groups for run in self.groups[name].runs]
        layout = shared.train.layout or _layout_of(beside) or _layout_of(self.runs.runs)
        layout = layout or _DEFAULT_LAYOUT
        digest = hashlib.sha256("\n".join(member.key for member in members).encode())
        return replace(
            shared,
            id=digest.hexdigest()[:20],
            members=tuple(members),
            layout=layout,
            metrics=_logged_metrics(beside or self.runs.runs, shared.train.task),
            folders=_folders(layout, beside, self.study.metric.name),
        )


def _metric(plan: MetricPlan, task: str) -> MetricPlan:
    """Return the metric with its direction; refuse one that training does not measure."""
    measured = MEASURED[task]
    name = plan.name or next(iter(measured))
    if name not in measured:
        known = ", ".join(f'"{one}"' for one in measured)
        raise StudyError(
            f"the study's metric is {name!r}, and training for {task} does not measure it",
            remedy=f"set name in [metric] to one of {known}",
        )
    return replace(plan, name=name, direction=plan.direction or measured[name])


def _logged_metrics(runs: Sequence[Run], task: str) -> tuple[str, ...]:
    """Return what evaluations of some runs log, of that which training measures too."""
    logged = {
        series.metric
        for run in runs
        for series in run.scalars.values()
        if series.split in {"validation", "test"}
    }
    return tuple(name for name in MEASURED[task] if name in logged and name != "loss")


def _originals(groups: Mapping[str, Group], runs: Runs) -> dict[CellId, Run]:
    """Return the complete found runs, by cell; of several the one that went furthest."""
    complete: dict[CellId, Run] = {}
    for name, group in groups.items():
        for run in sorted(finished(group, runs), key=lambda run: -group.reached(run)):
            if run.seed is not None and run.rerun is None:
                complete.setdefault((name, run.seed), run)
    return complete


def at_home(train: TrainPlan, home: PurePosixPath) -> TrainPlan:
    """Return a plan whose paths, relative to `home`, are absolute; empty ones stay empty.

    Example:
        >>> plan = at_home(TrainPlan(config="model/config.json"), PurePosixPath("/lab"))
        >>> plan.config, plan.tokenizer
        ('/lab/model/config.json', '')
    """

    def absolute(path: str) -> str:
        return str(home / path) if path else ""

    data = replace(
        train.data,
        files={split: absolute(path) for split, path in train.data.files.items()},
        labels={split: absolute(path) for split, path in train.data.labels.items()},
    )
    names = ("tokenizer", "dictionary", "config", "reruns")
    paths: dict[str, Any] = {name: absolute(getattr(train, name)) for name in names}
    return replace(train, data=data, **paths)


def _layout_of(runs: Sequence[Run]) -> str:
    """Return the most frequent layout of some runs that can be written, empty for none."""
    votes = Counter(run.layout for run in runs if run.layout in _FOLDERS)
    return max(sorted(votes), key=votes.__getitem__, default="")


def _folders(layout: str, beside: Sequence[Run], metric: str) -> dict[str, str]:
    """Return split to folder or prefix, as the runs beside have them."""
    folders = dict(_FOLDERS[layout])
    for split in folders:
        votes = Counter(
            key.partition("/")[0]
            for run in beside
            if run.layout == layout
            for key, series in run.scalars.items()
            if series.split == split and series.metric in {metric, "loss"} and key.count("/") == 1
        )
        if votes:
            folders[split] = max(sorted(votes), key=votes.__getitem__)
    return folders


CONFIDENCE = 0.95


def tolerance(groups: Sequence[GroupResult], test_size: int) -> float | None:
    """Return the largest difference of a repeated run and the logged one that chance explains.

    Both runs scatter like seeds do, so their difference has the standard deviation
    `sqrt(2) * s`, with s pooled over the groups: `t(0.975, df) * sqrt(2) * s`. Where no value
    varies, the error of the test set stands in: `1.96 * sqrt(2 * p * (1 - p) / N)`.

    Args:
        groups: Groups whose cells are finished.
        test_size: Examples of the reporting split; 0 where unknown.

    Units:
        Those of the metric inside the program: an accuracy is a fraction.

    Missing:
        None where fewer than two values vary and the metric is no proportion of a known number
        of examples.

    Source:
        Pooled variance and the prediction of one further value: NIST/SEMATECH e-Handbook of
        Statistical Methods, sections 7.3.1 and 7.1.3.

    Example:
        >>> from reportgen.stats import group_of_values
        >>> round(tolerance([group_of_values("a", {0: 0.814, 1: 0.804, 2: 0.801})], 2000), 4)
        0.0414
    """
    found = [[cell.report_value for cell in group.cells] for group in groups]
    samples = [[one.value for one in own if isinstance(one, Quantity)] for own in found]
    several = [values for values in samples if len(values) > 1]
    degrees = sum(len(values) - 1 for values in several)
    squares = sum((len(values) - 1) * std_of(values, 1) ** 2 for values in several)
    if squares > 0:
        return t_quantile(CONFIDENCE, degrees) * math.sqrt(2 * squares / degrees)
    values = [value for own in samples for value in own]
    if not values or not all(0 <= value <= 1 for value in values) or test_size < 1:
        return None
    # With all answers right (or wrong) the formula would leave no room for a single one.
    share = min(max(mean_of(values), 0.5 / test_size), 1 - 0.5 / test_size)
    return normal_quantile(CONFIDENCE) * math.sqrt(2 * share * (1 - share) / test_size)
