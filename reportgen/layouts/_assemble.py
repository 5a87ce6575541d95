"""Logs and a study, put together: runs with groups and seeds, and the study filled in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.errors import StudyError
from reportgen.layouts._drafts import absorb_repeats, claim_logs, draft_runs, quieten
from reportgen.layouts._epochs import choose_steps_per_epoch
from reportgen.layouts._groups import Member, group_runs, rename_declared
from reportgen.layouts._layout import Draft, Layout, Names, Place, leaf, parent
from reportgen.layouts._names import SPLIT_NAMES, natural_key
from reportgen.layouts._study import fill_metric, plan_groups, unit_of
from reportgen.records.run import SPLITS, Log, Problem, Run, Runs, Series
from reportgen.records.study import Decision, MetricPlan, Study

Units = dict[tuple[str, str], str]
"""(layout, metric) to the unit in which that layout logged it."""

_WEIGHTS = (".pt", ".pth", ".bin", ".safetensors", ".gguf", ".ckpt")


def assemble(
    logs: Sequence[Log], files: Sequence[str], study: Study, root: str
) -> tuple[Runs, Study]:
    """Put logs together into runs, and fill every empty field of a study.

    What the study states stays; the rest is inferred, and each inference is a `Decision`
    that names the key which overrides it. The order of `logs` changes nothing.

    Args:
        logs: What the loaders found.
        files: Paths of every file of use below the root.
        study: The study, or an empty one.
        root: The folder as the user named it.

    Returns:
        The runs, sorted by group (declared ones first), seed and id, and the filled study.

    Raises:
        StudyError: The study's pattern is no regular expression with a group named `group`
            or `seed`.
        UnknownNameError: The study's layout is not in the table.
    """
    logs = sorted(logs, key=lambda log: (natural_key(log.source.path), log.run_key))
    drafts = _draft_all(logs, study)
    loose = _attach_loose(logs, drafts)
    grouping = group_runs(drafts, leaf(root.rstrip("/")) or "run")
    members = rename_declared(grouping.members, study.groups)
    plans, seed_decisions = plan_groups(study.groups, members)
    order = {plan.name: index for index, plan in enumerate(plans)}
    members.sort(key=lambda m: (order[m.group], m.seed is None, m.seed or 0, _id_key(m)))
    units, unit_problems = _units(members, study.metric)
    runs = tuple(_run_of(member, units, files) for member in members)
    filled = _fill(study, runs, units, seed_decisions)
    runs = tuple(_with_findings(run, filled.metric, runs) for run in runs)
    problems = (*loose, *grouping.problems, *unit_problems, *_twice_problems(runs))
    return (
        Runs(root=root, runs=runs, problems=problems, files=tuple(files)),
        replace(filled, groups=plans),
    )


def _draft_all(logs: Sequence[Log], study: Study) -> list[Draft]:
    """Return the runs of every layout, without groups unless the study's pattern states them."""
    names: Names = {**SPLIT_NAMES, **study.split_names}
    pattern = _compile(study.pattern)
    stated: _Stated = {}
    drafts: list[Draft] = []
    for layout, claimed in claim_logs(logs, study.layout):
        stated.update(_read_pattern(pattern, layout, claimed) if pattern else {})
        places = {key: place for key, (place, _, _) in stated.items()}
        drafts.extend(draft_runs(layout, claimed, names, places))
    drafts = absorb_repeats(drafts)
    _state_groups(drafts, stated)
    _tell_apart(drafts)
    return drafts


def _tell_apart(drafts: Sequence[Draft]) -> None:
    """Add the layout to the id of runs of different layouts that lie in one folder."""
    counted = Counter(draft.id for draft in drafts)
    for draft in drafts:
        if counted[draft.id] > 1:
            draft.id = f"{draft.id} ({draft.layout})"


def _fill(
    study: Study, runs: Sequence[Run], units: Units, seed_decisions: Sequence[Decision]
) -> Study:
    """Fill everything but the groups, in the order of the study file."""
    metric, metric_decisions = fill_metric(study, runs)
    headline = _headline(runs, metric)
    metric = replace(metric, unit=metric.unit or units.get((headline, metric.name), ""))
    epochs, epoch_decision = choose_steps_per_epoch(runs, headline)
    return replace(
        study,
        metric=metric,
        split_names=dict(study.split_names) or _used_names(runs),
        steps_per_epoch=study.steps_per_epoch or epochs,
        decisions=(
            *study.decisions,
            *_layout_decisions(study, runs),
            *seed_decisions,
            *metric_decisions,
            *_unit_decision(study.metric, metric, units),
            *_split_decision(study, runs),
            *(() if study.steps_per_epoch else (epoch_decision,)),
        ),
    )


_Stated = dict[int, tuple[Place, str, int | None]]


