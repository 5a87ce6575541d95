"""What the ids of a built report stand for: in its report.json, or in today's evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.records.source import Problem
from reportgen.records.verdict import Stated

if TYPE_CHECKING:
    from reportgen.records.facts import Facts
    from reportgen.records.manuscript import Manuscript


KNOWN = 0.9
"""Share of a report's ids that today's evidence has to know, or another study was meant."""

_REMEDY = "name the report.json of that build with --report"


def stated_for(
    manuscript: Manuscript, facts: Facts | None, given: Mapping[str, Stated]
) -> tuple[Mapping[str, Stated], tuple[Problem, ...]]:
    """Return what the ids in a report's source stand for, and why nothing can be told of them.

    Args:
        manuscript: The report.
        facts: Its evidence, where there is any.
        given: Numbers of the report.json that was named; empty without one.
    """
    if not manuscript.named and facts is not None and facts.groups and is_own(manuscript):
        return stated_by(facts), ()
    if not manuscript.named:
        message = "names none of its numbers: it was not held against report.json"
        remedy = r"only LaTeX that reportgen wrote names them: \rgnum{id}{79.9}"
        note = Problem(path=manuscript.path, message=message, remedy=remedy, level="note")
        return {}, (note,) if given else ()
    if given or facts is None or not facts.groups:
        return given, ()
    found = stated_by(facts)
    known = sum(named.id in found for named in manuscript.named)
    if known >= KNOWN * len(manuscript.named):
        return found, ()
    message = f"names {len(manuscript.named)} numbers, of which this evidence has {known}"
    return {}, (Problem(path=manuscript.path, message=message, remedy=_REMEDY, level="note"),)


_OWN = re.compile(r"\breportgen \d+\.\d+")
"""What the last page of every report says of the program that wrote it."""


def is_own(manuscript: Manuscript) -> bool:
    """Say whether a report says that this program wrote it."""
    last = manuscript.blocks[-_LAST:]
    return any(_OWN.search(block.text) for block in last)


_LAST = 60


def stated_in(path: Path) -> dict[str, Stated]:
    """Return the numbers of a report.json by their ids, as LaTeX spells them too.

    Raises:
        EvidenceError: It cannot be read.
    """
    from reportgen.api.report_file import read_report

    report = read_report(path)
    numbers = [*report.content["numbers"], *_in_equations(report.content["equations"])]
    return _by_id(numbers, "report.json", settled=True)


def stated_by(facts: Facts) -> dict[str, Stated]:
    """Return the numbers that a report of these facts would print, by their ids."""
    from reportgen.render._numbering import resolve
    from reportgen.render.json import report_json
    from reportgen.report import compose_report

    report = compose_report(facts, metadata={})
    content: Mapping[str, Any] = report_json(report, resolve(report))
    numbers = [*content["numbers"], *_in_equations(content["equations"])]
    return _by_id(numbers, "a report of this evidence", settled=False)


def _in_equations(equations: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the numbers of displayed equations: each result, and what each symbol is put as."""
    for equation in equations:
        yield {**equation, "value": equation.get("result")}
        for symbol, value in (equation.get("values") or {}).items():
            printed = f"{value:,}" if isinstance(value, int) else str(value)
            yield {"id": f"{equation['id']}.{symbol}", "printed": printed, "value": value}


def _by_id(
    numbers: Iterable[Mapping[str, Any]], source: str, *, settled: bool
) -> dict[str, Stated]:
    from reportgen.render._numbering import anchor_of

    found: dict[str, Stated] = {}
    for entry in numbers:
        value = entry.get("value")
        number = isinstance(value, int | float) and not isinstance(value, bool)
        one = Stated(
            id=entry["id"],
            printed=entry["printed"],
            value=float(value) if number and value is not None else None,
            source=source,
            settled=settled,
        )
        found.setdefault(one.id, one)
        found.setdefault(anchor_of(one.id), one)
    return found
