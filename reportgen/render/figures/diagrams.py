"""Diagrams of boxes and arrows: a model from its input to its heads, a matrix with its adapter."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from reportgen.languages import spoken
from reportgen.records.diagram import Box
from reportgen.render.figures._axes import POINTS, as_svg, own_settings
from reportgen.render.figures._lettering import clean, fit, measure
from reportgen.render.figures._style import FRAME, INK, LINE_HEIGHT, TEXT_SIZE

from matplotlib.figure import Figure  # isort: skip - it reads what `_lettering` prepares
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from reportgen.records.diagram import AdapterDiagram, Column, Layers, ModelDiagram, Step
from reportgen.records.document import Chart
from reportgen.render.figures._style import PAIR_WIDTH, SINGLE_WIDTH

if TYPE_CHECKING:
    from matplotlib.artist import Artist


_MARGIN = 2.0
_GUTTER = 22.0  # between encoder and decoder
_SKIP = 18.0  # beside the boxes of a layer, where the residual connection runs
_INSET = 8.0  # the same on the other side
_LINK = 9.0  # from the frame to the line between tied weights
_BETWEEN = 10.0  # between branches
_BESIDE = 22.0  # between a frozen matrix and the detour around it
_ALONE = 0.6  # of the width, for boxes with nothing beside them


@dataclass(slots=True)
class _Lane:
    """One column while it is drawn, and the places that links go to."""

    left: float
    width: float
    mirrored: bool = False
    cross: list[Place] = field(default_factory=list)
    projection: Place | None = None
    tables: Place | None = None
    end: float = 0.0

    @property
    def inner(self) -> tuple[float, float]:
        """Left edge and width of the boxes."""
        left = self.left + (_INSET if self.mirrored else _SKIP)
        return left, self.width - _INSET - _SKIP

    @property
    def axis(self) -> float:
        """Where the data flows down."""
        left, width = self.inner
        return left + width / 2

    @property
    def skip(self) -> float:
        """Where residual connections run down."""
        left, width = self.inner
        return left + width + _SKIP / 2 if self.mirrored else left - _SKIP / 2


def draw_model(chart: Chart) -> bytes:
    """Draw a model; encoder and decoder, or the parts of a composite, stand side by side.

    Raises:
        TypeError: The chart holds no diagram of a model.
    """
    model = chart.diagram
    if not isinstance(model, ModelDiagram):
        raise TypeError("a chart of the kind 'architecture' needs the diagram of a model")
    wide = len(model.columns) > 1 or any(_has_branches(column) for column in model.columns)
    width = PAIR_WIDTH if wide else SINGLE_WIDTH
    link = _link_width(model)
    count = len(model.columns)
    each = (width - 2 * _MARGIN - link - (count - 1) * _GUTTER) / count
    lanes = [_Lane(_MARGIN + i * (each + _GUTTER), each, mirrored=i > 0) for i in range(count)]
    canvas = Canvas()
    top, shared = _draw_top(canvas, model, lanes)
    for column, lane in zip(model.columns, lanes, strict=True):
        _draw_column(canvas, column, lane, top)
    bottom = max(lane.end for lane in lanes)
    if model.memory:
        bottom = max(bottom, _draw_memory(canvas, model.memory, *lanes))
    if model.between is not None:
        bottom = canvas.box(model.between, *_span(lanes, bottom + ARROW)).bottom
    if model.tied:
        _draw_link(canvas, model.tied, lanes[-1], shared)
    return canvas.finish(width, bottom + _MARGIN)


def _has_branches(column: Column) -> bool:
    steps = (step for layers in column.stacks for step in layers.steps)
    return len(column.heads) > 1 or any(len(step.branches) > 1 for step in steps)


def _link_width(model: ModelDiagram) -> float:
    if not model.tied:
        return 0.0
    return _LINK + 4 + max(map(measure, model.tied.split()), default=0.0)


def _draw_top(
    canvas: Canvas, model: ModelDiagram, lanes: Sequence[_Lane]
) -> tuple[float, Place | None]:
    """Draw titles, inputs and the table that both sides share; return where the columns begin."""
    y, shared = _MARGIN, None
    if model.shared is not None and not model.feeds:
        shared = canvas.box(model.shared, *_span(lanes, y))
        y = shared.bottom + ARROW
    if any(column.title for column in model.columns):
        for column, lane in zip(model.columns, lanes, strict=True):
            title = fit(column.title, lane.width, bold=True)
            canvas.text(lane.axis, y + LINE_HEIGHT / 2, title, anchor="middle", bold=True)
        y += LINE_HEIGHT + 1
    for column, lane in zip(model.columns, lanes, strict=True):
        source = fit(column.source, lane.width)
        canvas.text(lane.axis, y + LINE_HEIGHT / 2, source, anchor="middle", colour=FRAME)
    y += LINE_HEIGHT + 1
    if model.shared is not None and model.feeds:
        for lane in lanes:
            canvas.arrow([(lane.axis, y), (lane.axis, y + ARROW)])
        shared = canvas.box(model.shared, *_span(lanes, y + ARROW))
        y = shared.bottom
    return y, shared


def _span(lanes: Sequence[_Lane], top: float) -> tuple[float, float, float]:
    """Return left edge, top and width of a box as wide as all columns."""
    left, right = lanes[0].inner[0], sum(lanes[-1].inner)
    return left, top, right - left


def _draw_column(canvas: Canvas, column: Column, lane: _Lane, top: float) -> None:
    """Draw one side below its input."""
    y = top
    if column.tables is not None:
        lane.tables = _follow(canvas, column.tables, lane, y)
        y = lane.tables.bottom
    start = y
    if column.aside:
        y = _draw_aside(canvas, column.aside, lane, y)
    canvas.arrow([(lane.axis, start), (lane.axis, y + ARROW)])
    for layers in column.stacks:
        y = _draw_layers(canvas, layers, lane, y + ARROW)
    for box in column.behind:
        y = _follow(canvas, box, lane, y).bottom
    if column.heads:
        y = _draw_heads(canvas, column.heads, lane, y)
    lane.end = y


def _draw_aside(canvas: Canvas, boxes: Sequence[Box], lane: _Lane, y: float) -> float:
    """Draw what the layers use beside the data: right of its way, then left of it."""
    half = lane.width / 2 - abs(lane.axis - lane.left - lane.width / 2) - 8
    tops = y + 8
    places = []
    for number, box in enumerate(boxes[:2]):
        left = lane.axis + 8 if number == 0 else lane.axis - 8 - half
        places.append(canvas.box(box, left, tops, half))
    bottom = max(place.bottom for place in places)
    for place in places:
        x = place.middle[0]
        canvas.arrow([(x, place.bottom), (x, bottom + ARROW)], dashes=DASHED)
    return bottom


def _draw_layers(canvas: Canvas, layers: Layers, lane: _Lane, top: float) -> float:
    """Draw the frame around one layer, and the layer."""
    y = top + 4 + LINE_HEIGHT / 2
    canvas.text(lane.left + PAD, y, layers.times, bold=True)
    room = lane.width - 2 * PAD - measure(layers.times, bold=True) - 8
    about = fit(layers.about, room)
    canvas.text(lane.left + lane.width - PAD, y, about, anchor="end", colour=FRAME)
    y += LINE_HEIGHT / 2 + 1
    if layers.steps:
        canvas.line([(lane.axis, top), (lane.axis, y)])
    for box in layers.parts:
        y = canvas.box(box, lane.left + PAD, y + PAD, lane.width - 2 * PAD).bottom
    for step in layers.steps:
        y = _draw_step(canvas, step, lane, y)
    y += 5 + LINE_HEIGHT / 2
    total = fit(layers.total, lane.width - 2 * PAD)
    canvas.text(lane.left + lane.width - PAD, y, total, anchor="end", colour=FRAME)
    y += LINE_HEIGHT / 2 + 3
    canvas.panel(Place(lane.left, top, lane.width, y - top), width=1.2)
    return y


def _draw_step(canvas: Canvas, step: Step, lane: _Lane, y: float) -> float:
    """Draw one residual connection and return where it ends."""
    for box in step.before:
        y = _follow(canvas, box, lane, y).bottom
    fork = y + 4
    canvas.line([(lane.axis, y), (lane.axis, fork)])
    canvas.dot(lane.axis, fork)
    y = fork
    for box in step.shared:
        y = _follow(canvas, box, lane, y).bottom
    y = _draw_branches(canvas, step.branches, lane, y, either=step.either)
    joint = y + ARROW + PLUS
    canvas.arrow([(lane.axis, y), (lane.axis, joint - PLUS)])
    edge = PLUS if lane.skip > lane.axis else -PLUS
    canvas.arrow(
        [(lane.axis, fork), (lane.skip, fork), (lane.skip, joint), (lane.axis + edge, joint)]
    )
    canvas.joint(lane.axis, joint)
    y = joint + PLUS
    for box in step.after:
        y = _follow(canvas, box, lane, y).bottom
    return y


def _draw_branches(
    canvas: Canvas,
    branches: Sequence[Sequence[Box]],
    lane: _Lane,
    y: float,
    *,
    either: bool = False,
    merge: bool = True,
) -> float:
    """Draw boxes in sequence, several sequences side by side; return where they are together."""
    left, width = lane.inner
    each = (width - (len(branches) - 1) * _BETWEEN) / len(branches)
    dashes = DASHED if either else ()
    ends = []
    split = y + (ARROW / 2 if len(branches) > 1 else 0)
    for number, branch in enumerate(branches):
        start = left + number * (each + _BETWEEN)
        x = start + each / 2
        here = split
        if len(branches) > 1:
            canvas.line([(lane.axis, y), (lane.axis, split), (x, split)], dashes=dashes)
        for box in branch:
            canvas.arrow([(x, here), (x, here + ARROW)], dashes=dashes)
            place = canvas.box(box, start, here + ARROW, each)
            _remember(lane, box, place)
            here = place.bottom
            dashes = dashes if here == split else ()
        ends.append((x, here))
        dashes = DASHED if either else ()
    bottom = max(end for _, end in ends)
    if len(branches) == 1 or not merge:
        return bottom
    meet = bottom + ARROW / 2
    for x, end in ends:
        canvas.line([(x, end), (x, meet), (lane.axis, meet)], dashes=dashes)
    return meet


def _draw_heads(canvas: Canvas, heads: Sequence[Sequence[Box]], lane: _Lane, y: float) -> float:
    """Draw the heads side by side; the first is the one that may be tied to the embeddings."""
    kept = lane.projection
    bottom = _draw_branches(canvas, heads, lane, y, merge=False)
    if kept is None and lane.projection is None:
        lane.projection = Place(lane.inner[0], bottom, lane.inner[1], 0)
    return bottom


def _remember(lane: _Lane, box: Box, place: Place) -> None:
    """Keep the places that links go to."""
    if box.kind == "cross":
        lane.cross.append(place)
    if box.kind == "head" and lane.projection is None:
        lane.projection = place


def _follow(canvas: Canvas, box: Box, lane: _Lane, y: float) -> Place:
    """Draw an arrow down, and a box as wide as the column below it."""
    left, width = lane.inner
    canvas.arrow([(lane.axis, y), (lane.axis, y + ARROW)])
    return canvas.box(box, left, y + ARROW, width)


def _draw_memory(canvas: Canvas, text: str, encoder: _Lane, decoder: _Lane) -> float:
    """Lead the encoder's output into every cross-attention; return the lowest point."""
    low = encoder.end + ARROW
    middle = encoder.left + encoder.width + _GUTTER / 2
    for place in decoder.cross:
        y = place.middle[1]
        canvas.arrow(
            [
                (encoder.axis, encoder.end),
                (encoder.axis, low),
                (middle, low),
                (middle, y),
                (place.left, y),
            ]
        )
    label = fit(text, middle - encoder.axis - 8)
    canvas.text(encoder.axis + 4, low + LINE_HEIGHT / 2 + 1, label, colour=FRAME)
    return low + LINE_HEIGHT + 2


