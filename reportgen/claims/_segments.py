"""A sentence cut so that each result stands in a piece of its own with the words about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._numbers import spreads
from reportgen.claims._mentions import Mention
from reportgen.records.claim import Printed

_CLAUSE = (
    r"[;?!]\s|\.\s|\n\s*\n|,?\s(?:after\s(?:which|that)|après\squoi|whereas|while|but|however|which|where|then|tandis\sque?"
    r"|alors\sque?|mais|qui|ce\squi|puis|and\s(?:which|that)|corresponding\sto)\b|→|⇒"
)
_COMMA = r",\s?(?:and|et|or|ou)\s|,\s|\s[-–—|]\s|\s\|\s?|\t"
_AND = r"\s(?:and|et|or|ou|&)\s|\s?/\s?"
_AGAINST = (
    r"\s(?:against|versus|vs\.?|compared\s(?:to|with)|than|contre|par\srapport\s(?:à|au))\s"
    r"|\s(?:to|à)\s[\s$~(+-]{0,2}$"
)
_NEW_LINE = r"\n(?=[^\n:=]{1,60}[:=])"
_WITH = r"\s(?:with|avec)\s"
_PREPOSITION = r"\s(?:at|for|on|in|from|over|pour|sur|en)\s"
_JOINTS = (_CLAUSE, _COMMA, _AND, _AGAINST, _NEW_LINE, _WITH, _PREPOSITION)
"""What stands between two results, the strongest first."""
_JOINT = tuple(gated(pattern, re.IGNORECASE) for pattern in _JOINTS)
_LIST = re.compile(
    r"[\s$\\%]*(?:points?\s?|pts\s?)?(?:,?\s?(?:and|et|&|or|ou)\s|\s?/\s?|[,;|–—]\s?|\s[-–—]\s|\s?(?:-{1,2}>|→|⇒)\s?"
    r"|,?\s?(?:and|et)\s(?:then|finally|enfin)\s)\s?[$+(]?",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"[\s$\\%]*(?:-|–|—|--|to|à|and|et|,|;|\.\.)[\s$+]*",
    re.IGNORECASE,
)
_BETWEEN = gated(
    r"\b(?:between|entre|range\s(?:of|from)|ranging\sfrom|varying\sfrom"
    r"|compris\w*\sentre)\s[^\d;.]{0,16}$",
    re.IGNORECASE,
)
_AND_A_NUMBER = re.compile(r"[\s$\\%]{0,4}(?:and|et)\s{1,2}[$+−-]?\d", re.IGNORECASE)
_FROM = gated(r"\b(?:from|de|du)\s[^\d;.]{0,12}$", re.IGNORECASE)
_HANGS_ON = gated(r"\s(?:for|on|in|with|pour|sur|en|avec)\b", re.IGNORECASE)
_SIGN = re.compile(r"(?:±|\\pm|\+\s?/\s?[-−])[\s${]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One result and the words about it.

    Attributes:
        number: The value.
        spread: The number behind its `±`, or in brackets behind it.
        bracket: Whether the spread stands in brackets without a sign.
        low: Lower end of an interval behind it, or of an interval that stands alone.
        high: The upper end.
        start: Where its words begin.
        end: The position behind them.
        listed: Whether it only continues a list: `79.9, 78.5 and 80.1`.
        ranged: `between`, `from` or nothing: whether it is an end of a range.
        begins_with: The joint it begins with (`which`, `,`).
    """

    number: Printed
    spread: Printed | None = None
    bracket: bool = False
    start: int = 0
    end: int = 0
    listed: bool = False
    ranged: str = ""
    begins_with: str = ""

    @property
    def stop(self) -> int:
        """The position behind its last number."""
        return self.spread.end if self.spread else self.number.end


