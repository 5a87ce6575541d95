"""The abstract: the result, then the heads of what is worth saying."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.languages import message, say_count
from reportgen.records.document import Text
from reportgen.records.facts import Facts, RunResult
from reportgen.records.quantity import Missing
from reportgen.records.run import Run
from reportgen.report._evidence import of_cell, of_cells
from reportgen.report._focus import MOST_SIDE_BY_SIDE, Focus, focus_of
from reportgen.report._metric_names import spelled
from reportgen.report._names import in_text
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import counted
from reportgen.report._phrases import with_names
from reportgen.report._tasks import why_apart
from reportgen.report.results import result_text
from reportgen.stats import finite_mask


def abstract(facts: Facts) -> Text:
    """Return the abstract; empty without a group."""
    if not facts.groups:
        return ()
    focus = focus_of(facts)
    texts = [result_text(facts, focus, "abstract"), *_ended(facts, focus)]
    texts += [why_apart(facts), _absent(facts)]
    joined = tuple(part for one in texts if one for part in (" ", *one))[1:]
    return with_names(joined)


def _ended(facts: Facts, focus: Focus) -> Iterator[Text]:
    """Yield for each group how many of its runs end in NaN: a mean of those is of no level."""
    for group in focus.groups if len(focus.groups) <= MOST_SIDE_BY_SIDE else ():
        ended = [cell for cell in group.cells if cell.run and _ends_in_nan(cell.run)]
        if not ended or len(group.cells) < 2:
            continue
        sources = [of_cell(facts.study, group, cell) for cell in ended]
        key = f"abstract.{group_key(facts, group)}"
        yield say_count(
            "{n} of {every} runs of {group} ends in NaN.",
            "{n} of {every} runs of {group} end in NaN.",
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


def _ends_in_nan(run: Run) -> bool:
    return any(len(one) and not finite_mask(one)[-1] for one in run.scalars.values())


def _instead(facts: Facts, cells: Sequence[RunResult]) -> str:
    """Return the metric that all of some runs logged in place of the one asked for."""
    own = facts.study.metric.name
    splits = {facts.study.metric.select_on, facts.study.metric.report_on}
    logged = [
        {
            series.metric
            for series in cell.run.scalars.values()
            if series.split in splits and series.metric not in {own, "loss", "epoch", ""}
        }
        for cell in cells
        if cell.run is not None
    ]
    shared = sorted(set.intersection(*logged)) if logged and len(logged) == len(cells) else []
    return spelled(shared[0]) if len(shared) == 1 else ""


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
    instead = _instead(facts, [cell for _, cell in absent])
    if instead:
        return say_count(
            "{n} of {every} runs has no result: it logged {metric} instead.",
            "{n} of {every} runs have no result: they logged {metric} instead.",
            len(absent),
            n=n,
            every=every,
            metric=instead,
        )
    return say_count(
        "{n} of {every} runs has no result.",
        "{n} of {every} runs have no result.",
        len(absent),
        n=n,
        every=every,
    )
