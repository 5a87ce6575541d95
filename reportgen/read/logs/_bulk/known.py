"""What has been learnt of records: where values lie, and which key means which tag."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportgen.read.logs._bulk.spots import Spot

Keys = NDArray[np.uint64]
Columns = NDArray[np.int64]

SPOTS = 64
"""Spots that are told apart; records whose values lie elsewhere are read one by one."""

KEYS = 1 << 16
"""Keys that are told apart."""

LARGEST = 16
"""A table has at most two to the power of this many places."""

NOBODY = -1
"""The column of a key that has not been learnt."""

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number without pattern (2 ** 64 divided by the golden ratio)."""


class Known:
    """Keys with the columns that their records' points belong to.

    The keys lie in a table by their upper bits once multiplied, and the table is made as large as
    it takes that no two of them fall on one place: a look-up is one multiplication and one
    comparison for all records. Where there are so many keys that it would be too large, they are
    sorted and searched.

    Attributes:
        spots: Where values lie, in the order in which that was learnt.
        tags: Tags of the keys; that of a column is at half its number.
    """

    def __init__(self) -> None:
        self.spots: list[Spot] = []
        self.tags: list[str] = []
        self._numbers: dict[str, int] = {}
        self._learnt: dict[int, int] = {}
        self._is_arranged = True
        self._shift = 63
        self._keys: Keys = np.zeros(2, dtype=np.uint64)
        self._columns: Columns = np.full(2, NOBODY)

    def has(self, tag: str) -> bool:
        """Tell whether a tag has columns."""
        return tag in self._numbers

    def column(self, tag: str, *, is_wide: bool) -> int:
        """Return the column of a tag's values of one width; a new tag gets the next two."""
        found = self._numbers.get(tag)
        if found is None:
            found = self._numbers[tag] = len(self.tags)
            self.tags.append(tag)
        return 2 * found + is_wide

    def number_of(self, spot: Spot) -> int | None:
        """Return the number of a spot; a new one gets the next, None where there are too many."""
        if spot not in self.spots:
            if len(self.spots) == SPOTS:
                return None
            self.spots.append(spot)
        return self.spots.index(spot)

    @property
    def is_full(self) -> bool:
        """Whether no more keys can be learnt."""
        return len(self._learnt) >= KEYS or len(self.tags) >= KEYS

    def learn(self, key: int, column: int) -> None:
        """Remember what the records of a key are; no key is zero."""
        self._learnt[key] = column
        self._is_arranged = False

    def find(self, keys: Keys) -> Columns:
        """Return the column of each key, or `NOBODY`."""
        if not self._is_arranged:
            self._arrange()
        if self._shift:
            places = keys * _SPREAD
            places >>= np.uint64(self._shift)
        else:
            places = np.minimum(self._keys.searchsorted(keys), len(self._keys) - 1)
        found: Columns = self._columns[places]
        found[self._keys[places] != keys] = NOBODY
        return found

    def _arrange(self) -> None:
        """Make the table so large that every key has a place of its own; or sort the keys."""
        self._is_arranged = True
        keys = np.array(list(self._learnt), dtype=np.uint64)
        columns = np.array(list(self._learnt.values()), dtype=np.int64)
        for shift in range(self._shift or 63 - LARGEST, 63 - LARGEST, -1):
            self._shift = shift
            places = (keys * _SPREAD) >> np.uint64(self._shift)
            if len(set(places.tolist())) == len(keys):
                self._keys = np.zeros(1 << (64 - self._shift), dtype=np.uint64)
                self._columns = np.full(len(self._keys), NOBODY)
                self._keys[places], self._columns[places] = keys, columns
                return
        self._shift = 0
        order = np.argsort(keys)
        self._keys, self._columns = keys[order], columns[order]
