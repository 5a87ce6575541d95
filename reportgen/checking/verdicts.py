"""The verdict on a number, with its place and its words."""

from __future__ import annotations

from functools import lru_cache

from reportgen.records.record import replace
from reportgen.records.verdict import Number, Trace, Verdict

__all__ = ["denied", "quote_of", "verdict_on"]

_LONGEST = 200


def verdict_on(
    number: Number,
    rule: str,
    outcome: str = "traced",
    *,
    quote: str = "",
    bindings: tuple[str, ...] = (),
    traces: tuple[Trace, ...] = (),
    reason: str = "",
) -> Verdict:
    """Return a verdict on a number; it quotes the number's sentence where nothing else is given."""
    return Verdict(
        outcome=outcome,
        rule=rule,
        place=number.place,
        number=number,
        quote=_shortened(quote or number.context.sentence),
        bindings=bindings,
        traces=traces,
        reason=reason,
    )


@lru_cache(maxsize=1024)
def _shortened(words: str) -> str:
    return " ".join(words.split())[:_LONGEST]


def denied(number: Number, rule: str, trace: Trace, expected: str, quote: str = "") -> Verdict:
    """Return that a number should be another, as a warning until more speaks for it."""
    printed = number.printed.text
    return replace(
        verdict_on(number, rule, "contradicted", quote=quote, traces=(trace,)),
        level="warning",
        expected=expected,
        message=f"{printed} is printed; the evidence has {expected} ({trace.what})",
    )


def quote_of(number: Number) -> str:
    """Return what stands at a number of a table: its row, its head, its cell."""
    context = number.context
    return " | ".join(text for text in (context.row, context.head, context.sentence) if text)
