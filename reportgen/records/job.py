"""The grid of a study: its cells, what they lack, and the work that fills them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from reportgen.records.run import Problem
from reportgen.records.study import DataPlan, TrainPlan

CellId = tuple[str, int]
"""Group and seed: they name a cell."""

UNTRAINED = ("missing", "partial", "failed")
"""States of cells that `rerun` trains."""

TRAINABLE = (*UNTRAINED, "stale")
"""States that `rerun` may train: stale cells only when asked."""

STATES = ("done", "running", *TRAINABLE)
"""What a cell can be; a stale one was trained with other settings, and again only when asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a cell would take.

    Attributes:
        steps: Updates still to do.
        seconds: Expected; 0 when nothing is to do.
        low, high: Range of `seconds` from the quartiles of the logs' own clock.
        basis: Where the figure comes from, in words.
        disk: Bytes of logs, kept weights and checkpoints at the highest.
    """

    steps: int
    seconds: float
    low: float
    high: float
    basis: str
    disk: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One place of the grid.

    Attributes:
        group: Group name.
        seed: Seed.
        state: One of `STATES`.
        reason: Why it has that state, in words.
        place: Path of its run below the root of logs, found or to be made.
        key: Digest of everything that decides its numbers; empty without `[train]`.
        cost: None where it is done, and where nothing tells a price.
        rerun: True when the run was made by `rerun`.
        changed: For a stale cell, (setting, then, now).
    """

    group: str
    seed: int
    state: str
    reason: str
    place: str = ""
    key: str = ""
    cost: Cost | None = None
    rerun: bool = False
    changed: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GridPlan:
    """What is done, what is not, and what the rest would cost.

    Attributes:
        cells: In the order of the report.
        device: What the price is for: `"cpu"`, `"cuda"`, `"mps"`.
        workers: Fine-tunes at one time.
        problems: Why the rest cannot be trained, where it cannot.
    """

    cells: tuple[Cell, ...]
    device: str
    workers: int
    problems: tuple[Problem, ...] = ()

    def wall_seconds(self) -> float:
        """Return how long the priced cells would take, the longest first on `workers`."""
        ends = [0.0] * max(self.workers, 1)
        for seconds in sorted((c.cost.seconds for c in self.cells if c.cost), reverse=True):
            ends[ends.index(min(ends))] += seconds
        return max(ends)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One fine-tune of a job.

    Attributes:
        group: Group name.
        seed: Seed.
        start: Absolute path of a Hugging Face folder or a fairseq checkpoint, or `"random"`.
        adapter: Absolute path of an `adapter_config.json`; empty trains every weight.
        place: POSIX path of the finished run below the run store.
        key: Digest of everything that decides its numbers.
        publish: False for a canary: a finished cell, repeated only to be compared.
        reference: The value the finished cell reports (metric's own scale, fraction), else None.
        settings: What went into the key, in words, for `run.json`.
    """

    group: str
    seed: int
    start: str
    place: str
    key: str
    adapter: str = ""
    publish: bool = True
    reference: float | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Fine-tunes that one process does together.

    Attributes:
        id: Name of its working folder; the same members always give the same.
        members: On a GPU all seeds of the groups whose models have one shape, so that what
            is missing never changes the numbers; on a CPU one.
        train: The plan; its paths are absolute.
        metric: Metric that selects the best step; one that the task measures.
        metrics: What evaluations log beside the loss and that metric: what the runs beside do.
        direction: `"higher"` or `"lower"`.
        ties: `"first"` or `"last"` of equal best evaluations.
        layout: Layout of the logs to write.
        folders: Split to its folder or prefix in that layout (`{"validation": "valid"}`).
        device: `"cpu"`, `"cuda"` or `"mps"`.
        tolerance: Largest drift of a canary; members are not published beyond it. None accepts
            any.
        fresh: True ignores checkpoints of an earlier attempt.
        notes: What a reader of the results must know before anything was trained.
        patience: Seconds to wait for the lease of an attempt that is just dying elsewhere.
    """

    id: str
    members: tuple[Member, ...]
    train: TrainPlan
    metric: str = "accuracy"
    metrics: tuple[str, ...] = ()
    direction: str = "higher"
    ties: str = "first"
    layout: str = "hf_trainer"
    folders: Mapping[str, str] = field(default_factory=dict)
    device: str = "cpu"
    tolerance: float | None = None
    fresh: bool = False
    notes: tuple[str, ...] = ()
    patience: float = 0.0

    def to_json(self) -> str:
        """Return the job as JSON, as the process that trains it is given it."""
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def from_json(cls, text: str) -> Job:
        """Read what `to_json` wrote.

        Example:
            >>> job = Job(id="j", members=(), train=TrainPlan(epochs=3))
            >>> Job.from_json(job.to_json()) == job
            True
        """
        given = json.loads(text)
        train = given.pop("train")
        data = DataPlan(**train.pop("data"))
        members = tuple(Member(**member) for member in given.pop("members"))
        given |= {name: tuple(given[name]) for name in ("metrics", "notes")}
        return cls(members=members, train=TrainPlan(data=data, **train), **given)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberResult:
    """How one fine-tune ended.

    Attributes:
        key: The member's.
        state: `"published"`, `"repeated"` (a canary), `"withheld"` (drift), `"failed"`,
            `"stopped"` (a signal; resumable), `"elsewhere"` (another process has it).
        reason: In words; empty for a published run.
        value: Reported value at the best step, None without one.
        drift: `value - reference` of a canary.
    """

    key: str
    state: str
    reason: str = ""
    value: float | None = None
    drift: float | None = None
