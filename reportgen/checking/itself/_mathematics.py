"""Printed mathematics as tokens, and what printed calculations come to, within their rounding."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from reportgen.checking.numbers import NumberStyle, digits_in, find_numbers
from reportgen.records.record import record, replace

# Printed mathematics as tokens: LaTeX, Unicode, and what a PDF or a listing leaves of both.

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


# What printed calculations come to: exactly, and within the rounding of their numbers.

_MOST_BITS = 1000
_DEEPEST = 40
_CLOSERS = {"(": ")", "{": "}"}
_SHAPES = {"(": ")", "[": "]", "{": "}"}
_STARTS = frozenset(("number", "(", "{", "frac", "sqrt"))
OPERATORS = frozenset("+-*/")


class MathError(ValueError):
    """The tokens are no arithmetic that can be read."""


@record(kw_only=False)
class Value:
    """What a calculation comes to.

    Attributes:
        exact: Of the numbers as they are printed.
        low: At least, where each decimal stands for its interval.
        high: At most.
        divided: It divides or takes a root, so that whole results may be cut off or rounded up.
    """

    exact: Fraction
    low: Fraction
    high: Fraction
    divided: bool = False

    def scaled(self, factor: Fraction) -> Value:
        """Return it times a positive factor."""
        return Value(self.exact * factor, self.low * factor, self.high * factor, self.divided)


def evaluate(tokens: Sequence[Token]) -> tuple[Value, ...]:
    """Return what some tokens come to; also where `a / b c` divides by both; nothing if not."""
    found: dict[Fraction, Value] = {}
    for tight in (False, True):
        parser = Parser(tokens, tight=tight)
        try:
            value = parser.sum(0)
        except MathError:
            continue
        if all(token.kind == "name" for token in tokens[parser.at :]):
            found.setdefault(value.exact, value)
    return tuple(found.values())


class Parser:
    """Recursive descent: it stops, at `at`, where arithmetic ends.

    It knows whether something is `computed`, whether `words` stand between its numbers, and whether
    it is `mended`: a bracket is missing, or not seen.
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        at: int = 0,
        stop: int | None = None,
        factors: Collection[str] = (),
        *,
        tight: bool = False,
    ) -> None:
        self.tokens, self.at, self.factors, self.tight = tokens, at, factors, tight
        self.stop = len(tokens) if stop is None else stop
        self.words = self.computed = self.mended = False

    def kind(self, at: int) -> str:
        """Return the kind of a token, or nothing at the end."""
        return self.tokens[at].kind if at < self.stop else ""

    def starts(self, at: int) -> bool:
        """Say whether an operand begins at a position."""
        return self.kind(at + (self.kind(at) == "-")) in _STARTS

    def operator(self, signs: str) -> str:
        """Pass an operator with an operand behind it, and return it; else nothing."""
        kind = self.kind(self.at)
        if not kind or kind not in signs:
            return ""
        if not self.starts(self.at + 1):
            if kind in "*+" and self.kind(self.at + 1) == "name":
                raise MathError("a name stands for a number")
            return ""
        self.at += 1
        self.computed = True
        return kind

    def sum(self, depth: int) -> Value:
        """Read terms that are added and subtracted."""
        if depth > _DEEPEST:
            raise MathError("its brackets nest too deep")
        sign = self.kind(self.at) if self.kind(self.at) in {"+", "-"} else ""
        self.at += bool(sign)
        total = self.term(depth)
        total = _negative(total) if sign == "-" else total
        while sign := self.operator("+-"):
            part = self.term(depth)
            part = _negative(part) if sign == "-" else part
            ends = total.low + part.low, total.high + part.high
            total = Value(total.exact + part.exact, *ends, total.divided or part.divided)
        return total

    def term(self, depth: int) -> Value:
        """Read factors that are multiplied and divided."""
        value = self.factor(depth)
        below = False
        while True:
            start, computed = self.at, self.computed
            if sign := self.operator("*/"):
                below = sign == "/"
                other = self.factor(depth)
            elif self.kind(start) in _STARTS - {"number"}:
                below = below and self.tight  # side by side: a product
                other = self._beside(depth)
                if self.at == start:
                    self.computed = computed
                    return value
                self.computed = True
            else:
                return value
            value = _product(value, _inverse(other) if below else other)

    def _beside(self, depth: int) -> Value:
        """Read a factor without a sign; none in `= 6 (3 + 3)` and `= 6 (as expected)`."""
        start, apart = self.at, self.tokens[self.at].apart
        try:
            other = self.factor(depth)
        except MathError:
            if not apart:
                raise
            self.at, other = start, Value(Fraction(1), Fraction(1), Fraction(1))
        if apart and self.kind(self.at) not in {*"+-*/)}", ""}:
            self.at = start
        return other

    def factor(self, depth: int) -> Value:
        """Read one factor with its sign, its exponent and the words that say what it counts."""
        negative = self.kind(self.at) == "-"
        self.at += negative
        start, braced = self.at, self.kind(self.at) == "{"
        value = self.primary(depth)
        # Readers do not see braces: `2 {3 + 4}` may be either.
        self.mended |= braced and any(t.kind in {"+", "-"} for t in self.tokens[start : self.at])
        if self.kind(self.at) == "^":
            self.at += 1
            self.computed = True
            value = _power(value, self._exponent())
        self._pass_words()
        return _negative(value) if negative else value

    def _pass_words(self) -> None:
        """Pass a percent sign, and words with arithmetic behind them: `4 layers × 512`."""
        while self.kind(self.at) == "unit":
            self.at += 1
        at = self.at
        while self.kind(at) in {"name", "unit"}:
            at += 1
        if at == self.at:
            return
        name = self.tokens[self.at]
        plain = len(name.text) > 1 and not name.text.endswith("_") and (name.apart or name.words)
        if not plain or (name.text.casefold() in self.factors and not name.words):
            last = at == self.stop or self.kind(at) in {"other", "row"}
            if not (last and len(name.text) > 1):  # `474MiB` ends a side
                raise MathError("a name stands for a number")
        if self.kind(at) in {"+", "*", "/"} and self.starts(at + 1):
            self.at, self.words = at, True
        elif self.kind(at) == ")":
            self.at = at

    def _exponent(self) -> int:
        wrapped = self.kind(self.at) in _CLOSERS
        self.at += wrapped
        sign = -1 if self.kind(self.at) == "-" else 1
        self.at += sign < 0
        token = self.tokens[self.at] if self.at < self.stop else None
        closed = not wrapped or self.kind(self.at + 1) in _CLOSERS.values()
        if token is None or token.kind != "number" or token.value % 1 or not closed:
            raise MathError("an exponent is no whole number")
        self.at += 1 + wrapped
        return sign * int(token.value)

    def primary(self, depth: int) -> Value:
        """Read a number, a bracket, a fraction or a root."""
        if self.kind(self.at) not in _STARTS:
            raise MathError("no number stands where one is due")
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "number":
            half = Fraction(bool(token.decimals), 2) / Fraction(10) ** token.decimals
            return Value(token.value, token.value - half, token.value + half)
        if token.kind in _CLOSERS:
            inner = self.sum(depth + 1)
            if self.kind(self.at) != _CLOSERS[token.kind]:
                raise MathError("a bracket does not close")
            # `[2 × (3 + 4]`: the round one is closed by the square one too.
            closed = self.tokens[self.at].text == _SHAPES.get(token.text, ")")
            self.mended |= not closed
            self.at += closed
            return inner
        self.computed = True
        if token.kind == "frac":
            above = self.primary(depth + 1)
            return _product(above, _inverse(self.primary(depth + 1)))
        inner = self.primary(depth + 1)
        low = _root(max(inner.low, Fraction(0)))
        return Value(_root(inner.exact), low, _root(inner.high), divided=True)


