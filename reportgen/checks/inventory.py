"""Check that what a report counts of its evidence, row by row, is what the evidence holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from reportgen.checks._ladder import unbound
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._once import once
from reportgen.checks._reading import Reading
from reportgen.checks._settled import settled
from reportgen.checks._subjects import group_called
from reportgen.claims.inventory import BYTES, EXAMPLES, FILES, POINTS, RUNS, UPDATES
from reportgen.records.claim import Claim, Counted
from reportgen.records.facts import Facts
from reportgen.records.finding import Case, Finding
from reportgen.records.quantity import Evidence
from reportgen.records.run import Run
from reportgen.records.source import Source

RULE = "inventory"
_OF_RUNS = frozenset({FILES, POINTS, UPDATES})
_LENGTHS = ("max_steps", "max_update", "total_num_update", "global_step")
_SPACE = re.compile(r"[\s\u00ad`*\\]+")


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for every number of runs, files, points, updates, bytes and examples.

    A row is held against the run, the group or the file that it is called by; where the evidence
    has none of that name, there is nothing to say.

    Args:
        case: The report and its evidence.
    """
    book = logbook_of(case)
    for claim in case.claims:
        content = claim.content
        if claim.kind != "count" or not isinstance(content, Counted) or claim.printed is None:
            continue
        if case.facts is None:
            return
        if content.what == BYTES:
            yield _bytes(case, claim)
        elif content.what == EXAMPLES and not content.key:
            yield from _examples(case.facts, claim)
        elif book is not None and content.what == RUNS:
            yield _runs(case, book, claim)
        elif book is not None and content.what in _OF_RUNS:
            yield _of_run(case, book, claim, content.what)


def _squeezed(text: str) -> str:
    """Return a path as it is without what a page adds to it: blanks at the ends of lines."""
    return _SPACE.sub("", text)


def _verdict(claim: Claim, found: Sequence[Reading], *, loudest: str = "warning") -> Finding:
    """Return the verdict on a number that is counted, and never rounded."""
    value = claim.printed.value if claim.printed else None
    hit = next((reading for reading in found if reading.value == value), None)
    shown = hit or found[0]
    verdict = "agrees" if hit else "disagrees"
    return settled(RULE, claim, verdict, shown.where, loudest=loudest, found=[shown])


def _bytes(case: Case, claim: Claim) -> Finding:
    """Hold the size of a file against the file that was read."""
    name = _squeezed(claim.hints.get("row", ""))
    found = [s for path, s in _sources(case).items() if path == name or path.endswith(f"/{name}")]
    if len(found) != 1:
        return unbound(RULE, claim, f"no file that was read is called “{claim.hints['row']}”")
    source = found[0]
    cited = Evidence(path=source.path, tag="bytes", value=source.size)
    where = f"{source.path} has {source.size:,} bytes"
    return _verdict(claim, [Reading(value=Decimal(source.size), where=where, evidence=(cited,))])


@once
def _sources(case: Case) -> dict[str, Source]:
    """Return every file that was read, by its path without blanks."""
    facts = case.facts
    if facts is None:
        return {}
    models = [m for m in (facts.model, *(a.base for a in facts.adapters)) if m is not None]
    found = [source for run in facts.runs for source in run.sources]
    found += [m.config.source for m in models] + [a.config.source for a in facts.adapters]
    found += [m.checkpoint.source for m in models if m.checkpoint is not None]
    return {_squeezed(source.path): source for source in found}


def _examples(facts: Facts, claim: Claim) -> Iterator[Finding]:
    """Yield that a number of examples is that of a split; it may be one of anything else."""
    value = claim.printed.value if claim.printed else None
    for split, size in facts.study.split_sizes.items():
        if size == value:
            says = f"the study has splits.sizes.{split} = {size}"
            yield settled(RULE, claim, "agrees", says)
            return
    pairs = {len(c.pairs) for c in facts.comparisons if c.pairs}
    if "pairs" in claim.quote and value in pairs:
        yield settled(RULE, claim, "agrees", f"the logs have {value} pairs of runs with one seed")


def _runs(case: Case, book: Logbook, claim: Claim) -> Finding:
    """Hold the number of runs of a group against those that the logs have of it."""
    row = claim.hints.get("row", "")
    name = group_called(case, book, row)
    if not name:
        return unbound(RULE, claim, f"no runs in the logs are called “{row}”")
    group = next(g for g in case.facts.groups if g.name == name) if case.facts else None
    runs, label = book.runs(name), book.study.label(name)
    counts = {len(runs): f"the logs have {len(runs)} runs of {label}"}
    for summary in (group.report, group.select, group.last) if group else ():
        counts.setdefault(summary.n, f"{summary.n} runs of {label} have a value in the logs")
    # A caption may say of how few runs the mean of an evaluation is: `n = 3 to 4`.
    for at in group.epochs if group else ():
        for n in (summary.n for summary in at.splits.values()):
            counts.setdefault(n, f"{n} runs of {label} have a value at step {at.step}")
    found = [Reading(value=Decimal(n), where=where) for n, where in counts.items()]
    printed = claim.printed.value if claim.printed else Decimal(0)
    # A mean may leave out runs; it cannot be of more than there are.
    return _verdict(claim, found, loudest="warning" if printed > len(runs) else "note")


def _of_run(case: Case, book: Logbook, claim: Claim, what: str) -> Finding:
    """Hold what a row counts of a run against that run, and a sentence against all runs."""
    runs = tuple(case.facts.runs) if case.facts else ()
    row = claim.hints.get("row", "")
    if row:
        runs = tuple(run for run in runs if _squeezed(run.id) == _squeezed(row))
        runs = runs or _by_labels(case, book, claim)
    if not runs or (row and len(runs) != 1):
        return unbound(RULE, claim, f"no run of the logs is called “{row}”")
    whose = runs[0].id if row else "all runs together"
    found = [
        Reading(value=Decimal(count), where=f"{whose} {'has' if row else 'have'} {count:,} {what}")
        for count in dict.fromkeys(_counts(runs, what))
    ]
    if not found:
        return unbound(RULE, claim, f"{whose} logged no step")
    return _verdict(claim, found)


def _by_labels(case: Case, book: Logbook, claim: Claim) -> tuple[Run, ...]:
    """Return the run whose group and seed stand in a row."""
    labels = [claim.hints["row"], *claim.hints.get("labels", "").split(" | ")]
    names = {name for label in labels if (name := group_called(case, book, label))}
    seed = claim.hints.get("seed", "")
    if len(names) != 1 or not seed.isdigit():
        return ()
    return book.runs(names.pop(), int(seed))


def _counts(runs: Sequence[Run], what: str) -> Iterator[int]:
    """Yield how many files, points or updates runs have, under every legal reading."""
    if what == FILES:
        yield len({source.path for run in runs for source in run.sources})
    elif what == POINTS:
        yield sum(len(series) for run in runs for series in run.scalars.values())
    else:
        for run in runs:
            steps = [int(series.steps[-1]) for series in run.scalars.values() if len(series)]
            if steps:
                yield max(steps)
            stated = (run.config.get(key) for key in _LENGTHS)
            yield from (value for value in stated if isinstance(value, int) and value > 0)
