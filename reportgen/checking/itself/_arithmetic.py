"""Printed calculations against the numbers that they are said to be equal to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from reportgen.checking.context import Claiming
from reportgen.checking.itself._chains import Side, chains_of
from reportgen.checking.itself._tokens import Token, tokens_of
from reportgen.checking.itself._values import Value, evaluate, factors_of
from reportgen.checking.itself._verdicts import (
    cause_of,
    contradicted,
    decimal_of,
    is_printed_as,
    traced,
)
from reportgen.checking.numbers import NumberStyle, number_style
from reportgen.records.claim import Printed
from reportgen.records.manuscript import Block, Manuscript
from reportgen.records.verdict import Number, Verdict

RULE = "arithmetic"
_EQUAL = re.compile(r"[=≈≃≅]|\\(?:approx|simeq|equiv|cong)")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_FLAT = frozenset({"pdf", "plain"})
_MOST_TOKENS = 40
_MOST_TRIES = 40
_STEPS = {"k": 1, "m": 2, "g": 3, "t": 4}
_MEMORY = re.compile(r"([kKMGT])(i?)(?:B|o|bytes|octets)")
_TIMES = {"ms": 1000, "s": 1, "sec": 1, "seconds": 1, "min": 60, "minutes": 60, "h": 3600}
_TIMES |= {"hours": 3600, "heures": 3600, "hour": 3600, "days": 86400, "jours": 86400}
_OTHER_UNIT = re.compile(r"(?:k?Wh?|[kMGT]?FLOPS?|€|USD|EUR|\$|bytes|octets|°)")
_STYLES = (NumberStyle(), NumberStyle(comma=True), NumberStyle(point=True))
_OPEN = re.compile(r"[=≈][\s$]*$")
_GOES_ON = re.compile(r"[\s$&]*(?:=|≈|\\approx)")


def check_arithmetic(
    manuscript: Manuscript, numbers: Sequence[Claiming], style: NumberStyle | None = None
) -> Iterator[Verdict]:
    """Yield what the calculations of a report say of its numbers."""
    text = "\n".join(block.text for block in manuscript.blocks)
    if not _EQUAL.search(text):
        return
    style = style or number_style(text)
    flat = manuscript.format in _FLAT
    pieces = [piece for piece in _pieces(manuscript, numbers) if _EQUAL.search(piece.text)]
    read = [(piece, tokens_of(piece.text, style, rows=piece.rows)) for piece in pieces]
    factors = {name for _, tokens in read for name in factors_of(tokens)}
    for piece, tokens in read:
        for chain in chains_of(tokens, factors):
            yield from _Chain(chain, piece, style, flat=flat).verdicts()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A text in which calculations may stand: a block's or a cell's.

    Attributes:
        text: What stands in it.
        numbers: Where the first digit stands to the number.
        rows: Whether a line ends a calculation.
        cell: Whether it is a cell of a table.
        above: Exponents that stand over its lines.
    """

    text: str
    numbers: Mapping[int, Number]
    rows: bool = False
    cell: bool = False
    above: str = ""


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
            text = _ADDRESS.sub(lambda match: " " * len(match[0]), block.text)
            rows = block.type in {"equation", "code", "output"}
            text = text.replace("#", "\x01") if rows else text
            above = manuscript.blocks[index - 1].text if index else ""
            piece = _Piece(text, found[index, None, None], rows, above=_raised_above(block, above))
            if last and (_OPEN.search(last.text) or _GOES_ON.match(text)):
                last = _joined(last, piece)
                continue
            if last:
                yield last
            last = piece
    if last:
        yield last


def _joined(first: _Piece, second: _Piece) -> _Piece:
    """Return two texts as one."""
    shift = len(first.text) + 1
    numbers = {**first.numbers, **{at + shift: n for at, n in second.numbers.items()}}
    text = f"{first.text} {second.text}"
    return _Piece(text, numbers, first.rows or second.rows, above=first.above + second.above)


