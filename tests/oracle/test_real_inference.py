"""Groups, seeds, splits, directions and epochs of published lab logs, as they were meant."""

import re

import pytest
from fakes.stated_again import answered, kept_by_settings, read_with


@pytest.fixture
def read(realdata, tmp_path):
    def from_folder(name, text=""):
        return read_with(realdata / name, text, tmp_path)

    return from_folder


def decisions(study):
    return {decision.key: decision for decision in study.decisions}


def asked(study):
    return {decision.key for decision in study.decisions if decision.asks}


LOGS = (
    "fairseq-lab", "hf-trainer-agnews-lora", "hf-trainer-states", "hf-trainer-no-eval",
    "hf-card-last-not-best", "hf-card-control", "hf-vit-two-metrics", "lightning-versions",
    "keras-tensor-scalars", "keras-clean-pair", "segmentation-sweep", "rl-ten-seeds",
    "rl-single-points", "rl-dqn-empty-files", "seeds-strict-lax-duplicate",
)  # fmt: skip


@pytest.mark.wide
@pytest.mark.parametrize("folder", LOGS)
def test_what_is_printed_gives_the_same_again(folder, realdata, tmp_path):
    assert kept_by_settings(realdata / folder, tmp_path)


def test_five_runs_of_one_seed_are_five_groups(read):
    runs, study = read("hf-trainer-agnews-lora")
    assert [(run.group, run.seed) for run in runs] == [(f"run{n}", 42) for n in range(5)]
    assert any("same seed 42" in problem.message for problem in runs.all_problems())
    # Three sizes of the training split: each run goes by its own epochs.
    assert not asked(study)
    assert len({run.clock.steps_per_epoch for run in runs}) == 3
    assert "runs differ" in decisions(study)["epochs.steps_per_epoch"].reason


def test_names_with_spaces_and_parentheses(read):
    runs, study = read("hf-trainer-states")
    assert "default (learning rate 5e-5)" in runs.groups()
    assert decisions(study)["splits.names.predict"].value == "test"
    assert decisions(study)["splits.names.eval"].value == "validation"
    # One run calls its accuracy otherwise, and has no value for that of the others.
    assert asked(study) == {"metric.name"}


def test_lightning_versions_stand_alone_unless_somebody_says_otherwise(read, realdata, tmp_path):
    runs, study = read("lightning-versions")
    assert len(runs.groups()) == len(runs) == 17
    assert asked(study) == {"runs.repeats"}
    ((otherwise, _),) = answered(realdata / "lightning-versions", tmp_path, "runs.repeats")
    sizes = {name: len(members) for name, members in otherwise.groups().items()}
    assert sizes == {"lightning_logs": 12, "mnist_model_v0": 5}


def test_keras_runs_that_the_clock_tells_apart_are_a_question(read, realdata, tmp_path):
    runs, study = read("keras-tensor-scalars")
    assert len(runs.groups()) == len(runs) == 32
    assert {"Homework06/DenseMode", "Homework05/Adam/20221125-140126"} <= set(runs.groups())
    ((otherwise, _),) = answered(realdata / "keras-tensor-scalars", tmp_path, "runs.repeats")
    assert len(otherwise.groups()) == 18
    # Three of them count their steps in epochs, and say nothing of the others.
    assert [run.clock.unit for run in runs if run.clock] == ["epoch"] * 3
    assert "29 of 32 runs show no" in decisions(study)["epochs.steps_per_epoch"].reason


def test_a_sweep_is_no_group_and_is_told_on_the_test_set(read):
    runs, study = read("segmentation-sweep")
    names = [run.group for run in runs]
    assert len(set(names)) == 18
    assert not asked(study)
    # In order of the numbers, also of 7e_5, a power of ten in a name.
    assert [n for n in names if n.startswith("UNet_lr")] == [
        "UNet_lr7e_5", "UNet_lr5e_4", "UNet_lr1e_3", "UNet_lr2e_3",
    ]  # fmt: skip
    assert [n for n in names if n.startswith("UNet_dr01_")] == [
        "UNet_dr01_bs8_lr1e_4", "UNet_dr01_bs16_lr2e_4", "UNet_dr01_bs32_lr3e_4",
    ]  # fmt: skip
    # Two of the runs carry each other's weight decay in their name. The logs state no setting,
    # so that a name is all there is, and no number is taken out of it.
    assert {"UNet_wd_1e_4", "UNet_wd_1e_5"} <= set(names)
    assert all(not run.config and run.seed is None for run in runs)
    assert decisions(study)["metric.name"].value == "iou"
    assert study.metric.report_on == "test"
    best = {run.group: max(value for _, value in run.find("iou", "test").points()) for run in runs}
    assert max(best, key=best.get) == "UNet_wd_1e_4"
    assert round(max(best.values()), 4) == 0.8473


def test_ten_seeds_in_two_groups(read):
    runs, study = read("rl-ten-seeds")
    seeded = {name: [r.seed for r in rs] for name, rs in runs.groups().items() if rs[0].seed}
    assert list(seeded.values()) == [[1, 2, 3, 4, 5]] * 2
    assert "runs.repeats" not in asked(study)
    sweep = [name for name in runs.groups() if "lambda" in name]
    assert [re.findall(r"lambda_([\d.]+)", name)[0] for name in sweep] == [
        "0.95", "0.98", "0.99", "1",
    ]  # fmt: skip
    assert decisions(study)["metric.direction"].value == "higher"


def test_a_bare_number_may_be_a_seed(read, realdata, tmp_path):
    runs, _ = read("rl-dqn-empty-files")
    assert len(runs.groups()) == len(runs)
    ((otherwise, _),) = answered(realdata / "rl-dqn-empty-files", tmp_path, "runs.repeats")
    seeded = {name: [r.seed for r in rs] for name, rs in otherwise.groups().items() if rs[0].seed}
    assert seeded == {
        "hw3/dqn_double_q_q2_doubledqn_LunarLander-v2": [1, 2, 3],
        "hw3/dqn_q2_dqn_LunarLander-v2": [1, 2, 3],
    }


def test_running_numbers_of_three_groups(read, realdata, tmp_path):
    runs, study = read("seeds-strict-lax-duplicate")
    assert len(runs.groups()) == 9
    # Its tags say neither of which split they are nor which way is better.
    assert asked(study) == {"runs.repeats", "metric.direction", "splits.tags.dup_steps/bar"}
    ((otherwise, _),) = answered(realdata / "seeds-strict-lax-duplicate", tmp_path, "runs.repeats")
    assert {name: len(rs) for name, rs in otherwise.groups().items()} == {
        "duplicate_steps": 3, "lax": 3, "strict": 3,
    }  # fmt: skip
