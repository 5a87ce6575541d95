"""French: decimal comma, narrow spaces before high punctuation, articles that elide.

The messages lie in one file a part of the report.
"""

from __future__ import annotations

from reportgen.languages._language import Language
from reportgen.languages.french import (
    adapter_keys,
    adapters,
    comparison,
    comparison_runs,
    curves,
    decisions,
    diagrams,
    document,
    excerpts,
    explaining,
    formulas,
    ledger,
    methods,
    model,
    observations,
    other_metrics,
    page,
    problems,
    reasons,
    reproducibility,
    reruns,
    results,
    scopes,
    stored,
    summary,
    tasks,
    unselected,
    words,
)
from reportgen.languages.french._grammar import inflect, meet
from reportgen.languages.french._nouns import NOUNS

_MONTHS = (
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
)
NARROW_SPACE = "\u202f"


def _date(day: int, month: int, year: int) -> str:
    return f"{'1er' if day == 1 else day} {_MONTHS[month - 1]} {year}"


LANGUAGE = Language(
    code="fr",
    name="français",
    inflect=inflect,
    meet=meet,
    is_one=lambda count: -2 < count < 2,
    date=_date,
    decimal_mark=",",
    group_mark=NARROW_SPACE,
    percent_mark=f"{NARROW_SPACE}%",
    byte_mark="o",
    messages={
        **document.MESSAGES,
        **words.MESSAGES,
        **excerpts.MESSAGES,
        **explaining.MESSAGES,
        **comparison.MESSAGES,
        **comparison_runs.MESSAGES,
        **curves.MESSAGES,
        **reasons.MESSAGES,
        **reruns.MESSAGES,
        **results.MESSAGES,
        **other_metrics.MESSAGES,
        **ledger.MESSAGES,
        **scopes.MESSAGES,
        **model.MESSAGES,
        **stored.MESSAGES,
        **adapters.MESSAGES,
        **adapter_keys.MESSAGES,
        **reproducibility.MESSAGES,
        **formulas.MESSAGES,
        **diagrams.MESSAGES,
        **decisions.MESSAGES,
        **observations.MESSAGES,
        **page.MESSAGES,
        **problems.MESSAGES,
        **methods.MESSAGES,
        **summary.MESSAGES,
        **tasks.MESSAGES,
        **unselected.MESSAGES,
    },
    nouns=NOUNS,
)
