"""The catalogue of a language: messages and nouns as data, in a file that translators know."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polib

from reportgen.records.record import record


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
        >>> read_catalogue("fr").nouns["accuracy"]
        'exactitude'
    """
    path = Path(__file__).with_name(f"{code}.po")
    entries = [one for one in polib.pofile(str(path), encoding="utf-8") if one.translated()]
    nouns = [one for one in entries if one.msgctxt == "noun"]
    return Catalogue(
        messages={one.msgid: one.msgstr for one in entries if one.msgctxt != "noun"},
        nouns={one.msgid: one.msgstr for one in nouns},
        marked={
            mark: frozenset(one.msgstr for one in nouns if one.tcomment == mark)
            for mark in {one.tcomment for one in nouns}
        },
    )
