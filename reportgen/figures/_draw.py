"""All figures of a report."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.figures import FIGURES
from reportgen.languages import speaking
from reportgen.records.document import Figure


def draw_figures(figures: Sequence[Figure], lang: str = "en") -> dict[str, bytes]:
    """Draw each figure and return its id with its picture in SVG, in a language.

    The same figures give the same bytes, in every process and under every locale, time zone
    and matplotlibrc.

    Raises:
        UnknownNameError: A chart is of a kind that no plug-in draws.
    """
    with speaking(lang):
        return {figure.id: FIGURES.load(figure.chart.kind)(figure.chart) for figure in figures}
