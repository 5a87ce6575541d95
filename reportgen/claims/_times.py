"""When a sentence says that something happens: at an epoch, from one on, between two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._number_words import WORD_VALUES
from reportgen.claims._axes import window_of
from reportgen.claims._clauses import Clause
from reportgen.claims._mentions import Mention
from reportgen.claims._predicates import Said
from reportgen.claims._scene import Scene
from reportgen.records.claim import Meaning, Printed

_SETTLING = frozenset({"converges", "plateaus", "overfits"})
_EARLY = gated(
    r"\b(?:at\s(?:the\s)?(?:very\s)?(?:beginning|start|first)|early|initially|au\s(?:tout\s)?début|d'abord"
    r"|in\sthe\sfirst|at\sfirst|then|puis|ensuite|at\sthe\send|towards?\sthe\send|later|à\sla\sfin)\b",
    re.IGNORECASE,
)
_ENDS = gated(r"\bthan\sat\sthe\s|\bqu'(?:au|à\sla)\s", re.IGNORECASE)
_BEFORE = gated(r"\b(?:before|avant)\b", re.IGNORECASE)
MOST = 6
"""Moments of one sentence that are followed up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """When something is said to happen.

    Attributes:
        moments: Single moments, a statement each; None is no moment in particular.
        window: First and last epoch, or step.
        clock: What the window counts.
        cost: What words such as `at the beginning` leave open.
    """

    moments: tuple[Mention | None, ...] = (None,)
    window: tuple[float | None, float | None] = (None, None)
    clock: str = "epoch"
    cost: float = 0.0


def times(scene: Scene, clause: Clause, said: Said, amounts: Sequence[Printed]) -> Times:
    """Return when a clause says that something happens.

    Args:
        scene: The block.
        clause: The clause.
        said: The predicate.
        amounts: The two values between which it is said to go, or none.
    """
    window, clock = window_of(clause.text)
    vague = _EARLY.search(clause.text) and not _ENDS.search(clause.text)
    cost = 0.4 if vague and window == (None, None) else 0.0
    moments = [
        m
        for m in scene.of(clause.start, clause.end, "epoch", "step")
        if scene.text[m.start : m.end].lower() not in WORD_VALUES
    ]
    if len(amounts) == 2:
        beside = _beside(moments, amounts)
        if _counts(clause.text, window, beside):
            return Times(window=window, clock=clock, cost=cost)
        return replace(beside, cost=cost)
    if window != (None, None):
        moment = _edge(window[0], clock) if said.predicate == "overfits" else None
        return Times(moments=(moment,), window=window, clock=clock, cost=cost)
    if not moments:
        return Times(cost=cost)
    if said.predicate in _SETTLING:
        first = moments[0]
        if said.predicate == "overfits":
            return Times(moments=(first,), cost=cost)
        return Times(window=(float(first.value), None), clock=first.slot, cost=cost)
    kinds = {m.slot for m in moments}
    kept = [m for m in moments if m.slot == "epoch" or "epoch" not in kinds]
    return Times(moments=tuple(kept[:MOST]), cost=cost)


def _counts(text: str, window: tuple[float | None, float | None], beside: Times) -> bool:
    """Say whether the time of a change is what the whole clause says, and not beside its values.

    `From 41.8 to 68.7 between epochs 1 and 5`, `up to step 500 (from 0.87 to 0.98)`.
    """
    first, last = window
    if first is not None and last is not None:
        return beside.window[0] is None
    told = first is not None and first < 0
    told |= last is not None and not _BEFORE.search(text)
    return told and beside.window == (None, None)


def _edge(value: float | None, clock: str) -> Mention | None:
    return None if value is None else Mention(0, 0, clock, str(value))


def _beside(moments: Sequence[Mention], amounts: Sequence[Printed]) -> Times:
    """Return the moments of `from 4.25 at epoch 1 to 0.58 at epoch 5`."""
    first, last = amounts
    between = [m for m in moments if first.end <= m.start and m.end <= last.start]
    behind = [m for m in moments if last.end <= m.start]
    start = float(between[0].value) if between else None
    end = float(behind[0].value) if behind else None
    clock = next((m.slot for m in (*between, *behind)), "epoch")
    return Times(window=(start, end), clock=clock)


def at(meaning: Meaning, mention: Mention | None) -> Meaning:
    """Return a meaning at a moment that is mentioned, and at no other."""
    bare = replace(meaning, selection="", epoch=None, step=None)
    if mention is None:
        return bare
    if mention.slot == "selection":
        return replace(bare, selection="last")
    number = float(mention.value)
    return (
        replace(bare, step=int(number)) if mention.slot == "step" else replace(bare, epoch=number)
    )
