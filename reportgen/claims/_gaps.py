"""The gap of two groups, which a sentence tells of by name or by a pronoun."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reportgen.checking.numbers._gated import gated

GAP = ("gap", "gap against")
"""Topics: the two groups whose gap a sentence was about."""
_SIZE = (
    r"(?:wid(?:est|er)|narrow(?:est|er)|larg(?:est|er)|small(?:est|er)"
    r"|plus\s(?:grande?|petite?|large|étroite?))"
)
_WIDTH = gated(
    rf"\b(?:gap|difference|margin|écart(?![-\s]types?)|différence)\b.{{0,300}}\b{_SIZE}\b",
    re.IGNORECASE | re.DOTALL,
)
_IT_TOO = gated(
    rf"\s*(?:it|this\sgap|il|elle|cet\sécart)\b.{{0,80}}\b{_SIZE}\b",
    re.IGNORECASE | re.DOTALL,
)
"""`It is narrower at the end`: what has a width is the gap of which the sentence before tells."""


def gap_of(words: str, groups: tuple[str, ...], topics: Mapping[str, str]) -> tuple[str, ...]:
    r"""Return the two groups whose gap a sentence is about; empty for none.

    Args:
        words: The sentence.
        groups: The groups that it names.
        topics: What the sentences before it spoke of.

    Example:
        >>> gap_of("The gap between A and B is widest at epoch 2", ("A", "B"), {})
        ('A', 'B')
        >>> gap_of("It is narrower at the end", (), dict(zip(GAP, "AB", strict=True)))
        ('A', 'B')
        >>> gap_of("It is\nnarrower at the end", (), dict(zip(GAP, "AB", strict=True)))
        ('A', 'B')
        >>> gap_of("It is 0.8 at the end", (), dict(zip(GAP, "AB", strict=True)))
        ()
    """
    if len(groups) == 2 and _WIDTH.search(words):
        return groups
    before = tuple(filter(None, (topics.get(slot, "") for slot in GAP)))
    return before if not groups and _IT_TOO.match(words) else ()
