"""Typst spelling of text: always a string in code mode, never markup.

A string cannot be read as markup, whatever it holds; only the quote and the backslash have
to be written otherwise.
"""

from __future__ import annotations

import re

from reportgen.render._escape import (
    LISTING_WIDTH,
    breakable,
    clean,
    clean_prose,
    code_point,
    listing_lines,
)

# What the fonts inside the engine can draw, of what is likely in names and prose; a
# character without a glyph would vanish in silence. Right-to-left scripts are left out.
_DRAWN = (
    (0x20, 0x7E), (0xA0, 0xAC), (0xAE, 0x2FF), (0x370, 0x373), (0x375, 0x377), (0x37A, 0x37D),
    (0x384, 0x386), (0x388, 0x38A), (0x38E, 0x3A1), (0x3A3, 0x482), (0x48A, 0x4FF),
    (0x1E00, 0x1EFF), (0x2010, 0x2027), (0x202F, 0x205E), (0x2070, 0x2071), (0x2074, 0x208E),
    (0x2090, 0x209C), (0x20A0, 0x20BF), (0x2100, 0x211E), (0x2122, 0x2122),
    (0x2190, 0x2328), (0x2500, 0x2606),
)  # fmt: skip


_UNDRAWN = re.compile(f"[^{''.join(f'{chr(low)}-{chr(high)}' for low, high in _DRAWN)}]")


def drawable(text: str) -> str:
    """Return text with the code point of every character that the fonts lack."""
    return _UNDRAWN.sub(lambda found: code_point(found[0]), text)


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
