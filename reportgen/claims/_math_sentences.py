"""Sentences in which something may be computed: those with a sign of arithmetic."""

from __future__ import annotations

import re

from reportgen.claims._math_words import CHARACTERS

_NO_OPERATOR = frozenset({"(", ")", "{", "}", "unit"})
_SIGNS = "".join(
    re.escape(sign)
    for sign, kind in CHARACTERS.items()
    if sign != "-" and (kind or sign) not in _NO_OPERATOR
)
# A root, `x` for times, and letters in a row that are cut into several names.
_COMPUTES = re.compile(rf"[{_SIGNS}⁻⁰¹²³⁴⁵⁶⁷⁸⁹]|sqrt\(|(?<![^\W\d_])[xX](?![^\W\d_])|[^\W_]{{40}}")
_LETTER = "[A-Za-zÀ-ÖØ-öø-\u024f\ufb00-\ufb06]"
# Words with hyphens, which are read as one name; all other hyphens may be a minus.
_HYPHENED = re.compile(
    rf"(?<!\w)(?![MmBb]illions?-){_LETTER}{{2,40}}(?:-{_LETTER}{{2,40}}){{1,4}}(?![\w(-])"
)
_DIGIT = re.compile(r"\d")
_GLUED = re.compile(r"[\])}(\[{%_'\d][^\W\d_]")
"""A name right behind a number or a bracket may be a factor: `24dmodel`, `4(d + 1)`."""
_STOP = re.compile(r"[.;:!?](?=\s)")
# A command or a subscript may reach over the end of a sentence.
_REACHES = re.compile(r"\\|_(?![^\W_])")


def computing(text: str) -> list[tuple[int, int]]:
    """Return the sentences of a plain text with a sign in them that may be an operation.

    The stop behind a sentence belongs to it: no arithmetic goes on over it.

    Example:
        >>> text = "We fine-tune twice. So 2 x 3 = 6. Fine."
        >>> [text[a:b] for a, b in computing(text)]
        [' So 2 x 3 = 6.']
    """
    if _REACHES.search(text):
        return [(0, len(text))]
    if not _may_compute(text):
        return []
    spans, start = [], 0
    for end in [*(match.end() for match in _STOP.finditer(text)), len(text)]:
        if _may_compute(text[start:end]):
            spans.append((start, end))
        start = end
    return spans


def _may_compute(text: str) -> bool:
    if _COMPUTES.search(text):
        return True
    if "-" in text and "-" in _HYPHENED.sub("", text):
        return True
    digit = _DIGIT.search(text)
    return digit is not None and _GLUED.search(text, digit.start()) is not None
