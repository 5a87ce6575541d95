"""One spelling for metrics and splits, whatever a program calls them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from reportgen.records.metrics import CUT_OFF, KNOWN_METRICS, found_metrics, known_metric

SPLIT_NAMES: Mapping[str, str] = {
    "train": "train",
    "training": "train",
    "valid": "validation",
    "validation": "validation",
    "val": "validation",
    "eval": "validation",
    "evaluation": "validation",
    "dev": "validation",
    "test": "test",
    "testing": "test",
    "predict": "test",
}

_SYNONYMS: Mapping[str, str] = {
    "acc": "accuracy",
    "top1": "accuracy",
    "acc@1": "accuracy",
    "top_1": "accuracy",
    "acc1": "accuracy",
    "top1_accuracy": "accuracy",
    "accuracy_top1": "accuracy",
    "binary_accuracy": "accuracy",
    "categorical_accuracy": "accuracy",
    "sparse_categorical_accuracy": "accuracy",
    "f1_score": "f1",
    "fscore": "f1",
    "nll": "nll_loss",
    "lr": "learning_rate",
    "gnorm": "grad_norm",
    "matthews": "matthews_correlation",
    "mcc": "matthews_correlation",
    "em": "exact_match",
}

BOOKKEEPING = frozenset(
    {
        "runtime", "samples", "samples_per_second", "steps_per_second", "jit_compilation_time",
        "model_preparation_time", "total_flos", "wps", "ups", "wpb", "bsz", "gb_free", "wall",
        "train_wall", "clip", "num_updates", "loss_scale", "hp_metric", "memory", "time",
        "data_time", "max_mem",
        "num_input_tokens_seen", "best_accuracy", "best_loss",
    }
)  # fmt: skip
"""Tags that tell how fast or where a run was, not how good."""

LOWER = re.compile(
    r"(.*_)?(loss|error|err|error_rate|regret|latency|time|duration|distance|bits_per_byte|"
    r"bits_per_dim|bpb|cross_entropy|divergence|hausdorff\w*)(_.*)?"
)
"""Words beside the table of known metrics that make a name better when lower, whatever else is in
it (`dice_loss`): errors of a prediction, distances, bits spent a symbol, what a policy missed
(regret), and time. `kl` is not among them: a policy is kept near another, not pressed onto it.
"""
HIGHER = re.compile(
    r"(.*_)?(rouge\w*|specificity|sensitivity|pearsonr?|spearmanr?|r2_score|return|returns|reward|"
    r"rewards|rew|score|success|success_rate|win_rate|solve_rate|elo|throughput|"
    r"explained_variance|average_precision|elbo|log_likelihood)(_.*)?"
)
"""Words beside the table that make a name better when higher: shares of what was right, rank
correlations, likelihoods, and what a policy earned. `entropy` and the length of an episode are in
neither: an agent that balances wants long ones, one that flees a maze short ones.
"""
_ONE_OF_TWO = "d|g|discriminator|generator|critic|adversarial|policy|actor|policy_gradient|entropy"
NEITHER = re.compile(
    rf"(.*_)?(({_ONE_OF_TWO})_loss|loss_({_ONE_OF_TWO})|std_(return|reward|ep_len))(_.*)?"
)
"""Names that look like one of the above and tell nothing: a loss that another network works
against, or that stands for a gradient, and the spread of a return.
"""
PREFERRED = (
    "accuracy", "balanced_accuracy", "exact_match", "f1", "f1_macro", "macro_f1",
    "matthews_correlation", "pearson", "wer", "cer", "bleu", "rouge_l", "rouge1", "mean_iou",
    "map", "iou", "dice", "auc", "auroc", "ndcg",
)  # fmt: skip
"""Metrics in the order in which the headline takes the first one that was logged; those of the
table follow, and then these.
"""
_LAST_PREFERRED = ("average_return", "return", "reward", "perplexity", "loss")
_OF_CLASSES = re.compile(
    r"(overall|mean|avg|average|macro|micro|weighted)_|_(macro|micro|weighted)"
)
"""What says that a metric is one of all classes, and no part of a result."""

_OF_OVERLAPS = re.compile(r"[:-]")
"""What a mean over several overlaps has in what it is cut off at: `50-95`."""
_OF_SHAPE = re.compile(r"(mask|pose)_")
"""What says of which shapes a detector's metric is, where it has them beside boxes."""

