"""Seeds as configurations state them."""

import pytest

from reportgen.runs import seed_in


@pytest.mark.parametrize(
    ("config", "seed"),
    [
        ({"seed": 3}, 3),
        ({"seed": 3.0}, 3),
        ({"seed": "3"}, 3),
        ({"seed": True}, None),
        ({"seed": -1}, None),
        ({"seed": 2**32}, None),
        ({"seed": "random"}, None),
        ({"data_seed": 3}, None),
        ({"trainer.seed": 3}, 3),
        ({"model": {"seed": 3}, "data": {"seed": 4}}, 3),
        ({"model": {"seed": 3}, "optim": {"seed": 4}}, None),
        ({"seed": 1, "model": {"seed": 3}}, 1),
    ],
    ids=str,
)
def test_a_seed_is_a_whole_number_that_programs_take(config, seed):
    assert seed_in(config) == seed
