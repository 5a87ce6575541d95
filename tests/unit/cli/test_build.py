"""Options of `build` that would be passed over are refused, with what to do."""

import json
from pathlib import Path

import pytest

from reportgen.app.building import CHOICES
from reportgen.cli import main
from reportgen.cli.build import FORMATS
from reportgen.records.errors import ExitCode

INPUTS = Path(__file__).resolve().parents[3] / "inputs"
STUDY = str(INPUTS / "roberta-small-fr" / "study.toml")
LOGS = str(INPUTS / "roberta-small-fr" / "logs")


@pytest.fixture
def refused(capsys):
    """Run a command that is refused; return what is said."""

    def run(*words):
        try:
            code = main(list(map(str, words)))
        except SystemExit as end:
            code = end.code
        assert code == ExitCode.USAGE
        return capsys.readouterr().err

    return run


def test_the_formats_that_are_offered_are_those_that_there_are():
    assert FORMATS == CHOICES


def test_a_file_of_one_format_and_a_list_without_it(refused, tmp_path):
    said = refused("build", STUDY, "--out", tmp_path / "x.html", "--format", "pdf,md")
    assert "asks for another format than --format pdf,md" in said
    assert f"--out {tmp_path / 'x.pdf'}, or --format html,pdf,md, or a folder" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("out", "formats"), [("x.html", "html,md"), ("x.pdf", "md"), ("x", "md")])
def test_a_list_that_chooses_is_taken(tmp_path, out, formats):
    assert main(["build", STUDY, "--out", str(tmp_path / out), "--format", formats, "-q"]) == 0


@pytest.mark.parametrize("words", [("--only", "random/1"), ("--yes",), ("--restart",)])
def test_what_is_trained_is_said_and_nothing_is(refused, tmp_path, words):
    said = refused("build", STUDY, "--out", tmp_path / "o", *words)
    assert f"{words[0]} says what is trained, and without --rerun nothing is" in said


@pytest.mark.parametrize("option", ["--runs", "--checkpoint", "--out"])
def test_a_second_value_is_not_taken_in_silence(refused, tmp_path, option):
    words = ("build", "--runs", LOGS, "--out", tmp_path / "o", "--checkpoint", "m")
    said = refused(*words, option, "other")
    assert f"argument {option}: was given twice" in said
    assert "'other'; it takes one" in said


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


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(", "--pattern: is not a regular expression"),
        ("[a-z]+", "--pattern: needs a named group (?P<group>...) or (?P<seed>...)"),
    ],
)
def test_a_pattern_that_tells_nothing_is_refused(refused, tmp_path, pattern, said):
    assert said in refused("build", "--runs", LOGS, "--out", tmp_path / "o", "--pattern", pattern)


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
