"""Published lab logs with known answers: points, seeds, groups, and what is wrong with them."""

import math

import numpy as np
import pytest

from reportgen.read.logs._tree import load_tree
from reportgen.records.study import Study
from reportgen.runs._assemble import assemble


@pytest.fixture
def read(realdata):
    def from_folder(name, **fields):
        tree = load_tree(realdata / name)
        return assemble(tree.logs, tree.files, Study(**fields), str(realdata / name))

    return from_folder


def values(run, metric, split):
    return [v for _, v in run.find(metric, split).points()]


def messages(runs):
    return [p.message for p in runs.all_problems()]


LAB = {
    ("RoBERTa_small_fr", 0): ([57, 65, 81, 77, 85.5], [60.5, 70.2, 80, 79.3, 81.4]),
    ("RoBERTa_small_fr", 1): ([62, 69, 80.5, 81, 84.5], [68.8, 75.6, 79.4, 81.1, 80.4]),
    ("RoBERTa_small_fr", 2): ([61.5, 70, 81.5, 84, 77.5], [63.1, 74.5, 79.4, 80.1, 80.4]),
    ("RoBERTa_small_fr_random", 0): ([50, 54, 62.5, 62, 67], [50, 55.8, 67.1, 65.5, 73.9]),
    ("RoBERTa_small_fr_random", 1): ([50.5, 60.5, 67.5, 65.5, 70], [51.5, 62.8, 69.2, 71.5, 73.9]),
    ("RoBERTa_small_fr_random", 2): ([50, 55.5, 62.5, 69.5, 71], [50, 56.9, 64.1, 71.2, 73.1]),
}


def check_lab(runs, study):
    found = {
        (r.group, r.seed): (values(r, "accuracy", "validation"), values(r, "accuracy", "test"))
        for r in runs
        if r.layout.startswith("fairseq")
    }
    assert found == LAB
    accuracies = [r.find("accuracy", "test") for r in runs if r.layout.startswith("fairseq")]
    assert {series.unit for series in accuracies} == {"percent"}
    assert study.steps_per_epoch == 225
    steps = runs.runs[0].find("accuracy", "validation").steps
    assert steps.tolist() == [225, 450, 675, 900, 1125]


def test_six_runs_out_of_one_console_log(read):
    runs, study = read("fairseq-lab")
    check_lab(runs, study)
    assert {r.config["num_shared_model_params"] for r in runs} == {23_388_418}
    assert messages(runs) == []


def test_the_sample_lab_holds_the_same_six_runs(lab):
    tree = load_tree(lab / "logs")
    runs, study = assemble(tree.logs, tree.files, Study(), "logs")
    check_lab(runs, study)
    assert not [p for p in runs.all_problems() if p.level != "note"]


def test_five_trainer_runs_with_one_seed(read):
    runs, _ = read("hf-trainer-agnews-lora")
    assert [(r.group, r.seed) for r in runs] == [(f"run{n}", 42) for n in range(5)]
    assert any("same seed 42" in m and "not a spread over seeds" in m for m in messages(runs))
    assert all(max(values(r, "accuracy", "validation")) < 0.27 for r in runs.runs[:4])
    accuracy = runs.runs[4].find("accuracy", "validation")
    best = max(v for _, v in accuracy.points())
    assert best == pytest.approx(0.9135802469, abs=1e-10)
    assert [s for s, v in accuracy.points() if v == best] == [800, 900, 1200]
    assert math.isfinite(accuracy.wall_times[0])
    checkpoints = {c for r in runs for c in r.checkpoints}
    assert checkpoints <= set(runs.files)


def test_a_run_without_evaluation(read):
    runs, _ = read("hf-trainer-no-eval")
    (run,) = runs
    assert run.find("loss", "train").steps[-1] == 2000
    assert "no evaluation logged: no best step exists" in messages(runs)


def test_word_error_rates_are_better_when_lower(read):
    runs, study = read("hf-card-last-not-best")
    (run,) = runs
    assert (study.metric.name, study.metric.direction, study.metric.unit) == (
        "wer", "lower", "fraction",
    )  # fmt: skip
    found = dict(run.find("wer", "validation").points())
    assert round(found[3000], 4) == 0.7432 == round(min(found.values()), 4)
    assert round(found[5000], 4) == 0.7449
    assert sum("Git-LFS pointer" in m for m in messages(runs)) == 7


def test_word_error_rates_in_percent(read):
    runs, study = read("hf-card-control")
    assert study.metric.unit == "percent"
    assert round(min(values(runs.runs[0], "wer", "validation")), 4) == 9.6159


def test_states_with_a_hundred_metrics(read):
    runs, study = read("hf-trainer-states")
    assert len(runs) == 4
    assert "default (learning rate 5e-5)" in {r.group for r in runs}
    assert study.metric.name == "overall_accuracy"
    trial = next(r for r in runs if "trial_9" in r.id)
    assert trial.find("accuracy", "test") is not None
    assert trial.find("accuracy", "validation") is not None


