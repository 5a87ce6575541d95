"""Where mathematics stands in a block: chains of equal sides, and formulas on their own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from reportgen.claims._digits import NumberStyle
from reportgen.claims._expressions import split_sides, without_tags
from reportgen.claims._math_tokens import LONGEST, Token, is_latex, tokens_of
from reportgen.claims._math_words import SENTENCE
from reportgen.records.manuscript import Block

_INLINE = re.compile(r"\$([^$]{1,1500})\$")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_COMMENT = re.compile(r"#")
_WORD = re.compile(r"[^\W\d_]{3,}")
_OPERATORS = frozenset("+-*/^=")
_STARTS_OPEN = re.compile(
    r"[\s&]{0,40}(?:\\left\.)?\s{0,4}(?:=|≈|\+|×|\*|/|[-−]\s|\\times|\\cdot|\\approx)"
)
_ENDS_OPEN = re.compile(r"(?:=|\+|×|\*|/|[-−]|\(|\[|\\times|\\cdot|\\approx)[\s&$]{0,40}$")
_OPENS_EQUATION = re.compile(r"[\s•#-]{0,12}[^=\n]{1,60}=")
_LONGEST_NAME = 6


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens of one block in which an equation or a formula may stand.

    Attributes:
        text: The block's text, where the tokens have their positions.
        tokens: Without what is no arithmetic.
        latex: Letters side by side are factors.
        display: It stands apart from sentences.
        code: It stands in a listing.
    """

    text: str
    tokens: tuple[Token, ...]
    latex: bool
    display: bool = False
    code: bool = False


def runs_of(block: Block, style: NumberStyle, *, typeset: bool = False) -> Iterator[Run]:
    """Yield the runs of mathematics of a block, in order of their kind and place.

    Args:
        block: Any but a table.
        style: How the report writes decimals.
        typeset: The report is written in LaTeX or Markdown, so that its displays are LaTeX even
            where nothing in them shows it.
    """
    text = _ADDRESS.sub(_blank, without_tags(block.text))
    display, code = block.type == "equation", block.type in {"code", "output"}
    if display or code:
        latex = display and (is_latex(text) or (typeset and not _WORD.search(text)))
        text = _COMMENT.sub(_blank, text) if code else text
        for start, end in _rows(text, prose=False):
            yield from _runs(text, start, end, style, latex=latex, display=display, code=code)
        return
    plain = list(text)
    for match in _INLINE.finditer(text):
        outside = text[: match.start()].rstrip()[-1:], text[match.end() :].lstrip()[:1]
        if not set(outside) & _OPERATORS:
            plain[match.start() : match.end()] = _blank(match)
            yield from _runs(text, match.start(1), match.end(1), style, latex=True)
    words = "".join(plain)
    for start, end in _rows(words, prose=True):
        yield from _runs(words, start, end, style, latex=False)


def _blank(match: re.Match[str]) -> str:
    """Return a sign that nothing continues, as often as the match is long."""
    return "\x01" * len(match[0])


def _rows(text: str, *, prose: bool) -> Iterator[tuple[int, int]]:
    r"""Yield the rows of a text: lines, and lines of LaTeX, joined where one goes on.

    Lines of prose are broken anywhere, so that they are parted only before `name = …`.
    """
    start = last = 0
    depth = 0
    for match in re.finditer(r"\n|\\\\(?:\[[^\]\n]{0,12}\])?|\Z", text):
        ahead = text[match.end() : match.end() + 80]
        row = text[last : match.start()]
        depth += sum(row.count(c) for c in "([") - sum(row.count(c) for c in ")]")
        goes_on = bool(_STARTS_OPEN.match(ahead) or _ENDS_OPEN.search(row[-60:]))
        if prose:
            goes_on |= not ("=" in row and _OPENS_EQUATION.match(ahead.partition("\n")[0]))
        else:
            goes_on |= depth > 0
        last = match.end()
        if not goes_on or match.end() == len(text):
            yield start, match.start()
            start, depth = match.end(), 0


