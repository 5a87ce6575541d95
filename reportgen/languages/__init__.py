"""The languages a report can be written in: English messages, and their translations.

Sections say what they found in English, with places: `say("{n} runs of {group}", ...)`. The
language that is spoken at that moment decides which words come out, and in which order.

    >>> with speaking("fr"):
    ...     tell("Abstract")
    'Résumé'
    >>> tell("Abstract")
    'Abstract'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from reportgen.languages._language import Language as Language
from reportgen.languages._language import Message as Message
from reportgen.languages._language import MessageRows as MessageRows
from reportgen.languages._language import Noun
from reportgen.languages._language import Place as Place
from reportgen.languages._language import change_marks as change_marks
from reportgen.languages._language import fill as fill
from reportgen.languages._language import message_from_json as message_from_json
from reportgen.languages._language import message_to_json as message_to_json
from reportgen.languages._language import places_of as places_of
from reportgen.records.errors import UsageError
from reportgen.records.registry import Registry

if TYPE_CHECKING:
    from reportgen.records.document import Text

LANGUAGES = Registry(
    "language",
    __name__,
    """
en english:LANGUAGE English
fr french:LANGUAGE français
""",
)
_spoken: ContextVar[str] = ContextVar("spoken", default="en")


@cache
def language_of(code: str) -> Language:
    """Return the language that a code names; a region (`fr-CA`) changes nothing.

    Raises:
        UnknownNameError: Reports cannot be written in this language.

    Example:
        >>> language_of("fr-CA").decimal_mark
        ','
    """
    found: Language = LANGUAGES.load(code.lower().replace("_", "-").partition("-")[0])
    return found


def spoken() -> Language:
    """Return the language that is spoken now; English unless `speaking` says otherwise."""
    return language_of(_spoken.get())


@contextmanager
def speaking(code: str) -> Iterator[Language]:
    """Speak a language inside a `with` block, in this thread or task alone.

    Raises:
        UnknownNameError: Reports cannot be written in this language.
    """
    language = language_of(code)
    token = _spoken.set(language.code)
    try:
        yield language
    finally:
        _spoken.reset(token)


def message(text: str, **places: str | int) -> str:
    """Return a message in English: marks one that stands in a table and is said later.

    It is a text like any other, and remembers its places for the language it is said in.

    Args:
        text: The message in English, a literal.
        places: What stands in each place: names, counts, or other marked messages.

    Example:
        >>> message("{n} runs of {group}", n=3, group="a")
        '3 runs of a'
    """
    filled = "".join(map(str, fill(language_of("en"), text, places))) if places else text
    return Message(filled, text, places)


def say(text: str, **places: Place) -> Text:
    """Return a message in the spoken language, its places filled.

    Args:
        text: The message in English, with places in braces; a literal, so that it is found
            by the test that every message is translated.
        places: What stands in each place: words, a number, a reference, or several of them.

    Example:
        >>> say("{n} runs of {group}", n=3, group="a")
        ('3 runs of a',)
    """
    return fill(spoken(), text, places)


def say_count(one: str, many: str, count: int, **places: Place) -> Text:
    """Return one of two messages, as the count asks for in the spoken language.

    Example:
        >>> say_count("{count} run", "{count} runs", 1), say_count("{count} run", "{count} runs", 0)
        (('1 run',), ('0 runs',))
    """
    text = one if spoken().is_one(count) else many
    return fill(spoken(), text, {"count": count, **places})


def tell(text: str, **places: str | int) -> str:
    """Return a message as plain words, for titles, axes and alternative texts.

    Raises:
        UsageError: A place holds more than words.
    """
    words = fill(spoken(), text, places)
    if not all(isinstance(node, str) for node in words):
        raise UsageError(f"the message {text!r} holds more than words")
    return "".join(map(str, words))


def tell_count(one: str, many: str, count: int, **places: str | int) -> str:
    """Return one of two messages as plain words, as the count asks for.

    Example:
        >>> tell_count("one run", "{count} runs", 2)
        '2 runs'
    """
    return tell(one if spoken().is_one(count) else many, count=count, **places)


def retell(words: str, **places: str | int) -> str:
    """Return a marked message in the spoken language; other words, such as names, as they are.

    Args:
        words: A marked message, or words of somebody.
        places: Places of the message that are filled anew.

    Example:
        >>> retell("{not a message}"), retell(message("{n} runs", n=3))
        ('{not a message}', '3 runs')
    """
    if not isinstance(words, Message):
        return words
    # It is in English as it stands.
    return tell(words, **places) if places or spoken().code != "en" else str(words)


def noun(word: str) -> str:
    """Return a noun in the spoken language; a name that is none of ours stays as it is.

    Example:
        >>> with speaking("fr"):
        ...     noun("accuracy"), noun("my_metric")
        ('exactitude', 'my_metric')
    """
    return spoken().nouns.get(word, word)


def noun_later(word: str) -> str:
    """Return a noun in English: marks one in a marked message, and is said with it.

    A marked message stays one.

    Example:
        >>> why = message("no value of {metric}", metric=noun_later("loss"))
        >>> why, tell(why)
        ('no value of loss', 'no value of loss')
    """
    return word if isinstance(word, Message) else Noun(word)


def metric_later(metric: str) -> str:
    """Return a metric as people write it: marks it in a marked message, and is said with it.

    Example:
        >>> message("{run} never logged {metric}", run="a/0", metric=metric_later("mean_iou"))
        'a/0 never logged mIoU'
    """
    from reportgen.records.metrics import metric_words

    return noun_later(metric_words(metric))
