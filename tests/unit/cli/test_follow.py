"""Rounds of a report that follows a training, as lines for people."""

from __future__ import annotations

import pytest

from reportgen.api.building import BuildOutcome
from reportgen.api.rounds import BUILDING, CURRENT, FAILED, Round
from reportgen.cli._follow import Teller
from reportgen.cli._talk import Progress
from reportgen.errors import EvidenceError

OUTCOME = BuildOutcome(
    files=(), written=(), unchanged=True, warnings=(), decisions=(), engine="", exit_code=0
)


@pytest.mark.parametrize("quiet", [False, True])
def test_that_a_fault_is_gone_is_told_once_also_where_nothing_is_written(capsys, quiet):
    tell = Teller(as_json=False, quiet=quiet, progress=Progress(shown=False))
    tell(Round(state=CURRENT, outcome=OUTCOME))
    lost = Round(state=FAILED, fault=EvidenceError("no training logs under logs"))
    for round_ in (lost, lost, Round(state=BUILDING)):
        tell(round_)
    assert "the fault is gone" not in capsys.readouterr().out
    for _ in range(2):
        tell(Round(state=CURRENT, outcome=OUTCOME))
    said = capsys.readouterr().out
    assert said.count("the fault is gone; the report is up to date") == (not quiet)
