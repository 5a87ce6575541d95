"""The table of known metrics: what stands there can be read off the definitions of each."""

import pytest

from reportgen.records.metrics import KNOWN_METRICS, found_metrics, known_metric
from reportgen.runs import metric_name


@pytest.mark.parametrize("name", KNOWN_METRICS)
def test_a_known_metric_is_found_under_its_own_name(name):
    known = KNOWN_METRICS[name]
    cut = "@10" if known.cut else ""
    (found,) = found_metrics([word for word in f"{name}{cut}".split("_") if word])
    assert (found.name, found.cut) == (name, cut)
    assert known.better in {"higher", "lower"}
    assert known.least is None or known.most is None or known.least < known.most


@pytest.mark.parametrize("name", sorted(set(KNOWN_METRICS) - {"top1"}))
def test_a_known_metric_is_read_as_its_field_writes_it(name):
    known = KNOWN_METRICS[name]
    cut = "@10" if known.cut else ""
    assert metric_name(known.written.replace("R²", "R2") + cut) == name + cut


# Which end is better, and what bounds it, by the papers named in the table.
@pytest.mark.parametrize(
    ("metric", "better", "least", "most"),
    [
        ("mean_iou", "higher", 0, 1), ("iou_car", "higher", 0, 1), ("map@0.5", "higher", 0, 1),
        ("ndcg@10", "higher", 0, 1), ("hr@10", "higher", 0, 1), ("recall@5", "higher", 0, 1),
        ("mrr@10", "higher", 0, 1), ("precision@1", "higher", 0, 1), ("hit@3", "higher", 0, 1),
        ("map@k", None, None, None), ("per", "lower", 0, None), ("cer", "lower", 0, None),
        ("ter", "lower", 0, None), ("min_dcf", "lower", 0, None), ("eer", "lower", 0, None),
        ("hd95", "lower", 0, None), ("fid", "lower", 0, None), ("lpips", "lower", 0, None),
        ("psnr", "higher", None, None), ("ssim", "higher", -1, 1),
        ("inception_score", "higher", 1, None), ("chrf", "higher", 0, None),
        ("comet", "higher", None, None), ("dice", "higher", 0, 1),
        ("bertscore", "higher", None, None), ("matthews_correlation", "higher", -1, 1),
        ("perplexity", "lower", 1, None), ("wer", "lower", 0, None), ("r2", "higher", None, 1),
        ("samples_per_second", None, None, None), ("p", None, None, None),
    ],
)  # fmt: skip
def test_direction_and_bounds(metric, better, least, most):
    known = known_metric(metric)
    told = (None, None, None) if known is None else (known.better, known.least, known.most)
    assert told == (better, least, most)
