"""`reportgen check` as graders and CI use it: in a process of its own."""

import csv
import json
import random
import re

import pytest
from fakes.command import reportgen
from fakes.course_lab import make_lab, write_logs
from fakes.course_reports import render, slots, write_report


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A class of four: one right, one with a changed value, one unreadable, one without report."""
    home = tmp_path_factory.mktemp("course")
    state = random.Random(11)
    lab = make_lab(state, seeds=3)
    parts = write_report(lab, state, french=False)
    value = next(s for s in slots(parts) if "copied validation" in s.mistakes)
    write_logs(lab, home / "logs", "fairseq")
    texts = {
        "ada/report.md": render(parts, "md"),
        "bob/report.md": render(parts, "md", (value, "copied validation")),
        "eve/report.pdf": "%PDF-1.7 and then nothing",
        "kim/code.py": "print(1)",
    }
    for name, text in texts.items():
        (home / "class" / name).parent.mkdir(parents=True)
        (home / "class" / name).write_text(text, encoding="utf-8")
    return home


def test_a_report_that_agrees_ends_in_zero(course):
    done = reportgen("check", "class/ada/report.md", "--runs", "logs", cwd=course)
    assert done.code == 0, done.out
    assert done.out.startswith("Traced ")
    assert " numbers; 0 contradicted; " in done.out


def test_a_changed_value_is_named_with_its_place_and_cause(course):
    done = reportgen("check", "class/bob/report.md", "--runs", "logs", cwd=course)
    assert done.code == 1, done.out
    assert "class/bob/report.md:" in done.out
    assert "likely cause: it is the value of tag valid/accuracy" in done.out
    for word in ("wrong", "false", "fabricated"):
        assert word not in done.out.lower()


def test_fail_on_decides_the_exit_code_only(course):
    done = reportgen(
        *("check", "class/bob/report.md", "--runs", "logs", "--fail-on", "never"), cwd=course
    )
    assert done.code == 0
    assert "likely cause: it is the value of tag valid/accuracy" in done.out


def test_a_class_goes_on_past_what_cannot_be_read(course):
    done = reportgen("check", "class", "--runs", "logs", "--out", "results", cwd=course)
    assert done.code == 1
    out = course / "results"
    with (out / "class.csv").open(encoding="utf-8", newline="") as lines:
        rows = {row["name"]: row for row in csv.DictReader(lines)}
    assert set(rows) == {"ada", "bob", "eve", "kim"}
    record = json.loads((out / "bob" / "findings.json").read_text(encoding="utf-8"))
    assert record["totals"]["errors"] >= 1
    assert (out / "class.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    eve = json.loads((out / "eve" / "findings.json").read_text(encoding="utf-8"))
    assert "could not be checked" in json.dumps(eve)


def test_every_format_is_written_at_once(course):
    formats = "text,json,junit,sarif,github,gradescope,classroom,html"
    done = reportgen(
        *("check", "class/bob", "--runs", "logs", "--format", formats, "--out", "all"), cwd=course
    )
    assert done.code == 1, done.err
    assert len([p for p in (course / "all").rglob("*") if p.is_file()]) >= 8


def test_github_gets_a_summary_of_the_job(course):
    page = course / "summary.md"
    done = reportgen(
        *("check", "class/bob/report.md", "--runs", "logs", "--format", "github"),
        cwd=course,
        GITHUB_STEP_SUMMARY=str(page),
    )
    assert done.code == 1
    assert "::error " in done.out
    assert "class/bob/report.md" in page.read_text(encoding="utf-8")


def test_nothing_is_written_but_what_was_asked_for(course):
    def files():
        # The cache lies here for these tests alone.
        return {path for path in course.rglob("*") if ".cache" not in path.parts}

    before = files()
    reportgen("check", "class/ada/report.md", "--runs", "logs", cwd=course)
    assert files() == before


def test_the_rubric_of_the_page_scores(course, project):
    page = (project / "docs" / "how-to" / "check.md").read_text(encoding="utf-8")
    rubric = re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1]
    (course / "rubric.toml").write_text(rubric, encoding="utf-8")
    done = reportgen(
        *("check", "class/bob/report.md", "--runs", "logs", "--rubric", "rubric.toml"),
        *("--format", "gradescope"),
        cwd=course,
    )
    result = json.loads(done.out)
    scores = {test["name"]: (test["score"], test["max_score"]) for test in result["tests"]}
    assert scores["Values are those of the logs"] == (4, 6)
    # Bob does not say how many parameters his model has.
    assert scores["Parameter count"] == (0, 4)
