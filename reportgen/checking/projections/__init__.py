"""Projections of a review: `json` is the record, the others are views of it.

The pattern of each is the name of its file. Each is a function of reviews and a `Rendering`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Entry, Registry, lazy_names

if TYPE_CHECKING:
    from reportgen.checking.projections._class import class_csv
    from reportgen.checking.projections._records import Rendering
    from reportgen.checking.projections.github import summary
    from reportgen.checking.projections.html import class_html

__all__ = ["FINDINGS", "Rendering", "class_csv", "class_html", "summary"]

_HOME = "reportgen.checking.projections"

_FORMATS = (
    ("text", "for a terminal", "findings.txt"),
    ("json", "findings.json, the whole record", "findings.json"),
    ("junit", "JUnit XML, for CI", "findings.junit.xml"),
    ("sarif", "SARIF 2.1.0, for code scanning", "findings.sarif"),
    ("github", "annotations of a GitHub job", "annotations.txt"),
    ("gitlab", "GitLab's code quality report", "gl-code-quality-report.json"),
    ("gradescope", "Gradescope's results.json", "results.json"),
    ("classroom", "GitHub Classroom's result", "classroom.json"),
    ("html", "one page, each number with its evidence", "findings.html"),
)

FINDINGS = Registry(
    "findings format",
    {name: Entry(f"{_HOME}.{name}:render", about, (file,)) for name, about, file in _FORMATS},
)

_HOMES = {
    "_class": "class_csv",
    "_records": "Rendering",
    "github": "summary",
    "html": "class_html",
}

__getattr__ = lazy_names(_HOME, _HOMES)
