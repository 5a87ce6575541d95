"""One spelling for metrics and splits, whatever a program calls them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from reportgen.records.metrics import CUT_OFF, KNOWN_METRICS, found_metrics
from reportgen.runs._kinds import BOOKKEEPING, is_result, is_share, says_something

_SPLIT_WORDS = (
    ("train", "train training"),
    ("validation", "valid validation val eval evaluation dev"),
    ("test", "test testing predict"),
)
_METRIC_WORDS = (
    ("accuracy", "acc acc1 acc@1 top1 top_1 top1_accuracy accuracy_top1 binary_accuracy"),
    ("accuracy", "categorical_accuracy sparse_categorical_accuracy accs accuracies"),
    ("exact_match", "em"),
    ("f1", "f1_score fscore f1s f1_scores"),
    ("grad_norm", "gnorm"),
    ("learning_rate", "lr"),
    ("loss", "losses"),
    ("matthews_correlation", "matthews mcc"),
    ("nll_loss", "nll"),
    ("return", "returns"),
    ("reward", "rewards"),
)


def _by_word(rows: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    return MappingProxyType({word: name for name, words in rows for word in words.split()})


SPLIT_NAMES = _by_word(_SPLIT_WORDS)
_SYNONYMS = _by_word(_METRIC_WORDS)

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PLAIN_CAMEL = re.compile(r"[A-Z]|[a-z0-9]{2,}([A-Z][a-z0-9]+)*|([A-Z][a-z0-9]+)+|[a-z0-9]")
"""A word, or words of which each begins with a capital: `loss`, `valLoss`, `AverageReturn`."""
_CAPITALS = re.compile(
    "|".join(
        sorted(
            (
                re.escape(m.written)
                for m in KNOWN_METRICS.values()
                if re.search("[A-Z]{2}|[a-z][A-Z]", m.written)
            ),
            key=lambda written: (-len(written), written),
        )
    )
)
_PERCENT = frozenset({"pct", "perc", "percent", "percentage"})
"""Last words of shares that say their unit: `accuracy_percent`. Values tell it as well."""
_RANGE = re.compile(r"@\[([^\]]*)\]")
_AT = re.compile(r"(?<=[a-z])[ _]at[ _](?=\d)|(?<=map)_(?=0?\.\d)", re.IGNORECASE)
"""What stands before a cut-off: `recall_at_5`, `mAP_0.5:0.95` of YOLOv5."""
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_PARTS = re.compile(
    rf"(?<![^\W_])m?AP50-95(?![^\W_])|[^\s/\-.:_@]+(?:{CUT_OFF})?|@[^\s/_]*", re.IGNORECASE
)
"""Words of a tag: what it is cut off at, and a range of overlaps, are part of one."""


_LOADER = re.compile(r"[/_](dataloader_idx_\d+)$")
"""What Lightning puts behind a metric where it evaluates on several sets."""

_AT_LAST = re.compile(r"(?i)^(?:final|last)[_ /.]+")
_SECTIONS = frozenset({"metrics", "results", "scores"})
"""Last words of the names of sections that hold results."""


def metric_name(text: str) -> str:
    """Return a metric in its one spelling; empty for bookkeeping.

    Example:
        >>> [metric_name(t) for t in ("acc", "F1_score", "AverageReturn", "IoU (avg)", "wps")]
        ['accuracy', 'f1', 'average_return', 'iou', '']
        >>> [metric_name(t) for t in ("iid_acc", "Top1/acc", "acc/dataloader_idx_0", "top1_err")]
        ['iid_accuracy', 'accuracy', 'accuracy_dataloader_idx_0', 'top1_error']
        >>> metric_name("acc_gender")
        'accuracy_gender'
    """
    if (loader := _LOADER.search(text)) and (name := metric_name(text[: loader.start()])):
        return f"{name}_{loader[1]}"
    name = spell_metric(text)
    name = f"{name.removesuffix('_acc')}_accuracy" if name.endswith("_acc") else name
    name = f"accuracy_{name.removeprefix('acc_')}" if name.startswith("acc_") else name
    name = _SYNONYMS.get(name, name)
    return "" if name in BOOKKEEPING else name


@lru_cache(maxsize=4096)
def spell_metric(text: str) -> str:
    """Return a name in small letters with underscores, before synonyms are taken for one.

    A known metric gets its one spelling; a word with capitals in its middle that is none, and is
    no row of words either, stays as it was logged.

    Example:
        >>> spell_metric("valid1/Acc"), spell_metric("AverageReturn"), spell_metric("mIoU")
        ('valid1_acc', 'average_return', 'mean_iou')
        >>> spell_metric("accuracy_percent"), spell_metric("sparsity_percent")
        ('accuracy', 'sparsity_percent')
        >>> [spell_metric(t) for t in ("NDCG@10", "recall_at_5", "mAP@[.5:.95]", "mFooB", "XYZ")]
        ['ndcg@10', 'recall@5', 'map@.5:.95', 'mFooB', 'XYZ']
    """
    plain = _BRACKETS.sub("", _RANGE.sub(r"@\1", text)).strip()
    words = _PARTS.findall(_AT.sub("@", plain))
    name, start = [], 0
    for found in found_metrics(words):
        name += [*map(_spell_word, words[start : found.start]), f"{found.name}{found.cut}"]
        start = found.end
    joined = "_".join((*name, *map(_spell_word, words[start:])))
    share, _, unit = joined.rpartition("_")
    if unit in _PERCENT and is_share(share):
        return share
    return joined.removesuffix("_epoch") if joined != "epoch" else joined


def _spell_word(word: str) -> str:
    """Return a word of a tag that is no known metric."""
    split = _CAMEL.sub("_", word).lower()
    if _PLAIN_CAMEL.fullmatch(word) or split in _SYNONYMS or says_something(split):
        return split
    rest = _CAPITALS.split(word)
    if len(rest) > 1 and all(
        not part or (_PLAIN_CAMEL.fullmatch(part) and part[1:]) for part in rest
    ):
        return spell_metric(_CAPITALS.sub(r"_\g<0>_", word))
    return word


def _of_one_set(rest: str) -> str:
    """Return the metric behind a split, of which there may be several sets: `test_1_accuracy`."""
    number, _, name = rest.partition("_")
    alone = metric_name(name) if number.isdecimal() else ""
    return alone if alone and is_result(alone) else metric_name(rest)


def split_tag(tag: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return (metric, split) of a tag that may name its split first or last.

    Example:
        >>> [split_tag(t, SPLIT_NAMES) for t in ("val/acc", "accuracy/test", "valid_accuracy")]
        [('accuracy', 'validation'), ('accuracy', 'test'), ('accuracy', 'validation')]
        >>> split_tag("Test loss (avg on test)", SPLIT_NAMES), split_tag("loss", SPLIT_NAMES)
        (('loss', 'test'), ('loss', ''))
        >>> split_tag("IoU (avg on test)", SPLIT_NAMES), split_tag("acc [val]", SPLIT_NAMES)
        (('iou', 'test'), ('accuracy', 'validation'))
        >>> [split_tag(t, SPLIT_NAMES) for t in ("test_1_accuracy", "test_5_shot")]
        [('accuracy', 'test'), ('5_shot', 'test')]
        >>> split_tag("student/val_acc", SPLIT_NAMES)
        ('student_accuracy', 'validation')
    """
    metric, split = _split_of(tag, names)
    folder, _, last = tag.rpartition("/")
    if not split and folder and (named := _split_of(last, names))[1] and named[0]:
        # As of a student beside its teacher.
        return metric_name(f"{folder}/{named[0]}"), named[1]
    return metric, split


