"""Settings that are written with another sign where an equality is meant: `T+256`."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.claims._claiming import claim_at
from reportgen.claims._passages import Passage
from reportgen.claims._setting_numbers import value_of
from reportgen.claims._setting_words import BY_NAME
from reportgen.records.claim import Claim, Setting

_LEADS = frozenset({"and", "with", "where", "et", "avec", "où", ",", "here", "ici"})
_ENDS = frozenset({".", ",", ";", "and", "et", "with", "avec"})
_SIGNS = frozenset({"+", "-", "−"})
_DEFINED = 0.9


def slips_of_settings(passage: Passage) -> Iterator[Claim]:
    """Yield `T+256` where a sentence has just said what T is and is over behind the number.

    A plus sign shares its key with the equality sign on many keyboards.
    """
    words, text = passage.words, passage.plain.text
    for number in passage.numbers:
        first = passage.word_at(number.start)
        if first < 3 or words[first - 1].text not in _SIGNS:
            continue
        letter, lead = words[first - 2], words[first - 3].text.casefold()
        key, sure = passage.symbols.get(letter.text, ("", 0.0))
        behind = passage.word_at(number.end)
        after = words[behind].text.casefold() if behind < len(words) else "."
        if not key or sure < _DEFINED or lead not in _LEADS or after not in _ENDS:
            continue
        value = value_of(BY_NAME[key], number)
        if value is None:
            continue
        written = text[letter.start : number.end]
        yield claim_at(
            passage,
            letter.start,
            number.end,
            kind="hyperparameter",
            number=number,
            content=Setting(name=letter.text, key=key, value=value, scope=BY_NAME[key].scope),
            confidence=0.6,
            hints={"where": letter.text, "written": written},
        )
