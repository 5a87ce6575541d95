"""Figures: one file a kind, each `draw(chart) -> bytes` in SVG."""

from __future__ import annotations

from reportgen.registry import Entry, Registry

FIGURES = Registry(
    "figure kind",
    {
        "curves": Entry(
            "reportgen.figures.curves:draw",
            "runs thin, means thick, chosen points ringed",
        ),
        "dots": Entry(
            "reportgen.figures.dots:draw",
            "single values, their mean, and an interval",
        ),
        "architecture": Entry(
            "reportgen.figures.architecture:draw",
            "a model as boxes from its input to its heads",
        ),
        "adapter": Entry(
            "reportgen.figures.adapter:draw",
            "a frozen matrix and what an adapter trains beside it",
        ),
        "svg": Entry("reportgen.figures.svg:draw", "a drawing that somebody else made, as SVG"),
    },
)
