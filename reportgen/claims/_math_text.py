"""Mathematics as a line of plain text, for quotes and messages."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.checking.numbers._numbers import shown_number
from reportgen.claims._math_tokens import Token, tokens_of

_JOINTS = {"*": " × ", "+": " + ", "-": " − ", "=": " = ", "/": "/", "^": "^"}


def bare(tokens: Sequence[Token]) -> list[Token]:
    """Drop braces that no fraction, root or exponent owns: readers do not see them."""
    kept: list[Token] = []
    # For each open brace: whether it is shown, and whether a second argument is due behind it.
    stack: list[tuple[bool, bool]] = []
    due = False
    for token in tokens:
        last = kept[-1].kind if kept else ""
        if token.kind == "{":
            first = last == "frac"
            shown = first or due or last in {"sqrt", "^"}
            stack.append((shown, first))
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
    return kept


def readable(text: str) -> str:
    r"""Return mathematics without its commands.

    Example:
        >>> readable(r"N \times \left[\underbrace{3 d_{model}^2}_{attention} + \frac{1}{2}\right]")
        'N × [3d_model^2 + 1/2]'
    """
    return as_text(tokens_of(text))


def as_text(tokens: Sequence[Token]) -> str:
    r"""Return tokens as a line of text, without the labels of braces.

    Example:
        >>> as_text(tokens_of(r"16\,384 \times 2 = 32{,}768 \text{ weights}"))
        '16 384 × 2 = 32,768 weights'
    """
    parts: list[str] = []
    last: Token | None = None
    shown = bare([t for t in tokens if t.kind != "label"])
    for index, token in enumerate(shown):
        single = _is_single(shown, index)
        word = "" if single else _word(token)
        tight = last is not None and last.kind == "number" and (token.subscript or not token.apart)
        if last is not None and token.kind == "{" and last.kind == "}":
            parts.append("/")
        elif _is_operand(last) and token.kind in {"name", "number", "("} and not tight:
            space = token.apart or token.kind != "("
            parts.append(" " if space else "")
        signed = token.kind in {"+", "-"} and (last is None or last.kind in {"(", "{", "=", "^"})
        parts.append(word.strip() if signed else word)
        last = token
    return "".join(parts).strip()


def _is_single(tokens: Sequence[Token], index: int) -> bool:
    """Say whether a brace holds one token only, so that no bracket need stand for it."""
    other = {"{": index + 2, "}": index - 2}.get(tokens[index].kind, -1)
    return 0 <= other < len(tokens) and {tokens[index].kind, tokens[other].kind} == {"{", "}"}


def _is_operand(token: Token | None) -> bool:
    return token is not None and token.kind in {"name", "number", ")", "}"}


def _word(token: Token) -> str:
    """Return one token as it is shown."""
    match token.kind:
        case "name":
            return f"{token.text}_{token.subscript}" if token.subscript else token.text
        case "number":
            return shown_number(token.text)
        case "{" | "}":
            return {"{": "(", "}": ")"}[token.kind]
        case "frac":
            return ""
        case "sqrt":
            return "√"
        case "sum":
            return "Σ "
        case "unit":
            return " %"
    return _JOINTS.get(token.kind, token.text)
