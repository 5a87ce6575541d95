"""Put the sections of a report together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from reportgen.languages import message, noun, say, say_count, speaking, tell, tell_count
from reportgen.records.document import Report, Section, Table, Text, faults_of
from reportgen.records.facts import Facts
from reportgen.records.quantity import Missing
from reportgen.records.record import replace
from reportgen.report import SECTIONS, results
from reportgen.report._focus import MOST_SIDE_BY_SIDE, Focus, focus_of, naming_factors, why_apart
from reportgen.report._run_readings import lost_curve
from reportgen.report.findings import reserve_lead
from reportgen.report.marks import mark_sections, mark_text
from reportgen.report.names import forget, group_key, in_text, short_name
from reportgen.report.numbers import counted, of_cell, of_cells
from reportgen.report.phrases import grouped, joined, references_section, sentences, spelled
from reportgen.report.questions import glance_of, in_order
from reportgen.report.questions import topics as model_topics
from reportgen.report.results import result_text

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
    names = BRIEF if facts.study.report.detail == "brief" else (*SECTIONS, *SECTIONS.brought)
    built = (_built(name, facts) for name in names)
    sections = tuple(section for section in built if section is not None)
    if facts.study.report.detail == "full":
        sections = tuple(_in_full(section) for section in sections)
    topics = {**results.topics(facts), **model_topics(facts)}
    body = in_order(facts, [s for s in sections if not s.appendix], topics)
    sections = (*body, *(section for section in sections if section.appendix))
    plan = facts.study.report
    glance = glance_of(facts, topics, [section.id for section in body])
    words = (plan.abstract,) if plan.abstract else () if glance else abstract(facts)
    if extend is not None:
        sections = extend(sections, (*words, *(node for one in glance for node in one.text)))
    body = tuple(section for section in sections if not section.appendix)
    appendix = tuple(section for section in sections if section.appendix)
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


def _built(name: str, facts: Facts) -> Section | None:
    """Return a section; what another package builds is looked at before it is printed."""
    section: Section | None = SECTIONS.load(name)(facts)
    if section is not None and name not in SECTIONS:
        for fault in faults_of(section):
            raise SECTIONS.fault_of(name, f"cannot be printed: {fault}")
    return section


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
        first, second = (short_name(facts, group) for group in facts.groups)
        pattern = message("{metric:cap} of {first} and {second}")
        return tell(pattern, metric=metric, first=first, second=second)
    factors = naming_factors(facts.groups)
    if factors and focus_of(facts).is_sweep and not focus_of(facts).others:
        names = "".join(map(str, joined([(factor.name,) for factor in factors])))
        return tell("{metric:cap} by {factors}", metric=metric, factors=names)
    if 2 * sum(len(group.cells) <= 1 for group in facts.groups) > len(facts.groups):
        return tell(_OF_RUNS, metric=metric, runs=grouped(count))
    return tell("{metric:cap} of {count} groups of runs", metric=metric, count=grouped(len(labels)))


# --- the abstract ---------------------------------------------------------------------


def abstract(facts: Facts) -> Text:
    """Return the abstract; empty without a group."""
    if not facts.groups:
        return ()
    focus = focus_of(facts)
    texts = [result_text(facts, focus, "abstract"), reserve_lead(facts), *_ended(facts, focus)]
    texts += [why_apart(facts), _absent(facts)]
    return sentences(texts)


def _ended(facts: Facts, focus: Focus) -> Iterator[Text]:
    """Yield for each group how many of its runs end in NaN: a mean of those is of no level."""
    for group in focus.groups if len(focus.groups) <= MOST_SIDE_BY_SIDE else ():
        ended = [
            cell for cell in group.cells if cell.run and lost_curve(cell.run, facts.study.metric)
        ]
        if not ended or len(group.cells) < 2:
            continue
        sources = [of_cell(facts.study, group, cell) for cell in ended]
        key = f"abstract.{group_key(facts, group)}"
        yield say_count(
            "Of the {every} runs of {group}, {n} ends in NaN.",
            "Of the {every} runs of {group}, {n} end in NaN.",
            len(ended),
            n=counted(f"{key}.nan", len(ended), message("runs that end in NaN"), sources),
            every=counted(
                f"{key}.runs",
                len(group.cells),
                message("runs"),
                of_cells(facts.study, [group]),
            ),
            group=in_text(facts, group),
        )


def _absent(facts: Facts) -> Text:
    """Say how many runs have no result."""
    cells = [(g, c) for g in facts.groups for c in g.cells]
    absent = [(g, c) for g, c in cells if isinstance(c.report_value, Missing)]
    if not absent or len(absent) == len(cells):
        return ()
    n = counted(
        "abstract.missing",
        len(absent),
        message("runs without a result"),
        [of_cell(facts.study, group, cell) for group, cell in absent],
    )
    every = counted(
        "abstract.runs", len(cells), message("runs"), of_cells(facts.study, facts.groups)
    )
    return say("For {n} of {every} runs there is no result.", n=n, every=every)
