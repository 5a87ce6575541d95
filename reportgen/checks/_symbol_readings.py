"""What the letters of a model's count stand for, found by the words that explain them."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from reportgen.checks._reading import Reading
from reportgen.languages import LANGUAGES, retell, speaking
from reportgen.records.facts import Facts
from reportgen.records.quantity import Evidence


def symbol_readings(facts: Facts, meaning: str) -> list[Reading]:
    """Return the values of the letters that a model or an adapter explains with these words.

    Args:
        facts: With models.
        meaning: As a table explains a letter (`rows of the position table`).
    """
    wanted = _bare(meaning)
    found = []
    models = [facts.model, *(adapter.base for adapter in facts.adapters)]
    for model in filter(None, models):
        for name, (words, value) in model.ledger.symbols.items():
            if wanted in _called(words):
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


@lru_cache(maxsize=1024)
def _called(words: str) -> frozenset[str]:
    """Return an explanation in every language that a report of this model may be in."""
    found = set()
    for code in LANGUAGES:
        with speaking(code):
            found.add(_bare(retell(words)))
    return frozenset(found)


def _bare(text: str) -> str:
    return " ".join(text.casefold().split())
