"""Lists that run along with the results of a sentence, and say of each what it is of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.claims._binding import Binding
from reportgen.claims._mentions import Mention
from reportgen.claims._segments import Piece
from reportgen.claims._some_seeds import ONLY, WITHOUT, leaves_out, only
from reportgen.claims._spoken import COUNTED, Sentence

_LISTED_SLOTS = ("group", "seed", "split", "metric", "aggregate", "epoch", "step", "selection")
_UP_TO = re.compile(r"\s?(?:to|à|through|-|–|—|\.\.\.?|…)\s?", re.IGNORECASE)
_MOST_LABELS = 1000

_OVER = re.compile(
    r"\s?\\?%?\s(?:on\saverage\s|en\smoyenne\s)?(?:over|across|for|sur|pour)\s(?:the\s|les\s)?"
    r"(?:seeds|runs|graines|ex[ée]cutions)\s(?:\d{1,6}|[,&]|and|et|\s)+(?<!\s)",
    re.IGNORECASE,
)
"""`14.63% on average over seeds 1 and 3`: behind the value stands of which runs it is."""


def lists_along(sentence: Sentence, run: Sequence[Piece]) -> tuple[dict[str, str], ...]:
    """Return what lists as long as a run of results say of each of them.

    `seeds 0, 1 and 2 give 79.9, 78.5 and 80.1` and `the validation and test accuracies are
    81.5 and 79.9` are such lists.
    """
    found: list[dict[str, str]] = [{} for _ in run]
    if len(run) < 2:
        return tuple(found)
    first, last = run[0], run[-1]
    before = [m for m in sentence.inside(first) if m.end <= first.number.start]
    behind = [m for m in sentence.inside(last) if last.stop <= m.start]
    for slot in _LISTED_SLOTS:
        for mentions in (before, behind):
            values = list(dict.fromkeys(m.value for m in mentions if m.slot == slot))
            if slot in COUNTED and len(values) == 2 < len(run):
                values = _filled(sentence.text, [m for m in mentions if m.slot == slot]) or values
            if len(values) == len(run):
                for place, value in enumerate(values):
                    found[place].setdefault(slot, value)
                break
            own = {m.value for piece in run for m in sentence.inside(piece, slot)}
            if len(values) == 1 and own == set(values):
                for each in found:
                    each.setdefault(slot, values[0])
    return tuple(found)


def take_runs(binding: Binding, sentence: Sentence, piece: Piece, *, listed: bool) -> None:
    """Keep which runs an aggregate is of, where the words about it name some of them.

    Args:
        binding: Of the result.
        sentence: Its sentence.
        piece: The result.
        listed: Whether each of several results has one of the named seeds.
    """
    gone = sentence.left_out
    if gone and leaves_out(gone, sentence.text, (piece.number.start, piece.number.end)):
        binding.take("runs", f"{WITHOUT} {', '.join(map(str, gone.seeds))}")
        return
    behind = _OVER.match(sentence.text, piece.number.end)
    if behind and not listed and only(behind[0], 0, len(behind[0])):
        binding.put("seed", "", 1.0)
    if not listed and not binding.said("seed"):
        seeds = only(sentence.text, piece.start, piece.end)
        binding.take("runs", f"{ONLY} {', '.join(map(str, seeds))}" if seeds else "")


def _filled(text: str, ends: Sequence[Mention]) -> list[str]:
    """Return the labels that two ends of a range stand for: `epochs 1 to 4`."""
    first, last = ends[0], ends[-1]
    if len(ends) != 2 or not _UP_TO.fullmatch(text, first.end, last.start):
        return []
    low, high = int(float(first.value)), int(float(last.value))
    return [str(number) for number in range(low, min(high, low + _MOST_LABELS) + 1)]
