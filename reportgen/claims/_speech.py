"""How a sentence speaks: of fact or of what would be, of a result or of something counted."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.claims._mentions import Mention
from reportgen.claims._of_nothing_named import is_of_nothing_named
from reportgen.claims._run_names import begins_with_group
from reportgen.records.claim import Printed

_SUPPOSED = gated(
    r"\b(?:would|could|should|might|may\sreach|if|hypothetical(?:ly)?|target|goal|threshold"
    r"|seuil|paper|papers|literature"
    r"|reported\s(?:in|by)|state[\s-]of[\s-]the[\s-]art|sota|authors?|auteurs?|previous\swork"
    r"|according\sto|selon|serait"
    r"|\w+[ea]?rai(?:t|ent)(?<!trait)|article|leaderboard|suppose|assum\w+|for\sexample|e\.g\."
    r"|par\sexemple|smoothed|liss\w+"
    r"|winners?|competition|competitors?|kaggle|human|humans|annotators?|experts?|teams|ceiling|plafond"
    r"|upper\sbound|lower\sbound|course\sbaseline|original\s(?:work|publication|implementation)"
    r"|smoothing|instead|chance|guess\w*|hasard|coin|classmates?|extrapolat\w+|hoped|first\sattempts?|last\syear\w*|not\slogged|(?:earlier|previous)\s(?:version|attempt|run)s?|predicts\s(?:an?|the)\s(?:\w+\s)?(?:loss|perplexity|reward|accuracy)|other\sgroups?)\b|\bet\sal\b"
    r"|\b(?:in|by|from|of|dans|par|de)\s\[\d{1,3}",
    re.IGNORECASE,
)
_CHANCE = gated(
    r"\b(?:chance|random\sguess\w*|guessing|hasard|coin[\s-]?flip|majority[\s-]class|majority\sbaseline"
    r"|classe\smajoritaire|random\sclassifier|(?:always|toujours)\spr[ée]di\w+)\b",
    re.IGNORECASE,
)
_EXTREME = gated(
    r"\b(?:largest|biggest|smallest|highest|lowest|maximum|minimum|maximal|minimal|max|min"
    r"|plus\s(?:grande?|petite?))\b",
    re.IGNORECASE,
)
_OF_EXAMPLES = gated(r"\b(?:wilson|binomial\w*|clopper|bootstrap\w*|wald)\b", re.IGNORECASE)
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
    r"\s*(?:$|[.,;:)\]!?/|±&$\\+=<>→⇒←{}\"'“”«»*†‡–—-]"
    r"|\n(?!(?-i:[a-zà-ÿ])\w*(?!\w|\s?[:=]|\s\d))|\("  # a line of prose ends anywhere
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
_OF = gated(r"\s*(?:of|de|d['’]|du|des)(?:\s|(?<=['’]))", re.IGNORECASE)
_COMPARATIVE = re.compile(
    r"[\s%\\]*(?:percentage\s|percent\s|[a-z0-9]{2,8}[\s-](?=points?\b)"
    r"|(?-i:(?=[a-z]{0,3}[A-Z])[A-Za-z0-9-]{2,8})\s(?=(?:above|below|ahead|behind|higher|lower|better|worse)\b))?"
    r"(?:points?|pts|pp)?\s?(?:of\s(?:accuracy|difference|improvement)\s)?"
    r"(?:better|higher|lower|worse|more|less|greater|smaller|above|below|ahead|behind|faster"
    r"|slower|increase|decrease|improvement"
    r"|gain|drop(?!-?out)|gap|difference|relative|absolute|supérieure?s?|inférieure?s?|meilleure?s?"
    r"|de\splus|de\smoins|plus\s|moins\s"
    r"|d['’]écart|de\sdifférence|d['’]amélioration|x\b|times|in\srelative\s|en\s(?:valeur\s)?relati)",
    re.IGNORECASE,
)
_METRIC_POINTS = re.compile(r"[\s%]{1,3}[A-Za-z][A-Za-z0-9-]{1,12}\spoints?\b", re.IGNORECASE)
"""`gains 0.4 F1 points`: by how much, and no value."""
_BY = gated(
    r"\b(?:by|de|d['’]environ|(?:by|de)\s(?:about|around|almost|nearly|roughly|over|only|just|merely"
    r"|a\smere|more\sthan|less\sthan|up\sto|seulement|moins\sde|plus\sde)"
    r"|brings?\s(?:only\s)?(?:a\smere|another|an?\s(?:extra|additional))"
    r"|par\s(?:environ\s|presque\s)?|(?:a\sfactor|un\sfacteur)(?:\s(?:of|de))?(?:\s(?:about|around|environ))?"
    r")\s?[$+~(]{0,2}$",
    re.IGNORECASE,
)
_ASIDE = gated(
    r"\b(?:above|below|higher|lower|better|worse|less|more|au-dessus|au-dessous|supérieure?s?"
    r"|inférieure?s?|meilleure?s?|plus\s(?:petite?|grande?|haute?|basse?|élevée?|faible))\b"
    r"[^.;()]{0,80}\(\s?$",
    re.IGNORECASE,
)
"""By how much one thing lies above another, in brackets behind both: `(−109)`."""
_GAINED = gated(
    r"\b(?:gains?|gained|loses?|lost|gagne(?:nt)?|perd(?:ent)?)\s(?:(?:about|around|environ|only)\s)?$",
    re.IGNORECASE,
)
_MORE_OF_THEM = re.compile(
    r"(?:\s?%?(?:,\s?(?:and\s|et\s)?|\s(?:and|et|to|à)\s|\s?[-–—]{1,3}\s?)[+−-]?\d[\d.,]{0,8}(?<=\d)){1,8}(?=\s)"
)
"""`2.5, 7.7 and 17.9 points better`: the word is behind the last of them."""
_CHANGES = gated(
    r"\b(?:increas\w+|decreas\w+|improv\w+|drop(?!-?out)\w*|fall\w*|f[ea]ll|rise\w*|rose|gain\w*"
    r"|los[et]\w*|outperform\w*|beat\w*|exceed\w*"
    r"|surpass\w*|differ\w*|chang\w+|reduc\w+|grow\w*|augment\w+|baiss\w+|dimin\w+|améliore\w*"
    r"|ahead\sof|behind|devance\w*|devant|derrière|dépass\w+|perd\w*|gagn\w+|chut\w+|recul\w+|abaiss\w+|rédui\w+|lower(?:s|ed|ing)|divi[ds]\w+|multipli\w+|brings?|halv\w+)\b[^.;]{0,80}$",
    re.IGNORECASE,
)
_LOST = gated(
    r"\b(?:accuracy|performance|f1|precision|recall|score|quality)\s(?:loss|drop|gain|decrease|increase"
    r"|reduction)\b[^.;,]{0,24}$"
    r"|\b(?:loss|perte|drop|gain|baisse)\s(?:of|in|de|d['’])\s?(?:the\s|la\s|our\s)?(?:\w+\s)?"
    r"(?:accuracy|performance|pr[ée]cision|quality|exactitude)\b[^.;,]{0,24}$",
    re.IGNORECASE,
)
_CHOSEN = gated(
    r"\b(?:learning\srates?|lr|weight\sdecay|dropout|batch\ssizes?|ranks?|alpha|patience|epsilon"
    r"|rangs?|taux\sd['’]apprentissage|tailles?\sde\s(?:lot|batch))"
    r"\s?(?:of|=|:|is|are|to|was|de|:|(?:goes|went|moves|varies|passe(?:nt)?|varie(?:nt)?|va)\s(?:from|de))?\s?"
    r"(?:[\d.,eE/×^{}$\\-]{1,12}\s?(?:and|or|et|ou|to|à)?\s?){0,6}$",
    re.IGNORECASE,
)
_WEIGHED = gated(
    r"\bweights?\s?(?:of|=|:|is|are|was|were|de)?\s?(?:\d[\d.,%]*\s?(?:and|et|,)\s)*$"
    r"|\b(?:weigh(?:ted|s|ed)|coefficients?|factors?|pond[ée]r\w+|multiplied|scaled|corr[ée]lat\w+"
    r"|pearson|spearman|threshold|seuil|margin\sof|temperature)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_WEIGHED_BY = gated(r"\bweigh\w*\b[^.;]{0,60}\b(?:by|with)\s$", re.IGNORECASE)
_UNREACHED = gated(
    r"\b(?:no|none|never|neither|cannot|not|aucune?s?|jamais|ne|n['’])\b[^.;,]{0,40}"
    r"\b(?:reach|exceed|attain|achiev|get|atteign|atteint|dépass|touch)\w*\b[^.;,]{0,40}$"
    r"|\b(?:maximum|max|highest|best)\s(?:possible|achievable|attainable)\b[^.;,]{0,30}$",
    re.IGNORECASE,
)
_OF_MEANS = gated(
    r"\b(?:advantage|lead|edge|margin|avantage|avance)\s(?:of|d[e']|du)\s?[^\d;:,.]{1,40}\b(?:over|sur)\b[^\d;:,.]{1,40}$"
    r"|\b(?:differences?|gap|différences?|écart)\s(?:of|in|between|de|des|du|entre)\s[^\d;:,.]{0,40}"
    r"\b(?:means?|averages?|moyennes?)\b[^\d;:,.]{0,80}$",
    re.IGNORECASE,
)
_PER = gated(
    r"\bcoefficients?\sof\svariation\b[^.;]{0,60}$|\bper\s\d[\d,.]*k?\s(?:steps?|episodes?|updates?)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_TO_REACH = gated(
    r"\b(?:needs?|needed|takes?|took|requires?|required|suffic\w+|enough|il\sfaut|nécessite\w*)\b[^.;]{0,50}"
    r"\b(?:to|pour)\s(?:\w+ly\s)?(?:reach|attain|achieve|(?:get|go)\s(?:to|above|over|below|under)|hit|pass|cross|fall|drop|beat|exceed|atteindre|dépasser|passer|descendre|tomber|franchir)\b[^.;,]{0,40}$"
    r"|\b(?:before|until)\s(?:it\s|they\s)?(?:reach|attain|achiev|hit|pass|exceed)\w*\b[^.;,]{0,40}$",
    re.IGNORECASE,
)
"""`needs 7 epochs to reach the 60 %`: a mark that is passed, and no result."""
_ONLY = gated(r"\bn['’](?:\w+\s){1,3}que\b|\bne\s(?:\w+\s){1,3}que\b", re.IGNORECASE)
_RELATIVE = gated(
    r"\b(?:relative?s?|relatively|proportional)\b[^.;,]{0,40}$|\brelative\s(?:to|error)\b[^.;,]{0,20}$",
    re.IGNORECASE,
)
_SHARE_OF = gated(
    r"\s*(?:of|de|du|d['’]|des)\s?(?:the\s|its\s|their\s|that\s|what\s|la\s|le\s|l['’]|sa\s|son\s|celle?\s"
    r"|(?:the\s)?[^\s,.;:()]{2,40}(?:['’]s?\s|s['’]\s))",
    re.IGNORECASE,
)
"""Behind a percentage: `94 % of BERT's F1` is a share of a value."""
_INSIDE = gated(r"\b(?:ln|log|log2|log10|exp|sqrt|softmax|sigmoid)\s?\($", re.IGNORECASE)
_KEY = re.compile(
    r"(?:[\"'](?P<quoted>[^\"'\n]{1,60})[\"']|(?<![^\W_])(?P<snake>[^\W\d_]+(?:_[^\W_]+){1,6}))\s?[:=]\s?$"
)
_GLUED = re.compile(
    r"[/×x*^_]$|[×*+·]\s{0,2}$|\\(?:times|cdot|frac\{)\s?$|(?<![^\W_])[^\W\d_σ]\s?[=<>≈]\s?[$]?$"
)
"""`σ = 0.4` gives the standard deviation of the value before it; other letters are anything."""
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


def subtracts_means(text: str, start: int, end: int) -> bool:
    """Say whether the words before a number call it a difference of means.

    Example:
        >>> text = "The difference of the mean final reward is 53"
        >>> subtracts_means(text, 0, text.index("53"))
        True
    """
    return bool(_OF_MEANS.search(text, start, end))


def _is_other(text: str, number: Printed, spoken: tuple[Mention, ...]) -> bool:
    """Say whether a number is a weight, a threshold, or the value of a key of another name."""
    first = max(0, number.start - 100)
    measured = [m for m in spoken if m.slot in {"metric", "generic", "aggregate", "average"}]
    for pattern in (_WEIGHED, _KEY):
        cue = pattern.search(text, first, number.start)
        if cue and not any(cue.start() < m.end and m.start < number.start for m in measured):
            return True
    unreached = _UNREACHED.search(text, first, number.start)
    if unreached and not _ONLY.search(text, first, number.start):
        return True
    if number.unit == "percent" and _RELATIVE.search(text, first, number.start):
        return True
    chosen = _CHOSEN.search(text, first, number.start)
    # `the accuracy of dropout is 76.7`, where a group is called so.
    if chosen and not (
        begins_with_group(chosen[0]) and any(m.end <= chosen.start() for m in measured)
    ):
        return True
    others = (_WEIGHED_BY, _LOST, _INSIDE, _TO_REACH, _PER)
    return any(pattern.search(text, first, number.start) for pattern in others)


_OF_SO_MANY = re.compile(
    r"\s(?:(?:out\s)?of|sur)\s(?:the\s|les\s)?\w{1,6}\s(?:runs|seeds|models|trials|graines|modèles)\b",
    re.IGNORECASE,
)
"""`6 of 6 runs logged the accuracy`."""


def _is_compared(text: str, end: int) -> bool:
    """Say whether words of comparison stand behind a number, or behind the list that it begins."""
    more = _MORE_OF_THEM.match(text, end)
    return bool(_COMPARATIVE.match(text, more.end() if more else end))


def may_be_result(text: str, number: Printed, spoken: tuple[Mention, ...]) -> bool:
    """Say whether a number can be a value of a metric by the words right beside it.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
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
    told = _BY.search(lead) or _METRIC_POINTS.match(text, number.end)
    change = _CHANGES.search(lead) if told else None
    changed = change is not None and not begins_with_group(change[0])
    if (
        changed
        or (not number.unit and _GAINED.search(lead))
        or (number.decimals <= 0 and _OF_SO_MANY.match(text, number.end))
    ):
        return False
    if _is_other(text, number, spoken) or is_of_nothing_named(text, number, spoken):
        return False
    if number.text[0] in "+-−" and _ASIDE.search(lead):
        return number.unit == "points"
    marks = _MARKS.match(text, number.end)
    end = marks.end() if marks else number.end
    tail = text[end : end + 60]
    if _is_compared(text, number.end):
        return False
    if number.unit == "points":
        return True
    near = [m for m in spoken if m.slot not in {"framework", "n", "length"}]
    if any(m.start - end in {0, 1, 2} and not text[end : m.start].strip(" -_") for m in near):
        return True
    if number.unit == "percent" and _SHARE_OF.match(tail):
        return False
    of = _OF.match(tail)
    if of:
        first = end + of.end()
        owners = [m for m in near if m.slot in {"metric", "generic"} and m.start >= first]
        return any(re.fullmatch(r"[^,;.:]{0,20}", text[first : m.start]) for m in owners[:1])
    return bool(_MAY_FOLLOW.match(tail))
