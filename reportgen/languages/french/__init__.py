"""French: decimal comma, narrow spaces before high punctuation, articles that elide.

The messages are data: `fr.po` beside this package, as translators know it.
"""

from __future__ import annotations

from pathlib import Path

import polib

from reportgen.languages._language import Language
from reportgen.languages.french._grammar import inflect, meet
from reportgen.languages.french._nouns import NOUNS

_MONTHS = (
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
)
NARROW_SPACE = "\u202f"


def _date(day: int, month: int, year: int) -> str:
    return f"{'1er' if day == 1 else day} {_MONTHS[month - 1]} {year}"


def _messages() -> dict[str, str]:
    """Return each English message with its translation."""
    catalogue = polib.pofile(str(Path(__file__).parent.parent / "fr.po"), encoding="utf-8")
    return {entry.msgid: entry.msgstr for entry in catalogue}


LANGUAGE = Language(
    code="fr",
    name="français",
    inflect=inflect,
    meet=meet,
    is_one=lambda count: -2 < count < 2,
    date=_date,
    decimal_mark=",",
    group_mark=NARROW_SPACE,
    percent_mark=f"{NARROW_SPACE}%",
    byte_mark="o",
    messages=_messages(),
    nouns=NOUNS,
)
