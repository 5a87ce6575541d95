"""Where a sentence about all of several groups names those that it leaves out."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.claims._some_seeds import excluded

_BEFORE_NAMES = gated(
    r"\b(?:except(?:ing)?\b(?:\sfor)?|excluding|(?:apart|aside)\sfrom|other\sthan|but\sfor|besides|barring|save\sfor"
    r"|(?:leaving|setting)\s(?:aside|out)|the\s(?:(?:sole|only|single|notable)\s)*exceptions?\s(?:of|is|are|being)"
    r"|(?:all|every|each|any)\s(?:[^\s\d.;:,()]+\s){0,3}?but|sauf|hormis|excepté\w*|mise?s?\sà\spart|à\spart"
    r"|à\sl['’](?:\w+\s)?exception\sd(?:es|u|e\sla|e\sl['’]|e)|en\sdehors\sd(?:es|u|e\sla|e\sl['’]|e))\s?",
    re.IGNORECASE,
)
_BEHIND_NAMES = gated(
    r"\b(?:(?:is|are|was|were|being|est|sont|était|étaient|étant)\s(?:the|its|their|our|la|les|une)\s"
    r"(?:\w+\s)?(?:exceptions?|ones?\sleft\sout)|(?:excluded|excepted|left\s(?:out|aside)|exclue?s?|excepté(?:es?|s))\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[.;:()]|,(?!\s?\d)|\s(?:which|that|who|whose|where|with|qui|dont|avec)\s", re.IGNORECASE
)
_ITS_OWN = re.compile(
    r"\s?(?:\(|,?\s?(?:which|that|where|with|at|whose|qui|dont|avec|à)\s)", re.IGNORECASE
)
_CLOSES = re.compile(r"\)|,\s")
_ALL = gated(r"\b(?:all|every|each|both|tou(?:s|te|tes)|chaque)\b", re.IGNORECASE)
_FAR = 60
"""Characters between an exception and the last group that it leaves out."""


def exceptions(text: str, start: int, end: int) -> tuple[tuple[int, int, bool], ...]:
    """Return where a sentence names what it leaves out, and whether the names come first there.

    Seeds that are left out, of all groups or of one, are another matter.

    Args:
        text: What holds the sentence.
        start: Where it begins.
        end: The position behind it.

    Example:
        >>> text = "Except for B, all improve (C being the only exception)."
        >>> [text[a:b] for a, b, _ in exceptions(text, 0, len(text))]
        ['B', 'C ']
        >>> text = "Except for seed 3 of B, all improve."
        >>> exceptions(text, 0, len(text))
        ()
    """
    seeds = excluded(text, start, end)
    found = []
    for match in _BEFORE_NAMES.finditer(text, start, end):
        if seeds is None or not seeds.start <= match.start() < seeds.end:
            last = _ENDS.search(text, match.end(), min(end, match.end() + _FAR))
            stop = last.start() if last else min(end, match.end() + _FAR)
            found.append((match.end(), stop, False))
    for match in _BEHIND_NAMES.finditer(text, start, end):
        if seeds is None or not seeds.start <= match.start() < seeds.end:
            first = max(start, match.start() - _FAR)
            cuts = [cut.end() for cut in _ENDS.finditer(text, first, match.start())]
            found.append((cuts[-1] if cuts else first, match.start(), True))
    return tuple(found)


def is_own_value(text: str, exception: int, number: int) -> bool:
    """Say whether a number is that of what is left out: `except for B, which has 71.1 %`.

    Args:
        text: What holds both.
        exception: The position behind the names that are left out.
        number: Where the number begins.

    Example:
        >>> text = "All exceed 79 %, except for B (71.1 %)."
        >>> is_own_value(text, text.index(" ("), text.index("71")), is_own_value(text, 28, 11)
        (True, False)
    """
    opened = _ITS_OWN.match(text, exception, number) if exception <= number else None
    return opened is not None and not _CLOSES.search(text, opened.end(), number)


def is_of_all(words: str) -> bool:
    """Say whether words are of all there are.

    Example:
        >>> is_of_all("all models improve"), is_of_all("most models improve")
        (True, False)
    """
    return bool(_ALL.search(words))
