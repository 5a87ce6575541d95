r"""Printed mathematics as tokens: LaTeX, Unicode, and what a PDF or a listing leaves of both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from reportgen.checking.numbers import NumberStyle, digits_in, find_numbers
from reportgen.records.record import record, replace

_ZERO = Fraction(0)
_COMMAND = re.compile(r"\\([A-Za-z]{1,30})\*?")
_SPACE = re.compile(r"(?:[\s\u00a0\u2009\u202f~&$\u200b]|\\[,;:! ]|\\q?quad(?![A-Za-z]))+")
_ROW = re.compile(r"\\\\(?:\[[^\]\n]{0,12}\])?")
_NAME = re.compile(r"[^\W\d_][^\W_]{0,60}(?:(?:\\_|[_'’-])[^\W_]{1,40}){0,6}")
_RAISED = re.compile(r"⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}")
_RAISED_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_NO_SIGN = re.compile(r"<=|>=|!=|\+/[-−]|\+[-−](?=\s?\d)|=>|->|={3,}|-{2,}|_{2,}")
_TIMES = re.compile(r"[xX]\s{0,3}(?=[\d(\[{\\])")
_SIGNS = {
    **dict.fromkeys(("times", "cdot", "ast", "star"), "*"),
    **dict.fromkeys(("approx", "simeq", "equiv", "cong"), "="),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), "frac"),
    **dict.fromkeys(("lbrack", "lbrace"), "("),
    **dict.fromkeys(("rbrack", "rbrace"), ")"),
    "div": "/",
    "sqrt": "sqrt",
}
_SILENT = frozenset(
    """left right displaystyle textstyle limits nonumber boxed underbrace overbrace underline num
    big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr bf rm it sf tt
    thinspace""".split()  # noqa: SIM905
)
_STYLES = frozenset(
    """text mbox mathrm mathbf mathit mathsf mathtt textbf textit textrm texttt textsf emph
    operatorname unit""".split()  # noqa: SIM905
)
_WORDS = frozenset(
    ("pm", "in", "to", "and", "ldots", "dots", "ne", "leq", "geq", "le", "ge", "item")
)
_DROPPED = frozenset(("tag", "label", "hspace", "vspace", "color", "ref", "eqref"))
_CHARACTERS = {
    **dict.fromkeys("×·⋅\u2217*•", "*"),
    **dict.fromkeys("-−–", "-"),
    **dict.fromkeys("≈≃≅=", "="),
    **dict.fromkeys("/÷", "/"),
    **dict.fromkeys("([", "("),
    **dict.fromkeys(")]", ")"),
    **dict.fromkeys("+^{}", ""),
    "√": "sqrt",
    "%": "unit",
}
_OPEN = frozenset("+-*/=^")
_GOES_ON = frozenset("=+*/")
_LONGEST = 400
ABOUT = frozenset(("≈", "≃", "≅", "approx", "simeq", "cong"))
"""Signs behind which a number is rounded."""


@record(kw_only=False)
class Token:
    """A number, a name, a sign.

    Attributes:
        kind: `number`, `name`, `unit` (a percent sign), `frac`, `sqrt`, `row` (an end of a
            line), `other`, or the sign itself: `+ - * / ^ = ( ) { }`.
        text: As written from `start` to `end`; of a name, without markup.
        value: Of a number.
        decimals: Of a number: digits behind the point; negative for millions.
        apart: White space stands before it.
        words: The name is text, no letter of a formula.
    """

    kind: str
    text: str
    start: int
    end: int
    value: Fraction = _ZERO
    decimals: int = 0
    apart: bool = False
    words: bool = False


MOST_KEPT = 2_000
"""Letters of a text that is kept for other reports that say the same."""


def tokens_of(text: str, style: NumberStyle, *, rows: bool = False) -> tuple[Token, ...]:
    """Return the tokens of a text; with `rows`, the end of a line ends a calculation."""
    read = _kept_tokens if len(text) <= MOST_KEPT else _kept_tokens.__wrapped__
    return read(text, style, rows)


@lru_cache(maxsize=128)
def _kept_tokens(text: str, style: NumberStyle, rows: bool) -> tuple[Token, ...]:
    return tuple(_Lexer(text, style, rows=rows).run())


class _Lexer:
    """Walks over a text once."""

    def __init__(self, text: str, style: NumberStyle, *, rows: bool) -> None:
        self.text, self.rows = text, rows
        self.numbers: dict[int, tuple[Fraction, int, int]] = {}
        for digits in digits_in(text, style):
            decimals = len(digits.value.partition(".")[2])
            if len(digits.value) <= 40:
                self.numbers[digits.start] = (Fraction(digits.value), decimals, digits.end)
        for one in find_numbers(text, style):
            if not one.word:
                start = one.start + (text[one.start] in "+-−–")
                self.numbers[start] = (abs(Fraction(one.value)), one.decimals, one.end)
        self.found: list[Token] = []
        self.at = 0
        self.apart = self.cases = False

    def run(self) -> list[Token]:
        """Return the tokens."""
        while self.at < len(self.text):
            row = _ROW.match(self.text, self.at)
            space = None if row else _SPACE.match(self.text, self.at)
            if space and not (self.rows and "\n" in space[0]):
                self.at, self.apart = space.end(), True
            elif end := row or space:
                self._add("other" if self.cases else "row", "", end.end())
                self.apart = True
            else:
                self._next(self.text[self.at])
                self.apart = False
        return _joined_rows(self.found)

    def _add(self, kind: str, text: str, end: int, **more: Any) -> None:
        self.found.append(Token(kind, text, self.at, end, apart=self.apart, **more))
        self.at = end

    def _next(self, char: str) -> None:
        if char == "\\":
            self._command()
        elif raised := _RAISED.match(self.text, self.at):
            self._add("^", "^", self.at)
            value = Fraction(int(raised[0].translate(_RAISED_DIGITS)))
            self._add("number", raised[0], raised.end(), value=value)
        elif self.at in self.numbers:
            value, decimals, end = self.numbers[self.at]
            text = self.text[self.at : end]
            self._add("number", text, end, value=value, decimals=decimals)
        elif char == "_":
            self._subscript()
        elif char.isalpha():
            self._word()
        elif match := _NO_SIGN.match(self.text, self.at):
            self._add("other", match[0], match.end())
        elif self.text.startswith(("**", "==", ":="), self.at):
            self._add("^" if char == "*" else "=", self.text[self.at : self.at + 2], self.at + 2)
        else:
            self._add(_CHARACTERS.get(char, "other") or char, char, self.at + 1)

    def _word(self) -> None:
        last = self.found[-1] if self.found else None
        ended = last is not None and (
            last.kind in {"number", ")", "}", "unit"} or (last.kind == "name" and self.apart)
        )
        if ended and _TIMES.match(self.text, self.at):
            self._add("*", "*", self.at + 1)
            return
        match = _NAME.match(self.text, self.at)
        name = match[0] if match else self.text[self.at]
        kind = "sqrt" if name == "sqrt" else "name" if match else "other"
        self._add(kind, name, self.at + len(name))

    def _subscript(self) -> None:
        """Hang a subscript on the name before it; a label below a brace is dropped."""
        end = self._argument(self.at + 1)[1]
        if self.found and self.found[-1].kind == "name":
            name = self.found[-1]
            self.found[-1] = replace(name, text=f"{name.text}_", end=end)
        elif not self.found or self.found[-1].kind not in {"}", ")"}:
            self._add("other", "_", end)
        self.at = end

    def _argument(self, at: int) -> tuple[str, int]:
        """Return what stands in braces at a position, or the one character there, and its end."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        if not self.text.startswith("{", at):
            command = _COMMAND.match(self.text, at)
            return (command[0], command.end()) if command else (self.text[at : at + 1], at + 1)
        depth, end = 1, at + 1
        while end < min(len(self.text), at + _LONGEST) and depth:
            depth += {"{": 1, "}": -1}.get(self.text[end], 0)
            end += 1
        return self.text[at + 1 : end - (depth == 0)], end

    def _command(self) -> None:
        match = _COMMAND.match(self.text, self.at)
        if match is None:
            mark = self.text[self.at + 1 : self.at + 2]
            kinds = {"%": "unit", "{": "(", "}": ")"}
            kind = kinds.get(mark, "other")
            self._add(kind, kind if kind in "()" else mark, min(self.at + 2, len(self.text)))
            return
        name, end = match[1], match.end()
        if name in _SILENT:
            hidden = name in {"left", "right"} and self.text.startswith(".", end)
            self.at, self.apart = end + hidden, False
        elif name in _DROPPED:
            self.at = self._argument(end)[1]
        elif name in {"begin", "end"}:
            # Each row of `cases` stands for itself, whatever sign it begins with.
            self.cases = name == "begin" and "cases" in self._argument(end)[0]
            self._add("row", "", self._argument(end)[1])
        elif name in _STYLES:
            body, stop = self._argument(end)
            if any(map(str.isdigit, body)):
                self.at = end  # a number in bold stays a number
            else:
                text = " ".join(re.sub(r"[\\{}~_]", " ", body).split())
                self._add("name", text, stop, words=True)
        elif name in _SIGNS:
            self._add(_SIGNS[name], name if name in ABOUT else _SIGNS[name], end)
        else:
            self._add("other" if name in _WORDS else "name", f"{name}_", end)


def _joined_rows(tokens: Sequence[Token]) -> list[Token]:
    """Drop the ends of lines over which a calculation goes on: at a sign, or in brackets."""
    kept: list[Token] = []
    depth = 0
    for index, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token.kind, 0)
        near = (t for t in tokens[index + 1 : index + 9] if t.kind != "row")
        ahead = next(near, token) if token.kind == "row" else token
        goes_on = depth > 0 or (kept and kept[-1].kind in _OPEN) or ahead.kind in _GOES_ON
        if token.kind != "row" or not (goes_on or (ahead.kind == "-" and ahead.text != "-")):
            kept.append(token)
    return kept