def _raised_above(block: Block, above: str) -> str:
    """Return exponents that stand on lines of their own in or over a block of flat text."""
    lines = [above.rpartition("\n")[2], *(line.text for line in block.lines)]
    return " ".join(line for line in lines if re.fullmatch(r"\s*[23](?:\s+[23])*\s*", line))


@dataclass(frozen=True, slots=True)
class _Chain:
    """A chain of equal sides, and the numbers that stand in it.

    Attributes:
        sides: In order.
        piece: The text.
        style: How the report writes decimals.
        flat: The text lost its raised characters, so that 512 squared may read 5122.
    """

    sides: Sequence[Side]
    piece: _Piece
    style: NumberStyle
    flat: bool

    def verdicts(self) -> Iterator[Verdict]:
        """Yield what the sides say of each other."""
        wrong: list[tuple[int, int, Value]] = []
        right: set[int] = set()
        for index, side in enumerate(self.sides):
            at = self._result(index) if side.computed else None
            if at is None:
                continue
            result, number = self.sides[at], self._number(at)
            values = evaluate(side.tokens)
            if not values:
                continue
            printed = self._printed(result, number)
            how = self._agreement(index, values, printed, result)
            if how == "agrees":
                right.add(at)
                if number is not None:
                    yield traced(number, RULE, self._spelled(side), values[0].exact)
            elif how == "differs":
                wrong.append((index, at, values[0]))
        for index, at, value in wrong:
            yield from self._accused(index, at, value, confirmed=at in right)
        yield from self._percentages(right)

    def _result(self, index: int) -> int | None:
        """Return the side with the number that a calculation gives: behind it, else before it."""
        for at in (*range(index + 1, len(self.sides)), *range(index - 1, -1, -1)):
            if self.sides[at].number is not None:
                return at
        return None

    def _number(self, at: int) -> Number | None:
        token = self.sides[at].number
        return self.piece.numbers.get(token.start) if token else None

    def _printed(self, side: Side, number: Number | None) -> Printed:
        """Return the number of a side, also where it is none of those that claim something."""
        token = side.number
        if token is None:
            raise ValueError("a result is a number")
        sign = -1 if side.tokens[0].kind == "-" else 1
        percent = side.tokens[-1].kind == "unit"
        return Printed(
            text=number.printed.text if number else token.text,
            value=decimal_of(token.value * sign),
            decimals=token.decimals,
            unit=(number.printed.unit if number else "") or ("percent" if percent else ""),
            approximate=number.printed.approximate if number else "",
        )

    def _agreement(
        self, index: int, values: Sequence[Value], printed: Printed, result: Side
    ) -> str:
        """Return `agrees`, `differs`, or nothing where it cannot be said."""
        side = self.sides[index]
        about = result.about or bool(printed.approximate)
        read = [*values, *self._otherwise(index)]
        scaled = [one for value in read for one in _scaled(value, side, printed)]
        if any(_is_result(printed, value, about=about) for value in scaled):
            return "agrees"
        for value in scaled:
            low, high = value.low, value.high
            half = Fraction(printed.half_unit) * 2
            if low - half <= Fraction(printed.value) <= high + half:
                narrow = high - low <= max(20 * half, abs(value.exact) / 100)
                return "agrees" if narrow else ""
        unit = self._unit(result)
        if unit is not None:
            fits = [v.scaled(f) for v in read for f in unit]
            if any(_is_result(printed, value, about=about) for value in fits):
                return "agrees"
            if len(unit) == 0:
                return ""
        loose = result is self.sides[0] and index > 0
        if loose or side.mended or self._is_lost(side, printed):
            return ""
        return "differs"

    def _otherwise(self, index: int) -> Iterator[Value]:
        """Yield what a side comes to under other readings: commas, what is before a dash, run-on.

        `14400 / 32 = 450 × 5 = 2250` says that the first comes to 450.
        """
        side = self.sides[index]
        text = self.piece.text[side.tokens[0].start : side.tokens[-1].end]
        for style in _STYLES:
            if style != self.style:
                yield from evaluate(tokens_of(text, style))
        if index == 0:
            for at, token in enumerate(side.tokens[:-1]):
                if token.kind == "-" and _depth(side.tokens[:at]) == 0:
                    yield from evaluate(side.tokens[at + 1 :])
        following = self.sides[index + 1] if index + 1 < len(self.sides) else Side()
        if following.computed and following.tokens[0].kind == "number":
            yield from evaluate(following.tokens[:1])

    def _unit(self, result: Side) -> list[Fraction] | None:
        """Return by what a result in another unit may differ; nothing known for some units."""
        token = result.tokens[-1]
        behind = self.piece.text[token.end : token.end + 12].lstrip(" ~\u00a0\\,${")
        word = token.text if token.kind == "name" else behind
        memory = _MEMORY.match(word)
        if memory:
            step = _STEPS[memory[1].lower()]
            return [Fraction(1, 1000**step), Fraction(1, 1024**step)]
        name = re.match(r"[^\W\d_]+", word)
        if name and name[0] in _TIMES:
            to = _TIMES[name[0]]
            return [Fraction(a, b) for a in _TIMES.values() for b in (to, to * 1000)]
        return [] if _OTHER_UNIT.match(word) else None

    def _is_lost(self, side: Side, printed: Printed) -> bool:
        """Say whether flat text may have lost an exponent, a bracket or the reach of a root."""
        if not self.flat or len(side.tokens) > _MOST_TOKENS:
            return self.flat
        tried = (value for tokens in self._mended(side.tokens) for value in evaluate(tokens))
        return any(_is_result(printed, value, about=False) for value in tried)

    def _mended(self, tokens: Sequence[Token]) -> Iterator[list[Token]]:
        """Yield a side with what flat text may have lost."""
        powers = set(self.piece.above.split())
        for at, token in enumerate(tokens):
            if token.kind in {"number", ")"}:
                for power in powers:
                    raised = [_token("^"), _token("number", Fraction(power))]
                    yield [*tokens[: at + 1], *raised, *tokens[at + 1 :]]
            digits = token.text
            if (
                token.kind == "number"
                and digits.isdigit()
                and len(digits) > 1
                and digits[-1] in "23"
            ):
                base = _token("number", Fraction(int(digits[:-1])))
                raised = [base, _token("^"), _token("number", Fraction(int(digits[-1])))]
                same = [raised if t.text == digits else [t] for t in tokens]
                yield [*tokens[:at], *raised, *tokens[at + 1 :]]
                yield [one for part in same for one in part]
            before = tokens[at - 1].kind if at else ""
            if before not in {"*", "/", "-", "number", "name", "sqrt"}:
                continue
            for last in range(at + 1, len(tokens)):
                if tokens[last].kind in {"number", "name", ")"}:
                    inner = [_token("("), *tokens[at : last + 1], _token(")")]
                    yield [*tokens[:at], *inner, *tokens[last + 1 :]]

    def _accused(self, index: int, at: int, value: Value, *, confirmed: bool) -> Iterator[Verdict]:
        """Yield the verdict on a calculation that does not give its result.

        Where another side gives that result a number of the calculation itself is wrong.
        """
        side, number = self.sides[index], self._number(at)
        level = "warning" if side.words or self.piece.cell else "error"
        if not confirmed and at > index:
            if number is not None:
                percent = number.printed.unit == "percent" and "%" not in self._spelled(side)
                shown = value.exact * 100 if percent and abs(value.exact) <= 1 else value.exact
                unit = self._unit(self.sides[at])
                shown = (
                    shown * unit[-1] if unit and abs(shown) > 100 * number.printed.value else shown
                )
                level = "warning" if unit else level
                yield contradicted(number, RULE, self._spelled(side), shown, level=level)
            return
        result = self.sides[at].number
        if result is None or not confirmed:
            return
        leaf = self._leaf(side, result)
        if leaf is not None:
            token, needed, cause = leaf
            there = self.piece.numbers.get(token.start)
            if there is not None:
                what = f"what {self._spelled(side)} needs to be {result.text}"
                level = level if cause else "warning"
                yield contradicted(there, RULE, what, needed, level=level, cause=cause)

    def _leaf(self, side: Side, result: Token) -> tuple[Token, Fraction, str] | None:
        """Return the number that has to be another one for a side to give its result."""
        found = []
        for at, token in enumerate(side.tokens):
            if token.kind != "number" or (at and side.tokens[at - 1].kind == "^"):
                continue
            before, after = side.tokens[:at], side.tokens[at + 1 :]
            ends = [
                evaluate([*before, replace(token, value=Fraction(n)), *after]) for n in (1, 2, 3)
            ]
            if not all(ends):
                continue
            one, two, three = (values[0].exact for values in ends)
            if two == one or three - two != two - one:
                continue
            needed = 1 + (result.value - one) / (two - one)
            if needed > 0 and (needed.denominator == 1 or token.decimals):
                printed = Printed(
                    text=token.text, value=decimal_of(token.value), decimals=token.decimals
                )
                found.append((token, needed, cause_of(printed, needed)))
        simple = [one for one in found if one[2]]
        return simple[0] if len(simple) == 1 else found[-1] if found and not simple else None

    def _percentages(self, right: set[int]) -> Iterator[Verdict]:
        """Yield that `0.1 = 10 %` says one number twice."""
        for at in range(1, len(self.sides)):
            first, second, number = (
                self.sides[at - 1].number,
                self.sides[at].number,
                self._number(at),
            )
            if first is None or second is None or number is None or at in right:
                continue
            printed = self._printed(self.sides[at], number)
            for factor in (100, 1) if printed.unit else (1,):
                if first.value and is_printed_as(printed, first.value * factor):
                    yield traced(number, RULE, first.text, first.value * factor)
                    break

    def _spelled(self, side: Side) -> str:
        """Return a side as a line of text."""
        text = self.piece.text[side.tokens[0].start : side.tokens[-1].end]
        for mark, shown in (
            ("\\times", "×"),
            ("\\cdot", "·"),
            ("{,}", ","),
            ("\\,", " "),
            ("$", ""),
        ):
            text = text.replace(mark, shown)
        return " ".join(text.split())[:120]


