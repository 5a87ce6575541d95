"""Numbers of layers, heads, matrices, runs, seeds and examples in running text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.checking.numbers._gated import gated
from reportgen.claims._claiming import claim_at
from reportgen.claims._count_owners import owner_of
from reportgen.claims._count_words import AMOUNT, ARCHITECTURE, Found, thing_behind
from reportgen.claims._cues import DOUBTFUL, is_elsewhere, model_hints
from reportgen.claims._passages import Passage
from reportgen.claims._setting_numbers import calculates
from reportgen.records.claim import Claim, Counted, Printed

EXAMPLES = "examples"
_PARTIAL = frozenset(
    {
        *("first", "last", "top", "bottom", "next", "remaining", "other", "another", "every"),
        *("some", "than", "up", "previous", "upper", "lower", "final", "only", "least", "most"),
        *("premiers", "premières", "derniers", "dernières", "autres", "figure", "table"),
    }
)
_SINGULAR = gated(
    r"(?:layer|head|projection|transformation|block|stack|couche|tête|feed-?\s?forward)$",
    re.IGNORECASE,
)
_RUNS_OF = frozenset({"runs", "seeds"})
_RUNS = gated(r"(?<![\w^])[nN]\s{0,2}=\s{0,2}$")
_OF_RUNS = gated(r"\b(?:runs?|seeds?|mean|average|std|deviation|moyenne|graines?)\b", re.IGNORECASE)
# Adjectives that leave `layers` the layers of the model.
_OF_MODEL = frozenset(
    {
        *("encoder", "transformer", "decoder", "hidden", "total", "stacked", "identical", "such"),
        *("roberta", "bert", "same", "successive", "similar", "unit", "full", "self", "attention"),
    }
)
_SET = gated(
    r"\b(?:(?P<train>train(?:ing)?|entraînement)|(?P<validation>valid(?:ation)?|dev(?:elopment)?)"
    r"|(?P<test>test))\s?(?:set|split|data|corpus|part|\b(?=\s(?:contains|has|is)))",
    re.IGNORECASE,
)
_SPLIT_BEHIND = re.compile(
    r"[^\d.;,]{0,40}?\b(?:for|in|on|as|to|pour|dans|en|de)\s(?:the\s|la\s|le\s|l['’])?"
    r"(?:(?P<train>train(?:ing)?|entra[iî]nement)|(?P<validation>valid(?:ation)?|dev(?:elopment)?)"
    r"|(?P<test>test))\b",
    re.IGNORECASE,
)
_LARGEST_ARCHITECTURE, _LARGEST_AMOUNT = 10_000, 10**12


def things_counted(passage: Passage) -> Iterator[Claim]:
    """Yield a claim for every number of a passage that counts layers, runs or examples."""
    listed = -1
    for number in passage.numbers:
        if number.unit or number.value != number.value.to_integral_value() or number.value < 1:
            continue
        if calculates(passage.plain.text, number):
            continue
        found = thing_behind(passage.words, passage.word_at(number.end))
        if found and _counts(passage, number, found):
            claim = _claim(passage, number, found)
            listed = passage.sentence(number.start)[1] if found.thing.what == EXAMPLES else listed
            yield claim
        elif found is None and number.start < listed and _split_behind(passage, number.end):
            yield _elliptic(passage, number)
        elif found is None and _is_sample_size(passage, number):
            yield claim_at(
                passage,
                number.start,
                number.end,
                kind=AMOUNT,
                number=number,
                content=Counted(what="runs"),
                confidence=0.8,
                hints={"where": "n"},
            )


def _elliptic(passage: Passage, number: Printed) -> Claim:
    """Return the claim of `200` in `1,800 reviews for training, 200 for validation`."""
    split = _split_behind(passage, number.end)
    return claim_at(
        passage,
        number.start,
        number.end,
        kind=AMOUNT,
        number=number,
        content=Counted(what=EXAMPLES, key=f"{split}_examples"),
        confidence=0.8,
        hints={"where": EXAMPLES, "split": split},
    )


def _split_behind(passage: Passage, place: int) -> str:
    """Return the split that the words behind a number of examples name: `200 for validation`."""
    behind = _SPLIT_BEHIND.match(passage.plain.text, place)
    return str(behind.lastgroup) if behind else ""


def _split_near(passage: Passage, number: Printed) -> str:
    """Return the split that the words before a number of examples name: `the test set has`."""
    start, _ = passage.sentence(number.start)
    # What stands before another number is said of that one.
    other = max((n.end for n in passage.numbers if n.end <= number.start), default=0)
    before = passage.plain.text[max(start, other, number.start - 60) : number.start]
    last = next(reversed(list(_SET.finditer(before))), None)
    return str(last.lastgroup) if last else ""


def _is_sample_size(passage: Passage, number: Printed) -> bool:
    """Say whether a number is the n of `mean over seeds, n = 3`."""
    start, end = passage.sentence(number.start)
    text = passage.plain.text
    before = text[max(start, number.start - 12) : number.start]
    return bool(_RUNS.search(before) and _OF_RUNS.search(text, start, end) and number.value < 1000)


def _counts(passage: Passage, number: Printed, found: Found) -> bool:
    """Say whether a number and a noun are a count of something."""
    thing, words = found.thing, passage.words
    most = _LARGEST_ARCHITECTURE if thing.kind == ARCHITECTURE else _LARGEST_AMOUNT
    if number.value > most:
        return False
    # `one model`, `for one layer`: an article more than a number.
    if number.value == 1 and (thing.kind == AMOUNT or thing.key):
        return False
    behind = words[found.last + 1].text if found.last + 1 < len(words) else "."
    hyphen = passage.plain.text[number.end : number.end + 1] == "-"
    noun = words[found.last].text
    return hyphen or not _SINGULAR.search(noun) or not behind[0].isupper()


def _claim(passage: Passage, number: Printed, found: Found) -> Claim:
    thing, words = found.thing, passage.words
    first = passage.word_at(number.start)
    before = {word.text.casefold() for word in words[max(0, first - 2) : first]}
    sure, what = found.sure, thing.what
    owner = owner_of(passage, number.start, words[found.last].end) if what in _RUNS_OF else ""
    if (before & _PARTIAL and not owner) or is_elsewhere(passage, number.start):
        sure = DOUBTFUL
    key, split = thing.key, thing.split
    if what == EXAMPLES and not split:
        split = _split_behind(passage, words[found.last].end) or _split_near(passage, number)
        key = f"{split}_examples" if split else ""
    if what == "layers" and not set(found.adjectives) <= _OF_MODEL:
        what, key = "other layers", ""
    hints = {"where": passage.plain.text[number.start : words[found.last].end]}
    if thing.kind == ARCHITECTURE:
        hints |= model_hints(passage, number.start)
    if split:
        hints["split"] = split
    if owner:
        hints["owner"] = owner
    return claim_at(
        passage,
        number.start,
        words[found.last].end,
        kind=thing.kind,
        number=number,
        content=Counted(what=what, key=key, scope=found.adjectives),
        confidence=sure,
        hints=hints,
    )
