"""Where calculations begin and end among the words of a report: chains of equal sides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from reportgen.checking.itself._tokens import ABOUT, Token
from reportgen.checking.itself._values import CLOSERS, OPERATORS, closes

_STARTS = frozenset({"number", "(", "{", "frac", "sqrt"})
_BARS = frozenset({"other", "row", "="})


@dataclass(frozen=True, slots=True)
class Side:
    """What stands on one side of an equality sign.

    Attributes:
        tokens: Empty where it is no arithmetic.
        computed: Whether it calculates something.
        words: Whether words stand between its numbers.
        about: Whether the sign before it says that it is rounded.
        mended: Whether a bracket is missing.
    """

    tokens: tuple[Token, ...] = ()
    computed: bool = False
    words: bool = False
    about: bool = False
    mended: bool = False

    @property
    def number(self) -> Token | None:
        """The number, where the side is nothing else."""
        numbers = [token for token in self.tokens if token.kind == "number"]
        return numbers[0] if len(numbers) == 1 and not self.computed else None


def chains_of(tokens: Sequence[Token], factors: Collection[str] = ()) -> Iterator[list[Side]]:
    """Yield the chains of equal sides in some tokens.

    Args:
        tokens: Of one text.
        factors: Names that stand for numbers in this report: behind a number they are factors.

    Example:
        >>> from reportgen.checking.itself._tokens import tokens_of
        >>> from reportgen.checking.numbers import NumberStyle
        >>> text = "Our batch is 8 x 4 = 32 images, in all d = 2 * 3 = 6."
        >>> [["".join(t.text for t in side.tokens) for side in chain]
        ...  for chain in chains_of(tokens_of(text, NumberStyle()))]
        [['8*4', '32images'], ['', '2*3', '6']]
    """
    signs = [index for index, token in enumerate(tokens) if token.kind == "="]
    position = 0
    behind = 0
    while position < len(signs):
        sign = signs[position]
        sides = [_left(tokens, behind, sign, factors)]
        while True:
            stop = signs[position + 1] if position + 1 < len(signs) else len(tokens)
            side, end = _right(tokens, sign + 1, stop, factors)
            sides.append(side)
            behind = end
            position += 1
            if position == len(signs) or not _goes_on(tokens, end, stop):
                break
            sign = stop
        yield sides


def _goes_on(tokens: Sequence[Token], end: int, stop: int) -> bool:
    """Say whether nothing but words stands before the next sign."""
    return all(token.kind not in _BARS and token.kind != "number" for token in tokens[end:stop])


def _left(tokens: Sequence[Token], first: int, sign: int, factors: Collection[str]) -> Side:
    """Return the side before the first sign of a chain: as far back as arithmetic goes."""
    at = sign
    while True:
        at = _before_words(tokens, first, at)
        start = _operand_before(tokens, first, at)
        if start == at:
            return Side()
        at = start
        last = tokens[at - 1] if at > first else None
        if last is None:
            break
        if last.kind in OPERATORS:
            sign_alone = at - 2 < first or tokens[at - 2].kind in {"other", "row", "=", "("}
            if last.kind in {"-", "+"} and (sign_alone or _is_dash(tokens, at - 1)):
                at -= last.kind == "-" and sign_alone and not tokens[at].apart
                break
            at -= 1
        elif not _multiplies(tokens, at):
            break
    if _is_glued(tokens, at, first):
        return Side()
    return _side(tokens[at:sign], factors)


def _before_words(tokens: Sequence[Token], first: int, at: int) -> int:
    """Return the position before the words behind a number."""
    while at > first and tokens[at - 1].kind in {"name", "unit"}:
        at -= 1
    return at


def _operand_before(tokens: Sequence[Token], first: int, at: int) -> int:
    """Return where the operand begins that ends at a position; the position if there is none."""
    start = at
    if at > first and tokens[at - 1].kind == "number":
        at -= 1
    elif at > first and tokens[at - 1].kind in {")", "}"}:
        at = _opening(tokens, first, at - 1)
        if at > first and tokens[at - 1].kind == "}":
            at = _opening(tokens, first, at - 1)  # a fraction has two
    if at == start:
        return start
    if at > first and tokens[at - 1].kind == "^":
        base = _operand_before(tokens, first, at - 1)
        return start if base == at - 1 else base
    while at > first and tokens[at - 1].kind in {"frac", "sqrt"}:
        at -= 1
    return at


def _opening(tokens: Sequence[Token], first: int, at: int) -> int:
    """Return the index of the bracket that the one here closes; the next index if none does."""
    stack: list[Token] = []
    for index in range(at, first - 1, -1):
        token = tokens[index]
        if token.kind in _BARS:
            break
        if token.kind in {")", "}"}:
            stack.append(token)
        elif token.kind in {"(", "{"} and closes(token, stack[-1]):
            stack.pop()  # one of another shape is not closed
        if not stack:
            return index
    return at + 1


def _closing(tokens: Sequence[Token], at: int, stop: int) -> int:
    """Return the index behind the bracket that closes the one here; its own if none does."""
    stack: list[Token] = []
    for index in range(at, stop):
        token = tokens[index]
        if token.kind in _BARS:
            break
        if token.kind in {"(", "{"}:
            stack.append(token)
        elif token.kind in CLOSERS.values():
            while len(stack) > 1 and not closes(stack[-1], token):
                stack.pop()  # one of another shape is closed too
            stack.pop()
        if not stack:
            return index + 1
    return at


def _is_dash(tokens: Sequence[Token], at: int) -> bool:
    """Say whether a minus parts words from a calculation: `Step 2 - 3 × 4`, `model – 3 × 4`."""
    before = tokens[at - 1]
    return before.kind == "name" and (tokens[at].text != "-" or not tokens[at + 1].apart)


def _multiplies(tokens: Sequence[Token], at: int) -> bool:
    """Say whether what begins here is a factor of what stands before it: `2(3 + 4)`."""
    before, here = tokens[at - 1], tokens[at]
    return before.kind in {"number", ")", "}"} and here.kind in {"(", "frac", "sqrt", "{"}


def _is_glued(tokens: Sequence[Token], at: int, first: int) -> bool:
    """Say whether what stands before a side makes another thing of it: `f(2)`, `± 3`, `@5`."""
    if at <= first:
        return False
    before, here = tokens[at - 1], tokens[at]
    if before.kind == "name":
        return not here.apart
    if before.kind == "other":
        return before.text in {"±", "pm_", "@", "+-", "+/-", "+/−"} or (
            not here.apart and before.text not in set("([:;,|>\"'“*`≤")
        )
    return before.kind in {"^", "*", "/", "+"}


def _right(
    tokens: Sequence[Token], first: int, stop: int, factors: Collection[str]
) -> tuple[Side, int]:
    """Return the side behind a sign and where it ends."""
    at = first
    if at < stop and tokens[at].kind in {"+", "-"}:
        at += 1
    end = _operand(tokens, at, stop)
    if end == at:
        reach = next((i for i in range(first, stop) if tokens[i].kind in _BARS), stop)
        return Side(), reach
    at = end
    while at < stop:
        after = at
        while after < stop and tokens[after].kind in {"name", "unit"}:
            after += 1
        if after < stop and tokens[after].kind in OPERATORS:
            dash = tokens[after].kind in {"-", "+"} and after > at
            operand = after + 1
            if operand < stop and tokens[operand].kind == "-":
                operand += 1
            end = _operand(tokens, operand, stop)
            if end == operand:
                unread = tokens[after].kind in {"*", "+"} and operand < stop and not dash
                if unread and tokens[operand].kind == "name":
                    return Side(), operand
                break
            if dash and tokens[after].kind == "-":
                break
        elif after == at and tokens[at].kind in _STARTS - {"number"}:
            end = _closing(tokens, at, stop)
            if end == at or (tokens[at].apart and end != stop and tokens[at].kind == "("):
                break
        else:
            break
        at = end
    finish = _before_stop(tokens, at, stop)
    if finish < stop and (tokens[finish].text in {"±", "pm_"} or tokens[finish].kind == "^"):
        return Side(), finish
    about = tokens[first - 1].text in ABOUT
    return _side(tokens[first:finish], factors, about=about), finish


def _before_stop(tokens: Sequence[Token], at: int, stop: int) -> int:
    """Return the position behind the unit that follows a number: a sign or one word."""
    if at < stop and tokens[at].kind == "unit":
        return at + 1
    if at < stop and tokens[at].kind == "name":
        return at + 1
    return at


def _operand(tokens: Sequence[Token], at: int, stop: int) -> int:
    """Return where the operand that begins at a position ends; the same index if none does."""
    start = at
    if at < stop and tokens[at].kind == "frac":
        for _ in range(2):
            at = _operand(tokens, at + 1, stop) - 1
            if at < start + 1:
                return start
        at += 1
    else:
        at += at < stop and tokens[at].kind == "sqrt"
        if at >= stop or tokens[at].kind not in {"number", "(", "{"}:
            return start
        at = at + 1 if tokens[at].kind == "number" else _closing(tokens, at, stop)
        if tokens[at - 1].kind in {"(", "{"}:
            return start
    if at + 1 < stop and tokens[at].kind == "^":
        wrapped = tokens[at + 1].kind in {"(", "{"}
        at = _closing(tokens, at + 1, stop) if wrapped else at + 2 + (tokens[at + 1].kind == "-")
    return min(at, stop)


def _side(tokens: Sequence[Token], factors: Collection[str], *, about: bool = False) -> Side:
    """Return some tokens as a side: empty where a name in them stands for a number."""
    last = next((i for i in range(len(tokens) - 1, -1, -1) if tokens[i].kind == "number"), -1)
    for index, token in enumerate(tokens):
        if token.kind == "name" and not _is_unit(tokens, index, factors):
            return Side()
    kinds = [token.kind for token in tokens]
    body = kinds[1:] if kinds[:1] == ["-"] else kinds
    computed = bool(OPERATORS & set(body) or {"^", "frac", "sqrt"} & set(body))
    computed |= any(b == "(" and a in {"number", ")"} for a, b in zip(body, body[1:], strict=False))
    words = "name" in kinds[:last] if last >= 0 else False
    if computed and _is_range(tokens):
        return Side()
    mended = any(kinds.count(a) != kinds.count(b) for a, b in CLOSERS.items())
    return Side(tuple(tokens), computed, words, about, mended)


def _is_unit(tokens: Sequence[Token], index: int, factors: Collection[str]) -> bool:
    """Say whether a name says what the number before it counts."""
    token = tokens[index]
    if not index or tokens[index - 1].kind not in {"number", ")", "name", "unit", "}"}:
        return False
    named = token.apart or token.words or index == len(tokens) - 1
    long = len(token.text) > 1 and not token.text.endswith("_")
    return named and long and (token.words or token.text.casefold() not in factors)


def _is_range(tokens: Sequence[Token]) -> bool:
    """Say whether a side is whole numbers with dashes between them: `1-5`, `2024-03-01`."""
    kinds = {token.kind for token in tokens}
    tight = not any(token.apart for token in tokens[1:])
    whole = all(token.value.denominator == 1 for token in tokens)
    return kinds == {"number", "-"} and tight and whole


def factors_of(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the names that stand for numbers: those at a sign of arithmetic or equality."""
    for index, token in enumerate(tokens):
        if token.kind != "name":
            continue
        behind = tokens[index + 1].kind if index + 1 < len(tokens) else ""
        before = tokens[index - 1].kind if index else ""
        if before in {"*", "/", "^", "("} or (behind in {"=", "^", "*"} and before != "number"):
            yield token.text.casefold()
