"""Groups that no vocabulary knows: what reaches a value, or with what it is reached."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.checking.numbers._gated import gated
from reportgen.claims._mentions import Mention
from reportgen.claims._run_names import group_of_run

VERBS = (
    r"reach(?:es|ed)?|achiev(?:es?|ed)|obtain(?:s|ed)?|gets?|got|gives?|gave|yields?|yielded"
    r"|scores?|scored|attains?|attained|performs?|lands?|ends?\s(?:up|at)|finish(?:es|ed)?\s(?:at|with)"
    r"|peaks?|stands?\sat|stays?\sat|converges?|atteint|obtient|plafonne|finit|termine"
    r"|donne|réalise|arrive|culmine"
)
"""Verbs by which something comes to a value."""
_NAME = r"(?P<name>[^\W\d_][\w.+/@=-]{0,30}(?:\s[\w.+/@=-]{1,30}){0,3}"
_ARTICLE = r"(?:the\s|our\s|a\s|an\s|le\s|la\s|un\s|une\s|notre\s)?"
_SUBJECT = re.compile(
    r"(?:^|[,;:(]\s?|\b(?:and|while|whereas|but|et|tandis\sque|mais)\s)"
    rf"(?:using\s|with\s|for\s)?{_ARTICLE}{_NAME}?)\s(?:only\s|also\s|then\s)?(?:{VERBS})\b",
    re.IGNORECASE,
)
_OPENING = gated(
    r"\s*(?:and\s|but\s|mais\s|et\s)?(?:with|using|for|under|avec|pour|en\sutilisant)\s"
    rf"{_ARTICLE}{_NAME}),\s",
    re.IGNORECASE,
)
_QUALIFIER = re.compile(
    rf"[\s%\\)]{{0,4}}(?:on\s|in\s)?(?:for|with|using|by|pour|avec|via)\s{_ARTICLE}{_NAME})",
    re.IGNORECASE,
)
_NO_NAME = frozenset(
    {
        "we", "it", "he", "she", "they", "i", "you", "one", "which", "that", "this", "these",
        "those", "who", "what", "there", "nous", "on", "il", "elle", "ils", "elles", "ce", "cela",
        "qui", "us", "me", "them", "model", "models", "modèle", "modèles", "network", "result",
        "results", "accuracy", "loss", "training", "validation", "test", "set", "seed", "seeds",
        "run", "runs", "both", "all", "each", "every", "any", "no", "none", "first", "second",
        "third", "last", "best", "mean", "average", "value", "values", "curve", "curves", "score",
        "scores", "respect", "std", "standard", "deviation", "step", "steps", "epoch", "epochs",
        "example", "instance", "comparison", "point", "points", "fact", "a", "an", "the", "of",
        "in", "and", "or", "is", "are", "was", "were", "have", "has", "had", "same", "different",
        "other", "our", "not", "also", "finally", "however", "thus", "hence", "so", "but", "when",
        "while", "although", "since", "because", "checkpoint", "checkpoints", "experiment",
        "experiments", "settings", "hyperparameters", "configuration", "early", "stopping",
        "confidence", "interval", "respectively", "baseline", "figure", "table", "section",
        "graine", "graines", "époque", "époques", "pas", "étape", "étapes", "pli", "plis", "fold",
        "folds", "exécution", "exécutions", "essai", "essais", "moyenne", "écart", "chaque",
        "toutes", "tous", "les", "deux", "trois", "meilleure", "meilleur", "dernière", "première",
        "perte", "exactitude", "entraînement", "jeu", "ensemble", "au", "du", "fine-tuning",
    }
)  # fmt: skip
"""Words that begin no name of a group."""


def unlisted_group(
    text: str, lead: tuple[int, int], tail: tuple[int, int], spoken: Sequence[Mention]
) -> str:
    """Return the words that name what a value belongs to, or nothing.

    Args:
        text: The block's text.
        lead: Where the words before the value stand.
        tail: Where those behind it stand.
        spoken: What was understood of the text, which is no name.

    Example:
        >>> text = "CosineNet reaches 81.2% with mixup"
        >>> unlisted_group(text, (0, 18), (23, 34), ()), unlisted_group(text, (9, 18), (23, 34), ())
        ('CosineNet', 'mixup')
    """
    before, behind = text[slice(*lead)], text[slice(*tail)]
    entry = max(text.rfind(";", 0, lead[1]), text.rfind(":", 0, lead[1])) + 1
    if group := group_of_run(text[entry : lead[1]]):
        return group
    found = [(match, lead[0]) for match in reversed(list(_SUBJECT.finditer(before)))]
    found += [(match, lead[0]) for match in [_OPENING.match(before)] if match]
    found += [(match, tail[0]) for match in [_QUALIFIER.match(behind)] if match]
    for match, offset in found:
        name = _clean(text, match.start("name") + offset, match.end("name") + offset, spoken)
        if name:
            return name
    return ""


def _clean(text: str, start: int, end: int, spoken: Sequence[Mention]) -> str:
    """Return a name up to the first word that says something else; nothing where it is none."""
    met = [m.start for m in spoken if m.start < end and start < m.end]
    name = " ".join(text[start : max(min([end, *met]), start)].split())
    words = [word.lower().strip(".,") for word in name.split()]
    return name if words and words[0] not in _NO_NAME else ""
