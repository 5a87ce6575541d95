"""LaTeX and Typst spelling of text, never read as a command; and characters that fonts lack."""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from reportgen.render._escape import (
    CHARACTERS,
    LISTING_WIDTH,
    breakable,
    clean,
    clean_prose,
    listing_lines,
)
from reportgen.render._numbering import anchor_of
from reportgen.render._spelling import NO_BREAK_SPACE

# Characters that the fonts of an engine lack: fonts of this machine that have them, and words.

_CODE_POINT = re.compile(r"\[U\+([0-9A-F]{4,6})\]")
_SECONDS = 10
_MOST = 100
"""Characters that fonts are looked for; of a stranger's report there may be any number."""
_MOST_NAMED = 8
_lent: ContextVar[frozenset[str]] = ContextVar("lent", default=frozenset())


def code_point(character: str) -> str:
    r"""Return how a character that the fonts lack is printed.

    Example:
        >>> code_point("\u65e5")
        '[U+65E5]'
    """
    return f"[U+{ord(character):04X}]"


def lacking(source: str) -> frozenset[str]:
    r"""Return the characters that a source names by their code points, none of them ASCII.

    Example:
        >>> lacking("a [U+65E5] [U+0022]") == frozenset("\u65e5")
        True
    """
    codes = {int(code, 16) for code in _CODE_POINT.findall(source)}
    return frozenset(chr(code) for code in codes if 0x7F < code < 0x110000)


def lent() -> frozenset[str]:
    """Return the characters that a font of this machine draws in the source being written."""
    return _lent.get()


@contextmanager
def lending(characters: frozenset[str]) -> Iterator[None]:
    """Write characters as they are inside a `with` block, for fonts of this machine have them."""
    token = _lent.set(characters)
    try:
        yield
    finally:
        _lent.reset(token)


@lru_cache(maxsize=64)
def fonts_with(characters: frozenset[str]) -> dict[str, str]:
    """Return characters to the file of a font that has them; those that none has are left out.

    One font that has them all comes before several that have some. Without fontconfig none is
    found.
    """
    asked = sorted(characters)[:_MOST]
    every = _file_with(asked)
    if every:
        return dict.fromkeys(asked, every)
    found = {character: _file_with([character]) for character in asked} if len(asked) > 1 else {}
    return {character: file for character, file in found.items() if file}


def _file_with(characters: list[str]) -> str:
    """Return the first font, by name, that has some characters; nothing where there is none."""
    program = shutil.which("fc-list")
    if program is None or not characters:
        return ""
    wanted = ":charset=" + " ".join(f"{ord(character):x}" for character in characters)
    try:
        listed = subprocess.run(  # noqa: S603 - a fixed program, no shell
            [program, "--format", "%{style}\t%{file}\n", wanted],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = sorted(listed.stdout.decode("utf-8", "replace").splitlines())
    files = [line.rpartition("\t")[2] for line in lines if "\t" in line]
    upright = [file for file in files if "Regular" in file or file.endswith("Sans.ttf")]
    return next(iter((*upright, *files)), "")


def warn_of(characters: frozenset[str]) -> tuple[str, ...]:
    r"""Return what is said of characters that are printed as code points: one warning, or none.

    Example:
        >>> warn_of(frozenset("\u65e5"))[0].partition(":")[0]
        'the pages print code points for 日 (U+65E5)'
    """
    if not characters:
        return ()
    order = sorted(characters)
    named = ", ".join(f"{one} (U+{ord(one):04X})" for one in order[:_MOST_NAMED])
    more = f" and {len(order) - _MOST_NAMED} more" if len(order) > _MOST_NAMED else ""
    why = "their fonts lack them; remedy: install a font that has them, for --engine typst"
    return (f"the pages print code points for {named}{more}: {why}",)


# LaTeX spelling of text: no character of a stranger's is ever read as a command.


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


def drawable_latex(text: str) -> str:
    """Return text with the code point of every character that has no spelling."""
    return "".join(code_point(c) if _spell(c) == code_point(c) else c for c in text)


def spell(text: str) -> str:
    """Return clean text in LaTeX, without places to break."""
    return "".join(
        _spell(character) + ("{}" if character == following and character in _LIGATURES else "")
        for character, following in zip(text, f"{text[1:]} ", strict=False)
    )


def escape_latex(text: str) -> str:
    r"""Return running text in LaTeX.

    Example:
        >>> print(escape_latex("50% of \\input{x} don't"))
        50\% of \textbackslash{}input\{x\} don\textquoteright{}t
    """
    return r"\allowbreak{}".join(
        spell(piece) for piece in breakable(drawable_latex(clean_prose(text)))
    )


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
    printed, outline = escape_latex(text), escape_outline(text)
    return printed if printed == outline else rf"\texorpdfstring{{{printed}}}{{{outline}}}"


def escape_code_latex(text: str) -> str:
    r"""Return text in typewriter face, with places where a line may end.

    Example:
        >>> print(escape_code_latex("eval_loss"))
        \texttt{eval\_loss}
    """
    pieces = r"\allowbreak{}".join(spell(piece) for piece in breakable(drawable_latex(clean(text))))
    return rf"\texttt{{{pieces}}}"


def escape_listing_latex(text: str, letters: int = LISTING_WIDTH) -> tuple[str, ...]:
    """Return verbatim lines; their spaces do not stretch and are not dropped."""
    return tuple(spell(line.replace(" ", NO_BREAK_SPACE)) for line in listing_lines(text, letters))


def name_number(identifier: str, spelled: str) -> str:
    r"""Return a printed number in a command that leaves the number and drops the id.

    Example:
        >>> print(name_number("best_step.a b.0.report_value", r"79.5\%"))
        \rgnum{best_step.a-20-b.0.report_value}{79.5\%}
    """
    return rf"\rgnum{{{anchor_of(identifier)}}}{{{spelled}}}" if identifier else spelled


# Typst spelling of text: always a string in code mode, never markup.
#
# A string cannot be read as markup, whatever it holds; only the quote and the backslash have
# to be written otherwise.

_UNDRAWN = re.compile(
    f"[^{''.join(f'{chr(low)}-{chr(high)}' for low, high in CHARACTERS['typst']['drawn'])}]"
)


def drawable_typst(text: str) -> str:
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
    escaped = drawable_typst(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def escape_typst(text: str) -> str:
    """Return running text for a place where markup is read.

    Example:
        >>> print(escape_typst("[a] *b*"))
        #"[a] *b*";
    """
    return "#box();".join(
        f"#{quote(piece)};" for piece in breakable(drawable_typst(clean_prose(text)))
    )


def escape_code_typst(text: str) -> str:
    """Return text in typewriter face, with places where a line may end.

    Example:
        >>> print(escape_code_typst("eval/accuracy"))
        #code("eval/accuracy");
    """
    pieces = ", ".join(quote(piece) for piece in breakable(drawable_typst(clean(text))))
    return f"#code({pieces});"


def escape_listing_typst(text: str, letters: int = LISTING_WIDTH) -> tuple[str, ...]:
    """Return verbatim lines, each a string literal."""
    return tuple(quote(line) for line in listing_lines(text, letters))
