"""How much of a report stands in its evidence, in the one wording that every format prints."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.checking.projections._records import Record

_LEVELS = ("error", "warning", "note")


def headline(record: Record) -> str:
    """Return the sentence that says how many numbers are traced.

    Numbers that claim nothing (dates, versions, numbers of sections) are not among them.

    Example:
        >>> from reportgen.checking.projections._records import make_records
        >>> from reportgen.checking.projections._rendering import Rendering
        >>> from reportgen.records.manuscript import Manuscript
        >>> from reportgen.records.verdict import Review
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> [record] = make_records([Review(manuscript=report)], Rendering())
        >>> headline(record)
        'Traced 0 of 0 numbers; 0 contradicted; 0 stand nowhere in the evidence.'
    """
    if record.fault:
        return f"Could not be checked: {why_unread(record.fault)}"
    totals = record.totals
    claiming = totals["numbers"] - totals["no_claim"]
    stand = "stands" if totals["untraced"] == 1 else "stand"
    return (
        f"Traced {totals['traced']} of {_counted(claiming, 'number')}; "
        f"{totals['contradicted']} contradicted; "
        f"{totals['untraced']} {stand} nowhere in the evidence."
    )


def headlines(record: Record) -> tuple[str, ...]:
    """Return the remark, where there is one, and the headline."""
    remark = (f"Note: {record.remark}",) if record.remark else ()
    return (*remark, headline(record))


def why_unread(fault: str) -> str:
    """Return the reason in a fault, without the words that are printed before it.

    Example:
        >>> why_unread("a.pdf could not be checked: it is empty"), why_unread("no such file")
        ('it is empty', 'no such file')
    """
    return fault.rpartition("could not be checked: ")[2]


def status(record: Record) -> str:
    """Return how a report stands in a word or three: its loudest level, or `traced`."""
    if record.fault:
        return "could not be checked"
    found = next((level for level in _LEVELS if record.totals[f"{level}s"]), "")
    return found or ("traced" if record.totals["traced"] else "nothing traced")


def tally(record: Record) -> str:
    """Return how many findings of each level there are: `1 error, 2 notes`."""
    counts = ((record.totals[f"{level}s"], level) for level in _LEVELS)
    told = [_counted(count, level) for count, level in counts if count]
    return ", ".join(told) or "no errors, warnings or notes"


def untraced_share(record: Record) -> float:
    """Return which share of the numbers that claim something stands nowhere."""
    claiming = record.totals["numbers"] - record.totals["no_claim"]
    return record.totals["untraced"] / claiming if claiming else 0.0


def by_need(records: Sequence[Record]) -> list[int]:
    """Return the positions of records, those first that a person should read first.

    First what could not be checked and what looks like somebody else's evidence, then by errors,
    warnings and the share of numbers that stands nowhere.
    """

    def need(index: int) -> tuple[bool, bool, int, int, float]:
        one = records[index]
        totals = one.totals
        return (
            not one.fault,
            not one.remark,
            -totals["errors"],
            -totals["warnings"],
            -untraced_share(one),
        )

    return sorted(range(len(records)), key=need)


def _counted(count: int, word: str) -> str:
    return f"{count} {word if count == 1 else f'{word}s'}"