def test_f1_of_a_vision_transformer(read):
    runs, study = read("hf-vit-two-metrics")
    (run,) = runs
    assert study.metric.name == "f1"
    assert max(run.find("f1", "validation").points(), key=lambda p: p[1])[0] == 500
    assert min(run.find("loss", "validation").points(), key=lambda p: p[1])[0] == 500


def test_lightning_versions(read):
    runs, _ = read("lightning-versions/tb_logs")
    assert [r.id for r in runs] == [f"mnist_model_v0/version_{n}" for n in range(3, 8)]
    tests = [values(r, "accuracy", "test") for r in runs]
    assert [round(v, 4) for (v,) in tests] == [0.8573, 0.8667, 0.8478, 0.8686, 0.8651]
    assert np.mean(tests) == pytest.approx(0.86110, abs=5e-6)
    assert all(r.find("accuracy", "validation").steps[-1] == 2346 for r in runs)
    assert sum("only the file's header" in m for m in messages(runs)) == 3


def test_keras_scalars_are_tensors(read):
    runs, _ = read("keras-tensor-scalars/Homework06")
    best = {}
    for run in runs:
        points = list(run.find("accuracy", "test").points())
        best[run.id.split("/")[1]] = max(points, key=lambda p: p[1])
    assert [(k, s, round(v, 4)) for k, (s, v) in best.items() if k in
            {"Normalisation", "DenseMode", "Original", "all"}] == [
        ("DenseMode", 13, 0.8005), ("Normalisation", 11, 0.8090),
        ("Original", 14, 0.7973), ("all", 7, 0.2538),
    ]  # fmt: skip


def test_epochs_and_iterations_are_not_mixed(read):
    runs, _ = read("keras-tensor-scalars/Homework07")
    assert runs.runs[0].find("accuracy", "validation").steps.tolist() == list(range(15))
    assert runs.runs[0].find("accuracy_vs_iterations", "validation").steps[0] == 157


def test_the_smallest_keras_pair(read):
    runs, _ = read("keras-clean-pair")
    (run,) = runs
    assert run.find("accuracy", "test").steps[-1] == 9
    assert round(values(run, "accuracy", "test")[-1], 5) == 0.98335
    assert round(min(values(run, "loss", "test")), 6) == 0.054307


def test_ten_seeds_in_names(read):
    runs, study = read("rl-ten-seeds")
    seeds = {g.name: g.seeds for g in study.groups if g.seeds}
    assert seeds == {
        "q2_pg_pendulum_default_InvertedPendulum-v4": (1, 2, 3, 4, 5),
        "q2_pg_pendulum_discount0.99_smallbatch_gae0.98_InvertedPendulum-v4": (1, 2, 3, 4, 5),
    }
    first = {}
    for run in runs:
        if run.seed is not None:
            points = run.find("average_return", "validation").points()
            first[run.group, run.seed] = next((s for s, v in points if v == 1000), None)
    assert list(first.values())[:5] == [61, 59, 55, 64, 58]
    assert list(first.values())[5:] == [62, 56, 42, 54, 44]
    assert sum(": 71 of 100 values are NaN" in m for m in messages(runs)) == 1
    assert sum(": 78 of 100 values are NaN" in m for m in messages(runs)) == 1
    assert sum("only the file's header" in m for m in messages(runs)) == 1
    assert len(runs) == 27


def test_single_points_in_order_of_their_number(read):
    runs, _ = read("rl-single-points/hw1/image/hyperparameters")
    steps = [int(r.id.split("train-step_")[1].split("_")[0]) for r in runs]
    assert steps == sorted(steps)
    assert len(steps) == 11
    best = max(runs, key=lambda r: values(r, "average_return", "validation")[0])
    assert round(values(best, "average_return", "validation")[0], 1) == 4641.1
    assert round(values(best, "std_return", "validation")[0], 1) == 124.5


def test_empty_files_are_named(read):
    runs, _ = read("rl-dqn-empty-files")
    assert sum("the file is empty (0 bytes)" in m for m in messages(runs)) == 3
    assert len(runs) == 31
    last = [
        dict(r.find("average_return", "train").points())[490001]
        for n in (1, 2, 3) for r in runs if f"_q2_dqn_{n}_" in r.id
    ]  # fmt: skip
    assert [round(v, 2) for v in last] == [8.04, 119.39, -102.17]


def test_duplicate_steps_and_different_lengths(read):
    runs, _ = read("seeds-strict-lax-duplicate")
    lax = [run for run in runs if "/lax/" in run.id]
    assert [len(r.scalars["lax/foo"]) for r in lax] == [110, 120, 130]
    duplicate = [run for run in runs if "/duplicate_steps/" in run.id]
    assert all(len(np.unique(s.steps)) == len(s) for r in duplicate for s in r.scalars.values())


def test_training_and_test_on_different_clocks(read):
    runs, _ = read("segmentation-sweep")
    assert len(runs) == 18
    run = runs.runs[0]
    assert run.find("loss", "train").steps[0] == 0
    assert run.find("loss", "test").steps[0] == 230
    assert all(r.find("loss", "validation") is None for r in runs)
    assert sum("no best step exists" in m for m in messages(runs)) >= 1