def _token(kind: str, value: Fraction = Fraction(0)) -> Token:
    return Token(kind, kind, 0, 0, value=value)


def _depth(tokens: Sequence[Token]) -> int:
    return sum({"(": 1, "{": 1, ")": -1, "}": -1}.get(token.kind, 0) for token in tokens)


def _scaled(value: Value, side: Side, printed: Printed) -> Iterator[Value]:
    """Yield a value, and as a percentage or a part of one where percent signs are about."""
    yield value
    signs = sum(token.kind == "unit" for token in side.tokens)
    for power in range(1, min(signs, 2) + 1):
        yield value.scaled(Fraction(1, 100**power))
    if printed.unit:
        yield value.scaled(Fraction(100))
        for power in range(1, min(signs, 2) + 1):
            yield value.scaled(Fraction(100, 100**power))


def _is_result(printed: Printed, value: Value, *, about: bool) -> bool:
    """Say whether a calculation may be printed with this result."""
    if is_printed_as(printed, value.exact):
        return True
    if value.divided and printed.decimals <= 0 and ceil(value.exact) == printed.value:
        return True
    if not about:
        return False
    shown = abs(int(printed.value)) if printed.decimals <= 0 else 0
    zeros = len(str(shown)) - len(str(shown).rstrip("0")) if shown else 0
    unit = Fraction(10) ** (zeros if shown else -printed.decimals)
    return abs(value.exact - Fraction(printed.value)) <= max(unit, abs(value.exact) / 50)
