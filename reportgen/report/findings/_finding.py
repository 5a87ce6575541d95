"""What was found, and how much it matters: a score whose parts are data."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.records.document import Text

CONCLUSION, CAVEAT, OTHER = "conclusion", "caveat", "other"
WEIGHTS = {CONCLUSION: 1.0, CAVEAT: 0.8, OTHER: 0.4}
"""A conclusion on the headline, a caveat on it, and what does not touch it."""
SCALE = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How much a finding matters, from 0 to 10.

    Attributes:
        effect: Size of what was found.
        noise: Size that chance, or the resolution of the logs, gives the same quantity.
        weight: One of `WEIGHTS`.
        surprise: From 0, what everybody expects, to 1, what nobody does.
        told: What is taken off, for a table or a figure says a part of it.
    """

    effect: float
    noise: float
    weight: float
    surprise: float
    told: float = 0.0

    @property
    def strength(self) -> float:
        """The effect over effect and noise: a half where they are equal.

        Example:
            >>> Score(effect=3.0, noise=1.0, weight=1.0, surprise=1.0).strength
            0.75
        """
        both = self.effect + self.noise
        return self.effect / both if both > 0 else 0.0

    @property
    def total(self) -> float:
        """Strength, weight and surprise multiplied, on the scale, less what is told.

        Example:
            >>> Score(effect=3.0, noise=1.0, weight=0.8, surprise=0.5, told=0.5).total
            2.5
        """
        return max(0.0, SCALE * self.strength * self.weight * self.surprise - self.told)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a candidate says where it holds, before its score is known.

    Attributes:
        about: Key of `WEIGHTS`.
        effect, noise: As those of a score.
        head: The claim, with its full stop.
        sentences: One to three that show it; each can stand below another head of its subject.
        kind: `"conclusion"` or `"caveat"`; empty is that of `about`.
    """

    about: str
    effect: float
    noise: float
    head: Text
    sentences: tuple[Text, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is said of one subject.

    Attributes:
        id: Name of the candidate whose head it has (`crossing`).
        subject: What it is about (`speed`): there is one finding a subject.
        kind: `"conclusion"` or `"caveat"`.
        parts: Of its score.
        head: The claim, a sentence.
        sentences: One to three that show it; none repeats the head.
    """

    id: str
    subject: str
    kind: str
    parts: Score
    head: Text
    sentences: tuple[Text, ...]

    @property
    def score(self) -> float:
        """How much it matters, from 0 to 10."""
        return self.parts.total
