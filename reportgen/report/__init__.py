"""The report: facts in, a document out; the order of the table is that of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reportgen.registry import Entry, Registry

if TYPE_CHECKING:
    from reportgen.records.document import Report
    from reportgen.records.facts import Facts

SECTIONS = Registry(
    "section",
    {
        "setup": Entry("reportgen.report.setup:build", "data, schedule, conventions"),
        "parameters": Entry("reportgen.report.parameters:build", "the count, by formula"),
        "results": Entry("reportgen.report.results:build", "figure, tables and findings"),
        "others": Entry("reportgen.report.others:build", "groups that are not compared"),
        "lora": Entry("reportgen.report.lora:build", "adapters: count and keys"),
        "ledger": Entry("reportgen.report.ledger:build", "appendix: every term of the count"),
        "evaluations": Entry(
            "reportgen.report.appendix:build_evaluations", "every evaluation, losses, other metrics"
        ),
        "secondary": Entry(
            "reportgen.report.others:build_appendix", "runs of groups that are not compared"
        ),
        "adapters": Entry("reportgen.report.adapters:build", "appendix: adapters in detail"),
        "settings": Entry(
            "reportgen.report.appendix:build_settings", "settings, those that differ first"
        ),
        "statistics": Entry(
            "reportgen.report.appendix:build_statistics", "the test, and what stands beside a mean"
        ),
        "problems": Entry(
            "reportgen.report.appendix:build_problems", "problems, missing results, re-runs"
        ),
        "files": Entry("reportgen.report.appendix:build_files", "runs, files and digests"),
    },
)


def compose_report(facts: Facts, **settings: Any) -> Report:
    """Return the report of some facts; see `_compose.compose_report`."""
    from reportgen.report import _compose

    return _compose.compose_report(facts, **settings)
