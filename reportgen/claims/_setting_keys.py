"""One setting, and how its words are written down."""

from __future__ import annotations

import re
from dataclasses import dataclass

MODEL, TRAINING, DATA, ADAPTER = "model", "training", "data", "adapter"
WHOLE, NUMBER, SHARE, TEXT = "whole", "number", "share", "text"
"""What a value is: a whole number, any number, a part of one, words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingKey:
    """One setting and the words for it.

    Attributes:
        name: The configuration's key, in Hugging Face's spelling where it has one.
        scope: `"model"`, `"training"`, `"data"` or `"adapter"`.
        kind: What its value is.
        names: Phrases that stand before a value (`hidden size = 512`).
        units: Phrases that stand behind one (`512-dimensional`, `5 epochs`).
        assigned: Phrases that name it only where `=` or `:` stands before the value, for they
            number things elsewhere (`seed 1`).
    """

    name: str
    scope: str
    kind: str
    names: tuple[str, ...]
    units: tuple[str, ...] = ()
    assigned: tuple[str, ...] = ()


# Too short to mean one thing: `r` correlates, `bias` is a vector, `seed 1` is a run.
_WORDS_OF_THEIR_OWN = frozenset({"r", "bias", "seed"})


def key(
    name: str, scope: str, kind: str, *, names: str = "", units: str = "", assigned: str = ""
) -> SettingKey:
    """Return a setting whose phrases are written with bars between them.

    Example:
        >>> key("hidden_size", MODEL, WHOLE, names="width | hidden dim").names
        ('hidden_size', 'width', 'hidden dim')
    """
    own = () if name in _WORDS_OF_THEIR_OWN else (name,)
    return SettingKey(
        name=name,
        scope=scope,
        kind=kind,
        names=(*own, *_phrases(names)),
        units=_phrases(units),
        assigned=_phrases(assigned),
    )


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split("|") if part.strip())


def condensed(name: str) -> str:
    """Return a name without spaces, marks and capitals.

    Example:
        >>> condensed("$d_{model}$"), condensed("Warm-up steps")
        ('dmodel', 'warmupsteps')
    """
    return re.sub(r"[\W_]+", "", name).casefold()
