"""Tags that name no split: what is asked of them, and what a study says of single tags."""

from __future__ import annotations

import pytest

POINTS = {step: float(step) for step in range(5)}
PATH = "a_seed0/events.out.tfevents.1.h.1.0"


def decisions(study):
    return {decision.key: decision for decision in study.decisions}


def splits(runs):
    return {series.tag: series.split for series in runs.runs[0].scalars.values()}


@pytest.mark.parametrize(
    ("tags", "metric"),
    [
        (("loss", "reward"), "reward"),
        (("train/loss", "rollout/ep_rew_mean", "rollout/ep_len_mean", "time/fps"),
         "rollout_ep_rew_mean"),
        (("charts/learning_rate", "charts/SPS", "losses/value_loss", "charts/episodic_return"),
         "charts_episodic_return"),
        (("loss", "iou"), "iou"),
        (("loss_D", "loss_G", "fid"), "fid"),
        (("train/acc", "train/loss", "lr"), "accuracy"),
        (("zeta", "time_elapsed"), "zeta"),
    ],
)  # fmt: skip
def test_what_is_taken_where_nothing_was_evaluated(put_together, log, tags, metric):
    _, study = put_together(log(PATH, dict.fromkeys(tags, POINTS)))
    assert study.metric.name == metric
    assert decisions(study)["metric.select_on"].value == ""


def test_what_tells_how_fast_a_run_was_is_no_metric(put_together, log):
    tags = dict.fromkeys(("time/fps", "lr", "global_step", "grad_norm", "epoch"), POINTS)
    _, study = put_together(log(PATH, tags))
    assert study.metric.name == ""
    assert not [key for key in decisions(study) if key.startswith("splits.tags")]


def test_an_evaluation_goes_before_everything_else(put_together, log):
    _, study = put_together(log(PATH, dict.fromkeys(("reward", "val/loss"), POINTS)))
    assert study.metric.name == "loss"
    assert "splits.tags.reward" not in decisions(study)


@pytest.mark.parametrize("split", ["validation", "test", "train"])
def test_a_tag_is_asked_for_its_split_and_gets_the_one_that_is_stated(put_together, log, split):
    logs = log(PATH, dict.fromkeys(("charts/reward", "loss"), POINTS))
    _, study = put_together(logs)
    asked = decisions(study)["splits.tags.charts/reward"]
    assert asked.asks
    assert split in asked.alternatives
    runs, settled = put_together(logs, split_tags={"charts/reward": split})
    assert splits(runs) == {"charts/reward": split, "loss": ""}
    assert settled.metric.name == "charts_reward"
    assert not [key for key in decisions(settled) if key.startswith("splits.tags")]


def test_training_alone_is_asked_for_the_split_that_chooses(put_together, log):
    logs = log(PATH, {"train/loss": POINTS})
    _, study = put_together(logs)
    assert decisions(study)["metric.select_on"].alternatives == ("train",)


def test_a_tag_goes_by_its_own_name_before_any_pattern(put_together, log):
    logs = log(PATH, dict.fromkeys(("eval_a/iou", "eval_b/iou", "other"), POINTS))
    stated = {"eval_*": "test", "eval_b/iou": "validation", "e*": "train"}
    runs, _ = put_together(logs, split_tags=stated)
    assert splits(runs) == {"eval_a/iou": "test", "eval_b/iou": "validation", "other": ""}


def test_a_name_that_no_tag_has_is_told_with_the_nearest_one(put_together, log):
    runs, _ = put_together(log(PATH, {"reward": POINTS}), split_tags={"rewrad": "validation"})
    (problem,) = [p for p in runs.problems if "splits.tags" in p.message]
    assert "did you mean 'reward'?" in problem.message


def test_a_guessed_direction_is_no_matter_where_nothing_rests_on_it(put_together, log):
    runs, _ = put_together(log(PATH, {"zeta": POINTS}))
    assert not [p for p in runs.problems if "zeta" in p.message]
    runs, _ = put_together(log(PATH, {"val/zeta": POINTS}))
    assert [p for p in runs.problems if "every best step rests on it" in p.message]
