"""Where mathematics stands in a block: chains of equal sides, and formulas on their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.claims._expressions import without_tags
from reportgen.claims._math_sentences import computing
from reportgen.claims._math_tokens import LONGEST, Token, is_latex, tokens_of
from reportgen.claims._math_words import SENTENCE
from reportgen.records.manuscript import Block

_INLINE = re.compile(r"\$([^$]{1,1500})\$")
_SCALED = re.compile(r"(?<=\d)\$(\s?(?:[kKM](?![^\W_])|millions?\b))")
"""The unit behind a number set in LaTeX: `$… = 5.12$M`."""
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_COMMENT = re.compile(r"#")
_PLAIN = re.compile(r"[^\W\d_]{3,}|[×·−]")
"""What nobody types in LaTeX without a command."""
_OPERATORS = frozenset("+-*/^=")
_SPREADS = frozenset({"±", "pm", "+/-", "+-"})
_STARTS_OPEN = re.compile(
    r"(?:[\s&]|\\q?quad|\{\}|\\[,;:!]){0,40}(?:\\left\.)?\s{0,4}(?:=|≈|\+|×|\*|/|[-−]\s|\\times|\\cdot|\\approx)"
)
_ENDS_OPEN = re.compile(r"(?:=|\+|×|\*|/|[-−]|\(|\[|\\times|\\cdot|\\approx)[\s&$]{0,40}$")
_OPENS_EQUATION = re.compile(r"[\s•#-]{0,12}[^=\n]{1,60}=")


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens of one block in which an equation or a formula may stand.

    Attributes:
        text: The block's text, where the tokens have their positions.
        tokens: Without what is no arithmetic.
        latex: Letters side by side are factors.
        display: It stands apart from sentences.
        code: It stands in a listing.
        cell: Row and column, in a table.
    """

    text: str
    tokens: tuple[Token, ...]
    latex: bool
    display: bool = False
    code: bool = False
    cell: tuple[int, int] | None = None


def runs_of(block: Block, style: NumberStyle, *, typeset: bool = False) -> Iterator[Run]:
    """Yield the runs of mathematics of a block, in order of their kind and place.

    Args:
        block: Any but a table.
        style: How the report writes decimals.
        typeset: The report is written in LaTeX or Markdown, so that its displays are LaTeX even
            where nothing in them shows it.
    """
    text = _ADDRESS.sub(_blank, without_tags(block.text))
    text = _SCALED.sub(r"\1$", text)
    display, code = block.type == "equation", block.type in {"code", "output"}
    if display or code:
        latex = display and (is_latex(text) or (typeset and not _PLAIN.search(text)))
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
        spans = [(0, len(part))] if latex else computing(part)
        if not spans:
            continue
        tokens = tokens_of(part, style, latex=latex, spans=spans, shift=start + offset)
        for found in _cut(tokens, latex=latex):
            yield Run(text, tuple(found), latex, display, code)


def _cut(tokens: list[Token], *, latex: bool) -> Iterator[list[Token]]:
    """Yield the stretches of tokens that may be arithmetic."""
    found: list[Token] = []
    last = ""
    spread = False
    for token in tokens:
        # The 1 of `Top-1` and `recall@1` is no number.
        glued = last in {"-", "@"} and token.kind == "number" and not token.apart
        last = token.text if token.kind == "other" else ""
        if glued or token.kind == "other" or _is_sentence(token, latex=latex):
            # `79.5 ± 4.3 × 0.5 = 79.5 ± 2.15` is no chain: what stands beside `±` is a part.
            beside = token.text in _SPREADS
            if not spread and not beside:
                yield from _apart(_before_open(found))
            found, spread = [], beside
        elif found or token.kind not in {")", "}"}:
            found.append(token)
    if not spread:
        yield from _apart(found)


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
