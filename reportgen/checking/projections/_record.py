"""One judgement as plain values: what every projection starts from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath

from reportgen.checking.projections._claim import claim_fields, fingerprint
from reportgen.checking.projections._plain import Json, number, words
from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections._sections import headings_above
from reportgen.records.finding import Expected, Judgement
from reportgen.records.manuscript import Place
from reportgen.records.quantity import Evidence

NOT_CHECKABLE = "not checkable"
LINES_OF_THE_FILE = ("markdown", "latex", "plain")
"""Report formats whose lines are those of the file that an editor opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a claim stands.

    Attributes:
        file: Path of the file, relative to the root.
        part: Cell of a notebook, or empty.
        line, column, end_column: As in `Place`.
        page: Page of a PDF, or None.
        opens: Whether line and column are those of the file: an editor can go there.
    """

    file: str
    part: str
    line: int
    column: int
    end_column: int
    page: int | None
    opens: bool

    def __str__(self) -> str:
        if self.opens:
            return f"{self.file}:{self.line}:{self.column}"
        inside = [self.part, f"page {self.page}" if self.page is not None else ""]
        return ", ".join([self.file, *filter(None, inside), f"line {self.line}"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the evidence has: the nearest legal reading, its range, and the points it rests on."""

    value: int | float | str | None
    low: int | float | str | None
    high: int | float | str | None
    definition: str
    evidence: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One finding as plain values; its texts stand on one line and hold no control characters.

    Attributes:
        id: `f1`, `f2`, ... in order.
        claim: What the report says (see `claim_fields`).
        decisive: Whether it is the first of its claim; else a further remark.
        section: Nearest heading above, or empty.
        fingerprint: Stays when lines move; unique in the report.
        block: Index of the block in the manuscript.
    """

    id: str
    claim: Mapping[str, Json]
    decisive: bool
    rule: str
    level: str
    verdict: str
    kind: str
    quote: str
    spot: Spot
    section: str
    expected: Reading | None
    delta: int | float | str | None
    readings: tuple[str, ...]
    likely_cause: str
    message: str
    reason: str
    fingerprint: str
    block: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One judged report as plain values.

    Attributes:
        name: Name of the submission.
        path: Of the report, relative to the root.
        evidence: (id, path, sha256, tags).
        totals: As `Judgement.totals` has them.
        reasons: Why claims cannot be checked, with how many, the most frequent first.
        problems: (path, message, remedy, level).
    """

    name: str
    path: str
    sha256: str
    format: str
    pages: int
    rows: tuple[Row, ...]
    totals: Mapping[str, int]
    evidence: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    reasons: tuple[tuple[str, int], ...]
    assumed: tuple[tuple[str, str, str], ...]
    problems: tuple[tuple[str, str, str, str], ...]
    fault: str

    def of_level(self, *levels: str) -> tuple[Row, ...]:
        """Return the rows of these levels, in order."""
        return tuple(row for row in self.rows if row.level in levels)


def make_records(judgements: Sequence[Judgement], options: Rendering) -> tuple[Record, ...]:
    """Return each judgement as plain values.

    Names that are not given are those of the files, or the paths where two would be alike.
    """
    paths = [judgement.manuscript.path for judgement in judgements]
    names = options.names
    if len(names) != len(paths):
        stems = tuple(PurePath(path).stem for path in paths)
        names = stems if len(set(stems)) == len(stems) else tuple(paths)
    pairs = zip(judgements, names, strict=True)
    return tuple(make_record(judgement, options.root, name) for judgement, name in pairs)


def make_record(judgement: Judgement, root: str = "", name: str = "") -> Record:
    """Return a judgement as plain values.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="lab/ana.md", format="markdown", sha256="", blocks=())
        >>> record = make_record(Judgement(manuscript=report, findings=(), numbers=3))
        >>> record.name, record.totals["numbers"], record.totals["checked"]
        ('ana', 3, 0)
    """
    manuscript = judgement.manuscript
    path = relative(manuscript.path, root)
    rows = tuple(_rows(judgement, path))
    return Record(
        name=words(name or PurePath(manuscript.path).stem),
        path=path,
        sha256=manuscript.sha256,
        format=manuscript.format,
        pages=manuscript.pages,
        rows=rows,
        totals=judgement.totals(),
        evidence=_evidence(judgement, rows),
        reasons=_reasons(rows),
        assumed=tuple((words(a), words(b), words(c)) for a, b, c in judgement.assumed),
        problems=tuple(
            (words(p.path), words(p.message), words(p.remedy), p.level) for p in judgement.problems
        ),
        fault=words(judgement.fault),
    )


