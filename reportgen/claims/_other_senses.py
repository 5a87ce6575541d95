"""Words of the vocabulary in another sense: `mean pooling`, `mixed precision`, `last layer`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reportgen.checking.numbers._gated import Pattern, gated


def _patterns(words: Mapping[str, str]) -> dict[str, Pattern]:
    """Return a pattern for each word of the keys."""
    return {
        word: gated(pattern, re.IGNORECASE)
        for several, pattern in words.items()
        for word in several.split()
    }


FOLLOWED_BY = _patterns(
    {
        "max maximum min minimum maximal": (
            r"[\s_-]{0,2}(?:len|length|epochs?|positions?|pool|seq|sentence|steps?|tokens?|norm"
            r"|iter|depth|features|batch|longueur)|\.?\s?\d{0,2}\)"
        ),
        "mean average moyenne": r"[\s_-]{0,2}(?:pool|that|to\b|by\b|token|length|field)",
        "means": r"\s(?:that|to|of|we|the|it|a|clustering)\b",
        "last final dernière dernier finale": (
            r"[\s_-](?:\w{1,12}\s)?(?:layers?|linear|projections?|hidden|dense|class|year|lab|week"
            r"|section|couches?|classifier|activation|question|task|token)"
        ),
        "best meilleur meilleure optimal": (
            r"\s(?:seeds?\b|runs?\b|possible|practices?|of\sour|suited|fit|fits|way|lr|learning|hyper|config"
            r"|setting|batch|optimi|choice)"
        ),
        "highest": r"\s(?:to|and|or)\s(?:the\s)?lowest|\s(?:possible|of\sour|learning|batch)",
        "loss perte entropie crossentropy": (
            r"\s(?:function|term|of\s(?:inform|general)|landscape|is\s(?:computed|defined))"
            r"|\sd['’]information"
        ),
        "precision précision": (r"\s(?:format|training|fp\d|floating|of\sthe\s(?:format|number))"),
        "recall rappel": r"\s?(?:that|,|:|how|from|the\s|que|qu['’])",
        "interval intervalle": r"\s(?:of\s\d|de\s\d)",
        "score scores performance performances": (
            r"[\s-](?:functions?|layers?|matri|gaps?|tables?|reasons?)"
        ),
        "margin gap gain delta": r"\s(?:loss|rank)|_",
        "r2": r"\s?=",
        "top1 top5": r"\s(?:of|curves?|models?|runs?)",
    }
)
"""Plain word to what, right behind it, makes it mean something else."""

PRECEDED_BY = _patterns(
    {
        "precision précision": (
            r"(?:mixed|half|single|double|full|float|numerical|printed|machine|bf16|fp16|fp32|with"
            r"|high|low|demi)[\s-]$"
        ),
        "mean means": (
            r"(?:\b(?:this|which|it|that|by|we|i|would|not|does|doesn't|also|don't)\s)$"
        ),
        "min": r"\d\s?$",
        "lowest": r"\bhighest\s(?:to|and|or)\s(?:the\s)?$",
        "best": r"(?:\bat\s)$",
        "acc acc.": r"\.$",
        "valid": r"(?:\b(?:is|are|a|remains?|be|being|not|still|also|legal)\s)$",
        "eval val": r"\.$",
        "recall": r"\b(?:we|us|i|to|let)\s$",
    }
)
"""Plain word to what, right before it, makes it mean something else."""
