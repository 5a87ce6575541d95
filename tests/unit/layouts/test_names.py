import pytest

from reportgen.layouts._names import (
    SPLIT_NAMES,
    direction_of,
    metric_name,
    natural_key,
    split_tag,
)


@pytest.mark.parametrize(
    ("tag", "metric", "split"),
    [
        ("eval/accuracy", "accuracy", "validation"),
        ("val_acc", "accuracy", "validation"),
        ("valid_accuracy", "accuracy", "validation"),
        ("accuracy/val", "accuracy", "validation"),
        ("Accuracy/Test", "accuracy", "test"),
        ("test_f1_score", "f1", "test"),
        ("dev/bleu", "bleu", "validation"),
        ("train/loss", "loss", "train"),
        ("train_loss_epoch", "loss", "train"),
        ("train_loss_step", "loss_step", "train"),
        ("Eval_AverageReturn", "average_return", "validation"),
        ("Training loss", "loss", "train"),
        ("Test loss (avg on test)", "loss", "test"),
        ("IoU (avg on test)", "iou", "test"),
        ("loss", "loss", ""),
        ("top1", "accuracy", ""),
        ("contest_loss", "contest_loss", ""),
        ("trainable", "trainable", ""),
        ("model/val/acc", "model_acc", "validation"),
        ("test", "test", ""),
    ],
)
def test_metric_and_split_of_a_tag(tag, metric, split):
    assert split_tag(tag, SPLIT_NAMES) == (metric, split)


def test_the_study_may_name_splits():
    assert split_tag("held_out/acc", {**SPLIT_NAMES, "held_out": "test"}) == ("accuracy", "test")


@pytest.mark.parametrize("tag", ["wps", "runtime", "samples_per_second", "gb_free", "hp_metric"])
def test_bookkeeping_is_no_metric(tag):
    assert metric_name(tag) == ""


@pytest.mark.parametrize(
    ("metric", "direction"),
    [("loss", "lower"), ("nll_loss", "lower"), ("wer", "lower"), ("perplexity", "lower"),
     ("accuracy", "higher"), ("overall_f1", "higher"), ("average_return", "higher"),
     ("rougeLsum", "higher"), ("width", ""), ("reward", "higher"),
     ("rollout_ep_rew_mean", "higher"), ("charts_episodic_return", "higher"),
     ("success_rate", "higher"), ("dice", "higher"), ("fid", "lower"),
     ("rmse", "lower"), ("bpc", "lower"), ("regret", "lower"), ("lpips", "lower"),
     ("losses_value_loss", "lower"), ("loss_d", ""), ("losses_policy_loss", ""), ("g_loss", ""),
     ("std_return", ""), ("entropy_loss", ""), ("ep_len_mean", ""), ("zeta", "")],
)  # fmt: skip
def test_which_way_is_better(metric, direction):
    assert direction_of(metric) == direction


def test_numbers_in_names_are_ordered_by_value():
    names = ["step_500", "step_0", "step_5000", "step_1000", "step_x"]
    ordered = ["step_0", "step_500", "step_1000", "step_5000", "step_x"]
    assert sorted(names, key=natural_key) == ordered
