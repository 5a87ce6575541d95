"""Verdicts for a terminal: the headline first, then what is contradicted, every place clickable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reportgen.checking.projections._records import (
    Record,
    Rendering,
    Row,
    headlines,
    make_records,
    point_words,
    status,
)
from reportgen.records.source import shorten
from reportgen.records.verdict import Review

_COLOURS = {
    "error": "1;31",
    "warning": "33",
    "note": "36",
    "traced": "32",
    "untraced": "2",
    "title": "1",
}
_MARGIN = 9
_BELOW = " " * (_MARGIN + 2)
_LONGEST_SHOWN = 120
_MOST_PLACES = 3


def render(reviews: Sequence[Review], options: Rendering) -> str:
    """Return what a terminal shows, report by report.

    Of each: what the reader has to know first, how many numbers are traced, then errors,
    warnings and notes. Quiet leaves the errors; verbose adds what is untraced and traced, with
    the evidence. No line begins with what strangers wrote, so that none is a command of a CI's
    log.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> print(render([Review(manuscript=report)], Rendering()), end="")
        Traced 0 of 0 numbers; 0 contradicted; 0 stand nowhere in the evidence.
    """
    records = make_records(reviews, options)
    terminal = _Terminal(options)
    if len(records) == 1:
        return "\n".join(terminal.report(records[0])) + "\n"
    pages = [
        "\n".join((terminal.paint("title", f"Report {record.path}"), *terminal.report(record)))
        for record in records
    ]
    return "\n\n".join([*pages, _class_line(records)]) + "\n" if pages else ""


def _class_line(records: Sequence[Record]) -> str:
    counts = Counter(map(status, records))
    words = {"error": "with errors", "warning": "with warnings"}
    told = ", ".join(
        f"{counts[key]} {words.get(key, key)}"
        for key in (*words, "could not be checked")
        if counts[key]
    )
    return f"{len(records)} reports: {told or 'none with errors or warnings'}"


class _Terminal:
    """Writes lines under the options of quiet, verbose and colour."""

    def __init__(self, options: Rendering) -> None:
        self.options = options

    def report(self, record: Record) -> Iterator[str]:
        """Yield the lines of one report."""
        yield from headlines(record)
        for level in ("error",) if self.options.quiet else ("error", "warning", "note"):
            for row in record.of_level(level):
                yield from self.finding(row)
        if self.options.quiet:
            return
        if self.options.verbose:
            for outcome in ("untraced", "traced"):
                for row in record.of_outcome(outcome):
                    yield self.other(row)
        for what, value, why in record.assumed:
            yield self.labelled("assumed", f"{what}: {value} ({why})")
        alike: dict[str, list[str]] = {}
        for path, message, remedy, level in record.problems:
            if level == "warning" or self.options.verbose:
                told = message + (f"; {remedy}" if remedy else "")
                alike.setdefault(told, []).append(path)
        for told, paths in alike.items():
            rest = len(paths) - _MOST_PLACES
            more = f" and {rest} more" if rest > 0 else ""
            yield self.labelled("problem", f"{', '.join(paths[:_MOST_PLACES])}{more}: {told}")

    def finding(self, row: Row) -> Iterator[str]:
        """Yield the lines of what is contradicted."""
        rule = self.paint("untraced", f" [{row.rule}]")
        yield self.labelled(row.level, f"{row.spot}: {_said(row)}{rule}")
        if row.cause and row.cause not in row.message:
            yield f"{_BELOW}likely cause: {row.cause}"
        if self.options.verbose:
            for point in row.evidence:
                yield f"{_BELOW}evidence: {point_words(point)}"

    def other(self, row: Row) -> str:
        """Return the line of what is traced or untraced."""
        told = "; ".join(map(point_words, row.evidence)) or row.reason or row.message
        return self.labelled(
            row.outcome, f"{row.spot}: {_shown(row)}" + (f": {told}" if told else "")
        )

    def labelled(self, word: str, text: str) -> str:
        """Return a line with a word in its margin."""
        return f"  {self.paint(word, word)}{' ' * max(1, _MARGIN - len(word))}{text}"

    def paint(self, style: str, text: str) -> str:
        """Return a text in the colour of a style, where colours are wanted."""
        code = _COLOURS.get(style, "")
        return f"\x1b[{code}m{text}\x1b[0m" if code and self.options.colour else text


def _said(row: Row) -> str:
    """Return the message, behind what is printed and expected where it does not name both."""
    if row.printed and row.printed in row.message and row.expected in row.message:
        return row.message
    word = row.expected.isalpha()  # `none`, which is no lack of one
    told = f"“{row.expected}”" if word else row.expected
    expected = f", expected {told}" if told else ""
    return f"{_shown(row)}{expected}" + (f": {row.message}" if row.message else "")


def _shown(row: Row) -> str:
    return shorten(row.shown, _LONGEST_SHOWN)
