"""Sentences and clauses of a text: the pieces in which one thing is said of one subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportgen.claims._run_names import goes_on_with_group

LONGEST = 1000
"""Characters of the longest clause that is read."""
_LONGEST_NAME = 120
_END = re.compile(r"[.!?…]{1,6}[\"'”’»)\]]{0,2}(?=\s|$)|\n\s*\n")
_SHORT = re.compile(
    r"(?:^|[\s(\"'])(?:e\.?g|i\.?e|vs|cf|fig|figs|tab|eq|eqs|resp|approx|al|etc|ex|env|sec|no|nb|acc"
    r"|std|avg|dev|init|val|p|pp|dr|st|ca|i|ep)\.$",
    re.IGNORECASE,
)
_LOWER = re.compile(r"\s+[\"'“(]?[a-zà-ÿ](?![A-Z])")
"""What goes on with a sentence: a word in small letters, which `nDCG` and `mAP` are not."""
_SHORTENED = re.compile(
    r"(?:(?:^|[\s(\"'-])(?:[^\W\d]|incl|excl|comp|corr|conf|max|min|moy|m[ée]d|rel|abs|num|exp|sect?|ch|chap"
    r"|r[ée]f|ref|vol|ed|mod|prob|param|params|perf|hyp|obs|prec|pr[ée]c|rec|valid|train|tr|cp|[ée]p|gr|iter"
    r"|dim|diff|var|env|suiv|prop|temp|cor|app|appx|appr|ibid|viz)|\.[^\W\d])\.$",
    re.IGNORECASE,
)
"""What may be cut short before a name: `w.r.t. unet`, `incl. unet`. A digit is no letter."""
_ITEM = re.compile(r"(?<![\w.,])(\d{1,2})\.$")
_JOINT = re.compile(
    r"\s*;\s*|(?P<colon>\s*:\s+(?!\d))|\s+[–—]\s+|\s+-\s+|\s*\(\s*(?=and\b|but\b)"
    r"|,?\s+(?:(?:and|et)\s+)?(?:(?P<but>but)|while|whereas|although|though|even\sthough|however|mais"
    r"|tandis\sque|tandis\squ'|alors\sque|alors\squ'|bien\sque|cependant|because|since|car"
    r"|parce\sque|parce\squ'|puisque|so\sthat|which\smeans|ce\squi)\b\s*"
    r"|,\s+(?=(?:which|who|qui|whose|dont)\b)"
    r"|,\s+(?:as|so|thus|hence|donc|and|et)\s+(?=(?:it|the|its|their|that|this|these|we|also|is|then"
    r"|le|la|les|l'|il|elle|elles|ils|on|celle|celui|ce|cette|does|do|has|have|reaches)\b)"
    r"|,\s+(?=(?:it|it's|they|we|il|elle|elles|ils|on)\b)"
    r"|(?P<and>\s+(?:and|et)\s+)(?:also\s+|aussi\s+)?(?=(?:it|its|they|we|il|elle|elles|ils|on|the|le|la)"
    r"\s(?:\w+\s){0,4}(?:is|are|was|were|has|have|does|lies|performs?|converges?|reach\w*|rises?|falls?|improves?"
    r"|(?:in|de)creases?|drops?|stays?|remains?|fluctuates?|plateaus?|est|sont|augmente|diminue)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|lies|performs?|converges?|reach\w*|rises?|falls?|increases?"
    r"|decreases?|improves?|outperforms?|seems?|\w{2,}ed|est|sont|atteint|augmente|diminue|obtient|progresse"
    r"|baisse|monte|dépasse|reste|varie|converge|cro[iî]t|améliore)\b",
    re.IGNORECASE,
)

_ALL = re.compile(
    r"\b(?:all|every|each)\s(?:of\s)?(?:the\s|our\s)?(?:other\s)?(?:models?|runs?|seeds?|groups?|systems?|methods?|variants?"
    r"|networks?|configurations?|others?)\s+but\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a sentence.

    Attributes:
        text: Its words.
        start: Where it begins in the text it was cut from.
        sentence: Where its sentence begins and ends there.
        first: Whether it opens its sentence.
    """

    text: str
    start: int
    sentence: tuple[int, int]
    first: bool

    @property
    def end(self) -> int:
        """The position behind it."""
        return self.start + len(self.text)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a text begins and ends.

    Example:
        >>> text = "It rises to 0.8, cf. Fig. 2. Then it falls! Why?"
        >>> [text[a:b] for a, b in sentences(text)]
        ['It rises to 0.8, cf. Fig. 2.', 'Then it falls!', 'Why?']
    """
    start = 0
    for match in _END.finditer(text):
        before = text[max(0, match.start() - 12) : match.start() + 1]
        goes_on = _LOWER.match(text, match.end())
        named = goes_on is not None and _is_before_name(text, start, match.end(), goes_on.end() - 1)
        if match[0] == "." and (_SHORT.search(before) or (goes_on and not named)):
            continue
        yield from _stripped(text, start, match.end())
        start = match.end()
    yield from _stripped(text, start, len(text))


def _is_before_name(text: str, start: int, stop: int, name: int) -> bool:
    """Say whether a full stop ends a sentence, as a group of the logs is named behind it."""
    if not goes_on_with_group(text[name : name + _LONGEST_NAME]):
        return False
    if _SHORTENED.search(text, max(start, stop - 12), stop):
        return False
    item = _ITEM.search(text, start, stop)
    if item is None:
        return True
    lead = text[start : item.start()].rstrip()
    before = rf"(?<![\w.,]){int(item[1]) - 1}\.\s"
    # `1. unet 2. adam-yolo`: the numbers of a list end nothing.
    return bool(lead) and lead[-1] not in ",;:(" and not re.search(before, lead)


def clauses(text: str, start: int = 0, end: int | None = None) -> Iterator[Clause]:
    """Yield the clauses of one sentence of a text; what is longer than any clause is none.

    Example:
        >>> [c.text for c in clauses("A is higher, while B, which is tiny, falls; it stays low.")]
        ['A is higher', 'B', 'which is tiny, falls', 'it stays low.']
    """
    end = len(text) if end is None else end
    position = start
    for match in _JOINT.finditer(text, start, end):
        if (match["and"] or match["colon"]) and not _VERB.search(text, position, match.start()):
            continue  # `A and the B perform alike`, `Training loss: falls`: no clause of its own.
        if match["but"] and _ALL.search(text, position, match.end("but")):
            continue  # `All models but the LSTM`
        yield from _clause(text, (position, match.start()), (start, end))
        position = match.end()
    yield from _clause(text, (position, end), (start, end))


def _clause(text: str, span: tuple[int, int], sentence: tuple[int, int]) -> Iterator[Clause]:
    for start, end in _stripped(text, *span):
        if end - start <= LONGEST:
            yield Clause(text[start:end], start, sentence, first=start == sentence[0])


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span without the blanks around it, unless nothing is left."""
    piece = text[start:end]
    kept = piece.strip()
    if kept:
        begin = start + piece.index(kept[0])
        yield begin, begin + len(kept)
