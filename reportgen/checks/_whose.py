"""Whether a claim speaks of a model that was given, or may speak of another one."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.records.claim import Claim, Counted
from reportgen.records.facts import Facts, ModelFacts

_SIZE = gated(r"(?:base|large|small|medium|tiny|mini|xxl|xl|huge|\d[\d.]*\s?[mb]\b)", re.IGNORECASE)
_STEM = re.compile(r"[a-z]+")
_SAME = {
    "llama": "llama",
    "gpt": "gpt",
    "xlm": "roberta",
    "camembert": "roberta",
    "flaubert": "bert",
}


def speaks_of_another(claim: Claim, facts: Facts | None) -> str:
    """Return the model that a claim names where it is surely not one that was given, else nothing.

    A name without a size is taken for the family; with a size, only a name that was given may
    contradict it.

    Example:
        >>> from reportgen.records.manuscript import Place
        >>> claim = Claim(kind="hyperparameter", quote="", place=Place(line=1),
        ...               hints={"model": "GPT-3"})
        >>> speaks_of_another(claim, None)
        ''
    """
    named = claim.hints.get("model", "")
    if not named or facts is None:
        return ""
    models = [model for model in (facts.model, *(a.base for a in facts.adapters)) if model]
    if not models:
        return ""
    return "" if any(_may_be(named, model) for model in models) else named


def not_among_the_evidence(claim: Claim, facts: Facts) -> str:
    """Return why a claim may be of a model that was not given, as a clause, else nothing.

    What is said where adapters are spoken of belongs to an adapter or to its base; anything
    else belongs to the model that is fine-tuned, which a base need not be.

    Args:
        claim: On a model: a setting, a shape, a number of parameters.
        facts: The evidence.
    """
    if _of_an_adapter(claim):
        if not facts.adapters:
            return "it may be of an adapter or its base, and none was given"
        if any(adapter.base is None for adapter in facts.adapters):
            return "it may be of the base of the adapter, which was not given"
    elif facts.model is None:
        return "it may be of another model than the adapter's base"
    return ""


def _of_an_adapter(claim: Claim) -> bool:
    content = claim.content
    scope = content.scope if isinstance(content, Counted) else ()
    return "adapter" in claim.hints or bool({"adapter", "quantised"} & set(scope))


def _may_be(named: str, model: ModelFacts) -> bool:
    """Say whether a name may be that of a model."""
    said, own = named.casefold(), _names(model)
    stem = _stem(said)
    if not any(stem == _stem(name) for name in own):
        return False
    sizes = _SIZE.findall(said)
    told = [name for name in own if _SIZE.search(name)]
    return not sizes or not told or any(size in name for size in sizes for name in told)


def _names(model: ModelFacts) -> list[str]:
    """Return every name that a model goes by: its type, its file's, the user's."""
    stored = str(model.config.values.get("_name_or_path") or "")
    names = (model.config.model_type, model.name, stored.rsplit("/", 1)[-1])
    return [name.casefold() for name in names if name]


def _stem(name: str) -> str:
    letters = _STEM.search(name)
    stem = letters[0] if letters else ""
    return _SAME.get(stem, stem)
