r"""Mathematics as tokens: LaTeX, Unicode, and what a PDF or a code block leaves of both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from reportgen.checking.numbers._digits import Digits, NumberStyle, digits_in, number_style
from reportgen.claims._math_words import CHARACTERS, DROPPED, GREEK, SIGNS, SILENT, STYLES

LONGEST = 4000
"""Characters of the longest text that is read as one equation."""


_ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class Token:
    """A number, a name, a sign.

    Attributes:
        kind: `number`, `name`, `unit`, `frac`, `sqrt`, `sum`, `label` (below a brace),
            `other` (not arithmetic), or the sign itself: `+ - * / ^ = ( ) { }`.
        text: As written; of a name, without markup; of a bracket, its kind.
        start: Where it begins.
        end: The position behind it.
        value: Of a number.
        subscript: Of a name.
        apart: White space stands before it.
        words: The name is text, not a letter of a formula.
    """

    kind: str
    text: str
    start: int
    end: int
    value: Decimal = _ZERO
    subscript: str = ""
    apart: bool = False
    words: bool = False


_COMMAND = re.compile(r"\\([A-Za-z]{1,30})\*?")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED_RUN = re.compile(r"⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}")
_HYPHENED = re.compile(r"[^\W\d_]{2,40}(?:-[^\W\d_]{2,40}){1,4}(?![\w(])")
# `8-headed` and `top-5` are words, `d-1` is a difference.
_HYPHEN = re.compile(r"(?:.?\d-[^\W\d_]{2}|[^\W\d_]{2}-\d)")
_NAME = re.compile(r"[^\W\d_][^\W_]{0,60}(?:(?:\\_|_)(?!\{)[^\W_]{1,40}){0,6}'?")
_SCIENCE = re.compile(r"[eE][-−+]?\d{1,3}(?![\w.])")
_MULTIPLIER = re.compile(
    r"(?:(?P<k>[kK])"
    r"|(?P<m>[ ~\u00a0]?M|[ ~]?[Mm]illions?"
    r"|(?:\\[,;]|~| )?\\(?:text|mathrm|mbox)\{\s?M(?:illions?)?\s?\})"
    r"|(?P<b>B|[ ~]?[Bb]illions?))(?![\w^])(?!\s[^\W\d_](?:[\s_^*]|$))"
)
_SIDE_ENDS = re.compile(r"\s{0,4}(?:$|[=≈.,;$&)]|\\\\|\\approx)")
_POWERS = {"k": 3, "m": 6, "b": 9}
_TIMES_X = re.compile(r"[xX](?![^\W\d_])\s{0,3}(?=[\d(\[{\\]|[^\W\d])|[xX](?=\d)")
_ARROW = re.compile(r"<=|>=|\+/[-−]|\+[-−](?=\s?\d)|=>|->")
_SPACE = re.compile(r"(?:[\s\u00a0\u2009\u202f~&#$]|\\[,;:! ]|\\\\(?:\[[^\]\n]{0,12}\])?|\\quad)+")


def tokens_of(
    text: str,
    style: NumberStyle | None = None,
    *,
    latex: bool | None = None,
    spans: Sequence[tuple[int, int]] | None = None,
    shift: int = 0,
) -> list[Token]:
    r"""Return the tokens of a piece of mathematics.

    Args:
        text: LaTeX or plain.
        style: How the report writes decimals; by default what the text shows.
        latex: Letters stand for themselves; by default what the text shows.
        spans: The parts of the text to read; by default all of it.
        shift: Where the text begins in that of its block.

    Example:
        >>> [t.text for t in tokens_of(r"4 \times \left[ d_{model}^2 + 32,000 x 512 \right]")]
        ['4', '*', '[', 'd', '^', '2', '+', '32,000', '*', '512', ']']
    """
    letters = is_latex(text) if latex is None else latex
    lexer = _Lexer(text, style or number_style(text), latex=letters, shift=shift)
    return lexer.run(spans or [(0, len(text))])


def is_latex(text: str) -> bool:
    """Say whether letters of a text stand for themselves, as LaTeX sets them."""
    return "\\" in text.replace("\\_", "").replace("\\%", "") or "_{" in text or "^{" in text


class _Lexer:
    """Walks over a text once."""

    def __init__(self, text: str, style: NumberStyle, *, latex: bool, shift: int) -> None:
        self.text, self.latex, self.shift = text, latex, shift
        self.digits: dict[int, Digits] = {d.start: d for d in digits_in(text, style)}
        self.found: list[Token] = []
        self.at = 0
        self.apart = False

    def run(self, spans: Sequence[tuple[int, int]]) -> list[Token]:
        """Return the tokens of the spans."""
        for start, end in spans:
            self.at, self.apart = start, False
            while self.at < end:
                space = _SPACE.match(self.text, self.at)
                if space:
                    self.at, self.apart = space.end(), True
                    continue
                self._next(self.text[self.at])
                self.apart = False
        return self.found

    def _add(
        self,
        kind: str,
        text: str,
        end: int,
        *,
        value: Decimal = _ZERO,
        subscript: str = "",
        words: bool = False,
    ) -> None:
        start, stop = self.at + self.shift, end + self.shift
        self.found.append(Token(kind, text, start, stop, value, subscript, self.apart, words))
        self.at = end

    def _next(self, char: str) -> None:
        raised = _RAISED_RUN.match(self.text, self.at)
        if char == "\\":
            self._command()
        elif raised:
            self._raise(raised)
        elif char.isdigit() or (char == "." and self.at in self.digits):
            self._number()
        elif char == "_":
            self._subscript()
        elif char.isalpha():
            self._word()
        elif self.text.startswith(("**", "==", ":="), self.at):
            kind = "^" if char == "*" else "="
            self._add(kind, kind, self.at + 2)
        elif match := _ARROW.match(self.text, self.at):
            self._add("other", match[0], match.end())
        elif not self.latex and self._is_punctuation(char):
            self._add("other", char, self.at + 1)
        else:
            self._add(CHARACTERS.get(char, "other") or char, char, self.at + 1)

    def _is_punctuation(self, char: str) -> bool:
        """Say whether a sign of plain text parts words: `8-headed`, `seed · group`, `void *p`."""
        behind = self.text[self.at + 1 : self.at + 2]
        if char == "-":
            return bool(_HYPHEN.match(self.text, max(0, self.at - 2)))
        if char == "*":
            return self.apart != behind.isspace() and behind[:1].isalpha() == self.apart
        if char not in "·⋅•":
            return False
        ahead = self.text[self.at + 1 : self.at + 4].lstrip()[:1]
        last = self.found[-1].kind if self.found else ""
        return last not in {"number", ")"} and not ahead.isdigit() and ahead != "("

    def _raise(self, run: re.Match[str]) -> None:
        value = Decimal(run[0].translate(_RAISED))
        self._add("^", "^", self.at)
        self._add("number", run[0], run.end(), value=value)

    def _number(self) -> None:
        digits = self.digits.get(self.at)
        if digits is None or len(digits.value) > 28:
            end = self.at + 1
            while end < len(self.text) and self.text[end].isdigit():
                end += 1
            self._add("other", self.text[self.at : end], end)
            return
        value, end = Decimal(digits.value), digits.end
        science = _SCIENCE.match(self.text, end)
        times = _MULTIPLIER.match(self.text, end)
        if science:
            value, end = value.scaleb(int(science[0][1:].replace("−", "-"))), science.end()
        elif times and (not self.latex or self._is_scaled(digits.value, times)):
            value, end = value.scaleb(_POWERS[times.lastgroup or "k"]), times.end()
        self._add("number", self.text[self.at : end], end, value=value)

    def _is_scaled(self, digits: str, times: re.Match[str]) -> bool:
        """Say whether a letter behind a number in LaTeX stands for millions: it ends the side."""
        ends = _SIDE_ENDS.match(self.text, times.end())
        return "." in digits or len(times[0]) > 1 or ends is not None

    def _word(self) -> None:
        times = _TIMES_X.match(self.text, self.at)
        last = self.found[-1] if self.found else None
        named = last is not None and last.kind == "name"
        ended = last is not None and (
            last.kind in {"number", ")", "}", "unit"}
            or (named and self.apart and (last.words or not self.latex))
        )
        if times and ended:
            self._add("*", "*", self.at + 1)
            return
        match = None if self.latex else _HYPHENED.match(self.text, self.at)
        match = match or _NAME.match(self.text, self.at)
        if match is None:
            self._add("other", self.text[self.at], self.at + 1)
            return
        # `3x512` and `512x(`: letters behind a digit end before the next digit.
        if match[0] == "sqrt" and self.text.startswith("(", match.end()):
            self._add("sqrt", "sqrt", match.end())
            return
        name, _, below = match[0].replace("\\_", "_").partition("_")
        words = self.text[match.end() : match.end() + 2]
        apart = len(words) == 2 and words[0].isspace() and words[1].isalpha()
        if self.latex and len(name) == 2 and name.isalpha() and not apart:
            # `Nd_{model}` and `hd_v` are products of two letters, `Nb of` is two words.
            self._add("name", name[0], self.at + 1)
            self.apart, name = False, name[1]
        self._add("name", name, match.end(), subscript=below)

    def _subscript(self) -> None:
        body, end = self._argument(self.at + 1)
        kinds = [token.kind for token in self.found[-5:]]
        back = 0
        if kinds[-1:] == ["name"]:
            back = 1
        elif kinds[-3:] == ["name", "^", "number"]:  # `d^2_{model}`
            back = 3
        elif kinds == ["name", "^", "{", "number", "}"]:
            back = 5
        if back and not self.found[-back].subscript:
            name = replace(self.found[-back], subscript=plain_words(body))
            self.found[-back] = replace(name, end=end + self.shift) if back == 1 else name
            self.at = end
        else:
            self._add("label", body, end)

    def _argument(self, at: int) -> tuple[str, int]:
        """Return what stands in braces at a position, or the one character there, and its end."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        if not self.text.startswith("{", at):
            command = _COMMAND.match(self.text, at)
            return (command[0], command.end()) if command else (self.text[at : at + 1], at + 1)
        depth, end = 1, at + 1
        while end < len(self.text) and depth:
            depth += {"{": 1, "}": -1}.get(self.text[end], 0)
            end += 1
        return self.text[at + 1 : end - (depth == 0)], end

    def _command(self) -> None:
        match = _COMMAND.match(self.text, self.at)
        if match is None:
            mark = self.text[self.at + 1 : self.at + 2]
            kinds = {"%": "unit", "{": "(", "}": ")", "_": "other", "[": "other", "]": "other"}
            kind = kinds.get(mark, "other")
            self._add(kind, kind if kind in "()" else mark, self.at + 2)
            return
        name, end = match[1], match.end()
        if name in SILENT:
            # `\left.` and `\right.` are brackets that are not shown.
            hidden = name in {"left", "right"} and self.text.startswith(".", end)
            self.at = end + hidden
        elif name in DROPPED:
            self.at = self._argument(end)[1]
        elif name in STYLES:
            self._styled(end)
        elif name in SIGNS:
            self._add(SIGNS[name], {"lbrack": "[", "rbrack": "]"}.get(name, SIGNS[name]), end)
        elif name in GREEK:
            self._add("name", name, end)
        else:
            self._add("other", name, end)

    def _styled(self, end: int) -> None:
        body, stop = self._argument(end)
        words = plain_words(body)
        if any(char.isalpha() for char in words):
            self._add("name", words, stop, words=True)
            return
        # A number in bold stays a number: the braces around it are dropped later.
        self.at = end


def plain_words(text: str) -> str:
    r"""Return a name without markup.

    Example:
        >>> plain_words(r"\text{sentence\_size} ")
        'sentence_size'
    """
    bare = re.sub(r"\\(?:[A-Za-z]{1,20}|[,;:! ])|[{}$~]", " ", text.replace("\\_", "_"))
    return " ".join(bare.split())
