"""What the analysis found: the input of every section."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reportgen.records.checkpoint import (
    AdapterConfig,
    Checkpoint,
    Ledger,
    LedgerRow,
    ModelConfig,
)
from reportgen.records.quantity import Quantity, Reading
from reportgen.records.run import Problem, Run, Runs
from reportgen.records.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a group's runs were trained for; groups of unlike tasks are neither ranked nor compared.

    Attributes:
        kind: What tells it from the others: `"environment"`, `"data"`, `"labels"`,
            `"assignment"`, `"scale"`; `"copy"` and `"resumed"` for a group whose runs repeat, or
            begin, those of another; empty where nothing tells.
        name: The environment or data set as it was spelt, or the name of the other group.
    """

    kind: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """One cell of the grid (group, seed) with its best step, or why it has none.

    Attributes:
        group: Group name.
        seed: Seed; None where unknown.
        run: The run; None for a declared cell that has no logs.
        best_step: Step with the best value on the selection split.
        best_epoch: The same as an epoch, where epochs are known.
        select_value: Value on the selection split at that step.
        report_value: Value on the reporting split at that step.
        last_value: Value on the reporting split at the last step.
        oracle_value: Best value on the reporting split itself: an oracle, not a result.
        tied_steps: Every step that reaches the best value, the chosen one included.
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


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochRow:
    """One epoch of one group: the summary on each split.

    `splits` maps `"train"`, `"validation"`, `"test"` to a Summary; a split the group never
    logged is absent.
    """

    epoch: float
    step: int
    splits: Mapping[str, Summary]


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherMetric:
    """A metric beside the deciding one, read at the steps that the deciding one chose.

    Attributes:
        name: Its one spelling (`loss`).
        direction: `"higher"` or `"lower"` is better; empty where its name does not tell.
        groups: As those of the facts, with the values of this metric; their last step and
            their oracle are missing, for nothing is selected on it.
        comparisons: Of the same groups as those of the facts.
    """

    name: str
    direction: str
    groups: tuple[GroupResult, ...]
    comparisons: tuple[Comparison, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherMetrics:
    """The metrics that are shown beside the deciding one, and those that found no room."""

    metrics: tuple[OtherMetric, ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRun:
    """What one run logged of a metric by which no step was chosen.

    Attributes:
        last: Value at the last logged step.
        end: Mean over the last tenth of the points, which one odd value does not make.
        lowest: Smallest finite value, at the first step that has it.
        highest: Largest finite value, likewise.
    """

    last: Reading
    end: Reading
    lowest: Reading
    highest: Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedGroup:
    """A group under a metric by which no step was chosen.

    Attributes:
        result: The group, its last values those of this metric.
        runs: One a cell of the group; None for a run without the metric, and for no run.
        end: Summary of the ends.
    """

    result: GroupResult
    runs: tuple[LoggedRun | None, ...]
    end: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedMetric:
    """A metric by which no step was chosen.

    Attributes:
        name: Its one spelling.
        split: `"train"`, `"validation"`, `"test"`, or empty where its tags name none.
        tags: As they were logged.
        direction: `"higher"` or `"lower"` is better; empty where nothing tells.
        groups: As those of the facts; a group without the metric has no value.
    """

    name: str
    split: str
    tags: tuple[str, ...]
    direction: str
    groups: tuple[LoggedGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unselected:
    """What is reported where no run has a best step: values as they were logged.

    Attributes:
        metrics: The one that decides first, then those beside it.
        left: Metrics that found no room.
        comparisons: Of the last values of the metric that decides.
        setting: Line of a study file by which a step would be chosen; empty where the logs
            leave none open.
    """

    metrics: tuple[LoggedMetric, ...]
    left: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    setting: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """A model's configuration, ledger and checkpoint, reconciled."""

    name: str
    config: ModelConfig
    ledger: Ledger
    rows: tuple[LedgerRow, ...]
    checkpoint: Checkpoint | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class Facts:
    """Everything a section may use. Sections compute nothing that is not here or in stats.

    Attributes:
        study: Study with every inference filled in.
        runs: All runs.
        groups: Results, in report order.
        comparisons: Headline first.
        others: Other metrics at the same best steps.
        unselected: What is reported where no run has a best step; None where one has.
        model: The model counted, or None.
        adapters: Adapters described.
        problems: Everything that is the matter, for the last section.
        environment: Versions and tools ("typst 0.15.0"), for reproducibility.
        dated: What the date of the report comes from: `"logs"`, `"environment"`, or `""` for none.
    """

    study: Study
    runs: Runs
    groups: tuple[GroupResult, ...]
    comparisons: tuple[Comparison, ...] = ()
    others: OtherMetrics = OtherMetrics()
    unselected: Unselected | None = None
    model: ModelFacts | None = None
    adapters: tuple[AdapterFacts, ...] = ()
    problems: tuple[Problem, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    dated: str = ""

    def result_of(self, cell: RunResult) -> Reading:
        """Return the value of a run that is reported: at its best step, else the last one."""
        return cell.report_value if self.unselected is None else cell.last_value

    def summary_of(self, group: GroupResult) -> Summary:
        """Return the summary of the values of a group that are reported."""
        return group.report if self.unselected is None else group.last

    def group(self, name: str) -> GroupResult:
        """Return the result of a group by name."""
        return next(g for g in self.groups if g.name == name)


__all__ = [
    "AdapterFacts",
    "Comparison",
    "EpochRow",
    "Facts",
    "GroupResult",
    "LoggedGroup",
    "LoggedMetric",
    "LoggedRun",
    "ModelFacts",
    "OtherMetric",
    "OtherMetrics",
    "Quantity",
    "RunResult",
    "Summary",
    "Task",
    "Unselected",
]