def _draw_link(canvas: Canvas, text: str, lane: _Lane, shared: Place | None) -> None:
    """Draw the dashed line between the output projection and the table it is."""
    start, end = lane.projection, shared or lane.tables
    if start is None or end is None:
        return
    x = lane.left + lane.width + _LINK
    a, b = start.middle[1], end.middle[1]
    canvas.line([(start.right, a), (x, a), (x, b), (end.right, b)], dashes=DASHED, width=1.0)
    words = text.split()
    y = (a + b) / 2 - (len(words) - 1) * LINE_HEIGHT / 2
    for place, word in enumerate(words):
        canvas.text(x + 4, y + place * LINE_HEIGHT, word, colour=FRAME)


# --- adapters --------------------------------------------------------------------------


def draw_adapter(chart: Chart) -> bytes:
    """Draw one adapted matrix.

    Raises:
        TypeError: The chart holds no diagram of an adapter.
    """
    adapter = chart.diagram
    if not isinstance(adapter, AdapterDiagram):
        raise TypeError("a chart of the kind 'adapter' needs the diagram of an adapter")
    canvas = Canvas()
    y = _write(canvas, _MARGIN, adapter.source)
    if adapter.before is not None:
        y = _follow_below(canvas, adapter.before, y).bottom
    if adapter.detour:
        y = _draw_both_ways(canvas, adapter, y)
    else:
        y = _follow_below(canvas, adapter.frozen, y).bottom
    if adapter.scale is not None:
        y = _follow_below(canvas, adapter.scale, y).bottom
    canvas.arrow([(SINGLE_WIDTH / 2, y), (SINGLE_WIDTH / 2, y + ARROW)])
    y = _write(canvas, y + ARROW + 1, adapter.result)
    if adapter.note:
        y = _write(canvas, y + 3, adapter.note)
    return canvas.finish(SINGLE_WIDTH, y + _MARGIN)


