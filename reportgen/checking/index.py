"""Where a number stands in the evidence: every value and aggregate in one sorted array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from reportgen.checking.printed import SCALES, Form
from reportgen.records.record import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reportgen.checking.catalogue import Catalogue, Family

__all__ = ["Index", "Owner", "make_index"]

_MOST_GROUPS = 40
_MOST_OWNERS = 4000

Owner = tuple[str, int]
"""Key of a family, and the index of a run; -1 where a value is an aggregate over runs."""


@record(eq=False)
class Index:
    """Sorted values with their owners.

    Attributes:
        values: Ascending.
        places: Of each value: the position of its owner.
        owners: Family and run.
    """

    values: NDArray[np.float64]
    places: NDArray[np.int32]
    owners: tuple[Owner, ...]

    def owners_of(self, form: Form) -> dict[float, frozenset[int]]:
        """Return for each unit the positions of the owners that have a number."""
        found = {}
        for scale in SCALES:
            ends = sorted(((form.value - form.half) / scale, (form.value + form.half) / scale))
            if form.decimals > 0:
                # Cut off, the value lies up to a whole unit further from zero.
                far = 2 * form.half / scale
                ends = [ends[0] - far * (form.value < 0), ends[1] + far * (form.value >= 0)]
            slack = 1e-9 + 2e-7 * abs(form.value / scale)
            low = int(np.searchsorted(self.values, ends[0] - slack, side="left"))
            high = int(np.searchsorted(self.values, ends[1] + slack, side="right"))
            if high > low:
                places = self.places[low:high]
                found[scale] = frozenset(np.unique(places)[:_MOST_OWNERS].tolist())
        return found


def make_index(catalogue: Catalogue) -> Index:
    """Return the index of a catalogue."""
    owners: list[Owner] = []
    arrays: list[NDArray[np.float64]] = []
    for family in catalogue.families.values():
        for run, curve in family.curves.items():
            owners.append((family.key, run))
            arrays.append(curve.values)
        summed = list(_aggregates(catalogue, family))
        if summed:
            owners.append((family.key, -1))
            arrays.append(np.concatenate(summed))
    if not arrays:
        return Index(values=np.zeros(0), places=np.zeros(0, dtype=np.int32), owners=())
    values = np.concatenate(arrays)
    places = np.repeat(np.arange(len(arrays), dtype=np.int32), [len(one) for one in arrays])
    order = np.argsort(values, kind="stable")
    return Index(values=values[order], places=places[order], owners=tuple(owners))


def _aggregates(catalogue: Catalogue, family: Family) -> Iterator[NDArray[np.float64]]:
    """Yield means and deviations over the runs of each group, and over all runs."""
    sets = [runs for runs in catalogue.groups.values() if len(runs) > 1][:_MOST_GROUPS]
    if len(catalogue.runs) > 1:
        sets.append(tuple(range(len(catalogue.runs))))
    for runs in dict.fromkeys(sets):
        curves = [family.curves[run] for run in runs if run in family.curves]
        if len(curves) < 2:
            continue
        columns = [
            np.array([[c.values[-1], c.values.max(), c.values.min(), c.values[0]] for c in curves])
        ]
        shortest = min(len(curve.values) for curve in curves)
        same = all(
            len(curve.values) == shortest and (curve.steps == curves[0].steps).all()
            for curve in curves
        )
        if same:
            columns.append(np.stack([curve.values for curve in curves]))
        else:
            columns.append(np.stack([curve.values[:shortest] for curve in curves]))
        table = np.concatenate(columns, axis=1)
        yield table.mean(axis=0)
        yield np.median(table, axis=0)
        spread = table.std(axis=0)
        yield spread
        yield spread * np.sqrt(len(curves) / (len(curves) - 1))
