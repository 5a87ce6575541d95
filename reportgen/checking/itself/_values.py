"""What printed calculations come to: exactly, and within the rounding of their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from reportgen.checking.itself._tokens import Token

_MOST_BITS = 4096
_DEEPEST = 40
_OPENERS = frozenset("({")
CLOSERS = {"(": ")", "{": "}"}
OPERATORS = frozenset("+-*/")


class MathError(ValueError):
    """The tokens are no arithmetic that can be read."""


@dataclass(frozen=True, slots=True)
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
    """Return what some tokens come to under each way to read them, the literal one first.

    What stands over a brace is a group or not, and `a / b c` may divide by both.

    Raises:
        MathError: They are no arithmetic.

    Example:
        >>> from reportgen.checking.itself._tokens import tokens_of
        >>> from reportgen.checking.numbers import NumberStyle
        >>> [int(v.exact) for v in evaluate(tokens_of("2 (3 + 4) / 7", NumberStyle()))]
        [2]
    """
    found: dict[Fraction, Value] = {}
    fault: MathError | None = None
    for pieces in _braced(tokens):
        for tight in (False, True)[: 1 + any(token.kind == "/" for token in tokens)]:
            try:
                value = _Parser(pieces, tight=tight).whole()
            except MathError as error:
                fault = fault or error
                continue
            found.setdefault(value.exact, value)
    if not found:
        raise fault or MathError("it is empty")
    return tuple(found.values())


def closes(opener: Token, closer: Token) -> bool:
    """Say whether two brackets are of one shape."""
    return closer.text == {"(": ")", "[": "]", "{": "}"}.get(opener.text, closer.text)


def _braced(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the tokens, and without the braces that no fraction, root or exponent owns."""
    yield tokens
    if not any(token.kind == "{" for token in tokens):
        return
    kept: list[Token] = []
    stack: list[tuple[bool, bool]] = []
    due = False
    for token in tokens:
        last = kept[-1].kind if kept else ""
        if token.kind == "{":
            shown = last == "frac" or due or last in {"sqrt", "^"}
            stack.append((shown, last == "frac"))
            due = False
            if not shown:
                continue
        elif token.kind == "}" and stack:
            shown, due = stack.pop()
            if not shown:
                continue
        else:
            due = False
        kept.append(token)
    yield kept


class _Parser:
    """Recursive descent, some brackets deep at most."""

    def __init__(self, tokens: Sequence[Token], *, tight: bool) -> None:
        self.tokens, self.tight = tokens, tight
        self.at = 0

    def whole(self) -> Value:
        """Return the value of all tokens."""
        value = self.sum(0)
        if self.at < len(self.tokens):
            raise MathError(f"{self.tokens[self.at].text} cannot be read there")
        return value

    def peek(self) -> str:
        """Return the kind of the next token, or nothing at the end."""
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def sum(self, depth: int) -> Value:
        """Read terms that are added and subtracted."""
        if depth > _DEEPEST:
            raise MathError("its brackets nest too deep")
        sign = 1
        if self.peek() in {"+", "-"}:
            sign = -1 if self.peek() == "-" else 1
            self.at += 1
        total = _signed(self.term(depth), sign)
        while self.peek() in {"+", "-"}:
            sign = -1 if self.peek() == "-" else 1
            self.at += 1
            part = _signed(self.term(depth), sign)
            total = Value(
                total.exact + part.exact,
                total.low + part.low,
                total.high + part.high,
                total.divided or part.divided,
            )
        return total

    def term(self, depth: int) -> Value:
        """Read factors that are multiplied and divided."""
        value = self.factor(depth)
        below = False
        while True:
            kind = self.peek()
            if kind in {"*", "/"}:
                self.at += 1
                below = kind == "/"
            elif kind in {"(", "{", "frac", "sqrt"}:
                below = below and self.tight  # side by side: a product
            else:
                return value
            other = self.factor(depth)
            value = _product(value, _inverse(other) if below else other)

    def factor(self, depth: int) -> Value:
        """Read one factor with its exponent and the words that say what it counts."""
        value = self.primary(depth)
        if self.peek() == "^":
            self.at += 1
            value = _power(value, self._exponent())
        while self.peek() in {"name", "unit"}:
            self.at += 1
        return value

    def _exponent(self) -> int:
        sign, wrapped = 1, self.peek() in _OPENERS
        self.at += wrapped
        if self.peek() == "-":
            sign = -1
            self.at += 1
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None or token.kind != "number" or token.value.denominator != 1:
            raise MathError("an exponent is no whole number")
        self.at += 1
        if wrapped:
            if self.peek() not in {")", "}"}:
                raise MathError("an exponent is no whole number")
            self.at += 1
        if token.value > 10**6:
            raise MathError("it is too large to compute")
        return sign * int(token.value)

    def primary(self, depth: int) -> Value:
        """Read a number, a bracket, a fraction or a root."""
        if self.at >= len(self.tokens):
            raise MathError("it ends where a number is due")
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "number":
            half = (
                Fraction(1, 2) / Fraction(10) ** token.decimals if token.decimals else Fraction(0)
            )
            return Value(token.value, token.value - half, token.value + half)
        if token.kind in _OPENERS:
            inner = self.sum(depth + 1)
            if self.peek() != CLOSERS[token.kind]:
                raise MathError("a bracket does not close")
            # `[2 × (3 + 4]`: the round one is closed by the square one too.
            self.at += closes(token, self.tokens[self.at])
            return inner
        if token.kind == "frac":
            above = self.primary(depth + 1)
            return _product(above, _inverse(self.primary(depth + 1)))
        if token.kind == "sqrt":
            inner = self.primary(depth + 1)
            low = max(inner.low, Fraction(0))
            return Value(_root(inner.exact), _root(low), _root(inner.high), divided=True)
        raise MathError(f"{token.text} cannot be read there")


def _signed(value: Value, sign: int) -> Value:
    if sign > 0:
        return value
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
    if bits * abs(exponent) > _MOST_BITS:
        raise MathError("it is too large to compute")
    if exponent < 0:
        return _power(_inverse(base), -exponent)
    ends = sorted((base.low**exponent, base.high**exponent))
    crossed = exponent % 2 == 0 and base.low < 0 < base.high
    low = Fraction(0) if crossed else ends[0]
    return Value(base.exact**exponent, low, ends[1], base.divided)


def _root(value: Fraction) -> Fraction:
    """Return a square root, exactly where it is a fraction, else to thirty decimals."""
    if value < 0:
        raise MathError("it takes the root of a negative number")
    above, below = isqrt(value.numerator), isqrt(value.denominator)
    if above * above == value.numerator and below * below == value.denominator:
        return Fraction(above, below)
    shift = 10**30
    whole = isqrt(value.numerator * value.denominator * shift**2)
    return Fraction(whole, value.denominator * shift)
