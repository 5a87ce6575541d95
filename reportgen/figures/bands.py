"""Bands: the mean of each group, and one standard deviation on both sides of it."""

from __future__ import annotations

from reportgen.figures._middles import draw_middles as draw

__all__ = ["draw"]
