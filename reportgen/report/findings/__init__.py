"""Ranked findings: what a report says of its facts, the most important first.

A candidate is a predicate that yields a claim, sentences that show it, and its size and noise.
"""

from __future__ import annotations

from reportgen.report.findings._rank import (
    CANDIDATES,
    MOST,
    Candidate,
    find_all,
    rank_findings,
    reserve_lead,
)
from reportgen.report.findings._scene import CONCLUSION, SCALE, WEIGHTS, Finding, Score

__all__ = [
    "CANDIDATES", "CONCLUSION", "MOST", "SCALE", "WEIGHTS", "Candidate", "Finding", "Score",
    "find_all", "rank_findings", "reserve_lead",
]  # fmt: skip
