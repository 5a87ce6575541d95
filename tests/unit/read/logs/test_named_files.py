"""Files that are told by their names: packed ones, parts put aside, settings, results."""

from __future__ import annotations

import gzip
import json

import pytest

import reportgen
from reportgen.read.logs import load_tree

LOG = "epoch,val_acc\n1,0.5\n2,0.6\n3,0.7\n"
PRINTED = "".join(f"Epoch {n} loss 0.{n} val_acc 0.{n}5\n" for n in range(1, 6))


@pytest.mark.parametrize(
    ("name", "content", "tag"),
    [("metrics.csv.gz", LOG, "val_acc"), ("train.log.gz", PRINTED, "val_acc")],
)
def test_a_packed_log_is_read_as_what_it_holds(tmp_path, name, content, tag):
    (tmp_path / name).write_bytes(gzip.compress(content.encode()))
    (log,) = load_tree(tmp_path).logs
    assert len(log.series[tag]) >= 3


def test_a_part_of_a_log_that_was_put_aside_is_named(tmp_path):
    (tmp_path / "train.log").write_text(PRINTED)
    (tmp_path / "train.log.1").write_text(PRINTED)
    (tmp_path / "weights.1").write_text("")
    (problem,) = load_tree(tmp_path).problems
    assert problem.path == "train.log.1"
    assert "an earlier part of train.log" in problem.message
    assert "one file" in problem.remedy


@pytest.mark.parametrize("name", ["args.yaml", "opt.yaml", "hyp.yaml"])
def test_settings_beside_a_log(tmp_path, name):
    for seed in (1, 2):
        folder = tmp_path / f"exp{seed}"
        folder.mkdir()
        (folder / "results.csv").write_text(LOG)
        (folder / name).write_text(f"lr0: 0.01\nseed: {seed}\n")
    runs = reportgen.load(tmp_path)
    assert sorted(run.seed for run in runs) == [1, 2]
    assert {run.config["lr0"] for run in runs} == {0.01}


@pytest.mark.parametrize(
    ("name", "content", "tag"),
    [
        ("best.json", json.dumps({"best_val_acc": 0.8, "test_acc": 0.81}), "test_acc"),
        ("final.json", json.dumps({"test_acc": 0.81}), "test_acc"),
        ("test.json", json.dumps({"accuracy": 0.81}), "accuracy"),
        ("test.txt", "acc: 0.81\nloss: 0.4\n", "test/acc"),
        ("best.txt", "test_acc = 0.81\n", "test/acc"),
    ],
)
def test_results_beside_a_log(tmp_path, name, content, tag):
    (tmp_path / "log.csv").write_text(LOG)
    (tmp_path / name).write_text(content)
    runs = reportgen.load(tmp_path)
    (run,) = runs
    assert {one.tag: one.value for one in run.results}[tag] == 0.81
    frame = runs.to_frame()
    assert frame[frame["tag"] == tag]["step"].isna().all()


@pytest.mark.parametrize("folder", [".", "results"])
def test_what_was_best_is_no_result_and_no_row(tmp_path, folder):
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "log.csv").write_text(LOG)
    (tmp_path / folder / "best.json").write_text(json.dumps({"epoch": 2, "val_acc": 0.9}))
    runs = reportgen.load(tmp_path)
    (run,) = runs
    assert (run.results, runs.all_problems()) == ((), ())
    assert len(run.scalars["val_acc"]) == 3


def test_entries_of_a_state_that_ends_early_are_read(tmp_path):
    whole = json.dumps({"log_history": [{"loss": 1 / n, "step": 10 * n} for n in (1, 2, 3)]})
    (tmp_path / "trainer_state.json").write_text(whole[:-12])
    (log,) = load_tree(tmp_path).logs
    assert list(log.series["train/loss"].points()) == [(10, 1.0), (20, 0.5)]
    (problem,) = log.problems
    assert "the 2 entries before that are read" in problem.message


def test_what_a_summary_alone_holds_is_a_result(tmp_path):
    folder = tmp_path / "wandb/run-20240101_101010-abc12345/files"
    folder.mkdir(parents=True)
    (folder / "output.log").write_text(PRINTED)
    summary = {"val_acc": 0.55, "test/acc": 0.81, "test/best_acc": 0.9, "_step": 5}
    (folder / "wandb-summary.json").write_text(json.dumps(summary))
    (folder / "config.yaml").write_text("lr:\n  desc: null\n  value: 0.1\nseed:\n  value: 3\n")
    (run,) = reportgen.load(tmp_path)
    assert [(one.tag, one.value, one.step) for one in run.results] == [("test/acc", 0.81, None)]
    assert (run.seed, run.config["lr"]) == (3, 0.1)
