"""The results: one figure, one table, the course of the means; and groups that stand apart."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, noun, say, tell
from reportgen.records import document as doc
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Quantity
from reportgen.records.record import replace
from reportgen.report import numbers, phrases
from reportgen.report._focus import (
    LITTLE,
    MOST_SIDE_BY_SIDE,
    Focus,
    facts_of,
    focus_of,
    has_abstract,
    knows_better,
    naming_factors,
    ranked,
    ranked_by_task,
    settings_of,
    why_apart,
    within,
)
from reportgen.report._results_figure import Axes, curve_panels, curves_figure, results_figure
from reportgen.report._results_table import (
    difference_text,
    epoch_table,
    groups_table,
    results_table,
    runs_table,
)
from reportgen.report._run_readings import judged_once, once_after
from reportgen.report.findings import CONCLUSION, MOST, Finding, rank_findings
from reportgen.report.names import cell_key, group_key, in_text, short_name
from reportgen.report.questions import Topic

ID = "results"
OF_ALL = {"absent", "parts"}
"""Subjects that are of the whole report, whatever is compared."""
FEWEST = 3
"""Findings that a report of one page has room for."""


def build(facts: Facts) -> doc.Section | None:
    """Return the section; None without a group."""
    focus = focus_of(facts)
    if not focus.groups:
        return None
    figure, table = results_figure(facts, focus), results_table(facts, focus)
    brief = facts.study.report.detail == "brief"
    found = _findings(facts, focus)
    named = [row for finding in found for row in finding.rows]
    epochs = None if brief else epoch_table(facts, focus, named)
    lead = _lead(facts, focus, figure, table, epochs)
    # The abstract says what a single run reaches.
    alone = figure is None and not found
    if table is None and (alone or facts.study.report.abstract or facts.study.questions):
        lead = phrases.sentences((result_text(facts, focus, f"{ID}.text"), lead))
    # Beside the answers to questions a page has room for one finding less.
    room = FEWEST - bool(facts.study.questions) if brief else len(found)
    claims = [claim(one, brief=brief) for one in found[:room]]
    # A conclusion stands first, for table and figure may be too large for the rest of a page.
    first = table is not None and bool(found) and found[0].kind == CONCLUSION
    floats = (block for block in (table, figure, epochs) if block is not None)
    about = [doc.Paragraph(text=lead)] if lead else []
    blocks = (*claims[:first], *about, *floats, *claims[first:])
    return doc.Section(id=ID, title=_title(facts, focus), blocks=blocks)


def _findings(facts: Facts, focus: Focus) -> list[Finding]:
    """Return what is worth saying of the groups of the body, and of those without a result."""
    found = [*rank_findings(facts_of(facts, focus.groups))]
    if focus.others:
        found = [one for one in found if one.subject not in OF_ALL]
        found += [one for one in rank_findings(facts) if one.subject in OF_ALL]
    return sorted(found, key=lambda finding: -finding.score)[:MOST]


def claim(finding: Finding, *, brief: bool) -> doc.Paragraph:
    """Return a finding as a paragraph; in a brief report its claim and one sentence."""
    told = finding.sentences[:1] if brief else finding.sentences
    return doc.Paragraph(text=phrases.sentences([(doc.Strong(finding.head),), *told]))


def _title(facts: Facts, focus: Focus) -> str:
    pair = focus.pair(facts)
    if pair is not None and len(focus.groups) == len(pair):
        return tell(
            "{first} against {second}",
            first=short_name(facts, pair[0]),
            second=short_name(facts, pair[1]),
        )
    return tell("Results")


def _lead(
    facts: Facts,
    focus: Focus,
    figure: doc.Figure | None,
    table: doc.Table | None,
    epochs: doc.Table | None,
) -> doc.Text:
    """Return what the floats show."""
    metric = phrases.spelled(facts.study.metric.name)
    shown: list[doc.Text] = []
    if table is not None:
        told = say(
            "{table} gives the result of each run"
            if not focus.is_sweep
            else "{table} ranks the {things}"
            if knows_better(facts)
            else "{table} lists the {things}",
            table=doc.Ref(table.id),
            things=phrases.things(focus.groups),
        )
        shown.append(told)
    if figure is not None:
        told = say(
            "{figure} shows every result"
            if focus.is_sweep
            else "{figure} shows {metric} over training",
            figure=doc.Ref(figure.id),
            metric=metric,
        )
        shown.append(told)
    if epochs is not None:
        shown.append(say("{table} the means along the way", table=doc.Ref(epochs.id)))
    return (*capital_text(phrases.joined(shown)), ".") if shown else ()


# --- sentences ------------------------------------------------------------------------


def result_text(facts: Facts, focus: Focus, prefix: str) -> doc.Text:
    """Return the result of the body in one or two sentences, true of any number of runs."""
    groups = [group for group in focus.groups if group.report.n]
    if not groups:
        runs = [cell.run for group in focus.groups for cell in group.cells if cell.run]
        report = facts.study.metric.report_on
        elsewhere = any(run.find(facts.study.metric.name, report) for run in runs)
        return say(
            "No run has a result: the logs hold no metric that is known."
            if not facts.study.metric.name
            else "No run has a result: {split} {metric} was not logged at the steps that were "
            "chosen."
            if elsewhere
            else "No run has a result: {metric} was not logged where it is asked for.",
            split=noun(report),
            metric=phrases.spelled(facts.study.metric.name),
        )
    if len(groups) == 1:
        return _one_group(facts, groups[0], prefix)
    if focus.is_mixed:
        return _each_task(facts, prefix)
    if len(groups) == 2:
        return _two_groups(facts, focus, prefix)
    return _many_groups(facts, focus, prefix)


def value_text(facts: Facts, group: GroupResult, prefix: str) -> doc.Text:
    """Return the result of a group with its unit and its number of runs."""
    printing = numbers.printing_of(facts.groups, group)
    key = f"{prefix}.{group_key(facts, group)}"
    value = numbers.mean_and_std(key, group.report, printing)
    if group.report.n == 2:
        first, *rest = value
        return (first, printing.sign, *rest, printing.sign)
    return (*value, printing.sign) if printing.sign else value


def _one_group(facts: Facts, group: GroupResult, prefix: str) -> doc.Text:
    what, value = phrases.what_of(facts, group), value_text(facts, group, prefix)
    if group.report.n == 1:
        return _one_run(facts, group, what, value, prefix)
    n = phrases.result_n(f"{prefix}.{group_key(facts, group)}.n", group, facts.study)
    where = within(facts, group.task)
    return say("{what:cap}{where} is {value} ({n} runs).", what=what, value=value, n=n, where=where)


def _one_run(facts: Facts, group: GroupResult, what: str, value: doc.Text, prefix: str) -> doc.Text:
    cell = next(cell for cell in group.cells if isinstance(cell.report_value, Quantity))
    alone = sum(len(one.cells) for one in facts.groups) == 1
    run = say("the run") if alone else in_text(facts, group)
    placeless = once_after(facts, [group]) or judged_once(facts, [group])
    if facts.selection.is_last and not placeless:
        return say("{run:cap} ends at {what:a} of {value}.", run=run, what=what, value=value)
    printing = numbers.printing_of(facts.groups, group)
    key = f"{prefix}.{group_key(facts, group)}.{cell_key(group, cell)}.select"
    return say(
        "{run:cap} reaches {what:a} of {value}{place}."
        if placeless or group.report_split == facts.study.metric.select_on
        else "{run:cap} reaches {what:a} of {value}{place}, chosen by its {select} {metric} of "
        "{chosen}.",
        run=run,
        what=what,
        value=value,
        place=() if placeless else _place(facts, group, cell, prefix),
        select=noun(facts.study.metric.select_on),
        metric=phrases.spelled(facts.study.metric.name),
        chosen=(printing.one(key, cell.select_value), printing.sign),
    )


def _place(facts: Facts, group: GroupResult, cell: RunResult, prefix: str) -> doc.Text:
    key = f"{prefix}.{group_key(facts, group)}.{cell_key(group, cell)}.place"
    if isinstance(cell.best_epoch, Quantity):
        return say(" at epoch {epoch}", epoch=numbers.epoch_number(key, cell.best_epoch))
    if isinstance(cell.best_step, Quantity):
        return say(" at step {step}", step=numbers.step_number(key, cell.best_step))
    return ()


def _two_groups(facts: Facts, focus: Focus, prefix: str) -> doc.Text:
    first, second = focus.pair(facts) or [group for group in focus.groups if group.report.n]
    printing = numbers.printing_of(facts.groups)
    spreads = [group.report.std for group in (first, second)]
    known = [printing.rounded(std) for std in spreads if isinstance(std, Quantity)]
    values = [*first.report.values, *second.report.values]
    alike = _same(printing, first, second) and len(set(known)) <= 1 and len(known) != 1
    return say(
        "All {n} runs{where} reach {what:a} of {each}, which cannot tell {first} from {second}."
        if len(values) > 2 and len(set(values)) == 1
        else "{what:cap}{where} is the same for {first} and {second}: {one}."
        if alike
        else "{what:cap}{where} is the same for {first} and {second}: {one} and {two}."
        if _same(printing, first, second)
        else "{what:cap}{where} is {one} for {first} and {two} for {second}, a difference of "
        "{difference}."
        if focus.comparison
        else "{what:cap}{where} is {one} for {first} and {two} for {second}.",
        n=phrases.in_words(first.report.n + second.report.n),
        each=(printing.mean(f"{prefix}.each", first.report.mean), printing.sign),
        where=within(facts, first.task),
        what=phrases.what_of(facts, first),
        one=value_text(facts, first, prefix),
        two=value_text(facts, second, prefix),
        first=in_text(facts, first),
        second=in_text(facts, second),
        difference=difference_text(facts, focus, prefix),
    )


def _each_task(facts: Facts, prefix: str) -> doc.Text:
    """Return the best result of each task, the tasks in the order of the report."""
    families = ranked_by_task(facts)[:MOST_SIDE_BY_SIDE]
    best = [family[0] for family in families]
    alone = all(len(family) == 1 for family in families) or not knows_better(facts)
    return each_result(facts, best, prefix, are_best=not alone)


def each_result(
    facts: Facts, groups: Sequence[GroupResult], prefix: str, *, are_best: bool = False
) -> doc.Text:
    """Return the results of some groups in one sentence, each the best of its task or not."""
    results = [
        say(
            "{value} for {group}",
            value=value_text(facts, group, prefix),
            group=in_text(facts, group),
        )
        for group in groups
    ]
    return say(
        "The best {what} of each task is {results}." if are_best else "{what:cap} is {results}.",
        what=phrases.what_of(facts, groups[0]),
        results=phrases.joined(results),
    )


def _many_groups(facts: Facts, focus: Focus, prefix: str) -> doc.Text:
    order = ranked(facts, focus.groups)
    best, last = order[0], order[-1]
    printing = numbers.printing_of(facts.groups)
    words: dict[str, doc.Text | doc.Number | str] = {
        "n": _groups_number(facts, focus, prefix),
        "what": phrases.what_of(facts, best),
        "value": value_text(facts, best, prefix),
        "things": (phrases.things(order), *within(facts, best.task)),
    }
    if _same(printing, best, last):
        return say("All {n} {things} reach the same {what}: {value}.", **words)
    words["low"] = value_text(facts, last, prefix)
    if _nearly_equal(order):
        return say("The {what} of all {n} {things} is nearly the same: {low} to {value}.", **words)
    if not knows_better(facts):
        return say(
            "The {what} of {n} {things} lies between {low} and {value}; nothing tells which is "
            "better.",
            **words,
        )
    words["what"] = phrases.what_of(facts, best).removeprefix("best ")
    ties, weak = (sum(_same(printing, end, one) for one in order) for end in (best, last))
    if ties > 1:
        return say(
            "{some:cap} of {n} {things} share the best {what}, {value}; the others have {low}."
            if ties + weak == len(order) and weak > 1
            else "{some:cap} of {n} {things} share the best {what}, {value}; the weakest is {low}.",
            some=phrases.in_words(ties),
            **words,
        )
    return say(
        "Of {n} {things}, {best} has the best {what}, {value}; the weakest, {last}, has {low}."
        if weak == 1
        else "Of {n} {things}, {best} has the best {what}, {value}; the weakest {some} have {low}.",
        some=phrases.in_words(weak),
        best=_called(facts, focus, best),
        last=_called(facts, focus, last),
        **words,
    )


def _nearly_equal(order: list[GroupResult]) -> bool:
    """Return whether single runs, of which nobody knows the spread, lie next to each other."""
    ends = [one.report.mean for one in (order[0], order[-1])]
    best, last = (one.value for one in ends if isinstance(one, Quantity))
    return all(one.report.n == 1 for one in order) and abs(best - last) <= LITTLE * abs(best)


def _called(facts: Facts, focus: Focus, group: GroupResult) -> doc.Text:
    """Return what the table calls a group: its settings, where these stand in for names."""
    factors = naming_factors(ranked(facts, focus.groups)) if focus.is_sweep else []
    return (doc.Emphasis((settings_of(factors, group),)),) if factors else in_text(facts, group)


def _same(printing: numbers.Printing, one: GroupResult, other: GroupResult) -> bool:
    first, second = one.report.mean, other.report.mean
    if not isinstance(first, Quantity) or not isinstance(second, Quantity):
        return False
    return printing.rounded(first) == printing.rounded(second)


def _groups_number(facts: Facts, focus: Focus, prefix: str) -> doc.Number:
    known = [group for group in focus.groups if group.report.n]
    sources = numbers.of_cells(facts.study, known)
    return numbers.counted(f"{prefix}.groups", len(known), message("groups with a result"), sources)


# --- topics ---------------------------------------------------------------------------


def topics(facts: Facts) -> dict[str, Topic]:
    """Return what answers questions about results."""
    focus = focus_of(facts)
    found: dict[str, Topic] = {}
    inside = {group.name for group in focus.groups}
    for group in facts.groups:
        if group.report.n:
            section = ID if group.name in inside else "others"
            title = short_name(facts, group) if section != ID else ""
            found[f"groups.{group.name}"] = Topic(_of_groups(facts, [group]), section, title)
    known = [group for group in focus.groups if group.report.n]
    if known and len(known) <= 3:
        found["best_step"] = Topic(_of_groups(facts, known), ID)
    elif known:
        found["best_step"] = Topic(result_text(facts, focus, "glance"), ID)
    if focus.comparison is not None:
        found["comparison"] = Topic(_difference(facts, focus), ID)
    return found


def _of_groups(facts: Facts, groups: list[GroupResult]) -> doc.Text:
    """Return the results of some groups, of a single one with its number of runs."""
    results = [
        say(
            "{value} for {group} ({n} runs)"
            if group.report.n > 1 and len(groups) == 1
            else "{value} for {group}",
            group=short_name(facts, group),
            value=value_text(facts, group, "glance"),
            n=phrases.result_n(f"glance.{group_key(facts, group)}.n", group, facts.study),
        )
        for group in groups
    ]
    return say(
        "{what:cap}: {results}",
        what=phrases.what_of(facts, groups[0]),
        results=phrases.listed(results, ", "),
    )


def _difference(facts: Facts, focus: Focus) -> doc.Text:
    first, second = focus.pair(facts) or focus.groups[:2]
    return say(
        "{what:cap}: {difference} for {first} against {second}",
        what=phrases.what_of(facts, first),
        first=short_name(facts, first),
        second=short_name(facts, second),
        difference=difference_text(facts, focus, "glance.comparison"),
    )


def capital_text(text: doc.Text) -> doc.Text:
    """Return a text whose first word begins with a capital."""
    if text and isinstance(text[0], str):
        return (phrases.capital(text[0]), *text[1:])
    return text


# --- groups that are not compared -----------------------------------------------------


OTHERS = "others"
SECONDARY = "secondary"
MOST_TOLD = 4
MOST_RUNS = 24
MOST_FINDINGS = 3


def build_others(facts: Facts) -> doc.Section | None:
    """Return the section; None where all groups may be compared."""
    focus = focus_of(facts)
    known = [group for group in focus.others if group.report.n]
    if not known:
        return None
    texts: list[doc.Text] = []
    apart = why_apart(facts)
    if apart and not has_abstract(facts):
        texts.append(apart)
    if len(known) <= MOST_TOLD:
        splits = {group.report_split for group in known}
        if len(known) > 1 == len(splits) and all(group.report.n == 1 for group in known):
            texts.append(each_result(facts, known, OTHERS))
        else:
            texts += [_result(facts, group) for group in known]
    else:
        what, sources = message("groups beside the others"), numbers.of_cells(facts.study, known)
        n, appendix = (
            numbers.counted(f"{OTHERS}.groups", len(known), what, sources),
            doc.Ref(SECONDARY),
        )
        texts.append(
            say(
                "The other {n} {things} are in {appendix}.",
                n=n,
                things=phrases.things(known),
                appendix=appendix,
            )
        )
    if not apart:
        texts.append(_why(focus, known))
    if len(known) <= MOST_TOLD:
        texts.append(say("{appendix} has the runs.", appendix=doc.Ref(SECONDARY)))
    # Few groups are told one by one, and a report of one page has no room.
    told = len(known) <= MOST_TOLD or facts.study.report.detail == "brief"
    found = () if told else rank_findings(facts_of(facts, known))
    own = [one for one in found if one.subject not in OF_ALL][:MOST_FINDINGS]
    claims = [doc.Paragraph(text=_own(claim(one, brief=True).text)) for one in own]
    about = doc.Paragraph(text=phrases.sentences(texts))
    return doc.Section(id=OTHERS, title=tell("Other runs"), blocks=(about, *claims))


def _own(text: doc.Text) -> doc.Text:
    """Return a text whose numbers have ids of this section: the results have like ones."""
    return tuple(
        replace(node, id=f"{OTHERS}.{node.id}")
        if isinstance(node, doc.Number)
        else replace(node, content=_own(node.content))
        if isinstance(node, doc.Strong | doc.Emphasis)
        else node
        for node in text
    )


def _result(facts: Facts, group: GroupResult) -> doc.Text:
    return say(
        "{group} reaches {what:a} of {value}."
        if group.report.n < 2
        else "{group} reaches {what:a} of {value} ({n} runs).",
        group=phrases.name_of(group),
        what=phrases.what_of(facts, group),
        value=value_text(facts, group, OTHERS),
        n=phrases.result_n(f"{OTHERS}.{group_key(facts, group)}.n", group, facts.study),
    )


def _why(focus: Focus, known: Sequence[GroupResult]) -> doc.Text:
    """Say why these groups stand apart, by the first thing in which they differ."""
    one, other = known[0], focus.groups[0]
    units = [g.report.mean.unit for g in (one, other) if isinstance(g.report.mean, Quantity)]
    return say(
        "The split is another, so there is no comparison with those above."
        if one.report_split != other.report_split
        else "The unit is another, so there is no comparison with those above."
        if len(set(units)) > 1
        else "The logs are of another program: model and data may differ, so there is no "
        "comparison with those above."
        if one.layout != other.layout
        else "There is no comparison with those above."
    )


def build_appendix(facts: Facts) -> doc.Section | None:
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
    what = phrases.name_of(known[0]) if len(known) == 1 else say("the runs outside the comparison")
    lead = say("{table} gives the results of {what}.", table=doc.Ref(identifier), what=what)
    shows = say("{figure} shows curves.", figure=doc.Ref(figure.id)) if figure is not None else ()
    blocks: list[doc.Block] = [doc.Paragraph(text=phrases.sentences((lead, shows)))]
    if table is not None:
        whose = (short_name(facts, known[0]),) if len(known) == 1 else say("Other runs")
        blocks.append(replace(table, caption=(*whose, ". ", *table.caption)))
    blocks += [figure] if figure is not None else []
    return doc.Section(id=SECONDARY, title=tell("Other runs"), blocks=tuple(blocks), appendix=True)


def _figure(facts: Facts, known: Sequence[GroupResult]) -> doc.Figure | None:
    """Return the curves of the first of some groups, all of one task; None without any."""
    groups = [g for g in known[:MOST_SIDE_BY_SIDE] if g.task == known[0].task]
    axes = Axes.of(facts, groups, facts.study.metric.name)
    panels = curve_panels(axes, rings=not facts.selection.is_last)
    if not any(len(line.x) > 1 for panel in panels for line in panel.lines):
        return None
    caption = say(
        "{metric} of {group}."
        if len(known) == 1
        else "{metric} of the runs in {table}."
        if len(groups) == len(known)
        else "{metric} of some runs of {table}.",
        metric=phrases.capital(phrases.spelled(facts.study.metric.name)),
        group=short_name(facts, known[0]),
        table=doc.Ref(f"{SECONDARY}.table"),
    )
    return curves_figure(f"{SECONDARY}.figure", caption, panels)
