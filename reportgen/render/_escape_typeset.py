"""LaTeX spelling of text: no character of a stranger's is ever read as a command."""

from __future__ import annotations

import unicodedata

from reportgen.render._escape import (
    CHARACTERS,
    LISTING_WIDTH,
    breakable,
    clean,
    clean_prose,
    listing_lines,
)
from reportgen.render._fonts import code_point
from reportgen.render._numbering import anchor_of
from reportgen.render._spelling import NO_BREAK_SPACE


def _spellings(name: str) -> dict[str, str]:
    return dict(CHARACTERS["latex"][name])


_ASCII, _TEXT, _MATH, _ACCENTS, _OUTLINE, _GREEK = map(
    _spellings, ("ascii", "text", "math", "accents", "outline", "greek")
)
# Runs of these are ligatures ("--" is a dash, ",," a low quote).
_LIGATURES = frozenset("-,")


def _spell(character: str) -> str:
    """Return the spelling of one character; what has none is named by its code point."""
    if character in _ASCII:
        return _ASCII[character]
    if " " <= character <= "~":
        return character
    if character in _TEXT:
        return _TEXT[character]
    mathematical = _MATH.get(character) or greek_command(character) or _script(character)
    return rf"\ensuremath{{{mathematical}}}" if mathematical else _accented(character)


def greek_command(character: str) -> str:
    """Return the command of a Greek letter, or an empty string."""
    if character in _GREEK:
        return rf"\mathrm{{{_GREEK[character]}}}"
    words = unicodedata.name(character, "").split()
    if len(words) != 4 or words[0] != "GREEK" or words[2] != "LETTER":
        return ""
    if words[1] not in {"SMALL", "CAPITAL"} or not "\u0391" <= character <= "\u03c9":
        return ""
    name = words[3].replace("LAMDA", "LAMBDA")
    return "\\" + (name.lower() if words[1] == "SMALL" else name.capitalize())


def _script(character: str) -> str:
    """Return a superscript or subscript digit as mathematics."""
    kind, _, digit = unicodedata.decomposition(character).partition(" ")
    if kind not in {"<super>", "<sub>"} or not digit or not chr(int(digit, 16)).isdigit():
        return ""
    return f"{'^' if kind == '<super>' else '_'}{{{chr(int(digit, 16))}}}"


def _accented(character: str) -> str:
    """Return a Latin letter with an accent, else the code point."""
    parts = unicodedata.decomposition(character).split()
    if len(parts) == 2 and not parts[0].startswith("<"):
        base, accent = (chr(int(part, 16)) for part in parts)
        if base.isascii() and base.isalpha() and accent in _ACCENTS:
            return rf"\{_ACCENTS[accent]}{{{base}}}"
    return code_point(character)


def drawable(text: str) -> str:
    """Return text with the code point of every character that has no spelling."""
    return "".join(code_point(c) if _spell(c) == code_point(c) else c for c in text)


def spell(text: str) -> str:
    """Return clean text in LaTeX, without places to break."""
    return "".join(
        _spell(character) + ("{}" if character == following and character in _LIGATURES else "")
        for character, following in zip(text, f"{text[1:]} ", strict=False)
    )


def escape(text: str) -> str:
    r"""Return running text in LaTeX.

    Example:
        >>> print(escape("50% of \\input{x} don't"))
        50\% of \textbackslash{}input\{x\} don\textquoteright{}t
    """
    return r"\allowbreak{}".join(spell(piece) for piece in breakable(drawable(clean_prose(text))))


def escape_outline(text: str) -> str:
    r"""Return text for the document's properties and its outline, which know no mathematics.

    Example:
        >>> print(escape_outline("2 \u00d7 3_4 \u03b1"))
        2 x 3\_4 [U+03B1]
    """
    plain = "".join(_OUTLINE.get(c, c) for c in clean_prose(text))
    return "".join(
        spell(code_point(c)) if r"\ensuremath" in _spell(c) else _spell(c) for c in plain
    )


def escape_heading(text: str) -> str:
    r"""Return a heading: what is printed and, where that differs, what the outline holds.

    Example:
        >>> print(escape_heading("A & B"))
        A \& B
    """
    printed, outline = escape(text), escape_outline(text)
    return printed if printed == outline else rf"\texorpdfstring{{{printed}}}{{{outline}}}"


def escape_code(text: str) -> str:
    r"""Return text in typewriter face, with places where a line may end.

    Example:
        >>> print(escape_code("eval_loss"))
        \texttt{eval\_loss}
    """
    pieces = r"\allowbreak{}".join(spell(piece) for piece in breakable(drawable(clean(text))))
    return rf"\texttt{{{pieces}}}"


def escape_listing(text: str, letters: int = LISTING_WIDTH) -> tuple[str, ...]:
    """Return verbatim lines; their spaces do not stretch and are not dropped."""
    return tuple(spell(line.replace(" ", NO_BREAK_SPACE)) for line in listing_lines(text, letters))


def name_number(identifier: str, spelled: str) -> str:
    r"""Return a printed number in a command that leaves the number and drops the id.

    Example:
        >>> print(name_number("best_step.a b.0.report_value", r"79.5\%"))
        \rgnum{best_step.a-20-b.0.report_value}{79.5\%}
    """
    return rf"\rgnum{{{anchor_of(identifier)}}}{{{spelled}}}" if identifier else spelled
