"""LaTeX spelling of text: no character of a stranger's is ever read as a command."""

from __future__ import annotations

import unicodedata

from reportgen.render._escape import (
    LISTING_WIDTH,
    breakable,
    clean,
    clean_prose,
    code_point,
    listing_lines,
)
from reportgen.render._numbering import anchor_of
from reportgen.render._spelling import NO_BREAK_SPACE

_ASCII = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
# Runs of these are ligatures ("--" is a dash, ",," a low quote).
_LIGATURES = frozenset("-,")
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c",
    "\u0328": "k",
}  # fmt: skip
_TEXT = {
    "\u00a0": "~", "\u00a1": r"\textexclamdown{}", "\u00a3": r"\pounds{}", "\u00a7": r"\S{}",
    "\u00a9": r"\textcopyright{}", "\u00ab": r"\guillemotleft{}", "\u00ad": r"\-",
    "\u00ae": r"\textregistered{}", "\u00b6": r"\P{}", "\u00bb": r"\guillemotright{}",
    "\u00bc": r"\textonequarter{}", "\u00bd": r"\textonehalf{}",
    "\u00be": r"\textthreequarters{}",
    "\u00bf": r"\textquestiondown{}", "\u00c6": r"\AE{}", "\u00d8": r"\O{}", "\u00df": r"\ss{}",
    "\u00e6": r"\ae{}", "\u00f8": r"\o{}", "\u00d0": r"\DH{}", "\u00f0": r"\dh{}",
    "\u00de": r"\TH{}", "\u00fe": r"\th{}", "\u0110": r"\DJ{}", "\u0111": r"\dj{}",
    "\u0131": r"\i{}", "\u0141": r"\L{}", "\u0142": r"\l{}", "\u0152": r"\OE{}",
    "\u0153": r"\oe{}", "\u2009": r"\,", "\u200b": r"\allowbreak{}", "\u2010": "-",
    "\u2011": r"\mbox{-}", "\u2013": r"\textendash{}", "\u2014": r"\textemdash{}",
    "\u2018": r"\textquoteleft{}", "\u2019": r"\textquoteright{}",
    "\u201a": r"\quotesinglbase{}", "\u201c": r"\textquotedblleft{}",
    "\u201d": r"\textquotedblright{}", "\u201e": r"\quotedblbase{}", "\u2020": r"\dag{}",
    "\u2021": r"\ddag{}", "\u2022": r"\textbullet{}", "\u2026": r"\dots{}", "\u202f": r"\,",
    "\u20ac": r"\texteuro{}", "\u2122": r"\textsuperscript{\textrm{TM}}",
}  # fmt: skip
_MATH = {
    "\u00ac": r"\neg", "\u00b0": r"^{\circ}", "\u00b1": r"\pm", "\u00b2": "^{2}",
    "\u00b3": "^{3}", "\u00b5": r"\mu", "\u00b7": r"\cdot", "\u00b9": "^{1}",
    "\u00d7": r"\times", "\u00f7": r"\div", "\u2032": "'",
    "\u2070": "^{0}", "\u207a": "^{+}", "\u207b": "^{-}", "\u2190": r"\leftarrow",
    "\u2191": r"\uparrow", "\u2192": r"\rightarrow", "\u2193": r"\downarrow",
    "\u2194": r"\leftrightarrow", "\u21d2": r"\Rightarrow", "\u21aa": r"\hookrightarrow",
    "\u2200": r"\forall",
    "\u2202": r"\partial", "\u2203": r"\exists", "\u2208": r"\in", "\u2211": r"\sum",
    "\u2212": "-", "\u221a": r"\surd", "\u221d": r"\propto", "\u221e": r"\infty",
    "\u2229": r"\cap", "\u222a": r"\cup", "\u2248": r"\approx", "\u2260": r"\neq",
    "\u2261": r"\equiv", "\u2264": r"\leq", "\u2265": r"\geq", "\u22c5": r"\cdot",
}  # fmt: skip
# The same in an outline, as far as ASCII can say it.
_PLAIN = {
    "\u00b1": "+/-", "\u00d7": "x", "\u2192": "->", "\u2212": "-", "\u2248": "~",
    "\u2264": "<=", "\u2265": ">=", "\u202f": " ", "\u2009": " ", "\u2122": " TM",
}  # fmt: skip
# Greek capitals that look like Latin ones have no command; the Latin letter is drawn.
_GREEK_CAPITALS = dict(
    zip("\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u03bf",
        "ABEZHIKMNOPTXo", strict=True)
)  # fmt: skip


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
    if character in _GREEK_CAPITALS:
        return rf"\mathrm{{{_GREEK_CAPITALS[character]}}}"
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
    plain = "".join(_PLAIN.get(c, c) for c in clean_prose(text))
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
