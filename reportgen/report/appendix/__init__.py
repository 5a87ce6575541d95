"""The appendix: what proves the body, each part a section of its own."""

from __future__ import annotations

from reportgen.report.appendix.evaluations import build_evaluations, build_statistics
from reportgen.report.appendix.evidence import build_files, build_problems
from reportgen.report.appendix.settings import build_settings

__all__ = [
    "build_evaluations", "build_files", "build_problems", "build_settings", "build_statistics",
]  # fmt: skip
