"""Numbers of an adapter: what it trains, its share, its scaling, and which adapters are alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.languages import message
from reportgen.parameters.adapters import KINDS, scaling_of
from reportgen.records.checkpoint import Term
from reportgen.records.document import Number
from reportgen.records.facts import AdapterFacts, Facts
from reportgen.records.formula import Equation, Expression, Root, Sum, Symbol
from reportgen.records.quantity import Evidence, Quantity
from reportgen.report._names import keys_of, slug

RANK = Symbol("r", meaning="rank of the adapter")
ALPHA = Symbol("alpha", meaning="numerator of the scaling")
TRAINED = Symbol("N", "train", meaning="parameters that training changes")
MOST_TERMS = 4
"""Kinds of trained parameters that have a place in one formula."""
LONGEST_VALUE = 60
SHARE_DECIMALS = 2


@dataclass(frozen=True, slots=True)
class Distinct:
    """An adapter of its own, and the others that say the same.

    Attributes:
        stem: How the ids of its blocks and numbers begin.
        adapter: The first of them.
        others: Names of the others, and other paths of the same configuration.
    """

    stem: str
    adapter: AdapterFacts
    others: tuple[str, ...] = ()


def distinct_adapters(facts: Facts) -> tuple[Distinct, ...]:
    """Return each adapter once: those with the same settings on the same base are one."""
    alike: dict[str, list[AdapterFacts]] = {}
    for adapter in facts.adapters:
        base = adapter.base.config.values if adapter.base else {}
        said = [adapter.config.peft_type, adapter.config.values, base]
        alike.setdefault(json.dumps(said, sort_keys=True, default=str), []).append(adapter)
    firsts = [same[0] for same in alike.values()]
    names = [adapter.name for adapter in firsts]
    keys = keys_of(names)
    found = []
    for place, same in enumerate(alike.values(), start=1):
        first = same[0]
        own = first.name and names.count(first.name) == 1
        stem = f"lora.{keys[first.name] if own else place}" if len(firsts) > 1 else "lora"
        places = (path for adapter in same for path in adapter.places or (_path(adapter),))
        others = tuple(dict.fromkeys(path for path in places if path != _path(first)))
        found.append(Distinct(stem, first, others))
    return tuple(found)


def _path(adapter: AdapterFacts) -> str:
    return adapter.config.source.path


def title_of(adapter: AdapterFacts) -> str:
    """Return what a kind of adapter is called."""
    kind = KINDS.get(adapter.config.peft_type)
    return kind.title if kind else adapter.config.peft_type


def is_lora(adapter: AdapterFacts) -> bool:
    """Return whether an adapter is plain LoRA, which has a scaling and a low rank."""
    return adapter.config.peft_type == "LORA"


def evidence(adapter: AdapterFacts, key: str = "") -> tuple[Evidence, ...]:
    """Return what a number rests on: one key, or the configurations of adapter and base."""
    found = (Evidence(path=_path(adapter), tag=key),)
    if key or adapter.base is None:
        return found
    return (*found, Evidence(path=adapter.base.config.source.path))


def counted(adapter: AdapterFacts, name: str, value: int, method: str, key: str = "") -> Number:
    """Return a count of an adapter and its base."""
    quantity = Quantity(value=value, unit="count", method=method, sources=evidence(adapter, key))
    return Number(id=name, quantity=quantity, style="count")


def own_terms(adapter: AdapterFacts) -> tuple[Term, ...]:
    """Return every kind of parameter that is trained."""
    return adapter.ledger.terms if adapter.ledger else ()


def trained_of(adapter: AdapterFacts) -> int | None:
    """Return how many parameters are trained; None where that is not known."""
    if adapter.ledger is None or not isinstance(adapter.trainable, Quantity):
        return None
    return int(adapter.trainable.value)


def whole_of(adapter: AdapterFacts) -> int | None:
    """Return the parameters of base and adapter together."""
    whole = adapter.ledger.scope("base_and_adapter") if adapter.ledger else None
    return whole.total if whole else None


def packed_whole(adapter: AdapterFacts) -> int | None:
    """Return what is counted where two weights of a linear layer are stored as one."""
    packed = adapter.ledger.scope("packed") if adapter.ledger else None
    whole = whole_of(adapter)
    return whole - packed.total // 2 if whole and packed and packed.total else None


def share_number(adapter: AdapterFacts, name: str, whole: int, of: str) -> Number:
    """Return the trained share of a whole."""
    part = trained_of(adapter) or 0
    share, decimals = part / whole, SHARE_DECIMALS
    # A share below a hundredth of a percent keeps two digits.
    while 0 < share * 100 * 10**decimals < 10 and decimals < 8:
        decimals += 1
    return Number(
        id=name,
        quantity=Quantity(
            value=share,
            unit="fraction",
            method=message("trainable parameters divided by {of}", of=of),
            formula=f"{part} / {whole}",
            sources=evidence(adapter),
        ),
        style="percent_sign",
        decimals=decimals,
    )


def count_equation(adapter: AdapterFacts, stem: str) -> Equation | None:
    """Return the count as one formula: its own, or the sum of its kinds of parameters."""
    terms = own_terms(adapter)
    if not terms or len(terms) > MOST_TERMS:
        return None
    if len(terms) == 1:
        (term,) = terms
        return Equation(
            id=f"eq.{stem}.count.{slug(term_names(terms)[0])}",
            left=TRAINED,
            right=term.formula,
            values=term.values,
            strong=True,
        )
    parts: list[Expression] = []
    values: dict[str, int | float] = {}
    for name, term in zip(term_names(terms), terms, strict=True):
        symbol = Symbol("N", name, meaning=term.label)
        parts.append(symbol)
        values[symbol.key] = term.count
    return Equation(
        id=f"eq.{stem}.trainable",
        left=TRAINED,
        right=Sum(tuple(parts)),
        values=values,
        strong=True,
    )


def term_names(terms: Sequence[Term]) -> list[str]:
    """Return the last word of each module, numbered where two are alike."""
    seen: dict[str, int] = {}
    found = []
    for term in terms:
        short = (term.module.rsplit(".", 1)[-1] if term.module else term.name).replace("_", " ")
        seen[short] = seen.get(short, 0) + 1
        found.append(short + (f" {seen[short]}" if seen[short] > 1 else ""))
    return found


def scaling(adapter: AdapterFacts) -> tuple[Expression, float] | None:
    """Return by what an update is multiplied: alpha / r, or alpha / √r for rsLoRA."""
    found = scaling_of(adapter.config.values) if is_lora(adapter) else None
    if found is None:
        return None
    alpha, rank, root = found
    formula = ALPHA / (Root(RANK) if root else RANK)
    return formula, alpha / (rank**0.5 if root else rank)


def has_patterns(adapter: AdapterFacts) -> bool:
    """Return whether some modules have a rank or an alpha of their own."""
    values = adapter.config.values
    return bool(values.get("rank_pattern") or values.get("alpha_pattern"))


def shown_value(value: object) -> str:
    """Return a value as people write it, cut where it is long.

    Example:
        >>> shown_value(["q_proj", "v_proj"]), shown_value(None), shown_value("none")
        ('q_proj, v_proj', 'null', 'none')
    """
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        text = ", ".join(value)
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
