"""What `check` found in written reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from reportgen.cli.console.summary._part import SHOWN, Part, cell, pipe_table, rest
from reportgen.languages import tell, tell_count
from reportgen.records.verdict import LEVELS

if TYPE_CHECKING:
    from reportgen.app import SummaryFacts

_TOLD = LEVELS[:3]


def findings(found: SummaryFacts) -> Iterator[Part]:
    """Yield a part for each checked report in which something was found, errors first."""
    for record in found.checked:
        told = sorted(
            (one for one in (*record["numbers"], *record["statements"]) if one["level"] in _TOLD),
            key=lambda one: _TOLD.index(one["level"]),
        )
        if not told:
            continue
        rows = [(_place(one["place"]), level_words(one["level"]), one["rule"], one["message"])
                for one in told[:SHOWN]]  # fmt: skip
        head = [tell("Place"), tell("Level"), tell("Check"), tell("Finding")]
        title = tell("Findings in {report}", report=record["report"]["path"])
        text = f"## {cell(title)}\n\n{pipe_table(head, rows, 'llll')}{rest(len(told))}\n"
        yield Part(name=tell("findings"), text=text)


def tally(record: Mapping[str, Any]) -> str:
    """Return how many findings of each level a report has, in words."""
    counts = record["totals"]
    return ", ".join(
        (
            tell_count("{count} error", "{count} errors", counts["errors"]),
            tell_count("{count} warning", "{count} warnings", counts["warnings"]),
            tell_count("{count} note", "{count} notes", counts["notes"]),
        )
    )


def level_words(level: str) -> str:
    """Return the level of a finding or a problem; one that is none as it is."""
    told = {"error": tell("error"), "warning": tell("warning"), "note": tell("note")}
    return told.get(level, level)


def _place(place: Mapping[str, Any]) -> str:
    """Return where a finding stands: the file, then as much as is known of the place in it."""
    words = [str(place["file"]), str(place.get("part") or "")]
    if page := place.get("page"):
        words.append(tell("page {page}", page=str(page)))
    if line := place.get("line"):
        words.append(tell("line {line}", line=str(line)))
    return ", ".join(filter(None, words))