def _compile(pattern: str) -> re.Pattern[str] | None:
    """Return the study's pattern, ready to search; None where it has none."""
    if not pattern:
        return None
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise StudyError(
            f"runs.pattern is no regular expression: {error}",
            remedy="correct it, or leave it empty",
        ) from error
    if not {"group", "seed"} & set(compiled.groupindex):
        raise StudyError(
            "runs.pattern names neither (?P<group>...) nor (?P<seed>...)",
            remedy=r"for example (?P<group>[^/]+)/(?P<seed>\d+)$",
        )
    return compiled


def _read_pattern(pattern: re.Pattern[str], layout: Layout, logs: Sequence[Log]) -> _Stated:
    """Return `id` of a log to (place, group, seed), for logs on whose path it matches.

    It is searched in the run's path; where it names a split, in the folder of the log first.
    """
    found: _Stated = {}
    for log in logs:
        place = layout.place(log)
        folder = log.run_key if "/" in log.run_key else parent(log.source.path)
        paths = (folder, place.run) if "split" in pattern.groupindex else (place.run, folder)
        path, match = next(((p, m) for p in paths if (m := pattern.search(p))), ("", None))
        if match is None:
            continue
        parts = match.groupdict()
        seed, split = parts.get("seed") or "", parts.get("split") or ""
        if split:
            begin, end = match.span("split")
            run = (path[:begin].rstrip("/") + path[end:]).strip("/")
            place = Place(run=run, folder=split)
        number = int(seed) if seed.isdecimal() else None
        found[id(log)] = (place, parts.get("group") or "", number)
    return found


def _state_groups(drafts: Sequence[Draft], stated: _Stated) -> None:
    """Give runs the group and seed that the study's pattern found."""
    by_folder = {place.run: (group, seed) for place, group, seed in stated.values()}
    for draft in drafts:
        if draft.place in by_folder:
            group, seed = by_folder[draft.place]
            draft.group = group or leaf(parent(draft.place)) or draft.place
            draft.seed = seed


def _id_key(member: Member) -> tuple[tuple[int, int, str], ...]:
    return natural_key(member.draft.id)


def _units(members: Sequence[Member], plan: MetricPlan) -> tuple[Units, list[Problem]]:
    """Return (layout, metric) to unit, each inferred over the whole layout."""
    pooled: dict[tuple[str, str], list[Series]] = {}
    for member in members:
        for series in member.draft.scalars.values():
            pooled.setdefault((member.draft.layout, series.metric), []).append(series)
    units = {key: unit_of(key[1], series) for key, series in pooled.items()}
    problems = []
    for (layout, metric), unit in units.items():
        if metric != plan.name or not plan.unit or plan.unit == unit:
            continue
        if plan.unit == "fraction" and unit == "percent":
            message = f"metric.unit says fraction, but {layout} logged {metric} over 1: percent"
            problems.append(Problem(path=".", message=message, remedy="correct metric.unit"))
        elif len({key[0] for key in units}) == 1:
            units[layout, metric] = plan.unit
    return units, problems


def _run_of(member: Member, units: Units, files: Sequence[str]) -> Run:
    draft = member.draft
    prefix = f"{draft.place}/" if draft.place not in {"", "."} else ""
    return Run(
        id=draft.id,
        group=member.group,
        seed=member.seed,
        layout=draft.layout,
        scalars={
            key: replace(series, unit=units.get((draft.layout, series.metric), ""))
            for key, series in draft.scalars.items()
        },
        config=draft.config,
        checkpoints=tuple(
            name for name in files if name.startswith(prefix) and name.endswith(_WEIGHTS)
        ),
        problems=tuple(dict.fromkeys(draft.problems)),
        sources=tuple(draft.sources),
    )


def _headline(runs: Sequence[Run], metric: MetricPlan) -> str:
    """Return the layout that logged the metric in most runs; the first of equals."""
    having = [run.layout for run in runs if run.find(metric.name, metric.select_on)]
    counted = Counter(having or [run.layout for run in runs])
    return counted.most_common(1)[0][0] if counted else ""


def _with_findings(run: Run, metric: MetricPlan, runs: Sequence[Run]) -> Run:
    """Add what a run lacks, and its values that are no numbers."""
    found = [*run.problems]
    path = run.id
    if not any(s.split == "validation" and s.metric for s in run.scalars.values()):
        found.append(Problem(path=path, message="no evaluation logged: no best step exists"))
    elif metric.name and run.find(metric.name, metric.select_on) is None:
        message = f"{metric.name} was not logged on {metric.select_on}: no best step exists"
        found.append(Problem(path=path, message=message))
    others = [r for r in runs if r.group == run.group and r.find(metric.name, "test")]
    if others and metric.report_on == "test" and run.find(metric.name, "test") is None:
        message = f"{metric.name} was not logged on test, as it was in {others[0].id}"
        found.append(Problem(path=path, message=message))
    for key, series in run.scalars.items():
        found.extend(_not_finite(key, series))
    found.extend(_ended_early(run))
    return replace(run, problems=tuple(dict.fromkeys(found)))


