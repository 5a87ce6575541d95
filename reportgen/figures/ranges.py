"""Ranges: the mean of each group, and a band from its smallest to its largest run."""

from __future__ import annotations

from reportgen.figures._middles import draw_middles as draw

__all__ = ["draw"]
