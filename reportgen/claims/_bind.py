"""From the words in a part of a sentence to what they are said of, and how surely."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reportgen.checking.numbers._gated import gated
from reportgen.claims._clauses import Clause
from reportgen.claims._predicates import Said
from reportgen.claims._scene import Scene
from reportgen.records.claim import Meaning, Statement

START = 0.95
"""How sure a binding is whose every part is said."""

_RUNS = r"(?:the\s|les\s|nos\s|our\s)?(?:seeds?|runs?|graines?|exécutions?|essais?|répétitions?)\b"
_SPREAD = gated(
    r"\b(?:spreads?|scatter|variability|variations?|dispersion|variabilité|étendue|ranges?|gaps?"
    r"|differences?|différences?|écarts?|fluctuations?)\s"
    rf"(?:between|across|over|among|of|from|entre|sur|des|d['’]une)\s{_RUNS}"
    r"|\b(?:spread|dispersion|variability|variabilité)\s(?:of|de|du)\b"
    r"|\b(?:seed|run)-to-(?:seed|run)\s(?:spread|variability|variations?|differences?)\b"
    r"|\bécarts?\sinter-?graines?\b",
    re.IGNORECASE,
)
"""How far the runs of a group lie from each other, in other words than `standard deviation`."""
_SPREADS = frozenset({"std", "var", "variance", "se", "interval"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A claim before it has its place in the file.

    Attributes:
        kind: Kind of the claim.
        start: Where its words begin in the plain text.
        end: The position behind them.
        statement: What it states; None where nothing binds it.
        confidence: How sure the binding is.
        reason: Why it cannot be checked, or empty.
    """

    kind: str
    start: int
    end: int
    statement: Statement | None = None
    confidence: float = 1.0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A predicate with the words that belong to it.

    Attributes:
        clause: The clause.
        said: The predicate; its places are those of the block's text.
        subject: Where the words begin and end that it is said of: of a second predicate
            those before the first one, unless it has its own.
        end: Where its words end.
        before: The course or superlative that the clause has before it, if any.
        after: The course behind it, if any.
    """

    clause: Clause
    said: Said
    subject: tuple[int, int]
    end: int
    before: Said | None = None
    after: Said | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A meaning and what its guesses cost in confidence."""

    meaning: Meaning
    cost: float = 0.0


def bind(scene: Scene, clause: Clause, start: int, end: int) -> Bound:
    """Bind metric, split, aggregate and moment of a part of a clause.

    What the part does not say is taken from the clause, its sentence, then from what was
    spoken of before; each step away costs confidence.
    """
    metric, cost = _metric(scene, clause, start, end)
    split, more = _split(scene, clause, start, end)
    epochs = scene.values(clause.start, clause.end, "epoch")
    steps = scene.values(clause.start, clause.end, "step")
    seeds = scene.values(clause.start, clause.end, "seed")
    aggregate = _aggregate(scene, start, end)
    if not seeds and not aggregate:
        # `With seed 44 A overfits, while its training loss falls`.
        seeds = scene.values(clause.sentence[0], clause.start, "seed")
    return Bound(
        meaning=Meaning(
            metric=metric,
            split=split,
            aggregate=aggregate,
            selection=_selection(scene, clause.start, clause.end),
            epoch=float(epochs[0]) if len(epochs) == 1 else None,
            seed=int(float(seeds[0])) if len(seeds) == 1 else None,
            step=int(float(steps[0])) if len(steps) == 1 and not epochs else None,
        ),
        cost=cost + more,
    )


def _metric(scene: Scene, clause: Clause, start: int, end: int) -> tuple[str, float]:
    for cost, span in _spans(clause, start, end):
        found = scene.values(*span, "metric")
        if found and found[-1] == "precision" and _is_accuracy(scene, span):
            return "accuracy", cost + 0.05
        if found:
            return found[-1], cost if len(found) == 1 else cost + 0.25
    return scene.around.metric, 0.07


def _is_accuracy(scene: Scene, span: tuple[int, int]) -> bool:
    """Say whether `précision` is meant as French reports mean it that know no recall."""
    words = scene.text[slice(*span)].lower()
    return "précision" in words and "recall" not in scene.values(0, len(scene.text), "metric")


def _split(scene: Scene, clause: Clause, start: int, end: int) -> tuple[str, float]:
    """Return the split that is spoken of; of two none, for readings of both are legal."""
    for cost, span in _spans(clause, start, end):
        found = scene.values(*span, "split")
        if found:
            return (found[0], cost) if len(found) == 1 else ("", cost + 0.1)
    return scene.around.split, 0.05


def _spans(clause: Clause, start: int, end: int) -> tuple[tuple[float, tuple[int, int]], ...]:
    """Return where the words may stand that a part of a clause leaves out, and the cost."""
    return (
        (0.0, (start, end)),
        (0.0, (clause.start, clause.end)),
        (0.03, (clause.sentence[0], clause.start)),
    )


def said_of_spreads(scene: Scene, start: int, end: int) -> bool:
    """Say whether words tell of a standard deviation or of how far runs lie from each other."""
    return _aggregate(scene, start, end) == "std"


def _aggregate(scene: Scene, start: int, end: int) -> str:
    if _SPREAD.search(scene.text, start, end):
        return "std"
    for value in scene.values(start, end, "aggregate"):
        if value in _SPREADS:
            return "std"
        if value in {"mean", "difference", "median", "min", "max"}:
            return value
    return ""


def _selection(scene: Scene, start: int, end: int) -> str:
    """Return how a clause says that its values were chosen; `better results` says nothing."""
    found = set()
    for mention in scene.of(start, end, "selection"):
        behind = scene.of(mention.end, mention.end + 24, "metric", "split")
        near = bool(behind) and behind[0].start - mention.end <= 1
        alone = " " not in scene.text[mention.start : mention.end].strip()
        if mention.value == "last" or (mention.value == "best" and (near or not alone)):
            found.add(mention.value)
    return found.pop() if len(found) == 1 else ""


def confidence(*bounds: Bound, extra: float = 0.0) -> float:
    """Return how sure a statement is of which these are the parts.

    Example:
        >>> confidence(Bound(meaning=Meaning(), cost=0.05), extra=0.1)
        0.8
    """
    worst = max((bound.cost for bound in bounds), default=0.0)
    return round(max(0.1, START - worst - extra), 2)
