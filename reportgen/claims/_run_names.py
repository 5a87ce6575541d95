"""Names that the logs give to groups and runs, as a report writes them: `lora-r8` is one word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import islice

from reportgen.records.facts import Facts
from reportgen.records.manuscript import Manuscript

_GROUPS: ContextVar[frozenset[str]] = ContextVar("_GROUPS", default=frozenset())
_MOST_WORDS = 4
_TOKEN = re.compile(r"\w+(?:[-./]\w+)*")
_GLUE = re.compile(r"[-./]")
_LETTER = re.compile(r"[^\W\d_]")
NUMBER = r"[+-]?[\d.,]*(?:e[+-]?\d+)?\s?%?"
"""A name that is a number: `10`, `1e-3`, `50%`."""
_NUMBER = re.compile(NUMBER)
_RUN_OF_GROUP = re.compile(
    r"\s*(?P<group>\S+(?:\s\S+){0,3}?)\s(?=[^\s,;]*\d)[^\s,;]{4,80}(?:\sfrom|,\sde)\s"
)
"""`all 20221211-005823 from 20.5%`."""
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
    groups = frozenset(name for name in names_of_groups(facts) if not _NUMBER.fullmatch(name))
    return replace(manuscript, run_names=kept, group_names=groups)


def names_of_groups(facts: Facts) -> set[str]:
    """Return the names and the labels of the groups that the logs have."""
    return {name for group in facts.groups for name in (group.name, group.label)}


@contextmanager
def among(groups: frozenset[str]) -> Iterator[None]:
    """Read heads and labels as those of a report on these groups.

    Example:
        >>> with among(frozenset({"dropout"})):
        ...     is_group("dropout"), is_group("Dropout"), is_group("dropout rate")
        (True, False, False)
    """
    before = _GROUPS.set(groups)
    try:
        yield
    finally:
        _GROUPS.reset(before)


def is_group(text: str) -> bool:
    """Say whether a text is the name of a group of the logs, letter for letter."""
    return text.strip() in _GROUPS.get()


def begins_with_group(text: str) -> bool:
    """Say whether a text begins with the name of a group of the logs, `Dropout` as `dropout`.

    Example:
        >>> with among(frozenset({"dropout"})):
        ...     begins_with_group("Dropout is "), begins_with_group("dropouts")
        (True, False)
    """
    groups = _GROUPS.get()
    heads = [text[: token.end()] for token in islice(_TOKEN.finditer(text), _MOST_WORDS)]
    return any({head, head[:1].lower() + head[1:]} & groups for head in heads if groups)


def goes_on_with_group(text: str) -> bool:
    """Say whether a text begins with what a report may call a group, in any capitals.

    Example:
        >>> with among(frozenset({"UNet", "model=lstm"})):
        ...     goes_on_with_group("unet is far behind"), goes_on_with_group("lstm, too")
        (True, True)
    """
    groups = {name.casefold() for name in _GROUPS.get()}
    groups |= {name.rpartition("=")[2] for name in groups}
    heads = (text[: token.end()] for token in islice(_TOKEN.finditer(text), _MOST_WORDS))
    return bool(groups) and any(head.casefold() in groups for head in heads)


def group_of_run(text: str) -> str:
    """Return the group of the run whose course a text leads in to, or nothing.

    A group may be called `all`; behind it stands the run's own name, and then its course.

    Example:
        >>> with among(frozenset({"all", "all of it"})):
        ...     group_of_run("all 2022-05 from "), group_of_run("all seeds from ")
        ('all', '')
    """
    match = _RUN_OF_GROUP.fullmatch(text)
    return match["group"] if match and is_group(match["group"]) else ""


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
