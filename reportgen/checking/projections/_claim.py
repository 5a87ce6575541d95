"""What a claim says, as plain values, and the part of it that outlives an edit of the report."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from decimal import Decimal

from reportgen.checking.projections._plain import Json, fold, number, words
from reportgen.records.claim import (
    Claim,
    Content,
    Counted,
    Equation,
    Meaning,
    Printed,
    Setting,
    Statement,
)

_TYPES = {
    Meaning: "meaning",
    Equation: "equation",
    Setting: "setting",
    Counted: "counted",
    Statement: "statement",
}
# What was solved against the evidence says nothing of the report.
_SOLVED = ("run_group", "run_seed", "run_against", "chosen_by")
_SELDOM = frozenset({"chosen_by"})
"""What is left out where a report does not say it."""
# A setting's value may be a name or a truth; `value` is always that of the printed number.
_RENAMED = {"value": "stated"}
_MEANT = ("metric", "split", "group", "seed", "step", "epoch", "aggregate", "unit")


def claim_fields(claim: Claim) -> dict[str, Json]:
    """Return what a claim says: the number as printed, its meaning, and how sure that is.

    What a value belongs to (`metric` to `unit`) is there for every claim, empty or null where
    it has none; claims of other types have their own fields behind it.

    Example:
        >>> from decimal import Decimal
        >>> from reportgen.records.manuscript import Place
        >>> claim = Claim(id="c1", kind="metric_value", quote="79.90", place=Place(line=1),
        ...               printed=Printed(text="79.90", value=Decimal("79.90"), decimals=2),
        ...               content=Meaning(metric="accuracy", seed=1))
        >>> fields = claim_fields(claim)
        >>> fields["metric"], fields["seed"], fields["printed"], fields["decimals"]
        ('accuracy', 1, '79.90', 2)
    """
    content = claim.content
    # A sentence stands for itself; the first number in it is what a reader looks for.
    amounts = content.amounts if isinstance(content, Statement) else ()
    printed = claim.printed or next(iter(amounts), None)
    meaning = content if isinstance(content, Meaning) else Meaning()
    meant = _fields(meaning)
    own = _fields(content) if content is not None else {}
    unit = meant["unit"] or (printed.unit if printed else "")
    return {
        "id": claim.id,
        "type": _TYPES[type(content)] if content is not None else "number",
        **{name: meant[name] for name in _MEANT},
        "unit": unit,
        "printed": words(printed.text) if printed else None,
        "value": number(printed.value) if printed else None,
        "decimals": printed.decimals if printed else None,
        "approximate": words(printed.approximate) if printed else "",
        "confidence": number(claim.confidence),
        **{_RENAMED.get(name, name): value for name, value in own.items() if name not in _MEANT},
    }


def fingerprint(rule: str, claim: Claim) -> str:
    """Return a digest of what is claimed, not of where: it stays when lines move.

    Example:
        >>> from reportgen.records.manuscript import Place
        >>> one, two = (Claim(kind="number", quote=q, place=Place(line=n))
        ...             for q, n in (("81.5 | 80", 3), ("81.5  |  80", 30)))
        >>> fingerprint("value", one) == fingerprint("value", two)
        True
    """
    content = claim.content
    own = _fields(content) if content is not None else {}
    bound = {name: value for name, value in own.items() if name not in _SOLVED}
    printed = fold(claim.printed.text) if claim.printed else ""
    parts = [rule, claim.kind, bound, printed, fold(claim.quote)]
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _fields(content: Content) -> dict[str, Json]:
    """Return what a content holds; the sides of an equation stand for its trees."""
    names = (one.name for one in fields(content) if one.name != "trees")
    found = {name: _plain(getattr(content, name)) for name in names}
    return {name: value for name, value in found.items() if value or name not in _SELDOM}


def _plain(value: object) -> Json:
    match value:
        case Meaning():
            return {name: item for name, item in _fields(value).items() if item not in ("", None)}
        case Printed():
            return words(value.text)
        case None | bool():
            return value
        case tuple():
            return [_plain(item) for item in value]
        case int() | float() | Decimal() | str():
            return number(value)
    raise TypeError(f"no plain value: {value!r}")
