"""Words in a text that name a metric, a split, an aggregate or how a step was chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reportgen.checking.numbers._gated import Pattern, gated
from reportgen.checking.numbers._kept import kept
from reportgen.claims._metric_words import BEHIND_A_SPLIT, CASED, WORDS, cut_off_metrics
from reportgen.claims._other_senses import FOLLOWED_BY, PRECEDED_BY
from reportgen.claims._vocabulary import (
    AGGREGATES,
    AVERAGES,
    CASED_AGGREGATES,
    EXTREMES,
    FRAMEWORKS,
    GENERIC_WORDS,
    HEAD_METRICS,
    NEEDS_SPLIT_WORDS,
    SELECTIONS,
    SPLITS,
    phrase_pattern,
    plain,
    values_of,
)


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A word or phrase that says one thing about a value.

    Attributes:
        start: Where it begins in the text.
        end: The position behind it.
        slot: What it speaks of: `metric`, `average` (over classes), `generic`, `split`,
            `aggregate`, `extreme` (of the runs), `selection`, `framework`, `group`, `seed`,
            `epoch`, `step`, `n`, `level`, `length`, `setting`, `ddof`.
        value: In the one spelling of the vocabulary; of a group as written.
    """

    start: int
    end: int
    slot: str
    value: str


_WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "metric": WORDS,
    "average": AVERAGES,
    "extreme": EXTREMES,
    "aggregate": AGGREGATES,
    "split": SPLITS,
    "selection": SELECTIONS,
    "framework": FRAMEWORKS,
    "generic": GENERIC_WORDS,
}
_HEAD_WORDS = {**_WORDS, "head": HEAD_METRICS}
_CASED: Mapping[str, tuple[str, str]] = {
    **{word: ("metric", value) for word, value in CASED.items()},
    **{word: ("aggregate", value) for word, value in CASED_AGGREGATES.items()},
}


