"""Words by which documents are read, from the table `words.toml` beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

_TABLE: Mapping[str, Any] = tomllib.loads(
    files("reportgen.read.documents").joinpath("words.toml").read_text(encoding="utf-8")
)
_LINE, _LATEX = _TABLE["line"], _TABLE["latex"]


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def _counts(table: Mapping[str, str]) -> dict[str, int]:
    """Return the number under which each word of a table stands."""
    return {word: int(count) for count, names in table.items() for word in names.split()}


def _pairs(text: str) -> dict[str, str]:
    """Return names with the sign behind each."""
    told = text.split()
    return {k: v.replace("␣", " ") for k, v in zip(told[::2], told[1::2], strict=True)}


REFERENCES = frozenset(_LINE["references"])
SENTENCE, OPENERS = words(_LINE["sentence"]), words(_LINE["openers"])
UNITS = words(_LINE["units"])

DROPPED, KEPT = _counts(_LATEX["dropped"]), _counts(_LATEX["kept"])
HEADINGS, ARGUMENTS = _counts(_LATEX["headings"]), _counts(_LATEX["arguments"])
SYMBOLS, SIGNS = _pairs(_LATEX["symbols"]), _pairs(_LATEX["signs"])
LENGTHS, EQUATIONS = words(_LATEX["lengths"]), words(_LATEX["equations"])
TABLES, FLOATS = words(_LATEX["tables"]), words(_LATEX["floats"])
LISTS, DRAWINGS = words(_LATEX["lists"]), words(_LATEX["drawings"])
TABLE_HEADS, MIDDLE_RULES = words(_LATEX["table_heads"]), words(_LATEX["middle_rules"])
BUILT_IN = (
    {*DROPPED, *KEPT, *SYMBOLS, *SIGNS, *HEADINGS} - words(_LATEX["own"])
    | {*TABLE_HEADS, *MIDDLE_RULES}
    | words(_LATEX["built_in"])
)

# Commands of one sign or letter to the mark that they put on the next letter.
_ON_LETTERS = "\u0301\u0300\u0302\u0308\u0303\u0304\u0307\u0327\u030c\u0306\u030b\u0328\u030a"
ACCENTS: Mapping[str, str] = dict(zip("'`^\"~=.cvuHkr", _ON_LETTERS, strict=True))

_PDF = _TABLE["pdf"]
CARRIERS = {
    sign: (chr(int(mark, 16)), letters) for sign, mark, letters in map(str.split, _PDF["accents"])
}
EXTENSION = {
    chr(int(code, 16)): sign for sign, *codes in map(str.split, _PDF["extension"]) for code in codes
}
