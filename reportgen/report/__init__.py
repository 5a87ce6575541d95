"""The report: facts in, a document out; the order of the table is that of the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from reportgen.registry import Entry, Registry
from reportgen.report._own import after, with_words

if TYPE_CHECKING:
    from reportgen.records.document import Report, Section, Text
    from reportgen.records.facts import Facts

__all__ = ["SECTIONS", "after", "compose_report", "with_words"]

SECTIONS = Registry(
    "section",
    {
        "setup": Entry("reportgen.report.setup:build", "data, schedule, conventions"),
        "results": Entry("reportgen.report.results:build", "figure, tables and findings"),
        "others": Entry("reportgen.report.others:build", "groups that are not compared"),
        "parameters": Entry("reportgen.report.parameters:build", "the count, by formula"),
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


def compose_report(
    facts: Facts,
    *,
    metadata: Mapping[str, object],
    date: str = "",
    extend: Callable[[Sequence[Section], Text], tuple[Section, ...]] | None = None,
) -> Report:
    """Build every section that has something to say, then the bibliography and the appendix.

    Args:
        facts: What the analysis found.
        metadata: Carried into report.json beside the numbers.
        date: ISO date of the report, or empty.
        extend: Adds words and sections of the author's own.

    Raises:
        StudyError: A question of the study names a topic that there cannot be.
        UnknownNameError: Reports cannot be written in the language asked for.
    """
    from reportgen.report._compose import compose

    return compose(facts, metadata, date, extend)