def _index(words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> dict[str, tuple[str, str]]:
    """Return plain phrase to (slot, value); of one phrase in two slots the first counts."""
    found: dict[str, tuple[str, str]] = {}
    for slot, phrases in words.items():
        name = "metric" if slot == "head" else slot
        for phrase, value in values_of(phrases).items():
            found.setdefault(phrase, (name, value))
    return found


def _pattern(words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Pattern:
    every = (p for phrases in words.values() for listed in phrases.values() for p in listed)
    return gated(phrase_pattern(every), re.IGNORECASE)


_IN_TEXT, _IN_HEAD = _pattern(_WORDS), _pattern(_HEAD_WORDS)
_TEXT_VALUES, _HEAD_VALUES = _index(_WORDS), _index(_HEAD_WORDS)
_CASED_PATTERN = gated(phrase_pattern(_CASED))

_TOP_FIVE = gated(
    r"\btop[\s-]?(?:5|five)\s(?:test|validation|valid|val|dev|train(?:ing)?)(?:[\s-]set)?\s$",
    re.IGNORECASE,
)
"""`top-5 validation accuracy` is another metric than `validation accuracy`."""
_SPLIT_NOUN = re.compile(
    rf"[\s_\-/]{{0,3}}(?:(?:and|et|&|,)\s(?:test|validation|valid|val|dev|train|training)\s)?"
    rf"(?:{NEEDS_SPLIT_WORDS}|{BEHIND_A_SPLIT})(?![^\W_])",
    re.IGNORECASE | re.VERBOSE,
)
_ON = re.compile(
    r"(?:\b(?:on|sur|en|in|over|à|d'|de|du)\s(?:the\s|our\s|le\s|la\s|l'\s?|l’|its\s)?"
    r"|d['’]|(?:jeu|ensemble|set|split|données|partition)\sde?\s?|[(/:,|]\s?|\b(?:and|et|or"
    r"|ou)\s)$",
    re.IGNORECASE,
)
_NO_SPLIT_NOUN = re.compile(
    r"[\s_-]{1,2}(?:steps?|epochs?|époques?|time|times|examples?|samples?|iterations?|updates?"
    r"|procedure|script|runs?|loops?|sentences?|budget|speed|stability|statistic|process|size"
    r"|dynamics|arguments?|parameters?|hyper|cost|duration|phase|regime|progress|itself)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\s?[:=,]")
_FIRST = re.compile(r"[.!?;,(|\n]\s{0,3}$")
_AN_ACT = re.compile(
    r"[\s_-]{1,2}(?:is|was|the|a|an|on|from|with|for|and|our|it|this|du|des|de|whether|if|that)\b",
    re.IGNORECASE,
)
_ACTS = frozenset({"training", "testing", "entraînement", "entrainement", "apprentissage", "tests"})
_NO_SPLIT_LEAD = gated(
    r"(?:\b(?:pre|post|re|co|t|statistical|paired|unpaired|flip|significance|permutation|welch"
    r"|wilcoxon|student|courbes?\sd|to|we|nous|by|the\st|during|before|after|of|end\sof)[\s'’-]{1,3}s?\s?)$",
    re.IGNORECASE,
)
_OF_TRAINING = re.compile(
    r"[\s_-](?:curves?|results?|performances?|and\s(?:evaluation|validation|test)\scurves)\b",
    re.IGNORECASE,
)
_WEAK_SPLITS = frozenset(
    {"train", "training", "valid", "test", "tests", "testing", "apprentissage", "dev", "val"}
    | {"entraînement", "entrainement", "eval", "evaluation", "development", "développement"}
)


@kept
def mentions(text: str, *, head: bool = False) -> tuple[Mention, ...]:
    """Return what a text says of metric, split, aggregate, selection and program, in order.

    Args:
        text: A sentence, a caption, a cell.
        head: It is a table's head or stands alone, where bare words mean more.

    Example:
        >>> [(m.slot, m.value) for m in mentions("the best validation accuracy, on average")]
        [('selection', 'best'), ('split', 'validation'), ('metric', 'accuracy'),
         ('aggregate', 'mean')]
        >>> mentions("after training for two more steps, we test this")
        ()
    """
    cut = (Mention(start, end, "metric", name) for start, end, name in cut_off_metrics(text))
    found = [*cut, *_cased(text), *_uncased(text, head=head)]
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: (m.start, -m.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return tuple(kept)


def _cased(text: str) -> Iterator[Mention]:
    for match in _CASED_PATTERN.finditer(text):
        slot, value = _CASED[match[0]]
        yield Mention(match.start(), match.end(), slot, value)


def _uncased(text: str, *, head: bool) -> Iterator[Mention]:
    pattern, values = (_IN_HEAD, _HEAD_VALUES) if head else (_IN_TEXT, _TEXT_VALUES)
    for match in pattern.finditer(text):
        word = plain(match[0])
        slot, value = values[word]
        after, before = FOLLOWED_BY.get(word), PRECEDED_BY.get(word)
        if after and after.match(text, match.end()):
            continue
        if before and before.search(text[max(0, match.start() - 24) : match.start()]):
            continue
        if value == "accuracy" and _TOP_FIVE.search(
            text[max(0, match.start() - 32) : match.start()]
        ):
            value = "top5_accuracy"
        if slot == "split" and not _is_split(text, match.start(), match.end(), head=head):
            continue
        yield Mention(match.start(), match.end(), slot, value)


def _is_split(text: str, start: int, end: int, *, head: bool) -> bool:
    """Say whether a word such as `training` names a split here, and no act."""
    word = plain(text[start:end])
    if word not in _WEAK_SPLITS:
        return True
    if word == "training" and _OF_TRAINING.match(text, end):
        return False
    lead = text[max(0, start - 24) : start]
    if _SPLIT_NOUN.match(text, end):
        return not lead.lower().endswith(("pre-", "pre"))
    if _NO_SPLIT_LEAD.search(lead) or _NO_SPLIT_NOUN.match(text, end):
        return False
    if word in _ACTS and _AN_ACT.match(text, end) and not head:
        return False
    named = _NAMED.match(text, end) and (not lead.strip() or _FIRST.search(lead))
    return head or bool(_ON.search(lead) or named)
