"""Seeds as configurations state them."""

import pytest
from fakes.rows import rows_beside

from reportgen.runs import seed_in

ROWS = rows_beside(__file__)


@pytest.mark.parametrize(
    ("config", "seed"), ROWS["a_seed_is_a_whole_number_that_programs_take"], ids=str
)
def test_a_seed_is_a_whole_number_that_programs_take(config, seed):
    assert seed_in(config) == seed
