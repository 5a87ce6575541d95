"""What is said of each stated setting: where it stands, or that two bindings speak against it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from reportgen.checking.numbers import find_numbers
from reportgen.checking.settings._known import (
    Known,
    Lexicon,
    Plain,
    by_key,
    condensed,
    shown,
    words_of,
)
from reportgen.checking.settings._stated import Stated
from reportgen.checking.words import said as spoken
from reportgen.records.record import record, replace
from reportgen.records.verdict import Printed, Verdict

RULE = "setting"
AGREES, DIFFERS, UNKNOWN = "agrees", "differs", "unknown"

_NEVER = frozenset(
    {
        *("num_runs", "eval_steps", "steps_per_epoch", "input_size", "output_size"),
        *("num_devices", "lora_scaling", "train_examples", "validation_examples"),
        *("test_examples", "epochs_reached", "steps_reached", "base_model"),
    }
)
"""Settings that mean several things, or count: agreed with, never held against anybody."""
_AT_MOST = frozenset({"max_length", "max_position_embeddings"})
"""Less than the evidence allows is no mistake."""
_UNSPECIFIC = frozenset({"seed", "num_runs"})
"""Settings that agree with many a run."""
_SHARED = frozenset({"batch_size", "effective_batch_size"})
_SHARING = frozenset({"num_devices", "gradient_accumulation_steps", "effective_batch_size"})
"""What a batch is parted by, where the report or the evidence speaks of it."""
_ANY = "any"
_QUIET = frozenset(
    {
        *("optimizer", "lr_scheduler_type", "hidden_act", "dtype", "dropout", "attention_dropout"),
        *("num_labels", "max_length", "label_smoothing", "warmup_ratio", "warmup_steps"),
        *("effective_batch_size", "eval_batch_size"),
    }
)
"""Settings that a report may give of another part, or that programs spell in several ways."""
_MOST_PARTS = 10_000
"""A larger count may be that of several parts together."""
_PADDING = 128
"""Rows that a table of words may have besides the words."""
_SAME = {"polynomial": "linear", "linéaire": "linear", "cosinus": "cosine"}
_SCALES = {"percent": Decimal("0.01")}
_TOLERANCE = Decimal("1e-9")
_SLIP_DIGITS = 3
_REACHED = "epochs_reached"


@record(kw_only=False, frozen=False)
class _Votes:
    """How the settings of one group stand to one owner's."""

    agree: int = 0
    differ: int = 0


def agrees(printed: Printed, value: Decimal, *, derived: bool) -> bool:
    """Say whether a printed number may stand for a value of the evidence.

    What was chosen is printed as it is; what was counted may be rounded.

    Example:
        >>> half = Printed(text="0.5", value=Decimal("0.5"), decimals=1)
        >>> [agrees(half, Decimal(one), derived=False) for one in ("0.50", "0.45")]
        [True, False]
    """
    number = printed.value
    readings = {number, number * _SCALES.get(printed.unit, 1)}
    if any(abs(one - value) <= _TOLERANCE * abs(value) for one in readings):
        return True
    if derived and number == number.to_integral_value():
        return number in {math.floor(value), math.ceil(value)}
    digits, meant = (len(one.normalize().as_tuple().digits) for one in (number, value))
    unit = 2 * printed.half_unit
    if printed.decimals >= 0 and number and number % 1000 == 0:
        unit = Decimal(1000)
    rounded = unit > 1 or (digits > 1 and meant >= digits + 2)
    near = printed.approximate and abs(number - value) <= abs(value) / 50
    return bool(near) or (rounded and abs(number - value) < unit)


def is_slip(printed: Printed, value: Decimal) -> bool:
    """Say whether a whole number has one digit other than a value, and enough of them to tell.

    Example:
        >>> shown = [Printed(text=one, value=Decimal(one), decimals=0) for one in ("1894", "200")]
        >>> [is_slip(one, Decimal(right)) for one, right in zip(shown, (1884, 100), strict=True)]
        [True, False]
    """
    told, right = f"{printed.value:f}", f"{value.normalize():f}"
    if len(told) != len(right) or len(told) < _SLIP_DIGITS or not (told + right).isdigit():
        return False
    apart = sum(a != b for a, b in zip(told, right, strict=True))
    return apart == 1 and all(len(text.rstrip("0")) > 1 for text in (told, right))


