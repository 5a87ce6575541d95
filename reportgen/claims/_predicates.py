"""Words that say how values stand to each other or change, in English and in French."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reportgen.checking.numbers._gated import gated

_FLAGS = re.IGNORECASE | re.VERBOSE


@dataclass(frozen=True, slots=True)
class Said:
    """A predicate where it stands in a clause.

    Attributes:
        predicate: As in `Statement`.
        family: `"order"`, `"extreme"`, `"course"`.
        start: Where its words begin.
        end: The position behind them.
        denied: Whether a negation stands before it.
        turned: Whether subject and object change places (`is outperformed by`).
    """

    predicate: str
    family: str
    start: int
    end: int
    denied: bool = False
    turned: bool = False


_BE = r"""(?:lie|lies|lay|stays?|remains?|sits?|is|are|be|was|were|always|well|far|clearly
    |consistently|just|est|sont|restent?|toujours)"""
_PLUS = r"""(?:élevée?s?|hautes?|hauts?|grande?s?|fort|forte|forts|fortes|importante?s?)"""
_MOINS = r"""(?:faibles?|bas|basses?|petite?s?)"""
_NOT_THE = (
    r"(?<!\bau\s)(?<!\bla\s)(?<!\ble\s)(?<!\bles\s)(?<!\bsa\s)(?<!\bson\s)(?<!\bses\s)(?<!\bleur\s)"
)
_NO_MOMENT = (
    r"(?<!\b[ée]poque\sde\s)(?<!\bau\spas\sde\s)(?<!\b[ée]tape\sde\s)(?<!\bcheckpoint\sde\s)"
)
"""`à l'époque de meilleure exactitude` says when, and compares nothing."""
_ORDER = (
    (
        "better",
        r"""(?:(?:is|are|was|were|been|being)\s(?:(?!not\b|never\b)\w+\s)?)?(?:outperformed|surpassed|beaten|dominated)\sby
        |(?:dépassée?s?|surpassée?s?|battue?s?)\spar""",
    ),
    (
        "better",
        r"""out-?perform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|beats?|improv(?:es|ed)\s(?:up)?on
        |improv(?:es|ed)\sover|dépass(?:e|ent|ait)|surpass(?:e|ent)|l'emport(?:e|ent)\ssur
        |gains?(?=\s(?:about\s|around\s|roughly\s|over\s)?[+]?\d)|gagn(?:e|ent)(?=\s(?:environ\s)?\d)""",
    ),
    (
        "better",
        r"""improv(?:es|ed)(?=\s(?:[\w-]+\s){0,3}(?:accuracy|performances?|f1|scores?|results)\sby\s)
        |améliore(?:nt)?(?=\s(?:[\w-]+\s){0,3}(?:exactitude|précision|performances?|résultats)\sde\s)""",
    ),
    ("higher", r"exceed(?:s|ed)?|excède(?:nt)?"),
    (
        "more_stable",
        r"""more\s(?:stable|consistent)|plus\s(?:stables?|constante?s?|régulier\w*)
        |closer\stogether|less\s(?:noisy|variable|spread)
        |moins\s(?:bruité|dispersé|variable)\w*""",
    ),
    (
        "less_stable",
        r"""less\s(?:stable|consistent)|moins\s(?:stables?|constante?s?)|plus\sinstables?
        |more\s(?:noisy|variable|spread)|plus\s(?:bruité|dispersé|variable)\w*|f[au]rther\sapart""",
    ),
    (
        "worse",
        r"""los(?:es?|t)(?=\s(?:about\s|around\s|roughly\s|only\s|over\s)?\d)
        |perd(?:ent)?(?=\s(?:environ\s|seulement\s)?\d)""",
    ),
    (
        "worse",
        r"""under-?perform(?:s|ed|ing)?|los(?:es|e|t|ing)\s(?:out\s)?(?:to|against)
        |fall(?:s|ing)?\sbehind|trails(?:\sbehind)?|perd(?:ent)?\s(?:contre|face\sà)""",
    ),
    ("better", rf"better|superior|{_NOT_THE}{_NO_MOMENT}meilleure?s?|mieux"),
    ("worse", rf"worse|poorer|inferior\sto|moins\sbon(?:ne)?s?|moins\sbien|{_NOT_THE}pires?"),
    ("higher", rf"higher|greater|larger|bigger|{_NOT_THE}plus\s{_PLUS}|supérieure?s?"),
    ("lower", rf"lower|smaller|{_NOT_THE}plus\s{_MOINS}|inférieure?s?"),
    ("better", rf"{_BE}\s(?:ahead(?:\sof)?|devant|en\stête)"),
    ("higher", rf"{_BE}\s(?:above|on\stop\sof|over\sthat|au-dessus)"),
    ("lower", rf"{_BE}\s(?:below|under|underneath|en\s?-?dessous|au-dessous|sous)|lags?\sbehind"),
    ("lower", r"catch(?:es|ing)?\sup(?:\swith)?|rattrape(?:nt|r)?"),
    (
        "similar",
        r"""similar(?:ly)?|comparables?|on\s(?:a\s)?par\swith|very\sclose|semblables?|similaires?
        |close\sto\s(?:each|one|those|that|the)|(?:nearly|almost|roughly|about|practically|virtually)\sthe\ssame
        |(?:very\s)?(?:nearly|almost|practically|virtually|essentially)\s(?:identical|equal)
        |(?:presque|pratiquement|quasi)[\s-](?:identiques?|égales?|égaux)
        |(?:très|assez)\sproches?|quasiment\s(?:identique|les\smêmes)\w*|in\sline\swith
        |consistent\swith|perform(?:s|ed)?\sequally(?:\swell)?|equally\s(?:good|well)
        |(?<!\bat\s)(?<!\bin\s)(?<!\bon\s)the\ssame(?=\s(?:\w+\s){0,2}?(?:accurac(?:y|ies)|loss(?:es)?|scores?
        |performances?|results?|f1|means?)\b(?!.{0,60}?\b(?:as|que|than)\b))
        |la\smême(?=\s(?:\w+\s)?(?:exactitude|précision|perte|performance|moyenne)\b(?!.{0,60}?\b(?:que|qu')))
        |les\smêmes(?=\s(?:performances|résultats|scores)\b(?!.{0,60}?\b(?:que|qu')))""",
    ),
    ("equal", r"identical|exactly\sthe\ssame|identiques?|equals?|équivalente?s?\sà|est\ségale?"),
    ("apart", r"overlap(?:s|ping)?|se\s(?:chevauchent|recouvrent)"),
)
_EXTREME = (
    ("best", r"best|(?:la|le|les|sa|son|ses|leurs?)\smeilleure?s?"),
    ("worst", r"worst|pires?"),
    (
        "highest",
        rf"""highest|largest|greatest|widest|biggest|maximum|maximal|peak(?:s|ed)?|top|culmine(?:nt)?
        |(?:le|la|les)\splus\s(?:{_PLUS}|large)|maximale?s?""",
    ),
    (
        "lowest",
        rf"lowest|smallest|narrowest|minimum|minimal|(?:le|la|les)\splus\s{_MOINS}|minimale?s?",
    ),
)
_COURSE = (
    (
        "overfits",
        r"over-?\s?fit(?:s|ted|ting)?|sur-?apprend(?:re)?|sur-?apprentissage|sur-?ajuste\w*",
    ),
    (
        "improves",
        r"""improv(?:es|e|ed|ing)|(?:gets?|getting|becomes?)\s(?:\w+\s)?better|s'améliore(?:nt)?
        |progresse(?:nt)?|recovers?(?=\s(?:to|from|at|by|after)\b)|recovered(?=\s(?:to|from|at|by|after)\b)""",
    ),
    (
        "worsens",
        r"""degrad(?:es|e|ed|ing)|deteriorat(?:es|e|ed|ing)|(?:gets?|getting|becomes?)\sworse
        |se\sdégrade(?:nt)?|worsens?|worsening""",
    ),
    (
        "rises",
        r"""increas(?:es|e|ed|ing)|ris(?:es|e|ing)|rose|grow(?:s|n|ing)?|grew|climb(?:s|ed|ing)?
        |go(?:es|ing)?\sup|augmente(?:nt)?|cro[iî]t|croissante?s?|monte(?:nt)?|widens?|wider
        |s'élargit|s'accro[iî]t|upward""",
    ),
    (
        "falls",
        r"""decreas(?:es|e|ed|ing)|(?:fall(?:s|en|ing)?|fell)(?!\s(?:back|short|within|into|outside
        |in\s(?:\w+\s)?(?:range|line|interval)|between\s\d))|drop(?:s|ped|ping)?(?!\sback)|shrank
        |declin(?:es|e|ed|ing)|shrink(?:s|ing)?|go(?:es|ing)?\sdown|going\sfaster\sto\sa\ssmall
        |diminue(?:nt)?|décro[iî]t|décroissante?s?|(?<!\ben\s)(?<!\bune\s)(?<!\bla\s)(?<!\bcette\s)(?<!\bde\s)(?:baisse(?:nt)?|chute(?:nt)?)|narrows?|narrower
        |se\sréduit|se\sresserre|downward""",
    ),
    (
        "varies",
        r"""fluctuat(?:es|e|ed|ing|ions?)|oscillat(?:es|e|ed|ing|ions?)|unstable
        |bounc(?:es|e|ing)|fluctue(?:nt)?|oscille(?:nt)?|instables?|var(?:y|ies)\sa\slot
        |varie(?:nt)?\sbeaucoup""",
    ),
    (
        "moves",
        r"""(?:go(?:es)?|went|gone|moves?|moved|evolves?|evolved|passe(?:nt)?|passée?s?|passait|passaient
        |va|vont|évolue(?:nt)?)(?=\s(?:[^\s\d.;:,()]+\s){0,3}?(?:from|de|d['’])\s?
        (?:about\s|around\s|roughly\s|some\s|environ\s)?\d)""",
    ),
    ("converges", r"converg(?:es|e|ed|ing|ent|ence)"),
    (
        "plateaus",
        r"""plateau(?:s|ed|ing)?|saturat(?:es|e|ed|ing)|stagnat(?:es|e|ed|ing)|stagne(?:nt)?
        |flatten(?:s|ed|ing)?|levels?\soff|stabili[sz](?:es|e|ed|ing)|se\sstabilise(?:nt)?
        |plafonne(?:nt)?|(?:stays?|remains?)\s(?:roughly\s|almost\s)?constant""",
    ),
)
_TURNED = re.compile(r"\bby$|\bpar$", re.IGNORECASE)
_ROWS = tuple(
    (name, family, words)
    for family, rows in (("order", _ORDER), ("extreme", _EXTREME), ("course", _COURSE))
    for name, words in rows
)
_PATTERNS = tuple(
    (name, family, gated(rf"(?<![^\W_])(?:{words})(?![^\W_])", _FLAGS))
    for name, family, words in _ROWS
)
# Most clauses say nothing of the kind, which one look tells.
_ANY = gated(
    rf"(?<![^\W_])(?:{'|'.join(f'(?:{words})' for _, _, words in _ROWS)})(?![^\W_])", _FLAGS
)
_NOT = gated(
    r"(?:\b(?:not|never|neither|no\slonger|cannot|hardly|jamais|sans)\b|n['’]t\b"
    r"|\bno\s(?:run|seed|model)s?\b|\b(?:none|aucun|aucune)\b)(?:\s[\w'’-]+){0,4}\s*$",
    re.IGNORECASE,
)
_FRENCH_NOT = gated(
    r"\b(?:ne\s|n['’])(?:[\w'’-]+\s){0,3}(?:pas|plus|jamais|guère)\s(?:[\w'’-]+\s){0,2}$",
    re.IGNORECASE,
)
_FRENCH_NOT_BEHIND = re.compile(r"\s(?:pas|guère)\b", re.IGNORECASE)
_FRENCH_NE = gated(r"(?:\bne\s|\bn['’])(?:s['’]|se\s)?$", re.IGNORECASE)
_COUNTED = re.compile(
    r"\s(?:(?:at|on|in|à|sur|lors\sde|de)\s)?(?:only\s)?[\w,]+(?:\s(?:to|à|-|–)\s[\w,]+)?"
    r"\s(?:fois\ssur|(?:out\s)?of|des|de|sur)\s(?:the\s|les\s|its\s)?[\w,]+\s"
    r"(?:evaluations?|epochs?|steps?|[ée]valuations?|[ée]poques?|pas)\b",
    re.IGNORECASE,
)
_ONLY = gated(r"\bnot\s(?:only|just|merely)\b|\bnon\sseulement\b", re.IGNORECASE)


def predicates(clause: str) -> tuple[Said, ...]:
    """Return the predicates of a clause in order; of words in two families the first counts.

    Example:
        >>> [(s.predicate, s.denied) for s in predicates("it does not improve, it fluctuates")]
        [('improves', True), ('varies', False)]
        >>> [(s.predicate, s.turned) for s in predicates("A is outperformed by B")]
        [('better', True)]
    """
    found: list[Said] = []
    for name, family, pattern in _PATTERNS if _ANY.search(clause) else ():
        for match in pattern.finditer(clause):
            if any(match.start() < said.end and said.start < match.end() for said in found):
                continue
            if family == "course" and _COUNTED.match(clause, match.end()):
                continue  # `improves at 8 to 9 of 14 epochs` counts them, and names no epoch 8.
            no = is_denied(clause, match.start(), match.end())
            turned = family == "order" and bool(_TURNED.search(match[0]))
            found.append(Said(name, family, match.start(), match.end(), no, turned))
    return tuple(sorted(found, key=lambda said: said.start))


def is_denied(clause: str, start: int, end: int) -> bool:
    """Say whether the words of a clause from `start` to `end` are negated."""
    lead = clause[max(0, start - 60) : start]
    if _ONLY.search(lead):
        return False
    if _NOT.search(lead) or _FRENCH_NOT.search(lead):
        return True
    return bool(_FRENCH_NE.search(lead) and _FRENCH_NOT_BEHIND.match(clause, end))
