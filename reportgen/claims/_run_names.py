"""Names that the logs give to groups and runs, as a report writes them: `lora-r8` is one word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from reportgen.records.facts import Facts
from reportgen.records.manuscript import Manuscript

_TOKEN = re.compile(r"\w+(?:[-./]\w+)*")
_GLUE = re.compile(r"[-./]")
_LETTER = re.compile(r"[^\W\d_]")
_TELLING = re.compile(r"\d|(?:[^\W_]+[-_]){3}[^\W_]")
"""A digit, or four words in one: `last-not-best` may be said of anything."""


def with_run_names(manuscript: Manuscript, facts: Facts | None) -> Manuscript:
    """Return a report that knows what the logs call their groups and runs.

    Only names with a letter and a digit, or of four words at least, count: a group that is called
    `dropout` leaves `dropout: 0.1` a setting.

    Args:
        manuscript: The report.
        facts: What the logs give; None where no logs were read.
    """
    if facts is None:
        return manuscript
    names: set[str] = set()
    for group in facts.groups:
        names |= {group.name, group.label, *group.name.split("/")}
    names |= {run.id for run in facts.runs}
    kept = frozenset(n.casefold() for n in names if _LETTER.search(n) and _TELLING.search(n))
    return replace(manuscript, run_names=kept)


def spans_of_names(text: str, names: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield where a text writes one of the names, the longest at each place.

    Example:
        >>> list(spans_of_names("LoRA-r8's loss, lora-r8-based", frozenset({"lora-r8"})))
        [(0, 7), (16, 23)]
    """
    for token in _TOKEN.finditer(text) if names else ():
        starts = [token.start(), *(m.end() for m in _GLUE.finditer(text, *token.span()))]
        ends = [token.end(), *(m.start() for m in _GLUE.finditer(text, *token.span()))]
        done = token.start()
        for start in starts:
            fitting = (e for e in ends if e > start and text[start:e].casefold() in names)
            end = max(fitting, default=0) if start >= done else 0
            if end:
                yield start, end
                done = end
