"""English words of a record, said again in the language of whoever reads it.

A record (report.json) holds why values are missing in English, whatever the report speaks. Here
the message that such words were made from is found again among those that a language has.
"""

from __future__ import annotations

import re
from functools import cache

from reportgen.languages import _language, language_of, spoken, tell

_LEAST = 7
"""Letters that a message has beside its places; one with fewer could have made any words."""
_LETTERS = re.compile(r"[^\W\d_]")
_DEEPEST = 4


def say_again(words: str, depth: int = 0) -> str:
    """Return English words of a record in the spoken language; others as they are.

    Args:
        words: Of a record.
        depth: How many messages they stand in; for this function alone.

    Example:
        >>> from reportgen.languages import speaking
        >>> with speaking("fr"):
        ...     say_again("a single run has no spread over seeds"), say_again("a file of mine")
        ('une exécution unique n’a pas de dispersion sur les graines', 'a file of mine')
    """
    if words in spoken().nouns:
        return spoken().nouns[words]
    if not spoken().messages or depth > _DEEPEST:
        return words
    for message, literal, pattern in _patterns(spoken().code):
        found = pattern.fullmatch(words) if literal in words else None
        if found is not None:
            places = {name: say_again(told, depth + 1) for name, told in found.groupdict().items()}
            return tell(message, **places)
    return words


@cache
def _patterns(code: str) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Return messages of a language, the ones with most words first, each with its longest words.

    Of two with as many, the one with more places says more of what was said.

    A message of which two places touch, or one stands twice, cannot be read back.
    """
    found = []
    for message in language_of(code).messages:
        parts = _language.places_of(message)
        names = [name for _, name, _ in parts if name is not None]
        told = sum(len(_LETTERS.findall(words)) for words, _, _ in parts)
        touching = any(not words for words, _, _ in parts[1:])
        if told < _LEAST or touching or len(set(names)) < len(names):
            continue
        text = "".join(
            re.escape(words) + (f"(?P<{name}>.+?)" if name is not None else "")
            for words, name, _ in parts
        )
        longest = max((words for words, _, _ in parts), key=len)
        rank = (-told, -len(names), message)
        found.append((rank, message, longest, re.compile(text, re.DOTALL)))
    found.sort(key=lambda one: one[0])
    return tuple((message, longest, pattern) for _, message, longest, pattern in found)
