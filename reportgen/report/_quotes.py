"""Sentences in a row, and messages of the program quoted in another language than theirs."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.languages import Message, retell, spoken, tell
from reportgen.records.document import Code, Inline, Text

# The language in which loaders and counts say what they refuse.
OWN = "en"


def quoted(words: str) -> Inline:
    """Return what the program said: in the spoken language where it can be, else as code.

    Example:
        >>> from reportgen.languages import speaking
        >>> quoted("no such file")
        'no such file'
        >>> with speaking("fr"):
        ...     quoted("no such file")
        Code(text='no such file')
    """
    if isinstance(words, Message) or spoken().code == OWN:
        return retell(words)
    return Code(words)


def quotes_any(texts: Iterable[str]) -> bool:
    """Return whether some of these words would be quoted in the language of the program."""
    return any(isinstance(quoted(text), Code) for text in texts if text)


def sentences(texts: Iterable[Text]) -> Text:
    """Return sentences one behind the other.

    Example:
        >>> sentences([("One.",), ("Two ", "halves.")])
        ('One.', ' ', 'Two ', 'halves.')
    """
    return listed(texts, " ")


def listed(texts: Iterable[Text], between: str = "") -> Text:
    """Return texts in a row, with a semicolon or another mark between each two.

    Example:
        >>> listed([("a",), ("b",)])
        ('a', '; ', 'b')
    """
    found: Text = ()
    between = between or tell("; ")
    for place, text in enumerate(texts):
        found += (between, *text) if place else text
    return found
