"""What is the matter with a lab on a terminal: one line a kind, and few lines for any lab."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.cli.console._lines import cut, plain
from reportgen.records.source import kind_of_message, names_in

MOST_KINDS = 6
"""Kinds that have a line each; the report and `inspect` tell of every problem."""
MOST_PLACES = 3
LONGEST = 400
"""Letters of a line; the report and --json have the rest."""


def warning_lines(warnings: Sequence[str], notes: Sequence[str] = ()) -> Iterator[str]:
    """Yield one line a kind, with a count and the first places; warnings go before notes.

    Args:
        warnings: One line each, `place: what is the matter`.
        notes: The same, of what costs no number.

    Example:
        >>> told = [f"run{i}/log.csv: line {i} is cut off" for i in range(5)]
        >>> for line in warning_lines([*told, "no PDF was made"]):
        ...     print(line)
        warning: line 0 is cut off (5 places: run0/log.csv, run1/log.csv, run2/log.csv, …)
        warning: no PDF was made
    """
    alike: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for level, lines in (("warning", warnings), ("note", notes)):
        for line in dict.fromkeys(lines):
            place, colon, what = line.partition(": ")
            place, what = (place, what) if colon else ("", line)
            alike.setdefault((level, kind_of_message(what, place)), []).append((place, what))
    kinds = list(alike.items())
    shown = kinds if len(kinds) <= MOST_KINDS else kinds[: MOST_KINDS - 1]
    for (level, _), same in shown:
        yield f"{level}: {cut(plain(_told(same)), LONGEST)}"
    if rest := kinds[len(shown) :]:
        count = sum(len(same) for _, same in rest)
        yield f"  and {len(rest)} more kinds ({count:,} lines), which the report and --json list"


def _told(same: Sequence[tuple[str, str]]) -> str:
    place, what = same[0]
    if len(same) == 1:
        return f"{place}: {what}" if place else what
    places = list(dict.fromkeys(place for place, _ in same))
    first = ", ".join(places[:MOST_PLACES]) + (", …" if len(places) > MOST_PLACES else "")
    if len(places) == 1:
        others = [name for _, other in same[1:] for name in names_in(other) if name not in what]
        also = ", ".join(list(dict.fromkeys(others))[:MOST_PLACES])
        where = f"{place}: " if place else ""
        return f"{where}{what} ({len(same):,} times{f': also {also}' if also else ''})"
    times = "" if len(same) == len(places) else f"{len(same):,} times in "
    return f"{what} ({times}{len(places):,} places: {first})"
