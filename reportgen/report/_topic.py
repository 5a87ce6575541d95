"""What answers a question of a study: a line for the glance box, and where it is worked out."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.records.document import Text


@dataclass(frozen=True, slots=True)
class Topic:
    """One answer.

    Attributes:
        text: In at most two lines, with its numbers.
        section: Id of the section of the body that works it out.
    """

    text: Text
    section: str