def _runs(
    text: str,
    start: int,
    end: int,
    style: NumberStyle,
    *,
    latex: bool,
    display: bool = False,
    code: bool = False,
) -> Iterator[Run]:
    """Cut a stretch of text where it is no arithmetic."""
    piece = text[start:end]
    if not (_OPERATORS | set("×·⋅x\\_²³$")) & set(piece) or not piece.strip():
        return
    for part, offset in _pieces(piece):
        found: list[Token] = []
        for token in tokens_of(part, style, latex=latex):
            if token.kind == "other" or _is_sentence(token, latex=latex):
                for tokens in _apart(_before_open(found)):
                    yield Run(text, tuple(tokens), latex, display, code)
                found = []
            elif found or token.kind not in {")", "}"}:
                at = start + offset
                found.append(replace(token, start=token.start + at, end=token.end + at))
        for tokens in _apart(found):
            yield Run(text, tuple(tokens), latex, display, code)


def _before_open(tokens: list[Token]) -> list[Token]:
    """Drop an open bracket and what is in it, where a comma or a word ends the arithmetic.

    It was a function's or a remark's: `f(x, y)`, `= 6 (as expected)`.
    """
    stack: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind in {"(", "{"}:
            stack.append(index)
        elif token.kind in {")", "}"} and stack:
            stack.pop()
    if not stack:
        return tokens
    kept = tokens[: stack[0]]
    # `f(`: the function goes with its bracket.
    if kept and kept[-1].kind == "name" and not tokens[stack[0]].apart:
        kept = kept[:-1]
    return kept


def _apart(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield a run, and on its own what stands in brackets with an equality sign in them."""
    stack: list[int] = []
    start = 0
    signs: set[int] = set()
    for index, token in enumerate(tokens):
        if token.kind == "(":
            stack.append(index)
        elif token.kind == "=" and stack:
            signs.add(stack[-1])
        elif token.kind == ")" and stack:
            opened = stack.pop()
            if opened in signs and opened >= start:
                if opened > start:
                    yield tokens[start:opened]
                yield tokens[opened + 1 : index]
                start = index + 1
    if tokens[start:]:
        yield tokens[start:]


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Cut prose that is too long for one equation at its sentences."""
    if len(text) <= LONGEST:
        yield text, 0
        return
    start = 0
    for match in re.finditer(r"[.;:!?]\s", text):
        if match.end() - start > LONGEST // 2:
            yield text[start : match.end()], start
            start = match.end()
    yield text[start : start + LONGEST], start


def _is_sentence(token: Token, *, latex: bool) -> bool:
    """Say whether a name is a word of the sentence around."""
    if token.kind != "name" or token.subscript or (latex and len(token.text) == 1):
        return False
    return any(word.casefold() in SENTENCE for word in token.text.split())


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
    """Return where the first side begins behind the words of a sentence."""
    if run.latex or not side:
        return 0
    first = 0
    while first < len(side) and side[first].kind == "name" and not side[first].subscript:
        first += 1
    if first == len(side) or side[first].kind not in _OPERATORS:
        if first == len(side) or side[first].kind == "name":
            first = min(first + 1, len(side))
            return _name_start(side[:first], known)
        # `tokens is 4 × 512`, `size: (512 × 512)`: the words are no factor.
        return first
    return _name_start(side[:first], known)


def _name_start(words: Sequence[Token], known: Collection[str]) -> int:
    """Return where a name begins at the end of some words: the longest known, or a few."""
    for start in range(max(0, len(words) - 2 * _LONGEST_NAME), len(words)):
        if spelled(words[start:]) in known:
            return start
    return max(0, len(words) - _LONGEST_NAME)


def spelled(words: Sequence[Token]) -> str:
    """Return the words of a name in one spelling.

    Example:
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
    return lone and shape == ["number", "name"] and side[1].apart


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
