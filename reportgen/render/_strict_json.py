"""Values as strict JSON: no NaN, a stable order, whole numbers without a point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from reportgen.records.formula import (
    Braced,
    Constant,
    Expression,
    Power,
    Quotient,
    Root,
    Rounded,
    Symbol,
)
from reportgen.records.quantity import Evidence
from reportgen.render._math import Token, base_tokens, tokens

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None


def strict(value: object) -> Json:
    """Return `value` as strict JSON: no NaN, no infinity, string keys, sets in order.

    A number that JSON cannot hold becomes its name, so that it is not lost.

    Example:
        >>> strict({"lr": float("nan"), 3: (1, 2)})
        {'lr': 'NaN', '3': [1, 2]}
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else _NOT_FINITE.get(value, "NaN")
        case Mapping():
            return {str(key): strict(item) for key, item in value.items()}
        case set() | frozenset():
            return sorted((strict(item) for item in value), key=repr)
        case Iterable():
            return [strict(item) for item in value]
        case _:
            return str(value)


_NOT_FINITE = {math.inf: "Infinity", -math.inf: "-Infinity"}


def number_value(value: float) -> Json:
    """Return a float as JSON prints it best: whole numbers without a point.

    Example:
        >>> number_value(675.0), number_value(0.806), number_value(float("inf"))
        (675, 0.806, 'Infinity')
    """
    if math.isfinite(value) and float(value).is_integer():
        return int(value)
    return strict(value)


def evidence_json(evidence: Evidence) -> dict[str, Json]:
    """Return one piece of evidence; its value stays in the log's own unit."""
    return {
        "path": evidence.path,
        "tag": evidence.tag,
        "step": evidence.step,
        "value": strict(evidence.value),
        "run": evidence.run,
    }


def formula_text(expression: Expression) -> str:
    """Return a formula in one line, in the operators of programming languages.

    Example:
        >>> V, d = Symbol("V"), Symbol("d", "model")
        >>> formula_text(2 * (V + 2) * d / (V * 3))
        '(2 * (V + 2) * d_model) / (V * 3)'
    """
    return _spell(tokens(expression))


_MARKS = {"+": " + ", "-": " - ", "neg": "-", "*": " * ", "/": " / "}


def _spell(pieces: tuple[Token, ...]) -> str:
    spelled = ""
    ready = False
    for piece in pieces:
        begins = not isinstance(piece, str) or piece.endswith("(")
        if ready and begins:
            spelled += " * "
        if isinstance(piece, str):
            spelled += _MARKS.get(piece, piece.removeprefix("tall"))
        else:
            spelled += _atom(piece)
        ready = not isinstance(piece, str) or piece.endswith(")")
    return spelled


def _atom(piece: Expression) -> str:
    match piece:
        case Symbol():
            return piece.key
        case Constant(value):
            return str(value)
        case Quotient(numerator, denominator):
            return f"{_part(numerator)} / {_part(denominator)}"
        case Power(_, exponent):
            return f"{_spell(base_tokens(piece))}**{exponent}"
        case Root(radicand):
            return f"sqrt({_spell(tokens(radicand))})"
        case Rounded(inner, up):
            return f"{'ceil' if up else 'floor'}({_spell(tokens(inner))})"
        case Braced(inner):
            return _spell(tokens(inner))
    raise TypeError(f"not an atom: {piece!r}")


def _part(part: Expression) -> str:
    pieces = tokens(part)
    simple = len(pieces) == 1 and not isinstance(pieces[0], Quotient | Braced)
    return _spell(pieces) if simple else f"({_spell(pieces)})"
