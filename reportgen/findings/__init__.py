"""Projections of what was found: `json` is the record, the others are views of it.

The pattern of each is the name of its file.
"""

from __future__ import annotations

from reportgen.registry import Entry, Registry

FINDINGS = Registry(
    "findings format",
    {
        "text": Entry("reportgen.findings.text:render", "for a terminal", ("findings.txt",)),
        "json": Entry(
            "reportgen.findings.json:render", "findings.json, the whole record", ("findings.json",)
        ),
        "junit": Entry(
            "reportgen.findings.junit:render", "JUnit XML, for CI", ("findings.junit.xml",)
        ),
        "sarif": Entry(
            "reportgen.findings.sarif:render", "SARIF 2.1.0, for code scanning", ("findings.sarif",)
        ),
        "github": Entry(
            "reportgen.findings.github:render", "annotations of a GitHub job", ("annotations.txt",)
        ),
        "gitlab": Entry(
            "reportgen.findings.gitlab:render",
            "GitLab's code quality report",
            ("gl-code-quality-report.json",),
        ),
        "gradescope": Entry(
            "reportgen.findings.gradescope:render", "Gradescope's results.json", ("results.json",)
        ),
        "classroom": Entry(
            "reportgen.findings.classroom:render", "GitHub Classroom's result", ("classroom.json",)
        ),
        "html": Entry(
            "reportgen.findings.html:render",
            "one page, click a number for evidence",
            ("findings.html",),
        ),
    },
)
