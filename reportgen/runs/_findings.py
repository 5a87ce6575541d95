"""What a finished run lacks, and cells that several runs claim."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from reportgen.languages import noun_later
from reportgen.records.record import replace
from reportgen.records.run import FINISHED, Problem, Run, Series
from reportgen.records.study import Decision, MetricPlan
from reportgen.runs._layout import Draft
from reportgen.runs._parts import resumptions
from reportgen.runs._words import direction_of, problem, told
from reportgen.runs.series import group_by, last_step

_FAR = 0.9
"""Share of the steps of the others that a run has gone which ended about where they did."""

_MEANS = frozenset({"mean", "avg", "average"})
_LACKS = ("nothing_evaluated", "not_validated", "not_selected", "not_tested", "neither")
"""Codes of what says that a run has no result."""


def with_findings(runs: Sequence[Run], metric: MetricPlan) -> tuple[Run, ...]:
    """Add what each run lacks beside one of its group, and its values that are no numbers."""
    tested: dict[str, str] = {}
    for run in runs:
        if run.is_measured(metric.name, "test"):
            tested.setdefault(run.group, run.id)
    by_itself = {run.id for run in runs if run.ended == FINISHED}
    stopped = {run: told for run, told in _stopped(runs, metric).items() if run not in by_itself}
    done = []
    for run in runs:
        found = [*run.problems, *_lacking(run, metric, tested.get(run.group, ""))]
        for key, series in run.scalars.items():
            found.extend(_not_finite(key, series, run, metric))
        found.extend(_diverged(run))
        found.extend([stopped[run.id]] if run.id in stopped else _ended_early(run))
        done.append(replace(run, problems=tuple(dict.fromkeys(found))))
    return tuple(done)


def _stopped(runs: Sequence[Run], metric: MetricPlan) -> dict[str, Problem]:
    """Tell runs that end long before most runs of their group, and did not stop by themselves."""
    ends: dict[str, dict[str, int]] = {}
    for run in runs:
        series = run.find(metric.name, metric.select_on)
        if series is not None and len(series):
            ends.setdefault(run.group, {})[run.id] = int(series.steps[-1])
    found: dict[str, Problem] = {}
    for group, last in ends.items():
        latest = max(last.values())
        early = {run: step for run, step in last.items() if step < latest}
        for one, step in early.items():
            if step < _FAR * latest and 2 * len(early) < len(last):
                places = {"step": step, "group": group, "latest": latest, "run": _quoted(one)}
                found[one] = problem("stopped", one, **places)
    return found


def _quoted(run: str) -> str:
    return json.dumps(run, ensure_ascii=False)


def _lacking(run: Run, metric: MetricPlan, tested: str) -> Iterator[Problem]:
    """Say which evaluations a run lacks; once, where both the one and the other do."""
    splits = {s.split for s in run.scalars.values() if s.metric and s.metric != "epoch"}
    untested = bool(tested) and metric.report_on == "test"
    untested = untested and not run.is_measured(metric.name, "test")
    code = ""
    if not splits & {"validation", "test"}:
        code, untested = "nothing_evaluated", False
    elif "validation" not in splits:
        code = "not_validated"
    elif metric.name and run.find(metric.name, metric.select_on) is None:
        both = untested and metric.select_on != "test"
        code, untested = ("neither", False) if both else ("not_selected", untested)
    places = {"metric": metric.name, "split": metric.select_on, "other": tested}
    for one in (code, "not_tested" if untested else ""):
        if one:
            yield problem(one, run.id, **places)


def tells_lack(run: Run, reason: str) -> bool:
    """Tell whether a run's own problems say already why it has no result.

    Where a value was logged and is no number, that is another fault.

    Example:
        >>> run = Run(id="a/0", group="a", seed=0, layout="plain", scalars={},
        ...           problems=(problem("nothing_evaluated", "a/0"),))
        >>> tells_lack(run, "a/0 never logged loss on test"), tells_lack(run, "a/0 logged nan")
        (True, False)
    """
    lacks = {told(code) for code in _LACKS}
    said = (getattr(one.message, "pattern", "") in lacks for one in run.problems)
    return " never logged " in reason and any(said)


def _ended_early(run: Run) -> list[Problem]:
    """Compare the last step with the one that was planned, where the settings state one."""
    last = last_step(run.scalars)
    planned, epochs = run.config.get("max_steps"), run.config.get("num_train_epochs")
    counter, how = run.find("epoch", "train"), told(f"end_{run.ended or 'untold'}")
    if isinstance(planned, int) and planned > 0:
        told_early = problem("ended_at_step", run.id, last=last, planned=planned, how=how)
        return [told_early] if last < planned else []
    if isinstance(epochs, int | float) and counter is not None and len(counter):
        reached = float(np.max(counter.values))
        places = {"reached": f"{reached:.2f}", "epochs": f"{epochs:g}", "last": last, "how": how}
        return [problem("ended_at_epoch", run.id, **places)] if reached < epochs - 0.01 else []
    return []


def _may_go_on(runs: Sequence[Run]) -> list[Problem]:
    """Ask once of all runs that may go on with others; it is never done without evidence."""
    pairs = resumptions(runs)
    own = [run for run in runs if run.id in pairs]
    if not own:
        return []
    first, before = own[0], pairs[own[0].id]
    begins = min(int(s.steps[0]) for s in first.scalars.values() if len(s) > 1)
    places = {"first": begins, "other": before.id, "last": last_step(before.scalars)}
    text = told("may_go_on", **places)
    if len(own) > 1:
        text = told("so_it_is", told=text, count=len(own))
    return [replace(problem("may_go_on", first.id, **places), message=text)]


def _diverged(run: Run) -> list[Problem]:
    """Tell a loss of 0 that stands for NaN: the norm of its gradient is no number either.

    Source: `transformers/trainer.py` (`logging_nan_inf_filter`): losses that are NaN are left
    out of the logged mean, and where all are, it is 0.
    """
    loss, norm = run.find("loss", "train"), run.find("grad_norm", "train")
    if loss is None or norm is None:
        return []
    both, at_loss, at_norm = np.intersect1d(loss.steps, norm.steps, return_indices=True)
    lost = (loss.values[at_loss] == 0) & ~np.isfinite(norm.values[at_norm])
    if not lost.any():
        return []
    first = int(both[lost][0])
    return [problem("diverged", run.id, step=first, lost=int(lost.sum()), points=len(loss))]


def _not_finite(key: str, series: Series, run: Run, metric: MetricPlan) -> Iterator[Problem]:
    ends_well = not len(series) or np.isfinite(series.values[-1])
    counts = series.metric in {"loss", metric.name} and not ends_well
    for test, what in ((np.isnan, "NaN"), (np.isinf, "infinite")):
        if count := int(test(series.values).sum()):
            places = {"tag": key, "count": count, "points": len(series), "what": noun_later(what)}
            found = problem("not_finite", series.path, **places, run=_quoted(run.id))
            yield found if counts else replace(found, remedy="")


def doubtful_problems(runs: Sequence[Run]) -> list[Problem]:
    """Name cells that several runs claim, and runs that may go on with others."""
    seeded = [run for run in runs if run.seed is not None]
    cells = group_by(seeded, lambda run: (run.group, run.seed))
    twice = []
    for (group, seed), own in cells.items():
        if len(own) > 1:
            places = {"group": repr(group), "seed": str(seed), "count": len(own)}
            ids = ", ".join(run.id for run in own)
            twice.append(problem("claimed_twice", own[0].id, **places, runs=ids))
    return [*twice, *_may_go_on(runs)]


def direction_problems(metric: MetricPlan, decisions: Sequence[Decision]) -> list[Problem]:
    """Say that the direction of the metric that decides was guessed, or is against its name."""
    known = direction_of(metric.name)
    if metric.name and known and metric.direction != known:
        places = {"stated": metric.direction, "metric": metric.name, "known": known}
        return [problem("way_against", ".", **places)]
    guessed = any(d.key == "metric.direction" and d.alternatives for d in decisions)
    unused = any(d.key == "metric.select_on" and not d.value for d in decisions)
    if not metric.name or not guessed or unused:
        return []  # without a best step nothing rests on the guess
    return [problem("way_guessed", ".", name=repr(metric.name), taken=metric.direction)]


def without_means(drafts: Sequence[Draft]) -> tuple[list[Draft], list[Problem]]:
    """Return the runs without tables of means of theirs, and a note on each of those."""
    means = [draft for draft in drafts if draft.measured_only and _holds_means(draft)]
    if len(means) == len(drafts):
        return list(drafts), []
    notes = [problem("table_of_means", one.path) for draft in means for one in draft.sources]
    return [draft for draft in drafts if not any(draft is one for one in means)], notes


def _holds_means(draft: Draft) -> bool:
    """Tell whether numbers are standard deviations, and what these are of."""
    names = {tuple(one.metric.split("_")) for one in draft.results}
    spread = {tuple(w for w in name if w != "std") for name in names if "std" in name}
    means = {tuple(w for w in name if w not in _MEANS) for name in names if "std" not in name}
    return bool(spread) and spread == means
