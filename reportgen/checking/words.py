"""What the words around a number say: metric, split, moment, aggregate, clock.

The words are rows of `lexicon.csv`; a new word or language is a row there.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import resources
from itertools import pairwise, product
from typing import NamedTuple, TypeVar, cast

from reportgen.records.metrics import found_metrics
from reportgen.records.record import field, record

__all__ = [
    "SETTINGS",
    "Row",
    "Said",
    "Words",
    "by_lexicon",
    "lexicon_rows",
    "longest_of",
    "names_of",
    "reading_by",
    "said",
    "tokens_of",
    "words_of",
]

_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|±")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

SETTINGS = frozenset({"learning_rate", "epoch"})
"""Metrics that are set or counted, and say nothing of how good a run is."""


class Said(NamedTuple):
    """One word of the lexicon in a text: what it means, and where it stands.

    Example:
        >>> said("test loss")[0]
        Said(slot='split', value='test', start=0, end=4)
    """

    slot: str
    value: str
    start: int
    end: int

    def covers(self, text: str) -> bool:
        """Say whether a text that has this word has no other letter or figure."""
        return not any(map(str.isalnum, text[: self.start] + text[self.end :]))


@record
class Words:
    """What a text says of a number beside it; an empty set says nothing.

    Attributes:
        metrics: Names of metrics (`accuracy`, `loss`).
        splits: `train`, `validation`, `test`.
        moments: `best`, `last`, `first`.
        aggregates: `mean`, `std`, `se`, `median`, `interval`, `gap`.
        clocks: `step`, `epoch`, `iteration`.
        definitions: `sample`, `population`.
        things: `seed`, `run`: what is numbered, and not measured.
        tokens: The text's words and numbers in small letters.
    """

    metrics: frozenset[str] = frozenset()
    splits: frozenset[str] = frozenset()
    moments: frozenset[str] = frozenset()
    aggregates: frozenset[str] = frozenset()
    clocks: frozenset[str] = frozenset()
    definitions: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    tokens: frozenset[str] = field(default_factory=frozenset)

    def or_else(self, other: Words) -> Words:
        """Return these words, and those of another text for all they say nothing of.

        Example:
            >>> both = words_of("accuracy").or_else(words_of("test loss"))
            >>> sorted(both.metrics), sorted(both.splits)
            (['accuracy'], ['test'])
        """
        return Words(
            metrics=self.metrics or other.metrics,
            splits=self.splits or other.splits,
            moments=self.moments or other.moments,
            aggregates=self.aggregates or other.aggregates,
            clocks=self.clocks or other.clocks,
            definitions=self.definitions or other.definitions,
            things=self.things,
            tokens=self.tokens,
        )


Row = Mapping[str, str]
"""One meaning in one language: `slot`, `value`, `language`, `forms`."""

_rows_in_use: list[Sequence[Row]] = []


def lexicon_rows() -> tuple[Row, ...]:
    """Return the rows of `lexicon.csv`.

    Example:
        >>> dict(lexicon_rows()[-1])["slot"]
        'window'
    """
    text = resources.files(__package__).joinpath("lexicon.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


@contextmanager
def reading_by(rows: Sequence[Row]) -> Iterator[None]:
    """Read by other rows than those of `lexicon.csv` for a while.

    Example:
        >>> row = {"slot": "metric", "value": "accuracy", "language": "it", "forms": "accuratezza"}
        >>> with reading_by([row]):
        ...     sorted(words_of("Accuratezza").metrics)
        ['accuracy']
        >>> sorted(words_of("Accuratezza").metrics)
        []
    """
    _rows_in_use.append(rows)
    _forget()
    try:
        yield
    finally:
        _rows_in_use.pop()
        _forget()


_Read = TypeVar("_Read", bound=Callable[..., object])
_read_by_rows: list[Callable[[], None]] = []


def by_lexicon(read: _Read) -> _Read:
    """Keep what a function reads of texts, until they are read by other rows."""
    kept = lru_cache(maxsize=4096)(read)
    _read_by_rows.append(kept.cache_clear)
    return cast("_Read", kept)


def _forget() -> None:
    for forget in _read_by_rows:
        forget()


@by_lexicon
def _lexicon() -> tuple[re.Pattern[str], dict[str, tuple[tuple[str, str], ...]]]:
    """Return a pattern of every form, longest first, and what each form means."""
    meanings: dict[str, list[tuple[str, str]]] = {}
    joined: dict[str, list[tuple[str, tuple[str, str]]]] = {"split": [], "metric": []}
    for row in _rows_in_use[-1] if _rows_in_use else lexicon_rows():
        for form in row["forms"].casefold().split("|"):
            meaning = (row["slot"], row["value"])
            if meaning not in meanings.setdefault(form, []):
                meanings[form].append(meaning)
            if row["language"] == "de" and row["slot"] in joined:
                joined[row["slot"]].append((form, meaning))
    for (before, split), (form, metric) in product(joined["split"], joined["metric"]):
        meanings.setdefault(before + form, [split, metric])
    pattern = re.compile(rf"(?<![^\W\d_])(?:{longest_of(meanings)})(?![^\W\d_])", re.IGNORECASE)
    return pattern, {form: tuple(found) for form, found in meanings.items()}


def longest_of(forms: Iterable[str]) -> str:
    """Return a pattern of the longest of some forms.

    Of a thousand forms only those that begin with the letter at hand are tried.

    Example:
        >>> longest_of(["mean", "best", "meanwhile"])
        'm(?:eanwhile|ean)|b(?:est)'
    """
    begun: dict[str, list[str]] = {}
    for form in sorted(forms, key=len, reverse=True):
        begun.setdefault(form[0], []).append(re.escape(form[1:]))
    return "|".join(f"{re.escape(one)}(?:{'|'.join(rest)})" for one, rest in begun.items())


@by_lexicon
def said(text: str) -> tuple[Said, ...]:
    """Return the words of the lexicon in a text, in order.

    Example:
        >>> [(one.slot, one.value) for one in said("Best val_acc at epoch 3")]
        [('moment', 'best'), ('split', 'validation'), ('metric', 'accuracy'), ('clock', 'epoch')]
    """
    pattern, meanings = _lexicon()
    spread = _CAMEL.sub(" ", text).replace("_", " ") if text.isidentifier() else text
    spread = spread.replace("_", " ") if len(spread) == len(text) else spread
    found = []
    for match in pattern.finditer(spread):
        for slot, value in meanings.get(match[0].casefold(), ()):
            found.append(Said(slot, value, match.start(), match.end()))
    return tuple(found)


@by_lexicon
def words_of(text: str) -> Words:
    """Return what the words of a text say.

    Example:
        >>> words = words_of("Best val_acc at epoch 3")
        >>> sorted(words.metrics), sorted(words.splits), sorted(words.moments)
        (['accuracy'], ['validation'], ['best'])
    """
    slots: dict[str, set[str]] = {}
    for one in said(text):
        slots.setdefault(one.slot, set()).add(one.value)
    tokens = tokens_of(text)
    named = {found.name for found in found_metrics(list(tokens))}
    return Words(
        metrics=frozenset(slots.get("metric", ())) | named,
        splits=frozenset(slots.get("split", ())),
        moments=frozenset(slots.get("moment", ())),
        aggregates=frozenset(slots.get("aggregate", ())),
        clocks=frozenset(slots.get("clock", ())),
        definitions=frozenset(slots.get("definition", ())),
        things=frozenset(slots.get("thing", ())),
        tokens=frozenset(tokens),
    )


@lru_cache(maxsize=8192)
def tokens_of(text: str) -> tuple[str, ...]:
    """Return the words and the numbers of a text, in small letters; numbers in one spelling.

    Example:
        >>> tokens_of("q3_hopper_lr1e-4, Walker2d")
        ('q', '3', 'hopper', 'lr', '0.0001', 'walker', '2', 'd')
    """
    return tuple(_plain(match[0]) for match in _TOKEN.finditer(_bare(text).replace("_", " ")))


def names_of(text: str) -> frozenset[str]:
    """Return the words of a text that may be parts of names, and neighbours as one word.

    Example:
        >>> sorted(names_of("pre-trained, seed 1"))
        ['1', 'pre', 'pretrained', 'seed', 'seed1', 'trained', 'trainedseed']
    """
    tokens = tokens_of(text)
    return frozenset(tokens) | {left + right for left, right in pairwise(tokens)}


def _bare(text: str) -> str:
    """Return a text without its accents, as names of folders have it."""
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _plain(token: str) -> str:
    if token[0].isdigit():
        try:
            return f"{float(token):.12g}"
        except (ValueError, OverflowError):
            return token
    return token.lower()
