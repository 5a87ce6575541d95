"""The commentary on two groups: every sentence that holds, led by its subject."""

from __future__ import annotations

from reportgen.languages import message, tell
from reportgen.records.document import Strong, Text
from reportgen.records.facts import Comparison, Facts
from reportgen.report import (
    _comparison_curves,
    _comparison_outliers,
    _comparison_runs,
    _comparison_splits,
    _comparison_trends,
)
from reportgen.report._comparison_pair import pair_of

_SENTENCES = (
    (message("Ordering"), _comparison_curves.ordering),
    (message("Separation"), _comparison_curves.separation),
    (message("Gap"), _comparison_curves.gap),
    (message("Trend"), _comparison_trends.trend),
    (message("Convergence of seeds"), _comparison_trends.convergence),
    (message("Stability"), _comparison_trends.stability),
    (message("Steadiness"), _comparison_outliers.steadiness),
    (message("Outliers"), _comparison_outliers.outliers),
    (message("Best and last step"), _comparison_runs.best_against_last),
    (message("Ties"), _comparison_runs.ties),
    (message("Length of training"), _comparison_runs.updates),
    (message("Training and validation"), _comparison_splits.overfitting),
    (message("Error of the test set"), _comparison_splits.sampling),
)


def comment_on(facts: Facts, comparison: Comparison, prefix: str) -> tuple[Text, ...]:
    """Return the sentences that hold for a comparison, each led by its subject."""
    pair = pair_of(facts, comparison, prefix)
    items: list[Text] = []
    for title, sentence in _SENTENCES:
        text = sentence(pair)
        if text:
            items.append((Strong((f"{tell(title)}.",)), " ", *text))
    return tuple(items)
