"""Passes over the data within an epoch, as a program counts their batches.

The numbers of a batch of an evaluation are no evaluation: its result is what is said behind the
pass, or the mean over all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from reportgen.read.logs._said import Said
from reportgen.read.logs._words import is_measure, split_in

Cells = Mapping[str, float]
Part = tuple[float, float]


@dataclass(slots=True)
class Passes:
    """What was told of passes beside the row of the clock that is open.

    Attributes:
        trained: How far the pass of training has come, where a split's name counts its batches.
        split: Of the evaluation whose batches are counted.
        batch: The numbers of its last batch that was told.
        is_whole: Whether that was the last batch of all.
        bar: How far the bar of this row has come, and whether it stated another split as well.
        behind: Numbers of a bar that came behind the one of the row.
        lost: Splits of evaluations without a result, to how many.
        between: How many evaluations without a name lie between epochs.
    """

    trained: Part | None = None
    split: str = ""
    batch: dict[str, float] = field(default_factory=dict)
    is_whole: bool = False
    bar: tuple[float, float, bool] | None = None
    behind: dict[str, float] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    between: int = 0

    def take(self, said: Said, cells: Cells, row: Mapping[str, object]) -> Cells:
        """Return which numbers of a line belong to the open row, under their tags."""
        if said.evaluates and said.part != self.trained:
            if said.split != self.split:
                self.batch.clear()
            self.split = said.split
            self.batch |= {**cells, **said.means}
            self.is_whole = bool(said.part and said.part[0] + 1 >= said.part[1])
            return {}
        if said.part and said.split:
            self.trained = said.part
        if self.batch and not said.clock:
            return self._summed_up(said, cells)
        if said.part and not said.split and self._is_behind(said.part, cells, row):
            self.behind = {**cells}
            return {}
        return cells

    def _summed_up(self, said: Said, cells: Cells) -> Cells:
        """Return the numbers of a line behind batches, which are those of their evaluation."""
        named = {tag: tag if split_in(tag) else f"{self.split}/{tag}" for tag in cells}
        if said.split or self.batch.keys().isdisjoint(named.values()):
            return cells
        self.batch.clear()
        return {named[tag]: value for tag, value in cells.items()}

    def _is_behind(self, part: Part, cells: Cells, row: Mapping[str, object]) -> bool:
        """Tell whether a bar is another one than that of the row, and measures the same."""
        also = any(map(split_in, cells))
        done, total = part
        if self.bar is None or row.keys().isdisjoint(cells):
            self.bar = done, total, also
            return False
        before, whole, had_also = self.bar
        if total != whole or done < before or (had_also and not also and before == whole):
            return True
        self.bar = done, total, also or had_also
        return False

    def ended(self, row: Mapping[str, object]) -> Cells:
        """Return what the evaluation of a row that ends came to, where nothing else says it."""
        batch, self.batch, self.bar = self.batch, {}, None
        named = [tag for tag in row if tag.partition("/")[0].partition("_")[0] == self.split]
        if not batch or any(map(is_measure, named)):
            return {}
        if not self.is_whole:
            self.lost[self.split] = self.lost.get(self.split, 0) + 1
            return {}
        return batch

    def measured(self, *, goes_on: bool) -> Cells:
        """Return what was measured behind the last epoch; of what lies between two, nothing."""
        behind, self.behind = self.behind, {}
        self.between += goes_on and bool(behind)
        return {} if goes_on else {tag: one for tag, one in behind.items() if is_measure(tag)}

    def left_out(self) -> Iterator[str]:
        """Yield what is not read, in words."""
        for split, count in self.lost.items():
            yield (
                f"{split}: of {count} evaluations only batches were logged, and none to the end: "
                "left out"
            )
        if self.between:
            yield f"{self.between} evaluations between epochs name no split: left out"
