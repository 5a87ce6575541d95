"""A class with submissions made to hurt: each gets its sentence, and the rest goes on."""

import csv
import json
import os
from pathlib import Path

import pytest
from fakes.command import Finished, reportgen
from fakes.hostile_class import GOOD, ORDINARY, OUTSIDE, REFUSED, STRANGE, write_class

from reportgen.app import CheckOptions, ShowOptions, check, show

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(os.name != "posix", reason="limits, links and names of POSIX"),
]

LINKED = ("link", "study", "fifo")
FORMATS = ("json", "html", "junit", "sarif")
SECONDS, MEGABYTES = 8, 900  # PDFium takes 620 for as many characters as are refused


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("hostile")
    write_class(home)
    return home


@pytest.fixture(scope="module")
def done(home) -> Finished:
    before = tree(home)
    finished = reportgen(
        *("check", "class", "--timeout", str(SECONDS), "--memory", str(MEGABYTES)),
        *("--format", ",".join(FORMATS), "--out", "out"),
        cwd=home,
    )
    assert {path for path in tree(home) if path.parts[0] not in {"out", ".cache"}} == before
    return finished


@pytest.fixture(scope="module")
def rows(done, home) -> dict[str, dict[str, str]]:
    with (home / "out" / "class.csv").open(encoding="utf-8", newline="") as lines:
        return {row["path"].split("/")[-2 if "." in row["path"] else -1]: row
                for row in csv.DictReader(lines)}  # fmt: skip


def tree(home: Path) -> set[Path]:
    return {path.relative_to(home) for path in home.rglob("*")}


def record(folder: Path) -> dict:
    return json.loads((folder / "findings.json").read_text(encoding="utf-8"))


def test_it_ends_as_the_page_says_and_names_every_submission(done, rows, home):
    assert done.code == 1, done.err
    assert len(rows) == len({*GOOD, *REFUSED, *ORDINARY, *STRANGE, *LINKED})
    for folder in (home / "out").iterdir():
        if folder.is_dir():
            assert len(list(folder.iterdir())) == len(FORMATS)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_checked_says_why(rows, name):
    assert rows[name]["status"] == "could not be checked"
    assert "could not be checked: " in rows[name]["top_findings"]
    assert REFUSED[name][1] in rows[name]["top_findings"]


@pytest.mark.parametrize("name", ORDINARY)
def test_what_is_read_in_part_says_what_was_not(rows, home, name):
    if rows[name]["status"] == "could not be checked":
        # On a slow machine, a report at the limits takes longer than the little it is given.
        assert "took more than" in rows[name]["top_findings"]
        return
    problems = " | ".join(problem["message"] for problem in record(home / "out" / name)["problems"])
    assert ORDINARY[name][1] in problems


@pytest.mark.parametrize("name", GOOD)
def test_good_submissions_are_judged_as_when_they_are_alone(done, home, name, monkeypatch):
    monkeypatch.chdir(home)
    alone = check(CheckOptions(reports=(Path("class", name),)))
    show(alone, ShowOptions(formats=("json",), out=home / "alone" / name), whole_class=False)
    here, there = record(home / "out" / name), record(home / "alone" / name)
    # A report on its own is called as its file is.
    assert (here["report"].pop("name"), there["report"].pop("name")) == (name, "report")
    assert here == there
    assert here["totals"]["numbers"]


def test_nothing_outside_the_class_was_read(done, rows, home):
    assert "leads out of the submission" in rows["link"]["top_findings"]
    told = {"study": "leads out of the submission", "fifo": "was left out: no training logs"}
    for name, words in told.items():
        (problem, *_) = record(home / "out" / name)["problems"]
        assert words in problem["message"]
    written = [path for path in (home / "out").rglob("*") if path.is_file()]
    assert not any(OUTSIDE in path.read_text(encoding="utf-8") for path in written)


def test_names_stay_names(done, home):
    table, page = ((home / "out" / f"class.{kind}").read_text("utf-8") for kind in ("csv", "html"))
    assert "\x1b" not in table + page + done.out + done.err
    assert not any(cell.startswith(("=", "+", "@")) for row in csv.reader(table.splitlines())
                   for cell in row)  # fmt: skip
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;" in page
    for name in STRANGE:
        findings = home / "out" / name / "findings.html"
        assert "<script>alert" not in findings.read_text(encoding="utf-8")
