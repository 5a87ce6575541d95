"""Put the sections of a report together."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.records.document import Report, Section
from reportgen.records.facts import Facts
from reportgen.sections import SECTIONS
from reportgen.sections._bibliography import references_section
from reportgen.sections._marks import mark_sections, mark_text
from reportgen.sections._metric_names import spelled
from reportgen.sections._phrases import capital
from reportgen.sections.summary import abstract


def compose_report(facts: Facts, *, metadata: Mapping[str, object], date: str = "") -> Report:
    """Build every section that has something to say, then the bibliography.

    Args:
        facts: What the analysis found.
        metadata: Carried into report.json beside the numbers.
        date: ISO date of the report, or empty.
    """
    built = (SECTIONS.load(name)(facts) for name in SECTIONS)
    sections: tuple[Section, ...] = tuple(section for section in built if section is not None)
    references = references_section(sections)
    if references is not None:
        sections = (*sections, references)
    sections = mark_sections(facts, sections)
    plan = facts.study.report
    return Report(
        title=plan.title or _title(facts),
        authors=plan.authors,
        abstract=(plan.abstract,) if plan.abstract else mark_text(abstract(facts), facts),
        lang=plan.lang,
        date=date,
        sections=sections,
        metadata=metadata,
    )


def _title(facts: Facts) -> str:
    metric = capital(spelled(facts.study.metric.name) or "results")
    labels = [group.label for group in facts.groups]
    if len(labels) == 1:
        return f"{metric} of {labels[0]}"
    if len(labels) == 2:
        return f"{metric} of {labels[0]} and {labels[1]}"
    return f"{metric} of {len(labels)} groups of runs"