def _ended_early(run: Run) -> list[Problem]:
    """Compare the last step with the one that was planned, where the settings state one."""
    last = max((int(s.steps[-1]) for s in run.scalars.values() if len(s)), default=0)
    planned, epochs = run.config.get("max_steps"), run.config.get("num_train_epochs")
    counter = run.find("epoch", "train")
    if isinstance(planned, int) and planned > 0:
        text = f"step {last} of {planned}" if last < planned else ""
    elif isinstance(epochs, int | float) and counter is not None and len(counter):
        reached = float(np.max(counter.values))
        text = f"epoch {reached:.2f} of {epochs:g}, step {last}" if reached < epochs - 0.01 else ""
    else:
        text = ""
    message = f"training ended at {text}; stopped early or still running"
    return [Problem(path=run.id, message=message, level="note")] if text else []


def _not_finite(key: str, series: Series) -> list[Problem]:
    nan = int(np.isnan(series.values).sum())
    infinite = int(np.isinf(series.values).sum())
    texts = [
        f"{key}: {count} of {len(series)} values are {what}; they take no part in any best value"
        for count, what in ((nan, "NaN"), (infinite, "infinite"))
        if count
    ]
    return [Problem(path=series.path, message=text) for text in texts]


def _attach_loose(logs: Sequence[Log], drafts: Sequence[Draft]) -> list[Problem]:
    """Give files without points to the run they lie in; return the problems of all others."""
    used = {source.path for draft in drafts for source in draft.sources}
    loose: list[Problem] = []
    for log in logs:
        if log.source.path in used:
            continue
        path = log.source.path
        around = [d for d in drafts if d.place in {"", "."} or path.startswith(f"{d.place}/")]
        if not around:
            loose.extend(log.problems)
            continue
        owner = max(around, key=lambda d: len(d.place))
        owner.sources.append(log.source)
        owner.problems.extend(quieten(log))
    return loose


def _twice_problems(runs: Sequence[Run]) -> list[Problem]:
    """Name cells that several runs claim."""
    cells: dict[tuple[str, int], list[str]] = {}
    for run in runs:
        if run.seed is not None:
            cells.setdefault((run.group, run.seed), []).append(run.id)
    return [
        Problem(
            path=ids[0],
            message=f"{len(ids)} runs claim group {group!r}, seed {seed}: {', '.join(ids)}",
            remedy="remove those that do not count, or tell them apart in the study file",
        )
        for (group, seed), ids in cells.items()
        if len(ids) > 1
    ]


def counted_runs(count: int) -> str:
    """Return a number of runs in words.

    Example:
        >>> counted_runs(1), counted_runs(6)
        ('1 run', '6 runs')
    """
    return f"{count} run{'' if count == 1 else 's'}"


def _layout_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    counted = Counter(run.layout for run in runs)
    groups = len({run.group for run in runs})
    decisions = []
    if not study.layout:
        text = ", ".join(f"{name} ({counted_runs(count)})" for name, count in counted.items())
        decisions.append(
            Decision(
                key="runs.layout",
                value=next(iter(counted), "") if len(counted) == 1 else "",
                reason=f"recognised by folders and tags: {text or 'no run'}",
            )
        )
    if not study.pattern:
        decisions.append(
            Decision(
                key="runs.pattern",
                value="",
                reason=f"group and seed are read off the paths: {counted_runs(len(runs))}, "
                f"{groups} group{'' if groups == 1 else 's'}",
            )
        )
    return decisions


def _unit_decision(stated: MetricPlan, metric: MetricPlan, units: Units) -> list[Decision]:
    if stated.unit or not metric.name:
        return []
    found = {layout: unit for (layout, name), unit in units.items() if name == metric.name}
    text = ", ".join(f"{layout} logged {unit or 'no unit'}" for layout, unit in found.items())
    reason = f"{text}; a value over 1 means percent" if metric.unit else "the metric has no unit"
    return [Decision(key="metric.unit", value=metric.unit, reason=reason)]


def _used_names(runs: Sequence[Run]) -> Mapping[str, str]:
    """Return the folders and prefixes that named a split in these runs."""
    used: dict[str, str] = {}
    for run in runs:
        for key, series in run.scalars.items():
            if series.split in SPLITS:
                words = re.split(r"[/_ .\-]", key.lower())
                used.update({w: series.split for w in words if SPLIT_NAMES.get(w) == series.split})
    return dict(sorted(used.items()))


def _split_decision(study: Study, runs: Sequence[Run]) -> list[Decision]:
    if study.split_names:
        return []
    used = _used_names(runs)
    text = ", ".join(f"{name} = {split}" for name, split in used.items() if name != split)
    return [
        Decision(key="splits.names", value=text, reason="folders and prefixes found in the logs")
    ]
