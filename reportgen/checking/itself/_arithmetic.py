"""Printed calculations against the numbers that they are said to be equal to."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil

from reportgen.checking.context import Claiming
from reportgen.checking.itself._mathematics import (
    ABOUT,
    MOST_KEPT,
    MathError,
    Parser,
    Token,
    Value,
    evaluate,
    factors_of,
    tokens_of,
)
from reportgen.checking.numbers import NumberStyle, number_style, shown_number
from reportgen.checking.verdicts import cause_of, contradicted, is_printed_as, traced
from reportgen.records.manuscript import Manuscript
from reportgen.records.record import record, replace
from reportgen.records.verdict import Number, Printed, Verdict

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


RULE = "arithmetic"
_EQUAL = re.compile(r"[=≈≃≅\\](?:(?<!\\)|approx|simeq|equiv|cong)")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_FLAT = frozenset({"pdf", "plain"})
_SCORE = re.compile(r"\d+/\d+\b(?!\s*[-+*/×=])")
_MOST_TOKENS = 40
_MEMORY = re.compile(r"([kKMGT])(i?)(?:B|o|bytes|octets)")
_OTHER_UNIT = re.compile(
    r"(?:k?Wh?|[kMGT]?FLOPS?|€|USD|EUR"
    r"|bytes|octets|m?s|sec\w*|min\w*|h|hours?|heures?|days?|jours?)\b"
)
_STYLES = (NumberStyle(), NumberStyle(comma=True), NumberStyle(point=True))
_OPEN = re.compile(r"[=≈][\s$]*$")
_GOES_ON = re.compile(r"[\s$&]*(?:=|≈|\\approx)")


def check_arithmetic(
    manuscript: Manuscript, numbers: Sequence[Claiming], left: set[str]
) -> Iterator[Verdict]:
    """Yield what the calculations of a report say of its numbers, of those whose ids are left."""
    text = "\n".join(block.text for block in manuscript.blocks)
    if not _EQUAL.search(text):
        return
    style = number_style(text)
    flat = manuscript.format in _FLAT
    pieces = [piece for piece in _pieces(manuscript, numbers) if _EQUAL.search(piece.text)]
    read = [tokens_of(piece.text, style, rows=piece.rows) for piece in pieces]
    factors = frozenset(name for tokens in read for name in factors_of(tokens))
    for piece, tokens in zip(pieces, read, strict=True):
        if left.isdisjoint(number.id for number in piece.numbers.values()):
            continue
        chains = (
            kept_chains(piece.text, style, rows=piece.rows, factors=factors)
            if len(piece.text) <= MOST_KEPT
            else chains_of(tokens, factors)
        )
        for chain in chains:
            yield from _Chain(chain, piece, style, flat=flat).verdicts()


@record(kw_only=False)
class _Piece:
    """A block's or a cell's text, its numbers by where the first digit stands.

    With `rows`, the end of a line ends a calculation.
    """

    text: str
    numbers: Mapping[int, Number]
    rows: bool = False
    cell: bool = False


def _pieces(manuscript: Manuscript, numbers: Sequence[Claiming]) -> Iterator[_Piece]:
    """Yield the texts of a report; what begins or ends with a sign of equality goes on."""
    found: dict[tuple[int, int | None, int | None], dict[int, Number]] = defaultdict(dict)
    for one in numbers:
        number = one.number
        signed = number.printed.text[:1] in "+-−–"
        found[number.block, number.row, number.column][number.start + signed] = number
    last: _Piece | None = None
    for index, block in enumerate(manuscript.blocks):
        if block.type == "table" and block.rows:
            for row, cells in enumerate(block.rows):
                for column, cell in enumerate(cells):
                    if cell.span and cell.text:
                        yield _Piece(cell.text, found[index, row, column], cell=True)
        elif block.type != "reference":
            text = block.text
            if "://" in text or "www." in text:
                text = _ADDRESS.sub(lambda match: " " * len(match[0]), text)
            rows = block.type in {"equation", "code", "output"}
            text = text.replace("#", "\x01") if rows else text
            piece = _Piece(text, found[index, None, None], rows)
            if last and (_OPEN.search(last.text) or _GOES_ON.match(text)):
                piece = _joined(last, piece)
            elif last:
                yield last
            last = piece
    if last:
        yield last


def _joined(first: _Piece, second: _Piece) -> _Piece:
    """Return two texts as one."""
    shift = len(first.text) + 1
    numbers = {**first.numbers, **{at + shift: n for at, n in second.numbers.items()}}
    return _Piece(f"{first.text} {second.text}", numbers, first.rows or second.rows)


@record(kw_only=False)
class _Chain:
    """A chain of equal sides; in `flat` text 512 squared may read 5122."""

    sides: Sequence[Side]
    piece: _Piece
    style: NumberStyle
    flat: bool

    def verdicts(self) -> Iterator[Verdict]:
        """Yield what the sides say of each other."""
        wrong: list[tuple[Side, int, Value]] = []
        right: set[int] = set()
        for index, side in enumerate(self.sides):
            values = side.values
            before = range(index - 1, -1, -1) if side.computed else ()
            results = [*range(index + 1, len(self.sides)), *before]
            read = itertools.takewhile(lambda i: self.sides[i].tokens, results)
            at = next((i for i in read if self.sides[i].number), None)
            number = None if at is None else self._number(at)
            if not values or at is None or number is None:
                continue
            leader = self._leader(index)
            if leader and side.computed and is_printed_as(leader.printed, values[0].exact):
                yield traced(leader, RULE, self._spelled(side), values[0].exact)
                continue
            how = self._agreement(index, at, values, number.printed)
            if how == "agrees":
                right.add(at)
                yield traced(number, RULE, self._spelled(side), values[0].exact)
            elif how == "differs" and side.computed:
                wrong.append((side, at, values[0]))
        for side, at, value in wrong:
            number = self._number(at)
            if at in right:
                yield from self._parts(side, at)
            elif number is not None and self.sides.index(side) < at and not self._is_score(side):
                yield self._accused(side, number, value, at)

    def _number(self, at: int) -> Number | None:
        token = self.sides[at].number
        number = self.piece.numbers.get(token.start) if token else None
        if number is None or self.sides[at].tokens[0].kind != "-" or number.printed.value < 0:
            return number
        value = -number.printed.value
        return replace(number, printed=replace(number.printed, value=value))

    def _agreement(self, index: int, at: int, values: Sequence[Value], printed: Printed) -> str:
        """Return `agrees`, `differs`, or nothing where it cannot be said."""
        side, result = self.sides[index], self.sides[at]
        about = result.about or bool(printed.approximate)
        units, scaled = self._units(result), list[Value]()
        factors = tuple(_factors(side, printed))
        # Other readings are tried where the plain one does not fit.
        for read in (values, self._otherwise(index)):
            for one in read:
                scaled += (fits := [one.scaled(f) for f in (*factors, *(units or ()))])
                if any(_is_result(printed, value, about=about) for value in fits):
                    return "agrees"
        half, shown = Fraction(printed.half_unit), Fraction(printed.value)
        for value in scaled:
            width = value.high - value.low
            if width and value.low - 2 * half <= shown <= value.high + 2 * half:
                return "agrees" if width <= max(40 * half, abs(value.exact) / 100) else ""
        loose = at == 0 or side.mended or units == []
        return "" if loose or self._is_lost(side, printed) else "differs"

    def _otherwise(self, index: int) -> Iterator[Value]:
        """Yield what a side comes to under other readings: its commas, what is before a dash."""
        tokens = self.sides[index].tokens
        text = self.piece.text[tokens[0].start : tokens[-1].end]
        for style in _STYLES:
            if style != self.style:
                yield from evaluate(tokens_of(text, style))
        for at, token in enumerate(tokens[:-1] if index == 0 else ()):
            if token.kind == "-":
                yield from evaluate(tokens[at + 1 :])

    def _leader(self, index: int) -> Number | None:
        """Return the first number of the next side: `14400 / 32 = 450 × 5 = 2250` goes on so."""
        following = self.sides[index + 1] if index + 1 < len(self.sides) else Side()
        first = following.tokens[0] if following.computed else None
        return self.piece.numbers.get(first.start) if first else None

    def _units(self, result: Side) -> list[Fraction] | None:
        """Return by what a result in another unit may differ; none where that is not known."""
        token = result.tokens[-1]
        behind = self.piece.text[token.end : token.end + 12].lstrip(" ~\u00a0\\,${")
        word = token.text if token.kind == "name" else behind
        if memory := _MEMORY.match(word):
            step = "kmgt".index(memory[1].lower()) + 1
            return [Fraction(1, 1000**step), Fraction(1, 1024**step)]
        return [] if _OTHER_UNIT.match(word) else None

    def _is_lost(self, side: Side, printed: Printed) -> bool:
        """Say whether flat text may have lost an exponent, a bracket or the reach of a root."""
        if not self.flat or len(side.tokens) > _MOST_TOKENS:
            return self.flat
        tried = (value for tokens in self._mended(side.tokens) for value in evaluate(tokens))
        return any(_is_result(printed, value, about=False) for value in tried)

    def _mended(self, tokens: Sequence[Token]) -> Iterator[list[Token]]:
        """Yield a side with what flat text may have lost."""
        for at, token in enumerate(tokens):
            rest = tokens[at + 1 :]
            for power in "23" if token.kind in {"number", ")"} else "":
                yield [*tokens[: at + 1], *_raised(power), *rest]
            base, power = token.text[:-1], token.text[-1:]
            if token.kind == "number" and base.isdigit() and power in "23":
                raised = [replace(token, value=Fraction(base)), *_raised(power)]
                yield [*tokens[:at], *raised, *rest]
                yield [one for t in tokens for one in (raised if t.text == token.text else [t])]
            for last in range(at + 1, len(tokens)):
                if tokens[last].kind in {"number", ")"}:
                    inner = [_token("("), *tokens[at : last + 1], _token(")")]
                    yield [*tokens[:at], *inner, *tokens[last + 1 :]]

    def _is_score(self, side: Side) -> bool:
        """Say whether a side is two numbers with a stroke and words: `14/14 against`, `256/512`."""
        text = self._spelled(side)
        return _SCORE.match(text) is not None and any(map(str.isalpha, text))

    def _accused(self, side: Side, number: Number, value: Value, at: int) -> Verdict:
        """Return the verdict on a number that its calculation does not give."""
        units, printed, shown = self._units(self.sides[at]), number.printed, value.exact
        if printed.unit == "percent" and "%" not in self._spelled(side) and abs(shown) <= 1:
            shown *= 100
        elif units and abs(shown) > 100 * abs(printed.value):
            shown *= units[-1]
        level = "warning" if side.words or self.piece.cell or units else "error"
        return contradicted(number, RULE, self._spelled(side), shown, level=level)

    def _parts(self, side: Side, at: int) -> Iterator[Verdict]:
        """Yield the one number of a side that a simple change makes give what others give."""
        result = next(token for token in self.sides[at].tokens if token.kind == "number")
        found = []
        for index, token in enumerate(side.tokens):
            number = self.piece.numbers.get(token.start) if token.kind == "number" else None
            tried = ([*side.tokens] for _ in range(3))
            ends = []
            for n, tokens in enumerate(tried, start=1):
                tokens[index] = replace(token, value=Fraction(n))
                ends += [values[0].exact for values in (evaluate(tokens),) if values]
            if number is None or len(ends) < 3 or not ends[2] - ends[1] == ends[1] - ends[0] != 0:
                continue
            needed = 1 + (result.value - ends[0]) / (ends[1] - ends[0])
            if needed > 0 and cause_of(number.printed, needed):
                found.append((number, needed))
        for number, needed in found if len(found) == 1 else ():
            what = f"what {self._spelled(side)} needs to be {result.text}"
            yield contradicted(number, RULE, what, needed, level="error")

    def _spelled(self, side: Side) -> str:
        """Return a side as a line of text."""
        text = self.piece.text[side.tokens[0].start : side.tokens[-1].end]
        text = re.sub(r"\\(?:left|right)|[$]", "", text.replace("\\times", "×"))
        return " ".join(shown_number(text).split())[:120]


def _token(kind: str, value: Fraction = Fraction(0)) -> Token:
    return Token(kind, kind, 0, 0, value=value)


def _raised(power: str) -> list[Token]:
    return [_token("^"), _token("number", Fraction(power))]


def _factors(side: Side, printed: Printed) -> Iterator[Fraction]:
    """Yield by what percent signs may scale a calculation."""
    signs = min(sum(token.kind == "unit" for token in side.tokens), 2)
    for whole in (1, 100) if printed.unit else (1,):
        yield from (Fraction(whole, 100**power) for power in range(signs + 1))


def _is_result(printed: Printed, value: Value, *, about: bool) -> bool:
    """Say whether a calculation may be printed with this result."""
    shown = Fraction(printed.value)
    up = value.divided and printed.decimals <= 0 and ceil(value.exact) == shown
    if up or is_printed_as(printed, value.exact) or not about:
        return up or is_printed_as(printed, value.exact)
    digits = str(abs(int(shown)))
    zeros = len(digits) - len(digits.rstrip("0")) if shown.denominator == 1 else -printed.decimals
    return abs(value.exact - shown) <= max(Fraction(10) ** zeros, abs(value.exact) / 50)
