"""Which rows of the long tables of what was found are printed on pages."""

from __future__ import annotations

from collections import Counter

from reportgen.languages import message, say
from reportgen.languages._language import Place
from reportgen.records.document import Excerpt
from reportgen.records.facts import Facts
from reportgen.records.run import Run
from reportgen.report._evidence import of_last_step, of_run
from reportgen.report._excerpts import MOST_GROUPS, MOST_ROWS
from reportgen.report._numbers import counted

FIRST_RUNS = 6
MOST_UNLIKE = 12
FIRST_GROUPS = 3


def excerpt_of_found(facts: Facts, key: str) -> Excerpt | None:
    """Choose the first runs, and those that are not like most."""
    if len(facts.runs) <= MOST_ROWS:
        return None
    shapes = [_shape(run) for run in facts.runs]
    usual = Counter(shapes).most_common(1)[0][0]
    first = range(FIRST_RUNS)
    unlike = [index for index, shape in enumerate(shapes) if shape != usual]
    shown = [index for index in unlike if index not in first][:MOST_UNLIKE]
    runs = [of_run(run, facts.study.metric) for run in facts.runs]
    places: dict[str, Place] = {
        "first": counted(f"{key}.first", FIRST_RUNS, message("runs printed"), runs[:FIRST_RUNS]),
        "all": counted(f"{key}.all", len(runs), message("runs found"), runs),
    }
    if not unlike:
        note = say(
            "Printed here are the first {first} of {all} runs; all are alike in layout, files, "
            "points and last step.",
            **places,
        )
        return Excerpt(rows=tuple(first), note=note)
    places["unlike"] = counted(
        f"{key}.unlike",
        len(unlike),
        message("runs that are not like most"),
        [runs[index] for index in unlike],
    )
    note = say(
        "Printed here are the first {first} of {all} runs, and up to {most} of those that are not "
        "like most in layout, files, points or last step ({unlike} in all).",
        most=MOST_UNLIKE,
        **places,
    )
    return Excerpt(rows=(*first, *shown), note=note)


def _shape(run: Run) -> tuple[str, int, int, int | None]:
    last = of_last_step(run)
    return run.layout, len(run.sources), points_of(run), last[0].step if last else None


def points_of(run: Run) -> int:
    """Return how many scalar points a run logged."""
    return sum(len(series) for series in run.scalars.values())


def excerpt_of_keys(facts: Facts, key: str) -> Excerpt | None:
    """Choose what was inferred of all runs, and of the first few of many groups."""
    decisions = facts.study.decisions
    groups = [i for i, decision in enumerate(decisions) if decision.key.startswith("groups.")]
    if len(groups) <= MOST_GROUPS:
        return None
    left = set(groups[FIRST_GROUPS:])
    sources = [of_run(run, facts.study.metric) for run in facts.runs]
    return Excerpt(
        rows=tuple(index for index in range(len(decisions)) if index not in left),
        note=say(
            "Printed here are all keys but {left} of single groups.",
            left=counted(f"{key}.left", len(left), message("keys not printed"), sources),
        ),
    )
