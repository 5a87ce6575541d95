"""Tags that name no split: what is asked of them, and what a study says of single tags."""

from fnmatch import fnmatchcase

import pytest
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)
KEY = "splits.tags."
POINTS = {step: float(step) for step in range(5)}
PATH = "a_seed0/events.out.tfevents.1.h.1.0"


def decisions(study):
    return {decision.key: decision for decision in study.decisions}


def splits(runs):
    return {series.tag: series.split for series in runs.runs[0].scalars.values()}


@pytest.mark.parametrize(("tags", "metric"), ROWS["what_is_taken_where_nothing_was_evaluated"])
def test_what_is_taken_where_nothing_was_evaluated(put_together, log, tags, metric):
    _, study = put_together(log(PATH, dict.fromkeys(tags, POINTS)))
    assert study.metric.name == metric
    assert decisions(study)["metric.select_on"].value == ""


@pytest.mark.parametrize(("tags", "split"), ROWS["a_result_beside_losses_that_name_their_splits"])
def test_a_result_beside_losses_that_name_their_splits(put_together, log, tags, split):
    runs, study = put_together(log(PATH, dict.fromkeys(tags, POINTS)))
    assert splits(runs)[tags[-1]] == split
    told = decisions(study).get(KEY + tags[-1])
    assert (told.value if told and not told.asks else "") == split * (split == "validation")


def test_a_mean_of_a_split_is_called_as_the_mean_beside_it(put_together, log):
    tags = ["average-episode-return", "average-test-episode-return", "avg_val_loss"]
    (run,) = put_together(log(PATH, dict.fromkeys(tags, POINTS)))[0].runs
    assert {(one.metric, one.split) for one in run.scalars.values()} == {
        ("average_episode_return", ""), ("average_episode_return", "test"), ("loss", "validation"),
    }  # fmt: skip


def test_a_return_of_few_runs_does_not_stand_for_all(put_together, log):
    logs = [log(f"dreamer_seed{seed}/events.out.tfevents.1.h.1.0", {"train/return": POINTS})
            for seed in range(4)]  # fmt: skip
    own = log("sac_seed0/events.out.tfevents.1.h.1.0", {"eval/mean_reward": POINTS})
    assert put_together(*logs, own)[1].metric.name == "return"
    both = log("dreamer_seed9/e.1", {"train/return": POINTS, "test/return": POINTS})
    _, study = put_together(*logs, both)
    assert study.metric.report_on == decisions(study)["metric.report_on"].value == "train"
    assert put_together(logs[0], own)[1].metric.name == "mean_reward"


def test_what_is_measured_more_often_than_the_validation_loss_stays_open(put_together, log):
    tags = {"train_loss": POINTS, "val_loss": {4: 1.0}, "acc": POINTS}
    runs, _ = put_together(log(PATH, tags))
    assert splits(runs)["acc"] == ""


def test_what_tells_how_fast_a_run_was_is_no_metric(put_together, log):
    tags = dict.fromkeys(("time/fps", "lr", "global_step", "grad_norm", "epoch"), POINTS)
    _, study = put_together(log(PATH, tags))
    assert study.metric.name == ""
    assert not [key for key in decisions(study) if key.startswith("splits.tags")]


# Of each program, as its source writes them: the tags, and what the last of them is.
@pytest.mark.parametrize(("tags", "metric", "split"), ROWS["what_a_program_documents_of_its_tags"])
def test_what_a_program_documents_of_its_tags(put_together, log, tags, metric, split):
    runs, study = put_together(log(PATH, dict.fromkeys(tags, POINTS)))
    found = runs.runs[0].scalars[tags[-1]]
    assert (found.metric, found.split) == (metric, split)
    told = decisions(study).items()
    said = [d.value for key, d in told if d.value and fnmatchcase(f"{KEY}{tags[-1]}", key)]
    assert said == (["validation"] if split == "validation" else [])


@pytest.mark.parametrize(("tags", "metric"), ROWS["what_is_taken_of_an_evaluation"])
def test_what_is_taken_of_an_evaluation(put_together, log, tags, metric):
    _, study = put_together(log(PATH, dict.fromkeys(tags, POINTS)))
    assert study.metric.name == metric


def test_a_policy_is_judged_by_its_reward_where_few_were_evaluated(put_together, log):
    tags = ("train/reward", "train/loss")
    logs = [log(f"a_seed{n}/e.1", dict.fromkeys((*tags, "eval/loss"), POINTS)) for n in range(5)]
    one = dict.fromkeys((*tags, "eval/loss", "eval/reward"), POINTS)
    _, study = put_together(*logs, log("a_seed9/e.1", one))
    assert study.metric.name == "reward"


def test_of_two_test_sets_one_counts_and_the_other_keeps_its_name(put_together, log):
    tests = {f"test_{n}_accuracy": {4: 0.9 - 0.1 * n} for n in (1, 2)}
    runs, study = put_together(log(PATH, {"eval/accuracy": POINTS, **tests}))
    assert decisions(study)["metric.tags"].alternatives == ("test_2_accuracy",)
    named = {one.tag: one.metric for one in runs.runs[0].results}
    assert named == {"test_1_accuracy": "accuracy", "test_2_accuracy": "test_2_accuracy"}


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


def test_a_tag_goes_by_its_own_name_before_any_pattern(put_together, log):
    logs = log(PATH, dict.fromkeys(("eval_a/iou", "eval_b/iou", "other"), POINTS))
    stated = {"eval_*": "test", "eval_b/iou": "validation", "e*": "train"}
    runs, _ = put_together(logs, split_tags=stated)
    assert splits(runs) == {"eval_a/iou": "test", "eval_b/iou": "validation", "other": ""}


def test_a_name_that_no_tag_has_is_told_with_the_nearest_one(put_together, log):
    runs, _ = put_together(log(PATH, {"reward": POINTS}), split_tags={"rewrad": "validation"})
    (problem,) = [p for p in runs.problems if "splits.tags" in p.message]
    assert "did you mean 'reward'?" in problem.message
