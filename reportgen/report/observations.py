"""What the logs of groups show that are compared with no other: sentences that need no pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.languages import message, noun, say, tell
from reportgen.records.document import Bullets, Paragraph, Section, Strong, Text
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.report import (
    _comparison_outliers,
    _comparison_runs,
    _comparison_splits,
    _comparison_trends,
)
from reportgen.report._comparison_pair import Pair, enumerated, last_step
from reportgen.report._evidence import of_evaluation
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import printing_of, step_number
from reportgen.report._phrases import in_words, joined, name_of, section_of
from reportgen.report._run_in_group import run_in_group
from reportgen.report._trouble import early_ends

MOST_FOLLOWED = 4
"""Groups whose curves are told of one by one; of more, only what can be said of all together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle(Pair):
    """Any number of groups, as sentences see them that look at one group after the other."""

    members: tuple[GroupResult, ...]

    @property
    def groups(self) -> tuple[tuple[str, GroupResult], ...]:
        """Every group with its part of an id."""
        return tuple((group_key(self.facts, group), group) for group in self.members)


def build(facts: Facts) -> Section | None:
    """Return the section, or None where a comparison says it all or there is nothing to say."""
    last = facts.selection.is_last
    if not last and any(isinstance(c.difference, Quantity) for c in facts.comparisons):
        return None
    members = tuple(g for g in facts.groups if g.epochs or (g.report.n and not last))
    if not members:
        return None
    items = _items(circle_of(facts, members))
    if not items:
        return None
    lead = say("What the logs show, computed from the same values as the tables:")
    blocks = (Paragraph(text=lead), Bullets(items=items))
    return section_of("observations", tell("Observations"), blocks)


def circle_of(facts: Facts, members: tuple[GroupResult, ...]) -> Circle:
    """Return some groups as the sentences see them."""
    return Circle(
        facts=facts,
        first=members[0],
        second=members[0],
        rows=(),
        printing=printing_of(facts.groups, *members),
        prefix="observations",
        members=members,
    )


def _items(circle: Circle) -> tuple[Text, ...]:
    few = len(circle.members) <= MOST_FOLLOWED
    items: list[Text] = []
    for title, sentence in (*(_OF_EACH if few else ()), *_OF_ALL):
        text = sentence(circle)
        if text:
            items.append((Strong((f"{tell(title)}.",)), " ", *text))
    return tuple(items)


def ties(circle: Circle) -> Text | None:
    """Say how many runs have several best steps, and what the other rule would give."""
    metric = circle.facts.study.metric
    cells = [(g, c) for g in circle.members for c in g.cells if c.tied_steps]
    tied = [(g, c) for g, c in cells if len(c.tied_steps) > 1]
    if not cells:
        return None
    places = {"select": noun(metric.select_on), "metric": circle.metric}
    if not tied:
        return say("No run reaches its best {select} {metric} at two steps.", **places)
    who = enumerated([run_in_group(g, c) for g, c in tied])
    text = say(
        _TIED[len(tied) == 1, metric.ties],
        some=in_words(len(tied)),
        all=in_words(len(cells)),
        who=who,
        **places,
    )
    other = "first" if metric.ties == "last" else "last"
    touched = [g for g in circle.members if any(g is one for one, _ in tied)]
    changes = [part for group in touched if (part := _other_rule(circle, group, other))]
    if not changes:
        return (*text, " ", *say(_NO_CHANGE[other]))
    return (*text, " ", *say(_CHANGES[other], changes=joined(changes)))


_TIED = {
    (True, "first"): message(
        "{some:cap} of {all} runs reaches the best {select} {metric} at more than one step "
        "({who}); the first was taken."
    ),
    (True, "last"): message(
        "{some:cap} of {all} runs reaches the best {select} {metric} at more than one step "
        "({who}); the last was taken."
    ),
    (False, "first"): message(
        "{some:cap} of {all} runs reach the best {select} {metric} at more than one step "
        "({who}); the first was taken."
    ),
    (False, "last"): message(
        "{some:cap} of {all} runs reach the best {select} {metric} at more than one step "
        "({who}); the last was taken."
    ),
}
_NO_CHANGE = {
    "first": message("Taking the first would change no result as printed."),
    "last": message("Taking the last would change no result as printed."),
}
_CHANGES = {
    "first": message("Taking the first would give {changes}."),
    "last": message("Taking the last would give {changes}."),
}


def _other_rule(circle: Circle, group: GroupResult, rule: str) -> Text:
    """Return a group's result under the other tie rule where it is not printed the same."""
    study = circle.facts.study
    ruled = _comparison_runs.under_rule(study, group, rule)
    mean, report = ruled.mean, group.report.mean
    if isinstance(mean, Missing) or isinstance(report, Missing):
        return ()
    printing, key = circle.printing, f"observations.{group_key(circle.facts, group)}"
    if printing.rounded(mean) == printing.rounded(report):
        return ()
    return say(
        "{group} a mean of {other} instead of {own}"
        if group.report.n > 1
        else "{group} {other} instead of {own}",
        group=name_of(group),
        other=(printing.mean(f"{key}.other_rule", mean), printing.sign),
        own=(printing.mean(f"{key}.this_rule", report), printing.sign),
    )


def lengths(circle: Circle) -> Text | None:
    """Say whether all runs were last evaluated at the same step."""
    metric = circle.facts.study.metric
    ends: dict[int, list[Evidence]] = {}
    runs = 0
    for cell in _cells(circle.members):
        step = None if cell.run is None else last_step(cell.run, metric.name, metric.select_on)
        if cell.run is not None and step is not None:
            runs += 1
            ends.setdefault(step, []).extend(of_evaluation(cell.run, metric, step))
    if runs < 2:
        return None
    if early := early_ends(circle.facts, circle.members, "observations"):
        return tuple(part for at, text in enumerate(early) for part in (" ", *text)[not at :])
    numbers = [
        step_number(
            f"observations.length{i or ''}",
            Quantity(
                value=step,
                unit="step",
                method=message("last evaluated step"),
                sources=tuple(ends[step]),
            ),
        )
        for i, step in enumerate(sorted({min(ends), max(ends)}))
    ]
    if len(numbers) == 1:
        return say("All runs were last evaluated at the same step, {step}.", step=numbers[0])
    return say(
        "The runs are not equally long: their last evaluations lie between step {low} and step "
        "{high}.",
        low=numbers[0],
        high=numbers[1],
    )


def _cells(groups: Sequence[GroupResult]) -> list[RunResult]:
    return [cell for group in groups for cell in group.cells]


_OF_EACH = (
    (message("Trend"), _comparison_trends.trend),
    (message("Convergence of seeds"), _comparison_trends.convergence),
    (message("Stability"), _comparison_trends.stability),
    (message("Steadiness"), _comparison_outliers.steadiness),
    (message("Outliers"), _comparison_outliers.outliers),
    (message("Training and validation"), _comparison_splits.overfitting),
    (message("Error of the test set"), _comparison_splits.sampling),
)
_OF_ALL = (
    (message("Best and last step"), _comparison_runs.best_against_last),
    (message("Ties"), ties),
    (message("Length of training"), lengths),
)
