"""Where equations and formulas begin and end among the words of a sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from reportgen.claims._expressions import split_sides
from reportgen.claims._math_runs import Run
from reportgen.claims._math_tokens import Token
from reportgen.claims._math_words import NUMBERED

_SIGNS = frozenset("+-*/^=")
_LONGEST_NAME = 6
_LINKS = frozenset({"of", "de", "du", "des", "about", "environ", "exactly", "roughly", "d"})


@dataclass(frozen=True, slots=True)
class Chain:
    """Tokens of one equation or formula, and the run they stand in."""

    run: Run
    tokens: tuple[Token, ...]

    @property
    def sides(self) -> list[list[Token]]:
        """The tokens between its equality signs."""
        return split_sides(self.tokens)


def chains_of(run: Run, known: Collection[str]) -> Iterator[Chain]:
    """Yield the equations and formulas of a run.

    Args:
        run: Tokens without what is no arithmetic.
        known: Names that the report gives values to; they tell where a name ends in a sentence.
    """
    sides: list[list[Token]] = [[]]
    signs: list[Token] = []
    for token in run.tokens:
        if token.kind == "=":
            signs.append(token)
            sides.append([])
        else:
            sides[-1].append(token)
    chain: list[Token] = []
    for index, side in enumerate(sides):
        if not chain:
            rest = side[_left_edge(side, run, known) :] if index < len(signs) else side
            if index == len(signs):
                yield from _formulas(run, rest, known)
                return
            chain = [*rest, signs[index]] if rest else []
            if index and not rest:
                chain = []
            continue
        end = _right_edge(side, run, known, chain)
        chain += side[:end]
        if end == len(side) and index < len(signs):
            chain.append(signs[index])
            continue
        yield Chain(run, tuple(chain))
        rest = side[end:]
        if index == len(signs):
            yield from _formulas(run, rest, known)
            return
        rest = rest[_left_edge(rest, run, known) :]
        chain = [*rest, signs[index]] if rest else []


def _formulas(run: Run, tokens: Sequence[Token], known: Collection[str]) -> Iterator[Chain]:
    """Yield formulas without a result."""
    at = 0
    while at < len(tokens):
        rest = tokens[at:]
        first = _left_edge(rest, run, known)
        end = first + _right_edge(rest[first:], run, known, ())
        if end <= first:
            at += first + 1
            continue
        yield Chain(run, tuple(rest[first:end]))
        at += end


def _left_edge(side: Sequence[Token], run: Run, known: Collection[str]) -> int:
    """Return where the first side begins behind the words of a sentence.

    That may be its end: in `Layer 1 = 3 × 4 = 12` and `4 layers = 4 × 3 = 12` what stands before
    the first sign names the result, as it does in `epochs 1-5 = 5`.
    """
    if not side:
        return 0
    if _is_amount(side, 0, latex=run.latex):
        return len(side)
    if run.latex:
        return 0
    first = 0
    while first < len(side) and side[first].kind == "name" and not side[first].subscript:
        first += 1
    if first < len(side) and side[first].kind in _SIGNS:
        return first + 1 if first == 0 and _is_mark(side, 0) else _name_start(side[:first], known)
    if first == len(side) or side[first].kind == "name":
        return _name_start(side[: min(first + 1, len(side))], known)
    if first == 0 or side[first - 1].text.casefold() in _LINKS:
        return first
    # `size: (512 × 512)`, `Step 2 - 3 × 4`: words before a number are no factor of it.
    kinds = [token.kind for token in side[first:]]
    if kinds == ["number"] or _is_amount(side, first, latex=False):
        return len(side)
    if kinds == ["number", "-", "number"] and not side[first + 1].apart:
        return len(side)
    numbered = side[first - 1].text.casefold().rstrip("s") in NUMBERED
    return first + 2 if numbered and kinds[:2] == ["number", "-"] else first


def _is_amount(side: Sequence[Token], first: int, *, latex: bool) -> bool:
    """Say whether a side is a number of things: `4 layers`."""
    rest = side[first:]
    return (
        len(rest) > 1
        and rest[0].kind == "number"
        and all(
            token.kind == "name"
            and not token.subscript
            and token.apart
            and len(token.text) > 1
            and (token.words or not latex)
            for token in rest[1:2]
        )
        and all(token.kind == "name" for token in rest[1:])
    )


def _is_mark(side: Sequence[Token], at: int) -> bool:
    """Say whether a dash or a star is the mark of a list."""
    return side[at].kind in {"-", "*"} and at + 1 < len(side) and side[at + 1].apart


def _name_start(words: Sequence[Token], known: Collection[str]) -> int:
    """Return where a name begins at the end of some words: the longest known, or a few."""
    for start in range(max(0, len(words) - 2 * _LONGEST_NAME), len(words)):
        if spelled(words[start:]) in known:
            return start
    return max(0, len(words) - _LONGEST_NAME)


def spelled(words: Sequence[Token]) -> str:
    """Return the words of a name in one spelling.

    Example:
        >>> from reportgen.claims._math_tokens import tokens_of
        >>> spelled(tokens_of("Nb of  Heads"))
        'nb of heads'
    """
    return " ".join(f"{t.text}_{t.subscript}" if t.subscript else t.text for t in words).casefold()


def _right_edge(
    side: Sequence[Token], run: Run, known: Collection[str], before: Sequence[Token]
) -> int:
    """Return where an expression at the beginning of a side ends."""
    if _is_next_setting(side, before):
        return 1
    if run.latex and before and _is_amount(side, 0, latex=True):
        return 1  # `= 30 epochs = 2250 steps` counts other things behind
    if run.latex:
        return len(side)
    at = _operand(side, 0, known)
    while 0 < at < len(side):
        after = at
        while after < len(side) and side[after].kind == "name" and not _tight(side, after):
            after += 1  # words behind an operand go with it if arithmetic follows
        after += after < len(side) and side[after].kind == "unit"
        if after < len(side) and side[after].kind in {"+", "-", "*", "/"}:
            end = _operand(side, after + 1, known)
            after += 1
        elif after == at and (_tight(side, at) or _is_factor(side, at, before)):
            end = _operand(side, at, known)
        else:
            return after if after > at and side[after - 1].kind == "unit" else at
        if end <= after:
            return at
        at = end
    return at


def _is_factor(side: Sequence[Token], at: int, before: Sequence[Token]) -> bool:
    """Say whether a bracket multiplies what stands before it: `6 (as expected)` is no product."""
    if side[at].kind != "(":
        return False
    result = bool(before) and side[at].apart and side[at - 1].kind == "number"
    return not result


def _tight(side: Sequence[Token], at: int) -> bool:
    """Say whether a name hangs on the number before it, as in `24dmodel`."""
    return at > 0 and side[at].kind == "name" and not side[at].apart


def _is_next_setting(side: Sequence[Token], before: Sequence[Token]) -> bool:
    """Say whether `258 n_params =` ends a setting `max = 258` and begins another equation."""
    shape = [token.kind for token in side]
    lone = [token.kind for token in before] == ["name", "="]
    if not lone or shape != ["number", "name"] or not side[1].apart:
        return False
    # `N = 2 d = 2 × 768`: a letter is a factor.
    return len(side[1].text) > 1 or bool(side[1].subscript)


def _operand(side: Sequence[Token], at: int, known: Collection[str]) -> int:
    """Return where the operand that begins at a token ends; the same index if none does."""
    start = at
    while at < len(side) and side[at].kind in {"-", "+", "sqrt", "frac", "sum", "label"}:
        at += 1
    if at >= len(side):
        return start
    kind = side[at].kind
    if kind == "number":
        at += 1
    elif kind in {"(", "{"}:
        at = _closing(side, at)
    elif kind == "name":
        at = _name_end(side, at, known)
    else:
        return start
    while at + 1 < len(side) and side[at].kind == "^":
        at = _closing(side, at + 1) if side[at + 1].kind in {"(", "{"} else at + 2
    return at


def _closing(side: Sequence[Token], at: int) -> int:
    """Return the index behind the bracket that closes the one here, or behind the last one."""
    depth = 0
    last = at + 1
    for index in range(at, len(side)):
        if side[index].kind in {"(", "{"}:
            depth += 1
        elif side[index].kind in {")", "}"}:
            depth -= 1
            last = index + 1
        if depth == 0:
            return index + 1
    # One that never closes reaches as far as arithmetic goes: its last bracket or number.
    numbers = [i + 1 for i in range(at, len(side)) if side[i].kind == "number"]
    return max([last, *numbers[-1:]])


def _name_end(side: Sequence[Token], at: int, known: Collection[str]) -> int:
    """Return where a name of several words ends: at the longest known one, or with the words."""
    end = at
    while end < len(side) and side[end].kind == "name" and (end == at or side[end].apart):
        end += 1
    if end < len(side) and side[end].kind in {"*", "/", "+", "-", ")"}:
        return end
    for stop in range(min(end, at + 2 * _LONGEST_NAME), at, -1):
        if spelled(side[at:stop]) in known:
            return stop
    return min(end, at + _LONGEST_NAME)
