"""Keys found again, few and many."""

import numpy as np
import pytest

from reportgen.read.logs._bulk.known import NOBODY, SPOTS, Known
from reportgen.read.logs._bulk.spots import Spot


@pytest.mark.parametrize("count", [0, 1, 2, 60, 500, 5000])
def test_every_key_has_its_column_and_others_have_none(count):
    rng = np.random.default_rng(count)
    keys = np.unique(rng.integers(1, 2**63, 2 * count + 9, dtype=np.uint64))
    rng.shuffle(keys)
    known = Known()
    for column, key in enumerate(keys[:count].tolist()):
        known.learn(key, column)
    assert known.find(keys[:count]).tolist() == list(range(count))
    assert (known.find(keys[count:]) == NOBODY).all()
    assert known.find(np.zeros(1, dtype=np.uint64)).tolist() == [NOBODY]


def test_a_spot_keeps_its_number_and_there_are_only_so_many():
    known = Known()
    spots = [Spot(n, 4, "<f") for n in range(4, 4 + SPOTS)]
    assert [known.number_of(spot) for spot in spots] == list(range(SPOTS))
    assert known.number_of(spots[3]) == 3
    assert known.number_of(Spot(999, 4, "<f")) is None
