"""The worst run of one group held against the best run of another: all against all, or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._bind import Bound, Draft, bind, confidence
from reportgen.claims._clauses import Clause
from reportgen.claims._scene import Scene
from reportgen.records.claim import Statement

_RUN = r"(?:seed|run|graine|exécution)"
_WHOSE = r"\s(?:of|de|d['’])\s?(?:the\s|l[ea]\s)?(?P<{}>[^;:.]{{1,60}}?)(?:\s\([^()]{{0,40}}\))?"
_PATTERN = gated(
    rf"\b(?P<first>worst|best|pire|meilleure?)\s{_RUN}{_WHOSE.format('ours')}"
    r"\s(?:is|was|stays?|remains?|lies|est|reste)\s(?:(?:still|even|also|always|encore|toujours|même)\s)?"
    r"(?P<said>above|below|better\sthan|worse\sthan|ahead\sof|behind|au-dessus\sde|en\s?-?dessous\sde"
    r"|au-dessous\sde|(?:meilleure?|moins\sbonne|pire)\sque|devant|derrière)\s(?:the\s|l[ea]\s)?"
    rf"(?P<second>worst|best|pire|meilleure?)\s{_RUN}{_WHOSE.format('theirs')}(?=$|[\s,;.])",
    re.IGNORECASE,
)
_BETTER = re.compile(r"above|better|ahead|au-dessus|meilleur|devant", re.IGNORECASE)
_BY_SIZE = re.compile(r"above|below|dess[ou]", re.IGNORECASE)
_HIGH_IS_GOOD = gated(r"%|\b(?:accuracy|f1|auc|exactitude)\b", re.IGNORECASE)
_LOW_IS_GOOD = gated(
    r"\b(?:loss|perte|errors?|erreur|wer|cer|mae|rmse|perplexity|perplexité)\b", re.IGNORECASE
)


def worst_and_best(scene: Scene, clause: Clause) -> Iterator[Draft]:
    """Yield what a clause says of the worst run of one group and the best run of another.

    The worst of A is better than the best of B where every run of A is better than every run of B;
    it is worse where that is not so.
    """
    text = scene.text[clause.start : clause.sentence[1]]
    match = _PATTERN.search(text)
    if match is None or not _is_plain(match, text):
        return
    worst = [match[name].lower() in {"worst", "pire"} for name in ("first", "second")]
    groups = [
        scene.values(clause.start + match.start(side), clause.start + match.end(side), "group")
        for side in ("ours", "theirs")
    ]
    if worst[0] == worst[1] or any(len(found) != 1 for found in groups):
        return
    better = bool(_BETTER.match(match["said"]))
    bound = bind(scene, clause, clause.start, clause.start + match.end())
    yield Draft(
        kind="comparison",
        start=clause.start + match.start(),
        end=clause.start + match.end(),
        statement=_statement(bound, groups[0][0], groups[1][0], worst=worst[0], better=better),
        confidence=confidence(bound),
    )


def _is_plain(match: re.Match[str], text: str) -> bool:
    """Say whether `above` means better: it does of an accuracy, and not of a loss."""
    if not _BY_SIZE.search(match["said"]):
        return True
    return bool(_HIGH_IS_GOOD.search(text)) and not _LOW_IS_GOOD.search(text)


def _statement(bound: Bound, ours: str, theirs: str, *, worst: bool, better: bool) -> Statement:
    meaning = replace(bound.meaning, seed=None, aggregate="", selection="")
    return Statement(
        predicate="better" if worst else "worse",
        subjects=(replace(meaning, group=ours), replace(meaning, group=theirs)),
        every=True,
        over=("runs",),
        denied=worst != better,
    )
