"""What is said of each stated setting: where it stands, or that two bindings speak against it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.checking.settings._known import Known, Plain, by_key, shown
from reportgen.checking.settings._stated import Stated
from reportgen.checking.settings._words import Lexicon, condensed
from reportgen.records.claim import Printed
from reportgen.records.verdict import Verdict

RULE = "setting"
AGREES, DIFFERS, UNKNOWN = "agrees", "differs", "unknown"

_NEVER = frozenset(
    {
        *("seed", "num_runs", "eval_steps", "steps_per_epoch", "input_size", "output_size"),
        *("num_devices", "lora_scaling", "train_examples", "validation_examples"),
        *("test_examples", "epochs_reached", "steps_reached", "base_model"),
    }
)
"""Settings that mean several things, or count: agreed with, never held against anybody."""
_AT_MOST = frozenset({"max_length", "max_position_embeddings"})
"""Less than the evidence allows is no mistake."""
_QUIET = frozenset({"optimizer", "lr_scheduler_type", "hidden_act", "dtype"})
"""Names that programs spell in several ways."""
_SAME = {"polynomial": "linear", "linéaire": "linear", "cosinus": "cosine"}
_SCALES = {"percent": Decimal("0.01")}
_TOLERANCE = Decimal("1e-9")


@dataclass(slots=True)
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
        self.also = lexis.also
        self.runs = {one.owner for one in known if one.owner.startswith("run ")}
        self.hits = [tuple(self._hits(one)) for one in stated]
        self.states = [self._state(one, hit) for one, hit in zip(stated, self.hits, strict=True)]
        self.votes: dict[tuple[tuple[str, int, int], str], _Votes] = {}
        for one, state in zip(stated, self.states, strict=True):
            if one.several or state == UNKNOWN:
                continue
            for owner in {value.owner for value in self.known[one.key]}:
                votes = self.votes.setdefault((one.spot.group, owner), _Votes())
                votes.agree += state == AGREES
                votes.differ += state == DIFFERS

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts on what agrees, and on what two bindings speak against."""
        for one, hits, state in zip(self.stated, self.hits, self.states, strict=True):
            if hits:
                yield self._traced(one, hits)
            elif state == DIFFERS:
                verdict = self._accused(one)
                if verdict is not None:
                    yield verdict

    def owners_beside(self, section: int) -> frozenset[str]:
        """Return whose settings most of a section's are, two at least."""
        counts: dict[str, _Votes] = {}
        for one, state in zip(self.stated, self.states, strict=True):
            if one.spot.section == section and state != UNKNOWN and not one.several:
                for owner in {value.owner for value in self.known[one.key]}:
                    votes = counts.setdefault(owner, _Votes())
                    votes.agree += state == AGREES
                    votes.differ += state == DIFFERS
        return frozenset(o for o, v in counts.items() if v.agree > max(1, v.differ))

    def _hits(self, one: Stated) -> Iterator[Known]:
        for key in (one.key, *self.also.get(one.key, ())):
            for value in self.known.get(key, ()):
                number = one.number.printed if one.number is not None else None
                if number is not None and isinstance(value.value, Decimal):
                    if agrees(number, value.value, derived=value.derived):
                        yield value
                elif number is None and same_words(one.key, one.texts, value.value) == AGREES:
                    yield value

    def _state(self, one: Stated, hits: Sequence[Known]) -> str:
        own = [value for value in self.known.get(one.key, ()) if not value.derived]
        if hits:
            return AGREES if any(value.key == one.key for value in hits) else UNKNOWN
        if one.several or not own or one.bound == "unit" or one.key in _NEVER:
            return UNKNOWN
        if one.number is None:
            return min(same_words(one.key, one.texts, v.value) for v in own)
        numbers = [value.value for value in own if isinstance(value.value, Decimal)]
        printed = one.number.printed.value
        least = one.key in _AT_MOST and numbers and printed < max(numbers)
        nothing = not printed and numbers and min(numbers) >= 1
        if len(numbers) < len(own) or least or nothing:
            return UNKNOWN
        stating = {value.owner for value in own} & self.runs
        return UNKNOWN if stating and stating != self.runs else DIFFERS

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

    def _accused(self, one: Stated) -> Verdict | None:
        own = [value for value in self.known[one.key] if not value.derived]
        votes = [self.votes[one.spot.group, value.owner] for value in own]
        best = max(votes, key=lambda v: v.agree - v.differ)
        if self._elsewhere(one, best) or best.agree < max(1, best.differ):
            return None
        exact = any(condensed(v.tag.rsplit(".", 1)[-1]) == one.named.bare for v in own)
        coded = exact or "_" in one.quote.split("=")[0].split(":")[0]
        if best.agree >= 2 and best.agree > best.differ:
            level, bindings = "error", ("key", "vote")
        elif coded and one.bound in {"table", "assigned"}:
            level, bindings = "warning", ("key", "neighbour")
        else:
            return None
        level = "warning" if one.key in _QUIET else level
        says = " and ".join(dict.fromkeys(f"{v.path} has {v.trace.what}" for v in own[:2]))
        value = own[0].value
        printed = one.number.printed.text if one.number is not None else ", ".join(one.texts)
        percent = one.number is not None and one.number.printed.unit == "percent"
        expected = value * 100 if percent and isinstance(value, Decimal) else value
        return Verdict(
            outcome="contradicted",
            rule=RULE,
            place=one.place,
            number=one.number,
            quote=one.quote,
            level=level,
            bindings=bindings,
            traces=tuple(dict.fromkeys(value.trace for value in own[:3])),
            expected=shown(expected),
            message=f"the report says {printed} ({one.quote}); {says}",
        )

    def _elsewhere(self, one: Stated, votes: _Votes) -> bool:
        """Say whether the report has the right value too, for another set-up as it seems."""
        for other, state in zip(self.stated, self.states, strict=True):
            if other.key != one.key or state != AGREES or other.several:
                continue
            if other.bound == "unit" or other.spot.group == one.spot.group:
                continue
            same_table = other.spot.group[:2] == one.spot.group[:2]
            if other.spot.section != one.spot.section or same_table:
                return True
            if votes.agree < 2 * votes.differ:
                return True
        return False


def verdicts_of(
    stated: Sequence[Stated], known: Iterable[Known], lexis: Lexicon
) -> tuple[Verdict, ...]:
    """Return the verdicts on stated settings."""
    return tuple(Court(stated, tuple(known), lexis).verdicts())
