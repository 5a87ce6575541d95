"""The report as data: sections, blocks and inline nodes, without any spelling.

Numbers stay numbers here. Rounding, percent signs and dashes exist only in `render/`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from reportgen.records.diagram import Diagram
from reportgen.records.formula import Equation, Expression
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.record import field, record, replace

STYLES = (
    *("plain", "signed", "percent", "percent_sign", "points", "count", "bytes", "p"),
    *("scientific", "signed_scientific"),
)


@record
class Number:
    """A printed number with its evidence.

    Attributes:
        id: Unique in the report (`best_step.pretrained.0.report_value`).
        quantity: The value, or why there is none.
        style: How it is read: `"percent"` (fraction printed times 100 without sign),
            `"percent_sign"` (the same, with %), `"points"` (a difference of percentages, in
            points, signed), `"count"` (whole, grouped), `"plain"` (as is), `"signed"`,
            `"bytes"` (binary units), `"scientific"`, `"signed_scientific"`, `"p"` (p-value).
        decimals: Digits after the point; None prints the shortest that reads back.
    """

    id: str
    quantity: Quantity | Missing
    style: str = "plain"
    decimals: int | None = None


@record(kw_only=False)
class Math:
    """An inline formula."""

    expression: Expression


@record(kw_only=False)
class Ref:
    """A cross-reference to a labelled block or section, printed "Table 2"."""

    target: str


@record(kw_only=False)
class Cite:
    """A citation of a `Reference` by key."""

    key: str


@record(kw_only=False)
class Code:
    """Text set in typewriter face; names from logs and files."""

    text: str


@record(kw_only=False)
class Emphasis:
    """Emphasised words."""

    content: Text


@record(kw_only=False)
class Strong:
    """Bold words."""

    content: Text


@record(kw_only=False)
class Indent:
    """Leading space of a table cell that shows depth in a tree."""

    depth: int


@record(kw_only=False)
class Mark:
    """A sign behind a number or a name that a note explains, printed "†".

    Attributes:
        sign: The sign.
        meaning: What it stands for, in one word; read aloud where the sign is not.
    """

    sign: str
    meaning: str


@record(kw_only=False)
class Link:
    """Words, without numbers and references, that lead to an address of the web."""

    content: Text
    url: str


Inline = str | Number | Math | Ref | Cite | Code | Emphasis | Strong | Indent | Mark | Link
Text = tuple[Inline, ...]


@record
class Paragraph:
    """Running text."""

    text: Text
    id: str = ""


@record
class Bullets:
    """A list; one text an item. `start` is the number of the first where items are numbered.

    `inner` holds the lists below each item, and is empty where there are none at all.
    """

    items: tuple[Text, ...]
    id: str = ""
    start: int | None = None
    inner: tuple[tuple[Bullets, ...], ...] = ()


@record
class EquationGroup:
    """Displayed equations under one number: formula, substituted line and result of each."""

    id: str
    equations: tuple[Equation, ...]


@record
class TableColumn:
    """One column.

    Attributes:
        title: Head.
        align: `"left"`, `"center"`, `"right"`, or `"decimal"` (numbers of fixed decimals,
            aligned on the point; `mean ± std` cells align on both).
        group: Head above that spans neighbouring columns with the same group.
        wide: True for prose that should wrap and take the space left over.
    """

    title: Text
    align: str = "left"
    group: Text = ()
    wide: bool = False


@record
class TableRow:
    """One row; `kind` is `"body"`, `"total"` (ruled off above) or `"summary"` (bold)."""

    cells: tuple[Text, ...]
    kind: str = "body"


@record
class Excerpt:
    """What of a long table is printed on pages.

    Attributes:
        rows: Indices of the rows, in the order in which they are printed.
        note: Which ones they are, in a sentence.
    """

    rows: tuple[int, ...]
    note: Text


@record
class Table:
    """A captioned, numbered table. Each row has as many cells as there are columns.

    Attributes:
        excerpt: What formats of pages print of it; None where they print every row.
    """

    id: str
    caption: Text
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[Text, ...] = ()
    excerpt: Excerpt | None = None


@record
class Line:
    """One curve.

    Attributes:
        label: Direct label at the line's end.
        group, group_index: Its name, and its position in the report from 0: colour and dash.
        member: Position inside the group, from 0; decides the dash variant and marker.
        x, y: Steps or epochs; values in the printed unit of the axis (percent multiplied).
        smoothed: The same after smoothing, or empty.
        steps: Step of each point where `x` is another measure; else empty.
    """

    label: str
    group: str
    group_index: int
    member: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    smoothed: tuple[float, ...] = ()
    steps: tuple[int, ...] = ()


@record
class Band:
    """Mean and sample std of a group along x, or mean and range, or median and quantiles."""

    group: str
    group_index: int
    label: str
    x: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...] = ()  # empty for n < 3
    high: tuple[float, ...] = ()
    look: int | None = None  # place in the order of looks, where it is not that of the group


@record
class Dot:
    """One group in a dot plot: single values, their mean, and an interval."""

    label: str
    group_index: int
    values: tuple[float, ...]
    mean: float | None = None
    low: float | None = None
    high: float | None = None


@record
class Ring:
    """A point of a curve that was chosen, ringed in the drawing."""

    group_index: int
    x: float
    y: float


@record
class Level:
    """A dotted line across the axes at one value, with its name ("chance")."""

    y: float
    label: str


@record
class Panel:
    """One set of axes; `logarithmic` is of the value axis, whose values are then above zero."""

    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...] = ()
    bands: tuple[Band, ...] = ()
    dots: tuple[Dot, ...] = ()
    rings: tuple[Ring, ...] = ()
    levels: tuple[Level, ...] = ()
    x_ticks: tuple[float, ...] = ()
    logarithmic: bool = False


@record
class Chart:
    """What a figure shows.

    Attributes:
        kind: Name of the figure plug-in (`curves`, `bands`, `quantiles`, `ranges`, `dots`,
            `architecture`, `adapter`, `svg`).
        panels: Axes side by side, for kinds that have axes.
        diagram: Boxes and arrows, for kinds that draw a diagram.
        svg: A finished drawing, for the kind `svg`.
    """

    kind: str
    panels: tuple[Panel, ...] = ()
    diagram: Diagram | None = None
    svg: str = ""


@record
class Figure:
    """A captioned, numbered figure; `alt` says in words what it shows."""

    id: str
    caption: Text
    chart: Chart
    alt: str


@record
class Listing:
    """Verbatim text with a caption."""

    id: str
    caption: Text
    text: str
    language: str = ""


@record
class Reference:
    """One entry of the bibliography; `text` is complete, without the number."""

    key: str
    text: Text
    url: str = ""


@record
class References:
    """The bibliography: only what is cited."""

    entries: tuple[Reference, ...]
    id: str = "references"


@record
class Section:
    """A titled part; sections nest. Those of the appendix follow all others, with letters."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    appendix: bool = False