def _write(canvas: Canvas, y: float, text: str) -> float:
    """Write a line in the middle and return where it ends."""
    shown = fit(text, SINGLE_WIDTH - 2 * _MARGIN)
    middle = y + LINE_HEIGHT / 2
    canvas.text(SINGLE_WIDTH / 2, middle, shown, anchor="middle", colour=FRAME)
    return y + LINE_HEIGHT + 1


def _follow_below(canvas: Canvas, box: Box, y: float) -> Place:
    """Draw an arrow down and a box below it, in the middle."""
    width = SINGLE_WIDTH * _ALONE
    canvas.arrow([(SINGLE_WIDTH / 2, y), (SINGLE_WIDTH / 2, y + ARROW)])
    return canvas.box(box, (SINGLE_WIDTH - width) / 2, y + ARROW, width)


def _draw_both_ways(canvas: Canvas, adapter: AdapterDiagram, y: float) -> float:
    """Draw the frozen matrix on the left, the detour on the right, and their sum."""
    axis = SINGLE_WIDTH / 2
    width = (SINGLE_WIDTH - 2 * _MARGIN - _BESIDE) / 2
    left, right = _MARGIN, _MARGIN + width + _BESIDE
    split = y + ARROW / 2
    canvas.line([(axis, y), (axis, split)])
    canvas.dot(axis, split)
    ends = []
    for start, boxes in ((left, (adapter.frozen,)), (right, adapter.detour)):
        x, here = start + width / 2, split
        canvas.line([(axis, split), (x, split)])
        for box in boxes:
            canvas.arrow([(x, here), (x, here + ARROW)])
            here = canvas.box(box, start, here + ARROW, width).bottom
        ends.append((x, here))
    joint = max(end for _, end in ends) + ARROW + PLUS
    for x, end in ends:
        edge = axis - PLUS if x < axis else axis + PLUS
        canvas.arrow([(x, end), (x, joint), (edge, joint)])
    canvas.joint(axis, joint)
    return joint + PLUS


