"""The words by which runs are read (`words.ini`): metrics, splits; and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from string import digits
from types import MappingProxyType
from typing import Any

from reportgen.languages import MessageRows
from reportgen.records.metrics import CUT_OFF, KNOWN_METRICS, Found, found_metrics, known_metric
from reportgen.records.rows import Rows, read_rows
from reportgen.records.run import Problem
from reportgen.records.study import Decision

# The words by which runs are read (`words.ini`), and what is said of them (`messages.ini`).


@cache
def table_of_words() -> Rows:
    """Read the table."""
    return read_rows("reportgen.runs", "words.ini")


def ordered_words(section: str, name: str) -> tuple[str, ...]:
    """Return the words of a list in their order."""
    return tuple(table_of_words()[section][name].split())


def words(section: str, name: str) -> frozenset[str]:
    """Return the words of a list.

    Example:
        >>> "rouge" in words("kinds", "higher"), "train" in words("splits", "test")
        (True, False)
    """
    return frozenset(ordered_words(section, name))


def by_word(section: str) -> dict[str, str]:
    """Return each word of the lists of a section to the name of its list.

    Example:
        >>> by_word("splits")["val"]
        'validation'
    """
    return {word: list_ for list_ in table_of_words()[section]
            for word in ordered_words(section, list_)}  # fmt: skip


told = MessageRows("reportgen.runs")


def problem(code: str, path: str, **places: Any) -> Problem:
    """Return a problem with the remedy and the level of its row."""
    remedy = told(f"{code}.remedy", **places) if f"{code}.remedy" in told.rows else ""
    level = told.rows.get(f"{code}.level", "warning")
    return Problem(path=path, message=told(code, **places), remedy=remedy, level=level)


def decided(
    key: str, value: str, reason: str, others: Iterable[str] = (), *, asks: bool = False
) -> Decision:
    """Return a decision with what else was possible; as a question, where nobody can tell."""
    return Decision(key=key, value=value, reason=reason, alternatives=tuple(others), asks=asks)


def joined(code: str, texts: Iterable[str]) -> str:
    """Return several texts as one, by a message for two of them.

    Example:
        >>> joined("and", ["a", "b", "c"]), joined("semicolon", ["a", "b"])
        ('a and b and c', 'a; b')
    """
    return reduce(lambda one, other: told(code, first=one, last=other, one=one, other=other), texts)


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names in a row: the first of many, and how many more there are.

    Example:
        >>> listed(["a", "b"]), listed(["a", "b", "c"], most=1)
        ('a, b', 'a and 2 more')
    """
    shown = ", ".join(names[:most])
    return told("more", shown=shown, n=len(names) - most) if len(names) > most else shown


# One spelling for metrics and splits, and kinds of metrics by the words of their names.
#
# The phrases are lists of `words.ini`: words joined by `_`, as in a name of one spelling.

_CACHE = 4096
_LONGEST = 4
"""Words of the longest phrase."""

BOOKKEEPING = words("kinds", "bookkeeping")
_LOWER = words("kinds", "lower")
_EARNED = words("kinds", "earned")
_HIGHER = _EARNED | words("kinds", "higher")
_NEITHER = words("kinds", "neither").union(
    f"{one}_loss" for one in words("kinds", "one_of_two")
).union(f"loss_{one}" for one in words("kinds", "one_of_two"))  # fmt: skip
_PACE = words("kinds", "pace")
_UNITS = words("kinds", "units")
_COUNTED = ("n_", "num_", "number_of_")
_TUNED = words("kinds", "tuned")
_STATISTICS = words("kinds", "statistics")
_SHARES = words("kinds", "shares")
_TOP = re.compile(r"top_?\d{1,2}")
_SPREADS = words("kinds", "spreads")

PREFERRED = ordered_words("kinds", "preferred")
"""Those of the table follow, and then what was earned, then losses."""
_EARNED_FIRST = ("average_return", "return", "reward")
_LOSSES = ("perplexity", "loss")
_PLACE_OF_LOSSES = 3
_OF_ALL = ordered_words("kinds", "of_all")
_OF_SHAPE = ordered_words("kinds", "of_shape")
_OF_OVERLAPS = re.compile(r"[:-]")
"""What a mean over several overlaps has in what it is cut off at: `50-95`."""


