"""One spelling for metrics and splits, whatever a program calls them."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
    "top_1": "accuracy",
    "acc1": "accuracy",
    "top1_accuracy": "accuracy",
    "binary_accuracy": "accuracy",
    "categorical_accuracy": "accuracy",
    "sparse_categorical_accuracy": "accuracy",
    "f1_score": "f1",
    "fscore": "f1",
    "ppl": "perplexity",
    "nll": "nll_loss",
    "lr": "learning_rate",
    "gnorm": "grad_norm",
    "io_u": "iou",
    "m_iou": "mean_iou",
    "miou": "mean_iou",
    "matthews": "matthews_correlation",
    "mcc": "matthews_correlation",
    "em": "exact_match",
}

BOOKKEEPING = frozenset(
    {
        "runtime", "samples", "samples_per_second", "steps_per_second", "jit_compilation_time",
        "model_preparation_time", "total_flos", "wps", "ups", "wpb", "bsz", "gb_free", "wall",
        "train_wall", "clip", "num_updates", "loss_scale", "hp_metric", "memory",
        "num_input_tokens_seen", "best_accuracy", "best_loss",
    }
)  # fmt: skip
"""Tags that tell how fast or where a run was, not how good."""

LOWER = re.compile(
    r"(.*_)?(loss|wer|cer|ter|mer|perplexity|mse|rmse|mae|mape|smape|error|err|error_rate|fid|kid|"
    r"lpips|eer|brier|ece|regret|latency|time|duration|distance|bits_per_byte|bits_per_dim|bpb|bpc|"
    r"bpd|cross_entropy|divergence|hausdorff)(_.*)?"
)
"""Names that are better when lower: errors of a prediction, distances between distributions (FID,
KID) or pictures (LPIPS), bits spent a symbol, miscalibration (ECE, Brier), what a policy missed
(regret), and time. `kl` is not among them: a policy is kept near another, not pressed onto it.
"""
HIGHER = re.compile(
    r"(.*_)?(accuracy|f1|precision|recall|bleu|sacrebleu|rouge\w*|meteor|chrf|iou|jaccard|dice|auc|"
    r"auroc|auprc|roc_auc|map|ndcg|mrr|r2|r2_score|matthews_correlation|pearsonr?|spearmanr?|"
    r"exact_match|return|returns|reward|rewards|rew|score|success|success_rate|win_rate|solve_rate|"
    r"elo|throughput|psnr|ssim|explained_variance|average_precision|elbo|log_likelihood|"
    r"inception_score)(_.*)?"
)
"""Names that are better when higher: shares of what was right, overlap (IoU, Dice, Jaccard), rank
correlations, likeness of pictures (PSNR, SSIM), likelihoods, and what a policy earned. `entropy`
and the length of an episode are in neither: an agent that balances wants long ones, one that
flees a maze short ones.
"""
_ONE_OF_TWO = "d|g|discriminator|generator|critic|adversarial|policy|actor|policy_gradient|entropy"
NEITHER = re.compile(
    rf"(.*_)?(({_ONE_OF_TWO})_loss|loss_({_ONE_OF_TWO})|std_(return|reward|ep_len))(_.*)?"
)
"""Names that look like one of the above and tell nothing: a loss that another network works
against, or that stands for a gradient, and the spread of a return.
"""
PREFERRED = (
    "accuracy", "balanced_accuracy", "exact_match", "f1", "overall_f1", "f1_macro", "macro_f1",
    "matthews_correlation", "pearson", "wer", "cer", "bleu", "rouge_l", "rougel", "rouge1",
    "mean_iou", "iou", "dice", "auc", "average_return", "return", "reward", "perplexity", "loss",
)  # fmt: skip
"""Metrics in the order in which the headline takes the first one that was logged."""

RETURN = re.compile(
    r"(?!.*(std|min|max)_)(.*_)?(episodic|episode|ep|average|mean|avg|test|eval)?_?"
    r"(return|returns|reward|rewards|rew|score)(_mean|_avg)?"
)
"""What a policy earned, as its programs call it: `charts/episodic_return`, `ep_rew_mean`."""

_PACE = re.compile(
    r"(.*_)?(fps|sps|steps_per_second|time|times|timer|duration|seconds|minutes|hours|"
    r"time_elapsed|time_since_start|total_timesteps|timesteps|total_steps|env_?steps|"
    r"env_?steps_so_far|iterations|iteration|n_updates|num_updates|global_step|episodes|n_episodes|"
    r"lr|learning_rate|grad_norm|epoch|step|epsilon|exploration_rate|clip_range|clipfrac|"
    r"clip_fraction|momentum|weight_decay|memory|utilization)"
)
"""Names that say how far, how fast and with what a run went, not how well; with what is before."""

RATIO = re.compile(
    r"(.*_)?(accuracy|f1|precision|recall|exact_match|wer|cer|iou|dice|auc|roc_auc)(_.*)?|top_?\d{1,2}"
)
"""Metrics that are logged either as a fraction or in percent."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_SEPARATORS = re.compile(r"[\s/\-.:]+")


