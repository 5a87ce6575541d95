"""Labels of rows: what a column that is headed `Group` or `Metric` tells of its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reportgen.claims._heads import Head, label_beside, read_head
from reportgen.claims._mentions import Mention

_OF_GROUPS = re.compile(
    r"(?:groups?|groupes?|runs?|exécutions?|names?|noms?|models?|modèles?|variants?|variantes?)",
    re.IGNORECASE,
)
_OF_METRICS = re.compile(r"(?:metrics?|mesures?|métriques?)", re.IGNORECASE)
_MEASURES = frozenset({"metric", "average", "generic"})
_GLUE = "_-./"


def read_label(text: str, heads: Sequence[Head]) -> Head:
    """Read the label of a row under the heads of its column.

    Under `Group` the `dice` of `unet_adam_dice` is a part of a name, and `a` is one.

    Args:
        text: Of the cell.
        heads: Of its column, the lowest first.

    Example:
        >>> head = read_label("unet_adam_dice", [read_head("Group")])
        >>> head.label, head.values("metric"), read_label("dice", [read_head("Group")]).label
        ('unet_adam_dice', (), '')
        >>> read_label("a", [read_head("Group")]).label, read_label("a", []).label
        ('a', '')
    """
    head = read_head(text)
    if not heads or not _OF_GROUPS.fullmatch(heads[0].text.strip()):
        return head
    if len(text.strip()) == 1 and text.strip().isalpha():
        return Head(text=text, label=text.strip())
    kept = tuple(m for m in head.mentions if m.slot not in _MEASURES or not _is_glued(text, m))
    if len(kept) == len(head.mentions):
        return head
    return replace(head, mentions=kept, label=label_beside(text, kept))


def _is_glued(text: str, mention: Mention) -> bool:
    """Say whether a word is but a part of a longer one."""
    before, behind = text[: mention.start][-1:], text[mention.end :][:1]
    return bool(before and before in _GLUE) or bool(behind and behind in _GLUE)


def is_unknown_metric(label: Head, heads: Sequence[Head]) -> bool:
    """Say whether a label stands where metrics are named, and names none that is known.

    Example:
        >>> is_unknown_metric(read_head("l1 distance"), [read_head("Metric")])
        True
    """
    named = any(label.values(slot) for slot in ("metric", "generic"))
    return bool(heads) and bool(_OF_METRICS.fullmatch(heads[0].text.strip())) and not named
