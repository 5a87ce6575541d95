"""Sentences that say which runs diverged, how many, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._number_words import WORD_VALUES
from reportgen.claims._axes import is_general
from reportgen.claims._bind import Draft
from reportgen.claims._clauses import Clause
from reportgen.claims._scene import MASK, Scene
from reportgen.claims._some_seeds import excluded
from reportgen.records.claim import Meaning, Statement

_SURE = 0.9
_RUNS = rf"(?:runs?|seeds?|trainings?|trials?|exécutions?|graines?|entraînements?|{MASK}+)"
_VERB = gated(
    r"\bdiverge[sd]?\b(?!\s(?:from|between|at\swhich|(?:(?!with|for|in|on)\w+\s)?(?:run|seed|training)s?\b))"
    r"|\bdivergée?s?\b|\bdivergent\b(?!\s(?:de|du|des)\b)",
    re.IGNORECASE,
)
_WHOSE = r"(?:\s(?:of|with|de|du|avec|for|pour|in)\s[^.;:,()\d]{1,40}?)?"
_HAS = r"\s(?:(?:has|have|had|also|even|clearly|ever|a|ont|avait|n'a|n'ont|ne|jamais)\s){0,2}$"
"""What may stand between runs and the verb that is theirs."""
_NO_OBJECT = "".join(
    rf"(?<!\b{word}\s)"
    for word in ("from", "of", "in", "over", "with", "de", "sur", "seed", "run", "graine")
)
_NONE = gated(
    rf"\b(?:no|none\sof(?:\s(?:the|our|its))?|neither\sof\s(?:the|our))\s(?:[^\s\d.;:,()]+\s){{0,3}}?{_RUNS}{_WHOSE}{_HAS}"
    rf"|\baucune?\s(?:des\s|de\snos\s)?(?:[^\s\d.;:,()]+\s){{0,2}}?{_RUNS}{_WHOSE}{_HAS}",
    re.IGNORECASE,
)
_NOT = gated(
    r"\b(?:did|do|does|has|have)\s(?:not|never)\s$|\b(?:never|didn't|doesn't|hasn't)\s$"
    r"|\bn'(?:a|ont)\s(?:pas|jamais)\s$|\bne\s$",
    re.IGNORECASE,
)
_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(sorted(map(re.escape, WORD_VALUES), key=len, reverse=True))})"
_COUNT = gated(
    rf"\b{_NO_OBJECT}(?:(?P<some>{_NUMBER})\s(?:(?:out\s)?of\s(?:the\s|our\s|its\s)?|sur\s|des\s|de\snos\s)"
    rf"(?:(?P<every>{_NUMBER})\s)?(?:[^\s\d.;:,()]+\s){{0,2}}?{_RUNS}"
    rf"|(?P<alone>{_NUMBER})\s(?:[^\s\d.;:,()]+\s){{0,2}}?{_RUNS}){_WHOSE}{_HAS}",
    re.IGNORECASE,
)
_A_NAME = re.compile(
    r"\b(?:under|in|of|the|called|named|folder|sous|dans|de|les|la|le|dossier)\s[\"'`“«]?$",
    re.IGNORECASE,
)
"""Before the name of a folder, or an adjective."""
_OTHERWISE = gated(
    r"\b(?:except\w*|excluding|besides|apart|sauf|excepté|hormis|almost|nearly|presque|failed"
    r"|restart\w*|re-?r[au]n|relaunch\w*|replaced|discarded|removed|excluded|dropped|relanc\w+|remplac\w+|exclue?s?"
    r"|écartée?s?|learning\srates?|taux\sd'apprentissage)\b",
    re.IGNORECASE,
)
"""Runs that are not among the logs, or that a sentence takes out of what it says."""


def divergences(scene: Scene, clause: Clause) -> Iterator[Draft]:
    """Yield what a clause says of runs that diverged: `seed 3 diverged`, `no run diverged`."""
    verb = _VERB.search(scene.text, clause.start, clause.end)
    if verb is None or _OTHERWISE.search(scene.text, *clause.sentence):
        return
    lead = scene.text[clause.start : verb.start()]
    if (
        is_general(lead)
        or _A_NAME.search(lead)
        or excluded(scene.text, *clause.sentence) is not None
    ):
        return
    groups = scene.values(clause.start, clause.end, "group")
    # The places of `one run diverged (A, seed 3)` stand behind the verb; of `seed 3 diverged,
    # seeds 1 and 2 ended at 0.8` those behind it are of others.
    seeds = scene.values(clause.start, verb.start(), "seed") or scene.values(
        clause.start, clause.end, "seed"
    )
    share = _share(lead)
    denied = bool(_NOT.search(lead)) and not _NONE.search(lead)
    if denied and share is not None:
        return  # `Two runs did not diverge` counts those that converged.
    if len(groups) > 1 or not (seeds or share) or (share and seeds and share[0] != len(seeds)):
        return
    group = "".join(groups)
    named = tuple(Meaning(group=group, seed=int(float(seed))) for seed in seeds)
    statement = Statement(
        predicate="diverges",
        subjects=named or (Meaning(group=group),),
        share=share,
        denied=denied,
    )
    yield Draft(
        kind="trend",
        start=clause.start,
        end=clause.end,
        statement=statement,
        confidence=_SURE,
    )


def _share(lead: str) -> tuple[int, int] | None:
    """Return how many of how many runs are said to have diverged; 0 of so many as there are.

    Example:
        >>> _share("No run "), _share("Two of the five runs "), _share("One run of A ")
        ((0, 0), (2, 5), (1, 0))
        >>> _share("Seed 3 ") is None
        True
    """
    if _NONE.search(lead):
        return 0, 0
    match = _COUNT.search(lead)
    if match is None:
        return None
    return _value(match["some"] or match["alone"]), _value(match["every"] or "0")


def _value(word: str) -> int:
    return int(word) if word.isdigit() else WORD_VALUES[word.lower()]
