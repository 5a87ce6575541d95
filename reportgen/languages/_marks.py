"""Printed numbers from the marks of one language to those of another."""

from __future__ import annotations

import re

from reportgen.languages._language import Language

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
