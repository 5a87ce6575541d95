"""Names of metrics as people write them."""

from __future__ import annotations

import re

from reportgen.languages import noun
from reportgen.records.metrics import found_metrics

# Where programs of reinforcement learning put their curves; it says nothing of what they are.
_FOLDERS = re.compile(r"^(rollout|charts|losses)_(?=.)")
# A range of overlaps keeps its dash: `map50-95`.
_JOINTS = re.compile(r"_|-(?!\d)|(?<!\d)-")


def spelled(metric: str) -> str:
    """Return the name of a metric as words of a sentence, known ones as their field writes them.

    Example:
        >>> [spelled(name) for name in ("macro_f1", "accuracy", "wer", "rouge-l", "bleu_4")]
        ['macro F1', 'accuracy', 'WER', 'ROUGE-L', 'BLEU-4']
        >>> [spelled(name) for name in ("mean_iou", "iou_car", "ndcg@10", "mFooB")]
        ['mIoU', 'IoU car', 'nDCG@10', 'mFooB']
        >>> spelled("charts_episodic_return")
        'episodic return'
    """
    words = _JOINTS.sub(" ", _FOLDERS.sub("", metric, count=1)).split()
    text, start = [], 0
    for found in found_metrics(words):
        text += [*words[start : found.start], found.written]
        start = found.end
    return noun(" ".join((*text, *words[start:])))
