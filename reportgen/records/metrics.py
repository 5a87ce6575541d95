"""Metrics by name: how their field writes them, which end is better, what values they can have.

This is the one table of them; layouts read tags by it, sections and figures print by it, checks
read reports by it. A metric stands under the name that layouts give it: small letters, words
joined by `_`, and without its cut-off (`ndcg@10` is `ndcg` at 10).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from reportgen.records.record import record
from reportgen.records.rows import read_rows


@record
class KnownMetric:
    """What is known of a metric by its name alone.

    Attributes:
        written: As its field writes it: `mIoU`.
        better: `"higher"`, `"lower"`, or empty where a name does not tell.
        least: The smallest value it can have; None where there is none.
        most: The largest, as a fraction where it is a share; None where there is none.
        also: Other names that programs give it, in small letters without `_`.
        alone: The name has to stand at the end of a tag: before another word it is an English
            one (`per_class`).
        cut: The name is a metric only with a cut-off (`p@5`).
    """

    written: str
    better: str
    least: float | None = 0.0
    most: float | None = None
    also: tuple[str, ...] = ()
    alone: bool = False
    cut: bool = False


_ROWS = read_rows("reportgen.records", "metrics.ini")


def _known(row: str) -> KnownMetric:
    """Return what a row of the table says."""
    written, better, least, most, also, mark = (*row.split(", "), *[""] * 5)[:6]
    return KnownMetric(
        written=written,
        better=better,
        least=float(least) if least else None,
        most=float(most) if most else None,
        also=tuple(also.split()),
        alone=mark == "alone",
        cut=mark == "cut",
    )


SHARES_OF_EXAMPLES = frozenset(
    {"accuracy", "error_rate", "top1", "top5", "top1_error", "top5_error"}
)
"""Metrics that are a share of examples, each of which is right or wrong."""
KNOWN_METRICS: Mapping[str, KnownMetric] = MappingProxyType(
    {name: _known(row) for rows in _ROWS.values() for name, row in rows.items()}
)
"""Metric in the spelling of the layouts to what is known of it (`metrics.ini`)."""

CUT_OFF = r"@(?:\d*\.)?\d+(?:[:-](?:\d*\.)?\d+)?"
"""What stands behind a metric that is cut off: at 10 results, at an overlap of 0.5, at 0.5:0.95."""

_WITH_CUT_OFF = re.compile(
    rf"(?P<name>[^@]+?)(?P<overlap>(?<=ap)(?:50-95|50|75))?(?P<cut>{CUT_OFF})?"
)
_LONGEST = 3
"""Words of the longest name: `rouge_l_sum`."""


_BY_PLAIN: Mapping[str, str] = {
    plain: name
    for name, known in KNOWN_METRICS.items()
    for plain in (name.replace("_", ""), *known.also)
}
_BEGUN = frozenset(plain[:2] for plain in _BY_PLAIN)
"""First two letters of each name, or its only one."""


@record
class Found:
    """A metric of the table among the words of a tag.

    Attributes:
        start: Place of its first word.
        end: The place behind its last one.
        name: In the spelling of the layouts, without what it is cut off at.
        cut: What it is cut off at (`@10`), or the overlap that detection writes (`50`); or empty.
    """

    start: int
    end: int
    name: str
    cut: str

    @property
    def known(self) -> KnownMetric:
        """What is known of it."""
        return KNOWN_METRICS[self.name]

    @property
    def written(self) -> str:
        """The metric as its field writes it.

        Example:
            >>> [found_metrics([word])[0].written for word in ("NDCG@10", "recall@5", "map50-95")]
            ['nDCG@10', 'Recall@5', 'mAP50-95']
        """
        written = self.known.written
        capital = self.cut and self.name in _ROWS["words"]
        return (written.capitalize() if capital else written) + self.cut


def found_metrics(words: Sequence[str]) -> list[Found]:
    """Return the metrics of the table that the words of a tag name, in order, the longest first.

    Args:
        words: In letters of any case.

    Example:
        >>> [(m.name, m.cut) for m in found_metrics(["macro", "Rouge", "L", "NDCG@10", "mFooB"])]
        [('rouge_l', ''), ('ndcg', '@10')]
    """
    found: list[Found] = []
    start = 0
    while start < len(words):
        longest = min(_LONGEST, len(words) - start)
        begun = "".join(words[start : start + longest])[:2].lower()
        if _BEGUN.isdisjoint((begun, begun[:1])):
            longest = 0
        one = next(filter(None, (_at(words, start, n) for n in range(longest, 0, -1))), None)
        if one is not None:
            found.append(one)
        start = one.end if one is not None else start + 1
    return found


def _at(words: Sequence[str], start: int, length: int) -> Found | None:
    """Return the metric that some words joined are, None where they are none."""
    end = start + length
    match = _WITH_CUT_OFF.fullmatch("".join(words[start:end]).lower())
    if match is None:
        return None
    name, cut = _BY_PLAIN.get(match["name"], ""), (match["overlap"] or "") + (match["cut"] or "")
    if not name or (KNOWN_METRICS[name].cut and not cut):
        return None
    if KNOWN_METRICS[name].alone and end != len(words):
        return None
    return Found(start=start, end=end, name=name, cut=cut)


def known_metric(metric: str) -> KnownMetric | None:
    """Return what is known of a metric, None where its name is none of the table.

    Words before it tell of which class or how it was averaged, words behind it of what.

    Args:
        metric: In the spelling of the layouts.

    Example:
        >>> known_metric("iou_car").written, known_metric("macro_f1").better
        ('IoU', 'higher')
        >>> known_metric("ndcg@10").most, known_metric("samples_per_second")
        (1.0, None)
    """
    found = found_metrics(metric.split("_"))
    return found[-1].known if found else None


# Where programs of reinforcement learning put their curves; it says nothing of what they are.
_FOLDERS = re.compile(r"^(rollout|charts|losses)_(?=.)")
# A range of overlaps keeps its dash: `map50-95`.
_JOINTS = re.compile(r"_|-(?!\d)|(?<!\d)-")


def metric_words(metric: str) -> str:
    """Return the name of a metric as words of a sentence, known ones as their field writes them.

    Example:
        >>> [metric_words(name) for name in ("macro_f1", "accuracy", "wer", "rouge-l", "bleu_4")]
        ['macro F1', 'accuracy', 'WER', 'ROUGE-L', 'BLEU-4']
        >>> [metric_words(name) for name in ("mean_iou", "iou_car", "ndcg@10", "mFooB")]
        ['mIoU', 'IoU car', 'nDCG@10', 'mFooB']
        >>> metric_words("charts_episodic_return")
        'episodic return'
    """
    words = _JOINTS.sub(" ", _FOLDERS.sub("", metric, count=1)).split()
    text, start = [], 0
    for found in found_metrics(words):
        text += [*words[start : found.start], found.written]
        start = found.end
    return " ".join((*text, *words[start:]))
