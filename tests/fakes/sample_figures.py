"""Drawings of the figures of the hand-made report."""

import io


def make_figures() -> dict[str, bytes]:
    """Return drawings of the report's figures, the same bytes every time."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Drawing

    drawn = {}
    for name in ("curves", "seeds/spread"):
        drawing = Drawing(figsize=(5.6, 2.6))
        FigureCanvasSVG(drawing)
        axes = drawing.add_subplot()
        axes.plot(range(10), [0.7 + i / 100 for i in range(10)])
        axes.set_xlabel("step")
        stream = io.BytesIO()
        with mpl.rc_context({"svg.hashsalt": "sample"}):
            drawing.savefig(stream, format="svg", metadata={"Date": None})
        drawn[name] = stream.getvalue()
    return drawn
