"""Names of metrics as people write them."""

from __future__ import annotations

from reportgen.languages import noun
from reportgen.records.metrics import metric_words


def spelled(metric: str) -> str:
    """Return the name of a metric as words of a sentence in the spoken language.

    Example:
        >>> spelled("mean_iou"), spelled("macro_f1")
        ('mIoU', 'macro F1')
    """
    return noun(metric_words(metric))
