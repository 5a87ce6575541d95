"""Tables whose groups have names of settings with a number of their own: `lr5`, `rank8`."""

from __future__ import annotations

import pytest
from fakes.judged import accusing, findings_of

from reportgen.api.evidence import EvidencePaths

TABLE = """
| Group | Seed | Best step | Test accuracy, % |
|---|---|---|---|
| {0}5 | 0 | 5 | 63.33 |
| | 1 | 5 | 61.95 |
| | 2 | 5 | 62.30 |
| Mean ± std | | | {1} ± 0.717 |
| {0}6 | 0 | 5 | 62.01 |
| | 1 | 5 | 62.39 |
"""


@pytest.mark.parametrize("name", ["lr", "rank", "epoch", "net"])
@pytest.mark.parametrize(("mean", "accused"), [("62.527", False), ("64.527", True)])
def test_all_rows_of_a_group_count_in_its_mean(name, mean, accused, tmp_path):
    found = findings_of(TABLE.format(name, mean), tmp_path / "report.md", EvidencePaths())
    assert bool(accusing(found)) is accused
