"""Whether words of comparison are about values of a metric: `higher`, `gains 2 points`."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.claims._bind import Part
from reportgen.claims._scene import Scene

DIRECT = gated(
    r"perform|surpass|beat|dominat|above|below|under|ahead|top\sof|over|exceed|dépass|excède|batt|devant|tête|sur$"
    r"|dessous|dessus|sous$|behind|trails|los\w+\s(?:out\s)?(?:to|against)|perd\w*\s(?:contre|face)|catch|rattrap|improv|équivalente?s?\sà|with$",
    re.IGNORECASE,
)
_SPEAKING = gated(
    rf"{DIRECT.pattern}|gain|gagn|améliore|los(?:es?|t)$|perd(?:ent)?$", re.IGNORECASE
)
_FOLLOWS = re.compile(
    r"^\W*(?:$|(?:than|compared|overall|on|for|with|in|at|over|when|and|by|to|throughout|every|after|during|as"
    r"|that|de|du|que|qu'|à|au|aux|sur|pour|avec|en|dans|lors|après|aussi|here|too|also|during|from|of|between"
    r"|\(|each|across|the\s(?:first|second|other))\b|Ǥ)",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"^\W*(?:\w+\s){0,2}?(?:results?|performances?|scores?|values?|résultats?|generali[sz]ation|metrics?|curves?"
    r"|courbes?|numbers|figures)\b",
    re.IGNORECASE,
)
OTHER_TOPIC = gated(
    r"\b(?:learning\srates?|lr|batch(?:es)?|parameters?|paramètres?|memory|mémoire|time|temps|cost|ranks?|rang"
    r"|dropout|vocabulary|tokens?|size|taille|complexity|speed|vitesse|number\sof|nombre|dimensions?|examples?"
    r"|samples?|gradients?|t-interval|t\sinterval|wilson\sinterval|weights?|layers?|heads?)\b",
    re.IGNORECASE,
)
_ERROR = gated(r"\b(?:errors?|erreurs?|risks?|risque)\b", re.IGNORECASE)
"""Of an accuracy the error is the rest: where it is lower, the accuracy is higher."""
_CURVES = gated(
    r"\b(?:curves?|courbes?|performs?|performances?|results?|résultats?|values?|valeurs?|runs?|seeds?"
    r"|exécutions?|graines?)\b",
    re.IGNORECASE,
)
_FEW_WORDS = re.compile(
    r"^\s(?!(?:rank|batch|learning|model|number|value\sof)\w*\b)(?:(?!than\b)[\w'-]+\s){0,2}$",
    re.IGNORECASE,
)
ALIKE = frozenset({"similar", "equal", "apart"})
_PERFORMS = gated(
    r"\b(?:is|are|was|were|be|been|being|performs?|performed|performing|does|do|works?|worked|behaves?|scores?|scored"
    r"|remains?|stays?|seems?|lies?|generali[sz]es?|est|sont|fait|font|marche(?:nt)?|reste(?:nt)?|fonctionne(?:nt)?"
    r"|obtient|obtiennent|runs?|it's|he's|s'en\ssort\w*|se\scomporte\w*|perform)\s(?:[\w.%-]+\s?){0,5}$",
    re.IGNORECASE,
)
_NEEDS_METRIC = frozenset({"higher", "lower"})


def speaks_of_results(scene: Scene, part: Part) -> bool:
    """Say whether a comparative is about values of a metric, and no general knowledge."""
    clause, said, end = part.clause, part.said, part.end
    behind = scene.text[said.end : end]
    noun = scene.of(said.end, min(end, said.end + 40), "metric", "generic", "aggregate", "split")
    near = bool(noun) and bool(_FEW_WORDS.match(scene.text[said.end : noun[0].start]))
    direct = bool(_SPEAKING.search(scene.text[said.start : said.end]))
    if not (near or direct or _FOLLOWS.match(behind) or _TOPIC.match(behind)):
        return False
    lead = scene.text[clause.start : said.start]
    topics = scene.of(clause.start, end, "metric", "generic", "aggregate")
    if _ERROR.search(lead) and not any(m.slot == "metric" for m in topics):
        return False
    groups = scene.of(clause.start, end, "group")
    other = list(OTHER_TOPIC.finditer(lead))
    nearer = [m for m in (*topics, *groups) if m.end <= said.start]
    if other and not any(other[-1].end() + clause.start <= m.start for m in nearer):
        return False
    if said.predicate in _NEEDS_METRIC:
        return bool(topics or _CURVES.search(lead) or scene.of(clause.start, end, "split"))
    if topics or direct or said.predicate in ALIKE:
        return True
    return bool(groups or _CURVES.search(clause.text)) and bool(
        _PERFORMS.search(lead) or _TOPIC.match(behind)
    )
