"""Rounds of a report that follows a training, as lines for people."""

import pytest

from reportgen.app.building import BuildOutcome
from reportgen.app.following import BUILDING, CURRENT, FAILED, Round
from reportgen.cli.build import Teller, awaited
from reportgen.cli.talk import Progress
from reportgen.records.errors import EvidenceError

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


def test_where_nothing_is_written_nothing_is_said_of_files(capsys):
    for writes, said in ((True, "nothing new to write in"), (False, "the page is up to date in")):
        tell = Teller(as_json=False, quiet=False, progress=Progress(shown=False), writes=writes)
        tell(Round(state=CURRENT, outcome=OUTCOME))
        assert said in capsys.readouterr().out


def test_a_folder_that_is_not_there_yet_is_waited_for_and_a_near_name_told(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "data").mkdir()
    meant = f"did you mean {str(tmp_path / 'logs')!r}?"
    assert awaited(tmp_path / "lgos").endswith(f"begins when it is made; {meant}")
    assert awaited(tmp_path / "new-training").endswith("the report begins when it is made")


def test_without_the_folder_above_nothing_is_waited_for(tmp_path):
    with pytest.raises(EvidenceError, match=r"neither .* nor the folder"):
        awaited(tmp_path / "no" / "logs")


def test_what_is_there_or_far_away_is_not_spoken_of(tmp_path):
    assert [awaited(runs) for runs in (tmp_path, "s3://bucket/logs", None)] == [""] * 3
