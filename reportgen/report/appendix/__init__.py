"""The appendix: what proves the body, each part a section of its own."""

from __future__ import annotations

from reportgen.report.appendix.evaluations import build_evaluations
from reportgen.report.appendix.files import build_files
from reportgen.report.appendix.problems import build_problems
from reportgen.report.appendix.settings import build_settings
from reportgen.report.appendix.statistics import build_statistics

__all__ = [
    "build_evaluations", "build_files", "build_problems", "build_settings", "build_statistics",
]  # fmt: skip
