import pytest

from reportgen.report.phrases import spelled
from reportgen.runs import metric_name


@pytest.mark.parametrize(
    ("tag", "printed"),
    [
        ("mIoU", "mIoU"), ("IoU_car", "IoU car"), ("mAP", "mAP"), ("mAP50-95", "mAP50-95"),
        ("map@0.5", "mAP@0.5"), ("ndcg@10", "nDCG@10"), ("recall@5", "Recall@5"),
        ("hr@10", "HR@10"),
        ("chrF", "chrF"), ("chrF++", "chrF++"), ("bleu", "BLEU"), ("f1", "F1"), ("auroc", "AUROC"),
        ("hd95", "HD95"), ("minDCF", "minDCF"), ("PER", "PER"), ("inception_score",
        "Inception score"), ("bert_score", "BERTScore"), ("dice", "Dice"), ("rougeLsum",
        "ROUGE-Lsum"), ("mFooB", "mFooB"), ("average_return", "average return"),
    ],
)  # fmt: skip
def test_a_metric_is_printed_as_its_field_writes_it(tag, printed):
    assert spelled(metric_name(tag)) == printed
