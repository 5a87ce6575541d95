import pytest

from reportgen.runs import (
    SPLIT_NAMES,
    direction_of,
    liking,
    metric_name,
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
        ("metrics/accuracy", "accuracy", ""),
        ("metrics.val_acc", "accuracy", "validation"),
        ("Validation accuracy", "accuracy", "validation"),
        ("test_acc1", "accuracy", "test"),
        ("eval_mean_reward", "mean_reward", "validation"),
        # One of several sets; a number that tells of the metric stays.
        ("test_1_binary_accuracy", "accuracy", "test"),
        ("test_5_shot", "5_shot", "test"),
        ("contest_loss", "contest_loss", ""),
        ("trainable", "trainable", ""),
        ("model/val/acc", "model_accuracy", "validation"),
        ("test", "test", ""),
        # In one word.
        ("trainLoss", "loss", "train"),
        ("ValF1", "f1", "validation"),
        ("accTest", "accuracy", "test"),
        ("Loss/loss", "loss", ""),
        ("validation/main/loss", "loss", "validation"),
    ],
)
def test_metric_and_split_of_a_tag(tag, metric, split):
    assert split_tag(tag, SPLIT_NAMES) == (metric, split)


@pytest.mark.parametrize(
    ("tag", "metric"),
    [
        ("mIoU", "mean_iou"), ("IoU_car", "iou_car"), ("carIoU", "car_iou"), ("mAP", "map"),
        ("chrF", "chrf"), ("chrF++", "chrf++"), ("BLEU", "bleu"), ("BLEU-4", "bleu4"),
        ("nDCG", "ndcg"), ("NDCG@10", "ndcg@10"), ("ndcg_at_10", "ndcg@10"), ("F1", "f1"),
        ("AUROC", "auroc"), ("mAP@0.5", "map@0.5"), ("mAP@[.5:.95]", "map@.5:.95"),
        ("mAP_0.5", "map@0.5"), ("mAP_0.5:0.95", "map@0.5:0.95"),
        ("mAP50-95", "map50-95"), ("HD95", "hd95"), ("minDCF", "min_dcf"), ("SI-SDR", "si_sdr"),
        ("Inception Score", "inception_score"), ("BERTScore", "bertscore"), ("MCC",
        "matthews_correlation"), ("LOSS", "loss"), ("valLoss", "val_loss"), ("dLoss", "d_loss"),
        # Of no field that is known here: as it was logged.
        ("mFooB", "mFooB"), ("XYZscore", "XYZscore"), ("nDSC", "nDSC"), ("XYZ", "XYZ"),
    ],
)  # fmt: skip
def test_capitals_inside_a_name(tag, metric):
    assert metric_name(tag) == metric
    assert split_tag(f"val/{tag}", SPLIT_NAMES) == (metric, "validation")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("rmse", "latency_ms"), ("rmse", "throughput"), ("loss", "gpu_memory_gb"),
        ("loss", "num_tokens"), ("loss", "img_per_sec"), ("loss", "grad_norm"), ("loss", "lr"),
        ("mean_iou", "iou_car"), ("mean_iou", "loss"), ("ndcg@10", "hr@10"), ("mse", "loss"),
        ("loss", "iou_car"), ("accuracy", "mean_iou"), ("map", "map50"), ("my_gain", "time_s"),
        ("map50-95", "map50"), ("map@.5:.95", "map@.5"), ("map50", "precision"), ("map50", "loss"),
        ("mask_map50-95", "map50-95"), ("map50-95", "mask_map50"), ("loss", "mask_loss"),
        ("bbox_ap", "bbox_ap50"), ("segm_ap", "bbox_ap"), ("map@0.5:0.95", "map@0.5"),
        ("mean_reward", "loss"), ("success_rate", "loss"), ("total_loss", "loss_cls"),
        ("total_loss", "fast_rcnn_cls_accuracy"), ("reward", "rewards_format_mean"),
        ("loss", "clip_ratio_high_max"), ("my_gain", "kl"), ("zeta", "entropy"),
        ("zeta", "mean_ep_length"), ("reward", "reward_std"), ("entropy", "learning_rate"),
        ("accuracy_age", "loss"), ("accuracy", "accuracy_age"), ("loss", "accuracy_std"),
        ("cross_entropy", "entropy"), ("zeta", "x_lr0"), ("zeta", "lr_group_1"),
    ],
)  # fmt: skip
def test_what_the_headline_takes_first(better, worse):
    assert liking(better) < liking(worse)


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
     ("std_return", ""), ("entropy_loss", ""), ("ep_len_mean", ""), ("zeta", ""),
     ("mean_iou", "higher"), ("iou_car", "higher"), ("map", "higher"), ("ndcg@10", "higher"),
     ("hr@10", "higher"), ("mrr@10", "higher"), ("per", "lower"), ("min_dcf", "lower"),
     ("hd95", "lower"), ("psnr", "higher"), ("dice_loss", "lower"), ("mFooB", ""),
     ("loss_per_token", "lower"), ("per_class", "")],
)  # fmt: skip
def test_which_way_is_better(metric, direction):
    assert direction_of(metric) == direction