def pieces(
    text: str, span: tuple[int, int], numbers: Sequence[Printed], spoken: Sequence[Mention]
) -> tuple[Piece, ...]:
    """Cut a sentence between its results.

    Args:
        text: The block's text.
        span: Where the sentence stands in it.
        numbers: Its numbers that may be results, in order.
        spoken: Mentions, inside which no cut is made.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> text = "a mean of 81.1% (± 0.02%) for A and 67.7% for B"
        >>> [text[p.start : p.end] for p in pieces(text, (0, len(text)), find_numbers(text), ())]
        ['a mean of 81.1% (± 0.02%) for A', ' and 67.7% for B']
    """
    found = _results(text, tuple(numbers))
    cut: list[Piece] = []
    start = span[0]
    joint = ""
    for index, piece in enumerate(found):
        end, following, word = span[1], span[1], ""
        if index + 1 < len(found):
            end, word = _cut(text, piece.stop, found[index + 1].number.start, start, spoken)
            following = end
        placed = replace(piece, start=start, end=end, begins_with=joint)
        cut.append(_going_on(text, cut[-1], placed) if cut else placed)
        start, joint = following, word
    return tuple(cut)


def _results(text: str, numbers: tuple[Printed, ...]) -> list[Piece]:
    """Join values with their spreads."""
    pairs = dict(spreads(text, numbers))
    taken = set(pairs.values())
    found = []
    for index, number in enumerate(numbers):
        if index in taken:
            continue
        spread = numbers[pairs[index]] if index in pairs else None
        bracket = spread is not None and not _SIGN.search(text[number.end : spread.start])
        found.append(Piece(number=number, spread=spread, bracket=bracket))
    return found


def _going_on(text: str, before: Piece, piece: Piece) -> Piece:
    """Return a piece that knows whether it goes on with a list or a range."""
    between = text[before.stop : piece.number.start]
    ranged = _ranged(text, before, between)
    return replace(piece, listed=bool(_LIST.fullmatch(between)) and not ranged, ranged=ranged)


def _ranged(text: str, before: Piece, between: str) -> str:
    """Return `between` or `from` where two numbers are the ends of a range."""
    joined = _RANGE.fullmatch(between)
    if not joined:
        return ""
    lead = text[max(0, before.number.start - 40) : before.number.start]
    sign = between.strip(" \n\t$\\%+").lower()
    if sign in {"-", "–", "—", "--"} or _BETWEEN.search(lead):
        return "between"
    if sign in {"to", "à"}:
        return "from" if _FROM.search(lead) else "between"
    return ""


def is_lower_end(text: str, number: Printed) -> bool:
    """Say whether a number is the lower end of a range: `between 0 and 1`.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> text = "between 0 and 1"
        >>> [is_lower_end(text, number) for number in find_numbers(text)]
        [True, False]
    """
    lead = text[max(0, number.start - 40) : number.start]
    return bool(_AND_A_NUMBER.match(text, number.end)) and bool(_BETWEEN.search(lead))


def _cut(text: str, start: int, end: int, first: int, spoken: Sequence[Mention]) -> tuple[int, str]:
    """Return where to cut between two results, and the joint that is cut at."""
    # `A is first (IoU 0.67) and B last (IoU 0.65)`: what a bracket closes is said before it.
    closing = _closed_at(text, start, end, first)
    if closing:
        return closing, ")"
    bracket = text.rfind("(", start, end)
    if bracket >= 0 and text.find(")", bracket, end) < 0 and end - bracket > 3:
        return bracket, "("
    for rank, pattern in enumerate(_JOINT):
        places = [
            match
            for match in pattern.finditer(text, start, end)
            if not any(m.start < match.end() - 1 and match.start() + 1 < m.end for m in spoken)
        ]
        if places:
            match = places[-1] if rank >= len(_JOINT) - 1 else places[0]
            return match.start(), match[0].strip(" ,").lower() or ","
    return start, ""


def _closed_at(text: str, start: int, end: int, first: int) -> int:
    """Return the place behind the bracket that a result stands in, 0 where it goes on."""
    opened, closing = text.rfind("(", first, start), text.find(")", start, end)
    inside = opened >= 0 and closing >= 0 and text.find(")", opened, start) < 0
    if not inside or text.find("(", start, closing) >= 0:
        return 0
    return 0 if _HANGS_ON.match(text, closing + 1) else closing + 1
