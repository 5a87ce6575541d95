"""Results of a sentence, bound: which of them are claims, and how sure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.checking.numbers._gated import gated
from reportgen.claims._axes import speaks_of_the_first
from reportgen.claims._binding import (
    GUESSED,
    HYPOTHETICAL,
    UNSAID,
    Binding,
    ddof_of,
    is_possible,
    unit_for,
)
from reportgen.claims._cells import counts_deviations
from reportgen.claims._ordered import within
from reportgen.claims._quartiles import names_quartiles
from reportgen.claims._segments import Piece, is_lower_end
from reportgen.claims._speech import (
    is_chance,
    is_extreme,
    is_of_examples,
)
from reportgen.claims._spoken import OWN, Sentence
from reportgen.claims._vocabulary import SPREADS
from reportgen.records.claim import Printed

_VARIES = gated(
    r"\b(?:vary|varie[sd]|fluctuate[sd]?|oscillate[sd]?)\b[^.;]{0,30}\bby\b(?:[^.;]|\.\d){0,40}$"
    r"|\bvari(?:e|ent|ait)\b(?:,[^.;]{0,60},)?\sde\s(?:[^.;]|\.\d){0,40}$",
    re.IGNORECASE,
)
"""How far values lie from each other is none of them."""
_COURSE = gated(
    r"\b(?:go(?:es)?|went|moves?|moved|evolves?|ris(?:es?)|rose|climbs?|increases?|improves?|grows?|grew|falls?"
    r"|fell|drops?|dropped|decreases?|declines?|passe(?:nt)?|passée?s?|va|évolue(?:nt)?|monte(?:nt)?|augmente(?:nt)?"
    r"|baisse(?:nt)?|chute(?:nt)?|diminue(?:nt)?)\s(?:\w+(?:ly|ment)\s|again\s|de\snouveau\s)?\(?"
    r"(?:from|de|d['’])\s?[^.;]{0,12}",
    re.IGNORECASE,
)
"""What stands behind it is the way of a value from one moment to others."""
_AFTERWARDS = gated(
    r"(?:\b(?:and|then|before|but|et|puis|mais)|,)\s(?:[^\s.;]+\s){0,3}?(?:drops?|dropped|falls?|fell|declines?|decreases?|rises?|rose"
    r"|climbs?|goes|retombe|redescend|remonte|baisse|descend|monte)\s(?:back\s|again\s|slightly\s|up\s|down\s|légèrement\s)?"
    r"(?:to|à)\s$",
    re.IGNORECASE,
)
"""`67.1 at epoch 4 and falls to 66.9`, `peaks at 67.1 and drops to 66.9`: at another moment."""
_UP_TO = gated(
    r"\b(?:until|till|up\sto|jusqu['’](?:à|au))\s(?:the\s|l['’]|le\s)?(?:[^\s\d.;:,()]+\s){0,2}\d",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"[\s%\\]*(?:,|;|→|,?\s(?:and|et|to|à|then|puis)\s)\s?(?:then\s|finally\s|and\s|et\s)?\d",
    re.IGNORECASE,
)
"""`rises until step 500: 0.87, 0.97 and 0.98`: the last of them alone is of that step."""
_BRACKETED = gated(r"[\[(]\s?(?:\d[\d.,]*\s?%?\s?(?:,|;|-|–|to|à)\s?)?$", re.IGNORECASE)
_QUANTILE = gated(
    r"\b(?:(?:per)?centiles|quartiles|inter-?quartiles?)\b(?!\shausdorff)(?:[^.;(]|\.\d){0,120}$"
    r"|\b(?:inter-?quartile\smean|moyenne\sinter-?quartile|iqm)\b[^.;]{0,120}$",
    re.IGNORECASE,
)
"""The 25th and 75th percentiles of something are no values of it."""
_CLOCK = gated(
    r"(?<![\w/])(?:train|training|eval|val|valid|validation|dev|test)/\w{0,20}(?:epoch|step)s?[`»”\"]?"
    r"\s(?:is|was|=|vaut|valait|est|était)\s$",
    re.IGNORECASE,
)
"""`train/epoch is 0.18 at step 1200`: a tag that counts, whatever metric the text speaks of."""
_GAP = gated(r"\b(?:gap|difference|distance|écart|différence)\s(?:between|entre)\b", re.IGNORECASE)
_JOINED = re.compile(r"\s(?:and|et)\s(?:\w+\s|l['’])?", re.IGNORECASE)
_NEAR = 130
_MOMENTS = frozenset({"epoch", "step"})
_OTHER_WAY = re.compile(r"\+\s?\d[\d.,]*\s?\\?%?\s?/\s?[-−–]\s?$")
"""`+0.6/−0.6` is how far values lie above and below."""


@dataclass(frozen=True, slots=True)
class Result:
    """One number of a sentence with all that is said of it.

    Attributes:
        number: As printed.
        binding: What is said.
        unit: Of the value it belongs to, where it prints none.
        end: `low` or `high` of an interval, or nothing.
    """

    number: Printed
    binding: Binding
    unit: str = ""
    end: str = ""


def results_of(sentence: Sentence, piece: Piece, binding: Binding, ranged: str) -> Iterator[Result]:
    """Yield the value of a piece and its spread, where they are results.

    Args:
        sentence: The sentence.
        piece: Its piece.
        binding: What is said of the piece's value.
        ranged: Whether it is an end of a range: `between`, `from` or nothing.
    """
    if not _is_result(sentence, piece, binding, ranged):
        return
    _lower(sentence, piece, binding, ranged)
    aggregate = binding.said("aggregate")
    counts = sentence.values("n")
    binding.take("n", counts[0] if len(counts) == 1 else "")
    sentence.compared |= aggregate == "difference"
    if aggregate == "std":
        binding.take_number("ddof", ddof_of(sentence.words))
    if aggregate == "difference" or (aggregate == "interval" and sentence.compared):
        _name_difference(binding, sentence)
    if piece.spread is not None and (not piece.bracket or _says_spread(sentence, piece)):
        yield from _with_spread(sentence, piece, piece.spread, binding)
        return
    end = ("high" if piece.ranged else "low") if ranged and aggregate == "interval" else ""
    unit = "points" if end and sentence.compared else ""
    if aggregate in SPREADS:
        unit = unit or sentence.unit
    yield Result(piece.number, binding, unit, end)
    if piece.spread is not None and aggregate == "mean":
        unit = unit_for(piece.number, binding.metric(), "")
        yield Result(piece.spread, _as(binding, "std", GUESSED), unit)


def _is_result(sentence: Sentence, piece: Piece, binding: Binding, ranged: str) -> bool:
    """Say whether a bound number is a value of its metric at all."""
    aggregate, number = binding.said("aggregate"), piece.number
    if not binding.metric() or is_chance(sentence.text[piece.start : piece.end]):
        return False
    if not is_possible(number, binding.metric(), aggregate):
        return False
    lead = sentence.text[max(sentence.start, number.start - _NEAR) : number.start]
    if _VARIES.search(lead) or _QUANTILE.search(lead) or _CLOCK.search(lead):
        return False
    if _OTHER_WAY.search(lead):
        return False
    if _BRACKETED.search(lead) and names_quartiles(sentence.words):
        return False
    if _since_gap(sentence, number) == 2:
        return False  # It is the size of the gap.
    ranged = "between" if is_lower_end(sentence.text, number) else ranged
    if ranged == "between" and aggregate != "interval":
        return False
    if number.text.startswith("+") and aggregate not in {"difference", "interval"}:
        return False
    return number.unit != "points" or aggregate in {"difference", *SPREADS}


def _since_gap(sentence: Sentence, number: Printed) -> int:
    """Return how many metrics are named since a gap of two of them: `between accuracy and F1`."""
    gap = _GAP.search(sentence.text, sentence.start, number.start)
    if gap is None:
        return 0
    metrics = [m for m in within(sentence.spoken, gap.end(), number.start) if m.slot == "metric"]
    if len({metric.value for metric in metrics[:2]}) != 2:
        return 0
    joined = _JOINED.fullmatch(sentence.text[metrics[0].end : metrics[1].start])
    return len(metrics) if joined else 0


def _lower(sentence: Sentence, piece: Piece, binding: Binding, ranged: str) -> None:
    """Lower the confidence where the sentence is not plainly about this one value."""
    aggregate = binding.said("aggregate")
    moment = binding.said("epoch") or binding.said("step")
    course = _COURSE.search(sentence.text, sentence.start, piece.number.start)
    if course is not None and not _moments_in(sentence, course.start(), piece.end):
        moment = ""  # `At epoch 2 it goes from 41.8 to 56.1`: one of them is of the epoch before.
    if (ranged == "from" or course) and aggregate != "interval" and not moment:
        binding.caps.append(HYPOTHETICAL)
    if _is_on_the_way(sentence, piece, binding):
        binding.caps.append(HYPOTHETICAL)
    later = _AFTERWARDS.search(sentence.text, sentence.start, piece.number.start)
    if later is not None and not _moments_in(sentence, later.start(), piece.end):
        binding.caps += [HYPOTHETICAL] if moment or binding.said("selection") == "best" else []
    if sentence.supposed or _since_gap(sentence, piece.number):
        binding.caps.append(HYPOTHETICAL)
    if aggregate in SPREADS and not moment and is_extreme(sentence.text[piece.start : piece.end]):
        binding.caps.append(HYPOTHETICAL)
    if aggregate in SPREADS and is_of_examples(sentence.words):
        binding.caps.append(HYPOTHETICAL)
    if sentence.every_seed:
        binding.take("every seed", "yes")


def _is_on_the_way(sentence: Sentence, piece: Piece, binding: Binding) -> bool:
    """Say whether a value is one of those up to a moment, and may be of any before it."""
    if not (binding.said("epoch") or binding.said("step")):
        first = speaks_of_the_first(sentence.words)
        return first and binding.said("selection") != "last"
    reached = _UP_TO.search(sentence.text, sentence.start, piece.number.start)
    if reached is None or not _GOES_ON.match(sentence.text, piece.number.end):
        return False
    own = [m for m in sentence.inside(piece) if m.slot in _MOMENTS]
    return not any(mention.start >= reached.end() for mention in own)


def _moments_in(sentence: Sentence, start: int, end: int) -> bool:
    near = within(sentence.spoken, start, end)
    return any(mention.slot in _MOMENTS for mention in near)


def _with_spread(
    sentence: Sentence, piece: Piece, spread: Printed, binding: Binding
) -> Iterator[Result]:
    """Yield a value and the spread behind it."""
    near = [m.value for m in sentence.inside(piece) if m.value in SPREADS]
    kinds = near or [value for value in sentence.values("aggregate") if value in SPREADS]
    seeded = bool(binding.said("seed"))
    value = binding
    if seeded:
        value = _as(binding, "", OWN)
        value.caps.append(UNSAID)
    elif binding.said("aggregate") in {"", *SPREADS}:
        value = _as(binding, "mean", OWN)
    yield Result(piece.number, value)
    if counts_deviations(sentence.text[spread.end : piece.end]):
        return
    around = _as(value, kinds[-1] if kinds else "std", OWN if kinds else 0.85)
    if around.said("aggregate") == "std":
        around.take_number("ddof", ddof_of(sentence.words))
    if seeded:
        around.caps.append(GUESSED)
    yield Result(spread, around, unit_for(piece.number, binding.metric(), ""))


def _as(binding: Binding, aggregate: str, sure: float) -> Binding:
    """Return a binding of the same value with another aggregate."""
    other = Binding(binding.base, dict(binding.values), dict(binding.sure), list(binding.caps))
    other.put("aggregate", aggregate, sure)
    return other


def _says_spread(sentence: Sentence, piece: Piece) -> bool:
    """Say whether words tell that the number in brackets is a spread."""
    return any(m.value in SPREADS for m in sentence.inside(piece))


def _name_difference(binding: Binding, sentence: Sentence) -> None:
    """Take the two groups of a difference in the order in which they are named."""
    groups = sentence.gap or sentence.values("group")
    if len(groups) == 2:
        binding.put("group", groups[0], OWN)
        binding.take("against", groups[1], OWN)
    else:
        binding.values.pop("group", None)


def in_runs(cut: Sequence[Piece]) -> list[list[Piece]]:
    """Return results in runs: each further one of a run only goes on with a list."""
    runs: list[list[Piece]] = []
    for piece in cut:
        if piece.listed and runs:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return runs


def ranges_of(cut: Sequence[Piece]) -> list[str]:
    """Return of each result whether it is an end of a range, the first end included."""
    following = [*(piece.ranged for piece in cut), ""][1:]
    return [piece.ranged or after for piece, after in zip(cut, following, strict=True)]
