"""Figures: for each kind a function `draw(chart) -> bytes` in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from reportgen.records.errors import UsageError
from reportgen.records.registry import Registry, lazy_names
from reportgen.render.figures._style import COLOURS, stroke, thin

if TYPE_CHECKING:
    from reportgen.records.document import Figure
    from reportgen.records.kept import Kept
    from reportgen.render.figures.svg import copy_drawing, from_matplotlib

__getattr__ = lazy_names(__name__)

FIGURES = Registry(
    "figure kind",
    __name__,
    """
curves curves:draw runs thin, means thick, chosen points ringed
dots curves:draw_dots single values, their mean, and an interval
architecture diagrams:draw_model a model as boxes from its input to its heads
adapter diagrams:draw_adapter a frozen matrix and what an adapter trains beside it
svg svg:draw a drawing that somebody else made, as SVG
""",
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
    from reportgen.languages import speaking
    from reportgen.records.document import state_of
    from reportgen.records.kept import Kept

    kept = kept or Kept()
    with speaking(lang):
        return {
            figure.id: kept.once(
                f"figure {figure.id}",
                (state_of(figure.chart), bool(figure.alt.strip()), lang),
                partial(_draw, figure),
            )
            for figure in figures
        }


def _draw(figure: Figure) -> bytes:
    """Draw one figure; what is the matter with it is said with its name."""
    if figure.chart.kind == "svg" and not figure.alt.strip():
        raise UsageError(
            f"figure {figure.id!r} says nothing to those who cannot see it",
            remedy="give it an alt: one sentence on what it shows",
        )
    try:
        drawn: bytes = FIGURES.load(figure.chart.kind)(figure.chart)
    except UsageError as error:
        raise UsageError(f"figure {figure.id!r}: {error.message}", remedy=error.remedy) from error
    return drawn
