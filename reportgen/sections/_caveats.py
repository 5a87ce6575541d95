"""What a reader must know of a printed spread or interval, wherever one is printed."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.languages import noun, say
from reportgen.records.document import Text
from reportgen.records.facts import GroupResult, Summary
from reportgen.records.quantity import Quantity
from reportgen.records.study import Study
from reportgen.sections._phrases import std_words


def spread_note(study: Study, told: Iterable[Summary]) -> Text:
    """Return the sentence that says what stands behind ±; nothing where nothing does.

    Args:
        study: Names the standard deviation.
        told: What the text prints with its spread where there is one.
    """
    if not any(isinstance(summary.std, Quantity) for summary in told):
        return ()
    return say("Behind ± stands the {std}.", std=std_words(study))


def interval_note(group: GroupResult) -> Text:
    """Return the sentence that says what the interval of a difference leaves out."""
    return say(
        "The interval covers what differs between the runs; the error of the {split} set, which "
        "all of them share, is not in it.",
        split=noun(group.report_split),
    )
