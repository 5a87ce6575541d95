"""The commentary on two groups: every sentence that holds, led by its subject."""

from __future__ import annotations

from reportgen.records.document import Strong, Text
from reportgen.records.facts import Comparison, Facts
from reportgen.sections import _comparison_curves, _comparison_runs
from reportgen.sections._comparison_pair import pair_of

_SENTENCES = (
    ("Ordering", _comparison_curves.ordering),
    ("Separation", _comparison_curves.separation),
    ("Gap", _comparison_curves.gap),
    ("Trend", _comparison_curves.trend),
    ("Convergence of seeds", _comparison_curves.convergence),
    ("Stability", _comparison_curves.stability),
    ("Best and last step", _comparison_runs.best_against_last),
    ("Ties", _comparison_runs.ties),
    ("Length of training", _comparison_runs.updates),
    ("Training and validation", _comparison_runs.overfitting),
    ("Error of the test set", _comparison_runs.sampling),
)


def comment_on(facts: Facts, comparison: Comparison, prefix: str) -> tuple[Text, ...]:
    """Return the sentences that hold for a comparison, each led by its subject."""
    pair = pair_of(facts, comparison, prefix)
    items: list[Text] = []
    for title, sentence in _SENTENCES:
        text = sentence(pair)
        if text:
            items.append((Strong((f"{title}.",)), " ", *text))
    return tuple(items)