def relative(path: str, root: str) -> str:
    """Return a path relative to a folder it lies in, in POSIX spelling.

    Example:
        >>> relative("/class/ana/report.md", "/class"), relative("ana/report.md", "/class")
        ('ana/report.md', 'ana/report.md')
    """
    pure = PurePath(path)
    if root and pure.is_relative_to(root):
        pure = pure.relative_to(root)
    return words(pure.as_posix())


def _rows(judgement: Judgement, path: str) -> Iterator[Row]:
    manuscript = judgement.manuscript
    above = headings_above(manuscript)
    first = {id(finding) for finding in judgement.decisive()}
    taken: Counter[str] = Counter()
    for index, finding in enumerate(judgement.findings, start=1):
        claim = finding.claim
        mark = fingerprint(finding.rule, claim)
        taken[mark] += 1
        headings = above[claim.block] if 0 <= claim.block < len(above) else ()
        yield Row(
            id=f"f{index}",
            claim=claim_fields(claim),
            decisive=id(finding) in first,
            rule=words(finding.rule),
            level=finding.level,
            verdict=finding.verdict,
            kind=claim.kind,
            quote=words(claim.quote),
            spot=_spot(claim.place, path, manuscript.format),
            section=words(headings[0]) if headings else "",
            expected=_reading(finding.expected) if finding.expected else None,
            delta=number(finding.delta),
            readings=tuple(words(reading) for reading in finding.readings),
            likely_cause=words(finding.likely_cause),
            message=words(finding.message),
            reason=words(finding.reason),
            # The same claim made twice: the second one is told apart by its turn.
            fingerprint=mark if taken[mark] == 1 else f"{mark}-{taken[mark]}",
            block=claim.block,
        )


def _spot(place: Place, path: str, form: str) -> Spot:
    cell = place.file if form == "notebook" else ""
    file = path
    if place.file and not cell:
        file = words((PurePosixPath(path).parent / PurePath(place.file).as_posix()).as_posix())
    return Spot(
        file=file,
        part=words(cell),
        line=place.line,
        column=place.column,
        end_column=place.end_column,
        page=place.page,
        opens=form in LINES_OF_THE_FILE and place.page is None,
    )


def _reading(expected: Expected) -> Reading:
    return Reading(
        value=number(expected.value),
        low=number(expected.low),
        high=number(expected.high),
        definition=words(expected.definition),
        evidence=tuple(_point(evidence) for evidence in expected.evidence),
    )


def _point(evidence: Evidence) -> Mapping[str, Json]:
    return {
        "path": words(evidence.path),
        "tag": words(evidence.tag),
        "step": evidence.step,
        "value": number(evidence.value),
        "run": words(evidence.run),
    }


def _evidence(
    judgement: Judgement, rows: Sequence[Row]
) -> tuple[tuple[str, str, str, tuple[str, ...]], ...]:
    """Return the files of the evidence, each with the tags that verdicts rest on."""
    tags: dict[Json, set[str]] = {}
    for row in rows:
        for point in row.expected.evidence if row.expected else ():
            tags.setdefault(point["path"], set()).add(str(point["tag"]))
    files = ((words(name), words(path), digest) for name, path, digest in judgement.evidence)
    return tuple(
        (name, path, digest, tuple(sorted(filter(None, tags.get(path, ())))))
        for name, path, digest in files
    )


def _reasons(rows: Sequence[Row]) -> tuple[tuple[str, int], ...]:
    counts = Counter(row.reason for row in rows if row.decisive and row.verdict == NOT_CHECKABLE)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
