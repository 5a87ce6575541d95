"""When the parts of a course happen that turns: `falls until epoch 4 and then rises`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._axes import window_of
from reportgen.claims._bind import Part
from reportgen.claims._clauses import Clause
from reportgen.claims._mentions import Mention
from reportgen.claims._predicates import Said
from reportgen.claims._scene import Scene
from reportgen.claims._times import Times, times
from reportgen.records.claim import Printed

_JOINT = gated(
    r",?\s(?:(?:and|et|but|mais)\s)?(?:then|puis|ensuite|before|avant\s(?:de|d['’])|after\swhich|après\squoi"
    r"|from\s(?:there|then)(?:\son)?|à\spartir\sde\slà)\b|,?\s(?:and|et|but|mais)\b",
    re.IGNORECASE,
)
_LATER = gated(
    r"\b(?:then|after(?:wards?|\sthat|\swhich)|thereafter|from\s(?:there|then)|again|puis|ensuite|après"
    r"(?:\scela|\sça|\squoi)?|par\sla\ssuite|à\spartir\sde\slà|de\snouveau)\b",
    re.IGNORECASE,
)
_TOPICS = ("metric", "generic", "aggregate", "split")
_RESTING = frozenset({"plateaus", "converges"})


def times_of(scene: Scene, part: Part, amounts: Sequence[Printed]) -> Times:
    """Return when a part of a clause says that its course goes on.

    What turns has a moment for each of its parts: the second one begins where the first ends.

    Args:
        scene: The block.
        part: A predicate of a course.
        amounts: The two values between which it is said to go, or none.
    """
    whole = times(scene, part.clause, part.said, amounts)
    if part.said.predicate == "overfits":
        return whole
    first, second = _turn(scene, part.before, part.said), _turn(scene, part.said, part.after)
    start = part.clause.start if first is None else first
    own = _piece(part.clause, start, part.clause.end if second is None else second)
    if first is not None and part.before is not None:
        before = _piece(part.clause, part.clause.start, first)
        return _since(_end_of(scene, before, part.before), scene, part, own, amounts) or whole
    if second is not None:
        after = _piece(part.clause, second, part.clause.end)
        return _until(times(scene, own, part.said, amounts), after) or whole
    last = scene.around.statement
    goes_on = not part.clause.first and _LATER.search(part.clause.text)
    if goes_on and whole == Times(cost=whole.cost) and last and last.window[1] is not None:
        # `It falls until epoch 4, but it rises afterwards`: the clause before has the moment.
        return Times(window=(last.window[1], None), clock=last.clock)
    return whole


def _turn(scene: Scene, one: Said | None, other: Said | None) -> int | None:
    """Return where the second of two predicates begins, if it turns a course of one subject."""
    if one is None or other is None or one.predicate == other.predicate:
        return None
    joints = [match.start() for match in _JOINT.finditer(scene.text, one.end, other.start)]
    if not joints or scene.of(joints[-1], other.start, *_TOPICS):
        return None
    return joints[-1]


def _piece(clause: Clause, start: int, end: int) -> Clause:
    text = clause.text[start - clause.start : end - clause.start]
    return replace(clause, text=text, start=start)


def _end_of(scene: Scene, before: Clause, said: Said) -> Mention | None:
    """Return the moment at which the first part of a course ends, or nothing."""
    (_, last), clock = window_of(before.text)
    if last is not None:
        return Mention(before.start, before.end, clock, str(last))
    # `At epoch 8 it falls and then rises`: what stands before both is of both.
    start = before.start if said.family == "extreme" else said.start
    moments = scene.of(start, before.end, "epoch", "step")
    return moments[-1] if moments else None


def _since(
    turn: Mention | None, scene: Scene, part: Part, own: Clause, amounts: Sequence[Printed]
) -> Times | None:
    """Return the time of what follows a turn; nothing where the turn has no moment."""
    if turn is None:
        return None
    told = times(scene, own, part.said, amounts)
    if part.said.predicate in _RESTING and told.window == (None, None):
        return Times(cost=told.cost)  # How flat the end is shows beside the whole course.
    if told.moments != (None,) or told.window[0] is not None:
        return told
    if told.window[1] is not None and told.clock != turn.slot:
        return told
    return Times(window=(float(turn.value), told.window[1]), clock=turn.slot)


def _until(told: Times, after: Clause) -> Times | None:
    """Return the time of what goes before a turn; nothing where neither part has a moment."""
    if told.moments != (None,) or told.window != (None, None):
        return told
    (first, _), clock = window_of(after.text)
    return Times(window=(None, first), clock=clock) if first is not None and first > 0 else None
