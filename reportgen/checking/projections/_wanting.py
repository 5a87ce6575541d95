"""Which options would give the evidence that claims of a report lack."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

from reportgen.checking.projections._record import NOT_CHECKABLE, Record

# Fewer than these are often of a model, or of other people's runs, that are only spoken of.
_FEWEST = 5
_FEWEST_NAMES = 10
_OPTIONS = (
    (re.compile(r"no logs were given"), _FEWEST, "--runs DIR ({} need logs)"),
    (re.compile(r"no model was given"), _FEWEST, "--checkpoint PATH ({} need a model)"),
    (
        re.compile(r"no adapter was given|and none was given$"),
        _FEWEST,
        "--adapter PATH ({} need an adapter)",
    ),
    (
        re.compile(r"no runs in the logs are called "),
        _FEWEST_NAMES,
        "--study FILE with the report's names as labels ({} name groups that are not in the logs)",
    ),
)


def wanting(record: Record) -> str:
    """Return which options would let more be checked; empty where hardly anything would gain.

    Example:
        >>> from reportgen.checking.projections._record import make_record
        >>> from reportgen.records.finding import Judgement
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> wanting(make_record(Judgement(manuscript=report, findings=())))
        ''
    """
    counts: Counter[str] = Counter()
    for row in record.rows:
        if row.decisive and row.verdict == NOT_CHECKABLE:
            found = (option for pattern, _, option in _OPTIONS if pattern.search(row.reason))
            counts.update(islice(found, 1))
    told = [
        option.format(counts[option]) for _, fewest, option in _OPTIONS if counts[option] >= fewest
    ]
    return f"More can be checked with {', '.join(told)}." if told else ""