RETURN = re.compile(
    r"(?!.*(std|min|max)_)(.*_)?(episodic|episode|ep|average|mean|avg|test|eval)?_?"
    r"(return|returns|reward|rewards|rew|score)(_mean|_avg)?"
)
"""What a policy earned, as its programs call it: `charts/episodic_return`, `ep_rew_mean`."""

_PACE = re.compile(
    r"(.*_)?(fps|sps|time|times|timer|duration|latency|throughput|seconds|minutes|hours|"
    r"time_elapsed|time_since_start|total_timesteps|timesteps|total_steps|env_?steps|"
    r"env_?steps_so_far|iterations|iteration|n_updates|num_updates|global_step|episodes|n_episodes|"
    r"lr|learning_rate|grad_?norm|epoch|step|epsilon|exploration_rate|clip_range|clipfrac|"
    r"clip_fraction|momentum|weight_decay|mem|memory|vram|ram|utilization|utilisation|flops|"
    r"gflops|params|parameters|count|counts|energy|watts)"
    r"(_(ns|us|ms|s|sec|secs|seconds|mins?|minutes|hours|b|bytes|kb|mb|gb|kib|mib|gib|kwh|wh))?"
    r"|(.*_)?(per|it|its)_(s|sec|second|minute|hour)"
)
"""Names that say how far, how fast, with what and on how much a run went, not how well; with what
is before, and the unit behind.
"""
_COUNTED = re.compile(r"(n|num|number_of)_.*")

