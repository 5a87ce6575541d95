"""What the analysis found: the input of every section."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reportgen.records.checkpoint import (
    AdapterConfig,
    Checkpoint,
    Ledger,
    LedgerRow,
    ModelConfig,
)
from reportgen.records.quantity import Missing, Reading
from reportgen.records.record import field, record
from reportgen.records.source import Problem

if TYPE_CHECKING:
    from reportgen.records.run import Result, Run, Runs
    from reportgen.records.study import Study


@record
class Task:
    """What a group's runs were trained for; groups of unlike tasks are neither ranked nor compared.

    Attributes:
        kind: What tells it from the others: `"environment"`, `"data"`, `"labels"`, `"horizon"`,
            `"assignment"`, `"folds"`, `"settings"`, `"loss"`, `"scale"`; `"copy"`, `"resumed"` and
            `"given_up"` for a group whose runs repeat or begin those of another, or were begun
            again there; empty where nothing tells.
        name: The environment or data set as it was spelt, or the name of the other group.
    """

    kind: str = ""
    name: str = ""

    @property
    def is_part(self) -> bool:
        """Whether a group repeats or begins another one, and is compared with none."""
        return self.kind in {"copy", "resumed", "given_up"}


@record
class Selection:
    """How the step of each run is chosen whose value is reported.

    Attributes:
        kind: `"best"`: the step with the best value on the selection split; `"last"`: the last
            one, where nothing can be selected.
        split: Split that chooses, or of which the last value is reported (empty for tags that
            name none).
        direction: `"higher"` or `"lower"` is better; empty where nothing tells.
        setting: Line of a study file by which a best step would be chosen; empty where one is,
            and where the logs leave none open.
    """

    kind: str = "best"
    split: str = "validation"
    direction: str = ""
    setting: str = ""

    @property
    def is_last(self) -> bool:
        """Whether last values are reported, none of which was chosen."""
        return self.kind == "last"


_NONE = Missing(reason="")


@record
class RunResult:
    """One cell of the grid (group, seed) with its best step, or why it has none.

    Attributes:
        group: Group name.
        seed: Seed; None where unknown.
        run: The run; None for a declared cell that has no logs.
        best_step: Step with the best value on the selection split.
        best_epoch: The same as an epoch, where epochs are known.
        select_value: Value on the selection split at that step.
        report_value: Value on the reporting split at that step, else the one measured after
            training; the last one where nothing can be selected.
        last_value: Value on the reporting split at the last step.
        oracle_value: Best value on the reporting split itself: an oracle, not a result.
        tied_steps: Every step that reaches the best value, the chosen one included.
        report_from: Whether `report_value` is a point of a `"series"`, or a `"result"`.
        result: Number measured once, after training, on the reporting split, with the weights it
            is of where that is logged; None where there is none, or several that differ.
        result_value: Its value; beside `report_value`, where that is of a series.
        end_value: Mean over the last tenth of the points, which one odd value does not make.
        lowest_value: Smallest finite value, at the first step that has it.
        highest_value: Largest finite value, likewise. These three only where nothing is selected.
    """

    group: str
    seed: int | None
    run: Run | None
    best_step: Reading
    best_epoch: Reading
    select_value: Reading
    report_value: Reading
    last_value: Reading
    oracle_value: Reading
    tied_steps: tuple[int, ...] = ()
    report_from: str = "series"
    result: Result | None = None
    result_value: Reading = _NONE
    end_value: Reading = _NONE
    lowest_value: Reading = _NONE
    highest_value: Reading = _NONE

    @classmethod
    def without_values(
        cls, group: str, seed: int | None, run: Run | None, why: Reading
    ) -> RunResult:
        """Return a cell whose every value is missing, for one reason."""
        steps, values = ("best_step", "best_epoch"), ("select", "report", "last", "oracle")
        names = (*steps, *(f"{name}_value" for name in values))
        missing: dict[str, Any] = dict.fromkeys(names, why)
        return cls(group=group, seed=seed, run=run, **missing)


@record
class Summary:
    """Mean and spread of one value over the seeds of a group.

    Attributes:
        n: Runs that have a value.
        values: The values, in order of seed.
        mean: Mean; missing for n = 0.
        std: Standard deviation under the study's ddof; missing for n < 3.
        std_other: Under the other ddof, for tables that show both.
        interval: Half width of the t interval of the mean; missing for n < 3, and where all
            values are equal.
    """

    n: int
    values: tuple[float, ...]
    mean: Reading
    std: Reading
    std_other: Reading
    interval: Reading


@record
class EpochRow:
    """One epoch of one group: the summary on each split.

    Attributes:
        epoch: Finished epochs; 0.0 where they are not known.
        step: Step of its runs; the largest, where each has its own.
        splits: Split to its summary; a split that the group never logged is absent.
        steps: Run to its own step, where not all have the same.
    """

    epoch: float
    step: int
    splits: Mapping[str, Summary]
    steps: Mapping[str, int] = field(default_factory=dict)

    def step_of(self, run: Run) -> int:
        """Return the step of a run at this epoch."""
        return self.steps.get(run.id, self.step)


@record
class GroupResult:
    """One group: its cells and their summaries.

    Attributes:
        name: Key in JSON.
        label: What the report calls it.
        layout: Layout of its runs.
        unit: Unit of the metric in its logs (`"percent"`, `"fraction"`, `""`).
        report_split: Split actually reported (the study's, or the selection split where the
            group logged no other; where no run logged either, the one that was logged, which
            is empty for tags that name none).
        cells: One a seed, declared or found.
        report: Summary of `report_value` over seeds.
        select: Summary of `select_value`.
        last: Summary of `last_value`.
        oracle: Summary of `oracle_value`.
        epochs: Per-epoch rows.
        without_reruns: Summary of `report_value` over the runs that `rerun` did not make; None
            where it made none.
        task: What its results may be compared within.
        end: Summary of `end_value`; None where a step is selected.
    """

    name: str
    label: str
    layout: str
    unit: str
    report_split: str
    cells: tuple[RunResult, ...]
    report: Summary
    select: Summary
    last: Summary
    oracle: Summary
    epochs: tuple[EpochRow, ...] = ()
    without_reruns: Summary | None = None
    task: Task = Task()
    end: Summary | None = None


@record
class Comparison:
    """Difference of two groups, `first - second`.

    Attributes:
        first, second: Group names.
        method: `"paired t"` on shared seeds, `"Welch t"` otherwise.
        difference: Difference of the means.
        low, high: Ends of its confidence interval; missing when n is too small, and where
            the difference is the same for every seed or no value varies.
        p: Two-sided p-value of the test.
        p_floor: Smallest p that an exact sign-flip or permutation test allows at this n.
        pairs: (seed, first value, second value) where paired.
        degrees: Degrees of freedom.
    """

    first: str
    second: str
    method: str
    difference: Reading
    low: Reading
    high: Reading
    p: Reading
    p_floor: Reading
    pairs: tuple[tuple[int, float, float], ...] = ()
    degrees: float | None = None


@record
class OtherMetric:
    """A metric beside the deciding one, read at the steps that the deciding one chose.

    Attributes:
        name: Its one spelling (`loss`).
        direction: `"higher"` or `"lower"` is better; empty where its name does not tell.
        groups: As those of the facts, with the values of this metric. Where a best step was
            chosen, its last value and its oracle are missing.
        comparisons: Of the same groups as those of the facts.
    """

    name: str
    direction: str
    groups: tuple[GroupResult, ...]
    comparisons: tuple[Comparison, ...] = ()

    @property
    def split(self) -> str:
        """Split of the values of its first group; empty where its tags name none."""
        return self.groups[0].report_split if self.groups else ""

    @property
    def tags(self) -> tuple[str, ...]:
        """Tags on that split, as they were logged."""
        runs = (cell.run for group in self.groups for cell in group.cells)
        found = (run.find(self.name, self.split) for run in runs if run is not None)
        return tuple(dict.fromkeys(series.tag for series in found if series is not None))


@record
class OtherMetrics:
    """The metrics that are shown beside the deciding one, and those that found no room."""

    metrics: tuple[OtherMetric, ...] = ()
    left: tuple[str, ...] = ()


@record
class ModelFacts:
    """A model's configuration, ledger and checkpoint, reconciled."""

    name: str
    config: ModelConfig
    ledger: Ledger
    rows: tuple[LedgerRow, ...]
    checkpoint: Checkpoint | None = None
    problems: tuple[Problem, ...] = ()