# --- boxes with text, arrows and frames -----------------------------------------------


Point = tuple[float, float]

PAD = 4.0  # between the edge of a box and its text
GAP = 10.0  # between a label and the shape on the same line
ARROW = 8.5  # length of a short arrow
HEAD = 3.6  # length of an arrow's head
PLUS = 4.6  # radius of the circle in which two ways meet
DASHED = (3.0, 2.0)

# Light tints of Okabe and Ito's colours; titles say the same, so no meaning is lost in grey.
FILLS = {
    "table": "#d9efe6",
    "norm": "#f0f0f0",
    "attention": "#d3e6f4",
    "cross": "#e6f1fb",
    "ffn": "#fdeccb",
    "head": "#f3dde9",
    "frozen": "#e4e4e4",
    "trained": "#fbe1cc",
    "plain": "#ffffff",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a box lies, in points."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.top + self.height

    @property
    def middle(self) -> Point:
        """Centre."""
        return self.left + self.width / 2, self.top + self.height / 2


@dataclass(frozen=True, slots=True)
class Word:
    """One piece of text in a box: what, how far from its edge, on which line."""

    text: str
    line: int
    right: bool = False
    bold: bool = False
    indent: float = 0.0


@dataclass(slots=True)
class Canvas:
    """A drawing that is laid out before the size of its sheet is known."""

    artists: list[Callable[[], Artist]] = field(default_factory=list)

    def box(self, box: Box, left: float, top: float, width: float) -> Place:
        """Draw a box as high as its text needs, and return where it lies."""
        words = set_words(box, width - 2 * PAD)
        place = Place(left, top, width, box_height(box, width))
        self.panel(place, FILLS[box.kind], dashes=DASHED if box.kind == "trained" else ())
        for word in words:
            x = place.right - PAD if word.right else place.left + PAD + word.indent
            y = place.top + PAD + (word.line + 0.5) * LINE_HEIGHT
            self.text(x, y, word.text, anchor="end" if word.right else "start", bold=word.bold)
        return place

    def panel(
        self, place: Place, fill: str = "", *, dashes: Sequence[float] = (), width: float = 0.8
    ) -> None:
        """Draw a rectangle."""
        corners = [
            (place.left, place.top),
            (place.right, place.top),
            (place.right, place.bottom),
            (place.left, place.bottom),
        ]
        if fill:
            self.area(corners, fill)
        self.line([*corners, corners[0]], dashes=dashes, width=width)

    def area(self, points: Sequence[Point], colour: str) -> None:
        """Fill a polygon without an outline."""
        shape = [(x, -y) for x, y in points]
        look: dict[str, Any] = {"facecolor": colour, "edgecolor": "none", "linewidth": 0}
        self.artists.append(partial(Polygon, shape, **look))

    def line(
        self,
        points: Sequence[Point],
        *,
        dashes: Sequence[float] = (),
        width: float = 0.8,
        colour: str = FRAME,
    ) -> None:
        """Draw a line through points."""
        style: Any = (0, [length / width for length in dashes]) if dashes else "solid"
        across, up = [x for x, _ in points], [-y for _, y in points]
        look: dict[str, Any] = {"color": colour, "linewidth": width, "linestyle": style}
        self.artists.append(partial(Line2D, across, up, **look))

    def arrow(self, points: Sequence[Point], *, dashes: Sequence[float] = ()) -> None:
        """Draw a line with a head at its last point."""
        (x0, y0), (x1, y1) = points[-2:]
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        back = (x1 - dx * HEAD, y1 - dy * HEAD)
        sides = [
            (x1, y1),
            (back[0] - dy * HEAD * 0.45, back[1] + dx * HEAD * 0.45),
            (back[0] + dy * HEAD * 0.45, back[1] - dx * HEAD * 0.45),
        ]
        self.line([*points[:-1], back], dashes=dashes)
        self.area(sides, FRAME)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        anchor: str = "start",
        bold: bool = False,
        colour: str = INK,
    ) -> None:
        """Write a line of text; `y` is the middle of its small letters."""
        drawn = clean(text)
        if drawn:
            left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * measure(text, bold=bold)
            weight = "bold" if bold else "normal"
            place = left, -(y + 0.27 * TEXT_SIZE)
            self.artists.append(partial(Text, *place, drawn, color=colour, fontweight=weight))

    def joint(self, x: float, y: float) -> None:
        """Draw the circle in which two ways are added."""
        reach = PLUS * 0.62
        self.area(_ring(x, y, PLUS), "#ffffff")
        self.line(_ring(x, y, PLUS))
        self.line([(x - reach, y), (x + reach, y)], width=1.0)
        self.line([(x, y - reach), (x, y + reach)], width=1.0)

    def dot(self, x: float, y: float) -> None:
        """Mark where a way forks."""
        self.area(_ring(x, y, 1.3), FRAME)

    def finish(self, width: float, height: float) -> bytes:
        """Draw everything and return the sheet as SVG."""
        # In points from the upper left corner, downwards.
        place = Affine2D().translate(0, height)
        with own_settings():
            sheet = Figure(figsize=(width / POINTS, height / POINTS), dpi=POINTS, facecolor="none")
            for make in self.artists:
                artist = make()
                artist.set_transform(place)
                sheet.add_artist(artist)
            return as_svg(sheet)