Block = Section | Paragraph | Bullets | EquationGroup | Table | Figure | Listing | References

BLOCK_KINDS: Mapping[type, str] = {
    Section: "section",
    Paragraph: "paragraph",
    Bullets: "bullets",
    EquationGroup: "equations",
    Table: "table",
    Figure: "figure",
    Listing: "listing",
    References: "references",
}


@record
class Answer:
    """One row of "Answers at a glance": a question, its answer, and where it is worked out."""

    question: Text
    text: Text
    where: Text = ()


@record
class Report:
    """The whole document.

    Attributes:
        title, authors, abstract, lang, date: Front matter; `date` is ISO or empty.
        occasion: What it was written for ("Machine learning, assignment 3"); often empty.
        glance: Answers to the questions of a study, above everything else.
        sections: In reading order, those of the appendix last.
        metadata: What report.json carries beside the numbers, ready for JSON.
    """

    title: str
    sections: tuple[Section, ...]
    authors: tuple[str, ...] = ()
    abstract: Text = ()
    lang: str = "en"
    date: str = ""
    occasion: str = ""
    glance: tuple[Answer, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)


def walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Yield every block, parents before children, in reading order."""
    for block in blocks:
        yield block
        if isinstance(block, Section):
            yield from walk(block.blocks)


def texts(block: Block) -> Iterator[Text]:
    """Yield every text of one block (not of its children), in reading order."""
    match block:
        case Paragraph():
            yield block.text
        case Bullets():
            for item, below in zip_longest(block.items, block.inner, fillvalue=()):
                yield item
                yield from (text for inner in below for text in texts(inner))
        case Table():
            yield block.caption
            for column in block.columns:
                yield column.group
                yield column.title
            for row in block.rows:
                yield from row.cells
            yield from block.notes
            if block.excerpt:
                yield block.excerpt.note
        case Figure() | Listing():
            yield block.caption
        case References():
            yield from (entry.text for entry in block.entries)


def inlines(text: Text) -> Iterator[Inline]:
    """Yield every inline node of a text, opening emphasis."""
    for node in text:
        yield node
        if isinstance(node, Emphasis | Strong | Link):
            yield from inlines(node.content)


def front_texts(report: Report) -> Iterator[Text]:
    """Yield the texts that stand above the first section."""
    yield report.abstract
    for answer in report.glance:
        yield from (answer.question, answer.text, answer.where)


def numbers(report: Report) -> Iterator[Number]:
    """Yield every printed number of a report, in reading order."""
    for text in (*front_texts(report), *(t for b in walk(report.sections) for t in texts(b))):
        yield from (node for node in inlines(text) if isinstance(node, Number))


_OPENED = (Report, Section, Figure, Chart, Panel, Line, Band)
"""Records that hold long rows of numbers, or others that do."""


def state_of(value: object) -> str:
    """Return a text that is the same for two records that are written alike.

    Rows of numbers are told by a digest of their bytes, in which a NaN equals a NaN; everything
    else by its representation.

    Example:
        >>> from reportgen.records.record import replace
        >>> line = Line(label="a", group="a", group_index=0, member=0, x=(1.0,), y=(0.5,))
        >>> state_of(line) == state_of(replace(line, y=(0.5,)))
        True
        >>> state_of(line) == state_of(replace(line, y=(0.25,)))
        False
    """
    if isinstance(value, tuple) and value:
        if set(map(type, value)) == {float}:
            import hashlib
            from array import array

            return hashlib.sha256(array("d", value)).hexdigest()
        return f"({','.join(map(state_of, value))})"
    if isinstance(value, _OPENED):
        parts = tuple(getattr(value, name) for name in vars(type(value))["__slots__"])
        return type(value).__name__ + state_of(parts)
    return repr(value)


# Whether the value axis of a drawing is logarithmic: the same on paper and in a browser.

FAR = 1000.0
"""Times its smallest value that a largest one is, for a logarithmic axis."""


def scaled(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """Return panels with a logarithmic axis where values lie far apart, all above zero.

    Panels whose values are called the same have one scale.

    Example:
        >>> from reportgen.records.document import Line
        >>> line = Line(label="a", group="a", group_index=0, member=0, x=(1, 2), y=(0.1, 2000.0))
        >>> panel = Panel(title="Test", x_label="step", y_label="loss", lines=(line,))
        >>> [one.logarithmic for one in scaled([panel, replace(panel, y_label="mAP (%)")])]
        [True, False]
    """
    far = {
        label
        for label in {panel.y_label for panel in panels}
        if _is_far([panel for panel in panels if panel.y_label == label])
    }
    return tuple(replace(panel, logarithmic=panel.y_label in far) for panel in panels)


def _is_far(panels: Sequence[Panel]) -> bool:
    import numpy as np

    if any(panel.logarithmic for panel in panels):
        return True
    # Of a share of a hundred what is near the whole matters, not what is near nothing.
    if any("%" in panel.y_label for panel in panels):
        return False
    drawn = [line.smoothed or line.y for panel in panels for line in panel.lines]
    drawn += [band.mean for panel in panels for band in panel.bands]
    known = [values[np.isfinite(values)] for values in (np.array(y, dtype=float) for y in drawn)]
    ends = [(values.min(), values.max()) for values in known if len(values)]
    low, high = (min(low for low, _ in ends), max(high for _, high in ends)) if ends else (0, 0)
    return bool(low > 0 and high > FAR * low)


# --- what somebody else's program builds ----------------------------------------------


def faults_of(built: object, taken: Collection[str] = ()) -> Iterator[str]:
    """Yield why what somebody else's `build` returned cannot be printed.

    Args:
        built: What it returned, and should be a section.
        taken: Ids of other blocks of the report.

    Example:
        >>> list(faults_of("words"))
        ['build returned str, not a Section or None']
    """
    if not isinstance(built, Section):
        yield f"build returned {type(built).__name__}, not a Section or None"
        return
    seen: set[str] = set(taken) - {""}
    for block in _all(built):
        if type(block) not in BLOCK_KINDS:
            yield f"{type(block).__name__} is no block: {str(block)[:60]!r}"
            continue
        kind = BLOCK_KINDS[type(block)]
        if block.id in seen:
            yield f"two blocks have the id {block.id!r}"
        if not block.id and kind not in {"paragraph", "bullets"}:
            yield f"a {kind} needs an id"
        seen |= {block.id} - {""}
        yield from _faults_of(block)


def _all(block: object) -> Iterator[Any]:
    yield block
    if isinstance(block, Section):
        for child in block.blocks:
            yield from _all(child)


def _faults_of(block: Block) -> Iterator[str]:
    named = block.id or BLOCK_KINDS[type(block)]
    if isinstance(block, Table):
        for number, row in enumerate(block.rows, start=1):
            if len(row.cells) != len(block.columns):
                yield f"{named}: row {number} has {len(row.cells)} cells, not {len(block.columns)}"
    for text in texts(block):
        if not isinstance(text, tuple):
            yield f"{named}: {str(text)[:60]!r} is no text: write a tuple, ('words',)"
            continue
        for node in _nodes(text):
            yield from (f"{named}: {fault}" for fault in _faults_in(node))


def _nodes(text: Text) -> Iterator[object]:
    try:
        yield from inlines(text)
    except TypeError:
        yield text


def _faults_in(node: object) -> Iterator[str]:
    if not isinstance(node, Inline):
        yield f"{type(node).__name__} is no part of a text: {str(node)[:60]!r}"
    elif isinstance(node, Link):
        if not all(
            isinstance(inner, str | Code | Emphasis | Strong) for inner in inlines(node.content)
        ):
            yield f"the words of the link to {node.url!r} hold more than words"
    elif isinstance(node, Number):
        quantity = node.quantity
        if isinstance(quantity, Missing):
            if not quantity.reason:
                yield f"the number {node.id!r} is missing without a reason"
        elif not isinstance(quantity, Quantity):
            yield f"the number {node.id!r} has no Quantity"
        elif not quantity.sources:
            yield f"the number {node.id!r} has no evidence: give its Quantity sources"
        elif not _is_finite(quantity.value):
            yield f"the number {node.id!r} is {quantity.value!r}: give Missing(reason=...) instead"
        if node.style not in STYLES:
            yield f"the number {node.id!r} has the style {node.style!r}: use {', '.join(STYLES)}"
        if not node.id:
            yield "a number needs an id"


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except (TypeError, OverflowError):
        return False
