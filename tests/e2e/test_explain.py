"""`reportgen explain`: the chain from a printed number to the bytes of a file."""

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


def test_a_table_is_all_its_numbers(home):
    found = explained(home, "results.table")
    assert {number["where"] for number in found} == {"results.table"}
    assert len(found) > 20


def test_the_only_report_is_the_one_that_is_meant(home, tmp_path):
    (tmp_path / "mine").mkdir()
    shutil.copy(home / "out" / "report.json", tmp_path / "mine" / "lab.json")
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    assert explained(tmp_path, "80.63") == explained(tmp_path, "80.63", "mine")
    assert explained(tmp_path.parent, "80.63", tmp_path)
    shutil.copy(home / "out" / "report.json", tmp_path / "second.json")
    done = reportgen("explain", "80.63", cwd=tmp_path)
    assert done.code == 3
    assert "there are several reports: second.json, mine/lab.json" in done.err
    (tmp_path / "out").mkdir()
    shutil.copy(home / "out" / "report.json", tmp_path / "out")
    assert explained(tmp_path, "80.63")
    done = reportgen("explain", "0.98709", cwd=tmp_path)
    assert "remedy: --report names another report: second.json, mine/lab.json; " in done.err


def test_the_pdf_and_the_logs_tell_the_same(home, lab):
    by_file = explained(home, "glance.random.mean")
    by_pdf = explained(home, "glance.random.mean", "--report", "out/report.pdf")
    by_logs = explained(home, "glance.random.mean", "--study", lab / "study.toml")
    assert explained(home, "glance.random.mean", "--study", lab / "study.toml") == by_logs
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


def test_verify_by_a_study_looks_where_that_has_its_logs_and_its_model(home, lab, tmp_path):
    for folder in ("logs", "model", "lora"):
        shutil.copytree(lab / folder, tmp_path / folder)
    shutil.copy2(lab / "study.toml", tmp_path)
    (tmp_path / "model" / "tensors.json").write_text("{}", encoding="utf-8")
    asked = ("--verify", "--study", tmp_path / "study.toml")
    done = reportgen("explain", "best_step.pretrained.1.report_value", *asked, cwd=home)
    assert "1 files: 1 matches" in done.out
    done = reportgen("explain", "parameters.stored.embeddings.word", *asked, cwd=home)
    assert done.code == 1, done.out + done.err
    assert "NO LONGER MATCHES" in done.out
