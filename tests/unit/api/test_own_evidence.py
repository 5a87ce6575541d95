"""What a submission brings with it is read where it stays in the submission, and else left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportgen.api.own_evidence import gather_for
from reportgen.api.submissions import Submission, find_submissions
from reportgen.errors import EvidenceError

NONE: dict[str, str | None] = dict.fromkeys(("runs", "study", "checkpoint", "adapter", "base"))
METRICS = "step,accuracy,val_accuracy\n1,0.71,0.61\n2,0.72,0.62\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A submission in a class, with logs outside it and inside."""
    for folder in (tmp_path / "logs", tmp_path / "class" / "eve" / "logs"):
        folder.mkdir(parents=True)
        (folder / "metrics.csv").write_text(METRICS, encoding="utf-8")
    (tmp_path / "config.json").write_text('{"secret": 42}', encoding="utf-8")
    for name in ("ada", "eve"):
        (tmp_path / "class" / name).mkdir(exist_ok=True)
        (tmp_path / "class" / name / "report.md").write_text("80 %", encoding="utf-8")
    return tmp_path / "class" / "eve"


def eve(home: Path, **given: str) -> Submission:
    found = find_submissions([home.parent], NONE | given)
    return next(one for one in found if one.name == "eve")


def runs_of(gathered) -> int:
    return len(gathered.facts.runs.runs) if gathered.facts else 0


def test_own_logs_are_read(home):
    gathered, problems = gather_for(eve(home))
    assert runs_of(gathered) == 1
    assert not problems


@pytest.mark.parametrize(
    "study",
    [
        '[runs]\npath = "../../logs"\n',
        '[runs]\npath = "{root}/logs"\n',
        '[runs]\npath = "logs"\n[model]\nconfig = "../../config.json"\n',
        '[runs]\npath = "logs"\n[model]\ncheckpoint = "{root}/config.json"\n',
        '[runs]\npath = "logs"\n[[adapter]]\nconfig = "../../config.json"\n',
        '[runs]\npath = "logs"\n[[adapter]]\nconfig = "logs"\nbase = "../../config.json"\n',
        '[runs]\npath = "logs"\n[train]\nreruns = "../../logs"\n',
        '[runs]\npath = "out"\n',
        '[runs]\npath = "\\u0000"\n',
    ],
)
def test_a_study_that_leads_out_is_left_out_and_the_logs_are_read(home, study):
    root = str(home.parent.parent)
    (home / "study.toml").write_text(study.replace("{root}", root), encoding="utf-8")
    (home / "out").symlink_to(home.parent.parent / "logs")
    gathered, problems = gather_for(eve(home))
    assert runs_of(gathered) == 1
    assert [problem.level for problem in problems] == ["warning"]
    assert "study.toml" in problems[0].path
    assert "left out" in problems[0].message


@pytest.mark.parametrize(
    "study", ["a = " + "[" * 5_000, "a = " + "9" * 5_000, "x", "\0", "[model]"]
)
def test_a_study_that_means_nothing_costs_no_report_its_check(home, study):
    (home / "study.toml").write_text(study, encoding="utf-8")
    gathered, problems = gather_for(eve(home))
    assert runs_of(gathered) == 1
    assert len(problems) == (study != "[model]")


def test_a_study_that_stays_inside_is_used(home):
    (home / "study.toml").write_text('[runs]\npath = "logs"\n', encoding="utf-8")
    gathered, problems = gather_for(eve(home))
    assert gathered.facts is not None
    assert gathered.facts.study.path == "study.toml"
    assert not problems


def test_a_study_that_is_a_link_to_elsewhere_is_left_out(home):
    (home.parent.parent / "study.toml").write_text('[runs]\npath = "logs"\n', encoding="utf-8")
    (home / "study.toml").symlink_to(home.parent.parent / "study.toml")
    gathered, problems = gather_for(eve(home))
    assert runs_of(gathered) == 1
    assert "leads out of the submission" in problems[0].message


@pytest.mark.parametrize("name", ["metrics.csv", "config.json", "sub/metrics.csv"])
def test_own_logs_with_a_link_to_elsewhere_are_left_out(home, name):
    (home / "logs" / "metrics.csv").unlink()
    (home / "logs" / "sub").mkdir()
    outside = home.parent.parent / ("config.json" if "json" in name else "logs/metrics.csv")
    (home / "logs" / name).symlink_to(outside)
    gathered, problems = gather_for(eve(home))
    assert gathered.facts is None
    assert "leads out of the submission" in problems[0].message


def test_links_inside_a_submission_are_followed(home):
    (home / "data").mkdir()
    (home / "logs" / "metrics.csv").rename(home / "data" / "metrics.csv")
    (home / "logs" / "metrics.csv").symlink_to(home / "data" / "metrics.csv")
    gathered, problems = gather_for(eve(home))
    assert runs_of(gathered) == 1
    assert not problems


def test_own_logs_that_hold_nothing_are_a_problem_and_no_end(home):
    (home / "logs" / "metrics.csv").write_text("nothing", encoding="utf-8")
    gathered, problems = gather_for(eve(home))
    assert gathered.facts is None
    assert "no training logs" in problems[0].message


def test_what_is_named_may_lie_anywhere_and_must_hold_something(home):
    shared = str(home.parent.parent / "logs")
    (home / "study.toml").write_text('[runs]\npath = "../../logs"\n', encoding="utf-8")
    gathered, problems = gather_for(eve(home, runs=shared))
    assert runs_of(gathered) == 1
    assert not problems
    (home.parent.parent / "empty").mkdir()
    with pytest.raises(EvidenceError, match="no training logs"):
        gather_for(eve(home, runs=str(home.parent.parent / "empty")))


def test_named_logs_that_lie_in_a_submission_may_not_lead_out_of_it(home):
    (home / "tb").symlink_to(home.parent.parent / "logs")
    with pytest.raises(EvidenceError, match="leads out of the submission"):
        gather_for(eve(home, runs=str(home.parent / "{name}" / "tb")))