def _parts(name: str) -> Iterator[str]:
    """Yield every run of a name's words, up to as many as the longest phrase has."""
    for end in range(name.count("_") + 1, 0, -1):
        yield from _ends(name, end)


def _ends(name: str, end: int | None = None) -> Iterator[str]:
    """Yield the last words of a name, or those before a word, one more each time."""
    own = name.split("_")[:end]
    for start in range(len(own) - 1, max(len(own) - _LONGEST, 0) - 1, -1):
        yield "_".join(own[start:])


def _tells(phrases: Collection[str], name: str) -> bool:
    """Tell whether one of some phrases is in a name."""
    return any(part in phrases for part in _parts(name))


@lru_cache(_CACHE)
def is_pace(metric: str) -> bool:
    """Tell whether a name says how far, how fast or with what a run went, not how well.

    Example:
        >>> [is_pace(m) for m in ("epoch_time_s", "its_per_second", "x_lr0", "num_tokens", "loss")]
        [True, True, True, True, False]
        >>> is_pace("test_size")
        True
    """
    plain = metric.lower()
    return plain.startswith(_COUNTED) or _names_pace(plain)


def _names_pace(name: str) -> bool:
    head, _, unit = name.rpartition("_")
    plain = (name, head) if unit in _UNITS else (name,)
    return (
        name in BOOKKEEPING
        or any(end in _PACE for whole in plain for end in _ends(whole))
        or any(part.rstrip(digits) in _TUNED for part in _parts(name))
    )


def is_statistic(metric: str) -> bool:
    """Tell whether a name is of the update of a policy, of a length or a spread: no result."""
    return _tells(_STATISTICS, metric.lower().replace("cross_entropy", ""))


def is_return(metric: str) -> bool:
    """Tell whether a metric is what a policy earned, as its programs call it.

    Example:
        >>> [is_return(m) for m in ("charts_episodic_return", "ep_rew_mean", "reward_std")]
        [True, True, False]
    """
    own = metric.removesuffix("_mean").removesuffix("_avg").split("_")
    return own[-1] in _EARNED and not {"std", "min", "max"} & set(own)


def is_share(metric: str) -> bool:
    """Tell whether a metric is logged either as a fraction or in percent.

    Example:
        >>> [is_share(m) for m in ("iou_car", "map@0.5:0.95", "top_5", "loss")]
        [True, True, True, False]
    """
    whole = "_".join(word.partition("@")[0] for word in metric.split("_"))
    return _tells(_SHARES, whole) or bool(_TOP.fullmatch(metric))


def tells_quality(metric: str) -> bool:
    """Return whether a metric may say how good a model is, not how far or fast it went."""
    return bool(metric) and not is_pace(metric)


@lru_cache(_CACHE)
def direction_of(metric: str) -> str:
    """Return `"lower"` or `"higher"`, empty where the name does not tell.

    Example:
        >>> direction_of("nll_loss"), direction_of("accuracy"), direction_of("l1_distance")
        ('lower', 'higher', 'lower')
        >>> direction_of("charts_episodic_return"), direction_of("loss_d"), direction_of("entropy")
        ('higher', '', '')
    """
    plain = metric.lower()
    if _tells(_NEITHER, plain):
        return ""
    if _tells(_LOWER, plain):
        return "lower"
    known = known_metric(plain)
    if known is not None:
        return known.better
    return "higher" if _tells(_HIGHER, plain) else ""


def says_something(name: str) -> bool:
    """Return whether a name has a word that is none of a metric's own name."""
    return any(_tells(one, name) for one in (_LOWER, _HIGHER, _NEITHER)) or _names_pace(name)


