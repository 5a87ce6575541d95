"""Adapter: a frozen matrix, and the trained detour around it or the vector behind it."""

from __future__ import annotations

from reportgen.records.diagram import AdapterDiagram, Box
from reportgen.records.document import Chart
from reportgen.render.figures._boxes import ARROW, PLUS, Canvas, Place
from reportgen.render.figures._lettering import fit
from reportgen.render.figures._style import FRAME, LINE_HEIGHT, SINGLE_WIDTH

_MARGIN = 2.0
_BETWEEN = 22.0
_ALONE = 0.6  # of the width, for boxes with nothing beside them


def draw(chart: Chart) -> bytes:
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
        y = _follow(canvas, adapter.before, y).bottom
    if adapter.detour:
        y = _draw_both_ways(canvas, adapter, y)
    else:
        y = _follow(canvas, adapter.frozen, y).bottom
    if adapter.scale is not None:
        y = _follow(canvas, adapter.scale, y).bottom
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


def _follow(canvas: Canvas, box: Box, y: float) -> Place:
    """Draw an arrow down and a box below it, in the middle."""
    width = SINGLE_WIDTH * _ALONE
    canvas.arrow([(SINGLE_WIDTH / 2, y), (SINGLE_WIDTH / 2, y + ARROW)])
    return canvas.box(box, (SINGLE_WIDTH - width) / 2, y + ARROW, width)


def _draw_both_ways(canvas: Canvas, adapter: AdapterDiagram, y: float) -> float:
    """Draw the frozen matrix on the left, the detour on the right, and their sum."""
    axis = SINGLE_WIDTH / 2
    width = (SINGLE_WIDTH - 2 * _MARGIN - _BETWEEN) / 2
    left, right = _MARGIN, _MARGIN + width + _BETWEEN
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
