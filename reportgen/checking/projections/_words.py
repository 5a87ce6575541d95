"""Values and words of strangers as plain JSON values and one-line text."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring
from math import isfinite
from typing import TypeAlias

from reportgen.records.source import printable

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

# A little below the largest double: other readers of JSON have no larger numbers.
_LARGEST_EXPONENT = 307
_MOST_DIGITS = 40
# Code points that no encoding and no XML may hold.
_NO_CHARACTERS = {code: f"\\u{code:04x}" for code in (0xFFFE, 0xFFFF)}


def words(text: str) -> str:
    r"""Return a text on one line, with every control character written out.

    White space of any kind becomes one space, so that a quote reads the same wherever its
    lines were broken; half surrogates are written out, so that it can be encoded.

    Example:
        >>> print(words("Seed 1\t80\n\x1b[31m"))
        Seed 1 80 \x1b[31m
    """
    if text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]:
        # As nearly all are; of white space only the blank is printable.
        return text
    return _shown(" ".join(text.split()))


def running_text(text: str) -> str:
    r"""Return text of several lines whose control characters are written out.

    Example:
        >>> print(running_text("a\tb\n\x1b[31m"))
        a b
        \x1b[31m
    """
    return "\n".join(_shown(line.replace("\t", " ")) for line in text.split("\n"))


def _shown(line: str) -> str:
    if not line.isascii():
        line = line.encode("utf-8", "backslashreplace").decode().translate(_NO_CHARACTERS)
    return printable(line)


def number(value: Decimal | float | str | bool | None) -> Json:
    """Return a number as JSON prints it best; what JSON cannot hold becomes a text.

    Example:
        >>> number(Decimal("675.0")), number(0.806), number(float("nan")), number(10**400)
        (675, 0.806, 'NaN', '1.0000000000000000E+400')
    """
    if value is None or isinstance(value, bool | str):
        return words(value) if isinstance(value, str) else value
    exact = Decimal(value)
    if not exact.is_finite():
        return "NaN" if exact.is_nan() else "-Infinity" if exact < 0 else "Infinity"
    if exact.adjusted() > _LARGEST_EXPONENT:
        return str(exact) if len(exact.as_tuple().digits) <= _MOST_DIGITS else f"{exact:.16E}"
    whole = exact == exact.to_integral_value()
    return int(exact) if whole else float(value)


def strict(content: Json) -> str:
    r"""Return strict JSON with a line end behind it.

    Example:
        >>> strict({"a": [1, {}], "b": None})
        '{\n "a": [\n  1,\n  {}\n ],\n "b": null\n}\n'
    """
    return f"{_laid_out(content)}\n"


def _laid_out(value: Json, line: str = "\n") -> str:
    """Return a value as `json.dumps` sets it in by one blank, which takes twice as long."""
    spell, inner = encode_basestring, f"{line} "  # texts, as most are, need no call of their own
    if isinstance(value, dict) and value:
        said = [
            f"{spell(key)}: {spell(of) if type(of) is str else _laid_out(of, inner)}"
            for key, of in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(said)}{line}}}"
    if isinstance(value, list):
        said = [spell(of) if type(of) is str else _laid_out(of, inner) for of in value]
        return f"[{inner}{f',{inner}'.join(said)}{line}]" if said else "[]"
    if type(value) is int or (type(value) is float and isfinite(value)):
        return repr(value)
    return "null" if value is None else json.dumps(value, ensure_ascii=False, allow_nan=False)


@lru_cache(4096)
def fold(text: str) -> str:
    r"""Return the form of a text in which two spellings of the same words are equal.

    Example:
        >>> fold("Best\N{NO-BREAK SPACE} valid ﬁt") == fold("best Valid fit")
        True
    """
    return words(unicodedata.normalize("NFKC", text)).casefold()


def point_words(point: Mapping[str, Json]) -> str:
    """Return a piece of evidence in words: what it is, its value, where it stands.

    Example:
        >>> point_words({"what": "wer at step 10", "value": 0.5, "path": "a.csv", "tag": "wer",
        ...              "run": "", "step": 10})
        'wer at step 10: 0.5 (a.csv, wer)'
    """
    known = point["value"]
    told = f"{known:.7g}" if isinstance(known, float) else str(known)
    value = "" if known is None or str(point["what"]).endswith(f" = {told}") else f": {told}"
    where = ", ".join(str(point[key]) for key in ("path", "tag") if point[key])
    return f"{point['what']}{value}" + (f" ({where})" if where else "")
