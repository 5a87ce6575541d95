"""Put the sections of a report together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from reportgen.languages import message, noun, speaking, tell, tell_count
from reportgen.records.document import Report, Section, Table, Text
from reportgen.records.facts import Facts
from reportgen.report import SECTIONS, results
from reportgen.report._abstract import abstract
from reportgen.report._bibliography import references_section
from reportgen.report._diagram_words import grouped
from reportgen.report._marks import mark_sections, mark_text
from reportgen.report._metric_names import spelled
from reportgen.report._model_topics import topics as model_topics
from reportgen.report._questions import glance_of, in_order
from reportgen.report._same import forget
from reportgen.report._topic import Topic

BRIEF = ("setup", "results")
"""Sections of a report of one page."""
Extend = Callable[[Sequence[Section], Text], tuple[Section, ...]]
"""Adds what is the author's own to the sections; the text is what stands outside of them."""


def compose(
    facts: Facts, metadata: Mapping[str, object], date: str, extend: Extend | None
) -> Report:
    """Return the report of some facts, in the language that the study asks for."""
    try:
        with speaking(facts.study.report.lang):
            return _composed(facts, metadata, date, extend)
    finally:
        forget()


def _composed(
    facts: Facts, metadata: Mapping[str, object], date: str, extend: Extend | None
) -> Report:
    names = BRIEF if facts.study.report.detail == "brief" else tuple(SECTIONS)
    built = (SECTIONS.load(name)(facts) for name in names)
    sections = tuple(section for section in built if section is not None)
    if facts.study.report.detail == "full":
        sections = tuple(_in_full(section) for section in sections)
    topics = topics_of(facts)
    body = in_order(facts, [s for s in sections if not s.appendix], topics)
    appendix = tuple(section for section in sections if section.appendix)
    plan = facts.study.report
    glance = glance_of(facts, topics, [section.id for section in body])
    words = (plan.abstract,) if plan.abstract else () if glance else abstract(facts)
    front = (*words, *(node for one in glance for node in one.text))
    if extend is not None:
        everything = extend((*body, *appendix), front)
        body = tuple(section for section in everything if not section.appendix)
        appendix = tuple(section for section in everything if section.appendix)
    references = references_section(body, appendix)
    cited = (references,) if references is not None else ()
    last = references is not None and references.appendix
    sections = (*body, *appendix, *cited) if last else (*body, *cited, *appendix)
    return Report(
        title=plan.title or _title(facts),
        authors=plan.authors,
        occasion=", ".join(part for part in (plan.course, plan.assignment) if part),
        glance=tuple(replace(one, text=mark_text(one.text, facts)) for one in glance),
        abstract=words if plan.abstract else mark_text(words, facts),
        lang=plan.lang,
        date=date,
        sections=mark_sections(facts, sections),
        metadata=metadata,
    )


def _in_full(section: Section) -> Section:
    """Return a section whose tables are printed whole."""
    blocks = tuple(
        _in_full(block)
        if isinstance(block, Section)
        else replace(block, excerpt=None)
        if isinstance(block, Table)
        else block
        for block in section.blocks
    )
    return replace(section, blocks=blocks)


def topics_of(facts: Facts) -> Mapping[str, Topic]:
    """Return everything that can answer a question."""
    return {**results.topics(facts), **model_topics(facts)}


_FOLDERS = frozenset({"log", "logs", "output", "outputs", "results", "run", "runs", "tb_logs"})
"""Names of folders that say nothing of what lies in them."""


_OF_RUNS = message("{metric:cap} of {runs} runs")


def _title(facts: Facts) -> str:
    metric = spelled(facts.study.metric.name) or noun("results")
    labels = [group.label for group in facts.groups]
    count = sum(len(group.cells) for group in facts.groups)
    if len(labels) == 1 and labels[0].lower() in _FOLDERS:
        return tell_count(
            "{metric:cap} of one run", _OF_RUNS, count, metric=metric, runs=grouped(count)
        )
    if len(labels) == 1:
        return tell("{metric:cap} of {group}", metric=metric, group=labels[0])
    if len(labels) == 2:
        return tell(
            "{metric:cap} of {first} and {second}", metric=metric, first=labels[0], second=labels[1]
        )
    if all(len(group.cells) <= 1 for group in facts.groups):
        return tell(_OF_RUNS, metric=metric, runs=grouped(count))
    return tell("{metric:cap} of {count} groups of runs", metric=metric, count=grouped(len(labels)))
