"""Groups that are not compared with those of the body: a sentence each, runs in the appendix."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, say, tell
from reportgen.records.document import (
    Block,
    Chart,
    Emphasis,
    Figure,
    Number,
    Paragraph,
    Ref,
    Section,
    Strong,
    Text,
)
from reportgen.records.facts import Facts, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.records.record import replace
from reportgen.report._evidence import of_cells
from reportgen.report._focus import (
    MOST_SIDE_BY_SIDE,
    Focus,
    facts_of,
    focus_of,
    has_abstract,
    ranked,
    why_apart,
)
from reportgen.report._results_figure import Axes, curve_panels, described
from reportgen.report._results_table import groups_table, runs_table
from reportgen.report.findings import rank_findings
from reportgen.report.names import group_key, short_name
from reportgen.report.numbers import counted
from reportgen.report.phrases import (
    capital,
    name_of,
    result_n,
    spelled,
    things,
    what_of,
)
from reportgen.report.results import OF_ALL, claim, each_result, value_text

ID = "others"
SECONDARY = "secondary"
MOST_TOLD = 4
MOST_RUNS = 24
MOST_FINDINGS = 3


def build(facts: Facts) -> Section | None:
    """Return the section; None where all groups may be compared."""
    focus = focus_of(facts)
    known = [group for group in focus.others if group.report.n]
    if not known:
        return None
    texts: list[Text] = []
    apart = why_apart(facts)
    if apart and not has_abstract(facts):
        texts.append(apart)
    if len(known) <= MOST_TOLD:
        splits = {group.report_split for group in known}
        if len(known) > 1 == len(splits) and all(group.report.n == 1 for group in known):
            texts.append(each_result(facts, known, ID))
        else:
            texts += [_result(facts, group) for group in known]
    else:
        n = counted(
            f"{ID}.groups",
            len(known),
            message("groups beside the others"),
            of_cells(facts.study, known),
        )
        texts.append(
            say(
                "The other {n} {things} are in {appendix}.",
                n=n,
                things=things(known),
                appendix=Ref(SECONDARY),
            )
        )
    if not apart:
        texts.append(_why(focus, known))
    if len(known) <= MOST_TOLD:
        texts.append(say("{appendix} has the runs.", appendix=Ref(SECONDARY)))
    text = tuple(part for one in texts if one for part in (" ", *one))[1:]
    # Few groups are told one by one, and a report of one page has no room.
    told = len(known) <= MOST_TOLD or facts.study.report.detail == "brief"
    found = () if told else rank_findings(facts_of(facts, known))
    own = [one for one in found if one.subject not in OF_ALL][:MOST_FINDINGS]
    claims = [Paragraph(text=_own(claim(one, brief=True).text)) for one in own]
    return Section(id=ID, title=tell("Other runs"), blocks=(Paragraph(text=text), *claims))


def _own(text: Text) -> Text:
    """Return a text whose numbers have ids of this section: the results have like ones."""
    return tuple(
        replace(node, id=f"{ID}.{node.id}")
        if isinstance(node, Number)
        else replace(node, content=_own(node.content))
        if isinstance(node, Strong | Emphasis)
        else node
        for node in text
    )


def _result(facts: Facts, group: GroupResult) -> Text:
    return say(
        "{group} reaches {what:a} of {value}."
        if group.report.n < 2
        else "{group} reaches {what:a} of {value} ({n} runs).",
        group=name_of(group),
        what=what_of(facts, group),
        value=value_text(facts, group, ID),
        n=result_n(f"{ID}.{group_key(facts, group)}.n", group, facts.study),
    )


def _why(focus: Focus, known: Sequence[GroupResult]) -> Text:
    """Say why these groups stand apart, by the first thing in which they differ."""
    one, other = known[0], focus.groups[0]
    if one.report_split != other.report_split:
        return say("The split is another, so there is no comparison with those above.")
    units = [g.report.mean.unit for g in (one, other) if isinstance(g.report.mean, Quantity)]
    if len(set(units)) > 1:
        return say("The unit is another, so there is no comparison with those above.")
    if one.layout != other.layout:
        return say(
            "The logs are of another program: model and data may differ, so there is no comparison "
            "with those above."
        )
    return say("There is no comparison with those above.")


def build_appendix(facts: Facts) -> Section | None:
    """Return the runs and curves of the groups beside the others."""
    focus = focus_of(facts)
    known = [group for group in focus.others if group.report.n]
    if not known:
        return None
    few = sum(len(group.cells) for group in known) <= MOST_RUNS
    identifier = f"{SECONDARY}.table"
    table = (
        runs_table(facts, known, identifier)
        if few
        else groups_table(facts, ranked(facts, known), identifier)
    )
    figure = _figure(facts, known)
    blocks: list[Block] = []
    what = name_of(known[0]) if len(known) == 1 else say("the runs outside the comparison")
    lead = say("{table} gives the results of {what}.", table=Ref(identifier), what=what)
    if figure is not None:
        lead += (" ", *say("{figure} shows curves.", figure=Ref(figure.id)))
    blocks.append(Paragraph(text=lead))
    if table is not None:
        whose = (short_name(facts, known[0]),) if len(known) == 1 else say("Other runs")
        blocks.append(replace(table, caption=(*whose, ". ", *table.caption)))
    blocks += [figure] if figure is not None else []
    return Section(id=SECONDARY, title=tell("Other runs"), blocks=tuple(blocks), appendix=True)


def _figure(facts: Facts, known: Sequence[GroupResult]) -> Figure | None:
    """Return the curves of the first of some groups, all of one task; None without any."""
    groups = [g for g in known[:MOST_SIDE_BY_SIDE] if g.task == known[0].task]
    axes = Axes.of(facts, groups, facts.study.metric.name)
    panels = curve_panels(axes, rings=not facts.selection.is_last)
    if not any(len(line.x) > 1 for panel in panels for line in panel.lines):
        return None
    metric = capital(spelled(facts.study.metric.name))
    return Figure(
        id=f"{SECONDARY}.figure",
        caption=say(
            "{metric} of {group}."
            if len(known) == 1
            else "{metric} of the runs in {table}."
            if len(groups) == len(known)
            else "{metric} of some runs of {table}.",
            metric=metric,
            group=short_name(facts, known[0]),
            table=Ref(f"{SECONDARY}.table"),
        ),
        chart=Chart(kind="curves", panels=panels),
        alt=described(panels),
    )
