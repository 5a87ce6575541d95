"""What a head, a row label, a caption or a lead-in says of the values that it stands over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._kept import kept
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._counters import counters, elliptic_ordinals, ordinals
from reportgen.claims._labels import group_mentions, residual, without_unit
from reportgen.claims._mentions import Mention, mentions
from reportgen.claims._run_names import is_group
from reportgen.claims._tails import firsts, tails
from reportgen.claims._vocabulary import (
    COUNTERS,
    OTHER_QUANTITIES,
    RANDOM,
    SETTINGS,
)
from reportgen.runs import direction_of

_ROLE_OF = {
    slot: gated(
        rf"(?:(?:(?:mean|average|avg\.?)\s)?(?:best|meilleure?s?|selected|last|derni(?:er|ère)s?"
        rf"|final|chosen|optimal)\s)?(?:(?:validation"
        rf"|valid|val)\s)?"
        rf"(?:{words})(?:\smoyenne?)?(?:\s?(?:number|no\.?|n°|#|id|index|\((?:updates?|steps?"
        rf"|optimi[sz]er\ssteps)\)))?",
        re.IGNORECASE,
    )
    for slot, words in COUNTERS.items()
}
_SETTING = re.compile(
    rf"(?:(?:lora|peak|initial|max(?:imum)?|number\sof|nombre\sde|nb\.?(?:\sof)?"
    rf"|\#)\s)?(?:{SETTINGS})(?:\s?\(?[a-z\u03b1-\u03c9]\)?)?",
    re.IGNORECASE,
)
_OTHER = re.compile(
    rf"(?:(?:trainable|total|training|train|wall|inference|number\sof|nb\.?(?:\sof)?"
    rf"|nombre\s(?:de|d')|gpu|cpu|peak|model|mean"
    rf"|average|avg\.?|logged|non-?zero|parameter|last|smallest)\s){{0,3}}(?:{OTHER_QUANTITIES})"
    rf"(?:\s?/\s?\w{{1,12}}|\s(?:count|used|usage|cost|of\s.{{1,40}}|per\s.{{1,20}}|/\s?\w{{1,12}}|\(\w{{1,12}}\)"
    rf"|\[\w{{1,12}}\]|s))?",
    re.IGNORECASE,
)
_RUNS = re.compile(
    r"(?:\#|n(?:o\.?|°)?|nb\.?|num(?:ber)?\.?|nombre)[\s_]?(?:of\s|de\s|d['’])?"
    r"(?:(?:random|different|independent)\s)?"
    r"(?:seeds|runs|folds|trials|replicates|graines|essais|plis|ex[ée]cutions|r[ée]p[ée]titions)"
    r"(?:\sused)?",
    re.IGNORECASE,
)
"""How many runs a row is of: `# seeds`."""
_MEASURED_IN = re.compile(
    r"[(\[](?:s|secs?|seconds?|secondes?|ms|mins?|minutes?|h|hrs?|hours?|heures?|[kmg]i?[bo]|m|k|b|w|k?wh|it/s|€|\$"
    r"|g?flops|millions?|°c)[)\]]",
    re.IGNORECASE,
)
_P_VALUE = re.compile(
    r"(?:valeur\s)?p(?:[\s_-]?val(?:ue)?s?)?(?:\s(?:two|one)-(?:sided|tailed)|\s(?:bi|uni)lat[ée]rale?)?(?:\s?[,=(<].*)?"
    r"|.{0,12}\bp\sof\s.*",
    re.IGNORECASE,
)
_PERCENT = gated(
    r"\\?%|\b(?:in|en)\s(?:percent|pourcentage|pour\s?cent)|\bpercent(?:age)?\b|pour\s?cent",
    re.IGNORECASE,
)
_POINTS = gated(r"(?:%|percentage\s)?\b(?:points?|pts|pp)\b", re.IGNORECASE)
_CHOSEN = gated(
    r"(?:\bat\s|\bau\s|\bà\sla\s)?(?:\b(?:the|each|its|le|la)\s)?(?:(?:checkpoints?|steps?"
    r"|epochs?|époques?|models?|itérations?)"
    r"\s(?:with|of|having|avec|ayant|de)\s(?:the\s|la\s)?(?:best|highest|lowest|meilleure?"
    r"|plus\shaute)\s(?:validation|valid|val|dev)"
    r"(?:\s(?:accuracy|acc|loss|score|f1|performance|set))?"
    r"|(?:best|meilleure?)(?:[\s-]step)?\s(?:validation|valid|val|dev)\s(?:steps?|checkpoints?"
    r"|epochs?|models?|iterations?|updates?)"
    r"|meilleure?\s(?:étape|époque|itération|pas|modèle|checkpoint)\s(?:de|en)\svalidation"
    r"|(?:selected|chosen|picked|sélectionnée?s?|choisie?s?)\s(?:on|by|using|with|sur"
    r"|selon)\s(?:the\s|la\s|le\s|l')?(?:best\s)?"
    r"(?:validation|valid|val|dev)(?:\s(?:set|split|accuracy|loss|data))?"
    r"|early[\s-]stopp(?:ing|ed)(?:\son\s(?:the\s)?validation(?:\s(?:loss|accuracy|set))?)?"
    r"|meilleure?s?\s(?:pas|étapes?|époques?)(?:\ssur\sla\svalidation)?"
    r"|best(?:[\s-]performing)?[\s-](?:checkpoints?|steps?|epochs?|iterations?))(?![^\W_])",
    re.IGNORECASE,
)
_CORRESPONDING = gated(
    r"\bcorrespond\w{0,6}"
    r"(?=\s(?:(?:accurac\w{1,4}|scores?|values?)\s)?(?:(?:on|in|sur)\s(?:the\s)?)?test)",
    re.IGNORECASE,
)
"""The test value that corresponds to a validation value is the one at its best step."""
_AT_THE_END = gated(
    r"\b(?:at\s(?:the|its|their)\s(?:very\s)?end|in\sthe\send|(?:ends?|ended|ending|finish(?:es|ed))\s(?:up\s)?(?:at|with)"
    r"|à\sla\sfin|(?:finit|termine)\s(?:à|avec|sur))\b(?!\s(?:of|de|du|des)\b|\s?d['’])",
    re.IGNORECASE,
)
_ONE_LETTER = re.compile(r"\s*([^\W\d_])\s?:\s?[^\W\d_]")
"""`a: Validation` is of a group that is called by a letter."""
_SURE = frozenset({"metric", "split", "seed", "epoch", "step", "n"})
"""What a head is that says one of these, whatever a group is called: not so `best`, `dropout`."""
_GLUE, _BLANK = re.compile(r"[-_./]"), re.compile(r"\s")
_ARTICLE_STEP = re.compile(r"[\s,;()]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """One label, read.

    Attributes:
        text: As written.
        mentions: What was understood, in order, runs and moments included.
        label: What is left and may name a group.
        role: What the numbers under it count, where they are no values: `seed`, `epoch`,
            `step`, `n`, `setting`, `other`; empty for values.
        unit: `"percent"`, `"points"` or nothing.
    """

    text: str
    mentions: tuple[Mention, ...] = ()
    label: str = ""
    role: str = ""
    unit: str = ""

    def values(self, slot: str) -> tuple[str, ...]:
        """Return the different values of a slot, in order."""
        return tuple(dict.fromkeys(m.value for m in self.mentions if m.slot == slot))

    def one(self, slot: str) -> str:
        """Return the value of a slot where there is exactly one."""
        values = self.values(slot)
        return values[0] if len(values) == 1 else ""

    @property
    def speaks(self) -> bool:
        """Whether it says anything of a metric, a split, an aggregate, a choice, a run."""
        slots = {m.slot for m in self.mentions}
        return bool(
            slots
            & {"metric", "generic", "split", "aggregate", "selection", "seed", "epoch", "step"}
        )


NOTHING = Head(text="")


def read_head(text: str) -> Head:
    """Read the head of a column or a row.

    Example:
        >>> head = read_head("Pretrain Seed 0")
        >>> head.label, head.one("seed"), read_head("Best Step").role
        ('Pretrain', '0', 'step')
        >>> head = read_head("RoBERTa small: Test acc. (%)")
        >>> head.label, head.one("metric"), head.one("split"), head.unit
        ('RoBERTa small', 'accuracy', 'test', 'percent')
    """
    return _read_head(text, called=is_group(text))


def means_nothing(text: str) -> bool:
    """Say whether a head would say nothing but a name.

    Example:
        >>> means_nothing("wide"), means_nothing("loss"), means_nothing("best-lr")
        (True, False, False)
    """
    head = _read_head(text, called=False)
    return head.label == text and not head.mentions and not head.role


@kept
def _read_head(text: str, *, called: bool) -> Head:
    """Read a head; `called` says whether a group of the logs is called just so."""
    found = understood(text, head=True)
    bare = " ".join(_without_brackets(without_unit(text)).split()).strip(" :.,")
    role = _role(bare, text)
    if (role or found) and called and not {m.slot for m in found} & _SURE:
        return Head(text=text, label=text.strip())
    label = "" if role else label_beside(text, found)
    return Head(text=text, mentions=found, label=label, role=role, unit=unit_of(text))


def label_beside(text: str, found: Sequence[Mention]) -> str:
    """Return what a head says beside what was understood, which may name a group.

    Example:
        >>> read_head("a: Validation").label
        'a'
    """
    spans = [(m.start, m.end) for m in found if m.slot not in {"setting", "framework", "length"}]
    spans += [_whole_counter(text, m) for m in found if m.slot in {"seed", "epoch", "step", "n"}]
    left = residual(text, spans)
    alone = _ONE_LETTER.match(text) if not left else None
    # `a` is an article elsewhere.
    free = alone is not None and not any(start < alone.end(1) for start, _ in spans)
    return alone[1] if alone is not None and free else left


def read_text(text: str, known: Sequence[str] = ()) -> Head:
    """Read a caption, a lead-in or a heading: its groups are those that its words name.

    Example:
        >>> read_text("Test accuracy of the pretrained model").values("group")
        ('pretrained model',)
    """
    groups = group_mentions(text, known)
    found = [m for m in understood(text, head=False) if not any(_is_in(m, g, text) for g in groups)]
    taken = [(m.start, m.end) for m in found if m.slot not in {"framework", "setting"}]
    found += [
        group for group in groups if not any(a < group.end and group.start < b for a, b in taken)
    ]
    return Head(text=text, mentions=tuple(sorted(found)), unit=unit_of(text))


def _is_in(mention: Mention, group: Mention, text: str) -> bool:
    """Say whether a word is but a part of a name that is written as one: `last-not-best`."""
    if not (group.start <= mention.start and mention.end <= group.end):
        return False
    around = text[max(group.start, mention.start - 1) : mention.start]
    around += text[mention.end : min(group.end, mention.end + 1)]
    return bool(_GLUE.search(around)) and not _BLANK.search(text, group.start, group.end)


@kept
def understood(text: str, *, head: bool) -> tuple[Mention, ...]:
    """Return every mention of a text but those of groups, numbers that are labels included.

    How a step was chosen (`at the best validation step`) is one mention: its split is not
    that of the values.
    """
    chosen = [
        Mention(match.start(), match.end(), "selection", "best")
        for pattern in (_CHOSEN, _CORRESPONDING)
        for match in pattern.finditer(text)
    ]
    chosen += [
        Mention(match.start(), match.end(), "selection", "last")
        for match in _AT_THE_END.finditer(text)
    ]
    chosen += [*tails(text), *firsts(text)]
    found = [*mentions(text, head=head), *ordinals(text)]
    found += [] if head else elliptic_ordinals(text)
    found += counters(text, find_numbers(text)).values()
    free = [m for m in found if not any(c.start < m.end and m.start < c.end for c in chosen)]
    return tuple(sorted([*chosen, *with_directions(sorted(free))]))


def with_directions(found: Sequence[Mention]) -> tuple[Mention, ...]:
    """Tell what `lowest` and `best` mean here.

    The lowest is the best of a metric that is better when lower; the best test accuracy is
    one chosen on the test split itself.
    """
    lower = any(m.slot == "metric" and direction_of(m.value) == "lower" for m in found)
    both = {"lowest", "highest"} <= {m.value for m in found}
    told = []
    for mention, after in zip(found, [*found[1:], None], strict=False):
        slot, value = mention.slot, mention.value
        if slot == "selection" and value in {"lowest", "highest"}:
            best = lower == (value == "lowest") and not both
            extreme = "min" if value == "lowest" else "max"
            slot, value = ("selection", "best") if best else ("aggregate", extreme)
        if slot == "selection" and value == "best" and _names_test(mention, after):
            value = "oracle"
        told.append(Mention(mention.start, mention.end, slot, value))
    return tuple(told)


def _names_test(mention: Mention, after: Mention | None) -> bool:
    """Say whether the test split is named right behind a mention: `best test`."""
    if after is None or after.slot != "split":
        return False
    return after.value == "test" and after.start - mention.end <= 1


def unit_of(text: str) -> str:
    """Return the unit that a head or a caption states.

    Example:
        >>> unit_of("Difference, points"), unit_of("Accuracy in percent"), unit_of("95% interval")
        ('points', 'percent', '')
    """
    if _POINTS.search(text):
        return "points"
    numbered = re.sub(r"\d\s?\\?%", " ", text)
    return "percent" if _PERCENT.search(numbered) else ""


def _role(bare: str, text: str) -> str:
    """Return what the numbers below a head count, from its words alone."""
    for slot, pattern in _ROLE_OF.items():
        if pattern.fullmatch(bare):
            return slot
    if _RUNS.fullmatch(bare):
        return "n"
    if _SETTING.fullmatch(bare) and not any(m.slot == "metric" for m in mentions(text, head=True)):
        return "setting"
    if _MEASURED_IN.search(text) or _OTHER.fullmatch(bare) or _P_VALUE.fullmatch(bare):
        return "other"
    return ""


def _without_brackets(text: str) -> str:
    """Return a head without what it says in brackets, unless that is all."""
    bare = re.sub(r"\([^()]{0,60}\)|\[[^\[\]]{0,60}\]", " ", text)
    return bare if bare.strip() else text


def _whole_counter(text: str, mention: Mention) -> tuple[int, int]:
    """Return the span of a run's or a moment's number with the word before or behind it."""
    # The first word of `Random Seed 0` may name the group; that of `random seeds` does not.
    words = COUNTERS.get(mention.slot, "n|runs?|seeds?").replace(RANDOM, "")
    lead = re.search(
        rf"(?<![^\W_])(?:{words})[\s_#=:.-]{{0,4}}$", text[: mention.start], re.IGNORECASE
    )
    tail = re.match(rf"[\s-]{{0,2}}(?:{words})(?![^\W_])", text[mention.end :], re.IGNORECASE)
    start = lead.start() if lead else mention.start
    return start, mention.end + (tail.end() if tail and not lead else 0)


@kept
def number_of(text: str, style: NumberStyle | None = None) -> Decimal | None:
    """Return the number that a label is, if it is one and nothing else.

    The style is how the report writes decimals; by default what the label itself shows.

    Example:
        >>> number_of("1,125"), number_of("3.0"), number_of("seed 3")
        (Decimal('1125'), Decimal('3.0'), None)
        >>> number_of("1,125", NumberStyle(comma=True))
        Decimal('1.125')
    """
    numbers = find_numbers(text, style)
    if len(numbers) != 1 or _ARTICLE_STEP.sub(
        "", text[: numbers[0].start] + text[numbers[0].end :]
    ):
        return None
    try:
        return numbers[0].value
    except InvalidOperation:
        return None
