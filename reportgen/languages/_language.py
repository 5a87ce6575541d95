"""What a language is, how a message is filled in, and messages as values of JSON."""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from reportgen.records.record import field, record
from reportgen.records.rows import read_rows

if TYPE_CHECKING:
    from decimal import Decimal

    from reportgen.records.document import Inline, Text

Place: TypeAlias = "Inline | Text | int"


class Message(str):
    """English words that remember which message they are, to be said again in any language.

    Attributes:
        pattern: The message, its places in braces.
        places: What stands in them.
    """

    __slots__ = ("pattern", "places")

    pattern: str
    places: Mapping[str, str | int]

    def __new__(
        cls, words: str, pattern: str = "", places: Mapping[str, str | int] = MappingProxyType({})
    ) -> Self:
        """Return the words in English, with the message that they fill."""
        made = super().__new__(cls, words)
        made.pattern = pattern or words
        made.places = places
        return made


class Noun(str):
    """A noun in English, said in the language that speaks when the message around it is said."""

    __slots__ = ()


def _unchanged(words: str, _behind: str) -> str:
    return words


@record
class Language:
    """Everything that a report in this language is spelled with.

    Attributes:
        code: As `<html lang>` and PDF name it (`"fr"`).
        name: In the language itself.
        messages: English message to its translation, with the same places; a message that is
            not there is said in English.
        nouns: English noun to its translation ("accuracy"); others stay as they are, for they
            may be names.
        inflect: (word, form) to the word in that form; the forms are the language's own, and
            stand behind a colon in its messages: `"{metric:the}"`.
        forms: Those forms; a test holds the messages to them.
        is_one: Whether a count, or a number as it is printed, takes the singular.
        decimal_mark: Between the whole and its fraction.
        group_mark: Between groups of three digits.
        percent_mark: How the percent sign stands behind its number.
        byte_mark: Sign of one byte.
        date: (day, month from 1, year) to a date in words.
        meet: (words of ours, what stands behind them) to the words as they are before it:
            French "de " to "d’" before a vowel.
    """

    code: str
    name: str
    inflect: Callable[[str, str], str]
    forms: frozenset[str]
    is_one: Callable[[int | Decimal], bool]
    date: Callable[[int, int, int], str]
    decimal_mark: str
    group_mark: str
    percent_mark: str
    byte_mark: str = "B"
    meet: Callable[[str, str], str] = _unchanged
    messages: Mapping[str, str] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=4096)
