"""Messages as values of JSON: which message some English words are, and what fills its places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from reportgen.languages import language_of
from reportgen.languages._language import Message, Noun, fill

MessageJson: TypeAlias = dict[str, object]
"""`id`, the message with its places, and `arguments`, what fills them."""
_DEEPEST = 8
"""Messages inside messages that are read back; ours have three."""


def message_to_json(words: str) -> MessageJson | None:
    """Return which message words are, as plain values; None of words that are no message.

    An argument is a text or a number that no language changes, `{"noun": ...}`, or a message.

    Example:
        >>> from reportgen.languages import message, noun_later
        >>> message_to_json(message("no value of {metric}", metric=noun_later("loss")))
        {'id': 'no value of {metric}', 'arguments': {'metric': {'noun': 'loss'}}}
        >>> message_to_json("a file of mine")
    """
    if not isinstance(words, Message):
        return None
    filled = {name: _argument(value) for name, value in words.places.items()}
    return {"id": words.pattern, **({"arguments": filled} if filled else {})}


def _argument(value: str | int) -> object:
    if isinstance(value, Noun):
        return {"noun": str(value)}
    return value if isinstance(value, int) else (message_to_json(value) or str(value))


def message_from_json(words: str, told: object) -> str:
    """Return words as the message that a file says they are; as they are where it is wrong.

    Args:
        words: The English words.
        told: What `message_to_json` gave for them, from a file of anybody.

    Example:
        >>> from reportgen.languages import retell, speaking
        >>> said = {"id": "no run has this {what}", "arguments": {"what": "loss"}}
        >>> with speaking("fr"):
        ...     retell(message_from_json("no run has this loss", said))
        ...     retell(message_from_json("no run", said))
        'aucune exécution n’a cette donnée (loss)'
        'no run'
    """
    try:
        made = _made(told, _DEEPEST)
    except (KeyError, TypeError, ValueError, IndexError):
        return words
    return made if made == words else words


def _made(told: object, depth: int) -> str:
    if not isinstance(told, Mapping) or not isinstance(told["id"], str) or not depth:
        raise ValueError("no message")
    arguments = told.get("arguments", {})
    if not isinstance(arguments, Mapping):
        raise TypeError("arguments have names")
    places = {name: _filling(value, depth - 1) for name, value in arguments.items()}
    english = fill(language_of("en"), told["id"], places) if places else (told["id"],)
    return Message("".join(map(str, english)), told["id"], places)


def _filling(value: object, depth: int) -> str | int:
    if isinstance(value, str | int):
        return value
    if isinstance(value, Mapping) and isinstance(noun := value.get("noun"), str):
        return Noun(noun)
    return _made(value, depth)