@lru_cache(_CACHE)
def liking(metric: str) -> tuple[int, int, int]:
    """Return a metric's place in the order in which the headline takes one: the smallest first.

    Results of a task go before losses, and these before parts of a result or a loss (`iou_car`),
    what only has a direction, and names that tell nothing. Of one metric at several overlaps the
    mean over a range goes first, and of one of several shapes that of masks or poses, for which
    its model was trained. Last come statistics of an update, and what tells how far a run went.

    Example:
        >>> names = ["kl", "loss", "latency_ms", "iou_car", "mse", "ndcg@10", "mean_reward"]
        >>> sorted(names, key=liking)
        ['ndcg@10', 'mse', 'mean_reward', 'loss', 'iou_car', 'kl', 'latency_ms']
    """
    plain = metric.removeprefix("overall_")
    whole = _of_all(plain)
    if is_pace(metric) or is_statistic(metric):
        return 6 + is_pace(metric), 0, 0
    if plain in PREFERRED:
        return 0, PREFERRED.index(plain), 0
    if whole in _LOSSES:
        return _PLACE_OF_LOSSES, _LOSSES.index(whole), int(whole != plain)
    if plain.startswith("accuracy_") and not set(plain.split("_")) & _SPREADS:
        return 2, len(_EARNED_FIRST) + 1, 0
    shape = next((one for one in _OF_SHAPE if whole.startswith(one)), "")
    if found := _whole_metric(whole.removeprefix(shape)):
        order = PREFERRED.index(found.name) if found.name in PREFERRED else len(PREFERRED)
        at_one = bool(found.cut) and not _OF_OVERLAPS.search(found.cut)
        return 1, order, 2 * at_one + (not shape or shape == "bbox_")
    if is_return(plain) or any(end in _HIGHER for end in _ends(plain)):
        place = _EARNED_FIRST.index(plain) if plain in _EARNED_FIRST else len(_EARNED_FIRST)
        return 2, place, 0
    return 4 + (not direction_of(metric)), 0, 0


def is_result(metric: str) -> bool:
    """Tell whether a name is a result's or a loss's, with no word beside it."""
    return liking(metric)[0] < 4


def is_loss(metric: str) -> bool:
    """Tell whether a name is that of a loss."""
    return liking(metric)[0] == _PLACE_OF_LOSSES


def is_evaluated(metric: str) -> bool:
    """Tell whether a metric is a known one that a model is evaluated by, whole or of a part.

    Example:
        >>> [is_evaluated(m) for m in ("mean_iou", "iou_weed", "dice_loss", "reward", "lr")]
        [True, True, False, False, False]
    """
    known = known_metric(metric) is not None and "loss" not in metric.split("_")
    return known and liking(metric)[0] in {0, 1, 4}


def may_decide(metric: str) -> bool:
    """Tell whether a metric may choose a step while any other may: no statistic of an update."""
    return bool(metric) and liking(metric)[0] < 6


def _of_all(name: str) -> str:
    """Return a name without what says that it is of all classes or parts."""
    head, _, rest = name.partition("_")
    before, _, last = name.rpartition("_")
    if rest and head in _OF_ALL:
        return rest
    return before if before and last in _OF_ALL[-3:] else name


def _whole_metric(name: str) -> Found | None:
    """Return the known metric that a whole name is."""
    own = name.split("_")
    found = found_metrics(own)
    return found[0] if len(found) == 1 and found[0].end - found[0].start == len(own) else None


SPLIT_NAMES: Mapping[str, str] = MappingProxyType(by_word("splits"))
_SYNONYMS = by_word("metrics")
_SCORED = {f"{name}_score": name for name in (*KNOWN_METRICS, "accuracy", "precision", "recall")}

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
_SECTIONS = words("names", "sections")
_SECTION = re.compile(
    rf"(?i)^(?:{'|'.join(sorted(_SECTIONS))}|average(?=[/.]precision))[/.](?=[^\W_])"
)
"""A section that a program logs its numbers in, which says nothing of them: `metrics/acc`. Below
`average`, precision is the mean over classes, and no average precision."""


