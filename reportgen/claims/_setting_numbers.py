"""Numbers of running text, listings and lists that a setting's name or unit binds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.claims._claiming import claim_at
from reportgen.claims._counters import names_moment
from reportgen.claims._cues import DOUBTFUL, is_elsewhere, is_pretraining, model_hints
from reportgen.claims._epoch_lengths import end_of_epoch_length
from reportgen.claims._parts_of_training import is_of_a_part
from reportgen.claims._passages import Passage
from reportgen.claims._setting_keys import ADAPTER, NUMBER, SHARE, TRAINING, WHOLE, SettingKey
from reportgen.claims._setting_words import BY_NAME, Named, name_before, unit_behind
from reportgen.records.claim import LIKELY, Claim, Printed, Setting

_SIGNS = frozenset({"=", ":", "≈", "←", "→", "|", "(", "[", "{", '"', "'"})
_LINKS = frozenset(
    {
        *(
            "is",
            "was",
            "are",
            "were",
            "be",
            "been",
            "being",
            "of",
            "to",
            "at",
            "as",
            "set",
            "fixed",
        ),
        *("equal", "equals", "kept", "chosen", "choose", "used", "use", "using", "value", "valued"),
        *("the", "a", "an", "that", "we", "about", "around", "approximately", "roughly", "only"),
        *("just", "it", "this", "constant", "size", "sized", "peaks", "peaking", "defined"),
        *("est", "sont", "était", "vaut", "valant", "de", "du", "des", "d", "à", "fixé", "fixée"),
        *("égal", "égale", "réglé", "réglée", "choisi", "choisie", "le", "la", "un", "une", "l"),
        *("valeur", "environ", "taille"),
    }
)
_SOFT = frozenset({"over", "for", "during", "in", "sur", "pendant", "with", "first"})
"""Words that join a warm-up, and nothing else, to its number."""
# Nobody writes these in words: `d_ff in the two layers`.
_WIDTHS = frozenset(("hidden_size", "intermediate_size", "vocab_size", "max_length"))
_LOGGED = frozenset({"learning_rate", "num_train_epochs", "max_steps", "batch_size"})
_LENGTHS = frozenset({"num_train_epochs", "max_steps"})
_LOSS = gated(r"\bloss\b|grad_?norm|\bwps\b|\bups\b", re.IGNORECASE)
_LINE = 120
_LARGEST = {
    **dict.fromkeys(("num_hidden_layers", "num_attention_heads"), Decimal(1000)),
    **dict.fromkeys(("learning_rate", "weight_decay", "momentum"), Decimal(100)),
    **dict.fromkeys(("num_train_epochs", "num_labels", "r", "lora_alpha"), Decimal(10**6)),
}
_LARGEST_OF_LETTERS = Decimal(100_000)
_MOST_LINKS = 8
_JOINTS = frozenset({"and", "or", "et", "ou", "respectively", "respectivement", "in", "for"})
_OPERATORS = frozenset("×*/+^·÷−±")
_CASE = gated(r"\b(?:when|if|whenever|lorsque|quand|si)\s\$?$", re.IGNORECASE)
_CHOICE = re.compile(r"\s{0,2}(?:,|;|/|–|-|\bor\b|\band\b|\bto\b|\bou\b|\bet\b|\bà\b)\s{0,2}$")
_BEST = gated(
    r"\b(?:best|reached|achieved|obtained|highest|lowest|peak accuracy|meilleur\w*|atteint\w*)\b",
    re.IGNORECASE,
)
_SAID = gated(
    r"\b(?:set|sets|use|used|using|choose|chose|chosen|fixed|equal|equals|pick|picked|take|taken|value"
    r"|selected|keep|kept|fixé\w?|choisi\w*|utilis\w+|pris\w?|valeur|vaut)\b[^.;]{0,30}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Binding:
    """A setting that a number is bound to.

    Attributes:
        key: The setting.
        start: Where in the plain text the words that bind begin.
        end: The position behind them, or behind the number.
        sure: How sure it is, 0 to 1.
        name: The words.
    """

    key: SettingKey
    start: int
    end: int
    sure: float
    name: str


def numbers_of_settings(passage: Passage) -> Iterator[Claim]:
    """Yield a claim for every number of a passage that is the value of a setting."""
    for place, number in enumerate(passage.numbers):
        if calculates(passage.plain.text, number):
            continue
        binding = _bind(passage, number)
        if binding is None:
            continue
        value = value_of(binding.key, number)
        if value is None or value > _most(binding) or _is_logged(passage, binding):
            continue
        yield _claim(passage, place, binding, value)


def _is_logged(passage: Passage, binding: Binding) -> bool:
    """Say whether a rate is one of a moment: `{'loss': 0.61, 'learning_rate': 9.3e-06}`."""
    if binding.key.name not in _LOGGED or passage.block.type != "code":
        return False
    start = max(0, binding.start - _LINE)
    return bool(_LOSS.search(passage.plain.text, start, binding.end + _LINE))


def _most(binding: Binding) -> Decimal:
    """Return the largest value that the words around a number can mean."""
    most = _LARGEST.get(binding.key.name, Decimal(10**12))
    return most if binding.sure >= LIKELY else min(most, _LARGEST_OF_LETTERS)


def value_of(key: SettingKey, number: Printed) -> Decimal | None:
    """Return what a number says as a setting's value, None where it cannot be one.

    Example:
        >>> number = Printed(text="5", value=Decimal(5), unit="percent")
        >>> value_of(BY_NAME["lora_dropout"], number), value_of(BY_NAME["hidden_size"], number)
        (Decimal('0.05'), None)
    """
    value = number.value.scaleb(-2) if number.unit == "percent" else number.value
    if key.kind == WHOLE:
        written = not (number.word and key.name in _WIDTHS)
        fits = written and not number.unit and value == value.to_integral_value()
        fits = fits and 0 <= value < 10**12
        return value if fits else None
    if key.kind == SHARE:
        return value if 0 <= value < 1 else None
    if key.kind == NUMBER:
        return value if value >= 0 and (not number.unit or number.unit == "percent") else None
    return None


def calculates(text: str, number: Printed) -> bool:
    """Say whether a number is a part of a calculation (`32000 × 512`)."""
    behind = text[number.end : number.end + 4].lstrip()
    before = text[max(0, number.start - 3) : number.start].rstrip()
    if behind[:1] in _OPERATORS or before[-1:] in _OPERATORS:
        return True
    product = re.match(r"x\s?\d|-\s\d", behind) or re.match(r"\(\s?\d", text[number.end :][:4])
    return bool(product) or bool(re.search(r"\d\s?x$", before))


def _bind(passage: Passage, number: Printed) -> Binding | None:
    """Return the setting that the words around a number name."""
    if names_moment(passage.plain.text, number):
        return None
    end = end_of_epoch_length(passage.plain.text, number)
    if end is not None:
        name = passage.plain.text[number.end : end].strip()
        return Binding(BY_NAME["steps_per_epoch"], number.start, end, 0.9, name)
    first, behind = passage.word_at(number.start), passage.word_at(number.end)
    named, sign = _before(passage, first)
    unit = unit_behind(passage.words, behind, adapter=passage.adapter)
    if unit and _cut_off(passage, behind, unit):
        unit = None
    if unit and (named is None or (not sign and named.key.name != unit.key.name)):
        return _by_unit(passage, number, unit, first)
    if named:
        start = passage.words[named.first].start
        name = passage.plain.text[start : passage.words[named.last].end]
        return Binding(named.key, start, number.end, named.sure * (1 if sign else 0.95), name)
    return _by_head(passage, number)


def _before(passage: Passage, first: int) -> tuple[Named | None, bool]:
    """Return the name before a number over its links, and whether a sign is among them."""
    words, last, signs, soft = passage.words, first - 1, "", False
    while last >= 0 and first - last <= _MOST_LINKS:
        text = words[last].text
        if text not in _SIGNS and text.casefold() not in _LINKS | _SOFT:
            break
        if text.casefold() in _LINKS and _named(passage, last):
            break
        soft = soft or text.casefold() in _SOFT
        signs += text if text in _SIGNS else ""
        last -= 1
    if last >= 0 and words[last].text == ")":
        named = _around_bracket(passage, last)
    else:
        named = _named(passage, last) if last >= 0 else None
    if named is None or _follows_operator(passage, named.first):
        return None, False
    if soft and not named.key.name.startswith("warmup"):
        return None, False
    if named.assigned and not (signs or _is_flag(passage, named.first)):
        return None, False
    if signs.endswith("(") and words[named.last].end == words[named.last + 1].start:
        return None, False  # `lr(1 - t)` is a function
    # A noun is what the number before it counts: `5 epochs (1125 steps)`.
    if signs == "(" and (_counts(passage, named) or _is_a_moment(passage, named)):
        return None, False
    return _chained(passage, _inside_brackets(passage, named, first)), bool(signs)


def _counts(passage: Passage, named: Named) -> bool:
    """Say whether a number stands right before a name: `six epochs`."""
    words = passage.words
    before = words[named.first - 1] if named.first else None
    return before is not None and any(n.end == before.end for n in passage.numbers)


def _is_a_moment(passage: Passage, named: Named) -> bool:
    """Say whether a name is that of one epoch or step: `the first epoch (70.3 %)`."""
    word = passage.words[named.last].text.casefold()
    return named.key.name in _LENGTHS and word in {"epoch", "step", "époque", "epoque", "pas"}


def _named(passage: Passage, last: int) -> Named | None:
    return name_before(passage.words, last, adapter=passage.adapter, symbols=passage.symbols)


def _around_bracket(passage: Passage, last: int) -> Named | None:
    """Read `hidden dimension (d_model) = 512`: what is in the brackets, else what is before."""
    opening = next(
        (i for i in range(last - 1, max(-1, last - 12), -1) if passage.words[i].text == "("), None
    )
    if opening is None or opening == 0:
        return None
    return _named(passage, opening - 1) or (
        _named(passage, last - 1) if last - opening > 1 else None
    )


def _inside_brackets(passage: Passage, named: Named, first: int) -> Named:
    """Let the words before `(h=8)` say what a letter is, or those behind `N=4 layers`."""
    if named.sure >= 0.9 or named.first != named.last:
        return named
    before = named.first - 1
    if before > 0 and passage.words[before].text in {"(", ","}:
        outer = _named(passage, before - 1)
        if outer and outer.key.name == named.key.name:
            return Named(key=named.key, first=named.first, last=named.last, sure=0.9, assigned=True)
    for word in passage.words[first + 1 : first + 6]:
        if not word.text[0].isalpha():
            break
        if condensed_noun(word.text) == named.key.name:
            return Named(key=named.key, first=named.first, last=named.last, sure=0.9, assigned=True)
    return named


def condensed_noun(word: str) -> str:
    """Return the setting that a plural noun counts, or an empty string.

    Example:
        >>> condensed_noun("Layers"), condensed_noun("cats")
        ('num_hidden_layers', '')
    """
    folded = word.casefold()
    if folded in {"layers", "layer", "couches", "blocks", "stacks"}:
        return "num_hidden_layers"
    return "num_attention_heads" if folded in {"heads", "head", "têtes"} else ""


def _chained(passage: Passage, named: Named) -> Named:
    """Take the first of `n_hid = n_hid2 = 512` as the name."""
    first = named.first
    while first > 1 and passage.words[first - 1].text == "=":
        other = _named(passage, first - 2)
        if other is None:
            break
        first = other.first
    return Named(key=named.key, first=first, last=named.last, sure=named.sure)


def _follows_operator(passage: Passage, first: int) -> bool:
    return first > 0 and passage.words[first - 1].text in _OPERATORS


def _is_flag(passage: Passage, first: int) -> bool:
    return first > 1 and passage.words[first - 1].text == passage.words[first - 2].text == "-"


def _cut_off(passage: Passage, behind: int, unit: Named) -> bool:
    """Say whether what follows a number begins another setting (`8, dropout = 0.1`)."""
    words = passage.words
    after = [word.text for word in words[unit.last + 1 : unit.last + 3]]
    assigned = after[:1] == ["="] or (after[:1] == [":"] and after[1:] and after[1][0].isdigit())
    return bool(assigned) or behind > unit.first


def _by_unit(passage: Passage, number: Printed, unit: Named, first: int) -> Binding | None:
    """Return the setting of `5 epochs`, or None where only a part of the run is meant."""
    words = passage.words
    end = words[unit.last].end
    name = passage.plain.text[words[unit.first].start : end]
    sure = 0.9
    if unit.key.name in {*_LENGTHS, "max_position_embeddings"}:
        before = [word.text for word in words[max(0, first - 3) : first]]
        start, stop = passage.sentence(number.start)
        if is_of_a_part(before, passage.plain.text[start : number.start], passage.plain.text, end):
            sure = DOUBTFUL
        if unit.key.name == "max_steps" and _BEST.search(passage.plain.text[start:stop]):
            return None
    return Binding(unit.key, number.start, end, sure, name)


def _by_head(passage: Passage, number: Printed) -> Binding | None:
    """Return the setting that an item begins with, where the item says `set it to 0.05`."""
    head = passage.head
    if head is None or number.start < passage.body:
        return None
    start, _ = passage.sentence(number.start)
    said = passage.plain.text[max(start, passage.body) : number.start]
    first = not said.strip()
    if not first and not _SAID.search(said[-60:]):
        return None
    return Binding(head.key, number.start, number.end, 0.95 if first else 0.85, passage.head_text)


def _claim(passage: Passage, place: int, binding: Binding, value: Decimal) -> Claim:
    number, key = passage.numbers[place], _finer(binding.key, passage.numbers[place], value)
    hints = {"where": binding.name}
    sure = binding.sure
    case = _CASE.search(passage.plain.text, 0, binding.start)
    if case or is_elsewhere(passage, number.start) or _one_of_several(passage, place):
        sure = min(sure, DOUBTFUL)
    if key.scope == TRAINING and is_pretraining(passage, number.start):
        sure, hints["phase"] = min(sure, DOUBTFUL), "pre-training"
    if key.scope == "model":
        hints |= model_hints(passage, number.start)
    return claim_at(
        passage,
        binding.start,
        binding.end,
        kind="lora_config" if key.scope == ADAPTER else "hyperparameter",
        number=number,
        content=Setting(name=binding.name, key=key.name, value=value, scope=key.scope),
        confidence=sure,
        hints=hints,
    )


def _finer(key: SettingKey, number: Printed, value: Decimal) -> SettingKey:
    """Tell a warm-up of 500 updates from one of 6 %."""
    if key.name == "warmup_ratio" and not number.unit and value >= 1:
        return BY_NAME["warmup_steps"]
    return key


def _one_of_several(passage: Passage, place: int) -> bool:
    """Say whether a number stands in a list of choices: `1e-5, 3e-5 or 5e-5`, `{8, 16}`."""
    numbers, text = passage.numbers, passage.plain.text
    number = numbers[place]
    for other in numbers[max(0, place - 1) : place + 2]:
        left, right = sorted((number, other), key=lambda n: n.start)
        if left is right or left.end >= right.start:
            continue
        between = text[left.end : right.start]
        if len(between) < 8 and _CHOICE.search(between) and _alike(passage, left, right):
            return True
    return False


def _alike(passage: Passage, left: Printed, right: Printed) -> bool:
    """Say whether two neighbouring numbers are values of one thing, without units of their own."""
    units = [
        unit_behind(passage.words, passage.word_at(n.end), adapter=passage.adapter)
        for n in (left, right)
    ]
    if units[0] is not None:
        return False
    # `8 and 5 epochs` are two things, `0.1 or 0.3 dropout` is one of two.
    between = passage.plain.text[left.end : right.start].strip()
    behind = passage.plain.text[right.end : right.end + 12].lstrip().split(" ")[0]
    if behind[:1].isalpha() and behind not in _JOINTS and between in {",", ";", "and", "et"}:
        return False
    return units[1] is None or between in {"or", "ou", "to", "à", "-", "–", "/"}