def _ring(x: float, y: float, radius: float) -> list[Point]:
    turns = [k * math.pi / 16 for k in range(33)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def box_height(box: Box, width: float) -> float:
    """Return how high a box of this width is."""
    words = set_words(box, width - 2 * PAD)
    return 2 * PAD + (max((word.line for word in words), default=0) + 1) * LINE_HEIGHT - 1.0


def set_words(box: Box, width: float) -> list[Word]:
    """Break the text of a box into lines: title and count, then a row after the other."""
    count = f"{box.count:,}".replace(",", spoken().group_mark) if box.count else ""
    rows = list(box.rows)
    title = box.title
    words: list[Word] = []
    if len(rows) == 1 and not rows[0].label:
        beside = measure(title, bold=True) + GAP
        if beside + measure(rows[0].shape) + GAP + measure(count, bold=True) <= width:
            words.append(Word(rows.pop().shape, 0, indent=beside))
    lines = wrap(title, width, bold=True) or [""]
    words += [Word(text, line, bold=True) for line, text in enumerate(lines)]
    line = len(lines) - 1
    if count:
        if measure(lines[-1], bold=True) + GAP + measure(count, bold=True) > width:
            line += 1
        words.append(Word(fit(count, width, bold=True), line, right=True, bold=True))
    for row in rows:
        line += 1
        if row.label and row.shape and measure(row.label) + GAP + measure(row.shape) <= width:
            words += [Word(row.label, line), Word(row.shape, line, right=True)]
            continue
        pieces = [(text, False) for text in wrap(row.label, width)]
        pieces += [(text, bool(row.label)) for text in wrap(row.shape, width)]
        words += [Word(text, line + k, right=right) for k, (text, right) in enumerate(pieces)]
        line += max(len(pieces) - 1, 0)
    return words


def wrap(text: str, width: float, *, bold: bool = False) -> list[str]:
    """Break a text at its plain spaces; a word that is too wide loses its middle.

    Example:
        >>> wrap("query, key, value", 60.0), wrap("", 60.0)
        (['query, key,', 'value'], [])
    """
    lines: list[str] = []
    # A narrow space inside a number holds it together.
    for word in filter(None, re.split(r"[ \t\n\r]+", text)):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(fit(word, width, bold=bold))
    return lines
