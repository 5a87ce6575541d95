"""Quantiles: the median of many runs, and a band that holds most of them."""

from __future__ import annotations

from reportgen.figures._middles import draw_middles as draw

__all__ = ["draw"]
