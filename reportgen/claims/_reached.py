"""Steps and epochs at which a sentence says that a best value is reached."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._binding import Binding
from reportgen.claims._counters import counters
from reportgen.claims._picked import picks_moments
from reportgen.claims._segments import Piece, pieces
from reportgen.claims._spoken import OWN, Sentence, bind_piece
from reportgen.records.claim import Printed

_REACHED = gated(
    r"\b(?:reach\w*|obtain\w*|achiev\w*|attain\w*|occur\w*|found|at|is|was|are|after|got|get"
    r"|atteinte?s?|obtenue?s?|est|à|en)\b",
    re.IGNORECASE,
)
_MOMENTS = frozenset({"step", "epoch"})
_ON_TO = gated(r"\b(?:to|à)\s[\d(+−-]", re.IGNORECASE)
"""`from 8.9 % at the best step to 9.5 % at step 800`: the second moment is that of no best."""
_MOVES = gated(r"\b(?:from|to|de|du|à|jusqu['’]à)\s[\s$~(+]{0,3}$", re.IGNORECASE)
"""Before a value from which, or to which, a series goes: `from 57 at epoch 1 to 77 at 5`."""

_OF_SEVERAL = gated(
    r"\b(?:has|have|had|shows?|gives?|gave|yields?|a|ont|avait|donne(?:nt)?)\s(?:the|la|le|les)\s$",
    re.IGNORECASE,
)
"""`At epoch 3, BERT has the best accuracy` of all models, and not the best one of its own."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A step or an epoch as printed, with what is said of it."""

    number: Printed
    binding: Binding


def best_moments(
    sentence: Sentence, numbers: Sequence[Printed], bound: Sequence[tuple[Piece, Binding]]
) -> Iterator[Moment]:
    """Yield the steps and epochs of best values.

    Args:
        sentence: The sentence.
        numbers: Its numbers.
        bound: Its results, bound, in order.
    """
    labels = counters(sentence.text, numbers)
    moments = {
        numbers[i].start: (numbers[i], m.slot)
        for i, m in labels.items()
        if m.slot in _MOMENTS and not numbers[i].word
    }
    if not moments or sentence.supposed or picks_moments(sentence.words):
        return
    if not bound:
        yield from _alone(sentence, moments)
        return
    for number, slot in moments.values():
        for piece, binding in bound:
            inside = piece.start <= number.start < piece.end
            if inside and binding.metric() and _is_best(sentence, piece, number, binding):
                yield _moment(sentence, number, slot, binding)


def _alone(sentence: Sentence, moments: dict[int, tuple[Printed, str]]) -> Iterator[Moment]:
    """Yield best steps of a sentence without values: `is best at step 675 for seed 1`."""
    if "best" not in sentence.values("selection") or not _REACHED.search(sentence.words):
        return
    others = [m for m in sentence.spoken if m.slot not in _MOMENTS]
    span = (sentence.start, sentence.end)
    bare = replace(sentence, spoken=others, carried={})
    for piece in pieces(sentence.text, span, [number for number, _ in moments.values()], others):
        binding = bind_piece(bare, piece, {})
        chosen = binding.said("selection") == "best" and binding.said("split") != "test"
        number, slot = moments[piece.number.start]
        if chosen and binding.metric() and not _compares(sentence, number):
            yield _moment(sentence, number, slot, binding)


def _is_best(sentence: Sentence, piece: Piece, number: Printed, binding: Binding) -> bool:
    """Say whether a moment is that of a best value on another split than the test split."""
    before = [m for m in sentence.inside(piece) if m.end <= number.start]
    chosen = [m for m in before if m.slot == "selection"]
    if binding.said("split") == "test" and "validation" not in sentence.values("split"):
        # The best of the test split itself; nothing says that it was chosen on validation.
        return False
    named = [m.end for m in sentence.spoken if m.slot == "selection" and m.end <= number.start]
    if named and _ON_TO.search(sentence.text[max(named) : number.start]):
        return False
    if _compares(sentence, number):
        return False
    if not chosen:
        carried = binding.said("selection") == "best" and binding.said("split") == "validation"
        moves = _MOVES.search(sentence.text[piece.start : piece.number.start])
        return carried and not piece.ranged and not moves
    tested = any(
        m.slot == "split" and m.value != "validation" and m.start > chosen[-1].start for m in before
    )
    return chosen[-1].value == "best" and not tested


def _compares(sentence: Sentence, number: Printed) -> bool:
    """Say whether something is called the best of several at a moment, with no value before it."""
    best = [m for m in sentence.spoken if (m.slot, m.value) == ("selection", "best")]
    before = [m for m in best if m.end <= number.start]
    if not best:
        return False
    nearest = before[-1] if before else best[0]
    between = sentence.text[nearest.end : number.start]
    several = _OF_SEVERAL.search(sentence.text, sentence.start, nearest.start)
    return several is not None and not any(letter.isdigit() for letter in between)


def _moment(sentence: Sentence, number: Printed, slot: str, binding: Binding) -> Moment:
    """Return a best step with what is said of its value, but for the value's own moment."""
    dropped = {*_MOMENTS, "aggregate", "selection"}
    values = {key: value for key, value in binding.values.items() if key not in dropped}
    chosen = Binding(binding.base, values, dict(binding.sure), list(binding.caps))
    chosen.take("selection", "best", OWN)
    chosen.take(slot, f"{number.value.normalize():f}", OWN)
    if chosen.said("split") == "test":
        validated = "validation" in sentence.values("split")
        chosen.put("split", "validation" if validated else "", OWN)
    if sentence.every_seed and not chosen.said("seed"):
        chosen.take("every seed", "yes")
        if not sentence.values("group"):
            chosen.take("every group", "yes")
            chosen.values.pop("group", None)
    return Moment(number, chosen)
