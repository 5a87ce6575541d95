"""Which printed numbers are meant by what somebody asks for."""

import pytest
from fakes.rows import rows_beside

from reportgen.app.tracing import matching
from reportgen.languages import language_of

ROWS = rows_beside(__file__)

NUMBERS = (
    {"id": "a.mean", "printed": "126356792", "value": 126356792.0},
    {"id": "b.mean", "printed": "3.333×10⁻¹⁴", "value": 3.3333334e-14},
    {"id": "c.mean", "printed": "80.63", "value": 0.8063333},
)


@pytest.mark.parametrize(
    ("asked", "found"), ROWS["a_number_is_found_as_printed_or_at_the_digits_it_is_asked_with"]
)
def test_a_number_is_found_as_printed_or_at_the_digits_it_is_asked_with(asked, found):
    listed = matching(asked, NUMBERS, language_of("en"), ("en",))
    assert [number["id"] for number in listed] == found