RATIO = re.compile(
    r"(.*_)?(accuracy|f1|precision|recall|exact_match|wer|cer|iou|dice|auc|roc_auc|"
    r"m?ap(50-95|50|75)?)(_.*)?|top_?\d{1,2}"
)
"""Metrics that are logged either as a fraction or in percent."""

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
_RANGE = re.compile(r"@\[([^\]]*)\]")
ULTRALYTICS = re.compile(r"metrics/(?:([\w.-]+)\(([BMP])\)|(accuracy_top[15]))")
"""What a detector of Ultralytics reaches with its boxes, masks or poses, and what a classifier of
theirs does: computed on the validation split after each epoch, which the tag does not say.

Source: docs.ultralytics.com, `reference/utils/metrics` (`keys` of `DetMetrics`, `SegmentMetrics`,
`PoseMetrics` and `ClassifyMetrics`), and `modes/train`.
"""
_SHAPES = {"B": "", "M": "mask_", "P": "pose_"}
_AT = re.compile(r"(?<=[A-Za-z])[ _]at[ _](?=\d)", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_PARTS = re.compile(
    rf"(?<![^\W_])m?AP50-95(?![^\W_])|[^\s/\-.:_@]+(?:{CUT_OFF})?|@[^\s/_]*", re.IGNORECASE
)
"""Words of a tag: what it is cut off at, and a range of overlaps, are part of one."""


def metric_name(text: str) -> str:
    """Return a metric in its one spelling; empty for bookkeeping.

    Example:
        >>> [metric_name(t) for t in ("acc", "F1_score", "AverageReturn", "IoU (avg)", "wps")]
        ['accuracy', 'f1', 'average_return', 'iou', '']
    """
    name = spell_metric(text)
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
    return joined.removesuffix("_epoch") if joined != "epoch" else joined


def _spell_word(word: str) -> str:
    """Return a word of a tag that is no known metric."""
    split = _CAMEL.sub("_", word).lower()
    if _PLAIN_CAMEL.fullmatch(word) or _says_something(split):
        return split
    rest = _CAPITALS.split(word)
    if len(rest) > 1 and all(
        not part or (_PLAIN_CAMEL.fullmatch(part) and part[1:]) for part in rest
    ):
        return spell_metric(_CAPITALS.sub(r"_\g<0>_", word))
    return word


def _says_something(name: str) -> bool:
    """Return whether a name in small letters has a word that is none of a metric's own name."""
    known = (LOWER, HIGHER, NEITHER, _PACE)
    return name in BOOKKEEPING or name in _SYNONYMS or any(p.fullmatch(name) for p in known)


def split_tag(tag: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return (metric, split) of a tag that may name its split first or last.

    Example:
        >>> [split_tag(t, SPLIT_NAMES) for t in ("val/acc", "accuracy/test", "valid_accuracy")]
        [('accuracy', 'validation'), ('accuracy', 'test'), ('accuracy', 'validation')]
        >>> split_tag("Test loss (avg on test)", SPLIT_NAMES), split_tag("loss", SPLIT_NAMES)
        (('loss', 'test'), ('loss', ''))
        >>> split_tag("IoU (avg on test)", SPLIT_NAMES), split_tag("acc [val]", SPLIT_NAMES)
        (('iou', 'test'), ('accuracy', 'validation'))
        >>> [split_tag(f"metrics/{t}", SPLIT_NAMES)[0] for t in ("mAP50-95(B)", "recall(M)")]
        ['map50-95', 'mask_recall']
    """
    if found := ULTRALYTICS.fullmatch(tag.strip()):
        shape = _SHAPES[found[2] or "B"]
        return f"{shape}{metric_name(found[1] or found[3])}", "validation"
    tag = _RANGE.sub(r"@\1", tag)
    plain = _BRACKETS.sub("", tag).strip()
    for separator in ("/", "_", " ", "-", "."):
        head, _, rest = plain.partition(separator)
        if rest and head.lower() in names:
            return metric_name(rest), names[head.lower()]
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


def tells_quality(metric: str) -> bool:
    """Return whether a metric may say how good a model is, and not how far or fast it went.

    Example:
        >>> [tells_quality(m) for m in ("reward", "time_fps", "charts_learning_rate", "epoch", "")]
        [True, False, False, False, False]
    """
    plain = metric.lower()
    told = _PACE.fullmatch(plain) or _COUNTED.fullmatch(plain)
    return bool(metric) and plain not in BOOKKEEPING and not told


def liking(metric: str) -> tuple[int, int, int]:
    """Return a metric's place in the order in which the headline takes one: the smallest first.

    Evaluation goes before a loss, a loss before what has only a direction; a part of a result
    (`iou_car`) is none of the table's own names and comes behind them. Of one metric at several
    overlaps the mean over a range goes first, and of one of several shapes that of masks or poses,
    for which its model was trained.

    Example:
        >>> sorted(["loss", "latency_ms", "iou_car", "mse", "ndcg@10", "mean_iou"], key=liking)
        ['mean_iou', 'ndcg@10', 'mse', 'loss', 'iou_car', 'latency_ms']
    """
    plain = metric.removeprefix("overall_")
    if plain in PREFERRED:
        return 0, PREFERRED.index(plain), 0
    whole = _OF_SHAPE.sub("", _OF_CLASSES.sub("", plain), count=1)
    found = found_metrics(whole.split("_"))
    if len(found) == 1 and found[0].end - found[0].start == whole.count("_") + 1:
        order = PREFERRED.index(found[0].name) if found[0].name in PREFERRED else len(PREFERRED)
        at_one = bool(found[0].cut) and not _OF_OVERLAPS.search(found[0].cut)
        place = 2 * at_one + (not _OF_SHAPE.match(plain))
        return 1 + (found[0].name == "perplexity"), order, place
    if plain in _LAST_PREFERRED:
        return 2, len(PREFERRED) + _LAST_PREFERRED.index(plain), 0
    return (3 if tells_quality(plain) else 4), int(not direction_of(metric)), 0


def direction_of(metric: str) -> str:
    """Return `"lower"` or `"higher"`, empty where the name does not tell.

    Example:
        >>> direction_of("nll_loss"), direction_of("accuracy"), direction_of("l1_distance")
        ('lower', 'higher', 'lower')
        >>> direction_of("charts_episodic_return"), direction_of("loss_d"), direction_of("entropy")
        ('higher', '', '')
    """
    plain = metric.lower()
    if NEITHER.fullmatch(plain):
        return ""
    if LOWER.fullmatch(plain):
        return "lower"
    known = known_metric(plain)
    if known is not None:
        return known.better
    return "higher" if HIGHER.fullmatch(plain) else ""
