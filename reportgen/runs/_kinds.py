"""Kinds of metrics by the words of their names: which way is better, which goes first.

Each table is a row of phrases: words joined by `_`, as they stand in a name of one spelling.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from string import digits

from reportgen.records.metrics import Found, found_metrics, known_metric

_CACHE = 4096
_LONGEST = 4
"""Words of the longest phrase."""


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _parts(name: str) -> Iterator[str]:
    """Yield every run of a name's words, up to as many as the longest phrase has."""
    for end in range(name.count("_") + 1, 0, -1):
        yield from _ends(name, end)


def _ends(name: str, end: int | None = None) -> Iterator[str]:
    """Yield the last words of a name, or those before a word, one more each time."""
    words = name.split("_")[:end]
    for start in range(len(words) - 1, max(len(words) - _LONGEST, 0) - 1, -1):
        yield "_".join(words[start:])


def _tells(phrases: Collection[str], name: str) -> bool:
    """Tell whether one of some phrases is in a name."""
    return any(part in phrases for part in _parts(name))


BOOKKEEPING = _phrases(
    "runtime samples samples_per_second steps_per_second jit_compilation_time "
    "model_preparation_time total_flos wps ups wpb bsz gb_free wall train_wall clip num_updates "
    "loss_scale hp_metric memory time data_time max_mem num_input_tokens_seen best_accuracy "
    "best_loss"
)
"""Whole names that tell how fast or where a run was, not how good."""

_LOWER = _phrases(
    "loss error err error_rate regret latency time duration distance bits_per_byte bits_per_dim "
    "bpb cross_entropy divergence hausdorff hausdorff95"
)
"""Phrases beside the table of known metrics that make a name better when lower, whatever else is
in it (`dice_loss`): errors of a prediction, distances, bits spent a symbol, what a policy missed
(regret), and time. `kl` is not among them: a policy is kept near another, not pressed onto it.
"""
_EARNED = _phrases("return returns reward rewards rew score")
_HIGHER = _EARNED | _phrases(
    "rouge specificity sensitivity pearson pearsonr spearman spearmanr r2_score success "
    "success_rate win_rate solve_rate elo throughput explained_variance average_precision elbo "
    "log_likelihood"
)
"""Phrases beside the table that make a name better when higher: shares of what was right, rank
correlations, likelihoods, and what a policy earned. `entropy` and the length of an episode are in
neither: an agent that balances wants long ones, one that flees a maze short ones.
"""
_ONE_OF_TWO = _phrases(
    "d g discriminator generator critic adversarial policy actor policy_gradient entropy"
)
_NEITHER = frozenset(
    {f"{one}_loss" for one in _ONE_OF_TWO} | {f"loss_{one}" for one in _ONE_OF_TWO}
) | _phrases("std_return std_reward std_ep_len")
"""Phrases that look like one of the above and tell nothing: a loss that another network works
against, or that stands for a gradient, and the spread of a return.
"""
_PACE = _phrases(
    "fps sps time times timer duration latency throughput seconds minutes hours time_elapsed "
    "time_since_start total_timesteps timesteps total_steps env_steps envsteps env_steps_so_far "
    "envsteps_so_far iterations iteration iter n_updates num_updates global_step episodes "
    "n_episodes epoch step epsilon exploration_rate weight_decay mem memory vram ram utilization "
    "utilisation flops gflops mfu params parameters count counts energy watts per_s per_sec "
    "per_second per_minute per_hour it_s it_sec it_second its_s its_sec its_second size sizes"
)
"""Ends of names that say how far, how fast, with what and on how much a run went, not how well."""
_UNITS = _phrases(
    "ns us ms s sec secs seconds min mins minute minutes hours b bytes kb mb gb kib mib gib kwh wh"
)
"""What may stand behind them."""
_COUNTED = ("n_", "num_", "number_of_")
_TUNED = _phrases("lr learning_rate momentum grad_norm gradnorm")
"""What the optimiser was set to or did, also one of several: `lr_group_0`, `x_lr1`."""
_STATISTICS = _phrases(
    "clip_ratio clip_frac clipfrac clip_fraction clip_range clipped_ratio kl approx_kl entropy "
    "explained_variance len length lengths std"
)
"""Phrases of what shows whether a policy's update went well, of lengths and of spreads. None of
them is a result, whatever it is measured on.
"""
_SHARES = _phrases(
    "accuracy f1 precision recall exact_match wer cer iou dice auc roc_auc map map50-95 map50 "
    "map75 ap ap50-95 ap50 ap75"
)
"""Metrics that are logged either as a fraction or in percent."""
_TOP = re.compile(r"top_?\d{1,2}")

PREFERRED = (
    "accuracy", "balanced_accuracy", "exact_match", "f1", "f1_macro", "macro_f1",
    "matthews_correlation", "pearson", "wer", "cer", "bleu", "rouge_l", "rouge1", "mean_iou",
    "map", "iou", "dice", "auc", "auroc", "ndcg",
)  # fmt: skip
"""Metrics in the order in which the headline takes the first one that was logged; those of the
table follow, and then what was earned, then losses.
"""
_EARNED_FIRST = ("average_return", "return", "reward")
_LOSSES = ("perplexity", "loss")
_PLACE_OF_LOSSES = 3
_SPREADS = frozenset({"std", "stderr", "var", "norm", "num", "count"})
"""Words of an accuracy that is none of a task of its own."""
_OF_ALL = ("overall", "total", "mean", "avg", "average", "macro", "micro", "weighted")
"""What says that a metric is one of all classes or parts, and no part of a result."""
_OF_SHAPE = ("mask_", "pose_", "segm_", "keypoints_", "bbox_")
"""What says of which shapes a detector's metric is; that of boxes, which all detectors have, comes
last."""
_OF_OVERLAPS = re.compile(r"[:-]")
"""What a mean over several overlaps has in what it is cut off at: `50-95`."""


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
    words = metric.removesuffix("_mean").removesuffix("_avg").split("_")
    return words[-1] in _EARNED and not {"std", "min", "max"} & set(words)


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
    words = name.split("_")
    found = found_metrics(words)
    return found[0] if len(found) == 1 and found[0].end - found[0].start == len(words) else None
