"""What a submission brings with it is read where it stays in the submission, and else left out."""

from pathlib import Path

import pytest
from fakes.rows import rows_beside

from reportgen.app import build, check
from reportgen.app.submissions import Submission, evidence_for, find_submissions
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)

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


def read_for(submission: Submission):
    """Return the evidence, and the problems but for the note that nothing was named."""
    evidence, problems = evidence_for(submission)
    return evidence, tuple(one for one in problems if "no evidence was named" not in one.message)


def runs_of(gathered) -> int:
    return len(gathered.facts.runs.runs) if gathered.facts else 0


@pytest.mark.parametrize("row", ROWS["evidence"], ids=lambda row: row["it"])
def test_what_is_evidence(tmp_path, row):
    for name, text in row["files"].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, target in row.get("links", {}).items():
        (tmp_path / name).symlink_to(target)
    given = {name: str(tmp_path / path) for name, path in row.get("given", {}).items()}
    found = {one.name: one for one in find_submissions([tmp_path / row["asked"]], NONE | given)}
    for name, wanted in row["of"].items():
        if "error" in wanted:
            with pytest.raises(EvidenceError, match=wanted["error"]):
                evidence_for(found[name])
            continue
        evidence, problems = evidence_for(found[name])
        assert [path for _, path, _ in evidence.files] == wanted["used"]
        told = [one.message for one in problems]
        named = [message for message in told if "no evidence was named" in message]
        assert bool(named) is wanted.get("unnamed", bool(wanted["used"]) and not given)
        for part in wanted.get("told", ()):
            assert any(part in message for message in told), told
        assert bool(wanted.get("told")) is (len(told) > len(named)), told
        assert "study" not in wanted or evidence.facts.study.path == wanted["study"]


@pytest.mark.parametrize("study", ROWS["a_study_that_leads_out_is_left_out_and_the_logs_are_read"])
def test_a_study_that_leads_out_is_left_out_and_the_logs_are_read(home, study):
    root = str(home.parent.parent)
    (home / "study.toml").write_text(study.replace("{root}", root), encoding="utf-8")
    (home / "out").symlink_to(home.parent.parent / "logs")
    gathered, problems = read_for(eve(home))
    assert runs_of(gathered) == 1
    assert [problem.level for problem in problems] == ["warning"]
    assert "study.toml" in problems[0].path
    assert "left out" in problems[0].message


@pytest.mark.parametrize(
    "study", ["a = " + "[" * 5_000, "a = " + "9" * 5_000, "x", "\0", "[model]"]
)
def test_a_study_that_means_nothing_costs_no_report_its_check(home, study):
    (home / "study.toml").write_text(study, encoding="utf-8")
    gathered, problems = read_for(eve(home))
    assert runs_of(gathered) == 1
    assert len(problems) == (study != "[model]")


def test_logs_that_changed_since_are_read_again(home):
    report, logs = home / "report.md", home.parents[1] / "logs" / "metrics.csv"
    report.write_text("The validation accuracy at step 2 is 62.0 %.\n", encoding="utf-8")
    for values, outcome in ((METRICS, "traced"), (METRICS.replace("0.62", "0.6417"), "untraced")):
        logs.write_text(values, encoding="utf-8")
        (checked,) = check(report, runs=logs.parent)
        assert {one.outcome for one in checked.review.verdicts} == {outcome}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report.tex", "report.html", "report.md"])
def test_a_report_of_one_run_is_known_though_its_folder_is_no_evidence(name, tmp_path):
    runs = tmp_path / "my-run"
    runs.mkdir()
    rows = [
        f"{step},{0.9 / step:.4f},{1 / step:.4f},{0.5 + 0.05 * step:.4f}" for step in range(1, 7)
    ]
    table = "\n".join(["step,loss,val_loss,val_accuracy", *rows, ""])
    (runs / "metrics.csv").write_text(table, encoding="utf-8")
    build(runs=runs, out=tmp_path / name)
    [checked] = check(tmp_path / name, runs=runs)
    claims = [one for one in checked.review.verdicts if one.outcome != "no_claim"]
    traced = [one for one in claims if one.outcome == "traced"]
    assert checked.level == "none"
    assert len(claims) > 10
    assert len(traced) >= 0.96 * len(claims), [o.quote for o in claims if o.outcome == "untraced"]
