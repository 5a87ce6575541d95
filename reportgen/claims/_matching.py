"""Which group of the evidence a label means, by words alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from reportgen.claims._evidence import Group, pieces_of
from reportgen.claims._labels import group_key
from reportgen.claims._mentions import mentions

_STARTED = frozenset({"pretrained", "finetuned"})
_RANDOM = frozenset({"random", "unpretrained"})
_EMPTY = frozenset({"our", "proposed", "final", "best", "base", "this", "same", "trained", "full"})
_SOFT = frozenset({"baseline", "proposed", "standard", "simple", "vanilla", "original"})
"""Words that say what part a group plays; its folder need not bear them."""
_SETTING = re.compile(
    r"(?P<name>[^\W\d][\w .-]{0,24}?)\s?=\s?(?P<value>[-+]?[\d.]{1,12}(?:[eE][-+]?\d{1,3})?)",
)
_ALIASES = {
    "lr": ("lr", "learning_rate"),
    "learning_rate": ("lr", "learning_rate"),
    "batch_size": ("batch_size", "per_device_train_batch_size", "max_sentences", "bs"),
    "bs": ("batch_size", "per_device_train_batch_size", "max_sentences", "bs"),
    "r": ("r", "rank", "lora_r"),
    "rank": ("r", "rank", "lora_r"),
    "rank_r": ("r", "rank", "lora_r"),
    "alpha": ("alpha", "lora_alpha"),
    "dropout": ("dropout", "lora_dropout"),
    "weight_decay": ("weight_decay", "wd"),
}
_FINE_TUNING = re.compile(r"fine[\s_-]?tun", re.IGNORECASE)
_MARKS = re.compile(r"[\W_]+")
_SHORTEST_RUN = 4
"""Shorter names of runs are words and numbers that mean other things too."""
_IN_BRACKETS = re.compile(r"\s?\([^()]{0,60}\)$")
_ISSUED = re.compile(r"\([^()]{0,40}\)")
SURE, LIKELY_ENOUGH = 1.0, 0.75
"""How sure a match is: by every word, or by the words that tell groups apart."""


@dataclass(frozen=True, slots=True)
class Match:
    """What a label stands for.

    Attributes:
        candidates: Names of the groups that fit equally well; one is an answer.
        sure: Upper bound for the confidence of what rests on it.
        run: Id of the run, where the label is that of a single one.
    """

    candidates: tuple[str, ...] = ()
    sure: float = SURE
    run: str = ""


def match_label(label: str, groups: Sequence[Group]) -> Match:
    """Return the groups that a label may mean, by its words.

    Names and labels that are equal decide; then how the runs were started (pretrained or
    random); then the words that tell the groups apart. A word that no group has leaves the
    label without a group, unless the start alone decides.
    """
    program = {m.value for m in mentions(label, head=True) if m.slot == "framework"}
    fitting = [g for g in groups if not program or _runs_in(g, program)]
    if not fitting:
        return Match()
    key = group_key(label)
    # A table of one program's runs may have the program behind each of their names.
    bare = _IN_BRACKETS.sub("", label) if program else label
    whole = [g for g in fitting if any(is_whole_name(name, g) for name in (label, bare))]
    # `ac_1_100` has the words of `ac_100_1`: the spelling tells them apart.
    equal = whole if len(whole) == 1 else [g for g in fitting if g in whole or key in g.keys]
    if len(equal) > 1:
        # Groups called `A` and `a`.
        exact = [g for g in equal if label in (g.result.name, g.result.label)]
        equal = exact if len(exact) == 1 else equal
    if len(equal) == 1:
        return Match((equal[0].name,))
    if run := _by_run(label, fitting) or _by_run(bare, fitting):
        return run
    settings = _by_settings(label, fitting)
    if settings is not None:
        return settings
    words = key - _words_of(program)
    found = _by_words(words, fitting, groups)
    single = len(found.candidates) == 1 or not words <= {"full", "finetuned"}
    if single or not _FINE_TUNING.search(label):
        return found
    tuned = [g.name for g in fitting if g.words & {"full", "finetuned"}]
    return Match((tuned[0],), LIKELY_ENOUGH) if len(tuned) == 1 else found


def _by_run(label: str, groups: Sequence[Group]) -> Match | None:
    """Match the name of one run: its path, the end of it, or that behind its group's label."""
    wanted = _condensed(label)
    if len(wanted) < _SHORTEST_RUN:
        return None
    found = [
        (group.name, run.id)
        for group in groups
        for run in group.runs
        if wanted in _spellings(group, run.id)
    ]
    return Match((found[0][0],), run=found[0][1]) if len(found) == 1 else None


