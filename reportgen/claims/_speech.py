"""How a sentence speaks: of fact or of what would be, of a result or of something counted."""

from __future__ import annotations

import re

from reportgen.claims._mentions import Mention
from reportgen.records.claim import Printed

_SUPPOSED = re.compile(
    r"\b(?:would|could|should|might|may\sreach|if|hypothetical(?:ly)?|target|goal|threshold"
    r"|seuil|paper|papers|literature"
    r"|reported\s(?:in|by)|state[\s-]of[\s-]the[\s-]art|sota|authors?|auteurs?|previous\swork"
    r"|according\sto|selon|serait"
    r"|aurait|devrait|pourrait|article|leaderboard|suppose|assum\w+|for\sexample|e\.g\."
    r"|par\sexemple|smoothed|liss\w+"
    r"|smoothing|instead|chance|guess\w*|hasard|coin|classmates?|other\sgroups?)\b|\bet\sal\b"
    r"|\b(?:in|by|from|of|dans|par|de)\s\[\d{1,3}",
    re.IGNORECASE,
)
_CHANCE = re.compile(
    r"\b(?:chance|random\sguess\w*|guessing|hasard|coin[\s-]?flip|majority\sclass"
    r"|classe\smajoritaire|random\sclassifier)\b",
    re.IGNORECASE,
)
_EXTREME = re.compile(
    r"\b(?:largest|biggest|smallest|highest|lowest|maximum|minimum|maximal|minimal|max|min"
    r"|plus\s(?:grande?|petite?))\b",
    re.IGNORECASE,
)
_OF_EXAMPLES = re.compile(r"\b(?:wilson|binomial\w*|clopper|bootstrap\w*|wald)\b", re.IGNORECASE)
_EVERY_SEED = re.compile(
    r"\b(?:for|on|in|of|with|pour|sur)?\s?(?:each|every|all|chaque|toutes?\sles"
    r"|tous\sles)\s(?:of\s)?(?:the\s|our\s|les\s)?"
    r"(?:\w{1,8}\s)?(?:seeds?|runs?|graines?|models?|initiali[sz]ations?)\b",
    re.IGNORECASE,
)
_MARKS = re.compile(
    r"(?:[\s\u00a0\u202f~$]{0,3}(?:\\?%|percent(?:age)?|per\scent|pour[\s-]?cents?"
    r"|[)\]}\"'”’»*†‡]|\^\w)){0,6}",
    re.IGNORECASE,
)
_MAY_FOLLOW = re.compile(
    r"\s*(?:$|[.,;:)\]!?/|±&$\\+=<>→⇒←{}\"'“”«»*†‡–—-]|\n|\("
    r"|(?:in|on|at|for|with|without|over|after|by|to|from|and|or|while|whereas|which|when|where"
    r"|but|against|versus|vs"
    r"|compared|than|is|was|are|were|has|had|as|using|across|under|during|throughout|between"
    r"|respectively|on\saverage"
    r"|obtained|reached|achieved|measured|computed|averaged|evaluated|observed|recorded"
    r"|reported|mesurée?s?|calculée?s?|best|mean|average|only|for|per|before|because|since|so"
    r"|if|then|both|instead|too|also"
    r"|et|sur|en|pour|avec|sans|après|à|au|aux|par|contre|qui|tandis|alors|mais|dans|lors|chez"
    r"|ou|soit|respectivement"
    r"|obtenue?s?|atteinte?s?|car|est|sont|était|seulement|environ|depuis|le|la|les|du|des|the"
    r"|there|here|,)(?![^\W_]))",
    re.IGNORECASE,
)
_OF = re.compile(r"\s*(?:of|de|d['’]|du|des)(?:\s|(?<=['’]))", re.IGNORECASE)
_COMPARATIVE = re.compile(
    r"[\s%\\]*(?:percentage\s|percent\s)?(?:points?|pts|pp)?\s?(?:of\s(?:accuracy|difference|improvement)\s)?"
    r"(?:better|higher|lower|worse|more|less|greater|smaller|above|below|ahead|behind|faster"
    r"|slower|increase|decrease|improvement"
    r"|gain|drop|gap|difference|relative|absolute|supérieure?s?|inférieure?s?|meilleure?s?"
    r"|de\splus|de\smoins|plus\s|moins\s"
    r"|d['’]écart|de\sdifférence|d['’]amélioration|x\b|times)",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?:by|de|d['’]environ|by\s(?:about|around|almost|nearly|roughly|over"
    r"|more\sthan))\s[$+~(]{0,2}$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:above|below|higher|lower|better|worse|less|more|au-dessus|au-dessous|supérieure?s?"
    r"|inférieure?s?|meilleure?s?)\b[^.;()]{0,80}\(\s?$",
    re.IGNORECASE,
)
"""By how much one thing lies above another, in brackets behind both: `(−109)`."""
_CHANGES = re.compile(
    r"\b(?:increas\w+|decreas\w+|improv\w+|drop\w*|fall\w*|f[ea]ll|rise\w*|rose|gain\w*"
    r"|los[et]\w*|outperform\w*|beat\w*|exceed\w*"
    r"|surpass\w*|differ\w*|chang\w+|reduc\w+|grow\w*|augment\w+|baiss\w+|dimin\w+|améliore\w*"
    r"|dépass\w+|perd\w*|gagn\w+)\b[^.;]{0,80}$",
    re.IGNORECASE,
)
_GLUED = re.compile(
    r"[/×x*^_]$|[×*+·]\s{0,2}$|\\(?:times|cdot|frac\{)\s?$|(?<![^\W_])[^\W\d_]\s?[=<>≈]\s?[$]?$"
)
_TERM = re.compile(r"\s{0,2}(?:[+*×·]|\\times|\\cdot)\s{0,2}[\d(\\]|\s?\}\{")


def is_supposed(text: str) -> bool:
    """Say whether a sentence speaks of what would be, of others' results, of smoothed curves."""
    return bool(_SUPPOSED.search(text))


def is_extreme(text: str) -> bool:
    """Say whether words pick the largest or smallest of several values."""
    return bool(_EXTREME.search(text))


def is_of_examples(text: str) -> bool:
    """Say whether an interval is that of a finite test set, and not over runs."""
    return bool(_OF_EXAMPLES.search(text))


def is_chance(text: str) -> bool:
    """Say whether a sentence speaks of what guessing gives."""
    return bool(_CHANCE.search(text))


def speaks_of_every_seed(text: str) -> bool:
    """Say whether a sentence is about each run of a group.

    Example:
        >>> speaks_of_every_seed("For each seed the best is"), speaks_of_every_seed("seed 1")
        (True, False)
    """
    return bool(_EVERY_SEED.search(text))


def may_be_result(text: str, number: Printed, spoken: tuple[Mention, ...]) -> bool:
    """Say whether a number can be a value of a metric by the words right beside it.

    Example:
        >>> from reportgen.claims._numbers import find_numbers
        >>> text = "80.1% on test with 8 heads, 5% of the data and 3 points more"
        >>> [n.text for n in find_numbers(text) if may_be_result(text, n, ())]
        ['80.1']
    """
    if any(m.start < number.end and number.start < m.end for m in spoken):
        return False
    lead = text[max(0, number.start - 100) : number.start]
    slash = lead.endswith("/") and number.decimals > 0
    if (_GLUED.search(lead) and not slash) or _TERM.match(text, number.end):
        return False
    if number.word and number.unit != "percent":
        return False
    if _BY.search(lead) and _CHANGES.search(lead):
        return False
    if number.text[0] in "+-−" and _ASIDE.search(lead):
        return number.unit == "points"
    marks = _MARKS.match(text, number.end)
    end = marks.end() if marks else number.end
    tail = text[end : end + 60]
    if _COMPARATIVE.match(text[number.end : number.end + 60]):
        return False
    if number.unit == "points":
        return True
    near = [m for m in spoken if m.slot not in {"framework", "n", "length"}]
    if any(m.start - end in {0, 1, 2} and not text[end : m.start].strip(" -_") for m in near):
        return True
    of = _OF.match(tail)
    if of:
        first = end + of.end()
        return any(m.slot in {"metric", "generic"} and first <= m.start <= first + 20 for m in near)
    return bool(_MAY_FOLLOW.match(tail))
