"""What options of `build` choose, and what it says of the evidence."""

import json
from pathlib import Path

import pytest

from reportgen.app.building import CHOICES
from reportgen.cli import main
from reportgen.cli.build import FORMATS

INPUTS = Path(__file__).resolve().parents[3] / "inputs"
STUDY = str(INPUTS / "roberta-small-fr" / "study.toml")


def test_the_formats_that_are_offered_are_those_that_there_are():
    assert FORMATS == CHOICES


@pytest.mark.parametrize(("out", "formats"), [("x.html", "html,md"), ("x.pdf", "md"), ("x", "md")])
def test_a_list_that_chooses_is_taken(small_lab, tmp_path, out, formats):
    chosen = ["--out", str(tmp_path / out), "--format", formats, "-q"]
    assert main(["build", "--runs", str(small_lab), *chosen]) == 0


def test_a_list_that_is_given_twice_is_added_together(small_lab, tmp_path):
    chosen = ["--out", str(tmp_path / "x"), "--format", "md,json", "--format", "html,md", "-q"]
    assert main(["build", "--runs", str(small_lab), *chosen]) == 0
    reports = {path.name for path in (tmp_path / "x").glob("report.*")}
    assert reports == {"report.md", "report.json", "report.html"}


@pytest.fixture
def cut_log(tmp_path):
    """A log in CSV of which the last line was not written out."""
    rows = "".join(f"{step},0.5{step},0.4{step}\n" for step in range(1, 6))
    (tmp_path / "logs").mkdir()
    text = f"step,val_accuracy,test_accuracy\n{rows}6,0.5"
    (tmp_path / "logs" / "metrics.csv").write_text(text, encoding="utf-8")
    return tmp_path / "logs"


def test_that_a_last_line_is_cut_off_is_told_as_the_report_tells_it(capsys, cut_log, tmp_path):
    words = ["build", "--runs", str(cut_log), "--out", str(tmp_path / "x.md"), "--no-cache"]
    assert main(words) == 0
    said = "note: metrics.csv: the last line, 7, is cut off; normal while training still runs\n"
    assert said in capsys.readouterr().err
    assert "the last line, 7, is cut off" in (tmp_path / "x.md").read_text(encoding="utf-8")
    assert main([*words, "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_a_warning_of_all_the_evidence_has_no_place(capsys, cut_log, tmp_path):
    words = ["build", "--runs", str(cut_log), "--out", str(tmp_path / "x.md"), "--no-cache"]
    assert main([*words, "--direction", "lower"]) == 0
    assert "warning: metric.direction says lower, but" in capsys.readouterr().err


def test_that_the_test_split_chooses_is_warned_of(capsys, tmp_path):
    words = ["build", STUDY, "--out", str(tmp_path / "x.json"), "-q"]
    assert main([*words, "--select-on", "test"]) == 0
    assert "warning: the test split itself chooses each best step" in capsys.readouterr().err
    assert main(words) == 0
    assert "test split" not in capsys.readouterr().err


def test_the_question_how_runs_are_grouped_is_answered_by_an_option(tmp_path, capsys):
    for number in (1, 2, 3):
        place = tmp_path / "runs" / "net" / f"version_{number}"
        place.mkdir(parents=True)
        rows = "".join(f"{step},{step / 10 + number / 100}\n" for step in range(1, 9))
        (place / "metrics.csv").write_text(f"step,val/accuracy\n{rows}", encoding="utf-8")
    build = ["build", "--runs", str(tmp_path / "runs"), "--no-cache"]
    out = tmp_path / "report.json"

    def groups(*options):
        assert main([*build, "--out", str(out), *options]) == 0
        return [group["n"] for group in json.loads(out.read_bytes())["groups"]]

    assert groups() == [1, 1, 1]
    assert "to say otherwise: --group-by numbers" in capsys.readouterr().out
    assert groups("--group-by", "numbers") == [3]
    assert groups("--pattern", r"(?P<group>.+)/version_(?P<seed>\d)") == [3]
