"""What the letters of a model's count stand for, found by the words that explain them."""

from __future__ import annotations

from decimal import Decimal

from reportgen.checks._reading import Reading
from reportgen.records.facts import Facts
from reportgen.records.quantity import Evidence


def symbol_readings(facts: Facts, meaning: str) -> list[Reading]:
    """Return the values of the letters that a model or an adapter explains with these words.

    Args:
        facts: With models.
        meaning: As a table explains a letter (`rows of the position table`).
    """
    wanted = " ".join(meaning.casefold().split())
    found = []
    models = [facts.model, *(adapter.base for adapter in facts.adapters)]
    for model in filter(None, models):
        for name, (words, value) in model.ledger.symbols.items():
            if " ".join(words.casefold().split()) == wanted:
                path = model.config.source.path
                cited = Evidence(path=path, tag=name, value=value)
                found.append(
                    Reading(
                        value=Decimal(str(value)),
                        where=f"{path} gives {value} as {words}",
                        evidence=(cited,),
                    )
                )
    return found
