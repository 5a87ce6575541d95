"""Where calculations begin and end among the words of a report: chains of equal sides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from reportgen.checking.itself._tokens import ABOUT, Token, tokens_of
from reportgen.checking.itself._values import MathError, Parser, Value, evaluate
from reportgen.checking.numbers import NumberStyle
from reportgen.records.record import record

_BARS = frozenset(("other", "row", "="))
_OPENING = frozenset("([:;,|>\"'“*`≤$")
_SPREADS = frozenset(("±", "pm_", "+-", "+/-", "+/−", "@"))
_LONGEST = 160
_MOST_SIDES = 20


@record(kw_only=False)
class Side:
    """What stands on one side of an equality sign: no tokens where it is no arithmetic.

    `about` where the sign before it says that it is rounded; `values` is what it comes to; the
    others are as the parser has them.
    """

    tokens: tuple[Token, ...] = ()
    computed: bool = False
    words: bool = False
    about: bool = False
    mended: bool = False
    values: tuple[Value, ...] = ()

    @property
    def number(self) -> Token | None:
        """The number, where the side is nothing else."""
        numbers = [token for token in self.tokens if token.kind == "number"]
        return numbers[0] if len(numbers) == 1 and not self.computed else None


@lru_cache(maxsize=64)
def kept_chains(
    text: str, style: NumberStyle, *, rows: bool, factors: frozenset[str]
) -> tuple[list[Side], ...]:
    """Return the chains of a text, which other reports may have as well."""
    return tuple(chains_of(tokens_of(text, style, rows=rows), factors))


def chains_of(tokens: Sequence[Token], factors: Collection[str] = ()) -> Iterator[list[Side]]:
    """Yield the chains of equal sides in some tokens.

    Names that stand for numbers in this report are factors behind a number.
    """
    signs = [index for index, token in enumerate(tokens) if token.kind == "="]
    position = behind = 0
    while position < len(signs):
        sign = signs[position]
        sides = [_left(tokens, behind, sign, factors)]
        while True:
            stop = signs[position + 1] if position + 1 < len(signs) else len(tokens)
            side, behind = _side(tokens, sign + 1, stop, factors)
            sides.append(side)
            position += 1
            rest = {token.kind for token in tokens[behind:stop]}
            if position == len(signs) or rest & {*_BARS, "number"} or len(sides) > _MOST_SIDES:
                break
            sign = stop
        yield sides


def _left(tokens: Sequence[Token], first: int, sign: int, factors: Collection[str]) -> Side:
    """Return the side before the first sign of a chain: as far back as arithmetic goes."""
    bars = [at for at in range(first, sign) if tokens[at].kind in _BARS]
    for at in range(max(bars[-1] + 1 if bars else first, sign - _LONGEST), sign):
        token = tokens[at]
        if token.kind in {"name", "unit", "^", "*", "/", "+", ")", "}"}:
            continue
        if token.kind == "-" and (at + 1 == sign or tokens[at + 1].apart):
            continue
        side, end = _side(tokens, at, sign, factors)
        if end == sign or all(t.kind in {"name", "unit"} for t in tokens[end:sign]):
            return Side() if at and _is_glued(tokens[at - 1], token) else side
    return Side()


def _is_glued(before: Token, here: Token) -> bool:
    """Say whether what stands before a side makes another thing of it: `f(2)`, `± 3`, `@5`."""
    if before.kind == "name":
        return not here.apart
    if before.kind == "other":
        return before.text in _SPREADS or (not here.apart and before.text not in _OPENING)
    return before.kind in {"^", "*", "/", "+"}


def _side(
    tokens: Sequence[Token], first: int, stop: int, factors: Collection[str]
) -> tuple[Side, int]:
    """Return the side that begins at a position, and where it ends."""
    parser = Parser(tokens, first, stop, factors)
    try:
        parser.sum(0)
    except MathError:
        return Side(), next((i for i in range(first, stop) if tokens[i].kind in _BARS), stop)
    end = parser.at
    behind = tokens[end] if end < stop else None
    if behind and (behind.text in _SPREADS or behind.kind == "^"):
        return Side(), end
    end += bool(behind and behind.kind == "name")
    found = tuple(tokens[first:end])
    if _is_range(found):
        return Side(), end
    about = first > 0 and tokens[first - 1].text in ABOUT
    values = evaluate(found)
    return Side(found, parser.computed, parser.words, about, parser.mended, values), end


def _is_range(tokens: Sequence[Token]) -> bool:
    """Say whether a side is whole numbers with dashes between them: `1-5`, `2024-03-01`."""
    inner = [token for token in tokens if token.kind not in {"(", ")", "name"}]
    whole = all(token.value.denominator == 1 for token in inner)
    tight = whole and len(inner) > 2 and not any(token.apart for token in inner[1:])
    return tight and {token.kind for token in inner} == {"number", "-"}