def same_words(key: str, texts: Sequence[str], value: Plain) -> str:
    """Say how words stand to those of the evidence: `agrees`, `differs` or `unknown`.

    Example:
        >>> same_words("target_modules", ["q_proj", "k_proj"], ("q_proj", "v_proj"))
        'differs'
        >>> same_words("optimizer", ["AdamW"], "adamw_torch")
        'agrees'
    """
    names = value if isinstance(value, tuple) else (shown(value),)
    said = {_spelled(text) for text in texts}
    have = {_spelled(name) for name in names}
    if key.endswith("modules") or isinstance(value, tuple):
        alone = all(" " not in text and text.isascii() for text in texts)
        if said == have:
            return AGREES
        return DIFFERS if alone and not said < have and said & have else UNKNOWN
    first, known = _spelled(texts[0]), next(iter(have))
    if known.startswith(first) or first.startswith(known):
        return AGREES
    return DIFFERS if len(texts[0].split()) == 1 and texts[0].isascii() else UNKNOWN


def _spelled(text: str) -> str:
    name = condensed(text.rsplit(".", 1)[-1])
    return next(
        (new + name[len(old) :] for old, new in _SAME.items() if name.startswith(old)), name
    )


def _has_beside(one: Stated, own: Sequence[Known]) -> bool:
    """Say whether the value of the evidence stands in the sentence of another number."""
    if one.number is None:
        return False
    values = [known.value for known in own if isinstance(known.value, Decimal)]
    context = one.number.context
    beside = (n for n in find_numbers(context.sentence) if n.start != context.offset)
    return any(agrees(other, value, derived=False) for other in beside for value in values)