@record
class AdapterFacts:
    """An adapter's configuration and count beside its base model.

    Attributes:
        trainable: Trainable parameters of the adapter.
        base_total: Parameters of the base model.
        targets: (module pattern, in features, out features, number of modules) adapted.
        ledger: The adapter's terms; None where it cannot be counted.
        stored: Names and shapes of the tensors saved beside the configuration, or None.
        lint: Unknown keys, illegal values, names that match no module.
        places: Every path of the same configuration, its own among them; empty where it was named.
    """

    name: str
    config: AdapterConfig
    base: ModelFacts | None
    trainable: Reading
    base_total: Reading
    targets: tuple[tuple[str, int, int, int], ...]
    ledger: Ledger | None
    stored: Checkpoint | None = None
    lint: tuple[Problem, ...] = ()
    places: tuple[str, ...] = ()


@record(weakref_slot=True)
class Facts:
    """Everything a section may use. Sections compute nothing that is not here or in stats.

    Attributes:
        study: Study with every inference filled in.
        runs: All runs.
        groups: Results, in report order.
        comparisons: Headline first.
        selection: How the reported step of each run was chosen.
        others: Other metrics at the same steps.
        model: The model counted, or None.
        adapters: Adapters described.
        problems: Everything that is the matter, for the last section.
        environment: Versions and tools ("typst 0.15.0"), for reproducibility.
    """

    study: Study
    runs: Runs
    groups: tuple[GroupResult, ...]
    comparisons: tuple[Comparison, ...] = ()
    selection: Selection = Selection()
    others: OtherMetrics = OtherMetrics()
    model: ModelFacts | None = None
    adapters: tuple[AdapterFacts, ...] = ()
    problems: tuple[Problem, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def deciding(self) -> OtherMetric:
        """The metric that decides, in the form of those beside it."""
        return OtherMetric(
            name=self.study.metric.name,
            direction=self.selection.direction,
            groups=self.groups,
            comparisons=self.comparisons,
        )

    def group(self, name: str) -> GroupResult:
        """Return the result of a group by name."""
        return next(g for g in self.groups if g.name == name)
