"""Six figures of two panels as PDF, PNG and SVG, by one way, as a process of its own.

Called with WAY FOLDER: `ours`, or `savefig` for matplotlib's own figures and its `savefig`.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

COUNT, POINTS, LINES = 6, 100, 3


def _series(figure: int, line: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    x = tuple(float(10 * i) for i in range(1, POINTS + 1))
    y = tuple(
        90 - 40 * math.exp(-i / 30) + math.sin(i * (line + 1 + figure)) for i in range(POINTS)
    )
    return x, y


def draw_ours(folder: Path) -> None:
    """Draw each figure once, and make the other formats from that."""
    from reportgen.records.document import Chart, Figure, Line, Panel
    from reportgen.render import svg_to_pdf, svg_to_png
    from reportgen.render.figures import draw_figures

    figures = []
    for number in range(COUNT):
        panels = tuple(
            Panel(
                title=title,
                x_label="step",
                y_label="accuracy (%)",
                lines=tuple(
                    Line(label=f"seed {i}", group="a", group_index=0, member=i, x=x, y=y)
                    for i in range(LINES)
                    for x, y in [_series(number, i)]
                ),
            )
            for title in ("Validation", "Test")
        )
        chart = Chart(kind="curves", panels=panels)
        figures.append(Figure(id=f"f{number}", caption=(), chart=chart, alt="curves"))
    drawn = draw_figures(figures)
    for ending, made in (("svg", drawn), ("pdf", svg_to_pdf(drawn)), ("png", svg_to_png(drawn))):
        for name, content in made.items():
            (folder / f"{name}.{ending}").write_bytes(content)


def draw_savefig(folder: Path) -> None:
    """Draw each figure with matplotlib and save it three times."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    for number in range(COUNT):
        figure, panels = plt.subplots(1, 2, figsize=(6.3, 2.7))
        for axes, title in zip(panels, ("Validation", "Test"), strict=True):
            for i in range(LINES):
                axes.plot(*_series(number, i), label=f"seed {i}")
            axes.set(title=title, xlabel="step", ylabel="accuracy (%)")
            axes.grid(axis="y")
            axes.legend()
        for ending in ("svg", "pdf", "png"):
            figure.savefig(folder / f"f{number}.{ending}", dpi=200)
        plt.close(figure)


if __name__ == "__main__":
    way, target = sys.argv[1], Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    {"ours": draw_ours, "savefig": draw_savefig}[way](target)