class Court:
    """Says what is to be said of each stated setting.

    Args:
        stated: Every setting that the report states.
        known: What the evidence has.
        lexis: Words for settings.
    """

    def __init__(self, stated: Sequence[Stated], known: Sequence[Known], lexis: Lexicon) -> None:
        self.stated = stated
        self.known: Mapping[str, tuple[Known, ...]] = by_key(known)
        self.lexis = lexis
        self.shares = not _SHARING.isdisjoint({*self.known, *(one.key for one in stated)})
        self.runs = {one.owner for one in known if one.owner.startswith("run ")}
        self.hits = [tuple(self._hits(one)) for one in stated]
        self.states = [self._state(one, hit) for one, hit in zip(stated, self.hits, strict=True)]
        self.votes: dict[tuple[tuple[str, int, int], str], _Votes] = {}
        self.of_sections: dict[tuple[int, str], _Votes] = {}
        for one, hits, state in zip(stated, self.hits, self.states, strict=True):
            if state == UNKNOWN or one.key in _UNSPECIFIC:
                continue
            owners = {v.owner for v in hits or self.known[one.key]}
            for owner in {*owners, _ANY}:
                votes = self.votes.setdefault((one.spot.group, owner), _Votes())
                below = self.of_sections.setdefault((one.spot.section, owner), _Votes())
                for count in (votes, below):
                    count.agree += state == AGREES
                    count.differ += state == DIFFERS

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts on what agrees, and on what two bindings speak against."""
        for one, hits, state in zip(self.stated, self.hits, self.states, strict=True):
            if hits:
                yield self._traced(one, hits)
            elif state == DIFFERS and (found := self._bindings(one))[0]:
                yield self._accused(one, *found, self._set(one))
            elif slip := self._slip(one):
                yield self._accused(one, "warning", ("key", "neighbour"), [slip])
            elif one.named.bare == "totaltrainbatchsize":
                yield from self._product(one)

    def owners_beside(self, section: int) -> frozenset[str]:
        """Return whose settings most of a section's are, two at least."""
        return frozenset(
            owner
            for (place, owner), votes in self.of_sections.items()
            if place == section and votes.agree > max(1, votes.differ)
        )

    def _hits(self, one: Stated) -> Iterator[Known]:
        for key in self._keys(one):
            for value in self.known.get(key, ()):
                number = one.number.printed if one.number is not None else None
                if number is not None and isinstance(value.value, Decimal):
                    if agrees(number, value.value, derived=value.derived):
                        yield value
                elif number is None and same_words(one.key, one.texts, value.value) == AGREES:
                    yield value

    def _keys(self, one: Stated) -> tuple[str, ...]:
        """Return the keys that the words of a setting may mean, its own first."""
        also = self.lexis.also.get(one.key, ())
        instead = self.lexis.instead.get(one.key, ())
        named = one.bound != "unit" and self._set(one)
        return (one.key, *also, *(() if named else instead))

    def _state(self, one: Stated, hits: Sequence[Known]) -> str:
        """Say how a statement stands to the evidence under every legal reading."""
        if hits:
            return AGREES
        own = self._set(one)
        if one.several or not own or one.bound == "unit" or one.key in _NEVER:
            return UNKNOWN
        stating = {value.owner for value in own} & self.runs
        if stating and stating != self.runs:
            return UNKNOWN
        if one.number is None:
            return min(same_words(one.key, one.texts, v.value) for v in own)
        numbers = [value.value for value in own if isinstance(value.value, Decimal)]
        printed = one.number.printed.value
        whole = all(value >= 1 and value % 1 == 0 for value in numbers)
        parted = bool(numbers) and all(0 < value < 1 for value in numbers)
        if len(numbers) < len(own) or (whole and (not printed or printed % 1)):
            return UNKNOWN
        # Nobody sets a rate of 500: that number belongs to another word.
        if (parted and printed >= 1 and not one.number.printed.unit) or self._unsure(one, own):
            return UNKNOWN
        less = one.key in _AT_MOST and printed < max(numbers)
        padded = one.key == "vocab_size" and abs(printed - numbers[0]) < _PADDING
        coded = "_" in one.quote and self._spelled_so(one, own)
        shared = one.key in _SHARED and self.shares and not coded
        parts = [max(printed, v) % min(printed, v) == 0 for v in numbers if v and printed]
        return UNKNOWN if less or padded or (shared and any(parts)) else DIFFERS

    @staticmethod
    def _unsure(one: Stated, own: Sequence[Known]) -> bool:
        """Say whether plain files have unlike values, or the one that they have for all its parts.

        Which of several files a report is of, its text does not say.
        """
        plain = {value.value for value in own if value.owner.startswith("file ")}
        if len(plain) > 1 or (plain and one.qualified):
            return True
        number = one.number.printed if one.number is not None else None
        if number is None or not number.value or not plain:
            return False
        value = next(iter(plain))
        if not isinstance(value, Decimal) or value <= _MOST_PARTS:
            return False
        parts = round(value / number.value)
        return parts > 1 and agrees(number, value / parts, derived=False)

    @staticmethod
    def _spelled_so(one: Stated, own: Sequence[Known]) -> bool:
        """Say whether a report names a setting as a file does."""
        return any(condensed(v.tag.rsplit(".", 1)[-1]) == one.named.bare for v in own)

    def _traced(self, one: Stated, hits: Sequence[Known]) -> Verdict:
        return Verdict(
            outcome="traced",
            rule=RULE,
            place=one.place,
            number=one.number,
            quote=one.quote,
            bindings=("key",),
            traces=tuple(dict.fromkeys(value.trace for value in hits[:3])),
        )

    def _bindings(self, one: Stated) -> tuple[str, tuple[str, ...]]:
        """Return how loud a setting that differs is told, and what binds it; empty for nothing."""
        own = self._set(one)
        votes = [self.votes.get((one.spot.group, value.owner), _Votes()) for value in own]
        best = max(votes, key=lambda v: v.agree - v.differ)
        every = self.votes.get((one.spot.group, _ANY), _Votes())
        if self._elsewhere(one, best) or self._of_either(one) or _has_beside(one, own):
            return "", ()
        if best.agree >= max(1, best.differ) and one.key not in _UNSPECIFIC:
            if best.agree >= 2 and best.agree > best.differ:
                return "warning" if one.key in _QUIET else "error", ("key", "vote")
            plain = all(value.owner.startswith("file ") for value in own)
            coded = "_" in re.split("[=:|]", one.quote)[0]
            coded = coded or (self._spelled_so(one, own) and not plain)
            if coded and one.bound in {"table", "assigned"}:
                return "warning", ("key", "neighbour")
            if every.agree >= 3 * max(1, every.differ):
                return "warning", ("key", "vote")
        return ("warning", ("key", "only")) if self._is_only(one, own) else ("", ())

    def _of_either(self, one: Stated) -> bool:
        """Say whether a report of two set-ups gives a setting the same value in several places."""
        alike = {
            other.spot.group
            for other in self.stated
            if other.key == one.key and other.number is not None and one.number is not None
            if other.number.printed.value == one.number.printed.value
        }
        values: dict[str, set[Decimal]] = {}
        for other in self.stated:
            if other.number is not None and not other.several and self._set(other):
                values.setdefault(other.key, set()).add(other.number.printed.value)
        return len(alike) > 1 and any(len(found) > 1 for found in values.values())

    def _is_only(self, one: Stated, own: Sequence[Known]) -> bool:
        """Say whether a report gives one value to a setting for which the evidence has one other.

        Settings of others' work, and of a section where most differ while some agree, are of
        another set-up.
        """
        said = {o.number.printed.value for o in self.stated if o.key == one.key and o.number}
        if len(said) > 1 or len({value.value for value in own}) > 1 or one.qualified:
            return False
        if all(value.owner.startswith("file ") for value in own):
            return False
        context = one.number.context if one.number is not None else None
        if context is None or one.key in _QUIET or (one.key == "seed" and one.named.bare != "seed"):
            return False
        if not self._is_used(one, context.sentence):
            return False
        about = f"{' '.join(context.headings[-1:])} | {context.caption} | {context.sentence}"
        if any(word.slot == "guard" and word.value == "quoted" for word in spoken(about)):
            return False
        here = self.of_sections.get((one.spot.section, _ANY), _Votes())
        agree = sum(v.agree for (_, owner), v in self.of_sections.items() if owner == _ANY)
        return here.differ <= max(1, here.agree) or not agree

    def _is_used(self, one: Stated, sentence: str) -> bool:
        """Say whether a sentence, or a cell, says of a setting that it was that of a training."""
        if one.number is not None and one.number.row is not None:
            return True
        words, marks = {word.text.casefold() for word in words_of(sentence)}, self.lexis.marks
        used = one.bound == "assigned" or words & marks["_used"]
        return bool(used) and not words & marks["_unused"]

    def _set(self, one: Stated) -> list[Known]:
        """Return the values of a setting that somebody chose."""
        return [value for value in self.known.get(one.key, ()) if not value.derived]

    def _slip(self, one: Stated) -> Known | None:
        """Return the value that a number misses by one digit, where others beside it are right."""
        if one.number is None or one.several:
            return None
        near = [
            (hit.owner, other.key)
            for other, hits in zip(self.stated, self.hits, strict=True)
            if other.spot.group == one.spot.group and other.number is not None
            for hit in hits
        ]
        printed = one.number.printed
        # Where the steps are those of a run, its epochs are told as well.
        paired = one.key == "num_train_epochs" and any(key == "max_steps" for _, key in near)
        found = [
            value
            for key in self._keys(one)
            for value in self.known.get(key, ())
            if isinstance(value.value, Decimal)
            and (is_slip(printed, value.value) or (paired and key == _REACHED))
        ]
        if len({value.value for value in found}) != 1 or self._unsure(one, found):
            return None
        if any(key == one.key for _, key in near):
            return None
        return next((v for v in found if any(owner == v.owner for owner, _ in near)), None)

    def _accused(
        self, one: Stated, level: str, bindings: tuple[str, ...], own: Sequence[Known]
    ) -> Verdict:
        says = " and ".join(dict.fromkeys(f"{v.path} has {v.trace.what}" for v in own[:2]))
        value = own[0].value
        printed = one.number.printed.text if one.number is not None else ", ".join(one.texts)
        percent = one.number is not None and one.number.printed.unit == "percent"
        expected = value * 100 if percent and isinstance(value, Decimal) else value
        return replace(
            self._traced(one, own),
            outcome="contradicted",
            level=level,
            bindings=bindings,
            expected=shown(expected),
            message=f"the report says {printed} ({one.quote}); {says}",
        )

    def _product(self, one: Stated) -> Iterator[Verdict]:
        """Hold the trainer's total batch against the factors that it prints beside it."""
        beside = [other for other in self.stated if other.spot.group == one.spot.group]
        factors = {o.key: o.number.printed.value for o in beside if o.number is not None}
        batch, steps = factors.get("batch_size"), factors.get("gradient_accumulation_steps")
        if one.number is None or not batch or not steps or "num_devices" in factors:
            return
        total, product = one.number.printed.value, batch * steps
        if total == product:
            return
        yield replace(
            self._traced(one, ()),
            outcome="contradicted",
            level="warning",
            bindings=("formula",),
            expected=shown(product),
            message=f"the report says {one.number.printed.text} ({one.quote}); beside it stand "
            f"{shown(batch)} and {shown(steps)}, and no number of devices",
        )

    def _elsewhere(self, one: Stated, votes: _Votes) -> bool:
        """Say whether the report has the right value too, for another set-up as it seems."""
        for other, state in zip(self.stated, self.states, strict=True):
            if other.key != one.key or state != AGREES or other.several or other.bound == "unit":
                continue
            same_block = other.spot.group[:2] == one.spot.group[:2]
            if other.spot.section != one.spot.section or same_block:
                return True
            if votes.agree < 2 * votes.differ:
                return True
        return False
