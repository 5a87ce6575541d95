"""Sentences and tables that say several things at once: a later one may be meant otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.checks._beside import sentence_of
from reportgen.checks._weigh import quieter
from reportgen.records.claim import Claim, Meaning, Statement
from reportgen.records.finding import Case, Finding

_VALUES = frozenset({"value", "aggregate", "difference"})
_SUMMED = frozenset({"mean", "std"})
_SPOKEN = frozenset({"paragraph", "item", "caption"})
_SHORT = 400
"""Characters of a paragraph that may stand for a caption."""
_LOUD = frozenset({"error", "warning"})
_GAINED = gated(
    r"\b(?:gains?|gained|improvements?|advantages?|leads?|led|beats?|margins?|gaps?|pass(?:es|ed)?|cross(?:es|ed)?"
    r"|surpass\w*|outperform\w*|gagne\w*|avantages?|avance|devance\w*|écarts?(?![\s-]types?)|franchi\w*|dépass\w*|bat(?:tent)?)\b",
    re.IGNORECASE,
)
_VALUE_BEFORE = re.compile(
    r"(?:\b(?:of|has|have|had|reach\w*|attain\w*|achiev\w*|obtain\w*|scor\w*|atteint|obtient|obtiennent)\s|[:=]\s?)"
    r"[\s$~(]*$",
    re.IGNORECASE,
)
"""`A beats B and reaches 80.1`: a value, whatever was said before."""
_REACHED_AT = gated(
    r"\b(?:reach|hit|attain|atteint|atteign)\w*\b.{1,160}\b(?:epochs?|steps?|époques?|pas)\s\d.{0,20}(?:,|\sand|\set)\s$",
    re.IGNORECASE,
)
"""`reaches 75 % at epoch 2, 80 % at epoch 3`: marks as likely as values."""
_LEAST_SPREAD = gated(
    r"\b(?:standard\sdeviations?|std|spread|variances?|écarts?[\s-]types?|dispersion)\b.{0,100}\b(?:smallest|lowest|largest"
    r"|highest|minimale?|maximale?|plus\s(?:petite?|faible|grande?|élevée?))\b"
    r"|\b(?:smallest|lowest|largest|highest)\s(?:standard\sdeviation|std|spread|variance)\b",
    re.IGNORECASE,
)
_PLUS = re.compile(r"(?<![^\s|(])\+\d")
_MEDIAN = gated(r"\b(?:median|médiane?s?)\b", re.IGNORECASE)
_FIRST_AT = gated(
    r"\b(?:first|earliest|premi[èe]re?)\s(?:epoch|step|époque|pas)\s(?:at|in|where|when|for|that|with|à|où|pour|dont)\b",
    re.IGNORECASE,
)
_MEAN_CURVE = gated(
    r"\b(?:mean|average|averaged)\scurves?\b|\bcourbes?\smoyennes?\b", re.IGNORECASE
)
_FAILED_CELL = gated(
    r"(?<![^\W\d_])(?:diverged?|nan|failed|crashed|oom|a\sdivergé|échec|échoué)(?![^\W\d_])",
    re.IGNORECASE,
)
_WINDOW = gated(
    r"\b(?:epochs?|steps?|époques?|pas)\s\d{1,7}\s?(?:[-–—]{1,3}|to|à)\s?\d", re.IGNORECASE
)
_ELLIPTIC = re.compile(
    r"[,;]\s(?:and\s|et\s|while\s|mais\s|but\s)?(?:(?:that|those|celles?|celui|ceux)\s(?:of|de|du|des)\b"
    r"|(?:(?:at|after)\s(?:epoch|step)|(?:à|après)\sl['’]époque|(?:au|après\sle)\spas)\s\d)",
    re.IGNORECASE,
)
"""`is highest at epoch 7, that of B at 9`, `A is best at epoch 1, at epoch 8 ours`."""
_A_MARK = gated(
    r"\b(?:surpass\w*|exceed\w*|pass(?:es|ed)?|cross\w*|dépass\w+|franchi\w+)\s\$?\d[\d.,]*(?:\s|\\,)?\\?%",
    re.IGNORECASE,
)
_RANGE = gated(r"\d\s?%?\$?\s?(?:[-–—]{1,3}|to|à)\s?\$?\d", re.IGNORECASE)
_EXTREME = gated(
    r"\b(?:smallest|lowest|largest|highest|(?:la|le|les)\splus\s(?:petite?|faible|grande?|élevée?)s?|minimale?s?|maximale?s?)\b",
    re.IGNORECASE,
)
_BETTER_BY = gated(
    r"\b(?:between|entre)\s\d[\d.,]*\s(?:and|et)\s\d[\d.,]*\s?%?\s(?:\w+\s){0,3}?(?:better|worse|higher|lower|above|below|more"
    r"|less|ahead|behind)\b",
    re.IGNORECASE,
)
"""`is between 0.8 and 1.5 BLEU worse`."""
_GAINS_BETWEEN = gated(
    r"\b(?:gains?|improves?|leads?|gagne\w*|progresse\w*)\s(?:by\s|de\s)?(?:between|entre)\b",
    re.IGNORECASE,
)


def at_most_noted(
    case: Case, findings: Mapping[str, Sequence[Finding]]
) -> dict[str, list[Finding]]:
    """Return the findings, no louder than a note where the words may mean another thing.

    After `A beats B by 3 points` a further number may be another difference, after `passes 75 % at
    epoch 2` another mark, behind `that of B` another group's best epoch. What is said there is
    still shown with what the logs have; nobody is blamed for it.

    Args:
        case: The report and its evidence.
        findings: Id of a claim to its findings, the decisive one first.
    """
    return {
        name: [_noted(case, one) if one.level in _LOUD else one for one in found]
        for name, found in findings.items()
    }


def _noted(case: Case, finding: Finding) -> Finding:
    claim = finding.claim
    if isinstance(claim.content, Statement):
        doubtful = _is_one_of_several(finding.rule, claim.content, _sentence(case, claim))
    elif finding.rule not in _VALUES:
        doubtful = False
    elif claim.table is not None:
        doubtful = _may_be_no_value(case, claim, claim.table, finding.rule)
    else:
        doubtful = _is_further_on(case, claim, finding.rule)
    return replace(finding, level=quieter(finding.level, "note")) if doubtful else finding


def _sentence(case: Case, claim: Claim) -> str:
    if claim.block >= len(case.manuscript.blocks):
        return claim.quote
    start, end = sentence_of(case, claim.block, claim.start)
    return case.manuscript.blocks[claim.block].text[start:end]


def _is_further_on(case: Case, claim: Claim, rule: str) -> bool:
    """Say whether a number of running text stands behind a difference or a mark, as another one."""
    if claim.block >= len(case.manuscript.blocks):
        return False
    start, _ = sentence_of(case, claim.block, claim.start)
    lead = case.manuscript.blocks[claim.block].text[start : claim.start]
    aggregate = claim.content.aggregate if isinstance(claim.content, Meaning) else ""
    if _LEAST_SPREAD.search(lead) and aggregate != "std":
        return True
    if _MEDIAN.search(lead) and aggregate != "median":
        return True
    # What is held as a difference was read as the very gain, lead or gap.
    if rule == "difference" or _VALUE_BEFORE.search(lead):
        return False
    return bool(_GAINED.search(lead) or _REACHED_AT.search(lead))


def _may_be_no_value(case: Case, claim: Claim, place: int, rule: str) -> bool:
    """Say whether a cell may be a change, a moment, or of fewer runs than its table shows."""
    meaning, printed = claim.content, claim.printed
    aggregate = meaning.aggregate if isinstance(meaning, Meaning) else ""
    table = case.manuscript.blocks[place].text
    # A return may be below zero; nobody writes a plus before a value.
    signed = printed is not None and (
        printed.text[0] == "+" or (printed.text[0] in "-−" and bool(_PLUS.search(table)))
    )
    if signed and rule != "difference":
        return True
    if _WINDOW.search(claim.hints.get("column", "")):
        return True
    around = _around(case, place)
    if _FIRST_AT.search(around) or (_MEAN_CURVE.search(around) and aggregate not in _SUMMED):
        return True
    return aggregate in _SUMMED and bool(_FAILED_CELL.search(table))


def _around(case: Case, table: int) -> str:
    """Return the caption of a table and the short paragraphs right beside it."""
    blocks = case.manuscript.blocks
    beside = [blocks[i] for i in (table - 1, table + 1) if 0 <= i < len(blocks)]
    texts = [block.text for block in beside if block.type in _SPOKEN]
    short = [text for text in texts if len(text) <= _SHORT]
    return " ".join([blocks[table].caption, *short])


def _is_one_of_several(rule: str, said: Statement, sentence: str) -> bool:
    """Say whether a sentence names further things of which a part of it may be said."""
    if rule == "superlative":
        extremes = sum(1 for _ in _EXTREME.finditer(sentence))
        of_spreads = extremes > 1 and bool(_LEAST_SPREAD.search(sentence))
        return of_spreads or bool(_ELLIPTIC.search(sentence))
    if rule == "ordering":
        ranges = sum(1 for _ in _RANGE.finditer(sentence))
        of_some = said.share is not None and bool(said.amounts)
        return of_some or bool(_A_MARK.search(sentence)) or (bool(said.amounts) and ranges > 1)
    between = _GAINS_BETWEEN.search(sentence) or _BETTER_BY.search(sentence)
    return rule == "range" and bool(between)
