"""Settings and counts of reports, a row of `settings.yaml` or `counts.yaml` each."""

from pathlib import Path

import pytest
from fakes.rows import rows_of

HERE = Path(__file__).resolve().parent
ROWS = [row for name in ("settings.yaml", "counts.yaml") for row in rows_of(HERE / name)]


@pytest.mark.parametrize("row", ROWS, ids=[row["what"] for row in ROWS])
def test_what_is_said_of_each_number(row, said):
    assert said(row) == row["said"]


@pytest.mark.parametrize("row", ROWS, ids=[row["what"] for row in ROWS])
def test_nothing_is_traced_or_held_against_nothing(row, said):
    without = said({**row, "evidence": {}})
    assert [one for one in without if ": error" in one or ": traced" in one] == []