def metric_name(text: str) -> str:
    """Return a metric in its one spelling; empty for bookkeeping.

    Example:
        >>> [metric_name(t) for t in ("acc", "F1_score", "AverageReturn", "IoU (avg)", "wps")]
        ['accuracy', 'f1', 'average_return', 'iou', '']
        >>> [metric_name(t) for t in ("iid_acc", "Top1/acc", "acc/dataloader_idx_0", "top1_err")]
        ['iid_accuracy', 'accuracy', 'accuracy_dataloader_idx_0', 'top1_error']
        >>> metric_name("acc_gender"), metric_name("metrics/acc"), metric_name("Loss/loss")
        ('accuracy_gender', 'accuracy', 'loss')
        >>> [metric_name(t) for t in ("epoch_loss", "epoch_time", "average/precision")]
        ['loss', 'epoch_time', 'precision']
    """
    text = _SECTION.sub("", text)
    if (loader := _LOADER.search(text)) and (name := metric_name(text[: loader.start()])):
        return f"{name}_{loader[1]}"
    name = spell_metric(text)
    name = f"{name.removesuffix('_acc')}_accuracy" if name.endswith("_acc") else name
    name = f"accuracy_{name.removeprefix('acc_')}" if name.startswith("acc_") else name
    name = _SYNONYMS.get(name, name)
    # As scikit-learn calls its functions: `roc_auc_score`.
    name = name if name in KNOWN_METRICS else _SCORED.get(name, name)
    # As Keras calls the mean of an epoch, where a tracker was told of it.
    whole = name.removeprefix("epoch_")
    name = whole if whole != name and is_result(metric_name(whole)) else name
    half = name[: len(name) // 2]
    name = half if name == f"{half}_{half}" else name
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
    parts = _PARTS.findall(_AT.sub("@", plain))
    name, start = [], 0
    for found in found_metrics(parts):
        name += [*map(_spell_word, parts[start : found.start]), f"{found.name}{found.cut}"]
        start = found.end
    joined = "_".join((*name, *map(_spell_word, parts[start:])))
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
    """Return the metric behind a split, of which there may be several sets: `test_1_accuracy`.

    Chainer names its model between the two: `validation/main/loss`.
    """
    rest = rest.removeprefix("main/")
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
    """Return (metric, split) where the split stands first, last or between two slashes.

    Example:
        >>> [_split_of(tag, SPLIT_NAMES) for tag in ("trainLoss", "AccVal", "TotalF1")]
        [('loss', 'train'), ('accuracy', 'validation'), ('total_f1', '')]
    """
    tag = _RANGE.sub(r"@\1", _SECTION.sub("", tag))
    plain = _BRACKETS.sub("", tag).strip()
    for separator in ("/", "_", " ", "-", "."):
        head, _, rest = plain.partition(separator)
        if rest and head.lower() in names:
            return _of_one_set(rest), names[head.lower()]
        rest, _, tail = plain.rpartition(separator)
        if rest and tail.lower() in names:
            return metric_name(rest), names[tail.lower()]
    if plain.lower().startswith("epoch_") and (found := _split_of(plain[6:], names))[1]:
        return found
    parts = plain.split("/")
    for index in range(1, len(parts) - 1):
        if parts[index].lower() in names:
            rest = "/".join([*parts[:index], *parts[index + 1 :]])
            return metric_name(rest), names[parts[index].lower()]
    # As one word, in which a capital begins the next: `trainLoss`, `AccVal`.
    humps = _CAMEL.split(plain)
    for word, rest in ((humps[0], plain[len(humps[0]) :]), (humps[-1], plain[: -len(humps[-1])])):
        if rest and word.lower() in names:
            return metric_name(rest), names[word.lower()]
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
        >>> [result_key(t, SPLIT_NAMES) for t in ("val_metrics/n", "wikitext/word_perplexity")]
        ['val/n', 'wikitext/word_perplexity']
    """
    parts = _AT_LAST.sub("", tag).split("/")
    kept = []
    for part in parts[:-1]:
        rest, _, word = part.rpartition("_")
        split = rest if rest.lower() in names else ""
        own = split if word.lower() in _SECTIONS else part
        kept += [own] if own and own not in kept else []
    kept.append(parts[-1])
    last = kept[-1].rpartition(".")[2]
    less = len(kept) < len(parts) or not _split_of("/".join(kept), names)[1]
    if less and last != tag and split_tag(last, names)[1]:
        return last
    return "/".join(kept)
