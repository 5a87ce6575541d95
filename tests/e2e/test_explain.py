"""`reportgen explain`: the chain from a printed number to the bytes of a file."""

from __future__ import annotations

import hashlib
import json
import shutil

import pytest
from fakes.command import reportgen


@pytest.fixture(scope="module")
def home(built, lab, tmp_path_factory):
    folder = tmp_path_factory.mktemp("explain")
    shutil.copytree(built, folder / "out")
    shutil.copytree(lab / "logs", folder / "logs")
    return folder


def explained(home, *arguments):
    done = reportgen("explain", *arguments, "--json", cwd=home)
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_the_chain_leads_to_the_file_and_its_digest(home):
    found = explained(home, "best_step.pretrained.0.report_value")
    [number] = found
    [evidence] = number["evidence"]
    assert (number["printed"], evidence["tag"], evidence["step"]) == ("81.4", "accuracy", 1125)
    content = (home / "logs" / evidence["path"]).read_bytes()
    assert evidence["sha256"] == hashlib.sha256(content).hexdigest()


def test_every_place_that_prints_a_number_is_listed_under_its_chain(home):
    done = reportgen("explain", "80.63", cwd=home)
    assert done.code == 0
    assert done.out.count("(0.814 + 0.804 + 0.801) / 3") == 1
    assert "printed as abstract.pretrained.mean  in abstract" in done.out
    assert "printed as best_step.pretrained.report.mean  in best_step.table" in done.out


def test_a_table_is_all_its_numbers(home):
    found = explained(home, "best_step.table")
    assert {number["where"] for number in found} == {"best_step.table"}
    assert len(found) > 20


def test_a_number_that_is_not_printed_is_answered_with_the_nearest(home):
    done = reportgen("explain", "80.64", cwd=home)
    assert done.code == 2
    assert "nearest printed numbers: 80.63" in done.err
    done = reportgen("explain", "best_step.pretrained.0.report_vlaue", cwd=home)
    assert done.code == 2
    assert "did you mean 'best_step.pretrained.0.report_value'" in done.err


def test_numbers_with_units_are_named_as_they_are_printed(home):
    done = reportgen("explain", "8.34", cwd=home)
    assert "nearest printed numbers: 8.33\xa0GiB" in done.err


@pytest.mark.parametrize(
    "damage",
    [
        lambda report: report["numbers"][0].pop("value"),
        lambda report: report.update(numbers={}),
        lambda report: report.update(numbers=None),
    ],
)
def test_a_damaged_report_is_told_and_not_explained(home, tmp_path, damage):
    report = json.loads((home / "out" / "report.json").read_text("utf-8"))
    damage(report)
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    done = reportgen("explain", "80.63", "--report", "report.json", cwd=tmp_path)
    assert done.code == 3
    assert "damaged report.json: `numbers" in done.err


def test_the_pdf_and_the_logs_tell_the_same(home, lab):
    by_file = explained(home, "abstract.random.mean")
    by_pdf = explained(home, "abstract.random.mean", "--report", "out/report.pdf")
    by_logs = explained(home, "abstract.random.mean", "--study", lab / "study.toml")
    assert by_file == by_pdf
    assert by_logs[0]["printed"] == by_file[0]["printed"] == "73.63"
    assert [e["sha256"] for e in by_logs[0]["evidence"]] == [
        e["sha256"] for e in by_file[0]["evidence"]
    ]


def test_verify_says_which_files_no_longer_match(home):
    asked = ("explain", "best_step.pretrained.1.report_value", "--verify", "--runs", "logs")
    done = reportgen(*asked, cwd=home)
    assert done.code == 0, done.err
    assert "1 files: 1 matches" in done.out

    [number] = explained(home, "best_step.pretrained.1.report_value")
    path = home / "logs" / number["evidence"][0]["path"]
    before = path.read_bytes()
    path.write_bytes(before + b"x")
    done = reportgen(*asked, cwd=home)
    assert done.code == 1
    assert "NO LONGER MATCHES" in done.out
    path.unlink()
    done = reportgen(*asked, cwd=home)
    path.write_bytes(before)
    assert done.code == 3
    assert "1 not found" in done.out
