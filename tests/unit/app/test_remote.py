"""Every command that takes a folder of runs takes a URL, and says the same of it."""

import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from fakes.object_store import object_store

from reportgen import inspect, load
from reportgen.app.remote import LOG_LIMIT, at_hand, evidence_at_hand, limits_of
from reportgen.cli import main
from reportgen.records.errors import EvidenceError, UsageError

pytestmark = pytest.mark.slow

METRICS = "step,accuracy,val_accuracy\n1,0.7113,0.6127\n2,0.7248,0.6241\n"
SAID = """The accuracy at step 1 is 71.13 %. The validation accuracy at step 1 is 61.27 %.
The validation accuracy at step 2 is {} %.
"""


@pytest.fixture
def store(monkeypatch):
    with object_store(monkeypatch) as found:
        yield found


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache, a folder for temporary files and a working folder of its own for each test."""
    for name in ("cache", "here", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("REPORTGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "cache"


@pytest.fixture
def lab_url(store, lab):
    store.put_folder(lab / "logs", "lab/logs")
    return f"{store.url}/lab/logs"


@pytest.fixture
def small_url(store, small_lab):
    store.put_folder(small_lab, "lab/logs")
    return f"{store.url}/lab/logs"


def run(capsys, *words):
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "mirrors" not in said.out + said.err
    return code, said.out, said.err


def without_places(found):
    return {key: value for key, value in found.items() if key != "path"}


def test_loaded_from_a_url_runs_are_the_same(lab, lab_url):
    there, here = load(lab_url), load(lab / "logs")
    assert there.root == here.root == "logs"
    assert there.to_frame().equals(here.to_frame())
    assert there.problems == here.problems
    assert [run.sources for run in there] == [run.sources for run in here]


def test_tables_that_a_study_declares_are_fetched(store, tmp_path):
    for seed in (0, 1):
        store.put(f"lab/m/{seed}/out.dat", b"n;acc\n1;0,5\n2;0,75\n")
        store.put(f"lab/m/{seed}/other.dat.bak", b"n;acc\n")
    study = tmp_path / "study.toml"
    study.write_text('[[logs.tables]]\nmatch = "*/out.dat"\nstep = "n"\n')
    runs = load(f"{store.url}/lab", study=study)
    assert [(r.id, len(r.scalars["acc"])) for r in runs] == [("m/0", 2), ("m/1", 2)]
    assert not [p for p in runs.all_problems() if "no file" in p.message]
    found = inspect(f"{store.url}/lab", study=study)
    assert [r["id"] for r in found["runs"]] == ["m/0", "m/1"]


def test_inspect_says_the_same_of_a_url(lab, lab_url):
    found = inspect(lab_url)
    assert found["path"] == lab_url
    assert without_places(found) == without_places(inspect(lab / "logs"))


def test_inspect_takes_one_object(store, lab, capsys):
    store.put("lab/config.json", (lab / "model" / "config.json").read_bytes())
    store.put("lab/model.safetensors", b"0" * 100)
    code, out, _ = run(capsys, "inspect", f"{store.url}/lab/config.json", "--json")
    found = json.loads(out)
    assert (code, found["kind"], found["path"]) == (0, "config", "config.json")
    code, _, err = run(capsys, "inspect", f"{store.url}/lab/model.safetensors")
    assert code == 3
    assert "weights are not fetched" in err
    # Of a folder without logs the configuration is shown, as of a local one.
    code, out, _ = run(capsys, "inspect", f"{store.url}/lab", "--json")
    assert json.loads(out)["kind"] == "config"


def test_a_report_built_from_a_url_is_that_of_the_folder(lab, lab_url, tmp_path, capsys):
    common = ("--format", "md,json,html", "--no-cache", "--quiet")
    assert run(capsys, "build", "--runs", lab_url, "--out", "url", *common)[0] == 0
    assert run(capsys, "build", "--runs", lab / "logs", "--out", "folder", *common)[0] == 0
    for name in ("report.md", "report.json", "report.html"):
        there = (tmp_path / "here" / "url" / name).read_bytes()
        assert there == (tmp_path / "here" / "folder" / name).read_bytes()
        assert str(tmp_path).encode() not in there


def test_an_unchanged_url_is_listed_and_nothing_else_is_done(store, small_url, capsys):
    command = ("build", "--runs", small_url, "--out", "out", "--format", "md")
    run(capsys, *command)
    store.asked.clear()
    code, out, _ = run(capsys, *command, "--json")
    assert (code, json.loads(out)["unchanged"]) == (0, True)
    assert store.asked == [("find", "lab/logs", None, None)]


def test_a_log_that_grew_is_built_from_anew(store, capsys):
    store.put("lab/a/metrics.csv", METRICS.encode())
    command = ("build", "--runs", f"{store.url}/lab", "--out", "out", "--format", "md", "--json")
    run(capsys, *command)
    before = Path("out/report.md").read_text(encoding="utf-8")
    store.reads()
    store.put("lab/a/metrics.csv", f"{METRICS}3,0.73,0.63\n".encode())
    code, out, _ = run(capsys, *command)
    assert (code, json.loads(out)["unchanged"]) == (0, False)
    assert Path("out/report.md").read_text(encoding="utf-8") != before
    assert [end - begin for _, begin, end in store.reads()] == [len(METRICS), len(METRICS) + 12]


def test_without_a_cache_nothing_is_left(small_url, cache, tmp_path, capsys):
    run(capsys, "build", "--runs", small_url, "--out", "out", "--format", "md", "--no-cache")
    assert not list(cache.iterdir())
    assert not list((tmp_path / "tmp").iterdir())


def test_the_cache_that_is_named_is_taken(small_url, cache, tmp_path, capsys):
    common = ("--runs", small_url, "--out", "out", "--format", "md")
    run(capsys, "build", *common, "--cache", tmp_path / "mine")
    assert not list(cache.iterdir())
    assert (tmp_path / "mine" / "mirrors").is_dir()


def test_a_study_may_name_a_url(store, project, tmp_path, capsys):
    grid = tmp_path / "grid"
    shutil.copytree(project / "inputs" / "tiny-grid", grid)
    study = grid / "study.toml"
    here = run(capsys, "plan", study, "--json")
    shutil.move(grid / "logs", tmp_path / "logs")
    store.put_folder(tmp_path / "logs", "grid")
    text = study.read_text(encoding="utf-8").replace('"logs"', f'"{store.url}/grid"')
    study.write_text(text, encoding="utf-8")
    assert run(capsys, "plan", study, "--json") == here
    assert [one[0] for one in store.asked].count("find") == 1
    code, out, _ = run(capsys, "rerun", study, "--json")
    assert json.loads(out)["started"] is False
    assert code in {0, 3}
    assert run(capsys, "build", study, "--out", "out", "--format", "json")[0] == 0


def test_init_writes_a_study_that_names_the_url(small_url, capsys):
    assert run(capsys, "init", "--runs", small_url)[0] == 0
    assert f'path = "{small_url}"' in Path("study.toml").read_text(encoding="utf-8")
    common = ("--format", "md", "--no-cache", "--title", "one")
    run(capsys, "build", "study.toml", "--out", "study", *common)
    run(capsys, "build", "--runs", small_url, "--out", "runs", *common)
    texts = [Path(name, "report.md").read_text(encoding="utf-8") for name in ("study", "runs")]
    study, runs = (re.findall("^(?:#|Table).*", text, re.MULTILINE) for text in texts)
    assert study == runs


def test_reports_are_held_against_a_url(store, tmp_path, capsys):
    store.put("lab/metrics.csv", METRICS.encode())
    report = tmp_path / "report.md"
    for accuracy, code in (("62.41", 0), ("62.14", 1)):
        report.write_text(SAID.format(accuracy), encoding="utf-8")
        said = run(capsys, "check", report, "--runs", f"{store.url}/lab", "--jobs", "1")
        assert said[0] == code, said


def test_each_submission_of_a_class_has_its_own_part_of_a_url(store, tmp_path, capsys):
    for name, shift in (("ada", "0.6241"), ("eve", "0.6214")):
        folder = tmp_path / "class" / name
        folder.mkdir(parents=True)
        (folder / "report.md").write_text(SAID.format("62.41"), encoding="utf-8")
        store.put(f"hand-in/{name}/logs/metrics.csv", METRICS.replace("0.6241", shift).encode())
        store.put(f"hand-in/{name}/scratch/metrics.csv", METRICS.encode())
    url = f"{store.url}/hand-in"
    common = ("--format", "json", "--jobs", "2")
    own = f"{url}/{{name}}/logs"
    run(capsys, "check", tmp_path / "class", "--runs", own, *common, "--out", "out")
    table = Path("out/class.csv").read_text(encoding="utf-8").splitlines()
    told = [row.split(",")[:3] for row in table[1:]]
    assert told == [["eve", "error", "1"], ["ada", "traced", "0"]]
    assert [one for one in store.asked if one[0] == "find"] == [("find", "hand-in", None, None)]
    assert [name for name, _, _ in store.reads()] == [
        f"hand-in/{name}/logs/metrics.csv" for name in ("ada", "eve")
    ]


def test_a_submission_without_its_part_is_told_of_by_the_url(store, tmp_path, capsys):
    store.put("hand-in/ada/metrics.csv", METRICS.encode())
    for name in ("ada", "eve"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "report.md").write_text("80 %", encoding="utf-8")
    url = f"{store.url}/hand-in/{{name}}"
    _, out, err = run(capsys, "check", tmp_path / "class", "--runs", url, "--jobs", "1")
    assert f"{store.url}/hand-in/eve" in out + err


def test_nothing_is_fetched_on_the_word_of_a_submission(store, tmp_path, capsys):
    store.put("bank/metrics.csv", METRICS.encode())
    folder = tmp_path / "class" / "eve"
    folder.mkdir(parents=True)
    (folder / "report.md").write_text("80 %", encoding="utf-8")
    (folder / "study.toml").write_text(f'[runs]\npath = "{store.url}/bank"\n', encoding="utf-8")
    _, out, _ = run(capsys, "check", tmp_path / "class", "--jobs", "1", "--verbose")
    assert "not fetched on its word" in out
    assert store.asked == []


def test_weights_stay_where_they_are_and_that_is_said(store, capsys):
    store.put("lab/a/metrics.csv", METRICS.encode())
    store.put("lab/a/config.json", b"{}")
    for name in ("model.safetensors", "optimizer.pt", "training_args.bin"):
        store.put(f"lab/a/checkpoint-1/{name}", b"1" * 1000)
    found = inspect(f"{store.url}/lab")
    (problem,) = [p for p in found["problems"] if "weights" in p["message"]]
    assert problem["path"] == "a/checkpoint-1/model.safetensors"
    assert problem["level"] == "note"
    assert {name for name, _, _ in store.reads()} == {
        "lab/a/metrics.csv",
        "lab/a/config.json",
        "lab/a/checkpoint-1/training_args.bin",
    }


def test_what_was_not_fetched_is_in_the_report(store, capsys):
    store.put("lab/a/metrics.csv", METRICS.encode())
    store.put("lab/A/metrics.csv", METRICS.encode())
    _, _, err = run(capsys, "build", "--runs", f"{store.url}/lab", "--out", "o", "--format", "md")
    assert "a/metrics.csv: not fetched: its name differs only in the case" in err


def test_folders_that_nobody_reads_are_not_fetched(store):
    store.put("lab/metrics.csv", METRICS.encode())
    store.put("lab/.git/x.csv", b"1")
    store.put("lab/__pycache__/x.csv", b"1")
    store.put("lab/old/.trash/events.out.tfevents.1.host", b"1")
    problems = load(f"{store.url}/lab").problems
    assert [name for name, _, _ in store.reads()] == ["lab/metrics.csv"]
    assert [(p.path, "hidden" in p.message) for p in problems] == [("old/.trash", True)]


@pytest.mark.parametrize("command", ["build", "plan", "init", "inspect", "check"])
def test_a_url_where_nothing_lies_is_an_error_that_names_it(store, tmp_path, command, capsys):
    (tmp_path / "study.toml").write_text("", encoding="utf-8")
    (tmp_path / "report.md").write_text("80 %", encoding="utf-8")
    url = f"{store.url}/none"
    words = {
        "build": ("--runs", url, "--out", "out"),
        "plan": (tmp_path / "study.toml", "--runs", url),
        "init": ("--runs", url),
        "inspect": (url,),
        "check": (tmp_path / "report.md", "--runs", url),
    }
    code, _, err = run(capsys, command, *words[command])
    assert code == 3
    assert f"nothing under {url}" in err
    assert "remedy" in err


def test_a_url_without_logs_is_named_in_the_error(store, capsys):
    store.put("lab/photo.png", b"1")
    code, _, err = run(capsys, "build", "--runs", f"{store.url}/lab", "--out", "out")
    assert code == 3
    assert f"no training logs under {store.url}/lab:" in err


@pytest.mark.skipif(os.name == "nt", reason="a path of Windows begins with a drive")
def test_a_url_of_this_machine_is_read_where_it_lies(lab, cache):
    assert load((lab / "logs").as_uri()).to_frame().equals(load(lab / "logs").to_frame())
    assert not list(cache.iterdir())


def test_a_url_that_was_made_a_path_is_known_again():
    with pytest.raises(UsageError) as caught:
        load(Path("s3://bucket/lab"))
    assert caught.value.remedy.endswith("s3://bucket/lab")


def test_what_a_kind_of_log_may_weigh():
    limit_of = limits_of("")
    names = ("a/events.out.tfevents.1", "wandb/x/run-1.wandb", "mlflow.db")
    assert {limit_of(name) for name in names} == {LOG_LIMIT}
    assert 0 < limit_of("a/train.log") < LOG_LIMIT
    assert limit_of("a/photo.png") is None


def test_errors_meanwhile_name_the_url(lab_url):
    with pytest.raises(EvidenceError, match=f"^no file {lab_url}/x$"), at_hand(lab_url) as folder:
        raise EvidenceError(f"no file {folder}/x")


def test_a_bucket_must_have_a_name_of_its_own():
    with pytest.raises(UsageError), evidence_at_hand("s3://{name}/logs", None, print):
        pass
