"""The metric by which a sentence says that its step was chosen: `at the lowest validation loss`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._mentions import mentions
from reportgen.records.claim import Claim, Meaning
from reportgen.runs import direction_of

_MOMENT = r"(?:epoch|step|checkpoint|iteration|update|evaluation)s?"
_MOMENT_FR = r"(?:[ée]poque|pas|[ée]tape|checkpoint|it[ée]ration|point de contr[ôo]le)s?"
_UP, _DOWN = r"highest|maximal|maximum|max\.?|largest", r"lowest|minimal|minimum|min\.?|smallest"
_EXTREME = rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN})|best)"
_OWN = r"(?:(?:the|its|their|each run['’]s)\s)?"
_ON = r"(?:validation|valid|val|dev|development)"
_WHAT = rf"(?P<what>{_ON}[\s_-][^\W\d_]+(?:[\s_-](?:loss|score|rate|error))?)"
_WHAT_FR = (
    r"(?P<what>(?:[^\W\d_]+\s){0,1}[^\W\d_]+\s(?:(?:de|en|sur)\s(?:la\s)?)?validation"
    r"|[^\W\d_]+\s(?:validation|val))"
)
_EXTREME_FR = (
    r"(?:(?P<up>plus\s(?:haute?|[ée]lev[ée]e?|grande?)|maximale?)"
    r"|(?P<down>plus\s(?:basse?|bas|faible|petite?)|minimale?)|meilleure?)"
)
_SAID = (
    gated(rf"\b(?:at|{_MOMENT}\s(?:with|of))\s{_OWN}{_EXTREME}\s{_WHAT}\b", re.IGNORECASE),
    gated(
        rf"\b{_MOMENT}\s(?:where|when|at\swhich|with)\s{_OWN}{_WHAT}\s(?:is|was|were)\s(?:the\s)?"
        rf"{_EXTREME}(?!\w)",
        re.IGNORECASE,
    ),
    gated(
        rf"\b(?:selected|chosen|picked)\s(?:by|on|using|according\sto)\s{_OWN}"
        rf"(?:{_EXTREME}\s)?{_WHAT}\b",
        re.IGNORECASE,
    ),
    gated(
        rf"\b{_MOMENT_FR}\s(?:(?:de|avec|à)\s)(?:la\s|l['’])?{_EXTREME_FR}\s{_WHAT_FR}\b",
        re.IGNORECASE,
    ),
    gated(
        rf"(?<!\w)(?:à|{_MOMENT_FR}\s(?:de|avec|où|à))\s(?:la\s|l['’])?{_WHAT_FR}\s(?:est\s)?"
        rf"(?:la\s)?{_EXTREME_FR}(?!\w)",
        re.IGNORECASE,
    ),
)
_OTHERWISE = gated(
    r"\b(?:not|nor|instead|rather|unlike|whereas|than|versus|vs|compared|pas\scelles?|plutôt|lieu"
    r"|contrairement)\b",
    re.IGNORECASE,
)
"""Words by which a sentence may speak of another choice than its own."""


def with_chosen_by(claim: Claim, logged: Collection[str]) -> Claim:
    """Return a claim that knows the metric by which its best step was chosen, where that is said.

    Where the words name two choices, or a metric beside the two that belong together, nothing is
    certain and the claim stays as it is.

    Args:
        claim: With a value at a best step.
        logged: Metrics of the logs.

    Example:
        >>> from reportgen.records.manuscript import Place
        >>> claim = Claim(kind="metric_value", quote="83.5", place=Place(line=1),
        ...               content=Meaning(metric="accuracy", selection="best"),
        ...               hints={"sentence": "83.5 at the lowest validation loss"})
        >>> with_chosen_by(claim, {"accuracy", "loss"}).content.chosen_by
        'loss'
    """
    meaning = claim.content
    if not isinstance(meaning, Meaning) or meaning.selection != "best" or meaning.step is not None:
        return claim
    words = ("column", "row", "caption") if claim.table is not None else ("sentence",)
    text = ". ".join(filter(None, (claim.hints.get(name, "") for name in words)))
    chosen = _one(chosen_in(text))
    named = {mention.value for mention in mentions(text) if mention.slot == "metric"}
    if not chosen or not named <= {chosen, meaning.metric} or _OTHERWISE.search(text):
        return claim
    if chosen == "perplexity" and chosen not in logged:
        chosen = "loss"  # The one is lowest where the other is.
    return replace(claim, content=replace(meaning, chosen_by=chosen)) if chosen in logged else claim


def chosen_in(text: str) -> frozenset[str]:
    """Return the metrics by which a text says that steps were chosen.

    Example:
        >>> sorted(chosen_in("at the epoch with the best validation accuracy"))
        ['accuracy']
        >>> chosen_in("the best validation accuracy is 87.3")
        frozenset()
    """
    found = set()
    for pattern in _SAID:
        for match in pattern.finditer(text):
            named = [m.value for m in mentions(match["what"]) if m.slot == "metric"]
            wrong = match["up"] if named and direction_of(named[0]) == "lower" else match["down"]
            # Who says `at the highest validation loss` speaks of no choice of the best step.
            found |= set(named[:1]) if named and not wrong else set()
    return frozenset(found)


def _one(found: Collection[str]) -> str:
    return next(iter(found)) if len(found) == 1 else ""
