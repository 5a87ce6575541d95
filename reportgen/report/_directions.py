"""Which end of a metric is the better one, in words."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, say
from reportgen.records.document import Text
from reportgen.report._metric_names import spelled
from reportgen.report._phrases import joined

_BETTER = {
    "higher": message("Higher is better for {metrics}."),
    "lower": message("Lower is better for {metrics}."),
    "": message("Whether higher or lower is better is not known for {metrics}."),
}


def better_words(metrics: Sequence[tuple[str, str]]) -> Text:
    """Return a sentence for each direction that some metrics have, a space before each.

    Args:
        metrics: Names with their directions; an empty direction is not known.

    Example:
        >>> better_words([("accuracy", "higher")])
        (' ', 'Higher is better for accuracy.')
    """
    text: Text = ()
    for direction, said in _BETTER.items():
        # A language may want an article at each of several names.
        members = [
            say("{metric}", metric=spelled(name)) for name, one in metrics if one == direction
        ]
        if members:
            text = (*text, " ", *say(said, metrics=joined(members)))
    return text