def places_of(message: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return a message as (words, place behind them, form of the place).

    Example:
        >>> places_of("{n} runs of {group:the}")
        (('', 'n', ''), (' runs of ', 'group', 'the'))
    """
    return tuple((words, name, form or "") for words, name, form, _ in _FORMATTER.parse(message))


_FORMATTER = string.Formatter()


def fill(language: Language, message: str, places: Mapping[str, Place]) -> Text:
    """Return a message in a language with its places filled; neighbouring words are joined.

    A place that holds a marked message is said in the language too.

    Raises:
        KeyError: The message names a place that was not given.
    """
    filled: list[Inline] = []
    if isinstance(message, Message):
        places = {**message.places, **places}
        message = message.pattern
    for words, name, form in places_of(language.messages.get(message, message)):
        _append(filled, words)
        if name is None:
            continue
        place = places[name]
        for node in place if isinstance(place, tuple) else (place,):
            shown = str(node) if isinstance(node, int) else node
            if isinstance(shown, Noun):
                shown = language.nouns.get(shown, shown)
            elif isinstance(shown, Message):
                shown = "".join(map(str, fill(language, shown, {})))
            inflected = language.inflect(shown, form) if isinstance(shown, str) and form else shown
            if filled and isinstance(filled[-1], str) and language.meet is not _unchanged:
                filled[-1] = language.meet(filled[-1], _first_words(inflected))
            _append(filled, inflected)
    return tuple(filled)


def _first_words(node: Inline) -> str:
    """Return the words that a node begins with; nothing where it is a number or a reference."""
    if isinstance(node, str):
        # A label may stand between marks of the private use area, which are no letters.
        return node.lstrip(_PRIVATE_USE)
    from reportgen.records.document import Code, Emphasis, Link, Strong

    if isinstance(node, Code):
        return node.text
    if isinstance(node, Emphasis | Strong | Link):
        return _first_words(node.content[0]) if node.content else ""
    return ""


_PRIVATE_USE = "".join(map(chr, range(0xE000, 0xE010)))


def _append(nodes: list[Inline], node: Inline) -> None:
    """Put a node behind others; words go on in the words before them."""
    if not isinstance(node, str):
        nodes.append(node)
    elif nodes and isinstance(nodes[-1], str):
        nodes[-1] += node
    elif node:
        nodes.append(node)


_BYTES = re.compile(r"(?P<unit>\u00a0(?:[KMGTP]i)?)(?P<mark>\w)$")


def change_marks(printed: str, own: Language, other: Language) -> str:
    r"""Return a number as another language prints it; what is no number stays as it is.

    Example:
        >>> from reportgen.languages import language_of
        >>> english, french = language_of("en"), language_of("fr")
        >>> [change_marks(text, english, french) for text in ("80.63", "8.33\xa0GiB", "95%")]
        ['80,63', '8,33\xa0Gio', '95\u202f%']
        >>> change_marks("22\u202f829\u202f056", french, english)
        '22,829,056'
    """
    body, tail = printed, ""
    size = _BYTES.search(printed)
    if printed.endswith(own.percent_mark):
        body, tail = printed.removesuffix(own.percent_mark), other.percent_mark
    elif size and size["mark"] == own.byte_mark:
        body, tail = printed[: size.start()], size["unit"] + other.byte_mark
    marks = {own.decimal_mark: other.decimal_mark, own.group_mark: other.group_mark}
    return "".join(marks.get(sign, sign) for sign in body) + tail


@record
class Catalogue:
    """What `CODE.po` holds; an entry without a translation is left out.

    Attributes:
        messages: English message to its translation.
        nouns: English noun to its translation.
        marked: Comment (`feminine`, `plural`) to the translated nouns that have it.
    """

    messages: Mapping[str, str]
    nouns: Mapping[str, str]
    marked: Mapping[str, frozenset[str]]


def read_catalogue(code: str) -> Catalogue:
    """Read the catalogue of a language.

    Example:
        >>> catalogue = read_catalogue("fr")
        >>> catalogue.nouns["accuracy"], catalogue.marked["of no noun"]
        ('exactitude', frozenset())
    """
    import polib

    path = Path(__file__).with_name(f"{code}.po")
    entries = [one for one in polib.pofile(str(path), encoding="utf-8") if one.translated()]
    nouns = [one for one in entries if one.msgctxt == "noun"]
    return Catalogue(
        messages={one.msgid: one.msgstr for one in entries if one.msgctxt != "noun"},
        nouns={one.msgid: one.msgstr for one in nouns},
        # A catalogue that was just begun marks none.
        marked=defaultdict(
            frozenset,
            {
                mark: frozenset(one.msgstr for one in nouns if one.tcomment == mark)
                for mark in {one.tcomment for one in nouns}
            },
        ),
    )


# --- the messages of a package: rows of a table beside its modules ----------------------


FILE = "messages.ini"
_METRIC = "metric"
_NOUNS = frozenset({"split", "select", "unit", "test"})
"""Places that hold nouns of the field, which are said in the language of the report."""


_MOST_REMEMBERED = 1 << 12


def _parts_of(place: object) -> object:
    """Return what makes up what stands in a place, None where it may be of any kind.

    A message is equal to its text, whatever it remembers: it is told from that by its places.
    """
    if type(place) is Message:
        parts = tuple(map(_parts_of, place.places.values()))
        return None if None in parts else (place.pattern, *place.places, *parts)
    if type(place) is Noun:
        return Noun, str(place)
    return place if type(place) in (str, int) else None


class MessageRows:
    """The table of messages of a package, read when the first of them is said.

    Beside the text of `code` may stand that of `code.bare`, without a split, the `code.remedy` and
    the `code.level` of a problem. What stands at `{metric}` and at places of nouns is said as such.

    Example:
        >>> rows = MessageRows("reportgen.runs")
        >>> rows("better_higher", metric="mean_iou"), rows("some_runs", n=3)
        ('mIoU is better when higher', '3 runs')
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._remembered: dict[object, str] = {}

    @cached_property
    def rows(self) -> dict[str, str]:
        """Code to text."""
        return read_rows(self._package, FILE)[""]

    def __call__(self, code: str, /, **places: Any) -> str:
        """Return a message in English that remembers its places; without any, they stay open."""
        parts = tuple(map(_parts_of, places.values()))
        if None in parts:
            return self._said(code, **places)
        key = (code, *places, *parts)
        found = self._remembered.get(key)
        if found is None:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            found = self._remembered[key] = self._said(code, **places)
        return found

    def _said(self, code: str, /, **places: Any) -> str:
        from reportgen.languages import message, metric_later, noun_later

        said = dict(places)
        for name, value in places.items():
            if type(value) is str and name in _NOUNS:
                said[name] = noun_later(value)
            elif type(value) is str and name == _METRIC:
                said[name] = metric_later(value)
        return message(self.rows[code], **said)

    def of_split(self, code: str, metric: str, split: str, **places: Any) -> str:
        """Return what is said of a metric on a split, which may have no name."""
        bare = f"{code}.bare"
        code = bare if not split and bare in self.rows else code
        return self(code, metric=metric, split=split, **places)

    def counted(self, one: str, many: str, n: int, **places: Any) -> str:
        """Return the one or the other message, as a count asks for."""
        return self(one if n == 1 else many, n=n, **places)


# --- messages as JSON -----------------------------------------------------------------


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
    from reportgen.languages import language_of

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
