"""All figures of a report."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from reportgen.errors import UsageError
from reportgen.kept import Kept
from reportgen.languages import speaking
from reportgen.records.alike import state_of
from reportgen.records.document import Figure
from reportgen.render.figures import FIGURES


def draw_all(figures: Sequence[Figure], lang: str, kept: Kept | None) -> dict[str, bytes]:
    """Draw each figure, unless it is as it was in the round before."""
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
