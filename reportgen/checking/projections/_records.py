"""One review as plain values: what every projection starts from."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring, encode_basestring_ascii
from math import isfinite
from pathlib import PurePath, PurePosixPath
from typing import Any, TypeAlias, cast

from reportgen.records.manuscript import Manuscript, Place
from reportgen.records.record import field, record
from reportgen.records.source import printable
from reportgen.records.verdict import LEVELS, Context, Review, Rubric, Trace, Verdict

# Values and words of strangers as plain JSON values and one-line text.

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

# A little below the largest double: other readers of JSON have no larger numbers.
_LARGEST_EXPONENT = 307
_MOST_DIGITS = 40
# Code points that no encoding and no XML may hold.
_NO_CHARACTERS = {code: f"\\u{code:04x}" for code in (0xFFFE, 0xFFFF)}


@lru_cache(4096)
def words(text: str) -> str:
    r"""Return a text on one line, with every control character written out.

    White space of any kind becomes one space, so that a quote reads the same wherever its
    lines were broken; half surrogates are written out, so that it can be encoded.

    Example:
        >>> print(words("Seed 1\t80\n\x1b[31m"))
        Seed 1 80 \x1b[31m
    """
    if text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]:
        # As nearly all are; of white space only the blank is printable.
        return text
    return _shown(" ".join(text.split()))


def running_text(text: str) -> str:
    r"""Return text of several lines whose control characters are written out.

    Example:
        >>> print(running_text("a\tb\n\x1b[31m"))
        a b
        \x1b[31m
    """
    return "\n".join(_shown(line.replace("\t", " ")) for line in text.split("\n"))


def _shown(line: str) -> str:
    if not line.isascii():
        line = line.encode("utf-8", "backslashreplace").decode().translate(_NO_CHARACTERS)
    return printable(line)


def number(value: Decimal | float | str | bool | None) -> Json:
    """Return a number as JSON prints it best; what JSON cannot hold becomes a text.

    Example:
        >>> number(Decimal("675.0")), number(0.806), number(float("nan")), number(10**400)
        (675, 0.806, 'NaN', '1.0000000000000000E+400')
    """
    if value is None or isinstance(value, bool | str):
        return words(value) if isinstance(value, str) else value
    exact = Decimal(value)
    if not exact.is_finite():
        return "NaN" if exact.is_nan() else "-Infinity" if exact < 0 else "Infinity"
    if exact.adjusted() > _LARGEST_EXPONENT:
        return str(exact) if len(exact.as_tuple().digits) <= _MOST_DIGITS else f"{exact:.16E}"
    whole = exact == exact.to_integral_value()
    return int(exact) if whole else float(value)


def strict(content: Json) -> str:
    r"""Return strict JSON with a line end behind it.

    Example:
        >>> strict({"a": [1, {}], "b": None})
        '{\n "a": [\n  1,\n  {}\n ],\n "b": null\n}\n'
    """
    return f"{_laid_out(content)}\n"


def _laid_out(value: Json, line: str = "\n") -> str:
    """Return a value as `json.dumps` sets it in by one blank, which takes twice as long."""
    if type(value) is int or (type(value) is float and isfinite(value)):
        return repr(value)
    spell, inner = encode_basestring, f"{line} "  # texts, as most are, need no call of their own
    if isinstance(value, dict) and value:
        said = [
            f"{spell(key)}: {spell(of) if type(of) is str else _laid_out(of, inner)}"
            for key, of in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(said)}{line}}}"
    if isinstance(value, (list, tuple)):
        said = [spell(of) if type(of) is str else _laid_out(of, inner) for of in value]
        return f"[{inner}{f',{inner}'.join(said)}{line}]" if said else "[]"
    return "null" if value is None else json.dumps(value, ensure_ascii=False, allow_nan=False)


@lru_cache(4096)
def fold(text: str) -> str:
    r"""Return the form of a text in which two spellings of the same words are equal.

    Example:
        >>> fold("Best\N{NO-BREAK SPACE} valid ﬁt") == fold("best Valid fit")
        True
    """
    return words(unicodedata.normalize("NFKC", text)).casefold()


def point_words(point: Mapping[str, Json]) -> str:
    """Return a piece of evidence in words: what it is, its value, where it stands.

    Example:
        >>> point_words({"what": "wer at step 10", "value": 0.5, "path": "a.csv", "tag": "wer",
        ...              "run": "", "step": 10})
        'wer at step 10: 0.5 (a.csv, wer)'
    """
    known = point["value"]
    told = f"{known:.7g}" if isinstance(known, float) else str(known)
    value = "" if known is None or str(point["what"]).endswith(f" = {told}") else f": {told}"
    where = ", ".join(str(point[key]) for key in ("path", "tag") if point[key])
    return f"{point['what']}{value}" + (f" ({where})" if where else "")


FAIL_ON = ("error", "warning", "never")


@record
class Rendering:
    """Options of every findings format; each reads those that concern it.

    Attributes:
        rubric: Lines to score by; None uses lines that cost nothing.
        names: Names of the submissions, one a review; empty takes those of the files.
        root: Folder that printed paths are relative to, where they lie in it.
        fail_on: `"error"`, `"warning"` or `"never"`: from which level on a report fails.
        sarif_all: Whether SARIF also holds what is traced and untraced.
        quiet: Whether the terminal is shown errors only.
        verbose: Whether the terminal is shown what is untraced and traced, with the evidence.
        colour: Whether the terminal is written to in colours.
        visibility: When students see results, over the rubric's; empty keeps the rubric's.
        kept: Reviews as plain values, by name: what several formats show is made once.
    """

    rubric: Rubric | None = None
    names: tuple[str, ...] = ()
    root: str = ""
    fail_on: str = "error"
    sarif_all: bool = False
    quiet: bool = False
    verbose: bool = False
    colour: bool = False
    visibility: str = ""
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def fails(self, level: str) -> bool:
        """Say whether a finding of this level makes a report fail.

        Example:
            >>> [Rendering(fail_on=on).fails("warning") for on in FAIL_ON]
            [False, True, False]
        """
        return self.fail_on in LEVELS and LEVELS.index(level) <= LEVELS.index(self.fail_on)


LINES_OF_THE_FILE = ("markdown", "latex", "plain")
"""Report formats whose lines are those of the file that an editor opens."""

TOTALS = (
    *("numbers", "traced", "contradicted", "untraced", "no_claim"),
    *("errors", "warnings", "notes"),
)


@record
class Spot:
    """Where a number or a statement stands.

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
        return f"{self.file}, {self.inside}"

    @property
    def inside(self) -> str:
        """The place without the file: part, page and line."""
        page = f"page {self.page}" if self.page is not None else ""
        return ", ".join(filter(None, (self.part, page, f"line {self.line}")))


@record
class Stretch:
    """Where in the manuscript that is: a piece of a block's text, or of a cell of a table.

    Attributes:
        block: Index of the block; -1 where it is not found.
        start, end: In the text of the block, or of the cell.
        row, column: Of the cell; None in a text.
    """

    block: int = -1
    start: int = 0
    end: int = 0
    row: int | None = None
    column: int | None = None


@record
class Row:
    """One verdict as plain values; its texts stand on one line, without control characters.

    Attributes:
        id: That of the number; `s1`, `s2`, ... of a statement.
        printed: None for a statement.
        headings: Headings above, the outermost first.
        context: `row`, `head` and `caption` of a number in a table.
        evidence: Traces as mappings, their keys as in `docs/reference/findings.schema.json`.
        fingerprint: Stays when lines move; unique in the report.
    """

    id: str
    outcome: str
    level: str
    rule: str
    printed: str | None
    spot: Spot
    stretch: Stretch
    quote: str
    headings: tuple[str, ...]
    context: Mapping[str, Json]
    evidence: tuple[Mapping[str, Json], ...]
    bindings: tuple[str, ...]
    expected: str
    cause: str
    message: str
    reason: str
    fingerprint: str

    @property
    def section(self) -> str:
        """The nearest heading above, or empty."""
        return self.headings[-1] if self.headings else ""

    @property
    def check(self) -> str:
        """The rule, or a word for none."""
        return self.rule or "unchecked"

    @property
    def tone(self) -> str:
        """How loud it is shown: its level, or its outcome where it has none."""
        return self.outcome if self.level == "none" else self.level

    @property
    def told(self) -> str:
        """The message, with the cause where it does not name it already."""
        told = self.message or f"{self.check}: {self.outcome}"
        extra = self.cause and self.cause not in told
        return f"{told}; likely cause: {self.cause}" if extra else told

    @property
    def shown(self) -> str:
        """The number as printed; of a statement its words in quotes."""
        return f"“{self.quote}”" if self.printed is None else self.printed


@record
class Record:
    """One review as plain values.

    Attributes:
        name: Name of the submission.
        path: Of the report, relative to the root.
        rows: Numbers in reading order, then statements.
        totals: Its keys are `TOTALS`.
        evidence: (id, path, sha256, tags).
        problems: (path, message, remedy, level).
    """

    name: str
    path: str
    manuscript: Manuscript
    rows: tuple[Row, ...]
    totals: Mapping[str, int]
    evidence: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    assumed: tuple[tuple[str, str, str], ...]
    problems: tuple[tuple[str, str, str, str], ...]
    remark: str
    fault: str

    def of_level(self, *levels: str) -> tuple[Row, ...]:
        """Return the rows of these levels, in order."""
        return tuple(row for row in self.rows if row.level in levels)

    def of_outcome(self, *outcomes: str) -> tuple[Row, ...]:
        """Return the rows of these outcomes, in order."""
        return tuple(row for row in self.rows if row.outcome in outcomes)


def make_records(reviews: Sequence[Review], options: Rendering) -> tuple[Record, ...]:
    """Return each review as plain values.

    Names that are not given are those of the files, or the paths where two would be alike.
    """
    paths = [review.manuscript.path for review in reviews]
    names = options.names
    if len(names) != len(paths):
        stems = tuple(PurePath(path).stem for path in paths)
        names = stems if len(set(stems)) == len(stems) else tuple(paths)
    pairs = zip(reviews, names, strict=True)
    return tuple(_kept_record(review, options, name) for review, name in pairs)


def _kept_record(review: Review, options: Rendering, name: str) -> Record:
    """Return a record that another format was made of, or a new one."""
    of, held = options.kept.get(name, (None, None))
    if of is not review or held is None:
        held = _make_record(review, options.root, name)
        options.kept[name] = (review, held)
    return cast("Record", held)


def _make_record(review: Review, root: str, name: str) -> Record:
    manuscript = review.manuscript
    path = relative(manuscript.path, root)
    rows = tuple(_rows(review, path))
    totals = review.totals()
    return Record(
        name=words(name),
        path=path,
        manuscript=manuscript,
        rows=rows,
        totals={key: totals[key] for key in TOTALS},
        evidence=tuple(_evidence(review, rows)),
        assumed=tuple((words(a), words(b), words(c)) for a, b, c in review.assumed),
        problems=tuple(
            (words(p.path), words(p.message), words(p.remedy), p.level) for p in review.problems
        ),
        remark=words(review.remark),
        fault=words(review.fault),
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


_SAID = ("outcome", "level", "rule", "quote", "expected", "cause", "message", "reason")
"""Texts that a row has of its verdict."""


def _rows(review: Review, path: str) -> Iterator[Row]:
    finder = _Finder(review.manuscript)
    taken: Counter[str] = Counter()
    statements = 0
    for one in sorted(review.verdicts, key=lambda verdict: verdict.number is None):
        named = one.number
        statements += named is None
        context = named.context if named else finder.context(one)
        mark = _fingerprint(one, context)
        taken[mark] += 1
        yield Row(
            id=words(named.id) if named else f"s{statements}",
            printed=words(named.printed.text) if named else None,
            spot=_spot(named.place if named else one.place, path, review.manuscript.format),
            stretch=finder.stretch(one),
            headings=tuple(map(words, context.headings)),
            context={key: words(getattr(context, key)) for key in ("row", "head", "caption")},
            evidence=tuple(map(_point, one.traces)),
            bindings=tuple(map(words, one.bindings)),
            **{name: words(getattr(one, name)) for name in _SAID},
            # What is said twice: the second is told apart by its turn.
            fingerprint=mark if taken[mark] == 1 else f"{mark}-{taken[mark]}",
        )


def _fingerprint(verdict: Verdict, context: Context) -> str:
    """Return a digest of what is said, not of where: it stays when lines move."""
    printed = verdict.number.printed.text if verdict.number else ""
    texts = (printed, verdict.quote, context.row, context.head)
    parts = map(encode_basestring_ascii, (verdict.rule, *map(fold, texts)))
    return hashlib.sha256(f"[{', '.join(parts)}]".encode()).hexdigest()[:16]


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


def _point(trace: Trace) -> Mapping[str, Json]:
    told = {name: words(getattr(trace, name)) for name in ("path", "tag", "run")}
    return {"what": words(trace.what), "value": number(trace.value), **told, "step": trace.step}


def _evidence(
    review: Review, rows: Sequence[Row]
) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield the files of the evidence, each with the tags that verdicts rest on."""
    tags: dict[Json, set[str]] = {}
    for row in rows:
        for point in row.evidence:
            tags.setdefault(point["path"], set()).add(str(point["tag"]))
    for name, path, digest in review.evidence:
        shown = words(path)
        yield words(name), shown, digest, tuple(sorted(filter(None, tags.get(shown, ()))))


class _Finder:
    """Finds where in a manuscript verdicts stand: a statement knows its place alone."""

    def __init__(self, manuscript: Manuscript) -> None:
        self.blocks = manuscript.blocks
        self._at: dict[tuple[str, int | None, int], int] = {}
        self._above: list[tuple[str, ...]] = []
        above: list[tuple[int, str]] = []
        for index, block in enumerate(self.blocks):
            if block.type == "heading":
                above = [(level, text) for level, text in above if level < block.level]
                above.append((block.level, block.text))
            self._above.append(tuple(text for _, text in above))
            for line in block.lines:
                self._at.setdefault((line.file, line.page, line.number), index)

    def context(self, verdict: Verdict) -> Context:
        """Return the headings above a statement."""
        index = self._block(verdict.place)
        return Context(headings=self._above[index] if index >= 0 else ())

    def stretch(self, verdict: Verdict) -> Stretch:
        """Return where a number stands, or a statement: its words, else its whole block."""
        if n := verdict.number:
            return Stretch(block=n.block, start=n.start, end=n.end, row=n.row, column=n.column)
        index = self._block(verdict.place)
        if index < 0:
            return Stretch()
        text = self.blocks[index].text
        start = text.find(verdict.quote) if verdict.quote else -1
        if start < 0:
            return Stretch(block=index, end=len(text))
        return Stretch(block=index, start=start, end=start + len(verdict.quote))

    def _block(self, place: Place) -> int:
        return self._at.get((place.file, place.page, place.line), -1)


_LEVELS = ("error", "warning", "note")


def headline(record: Record) -> str:
    """Return the sentence that says how many numbers are traced.

    Numbers that claim nothing (dates, versions, numbers of sections) are not among them.

    Example:
        >>> from reportgen.checking.projections._records import make_records
        >>> from reportgen.checking.projections._records import Rendering
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
