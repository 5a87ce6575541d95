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


def test_own_logs_are_read(home):
    gathered, problems = read_for(eve(home))
    assert runs_of(gathered) == 1
    assert not problems


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


def test_a_study_that_stays_inside_is_used(home):
    (home / "study.toml").write_text('[runs]\npath = "logs"\n', encoding="utf-8")
    gathered, problems = read_for(eve(home))
    assert gathered.facts is not None
    assert gathered.facts.study.path == "study.toml"
    assert not problems


def test_a_study_that_is_a_link_to_elsewhere_is_left_out(home):
    (home.parent.parent / "study.toml").write_text('[runs]\npath = "logs"\n', encoding="utf-8")
    (home / "study.toml").symlink_to(home.parent.parent / "study.toml")
    gathered, problems = read_for(eve(home))
    assert runs_of(gathered) == 1
    assert "leads out of the submission" in problems[0].message


@pytest.mark.parametrize("name", ["metrics.csv", "config.json", "sub/metrics.csv"])
def test_own_logs_with_a_link_to_elsewhere_are_left_out(home, name):
    (home / "logs" / "metrics.csv").unlink()
    (home / "logs" / "sub").mkdir()
    outside = home.parent.parent / ("config.json" if "json" in name else "logs/metrics.csv")
    (home / "logs" / name).symlink_to(outside)
    gathered, problems = read_for(eve(home))
    assert gathered.facts is None
    assert "leads out of the submission" in problems[0].message


def test_links_inside_a_submission_are_followed(home):
    (home / "data").mkdir()
    (home / "logs" / "metrics.csv").rename(home / "data" / "metrics.csv")
    (home / "logs" / "metrics.csv").symlink_to(home / "data" / "metrics.csv")
    gathered, problems = read_for(eve(home))
    assert runs_of(gathered) == 1
    assert not problems


def test_own_logs_that_hold_nothing_are_a_problem_and_no_end(home):
    (home / "logs" / "metrics.csv").write_text("nothing", encoding="utf-8")
    gathered, problems = read_for(eve(home))
    assert gathered.facts is None
    assert "no training logs" in problems[0].message


def test_what_is_named_may_lie_anywhere_and_must_hold_something(home):
    shared = str(home.parent.parent / "logs")
    (home / "study.toml").write_text('[runs]\npath = "../../logs"\n', encoding="utf-8")
    gathered, problems = read_for(eve(home, runs=shared))
    assert runs_of(gathered) == 1
    assert not problems
    (home.parent.parent / "empty").mkdir()
    with pytest.raises(EvidenceError, match="no training logs"):
        read_for(eve(home, runs=str(home.parent.parent / "empty")))


def test_named_logs_that_lie_in_a_submission_may_not_lead_out_of_it(home):
    (home / "tb").symlink_to(home.parent.parent / "logs")
    with pytest.raises(EvidenceError, match="leads out of the submission"):
        read_for(eve(home, runs=str(home.parent / "{name}" / "tb")))


RESULTS = '{"test_f1": 0.84}'


def write(folder: Path, **files: str) -> None:
    """Write files; two underscores stand for a folder, the last one for a dot."""
    for name, text in files.items():
        stem, _, ending = name.replace("__", "/").rpartition("_")
        path = folder / f"{stem}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def used(submission: Submission) -> list[str]:
    return [path for _, path, _ in evidence_for(submission)[0].files]


def alone(report: Path, **given: str) -> Submission:
    [found] = find_submissions([report], NONE | given)
    return found


@pytest.mark.parametrize("choose", ["the file", "the folder", "a class"])
def test_what_lies_beside_a_report_is_its_evidence_and_is_said(tmp_path, choose):
    home = tmp_path / "class" / "ann"
    write(home, report_md="-", results__f1_json=RESULTS, data__f1_json=RESULTS)
    write(home, metrics_csv=METRICS, checkpoints__config_json='{"vocab_size": 9}')
    whole = {"the file": home / "report.md", "the folder": home, "a class": home.parent}[choose]
    submission = alone(whole)
    evidence, problems = evidence_for(submission)
    assert len(evidence.facts.runs) == 1
    assert [path for _, path, _ in evidence.files] == [
        "checkpoints/config.json", "metrics.csv", "results/f1.json",
    ]  # fmt: skip
    assert "no evidence was named" in problems[-1].message


