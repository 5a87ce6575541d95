"""Findings as JUnit XML: one suite a check, one case a claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from reportgen.checking.projections._coverage import coverage
from reportgen.checking.projections._plain import shorten
from reportgen.checking.projections._record import NOT_CHECKABLE, Record, Row, make_records
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.finding import Judgement

_READING = "read"
_NAME_LENGTH = 100


def render(judgements: Sequence[Judgement], options: Rendering) -> str:
    """Return JUnit XML as CI servers read it.

    A `<failure>` is a finding that makes a report fail: an error, and a warning where
    `fail_on` says so. What cannot be checked is `<skipped>`. The suite `read` has one case a
    report, with how much of it was checked; it is an `<error>` where it could not be. Cases
    are named by what is quoted, not by lines, so that their history outlives an edit. Nothing
    was timed: times are 0.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> text = render([Judgement(manuscript=report, findings=())], Rendering())
        >>> print(text.splitlines()[1])
        <testsuites name="reportgen check" tests="1" failures="0" errors="0" skipped="0" time="0">
    """
    records = make_records(judgements, options)
    suites: dict[str, list[_Case]] = {}
    for record in records:
        suites.setdefault(_READING, []).append(_read(record))
        for row in record.rows:
            suites.setdefault(row.rule, []).append(_case(record, row, options))
    tests = [case for cases in suites.values() for case in cases]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="reportgen check"{_counts(tests)} time="0">',
        *(line for rule in sorted(suites) for line in _suite(rule, suites[rule])),
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """One test case: where it stands, what became of it, and what there is to know of it."""

    name: str
    classname: str
    where: Sequence[tuple[str, str]]
    outcome: str
    type: str = ""
    message: str = ""
    text: str = ""
    properties: Sequence[tuple[str, str]] = ()

    def lines(self, turn: int) -> Iterator[str]:
        """Yield the lines of the element; `turn` tells cases of one name apart."""
        name = self.name if turn == 1 else f"{self.name} ({turn})"
        pairs = [("name", name), ("classname", self.classname), *self.where, ("time", "0")]
        yield f"<testcase{_attributes(pairs)}>"
        yield from _properties(self.properties)
        if self.outcome == "skipped":
            yield f"<skipped{_attributes([('message', self.message)])}/>"
        elif self.outcome:
            pairs = [("message", self.message), ("type", self.type)]
            yield f"<{self.outcome}{_attributes(pairs)}>{escape(self.text)}</{self.outcome}>"
        yield "</testcase>"


def _read(record: Record) -> _Case:
    """Return the case that a report could be read, which tells how much of it was checked."""
    return _Case(
        name=record.path,
        classname=f"{record.name}.{_READING}",
        where=[("file", record.path)],
        outcome="error" if record.fault else "",
        type="unreadable",
        message=record.fault,
        text=record.fault,
        properties=[("coverage", sentence) for sentence in coverage(record)],
    )


def _case(record: Record, row: Row, options: Rendering) -> _Case:
    outcome = ""
    if row.level == "error" or options.fails(row.level):
        outcome = "failure"
    elif row.verdict == NOT_CHECKABLE:
        outcome = "skipped"
    where = [("file", row.spot.file)]
    if row.spot.opens:
        where.append(("line", str(row.spot.line)))
    return _Case(
        name=shorten(row.quote, _NAME_LENGTH) or row.kind,
        classname=f"{record.name}.{row.rule}",
        where=where,
        outcome=outcome,
        type=row.verdict,
        message=row.reason if outcome == "skipped" else row.message,
        text="\n".join(_told(row)),
        properties=list(_known(row)),
    )


def _told(row: Row) -> Iterator[str]:
    yield f"{row.spot}: {row.message}"
    if row.likely_cause and row.likely_cause not in row.message:
        yield f"likely cause: {row.likely_cause}"
    yield from (f"reading tried: {reading}" for reading in row.readings)
    for point in row.expected.evidence if row.expected else ():
        at = f" at step {point['step']}" if point["step"] is not None else ""
        yield f"evidence: {point['path']}, {point['tag']}{at}: {point['value']}"


def _known(row: Row) -> Iterator[tuple[str, str]]:
    expected = row.expected.value if row.expected else None
    for name, value in (
        ("level", row.level),
        ("verdict", row.verdict),
        ("kind", row.kind),
        ("section", row.section),
        ("part", row.spot.part),
        ("page", row.spot.page),
        ("printed", row.claim["printed"]),
        ("expected", expected),
        ("likely_cause", row.likely_cause),
        ("fingerprint", row.fingerprint),
    ):
        if value is not None and value != "":
            yield name, str(value)


def _suite(rule: str, cases: Sequence[_Case]) -> Iterator[str]:
    yield f'<testsuite{_attributes([("name", rule)])}{_counts(cases)} time="0">'
    turns: Counter[tuple[str, str]] = Counter()
    for case in cases:
        turns[case.classname, case.name] += 1
        yield from case.lines(turns[case.classname, case.name])
    yield "</testsuite>"


def _properties(pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    if pairs:
        yield "<properties>"
        for name, value in pairs:
            yield f"<property{_attributes([('name', name), ('value', value)])}/>"
        yield "</properties>"


def _counts(cases: Sequence[_Case]) -> str:
    outcomes = Counter(case.outcome for case in cases)
    counts = [
        ("tests", len(cases)),
        ("failures", outcomes["failure"]),
        ("errors", outcomes["error"]),
        ("skipped", outcomes["skipped"]),
    ]
    return _attributes([(name, str(count)) for name, count in counts])


def _attributes(pairs: Sequence[tuple[str, str]]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in pairs)
