"""Names of metrics in reports: the words of the vocabulary, and the table of known metrics."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from reportgen.checking.numbers._gated import gated
from reportgen.claims._vocabulary import CASED_METRICS, METRICS, phrase_pattern
from reportgen.records.metrics import CUT_OFF, KNOWN_METRICS, KnownMetric
from reportgen.runs import is_return, metric_name

_ALSO_WORDS = frozenset(
    {"cider", "comet", "kid", "mer", "mos", "per", "pq", "sari", "ser", "spice", "der", "wil"}
    | {"ter", "map", "ap", "asd", "nsd", "pass", "em"}
)
"""Names that are words as well, of English, French or German: their capitals tell them apart."""


def _is_word(known: KnownMetric) -> bool:
    return known.written.lower() in _ALSO_WORDS


WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **{
            name: (known.written.lower(), name.replace("_", " "), *known.also)
            for name, known in KNOWN_METRICS.items()
            if not known.cut and not _is_word(known)
        },
        **METRICS,
    }
)
"""Metric in the spelling of the layouts to the phrases that name it anywhere."""

CASED: Mapping[str, str] = MappingProxyType(
    {
        **{known.written: name for name, known in KNOWN_METRICS.items() if _is_word(known)},
        **CASED_METRICS,
    }
)
"""Metrics by their names as written, where only the capitals tell them from a word."""

_NAMES = phrase_pattern({*KNOWN_METRICS, *(known.written for known in KNOWN_METRICS.values())})
_CUT = gated(
    rf"(?:{_NAMES}\s?{CUT_OFF}|(?<![^\W_])m?AP[\s_]?(?:50-95|50|75))(?![\w@])", re.IGNORECASE
)
BEHIND_A_SPLIT = rf"(?:{_NAMES}|(?-i:\w{{0,20}}[a-z][A-Z]\w{{0,20}}))"
"""What tells that `test` before it is a split: a metric of the table, or a name with a capital in
its middle, as programs give them.
"""
_SAME = (
    frozenset({"hits", "hit", "hr", "hit_rate"}),
    frozenset({"recall", "r"}),
    frozenset({"precision", "p"}),
    frozenset({"auc", "auroc", "roc_auc"}),
    frozenset({"average_precision", "ap", "auprc", "pr_auc"}),
    frozenset({"bleu", "bleu4", "sacrebleu"}),
)
"""Names of one thing, of which a log has one and a report may have another."""


def cut_off_metrics(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield place and name of each metric that is cut off: `nDCG@10`, `mAP@0.5`, `AP50`.

    Example:
        >>> list(cut_off_metrics("HR@10 and nDCG@5; AP50"))
        [(0, 5, 'hr@10'), (10, 16, 'ndcg@5'), (18, 22, 'ap50')]
    """
    for match in _CUT.finditer(text):
        name = metric_name(re.sub(r"\s", "", match[0]))
        if name:
            yield match.start(), match.end(), name


_LENGTH = re.compile(r"(.*_)?(ep|episode|episodic)_?(len|length)(_mean|_avg)?")
_OF_EPISODES: Mapping[str, Callable[[str], object]] = {
    "reward": is_return,
    "return": is_return,
    "episode_length": _LENGTH.fullmatch,
}
_ELSEWHERE = gated(
    r"\b(?:[ée]valu\w*|test\w*|greed\w*|d[ée]terminist\w*|gloutonne?s?|solv\w*|r[ée]sol\w*|threshold"
    r"|seuils?|possible|per[\s-]step|par\spas|discount\w*|shap\w*|bonus|penalt\w*|p[ée]nalit\w*"
    r"|random\spolicy|al[ée]atoire|sliding|moving|running|smooth\w*|gliss\w*|liss[ée]\w*|windows?"
    r"|fen[êe]tres?|half|moiti[ée]|quarter|quart|(?:each|every|chaque)\s(?:step|pas)|clip\w*|stop\w*"
    r"|arr[êe]t\w*|publi\w*|reported|papers?|article|area|aire|throughout|over\straining)\b",
    re.IGNORECASE,
)
"""Rewards of other episodes than those of the training, or none that a policy earned."""


_ROLLOUT = gated(
    r"\brollouts?\s(?:(?:mean|average|episode|episodic)\s){0,2}(?:rewards?|returns?|lengths?)\b"
    r"|\b(?:r[ée]compenses?|retours?|longueurs?)\s(?:moyenne?s?\s)?d(?:e|es|u)\srollouts?\b",
    re.IGNORECASE,
)


def of_rollouts(metric: str, logged: frozenset[str], sentence: str) -> frozenset[str] | None:
    """Return the logged metrics of rollouts that a sentence names; None where it names none.

    Example:
        >>> logged = frozenset({"rollout_ep_rew_mean", "mean_reward"})
        >>> of_rollouts("reward", logged, "The rollout reward ends at 12.")
        frozenset({'rollout_ep_rew_mean'})
        >>> of_rollouts("reward", logged, "The reward ends at 12.") is None
        True
    """
    means = _OF_EPISODES.get(metric)
    if means is None or not _ROLLOUT.search(sentence):
        return None
    return frozenset(n for n in logged if n.startswith("rollout_") and means(n))


def of_episodes(metric: str, logged: frozenset[str], sentence: str) -> frozenset[str]:
    """Return the logged metrics that a reward, a return or the length of an episode may mean.

    What is earned at a test or with a greedy policy need not be in the logs of the training.

    Example:
        >>> logged = frozenset({"rollout_ep_rew_mean", "rollout_ep_len_mean", "time_fps"})
        >>> [set(of_episodes(m, logged, "")) for m in ("reward", "episode_length", "accuracy")]
        [{'rollout_ep_rew_mean'}, {'rollout_ep_len_mean'}, set()]
        >>> of_episodes("reward", logged, "The mean test reward is 12.")
        frozenset()
    """
    means = _OF_EPISODES.get(metric)
    if means is None or _ELSEWHERE.search(sentence):
        return frozenset()
    return frozenset(n for n in logged if means(n) and not n.endswith("score"))


def same_metric(metric: str, logged: frozenset[str]) -> frozenset[str]:
    """Return the logged metrics that another name of a metric means, cut off alike.

    A metric without what it is cut off at means any that is.

    Example:
        >>> sorted(same_metric("hits@10", frozenset({"hr@10", "hr@5", "recall@10"})))
        ['hr@10']
        >>> sorted(same_metric("ndcg", frozenset({"ndcg@10", "ndcg@5"})))
        ['ndcg@10', 'ndcg@5']
    """
    name, at, cut = metric.partition("@")
    names = next((same for same in _SAME if name in same), frozenset({name}))
    if at:
        return frozenset(f"{one}@{cut}" for one in names) & logged
    return names & logged or frozenset(one for one in logged if one.partition("@")[0] in names)
