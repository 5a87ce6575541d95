r"""A block's text without the spelling of LaTeX, whose characters know where they stood.

Names and values are told in many costumes, `$d_{model}=512$`, `lora\_alpha=32`, "query_key_value"
in curly quotes. They are taken off once, so that the vocabularies need one spelling of each word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reportgen.checking.numbers._kept import kept

_GREEK = {
    "alpha": "α",
    "beta": "β",
    "delta": "δ",
    "Delta": "Δ",
    "epsilon": "ε",
    "varepsilon": "ε",
    "eta": "η",
    "lambda": "λ",
    "sigma": "σ",
    "theta": "θ",
}
_SIGNS = {
    **_GREEK,
    "times": "×",
    "cdot": "×",
    "ast": "×",
    "in": "∈",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "approx": "≈",
    "simeq": "≈",
    "sim": "≈",
    "pm": "±",
    "to": "→",
    "rightarrow": "→",
    "div": "/",
    "sqrt": "√",
    "ldots": "…",
    "dots": "…",
    "cdots": "…",
    "quad": " ",
    "qquad": " ",
}
_ESCAPED = {"_": "_", "%": "%", "#": "#", "&": "&", "$": "$", "{": "{", "}": "}", "\\": " "}
_SPACES = {",": "\u202f", ";": " ", ":": " ", " ": " ", "!": ""}
_QUOTES = {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'"}
_PIECE = re.compile(
    r"(?P<parted>(?<=[^\W\d_]{2})-[ \t]?\r?\n(?=[a-zà-ÿ]{2}))"
    r"|\\(?:begin|end)\s?\{[a-z]{1,20}\*?\}|\\([A-Za-z]+)([ \t]?)|\\(.)|(``|'')|(\{,\})"
    r"|([{}$`&\n\r\t~])|([“”„«»’‘])"
    r"|\^\{([-−+]?\d{1,3})\}",
    re.DOTALL,
)


_WHOLE = re.compile(
    r"(?<![^\W\d_])(?:fine|self|well|best|low|high|feed|warm|cross|large|small|long|short|hand|head"
    r"|layer|token|word|task|step|mini|full|half|over|non|state|end|three|two|four|five|best|per"
    r"|sous|demi|peut|celui|celle|ceux|celles|moyen|vice)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Plain:
    """Text that is easy to read, and where each of its characters stood.

    Attributes:
        text: Without braces, dollars and commands; line ends are spaces.
        places: Of each character, its index in the block's text; one more for the end.
    """

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]` stood in the block's text."""
        if end <= start:
            return self.places[start], self.places[start]
        return self.places[start], self.places[end - 1] + 1


class _Writer:
    """Characters with their places, and the braces that are open."""

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.places: list[int] = []
        self.braces: list[str] = []
        self.fractions = 0

    def write(self, text: str, place: int) -> None:
        self.characters += text
        self.places += [place] * len(text)

    def open(self, place: int) -> None:
        """Take a brace off; an exponent's becomes a bracket, a fraction's is remembered."""
        before = self.characters[-1] if self.characters else ""
        kind = "^" if before == "^" else "fraction" if self.fractions else ""
        if kind == "fraction":
            self.fractions -= 1
        self.braces.append(kind)
        if kind == "^":
            self.write("(", place)

    def close(self, place: int) -> None:
        """Take a closing brace off; between the parts of a fraction stands a slash."""
        kind = self.braces.pop() if self.braces else ""
        if kind:
            self.write(")" if kind == "^" else "/", place)


@kept
def plain(text: str) -> Plain:
    r"""Return the text without LaTeX's spelling.

    Example:
        >>> text = r"$max_{a\_size}=258$, $\frac{\alpha}{r}$, $W \in \mathbb{R}^{d \times k}$"
        >>> plain(text).text
        'max_a_size=258, α/r, W ∈ R^(d × k)'
        >>> read = plain("the “rank” is `r` = 16")
        >>> read.text, read.span(18, 20)
        ('the "rank" is r = 16', (20, 22))
    """
    out = _Writer()
    position = 0
    for match in _PIECE.finditer(text):
        for index in range(position, match.start()):
            out.write(text[index], index)
        _take(out, match)
        position = match.end()
    for index in range(position, len(text)):
        out.write(text[index], index)
    return Plain("".join(out.characters), (*out.places, len(text)))


def _take(out: _Writer, match: re.Match[str]) -> None:
    """Write what a piece of markup stands for."""
    parted, command, blank, escaped, pair, comma, sign, quote, power = match.groups()
    place = match.start()
    if parted:
        # A word is parted at the end of its line; `fine-` and its like end a word themselves.
        out.write("-" if _WHOLE.search("".join(out.characters[-12:])) else "", place)
        return
    if command:
        if command in {"frac", "dfrac", "tfrac"}:
            out.fractions += 1
        out.write(_SIGNS.get(command, "") + blank, place)
    elif escaped:
        out.write(_ESCAPED.get(escaped, _SPACES.get(escaped, "")), place)
    elif comma:
        out.write(",", place)
    elif power:
        out.write("^", place)
        for index, character in enumerate(power, place + 2):
            out.write(character, index)
    elif pair or quote:
        out.write(_QUOTES.get(quote or "“", '"'), place)
    elif sign == "{":
        out.open(place)
    elif sign == "}":
        out.close(place)
    elif sign not in {"$", "`"}:
        out.write(" ", place)
