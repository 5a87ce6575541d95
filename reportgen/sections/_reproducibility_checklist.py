"""The checklist: what reviewers ask of an empirical result, answered from the evidence alone."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.records.document import Bullets, Cite, Inline, Number, Ref, Strong, Text
from reportgen.records.facts import Facts
from reportgen.records.quantity import Quantity
from reportgen.records.study import Study
from reportgen.sections._counts import why_no_formula
from reportgen.sections._marks import RERUNS_TABLE, reruns_of
from reportgen.sections._numbers import counted, of_result
from reportgen.sections._phrases import (
    capital,
    chose_its_own,
    has_seeds,
    metric_words,
    split_size,
)


def checklist(facts: Facts) -> Bullets:
    """Answer what reviewers ask of an empirical result, from the evidence alone."""
    metric, statistics = facts.study.metric, facts.study.statistics
    spread = "sample" if statistics.ddof == 1 else "population"
    ddof, confidence = _ddof(facts.study), _confidence(facts.study)
    software = ", ".join(f"{name} {version}" for name, version in facts.environment.items())
    items: tuple[Text, ...] = (
        (Strong(("Number of runs behind each result.",)), *_replicates(facts)),
        (Strong(("What varies between them.",)), *_differences(facts)),
        (
            Strong(("Error bars.",)),
            *(f" The {spread} standard deviation over seeds (ddof ", ddof, "), and "),
            *(confidence, " intervals by Student’s t ", Cite("student")),
            "; neither is given below three runs.",
        ),
        (
            Strong(("Model selection.",)),
            f" The step with the best {metric.select_on} {metric_words(facts.study)}; among ",
            f"equals the {metric.ties} one. ",
            *_reported(facts),
        ),
        (Strong(("Split sizes.",)), *_split_sizes(facts)),
        (Strong(("Parameters.",)), " ", _counting(facts)),
        (Strong(("Software.",)), f" {software}."),
    )
    return Bullets(items=items)


def _differences(facts: Facts) -> Text:
    """Say what runs of a group differ in; re-runs in more than their seed."""
    if not all(map(has_seeds, facts.groups)):
        text = " Not every run has a known seed of its own; nothing else is known to differ."
    else:
        text = " Runs of a group differ in their seed alone, as far as names and logs tell."
    if not reruns_of(facts):
        return (text,)
    more = " Re-run cells differ from the others in device, software and training program as well ("
    return (text, more, Ref(RERUNS_TABLE), ").")


def _reported(facts: Facts) -> Text:
    """Say where numbers are reported; good practice is cited only where it was followed."""
    caveat = chose_its_own(facts)
    if caveat:
        return (f"{capital(caveat)}.",)
    return (
        f"Numbers are reported on the {facts.study.metric.report_on} split ",
        Cite("dodge"),
        ".",
    )


def _ddof(study: Study) -> Number:
    value = study.statistics.ddof
    stated = (study.cite("statistics.ddof", value),)
    return counted("reproducibility.checklist.ddof", value, "delta degrees of freedom", stated)


def _confidence(study: Study) -> Number:
    value = study.statistics.confidence
    stated = (study.cite("statistics.confidence", value),)
    level = Quantity(value=value, unit="fraction", method="confidence level", sources=stated)
    name = "reproducibility.checklist.confidence"
    return Number(id=name, quantity=level, style="percent_sign")


def _replicates(facts: Facts) -> Iterator[Inline]:
    for position, group in enumerate(facts.groups):
        method = "runs of the group that have a result"
        yield f"{'; ' if position else ' '}{group.label}: n = "
        runs = of_result(facts.study, group, group.report)
        yield counted(f"reproducibility.checklist.{group.name}.n", group.report.n, method, runs)
    yield "." if facts.groups else " No run."


def _split_sizes(facts: Facts) -> Iterator[Inline]:
    sizes = facts.study.split_sizes
    for position, split in enumerate(sizes):
        yield f"{', ' if position else ' '}{split} "
        yield split_size(f"reproducibility.checklist.{split}", split, facts.study)
    yield "." if sizes else " Neither the logs nor a study file state them."


def _counting(facts: Facts) -> str:
    if facts.model is None:
        return "Not counted: no model configuration was given."
    if not facts.model.ledger.family:
        how = "Added up by role as stored" if facts.model.ledger.terms else "Not counted"
        return f"{how}: {why_no_formula(facts.model)}."
    if facts.model.checkpoint is None:
        return "Counted by formula from the configuration; no checkpoint to compare with."
    return "Counted by formula and reconciled with the checkpoint, term by term."