def _split_of(tag: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return (metric, split) where the split stands first, last or between two slashes."""
    tag = _RANGE.sub(r"@\1", tag)
    plain = _BRACKETS.sub("", tag).strip()
    for separator in ("/", "_", " ", "-", "."):
        head, _, rest = plain.partition(separator)
        if rest and head.lower() in names:
            return _of_one_set(rest), names[head.lower()]
        rest, _, tail = plain.rpartition(separator)
        if rest and tail.lower() in names:
            return metric_name(rest), names[tail.lower()]
    parts = plain.split("/")
    for index in range(1, len(parts) - 1):
        if parts[index].lower() in names:
            rest = "/".join([*parts[:index], *parts[index + 1 :]])
            return metric_name(rest), names[parts[index].lower()]
    inside = re.findall(r"[a-z]+", " ".join(_BRACKETS.findall(tag)).lower())
    return metric_name(plain), next((names[word] for word in inside if word in names), "")


def named_split(word: str, names: Mapping[str, str]) -> str:
    """Return the split of a folder or prefix, which may be one of several: `valid1`."""
    return names.get(word, names.get(word.rstrip("0123456789"), ""))


def trainer_tag(tag: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return (metric, split) of a tag of the Hugging Face Trainer, or as it tells trackers.

    What the Trainer logs once at the end under `train/train_*` sums a run up; it is kept and is
    no metric.
    """
    prefix, _, rest = tag.partition("/")
    if prefix == "train" and rest.startswith("train_"):
        return "", names[prefix]
    return (metric_name(rest), names[prefix]) if rest and prefix in names else split_tag(tag, names)


_MEAN = re.compile(r"(?:average|avg|mean)_")


def meant_label(metric: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return (metric, split) of what a metric is the mean of, where its words name a split.

    Example:
        >>> meant_label("average_training_loss", SPLIT_NAMES)
        ('loss', 'train')
        >>> meant_label("mean_iou", SPLIT_NAMES), meant_label("val_loss", SPLIT_NAMES)
        (('', ''), ('', ''))
    """
    mean = _MEAN.match(metric)
    found = split_tag(metric[mean.end() :], names) if mean else ("", "")
    return found if found[1] else ("", "")


def result_key(tag: str, names: Mapping[str, str]) -> str:
    """Return a key of a file of results without the sections that say no more than `metrics`.

    A key that names its own split is of that one, whatever the file is called.

    Example:
        >>> [result_key(t, SPLIT_NAMES) for t in ("test/test_metrics/accuracy", "wandb/test_acc")]
        ['test/accuracy', 'test_acc']
        >>> result_key("test/checkpoint_metrics/val_acc", SPLIT_NAMES)
        'val_acc'
        >>> result_key("wikitext/word_perplexity", SPLIT_NAMES)
        'wikitext/word_perplexity'
    """
    parts = _AT_LAST.sub("", tag).split("/")
    kept = [p for p in parts if p.lower().rpartition("_")[2] not in _SECTIONS] or parts
    last = kept[-1].rpartition(".")[2]
    less = len(kept) < len(parts) or not _split_of("/".join(kept), names)[1]
    if less and last != tag and split_tag(last, names)[1]:
        return last
    return "/".join(kept)
