"""What printed calculations come to: exactly, and within the rounding of their numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import isqrt

from reportgen.checking.itself._tokens import Token
from reportgen.records.record import record

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
