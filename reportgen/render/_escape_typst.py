"""Typst spelling of text: always a string in code mode, never markup.

A string cannot be read as markup, whatever it holds; only the quote and the backslash have
to be written otherwise.
"""

from __future__ import annotations

import re

from reportgen.render._escape import (
    CHARACTERS,
    LISTING_WIDTH,
    breakable,
    clean,
    clean_prose,
    listing_lines,
)
from reportgen.render._fonts import code_point, lent

_UNDRAWN = re.compile(
    f"[^{''.join(f'{chr(low)}-{chr(high)}' for low, high in CHARACTERS['typst']['drawn'])}]"
)


def drawable(text: str) -> str:
    """Return text with the code point of every character that the fonts lack."""
    drawn = lent()
    return _UNDRAWN.sub(lambda found: found[0] if found[0] in drawn else code_point(found[0]), text)


def borrowed(source: str) -> frozenset[str]:
    """Return the characters of a source that fonts beside those of the engine have to draw."""
    return frozenset(_UNDRAWN.findall(source)) - {"\n"}


def quote(text: str) -> str:
    r"""Return a Typst string literal.

    Example:
        >>> print(quote('a"b\\c'))
        "a\"b\\c"
    """
    escaped = drawable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def escape(text: str) -> str:
    """Return running text for a place where markup is read.

    Example:
        >>> print(escape("[a] *b*"))
        #"[a] *b*";
    """
    return "#box();".join(f"#{quote(piece)};" for piece in breakable(drawable(clean_prose(text))))


def escape_code(text: str) -> str:
    """Return text in typewriter face, with places where a line may end.

    Example:
        >>> print(escape_code("eval/accuracy"))
        #code("eval/accuracy");
    """
    pieces = ", ".join(quote(piece) for piece in breakable(drawable(clean(text))))
    return f"#code({pieces});"


def escape_listing(text: str, letters: int = LISTING_WIDTH) -> tuple[str, ...]:
    """Return verbatim lines, each a string literal."""
    return tuple(quote(line) for line in listing_lines(text, letters))
