"""Findings for a terminal: errors first, every place clickable, the denominator at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.checking.projections._coverage import coverage, loudest, tally
from reportgen.checking.projections._plain import shorten
from reportgen.checking.projections._record import NOT_CHECKABLE, Record, Row, make_records
from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections._wanting import wanting
from reportgen.records.finding import Judgement

_COLOURS = {
    "error": "1;31",
    "warning": "33",
    "note": "36",
    "agrees": "32",
    "open": "2",
    "title": "1",
}
_MARGIN = 9
_MOST_PLACES = 8


def render(judgements: Sequence[Judgement], options: Rendering) -> str:
    """Return what a terminal shows, report by report.

    Of each: errors, then warnings, then notes, with the likely cause below; notes that say
    the same are folded into one line. Quiet leaves the errors; verbose adds the readings that
    were tried, what agrees and what cannot be checked. The last lines say how much was checked,
    and which options would check much more. No line begins with what strangers wrote, so that
    none is a command of a CI's log.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> print(render([Judgement(manuscript=report, findings=())], Rendering()), end="")
        Report r.md: no errors, warnings or notes
          Checked 0 of 0 numbers.
    """
    records = make_records(judgements, options)
    pages = ["\n".join(_Terminal(options).report(record)) for record in records]
    if len(records) > 1:
        pages.append(_class_line(records))
    return "\n\n".join(pages) + "\n" if pages else ""


def _class_line(records: Sequence[Record]) -> str:
    words = [loudest(record) for record in records]
    counts = [
        (words.count("error"), "with errors"),
        (words.count("warning"), "with warnings"),
        (words.count("could not be checked"), "could not be checked"),
    ]
    told = ", ".join(f"{count} {what}" for count, what in counts if count)
    return f"{len(records)} reports: {told or 'none with errors or warnings'}"


class _Terminal:
    """Writes lines under the options of quiet, verbose and colour."""

    def __init__(self, options: Rendering) -> None:
        self.options = options

    def report(self, record: Record) -> Iterator[str]:
        """Yield the lines of one report."""
        counts = "" if record.fault else f": {tally(record)}"
        yield self.paint("title", f"Report {record.path}") + counts
        yield from self.findings(record)
        if not self.options.quiet:
            for what, value, why in record.assumed:
                yield self.labelled("assumed", f"{what}: {value} ({why})")
            for path, message, remedy, level in record.problems:
                if level == "warning" or self.options.verbose:
                    told = f"{path}: {message}" + (f"; {remedy}" if remedy else "")
                    yield self.labelled("problem", told)
        for sentence in coverage(record):
            yield f"  {sentence}"
        if not self.options.quiet and (options := wanting(record)):
            yield f"  {options}"

    def findings(self, record: Record) -> Iterator[str]:
        """Yield the findings, the loudest first."""
        for level in ("error",) if self.options.quiet else ("error", "warning", "note"):
            rows = record.of_level(level)
            for first, others in _folded(rows) if level == "note" else ((r, ()) for r in rows):
                yield from self.finding(first, level, others)
        if self.options.verbose:
            for row in record.of_level("none"):
                word = "open" if row.verdict == NOT_CHECKABLE else "agrees"
                yield from self.finding(row, word)

    def finding(self, row: Row, word: str, others: Sequence[Row] = ()) -> Iterator[str]:
        """Yield the lines of one finding."""
        rule = self.paint("open", f" [{row.rule}]")
        yield self.labelled(word, f"{row.spot}: {row.message}{rule}")
        if row.likely_cause and row.likely_cause not in row.message:
            yield _below(f"likely cause: {row.likely_cause}")
        if others:
            yield _below(f"and {len(others)} more like it: {_places(others)}")
        if self.options.verbose:
            if row.readings:
                yield _below(f"readings tried: {'; '.join(row.readings)}")
            for point in row.expected.evidence if row.expected else ():
                at = f" at step {point['step']}" if point["step"] is not None else ""
                yield _below(f"evidence: {point['path']}, {point['tag']}{at}: {point['value']}")

    def labelled(self, word: str, text: str) -> str:
        """Return a line with a word in its margin."""
        return f"  {self.paint(word, word)}{' ' * max(1, _MARGIN - len(word))}{text}"

    def paint(self, style: str, text: str) -> str:
        """Return a text in the colour of a style, where colours are wanted."""
        code = _COLOURS.get(style, "")
        return f"\x1b[{code}m{text}\x1b[0m" if code and self.options.colour else text


def _below(text: str) -> str:
    return " " * (_MARGIN + 2) + text


def _folded(rows: Sequence[Row]) -> Iterator[tuple[Row, Sequence[Row]]]:
    """Yield each row with the later ones of which the same is said behind their numbers."""
    alike: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        _, _, said = row.message.partition("; ")
        alike.setdefault((row.rule, said or row.message), []).append(row)
    for first, *others in alike.values():
        yield first, others


def _places(rows: Sequence[Row]) -> str:
    """Return the lines of rows, most of them in short: `lines 3, 5, 9`."""
    spots = [
        f"page {r.spot.page} line {r.spot.line}" if r.spot.page else f"{r.spot.line}" for r in rows
    ]
    shown = ", ".join(spots[:_MOST_PLACES]) + (", …" if len(spots) > _MOST_PLACES else "")
    return shorten(f"line{'s' if len(rows) > 1 else ''} {shown}", 100)