def metric_name(text: str) -> str:
    """Return a metric in its one spelling; empty for bookkeeping.

    Example:
        >>> [metric_name(t) for t in ("acc", "F1_score", "AverageReturn", "IoU (avg)", "wps")]
        ['accuracy', 'f1', 'average_return', 'iou', '']
    """
    name = spell_metric(text)
    name = _SYNONYMS.get(name, name)
    return "" if name in BOOKKEEPING else name


def spell_metric(text: str) -> str:
    """Return a name in small letters with underscores, before synonyms are taken for one.

    Example:
        >>> spell_metric("valid1/Acc"), spell_metric("AverageReturn")
        ('valid1_acc', 'average_return')
    """
    plain = _BRACKETS.sub("", text).strip()
    name = _SEPARATORS.sub("_", _CAMEL.sub("_", plain)).lower().strip("_")
    name = re.sub(r"_+", "_", name)
    return name.removesuffix("_epoch") if name != "epoch" else name


def split_tag(tag: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return (metric, split) of a tag that may name its split first or last.

    Example:
        >>> [split_tag(t, SPLIT_NAMES) for t in ("val/acc", "accuracy/test", "valid_accuracy")]
        [('accuracy', 'validation'), ('accuracy', 'test'), ('accuracy', 'validation')]
        >>> split_tag("Test loss (avg on test)", SPLIT_NAMES), split_tag("loss", SPLIT_NAMES)
        (('loss', 'test'), ('loss', ''))
        >>> split_tag("IoU (avg on test)", SPLIT_NAMES), split_tag("acc [val]", SPLIT_NAMES)
        (('iou', 'test'), ('accuracy', 'validation'))
    """
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
    return bool(metric) and metric not in BOOKKEEPING and not _PACE.fullmatch(metric)


def direction_of(metric: str) -> str:
    """Return `"lower"` or `"higher"`, empty where the name does not tell.

    Example:
        >>> direction_of("nll_loss"), direction_of("accuracy"), direction_of("l1_distance")
        ('lower', 'higher', 'lower')
        >>> direction_of("charts_episodic_return"), direction_of("loss_d"), direction_of("entropy")
        ('higher', '', '')
    """
    if NEITHER.fullmatch(metric):
        return ""
    if LOWER.fullmatch(metric):
        return "lower"
    return "higher" if HIGHER.fullmatch(metric) else ""


_NUMBERS = re.compile(r"(\d+(?:\.\d+)?e[-+_]?\d{1,3}(?![\w.])|(?<![\d.])\d+\.\d+(?![\d.])|\d+)")
"""Numbers in a name: `5e-5`, `3e_4` (where a name has no minus), `0.25`, `1000`."""

NaturalKey = tuple[tuple[int, float, str], ...]


def natural_key(text: str) -> NaturalKey:
    """Return a sort key that orders numbers inside a text by value.

    Example:
        >>> sorted(["step_500", "step_5000", "step_1000"], key=natural_key)
        ['step_500', 'step_1000', 'step_5000']
        >>> sorted(["lr_1e-4", "lr_5e-5", "lr_0.001", "lr_2e_4"], key=natural_key)
        ['lr_5e-5', 'lr_1e-4', 'lr_2e_4', 'lr_0.001']
    """
    return tuple(
        (0, _number(part), part) if index % 2 else (1, 0, part)
        for index, part in enumerate(_NUMBERS.split(text))
        if part
    )


def _number(text: str) -> float:
    return float(text.replace("e_", "e-")) if "e" in text or "." in text else int(text)
