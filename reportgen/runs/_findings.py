"""What a finished run lacks, and cells that several runs claim."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

import numpy as np

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.record import replace
from reportgen.records.run import Problem, Run, Series
from reportgen.records.study import Decision, MetricPlan
from reportgen.runs._kinds import direction_of
from reportgen.runs._layout import Draft
from reportgen.runs._parts import resumptions
from reportgen.runs.series import group_by, last_step

_FAR = 0.9
"""Share of the steps of the others that a run has gone which ended about where they did."""

_MEANS = frozenset({"mean", "avg", "average"})

_NOTHING = message("no evaluation logged: no best step exists")
_NOT_VALIDATED = message("nothing logged on validation: no best step exists")
_NOT_SELECTED = message("{metric} was not logged on {split}: no best step exists")
_NOT_TESTED = message("{metric} was not logged on test, as it was in {other}")
_NEITHER = message("{metric} was not logged on {split}, nor on test, as it was in {other}")
_LACKS = frozenset({_NOTHING, _NOT_VALIDATED, _NOT_SELECTED, _NOT_TESTED, _NEITHER})


def with_findings(runs: Sequence[Run], metric: MetricPlan) -> tuple[Run, ...]:
    """Add what each run lacks beside one of its group, and its values that are no numbers."""
    tested: dict[str, str] = {}
    for run in runs:
        if run.is_measured(metric.name, "test"):
            tested.setdefault(run.group, run.id)
    stopped = _stopped(runs, metric)
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
    """Tell runs that end long before the step at which most runs of their group end.

    Where all end at a step of their own, each ended as its training found best.
    """
    told = message(
        "its last evaluation is at step {step}, where most runs of {group} go on to step "
        "{latest}; it counts in each of their means that it has a value for"
    )
    remedy = message(
        "train it to the end, or keep it out of the mean by a group of its own above the others in "
        "the study file: [groups.NAME] match = {run}"
    )
    ends: dict[str, dict[str, int]] = {}
    for run in runs:
        series = run.find(metric.name, metric.select_on)
        if series is not None and len(series):
            ends.setdefault(run.group, {})[run.id] = int(series.steps[-1])
    found: dict[str, Problem] = {}
    for group, last in ends.items():
        latest = max(last.values())
        early = {run: step for run, step in last.items() if step < latest}
        if len(early) < len(last) - len(early):
            found |= {
                run: Problem(
                    path=run,
                    message=message(told, step=step, group=group, latest=latest),
                    remedy=message(remedy, run=_quoted(run)),
                )
                for run, step in early.items()
                if step < _FAR * latest
            }
    return found


def _quoted(run: str) -> str:
    return json.dumps(run, ensure_ascii=False)


def _lacking(run: Run, metric: MetricPlan, tested: str) -> list[Problem]:
    """Say which evaluations a run lacks; once, where both the one and the other do."""
    splits = {s.split for s in run.scalars.values() if s.metric and s.metric != "epoch"}
    untested = bool(tested) and metric.report_on == "test"
    untested = untested and not run.is_measured(metric.name, "test")
    unselected = metric.name and run.find(metric.name, metric.select_on) is None
    places = {"metric": metric_later(metric.name), "split": noun_later(metric.select_on)}
    found: list[str] = []
    if not splits & {"validation", "test"}:
        found, untested = [_NOTHING], False
    elif "validation" not in splits:
        found = [_NOT_VALIDATED]
    elif unselected and untested and metric.select_on != "test":
        found, untested = [message(_NEITHER, other=tested, **places)], False
    elif unselected:
        found = [message(_NOT_SELECTED, **places)]
    if untested:
        found.append(message(_NOT_TESTED, metric=places["metric"], other=tested))
    return [Problem(path=run.id, message=told) for told in found]


def tells_lack(run: Run, reason: str) -> bool:
    """Tell whether a run's own problems say already why it has no result.

    Where a value was logged and is no number, that is another fault.

    Example:
        >>> run = Run(id="a/0", group="a", seed=0, layout="plain", scalars={},
        ...           problems=(Problem(path="a/0", message=_NOTHING),))
        >>> tells_lack(run, "a/0 never logged loss on test"), tells_lack(run, "a/0 logged nan")
        (True, False)
    """
    lacks = (getattr(problem.message, "pattern", "") in _LACKS for problem in run.problems)
    return " never logged " in reason and any(lacks)


def _ended_early(run: Run) -> list[Problem]:
    """Compare the last step with the one that was planned, where the settings state one."""
    last = last_step(run.scalars)
    planned, epochs = run.config.get("max_steps"), run.config.get("num_train_epochs")
    counter = run.find("epoch", "train")
    if isinstance(planned, int) and planned > 0:
        told = message("training ended at step {last} of {planned}; stopped early or still running",
                       last=last, planned=planned)  # fmt: skip
        early = last < planned
    elif isinstance(epochs, int | float) and counter is not None and len(counter):
        reached = float(np.max(counter.values))
        told = message(
            "training ended at epoch {reached} of {epochs}, step {last}; stopped early or still "
            "running",
            reached=f"{reached:.2f}",
            epochs=f"{epochs:g}",
            last=last,
        )
        early = reached < epochs - 0.01
    else:
        return []
    return [Problem(path=run.id, message=told, level="note")] if early else []


def _may_go_on(runs: Sequence[Run]) -> list[Problem]:
    """Ask once of all runs that may go on with others; it is never done without evidence."""
    pairs = resumptions(runs)
    own = [run for run in runs if run.id in pairs]
    if not own:
        return []
    remedy = message("put the log files of both into one folder if they are one run")
    first, before = own[0], pairs[own[0].id]
    told = message(
        "begins at step {first}, and {other} ended before it at step {last}: it may be the same "
        "training, resumed; taken as a run of its own",
        first=min(int(s.steps[0]) for s in first.scalars.values() if len(s) > 1),
        other=before.id,
        last=last_step(before.scalars),
    )
    if len(own) > 1:
        told = message("{told}; so it is of {count} runs", told=told, count=len(own))
    return [Problem(path=first.id, message=told, remedy=remedy, level="note")]


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
    told = message(
        "training diverged from step {step} on: at {lost} of {points} logged steps the loss is 0 "
        "and the norm of the gradient no number; such a 0 stands for NaN",
        step=int(both[lost][0]),
        lost=int(lost.sum()),
        points=len(loss),
    )
    remedy = message("lower the learning rate; logging_nan_inf_filter=False logs the loss as it is")
    return [Problem(path=run.id, message=told, remedy=remedy)]


def _not_finite(key: str, series: Series, run: Run, metric: MetricPlan) -> list[Problem]:
    nan = int(np.isnan(series.values).sum())
    infinite = int(np.isinf(series.values).sum())
    told = message(
        "{tag}: {count} of {points} values are {what}; they take no part in any best value"
    )
    remedy = message(
        "train it again, or keep it out of the mean by a group of its own above the others in the "
        "study file: [groups.NAME] match = {run}",
        run=_quoted(run.id),
    )
    ends_well = not len(series) or np.isfinite(series.values[-1])
    counts = series.metric in {"loss", metric.name} and not ends_well
    return [
        Problem(
            path=series.path,
            message=message(told, tag=key, count=count, points=len(series), what=noun_later(what)),
            remedy=remedy if counts else "",
        )
        for count, what in ((nan, "NaN"), (infinite, "infinite"))
        if count
    ]


def doubtful_problems(runs: Sequence[Run]) -> list[Problem]:
    """Name cells that several runs claim, and runs that may go on with others."""
    return [*_claimed_twice(runs), *_may_go_on(runs)]


def _claimed_twice(runs: Sequence[Run]) -> list[Problem]:
    told = message("{count} runs claim group {group}, seed {seed}: {runs}")
    remedy = message("remove those that do not count, or tell them apart in the study file")
    seeded = [run for run in runs if run.seed is not None]
    return [
        Problem(
            path=own[0].id,
            message=message(
                told,
                count=len(own),
                group=repr(group),
                seed=str(seed),
                runs=", ".join(run.id for run in own),
            ),
            remedy=remedy,
        )
        for (group, seed), own in group_by(seeded, lambda run: (run.group, run.seed)).items()
        if len(own) > 1
    ]


def direction_problems(metric: MetricPlan, decisions: Sequence[Decision]) -> list[Problem]:
    """Say that the direction of the metric that decides was guessed, or is against its name."""
    known = direction_of(metric.name)
    if metric.name and known and metric.direction != known:
        told = message(
            "metric.direction says {stated}, but {metric} is better when {known}; {stated} is "
            "taken, as stated, and every best step rests on it",
            stated=metric.direction,
            metric=metric_later(metric.name),
            known=known,
        )
        return [Problem(path=".", message=told, remedy=message("correct metric.direction"))]
    guessed = any(d.key == "metric.direction" and d.alternatives for d in decisions)
    unused = any(d.key == "metric.select_on" and not d.value for d in decisions)
    if not metric.name or not guessed or unused:
        return []  # without a best step nothing rests on the guess
    told = message(
        "nothing tells whether {metric} is better when higher or lower; {taken} is taken, and "
        "every best step rests on it",
        metric=repr(metric.name),
        taken=metric.direction,
    )
    remedy = message("set metric.direction in the study file")
    return [Problem(path=".", message=told, remedy=remedy)]


def without_means(drafts: Sequence[Draft]) -> tuple[list[Draft], list[Problem]]:
    """Return the runs without tables of means of theirs, and a note on each of those."""
    means = [draft for draft in drafts if draft.measured_only and _holds_means(draft)]
    if len(means) == len(drafts):
        return list(drafts), []
    told = message("holds means over runs and their spread: a table of results, and no run")
    notes = [
        Problem(path=source.path, message=told, level="note")
        for draft in means
        for source in draft.sources
    ]
    return [draft for draft in drafts if not any(draft is one for one in means)], notes


def _holds_means(draft: Draft) -> bool:
    """Tell whether numbers are standard deviations, and what these are of."""
    words = {tuple(one.metric.split("_")) for one in draft.results}
    spread = {_without(name, {"std"}) for name in words if "std" in name}
    return bool(spread) and spread == {_without(n, _MEANS) for n in words if "std" not in n}


def _without(name: Sequence[str], words: Collection[str]) -> tuple[str, ...]:
    return tuple(word for word in name if word not in words)
