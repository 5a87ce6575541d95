"""Figures: one file a kind, each `draw(chart) -> bytes` in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportgen.registry import Entry, Registry, lazy_names
from reportgen.render.figures._style import COLOURS, stroke

if TYPE_CHECKING:
    from reportgen.kept import Kept
    from reportgen.records.document import Figure
    from reportgen.render.figures.svg import from_matplotlib

__all__ = ["COLOURS", "FIGURES", "draw_figures", "from_matplotlib", "stroke"]

__getattr__ = lazy_names(__name__, {"from_matplotlib": "svg"})

FIGURES = Registry(
    "figure kind",
    {
        "curves": Entry(
            "reportgen.render.figures.curves:draw",
            "runs thin, means thick, chosen points ringed",
        ),
        "dots": Entry(
            "reportgen.render.figures.dots:draw",
            "single values, their mean, and an interval",
        ),
        "architecture": Entry(
            "reportgen.render.figures.architecture:draw",
            "a model as boxes from its input to its heads",
        ),
        "adapter": Entry(
            "reportgen.render.figures.adapter:draw",
            "a frozen matrix and what an adapter trains beside it",
        ),
        "svg": Entry(
            "reportgen.render.figures.svg:draw", "a drawing that somebody else made, as SVG"
        ),
    },
)


def draw_figures(
    figures: Sequence[Figure], lang: str = "en", kept: Kept | None = None
) -> dict[str, bytes]:
    """Draw each figure and return its id with its picture in SVG, in a language.

    The same figures give the same bytes, in every process and under every locale, time zone
    and matplotlibrc.

    Args:
        figures: What to draw.
        lang: Language of axes and legends.
        kept: Drawings of the round before; one that would be the same is not drawn again.

    Raises:
        UnknownNameError: A chart is of a kind that no plug-in draws.
        UsageError: A drawing that somebody else made cannot be taken as it is.
    """
    from reportgen.render.figures._draw import draw_all

    return draw_all(figures, lang, kept)
