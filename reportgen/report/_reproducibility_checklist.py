"""The checklist: what reviewers ask of an empirical result, answered from the evidence alone."""

from __future__ import annotations

from reportgen.languages import message, noun, say, say_count
from reportgen.records.document import Bullets, Cite, Code, Number, Ref, Strong, Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.records.study import Study
from reportgen.report._counts import why_no_formula
from reportgen.report._evidence import of_result
from reportgen.report._excerpts import MOST_GROUPS, groups_number
from reportgen.report._marks import RERUNS_TABLE, reruns_of
from reportgen.report._numbers import counted
from reportgen.report._phrases import (
    capital,
    chose_its_own,
    has_seeds,
    metric_words,
    split_size,
)
from reportgen.report._quotes import listed, quoted, sentences
from reportgen.report._unselected import where_measured, why_no_step


def checklist(facts: Facts) -> Bullets:
    """Answer what reviewers ask of an empirical result, from the evidence alone."""
    software = ", ".join(f"{name} {version}" for name, version in facts.environment.items())
    items = (
        (say("Number of runs behind each result."), _replicates(facts)),
        (say("What varies between them."), _differences(facts)),
        (say("Error bars."), _error_bars(facts.study)),
        (say("Model selection."), _selection(facts)),
        (say("Split sizes."), _split_sizes(facts)),
        (say("Parameters."), _counting(facts)),
        (say("Software."), (f"{software}.",)),
        *([(say("Date."), _dated(facts))] if facts.dated else ()),
    )
    return Bullets(items=tuple((Strong(question), " ", *answer) for question, answer in items))


def _dated(facts: Facts) -> Text:
    """Say which day stands under the title."""
    if facts.dated == "environment":
        return say("The day that {variable} sets.", variable=Code("SOURCE_DATE_EPOCH"))
    return say(
        "The day (UTC) of the last point in the logs: the same logs give the same report any day."
    )


def _error_bars(study: Study) -> Text:
    """Say what is printed beside a mean."""
    sample = study.statistics.ddof == 1
    return say(
        "The sample standard deviation over seeds (ddof {ddof}), and {confidence} intervals by "
        "Student’s t {cited}; neither is given below three runs."
        if sample
        else "The population standard deviation over seeds (ddof {ddof}), and {confidence} "
        "intervals by Student’s t {cited}; neither is given below three runs.",
        ddof=_ddof(study),
        confidence=_confidence(study),
        cited=Cite("student"),
    )


def _selection(facts: Facts) -> Text:
    """Say which step of a run is chosen, and where it is reported."""
    if not facts.selection.is_last:
        return sentences([_selected(facts.study), _reported(facts)])
    return sentences([why_no_step(facts), where_measured(facts.deciding)])


def _selected(study: Study) -> Text:
    """Say which step of a run is chosen."""
    last = study.metric.ties == "last"
    return say(
        "The step with the best {split} {metric}; among equals the last one."
        if last
        else "The step with the best {split} {metric}; among equals the first one.",
        split=noun(study.metric.select_on),
        metric=metric_words(study),
    )


def _differences(facts: Facts) -> Text:
    """Say what runs of a group differ in; re-runs in more than their seed."""
    if all(len(group.cells) == 1 for group in facts.groups):
        text = say("Nothing inside a group, for none has more than one run.")
    elif not all(map(has_seeds, facts.groups)):
        text = say("Not every run has a known seed of its own; nothing else is known to differ.")
    else:
        text = say("Runs of a group differ in their seed alone, as far as names and logs tell.")
    if not reruns_of(facts):
        return text
    more = say(
        "Re-run cells differ from the others in device, software and training program as well "
        "({table}).",
        table=Ref(RERUNS_TABLE),
    )
    return sentences([text, more])


def _reported(facts: Facts) -> Text:
    """Say where numbers are reported; good practice is cited only where it was followed."""
    caveat = chose_its_own(facts)
    if caveat:
        return (f"{capital(caveat)}.",)
    return say(
        "Numbers are reported on the {split} split {cited}.",
        split=noun(facts.study.metric.report_on),
        cited=Cite("dodge"),
    )


def _ddof(study: Study) -> Number:
    value = study.statistics.ddof
    stated = (study.cite("statistics.ddof", value),)
    return counted(
        "reproducibility.checklist.ddof", value, message("delta degrees of freedom"), stated
    )


def _confidence(study: Study) -> Number:
    value = study.statistics.confidence
    stated = (study.cite("statistics.confidence", value),)
    level = Quantity(
        value=value, unit="fraction", method=message("confidence level"), sources=stated
    )
    name = "reproducibility.checklist.confidence"
    return Number(id=name, quantity=level, style="percent_sign")


def _replicates(facts: Facts) -> Text:
    if not facts.groups:
        return say("No run.")
    if len(facts.groups) > MOST_GROUPS:
        return _counts_of_many(facts)
    method = message("runs of the group that have a result")
    parts = [
        say(
            "{group}: n = {n}",
            group=group.label,
            n=counted(
                f"reproducibility.checklist.{group.name}.n",
                group.report.n,
                method,
                of_result(facts.study, group, group.report),
            ),
        )
        for group in facts.groups
    ]
    return (*listed(parts), ".")


def _counts_of_many(facts: Facts) -> Text:
    """Say how many groups have how many runs with a result."""
    found: dict[int, list[GroupResult]] = {}
    for group in facts.groups:
        found.setdefault(group.report.n, []).append(group)
    method = message("runs of each of these groups that have a result")
    parts: list[Text] = []
    for n in sorted(found, reverse=True):
        key = f"reproducibility.checklist.n{n}"
        sources = [e for g in found[n] for e in of_result(facts.study, g, g.report)]
        parts.append(
            say_count(
                "n = {runs} in {n} group",
                "n = {runs} in {n} groups",
                len(found[n]),
                n=groups_number(facts, f"{key}.groups", found[n]),
                runs=counted(key, n, method, sources),
            )
        )
    return (*listed(parts), ".")


def _split_sizes(facts: Facts) -> Text:
    sizes = facts.study.split_sizes
    if not sizes:
        return say("Neither the logs nor a study file state them.")
    parts = [
        (f"{noun(split)} ", split_size(f"reproducibility.checklist.{split}", split, facts.study))
        for split in sizes
    ]
    return (*listed(parts, ", "), ".")


def _counting(facts: Facts) -> Text:
    model = facts.model
    if model is None:
        return say("Not counted: no model configuration was given.")
    if not model.ledger.family:
        why = quoted(why_no_formula(model))
        if model.ledger.terms:
            return say("Added up by role as stored: {why}.", why=why)
        return say("Not counted: {why}.", why=why)
    if model.checkpoint is None:
        return say("Counted by formula from the configuration; no checkpoint to compare with.")
    return say("Counted by formula and reconciled with the checkpoint, term by term.")
