"""How much of a report was checked, in the one wording that every format prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reportgen.checking.projections._record import NOT_CHECKABLE, Record, Row

_MOST_REASONS = 6


def coverage(record: Record) -> tuple[str, ...]:
    """Return the sentences that say how many numbers and statements were checked.

    The first has the form `Checked k of m numbers; n not checkable because …`; the numbers that
    it leaves are those that claim nothing on their own. A second one counts what is said
    without a number, where something is.

    Example:
        >>> from reportgen.checking.projections._record import make_record
        >>> from reportgen.records.finding import Judgement
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> coverage(make_record(Judgement(manuscript=report, findings=(), numbers=2)))
        ('Checked 0 of 2 numbers. The other 2 claim nothing: labels, years, terms of formulas.',)
    """
    if record.fault:
        return (f"Could not be checked: {why_unread(record.fault)}",)
    decided = [row for row in record.rows if row.decisive]
    numbers = [row for row in decided if row.claim["printed"] is not None]
    sentences = [row for row in decided if row.claim["printed"] is None]
    most = max(record.totals["numbers"], len(numbers))
    first = _counted(numbers, f"{most} {_plural('number', most)}")
    if rest := most - len(numbers):
        ends = ("s", "") if rest == 1 else ("", f"{rest} ")
        first += f" The other {ends[1]}claim{ends[0]} nothing: labels, years, terms of formulas."
    if not sentences:
        return (first,)
    told = f"{len(sentences)} {_plural('statement', len(sentences))}"
    return first, _counted(sentences, f"{told} without a number")


def why_unread(fault: str) -> str:
    """Return the reason in a fault, without the words that are printed before it.

    Example:
        >>> why_unread("a.pdf could not be checked: it is empty"), why_unread("no such file")
        ('it is empty', 'no such file')
    """
    return fault.rpartition("could not be checked: ")[2]


def _counted(rows: Sequence[Row], what: str) -> str:
    open_ones = [row for row in rows if row.verdict == NOT_CHECKABLE]
    checked = f"Checked {len(rows) - len(open_ones)} of {what}"
    if not open_ones:
        return f"{checked}."
    return f"{checked}; {len(open_ones)} not checkable because {reasons(open_ones)}."


def reasons(rows: Sequence[Row]) -> str:
    """Return why rows cannot be checked, each reason with its number, the most frequent first."""
    counts = Counter(row.reason or "no reason was given" for row in rows)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    told = [f"{reason} ({count})" for reason, count in ordered[:_MOST_REASONS]]
    if rest := ordered[_MOST_REASONS:]:
        told.append(
            f"{len(rest)} more {_plural('reason', len(rest))} ({sum(count for _, count in rest)})"
        )
    return "; ".join(told)


def loudest(record: Record) -> str:
    """Return the status of a report in one word or two.

    Example:
        >>> from reportgen.checking.projections._record import make_record
        >>> from reportgen.records.finding import Judgement
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="", sha256="", blocks=())
        >>> loudest(make_record(Judgement(manuscript=report, findings=(), fault="no such file")))
        'could not be checked'
    """
    if record.fault:
        return "could not be checked"
    levels = {row.level for row in record.rows}
    found = next((level for level in ("error", "warning", "note") if level in levels), "")
    return found or ("agrees" if record.totals["checked"] else "nothing to check")


def tally(record: Record) -> str:
    """Return how many findings of each level there are: `1 error, 2 notes`."""
    counts = Counter(row.level for row in record.rows)
    levels = [(level, counts[level]) for level in ("error", "warning", "note")]
    told = [f"{count} {_plural(level, count)}" for level, count in levels if count]
    return ", ".join(told) or "no errors, warnings or notes"


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