@pytest.mark.parametrize("named", ["runs", "study"])
def test_what_lies_beside_a_report_is_none_where_evidence_was_named(tmp_path, named):
    write(tmp_path, lab__report_md="-", lab__metrics_json=RESULTS, logs__metrics_csv=METRICS)
    write(tmp_path, study_toml='[runs]\npath = "logs"\n')
    path = tmp_path / {"runs": "logs", "study": "study.toml"}[named]
    assert used(alone(tmp_path / "lab" / "report.md", **{named: str(path)})) == ["metrics.csv"]


def test_beside_a_file_that_is_named_alone_only_logs_results_and_settings_count(tmp_path):
    write(tmp_path, report_md="-", grades_csv="name,points\nann,5\n", notes_txt="epoch 1 loss 2")
    write(tmp_path, val_metrics_json=RESULTS, other__metrics_json=RESULTS)
    assert used(alone(tmp_path / "report.md")) == ["val_metrics.json"]


@pytest.mark.parametrize("other", ["bob.md", "bob.pdf"])
def test_a_submission_never_sees_what_may_be_another_s(tmp_path, other):
    write(tmp_path, ann_md="-", metrics_json=RESULTS)
    (tmp_path / other).write_text("-", encoding="utf-8")
    assert used(alone(tmp_path / "ann.md")) == []
    for submission in find_submissions([tmp_path], NONE):
        assert used(submission) == []


def test_of_a_class_each_sees_its_own(tmp_path):
    write(tmp_path, ann__report_md="-", ann__f1_json=RESULTS, bob__report_md="-", f1_json=RESULTS)
    found = {one.name: used(one) for one in find_submissions([tmp_path], NONE)}
    assert found == {"ann": ["f1.json"], "bob": []}
    ann = next(one for one in find_submissions([tmp_path], NONE) if one.name == "ann")
    assert [one.value for one in evidence_for(ann)[0].stored] == [0.84]


def test_a_report_and_what_it_was_made_from_are_no_evidence(tmp_path):
    lines = "".join(f"epoch {n}: val_loss 0.{n}\n" for n in range(1, 5))
    write(tmp_path, report_txt=lines, metrics_csv=METRICS)
    assert used(alone(tmp_path / "report.txt")) == ["metrics.csv"]
    assert used(alone(tmp_path)) == ["metrics.csv"]
    assert used(alone(tmp_path / "report.txt", runs=str(tmp_path))) == ["metrics.csv"]


def test_a_report_in_a_folder_of_its_submission_has_that_folder_too(tmp_path):
    write(tmp_path, ann__paper__main_md="-", ann__paper__f1_json=RESULTS, ann__code__f1_json="{}")
    assert used(alone(tmp_path)) == ["paper/f1.json"]


def test_own_logs_and_a_study_stay_and_values_come_with_them(home):
    write(home, summary_json=RESULTS)
    assert used(eve(home)) == ["logs/metrics.csv", "summary.json"]
    write(home, study_toml='[runs]\npath = "logs"\n')
    assert used(eve(home)) == ["metrics.csv", "summary.json"]


def test_values_that_are_links_to_elsewhere_are_left_out(home):
    (home / "metrics.json").symlink_to(home.parent.parent / "config.json")
    evidence, problems = read_for(eve(home))
    assert not evidence.stored
    assert len(evidence.facts.runs) == 1
    assert any("leads out of the submission" in problem.message for problem in problems)


def test_logs_that_changed_since_are_read_again(home):
    report, logs = home / "report.md", home.parents[1] / "logs" / "metrics.csv"
    report.write_text("The validation accuracy at step 2 is 62.0 %.\n", encoding="utf-8")
    for values, outcome in ((METRICS, "traced"), (METRICS.replace("0.62", "0.6417"), "untraced")):
        logs.write_text(values, encoding="utf-8")
        (checked,) = check(report, runs=logs.parent)
        assert {one.outcome for one in checked.review.verdicts} == {outcome}


def test_nothing_beside_a_report_is_no_error(tmp_path):
    write(tmp_path, report_md="-", truth_json=RESULTS)
    evidence, problems = evidence_for(alone(tmp_path / "report.md"))
    assert (evidence.facts, evidence.stored, problems) == (None, (), ())


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
