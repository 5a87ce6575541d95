"""Projections of a review: `json` is the record, the others are views of it.

The pattern of each is the name of its file. Each is a function of reviews and a `Rendering`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Registry, lazy_names

if TYPE_CHECKING:
    from reportgen.checking.projections._records import Rendering
    from reportgen.checking.projections.ci import summary
    from reportgen.checking.projections.html import class_csv, class_html

FINDINGS = Registry(
    "findings format",
    __name__,
    """
text text:render for a terminal | findings.txt
json json:render findings.json, the whole record | findings.json
junit ci:render_junit JUnit XML, for CI | findings.junit.xml
sarif ci:render_sarif SARIF 2.1.0, for code scanning | findings.sarif
github ci:render_github annotations of a GitHub job | annotations.txt
gitlab ci:render_gitlab GitLab's code quality report | gl-code-quality-report.json
gradescope grading:render_gradescope Gradescope's results.json | results.json
classroom grading:render_classroom GitHub Classroom's result | classroom.json
html html:render one page, each number with its evidence | findings.html
""",
)

__getattr__ = lazy_names(__name__)
