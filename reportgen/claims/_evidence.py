"""What the logs offer a report's labels: words of each group, seeds, values of each run."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from reportgen.claims._labels import group_key
from reportgen.records.claim import Meaning, Printed
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Quantity
from reportgen.records.run import Run, Series
from reportgen.records.study import Study
from reportgen.runs import direction_of

_ORIGINS = (
    "restore_file", "model_name_or_path", "model", "arch", "optimizer", "optim", "peft_type",
    "model_type", "architecture", "encoder", "backbone", "env_id", "env", "algo", "algorithm",
)  # fmt: skip
"""Settings whose words may name a group."""
_PIECES = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_RUNNING = re.compile(r"(?:^|[/_-])[^\W\d_]{2,12}[_ -]?(\d{1,4})$")
_HUMPS = re.compile(r"[A-Z][a-z]{2,}")
_RANDOM = frozenset({"random"})


def pieces_of(text: str) -> frozenset[str]:
    """Return the words of a path or a name, in the spelling of `group_key`.

    Example:
        >>> sorted(pieces_of("RoBERTa_small_fr_random_ms8"))
        ['8', 'fr', 'ms', 'random', 'roberta', 'small']
    """
    return group_key(" ".join([*_PIECES.findall(text), *_HUMPS.findall(text)]))


def numbered_cells(group: GroupResult) -> Mapping[int, RunResult]:
    """Return the cells of a group by the running number of their folder (`fold_3`).

    There are none where a seed is known, or where a folder has no number of its own.
    """
    cells = [cell for cell in group.cells if cell.run is not None]
    if any(cell.seed is not None for cell in cells):
        return {}
    found = {
        int(number[1]): cell
        for cell in cells
        for number in [_RUNNING.search(cell.run.id if cell.run is not None else "")]
        if number is not None
    }
    return found if len(found) == len(cells) else {}


@dataclass(frozen=True, eq=False)
class Group:
    """One group of the evidence, with its words.

    Attributes:
        result: Its cells and summaries.
        study: The study.
        alone: Whether it is the only one.
    """

    result: GroupResult
    study: Study
    alone: bool = False

    @property
    def name(self) -> str:
        """Key of the group."""
        return self.result.name

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Its runs."""
        return tuple(cell.run for cell in self.result.cells if cell.run is not None)

    @cached_property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of its runs, in order; running numbers where no seed is known."""
        seeds = (cell.seed for cell in self.result.cells if cell.seed is not None)
        return tuple(sorted(seeds)) or tuple(sorted(self.numbered))

    @cached_property
    def numbered(self) -> Mapping[int, RunResult]:
        """Its cells by the running number of their folder, where no seed is known."""
        return numbered_cells(self.result)

    @cached_property
    def keys(self) -> tuple[frozenset[str], ...]:
        """Keys of its name and its label."""
        return (group_key(self.result.name), group_key(self.result.label))

    @cached_property
    def words(self) -> frozenset[str]:
        """Words of its name, its label and the paths of its runs."""
        texts = [self.result.name, self.result.label, *(run.id for run in self.runs[:3])]
        return frozenset().union(*(pieces_of(text) for text in texts))

    @cached_property
    def origins(self) -> frozenset[str]:
        """Words of the settings that tell what its runs are."""
        texts = [str(run.config[k]) for run in self.runs[:1] for k in _ORIGINS if k in run.config]
        return frozenset().union(*(pieces_of(text) for text in texts)) if texts else frozenset()

    @cached_property
    def is_random(self) -> bool:
        """Whether its runs start from random weights, as far as words tell."""
        return bool((self.words | self.origins) & _RANDOM)

    def settings(self) -> Mapping[str, object]:
        """Return the settings of its first run."""
        return self.runs[0].config if self.runs else {}

    def cell(self, seed: int) -> RunResult | None:
        """Return the cell of a seed, or of a running number."""
        found = (cell for cell in self.result.cells if cell.seed == seed)
        return next(found, self.numbered.get(seed))


def groups_of(facts: Facts) -> tuple[Group, ...]:
    """Return the groups of the evidence that have runs."""
    found = [g for g in facts.groups if any(cell.run is not None for cell in g.cells)]
    return tuple(Group(g, facts.study, alone=len(found) == 1) for g in found)


def readings(group: Group, seed: int, meaning: Meaning) -> Iterator[tuple[str, Decimal]]:
    """Yield what a run's log has for a value, under each legal reading: (reading, value).

    Args:
        group: The group.
        seed: Seed of the evidence.
        meaning: Metric, split, step, epoch and selection of the value.
    """
    cell = group.cell(seed)
    if cell is None or cell.run is None:
        return
    splits = (meaning.split,) if meaning.split else ("validation", "test")
    for split in splits:
        series = cell.run.find(meaning.metric, split)
        if series is None or not len(series):
            continue
        points = [(s, v) for s, v in series.points() if math.isfinite(v)]
        for reading, step in _steps(group, cell, series, meaning, points):
            found = next((v for s, v in points if s == step), None)
            if found is not None:
                yield f"{split} {reading}", Decimal(repr(found))


def _steps(
    group: Group,
    cell: RunResult,
    series: Series,
    meaning: Meaning,
    points: Sequence[tuple[int, float]],
) -> Iterator[tuple[str, int]]:
    """Yield the steps at which a value may have been taken, each with its reading."""
    if not points:
        return
    if meaning.step is not None:
        yield "at its step", meaning.step
        return
    if meaning.epoch is not None and meaning.selection != "best":
        size = group.study.steps_per_epoch
        if size:
            yield "at its epoch", round(meaning.epoch * size)
        elif meaning.epoch == int(meaning.epoch) and 0 < meaning.epoch <= len(points):
            yield "at its epoch", points[int(meaning.epoch) - 1][0]
        return
    if isinstance(cell.best_step, Quantity):
        yield "at the best step", int(cell.best_step.value)
    yield "at the last step", points[-1][0]
    lower = direction_of(series.metric) == "lower"
    best = (min if lower else max)(points, key=lambda point: point[1])
    yield "at its own best", best[0]


def best_step_of(group: Group, seed: int) -> int | None:
    """Return the best step of a run."""
    cell = group.cell(seed)
    if cell is None or not isinstance(cell.best_step, Quantity):
        return None
    return int(cell.best_step.value)


def is_printed_as(printed: Printed, value: Decimal) -> bool:
    """Say whether a logged value may be printed so: as it is, in percent, as a fraction.

    Example:
        >>> printed = Printed(text="79.9", value=Decimal("79.9"), decimals=1)
        >>> is_printed_as(printed, Decimal("0.7993"))
        True
    """
    return any(
        abs(printed.value - value.scaleb(shift)) <= printed.half_unit for shift in (0, 2, -2)
    )