def _negative(value: Value) -> Value:
    return Value(-value.exact, -value.high, -value.low, value.divided)


def _product(left: Value, right: Value) -> Value:
    exact = left.exact * right.exact
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) > _MOST_BITS:
        raise MathError("it is too large to compute")
    ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return Value(exact, min(ends), max(ends), left.divided or right.divided)


def _inverse(value: Value) -> Value:
    if value.exact == 0 or value.low <= 0 <= value.high:
        raise MathError("it may divide by nought")
    return Value(1 / value.exact, 1 / value.high, 1 / value.low, divided=True)


def _power(base: Value, exponent: int) -> Value:
    bits = max(base.exact.numerator.bit_length(), base.exact.denominator.bit_length())
    if bits * abs(exponent) > _MOST_BITS or exponent > _MOST_BITS:
        raise MathError("it is too large to compute")
    if exponent < 0:
        return _power(_inverse(base), -exponent)
    ends = sorted((base.low**exponent, base.high**exponent))
    crossed = exponent % 2 == 0 and base.low < 0 < base.high
    return Value(base.exact**exponent, Fraction(0) if crossed else ends[0], ends[1], base.divided)


def _root(value: Fraction) -> Fraction:
    """Return a square root to thirty decimals, exactly where it is a fraction."""
    if value < 0:
        raise MathError("it takes the root of a negative number")
    shift = 10**30
    return Fraction(
        isqrt(value.numerator * value.denominator * shift**2), value.denominator * shift
    )


def factors_of(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the names that stand for numbers: those at a sign of arithmetic or equality."""
    for index, token in enumerate(tokens):
        if token.kind != "name":
            continue
        behind = tokens[index + 1].kind if index + 1 < len(tokens) else ""
        before = tokens[index - 1].kind if index else ""
        if before in {"*", "/", "^"} or (behind in {"=", "^", "*"} and before != "number"):
            yield token.text.casefold()
