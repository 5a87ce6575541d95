"""Names of metrics as people write them."""

from __future__ import annotations

import re

from reportgen.languages import noun

# Names of metrics that are not spelt like words; the rest are.
_SPELT = {
    name: name.upper()
    for name in (
        *("auc", "auroc", "bleu", "cer", "eer", "em", "f1", "fid", "lpips", "mae", "map", "mape"),
        *("mcc", "meteor", "mos", "mrr", "mse", "pesq", "psnr", "rmse", "rouge", "sari", "ser"),
        *("ssim", "stoi", "ter", "wer"),
    )
} | {
    "chrf": "chrF",
    "miou": "mIoU",
    "iou": "IoU",
    "ndcg": "nDCG",
    "ppl": "perplexity",
    "r2": "R²",
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rougel": "ROUGE-L",
    "rougelsum": "ROUGE-Lsum",
    "sacrebleu": "SacreBLEU",
    "top1": "top-1",
    "top5": "top-5",
}


# Where programs of reinforcement learning put their curves; it says nothing of what they are.
_FOLDERS = re.compile(r"^(rollout|charts|losses)_(?=.)")


def spelled(metric: str) -> str:
    """Return the name of a metric as words of a sentence, abbreviations as people write them.

    Example:
        >>> [spelled(name) for name in ("macro_f1", "accuracy", "wer", "rouge-l", "bleu_4")]
        ['macro F1', 'accuracy', 'WER', 'ROUGE-L', 'BLEU-4']
        >>> spelled("charts_episodic_return")
        'episodic return'
    """
    words = _FOLDERS.sub("", metric, count=1).replace("_", " ").replace("-", " ").split()
    text = " ".join(_SPELT.get(word.lower(), word) for word in words)
    return noun(
        re.sub(
            r"\b(ROUGE|BLEU) (\d+|l|lsum)\b",
            lambda m: f"{m[1]}-{m[2].capitalize()}",
            text,
            flags=re.IGNORECASE,
        )
    )
