"""Projections of what was found: `json` is the record, the others are views of it.

The pattern of each is the name of its file.
"""

from __future__ import annotations

from reportgen.registry import Entry, Registry

FINDINGS = Registry(
    "findings format",
    {
        "text": Entry(
            "reportgen.checking.projections.text:render", "for a terminal", ("findings.txt",)
        ),
        "json": Entry(
            "reportgen.checking.projections.json:render",
            "findings.json, the whole record",
            ("findings.json",),
        ),
        "junit": Entry(
            "reportgen.checking.projections.junit:render",
            "JUnit XML, for CI",
            ("findings.junit.xml",),
        ),
        "sarif": Entry(
            "reportgen.checking.projections.sarif:render",
            "SARIF 2.1.0, for code scanning",
            ("findings.sarif",),
        ),
        "github": Entry(
            "reportgen.checking.projections.github:render",
            "annotations of a GitHub job",
            ("annotations.txt",),
        ),
        "gitlab": Entry(
            "reportgen.checking.projections.gitlab:render",
            "GitLab's code quality report",
            ("gl-code-quality-report.json",),
        ),
        "gradescope": Entry(
            "reportgen.checking.projections.gradescope:render",
            "Gradescope's results.json",
            ("results.json",),
        ),
        "classroom": Entry(
            "reportgen.checking.projections.classroom:render",
            "GitHub Classroom's result",
            ("classroom.json",),
        ),
        "html": Entry(
            "reportgen.checking.projections.html:render",
            "one page, click a number for evidence",
            ("findings.html",),
        ),
    },
)