def is_whole_name(label: str, group: Group) -> bool:
    """Say whether a label is a group's name but for marks and capitals: `U-Net` is `unet`."""
    return _condensed(label) in {_condensed(group.result.name), _condensed(group.result.label)}


def _spellings(group: Group, run: str) -> set[str]:
    parts = run.split("/")
    ends = ["/".join(parts[n:]) for n in range(len(parts))]
    heads = ("", group.result.name, group.result.label)
    return {_condensed(f"{head}{end}") for head in heads for end in ends}


def _condensed(text: str) -> str:
    return _MARKS.sub("", text).casefold()


def _runs_in(group: Group, program: set[str]) -> bool:
    return any(group.result.layout.startswith(name) for name in program)


def _words_of(program: set[str]) -> frozenset[str]:
    names = {"hf", "hugging", "face", "huggingface", "transformers", "trainer", "using", "script"}
    return frozenset(names | program) if program else frozenset()


def _by_words(words: frozenset[str], fitting: Sequence[Group], groups: Sequence[Group]) -> Match:
    """Match by start and by words that tell groups apart."""
    named = frozenset().union(*(g.words | g.origins for g in fitting))
    # `Base` beside `Small` is all the name there is.
    left = words - _EMPTY or words & named
    started, random = bool(left & _STARTED), bool(left & _RANDOM)
    contrast = any(g.is_random for g in groups)
    if started != random:
        kept = [g for g in fitting if _start_fits(g, groups, random=random)]
        rest = left - _STARTED - _RANDOM
        if not kept and contrast:
            return Match()
        if not kept and random:
            return Match()
        fitting = kept or list(fitting)
        decided = contrast
    else:
        rest, decided = left, False
    return _told_apart(rest, fitting, decided=decided)


def _start_fits(group: Group, groups: Sequence[Group], *, random: bool) -> bool:
    """Say whether a group's runs start as a label says."""
    if random:
        return group.is_random
    if group.is_random:
        return False
    others = [g for g in groups if g.is_random]
    said = (group.words | group.origins) & _STARTED
    if said or not others:
        return True
    # Its name is that of a random group without the word: the other side of the contrast.
    named = [g for g in groups if not g.is_random and (g.words | g.origins) & _STARTED]
    return not named and any(_likeness(group, other) >= 0.6 for other in others)


def _likeness(one: Group, other: Group) -> float:
    first, second = pieces_of(one.result.name), pieces_of(other.result.name) - {"random"}
    return len(first & second) / max(len(first | second), 1)


def _told_apart(rest: frozenset[str], fitting: Sequence[Group], *, decided: bool) -> Match:
    """Return the groups that have most of the words that remain."""
    names = tuple(g.name for g in fitting)
    every = frozenset().union(*(g.words | g.origins for g in fitting))
    unknown = {word for word in rest if word not in every and word not in _SOFT}
    if unknown and not (decided and len(fitting) == 1 and len(unknown) <= 2):
        return Match()
    known = {word for word in rest if word in every}
    scores = {g.name: len(known & (g.words | g.origins)) for g in fitting}
    best = max(scores.values())
    winners = tuple(name for name in names if scores[name] == best)
    if len(winners) == 1:
        whole = best == len(known) and not unknown
        return Match(winners, SURE if whole else LIKELY_ENOUGH)
    return Match(winners, LIKELY_ENOUGH) if best or not rest else Match()


def _by_settings(label: str, groups: Sequence[Group]) -> Match | None:
    """Match a label made of settings; None where it states none."""
    stated = [(m["name"].strip().lower(), m["value"]) for m in _SETTING.finditer(label)]
    if not stated:
        return None
    kept = [g for g in groups if all(_has_setting(g, name, value) for name, value in stated)]
    if len(kept) == 1:
        return Match((kept[0].name,))
    return Match()


def _has_setting(group: Group, name: str, value: str) -> bool:
    """Say whether a group's configuration or name has a setting."""
    wanted = _number(value)
    key = re.sub(r"[\s.-]+", "_", name)
    for alias in _ALIASES.get(key, (key,)):
        logged = group.settings().get(alias)
        if logged is not None and _number(str(logged).strip("[]")) == wanted:
            return True
        pattern = rf"(?<![a-z]){re.escape(alias)}[\s_=-]?{re.escape(value)}(?![\d.])"
        if re.search(pattern, group.result.name.lower()):
            return True
    return False


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
