"""Values of an adapter's keys that PEFT refuses: told without any evidence."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from reportgen.checking.settings._stated import Passage, Stated
from reportgen.checking.settings._words import condensed
from reportgen.records.manuscript import Block, Place
from reportgen.records.verdict import Verdict

RULE = "legal"
_COMPANY = frozenset({"r", "lora_alpha", "lora_dropout", "target_modules", "task_type"})
_LIKE = 0.7


def refused(stated: Sequence[Stated]) -> Iterator[Verdict]:
    """Yield what is no legal value, where another key of an adapter stands beside it."""
    company: dict[tuple[str, int, int], set[str]] = {}
    for one in stated:
        company.setdefault(one.spot.group, set()).add(one.key)
    for one in stated:
        alone = one.number is None and len(one.texts) == 1 and not one.several
        beside = company[one.spot.group] & _COMPANY - {one.key}
        word = alone and " " not in one.texts[0].strip()
        if word and beside and one.bound != "said" and _wrong(one.key, one.texts[0]):
            yield _verdict(one.key, one.texts[0], one.place, one.quote)


def misspelt(passage: Passage, block: Block) -> Iterator[Verdict]:
    """Yield a word that is nearly a legal value, in a text that begins with its key."""
    opening = passage.opening
    names = [condensed(choice) for choice in _choices(opening.key)] if opening else []
    if opening is None or not names:
        return
    for word in passage.words[opening.last + 1 :]:
        whole = word.text.strip("_")
        near = difflib.get_close_matches(condensed(whole), names, 1, _LIKE)
        if "_" in whole and near and _wrong(opening.key, whole):
            place = block.place(word.start, word.end)
            yield _verdict(opening.key, whole, place, whole)


def _choices(key: str) -> tuple[str, ...]:
    """Return the legal values of a key, none where it may have any."""
    # The table of adapters is read where a report speaks of one.
    from reportgen.parameters.adapters import LORA_KEYS

    return LORA_KEYS[key].choices if key in LORA_KEYS else ()


def _wrong(key: str, text: str) -> bool:
    choices = _choices(key)
    return bool(choices) and condensed(text) not in {condensed(choice) for choice in choices}


def _verdict(key: str, text: str, place: Place, quote: str) -> Verdict:
    choices = _choices(key)
    spelt = {condensed(choice): choice for choice in choices}
    near = difflib.get_close_matches(condensed(text), spelt, 1, 0.0)
    return Verdict(
        outcome="contradicted",
        rule=RULE,
        place=place,
        quote=quote,
        level="warning",
        bindings=("key",),
        expected=spelt[near[0]] if near and key != "bias" else choices[0],
        message=f"{key} is {text}, which is none of {', '.join(choices)}: PEFT refuses it",
    )
