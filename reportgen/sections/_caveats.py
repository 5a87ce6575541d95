"""What a reader must know of a printed spread or interval, wherever one is printed."""

from __future__ import annotations

from reportgen.languages import noun, say
from reportgen.records.document import Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.sections._phrases import std_words


def spread_note(facts: Facts) -> Text:
    """Return the sentence that says what stands behind ±; nothing where nothing does."""
    if not any(isinstance(group.report.std, Quantity) for group in facts.groups):
        return ()
    return say("Behind ± stands the {std}.", std=std_words(facts.study))


def interval_note(group: GroupResult) -> Text:
    """Return the sentence that says what the interval of a difference leaves out."""
    return say(
        "The interval covers what differs between the runs; the error of the {split} set, which "
        "all of them share, is not in it.",
        split=noun(group.report_split),
    )
