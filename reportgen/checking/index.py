"""Where a number stands in the evidence: every value and aggregate, sorted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from reportgen.checking.kept import Kept
from reportgen.checking.verdicts import SCALES, Form, ends_of
from reportgen.records.record import field, record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reportgen.checking.catalogue import Catalogue, Curve, Family

__all__ = ["Index", "Owner", "make_index"]

_MOST_GROUPS = 40
_MOST_OWNERS = 4000
_LONG = 2000
"""A curve of more values is sorted by itself, and its means over runs at each step are not."""
_MOST_KNOWN = 20_000

Owner = tuple[str, int]
"""Key of a family, and the index of a run; -1 where a value is an aggregate over runs."""


@record(eq=False)
class Index:
    """Sorted values with their owners.

    Attributes:
        values: Of short curves and of aggregates, ascending.
        places: Of each of them: the position of its owner.
        long: Position of an owner to the values of its long curve, ascending.
        owners: Family and run.
        positions: Position of each owner.
        families: Of each owner, its family.
    """

    values: NDArray[np.float64]
    places: NDArray[np.int32]
    long: Mapping[int, NDArray[np.float64]]
    owners: tuple[Owner, ...]
    positions: Mapping[Owner, int]
    families: tuple[str, ...]
    sets: Kept[object, frozenset[int]] = field(default_factory=lambda: Kept(_MOST_KNOWN))
    of_owners: Kept[frozenset[int], frozenset[str]] = field(
        default_factory=lambda: Kept(_MOST_KNOWN)
    )
    having: Kept[Form, frozenset[str]] = field(default_factory=lambda: Kept(_MOST_KNOWN))
    known: dict[Form, Mapping[float, frozenset[int]]] = field(default_factory=dict, repr=False)

    def owners_of(self, form: Form) -> Mapping[float, frozenset[int]]:
        """Return for each unit the positions of the owners that have a number."""
        found = self.known.get(form)
        if found is None:
            self.learn([form])
            found = self.known[form]
        return found

    def families_having(self, form: Form) -> frozenset[str]:
        """Return the families that have a number, in whatever unit."""
        each = map(self.families_of, self.owners_of(form).values())
        return self.having.made(form, lambda: frozenset[str]().union(*each))

    def families_of(self, owners: frozenset[int]) -> frozenset[str]:
        """Return the families of some owners."""
        return self.of_owners.made(owners, lambda: frozenset(self.families[at] for at in owners))

    def places_of(self, family: Family, runs: tuple[int, ...]) -> frozenset[int]:
        """Return the positions of some runs of a family."""
        there = (self.positions.get((family.key, run)) for run in runs)
        return self.sets.made(
            (family.key, runs), lambda: frozenset(one for one in there if one is not None)
        )

    def learn(self, forms: list[Form]) -> None:
        """Look up many numbers together."""
        if len(self.known) > _MOST_KNOWN:
            self.known.clear()
        new = [one for one in dict.fromkeys(forms) if one not in self.known]
        if not new:
            return
        ends = np.array([ends_of(form, scale) for form in new for scale in SCALES])
        low = self.values.searchsorted(ends[:, 0], side="left")
        high = self.values.searchsorted(ends[:, 1], side="right")
        found: list[set[int]] = [
            set(np.unique(self.places[a:b]).tolist()) if b > a else set()
            for a, b in zip(low.tolist(), high.tolist(), strict=True)
        ]
        for place, values in self.long.items():
            at = values.searchsorted(ends[:, 0], side="left")
            there = values[np.minimum(at, len(values) - 1)] <= ends[:, 1]
            for one in np.flatnonzero(there & (at < len(values))).tolist():
                found[one].add(place)
        each = iter(found)
        for form in new:
            owners = zip(SCALES, each, strict=False)
            self.known[form] = {
                scale: frozenset(sorted(there)[:_MOST_OWNERS]) for scale, there in owners if there
            }


def make_index(catalogue: Catalogue) -> Index:
    """Return the index of a catalogue."""
    owners: list[Owner] = []
    arrays: list[NDArray[np.float64]] = []
    long: dict[int, NDArray[np.float64]] = {}
    for family in catalogue.families.values():
        for run, curve in family.curves.items():
            if len(curve.values) > _LONG:
                long[len(owners)] = np.sort(curve.values)
            owners.append((family.key, run))
            arrays.append(curve.values[: 0 if len(curve.values) > _LONG else None])
        summed = list(_aggregates(catalogue, family))
        if summed:
            owners.append((family.key, -1))
            arrays.append(np.concatenate(summed))
    values = np.concatenate(arrays) if arrays else np.zeros(0)
    places = np.repeat(np.arange(len(arrays), dtype=np.int32), [len(one) for one in arrays])
    order = np.argsort(values, kind="stable")
    return Index(
        values=values[order],
        places=places[order],
        long=long,
        owners=tuple(owners),
        positions={owner: place for place, owner in enumerate(owners)},
        families=tuple(key for key, _ in owners),
    )


def _aggregates(catalogue: Catalogue, family: Family) -> Iterator[NDArray[np.float64]]:
    """Yield means and deviations over the runs of each group, and over all runs."""
    sets = [runs for runs in catalogue.groups.values() if len(runs) > 1][:_MOST_GROUPS]
    if len(catalogue.runs) > 1:
        sets.append(tuple(range(len(catalogue.runs))))
    for runs in dict.fromkeys(sets):
        curves = [family.curves[run] for run in runs if run in family.curves]
        if len(curves) < 2:
            continue
        table = np.concatenate([_moments(curves), _steps(curves)], axis=1)
        yield table.mean(axis=0)
        yield np.median(table, axis=0)
        spread = table.std(axis=0)
        yield spread
        yield spread * np.sqrt(len(curves) / (len(curves) - 1))


def _moments(curves: list[Curve]) -> NDArray[np.float64]:
    """Return last, highest, lowest and first value of each curve."""
    return np.array(
        [[c.values[-1], c.values[c.highest], c.values[c.lowest], c.values[0]] for c in curves]
    )


def _steps(curves: list[Curve]) -> NDArray[np.float64]:
    """Return the values of each curve as far as the shortest goes; none of long ones."""
    shortest = min(len(curve.values) for curve in curves)
    if shortest > _LONG:
        shortest = 0
    return np.stack([curve.values[:shortest] for curve in curves])
