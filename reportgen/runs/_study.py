"""Filling the empty fields of a study from what the runs and files hold, with a reason for each."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

import numpy as np

from reportgen.languages import noun_later
from reportgen.records.record import replace
from reportgen.records.run import Log, Run, Series, of_most
from reportgen.records.source import CHECKPOINT_NAMES
from reportgen.records.study import (
    COMMAND_LINE,
    AdapterPlan,
    Decision,
    MetricPlan,
    ModelPlan,
    Study,
    TablePlan,
)
from reportgen.runs._groups import Member
from reportgen.runs._layout import Draft, leaf
from reportgen.runs._words import (
    decided,
    direction_of,
    is_loss,
    is_result,
    is_return,
    joined,
    liking,
    may_decide,
    metric_name,
    spell_metric,
    tells_quality,
    told,
)
from reportgen.runs.series import are_close, group_by, point_of, shared_values

_EVALUATED = ("validation", "test")
_CLOCKS = frozenset({"epoch", "learning_rate", "grad_norm"})

_DIRECTION = "study_direction"
"""Setting under which the database of a search says which end of its value is better."""

_WAYS = {"maximize": "higher", "minimize": "lower"}

Choice = tuple[str, Decision | None]
"""A value, and the decision that explains it; None for a stated value."""


def fill_metric(study: Study, runs: Sequence[Run]) -> tuple[MetricPlan, list[Decision]]:
    """Fill the metric's empty fields; units are per layout and filled elsewhere."""
    plan, stated = study.metric, study.stated
    scalars = [series for run in runs for series in run.scalars.values()]
    scalars += _measured_once(plan, scalars, runs)
    name = _asked_of_tasks(choose_metric(plan, scalars), runs)
    direction = choose_direction(plan, name[0], runs)
    select = choose_select_split(plan, name[0], runs, stated="metric.select_on" in stated)
    report = choose_report_split(plan, name[0], runs, stated="metric.report_on" in stated)
    plan = replace(
        plan,
        name=name[0],
        others=tuple(_as_logged(other, scalars) for other in plan.others),
        direction=direction[0],
        select_on=select[0],
        report_on=report[0],
    )
    return plan, [made for _, made in (name, direction, select, report) if made is not None]


# --- the metric that decides --------------------------------------------------------------


def _measured_once(
    plan: MetricPlan, scalars: Sequence[Series], runs: Sequence[Run]
) -> list[Series]:
    """Return what was measured once, after training, where nothing was evaluated on the way."""
    splits = {plan.select_on, plan.report_on, *_EVALUATED}
    if any(one.split in splits and may_decide(one.metric) for one in scalars):
        return []
    return [
        point_of(one.tag, one.value, one.metric, one.split, one.path)
        for run in runs
        for one in run.results
    ]


def choose_metric(plan: MetricPlan, scalars: Sequence[Series]) -> Choice:
    """Take the first preferred metric that was logged on the selection split.

    Nothing of training goes before an evaluation, unless all that was evaluated are statistics
    such as lengths, or counts. One that was never anything but 0 there chooses no step: others go
    before it, and that is a question. Even a guess has some accuracy: before what a model without
    use has none of, as of overlap, only others go of which the same end is better. What a policy
    earned is a result in training too: the name that most runs have goes before that of few.
    """
    if plan.name:
        return _as_logged(plan.name, scalars), None
    # A column without one number is as good as none.
    scalars = [series for series in scalars if np.isfinite(series.values).any()]
    measured = [series for series in scalars if not _counts(series)]
    for able in (may_decide, tells_quality):
        chosen = _of_evaluation(plan, measured, able) or _of_training(measured, able)
        if chosen is not None:
            return chosen.value, chosen
    nothing = decided("metric.name", "", told("no_metric"))
    chosen = _of_evaluation(plan, scalars, bool) or nothing
    return chosen.value, chosen


def _counts(series: Series) -> bool:
    """Tell whether numbers of which no name says what is better are those of a count."""
    values = series.values[np.isfinite(series.values)].astype(float)
    whole = bool(((values > 1) & (values == np.round(values))).all())
    return whole and not direction_of(series.metric)


def _asked_of_tasks(choice: Choice, runs: Sequence[Run]) -> Choice:
    """Ask which metric decides where runs, as of several tasks, have other results than it."""
    name, made = choice
    if made is None or made.asks or not name:
        return choice
    own = [_best_liked(run) for run in runs]
    is_lost = [not any(run.is_measured(name, one) for one in _EVALUATED) for run in runs]
    loss = is_loss(name)
    others = Counter(best for best, lost in zip(own, is_lost, strict=True)
                     if best not in {"", name} and (loss or lost))  # fmt: skip
    if not others or (loss and not all(own)):
        return choice
    reason = told("several_tasks", reason=made.reason)
    found = dict.fromkeys([*sorted(others, key=liking), *made.alternatives])
    return name, replace(made, reason=reason, alternatives=tuple(found)[:5], asks=True)


def _best_liked(run: Run) -> str:
    """Return the best liked result, and no loss, that a run was evaluated on, or nothing."""
    names = {s.metric for s in run.scalars.values() if s.split in _EVALUATED}
    return min((n for n in names if is_result(n) and not is_loss(n)), key=liking, default="")


def name_metric(plan: MetricPlan, members: Sequence[Member]) -> MetricPlan:
    """Return the plan with the name of the metric filled in."""
    scalars = [series for member in members for series in member.draft.scalars.values()]
    return replace(plan, name=choose_metric(plan, scalars)[0])


def _as_logged(stated: str, scalars: Sequence[Series]) -> str:
    """Return a stated metric in the spelling of the layouts, where it was logged only so."""
    logged = {series.metric for series in scalars}
    spelled = metric_name(stated)
    return spelled if stated not in logged and spelled in logged else stated


def _of_evaluation(
    plan: MetricPlan, scalars: Sequence[Series], able: Callable[[str], bool]
) -> Decision | None:
    """Take the best liked of what was logged on the first split that has a metric."""
    earned = _earned(scalars)
    for split in (plan.select_on, plan.report_on, "validation", "test"):
        of_split = [s for s in scalars if s.split == split and able(s.metric)]
        liked = _by_liking(of_split, earned)
        if liked:
            measured = {s.metric for s in of_split if s.values.any()}
            guessed = liked[0].endswith("accuracy")
            others = [n for n in liked if n in measured and (guessed or _alike(n, liked[0]))]
            name = others[0] if others else liked[0]
            if is_return(name) and name not in earned:
                continue
            others = [other for other in liked if other != name]
            code = "logged_first" if others else "logged_on"
            code = code if name == liked[0] else "logged_not_0"
            reason = told(code, split=split, metric=liked[0])
            return decided("metric.name", name, reason, others[:5], asks=name != liked[0])
    return None


def _earned(scalars: Iterable[Series]) -> set[str]:
    """Return what a policy earned, without what few runs have, whatever the split."""
    return {one for one, _ in of_most((s.metric, s.split) for s in scalars if is_return(s.metric))}


def _alike(metric: str, other: str) -> bool:
    """Tell whether the same end of two metrics is better, and both are losses or neither."""
    return (direction_of(metric), is_loss(metric)) == (direction_of(other), is_loss(other))


def _by_liking(found: Sequence[Series], earned: Collection[str]) -> list[str]:
    """Return metrics, the best liked first; one of few runs does not stand for all of them."""
    count = Counter(s.metric for s in found if s.metric not in _CLOCKS)
    most = of_most(count.elements()).keys() | earned
    return sorted(count, key=lambda n: (n not in most, liking(n), -count[n], n))


def _of_training(scalars: Sequence[Series], able: Callable[[str], bool]) -> Decision | None:
    """Take the best liked of what was logged in training, or of a split that nobody named."""
    liked = _by_liking([s for s in scalars if able(s.metric)], _earned(scalars))
    if not liked:
        return None
    trained = any(s.split == "train" for s in scalars if s.metric == liked[0])
    reason = told("logged_in_training" if trained else "logged_nowhere", split="train")
    return decided("metric.name", liked[0], reason, liked[1:6])


def choose_direction(plan: MetricPlan, metric: str, runs: Sequence[Run]) -> Choice:
    """Take the direction that the metric's name has, else the one that a search was told."""
    if plan.direction or not metric:
        return plan.direction or "higher", None
    told_all = {_WAYS.get(str(run.config.get(_DIRECTION)).lower(), "") for run in runs}
    known = direction_of(metric) or (min(told_all) if len(told_all) == 1 else "")
    value, others = known or "higher", () if known else ("lower",)
    reason = told(f"better_{known}", metric=metric) if known else told("no_way", name=repr(metric))
    return value, decided("metric.direction", value, reason, others, asks=not known)


# --- a metric that was named on the command line ------------------------------------------


def without_foreign(study: Study) -> Study:
    """Drop the direction, unit and tags that a study file states for another metric.

    A metric named on the command line is not the one that the file speaks of.
    """
    if study.stated.get("metric.name") != COMMAND_LINE:
        return study
    foreign: dict[str, Any] = {
        field: empty
        for field, empty in (("direction", ""), ("unit", ""), ("tags", ()))
        if study.stated.get(f"metric.{field}", COMMAND_LINE) != COMMAND_LINE
    }
    keys = {f"metric.{field}" for field in foreign}
    stated = {key: who for key, who in study.stated.items() if key not in keys}
    return replace(study, metric=replace(study.metric, **foreign), stated=stated)


def explain_foreign(filled: Study, study: Study, kept: Study) -> Study:
    """Add to each decision that replaces a statement about another metric why it does.

    Args:
        filled: The study with its decisions.
        study: The study as it was stated.
        kept: The study as `without_foreign` left it.
    """
    name = study.metric.name
    decisions = (
        replace(
            made,
            reason=told("foreign", reason=made.reason, where=study.stated[made.key], name=name),
        )
        if made.key in study.stated and made.key not in kept.stated
        else made
        for made in filled.decisions
    )
    return replace(filled, decisions=tuple(decisions))


# --- its splits ---------------------------------------------------------------------------


def _share(runs: Sequence[Run], metric: str, split: str) -> tuple[int, str]:
    """Count the runs that logged a metric on a split, and say so."""
    some = sum(run.is_measured(metric, split) for run in runs)
    named = metric or told("a_metric")
    return some, told("some_logged", some=some, total=len(runs), metric=named, split=split)


def _earned_on(metric: str, runs: Sequence[Run]) -> Counter[str]:
    """Count the runs of each split that not only few have, of what a policy earned alone."""
    scalars = (series for run in runs for series in run.scalars.values())
    return of_most(s.split for s in scalars if s.metric == metric and is_return(metric))


def choose_report_split(
    plan: MetricPlan, metric: str, runs: Sequence[Run], *, stated: bool = False
) -> Choice:
    """Report where the study says, or on the selection split where no run logged it.

    What a policy earned is a result in training too: the split that most runs have goes before
    that of few.
    """
    having, reason = _share(runs, metric, plan.report_on)
    if stated and having:
        return plan.report_on, None
    earned = _earned_on(metric, runs)
    if having and earned and plan.report_on not in earned:
        most = max(earned, key=earned.__getitem__)
        reason = _share(runs, metric, most)[1] if most else reason
        return most or plan.report_on, decided("metric.report_on", most, reason)
    value, taken = plan.report_on, plan.report_on
    if not having and plan.report_on != plan.select_on:
        there = any(run.is_measured(metric, plan.select_on) for run in runs)
        value, taken = (plan.select_on, plan.select_on) if there else (value, "")
        places = {"split": plan.report_on, "select": plan.select_on}
        code = "reported_elsewhere" if there else "reported_nowhere"
        reason = told(code, metric=metric or told("a_metric"), **places)
    reason = told("not_followed", reason=reason) if stated else reason
    return value, decided("metric.report_on", taken, reason)


def choose_select_split(
    plan: MetricPlan, metric: str, runs: Sequence[Run], *, stated: bool = False
) -> Choice:
    """Select where the study says; nothing else stands in for a validation split.

    Nothing is selected on a split on which few runs have what a policy earned.
    """
    having, reason = _share(runs, metric, plan.select_on)
    if having and (stated or plan.select_on in (_earned_on(metric, runs) or {plan.select_on})):
        decision = None if stated else decided("metric.select_on", plan.select_on, reason)
        return plan.select_on, decision
    reason = told("no_best_step", reason=reason)
    reason = told("not_followed", reason=reason) if stated else reason
    trained = any(run.find(metric, "train") is not None for run in runs)
    others = ("train",) if trained else ()
    return plan.select_on, decided("metric.select_on", "", reason, others, asks=trained)


# --- several tags of one run that measure it ----------------------------------------------


def settle_rivals(members: Sequence[Member], plan: MetricPlan) -> list[Decision]:
    """Keep one tag for the metric that decides where several tags of a run measure it.

    Tags whose values agree at every shared step are the same measurement, written twice. Of
    others the stated one counts; without a statement the one with the most points in all runs,
    then the one that is spelled as the metric is, and that is a question. The others keep a
    metric of their own, named after the tag.

    What the runs hold is changed; the decision is returned, if there was one to take.
    """
    rivals: dict[str, Counter[str]] = {}
    # Where no metric is known, tags without one are no rivals.
    for member in members if plan.name else ():
        for split, keys in _rivals(member.draft.scalars, plan.name).items():
            rivals.setdefault(split, Counter()).update(keys)
    if not rivals:
        return []
    order = {split: _ordered(points, plan) for split, points in rivals.items()}
    for member in members:
        for split in rivals:
            _rename_losers(member.draft, plan.name, split, order[split])
    if plan.tags:
        return []
    taken = [keys[0] for keys in order.values()]
    lost = [key for keys in order.values() for key in keys[1:]]
    splits = joined("and", map(noun_later, rivals))
    tags, kept = joined("and", [*taken, *lost]), joined("and", taken)
    reason = told("rivals", tags=tags, metric=plan.name, splits=splits, taken=kept)
    return [decided("metric.tags", ", ".join(taken), reason, lost, asks=True)]


def _rivals(scalars: Mapping[str, Series], metric: str) -> dict[str, dict[str, int]]:
    """Return split to the tags that measure a metric on it and disagree, with their points."""
    found = [(k, s) for k, s in scalars.items() if s.metric == metric and s.split and len(s)]
    return {
        split: {key: len(one) for key, one in several}
        for split, several in group_by(found, lambda one: one[1].split).items()
        if len(several) > 1 and not _agree([one for _, one in several])
    }


def _agree(several: Sequence[Series]) -> bool:
    """Tell whether all have the values of the longest wherever they share a step, and share one."""
    longest = max(several, key=len)
    for one in several:
        both, mine, theirs = shared_values(longest, one)
        if not len(both) or not are_close(mine, theirs).all():
            return False
    return True


def _ordered(points: Mapping[str, int], plan: MetricPlan) -> list[str]:
    """Return tags in the order in which they count."""
    return sorted(
        points,
        key=lambda key: (
            key not in plan.tags,
            -points[key],
            spell_metric(key.rpartition("/")[2]) != plan.name,
            key,
        ),
    )


def _rename_losers(draft: Draft, metric: str, split: str, order: Sequence[str]) -> None:
    """Leave the metric to the first tag that a run has; the others take their own name."""
    scalars = draft.scalars
    there = [key for key in order if key in scalars and scalars[key].split == split]
    for key in there[1:]:
        own = spell_metric(key.rpartition("/")[2])
        name = own if own != metric else spell_metric(key)
        scalars[key] = replace(scalars[key], metric=name)
        draft.results = [
            replace(one, metric=name) if one.tag == key else one for one in draft.results
        ]


KEY = "logs.tables"


def tables_told(logs: Sequence[Log]) -> tuple[tuple[TablePlan, ...], tuple[Decision, ...]]:
    """Return how such files were read, as a study would declare it, and why.

    Example:
        >>> from reportgen.records.run import Source
        >>> plan = TablePlan(step="epoch", runs=("model", "seed"))
        >>> source = Source(path="results.csv", kind="metrics_csv", size=9, sha256="")
        >>> tables, (decision,) = tables_told([Log(source=source, told=plan)])
        >>> decision.value
        '{match = "results.csv", step = "epoch", runs = ["model", "seed"]}'
    """
    named = _plans((log, log.told) for log in logs)
    counted = _plans((log, log.counted) for log in logs)
    found = named | counted
    if not found:
        return (), ()
    # Which columns tell runs apart, and which were taken for the step.
    columns = [next(iter(named.values())).runs] if named else []
    steps = dict.fromkeys(plan.step for plan in counted.values())
    reasons = [_of_files("told_apart", named, own) for own in columns]
    reasons += [_of_files("step_column", counted, steps)] if counted else []
    others = {leaf(log.source.path) for log in logs if log.source.path not in counted}
    value = ", ".join(_inline(table) for table in _shared(found, others))
    return tuple(found.values()), (decided(KEY, value, joined("semicolon", reasons)),)


def _of_files(code: str, found: Mapping[str, TablePlan], columns: Iterable[str]) -> str:
    first, *others = found
    code = f"{code}_of_several" if others else code
    return told(code, path=first, columns=", ".join(columns), n=len(others))


def _plans(read: Iterable[tuple[Log, TablePlan | None]]) -> dict[str, TablePlan]:
    """Return path to plan of the files that have one, whatever characters their names hold."""
    found = {}
    for log, plan in read:
        if plan is not None:
            path = log.source.path
            is_named = path.lower().endswith((".csv", ".tsv", ".dat"))
            unlike = log.source.kind == "metrics_csv" and not is_named
            found[path] = replace(plan, match=_literal(path), format="csv" if unlike else "")
    return found


def _shared(found: Mapping[str, TablePlan], others: set[str]) -> list[TablePlan]:
    """Return fewer plans that say the same: one for files of one name, which no other file has."""
    plans: list[TablePlan] = []
    for name, paths in group_by(found, leaf).items():
        several = [found[path] for path in paths]
        alike = len(several) > 1 and name not in others
        alike = alike and all(replace(p, match=several[0].match) == several[0] for p in several)
        plans += [replace(several[0], match=f"*/{_literal(name)}")] if alike else several
    return plans


def _literal(path: str) -> str:
    """Return a pattern that matches a path alone, whatever stands in it."""
    return re.sub(r"([*?\[])", r"[\1]", path)


def _inline(plan: TablePlan) -> str:
    """Return a plan as it would be written in a study file, in one line."""
    from dataclasses import asdict

    stated = ((key, value) for key, value in asdict(plan).items() if value)
    # Texts and lists of them are in TOML what they are in JSON.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in stated)
    return f"{{{', '.join(lines)}}}"


_CHECKPOINT = re.compile("checkpoint[-_]")


def choose_models(
    files: Iterable[str],
    study: Study,
    run_ids: Iterable[str] = (),
    places: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Study:
    """Fill in the model and the adapters that a study does not name.

    An adapter's base is the `config.json` nearest to it; the model is the first remaining
    `config.json` with a checkpoint beside it, else the first remaining one that is not
    inside a run's checkpoint folder.

    Args:
        files: POSIX paths relative to the folder with the logs.
        study: Its paths win over what is found.
        run_ids: Folders of the runs; of several, none's own model stands for all.
        places: Where else each adapter's configuration lies, the same.
    """
    paths = [PurePosixPath(name) for name in files]
    adapters = [p for p in paths if p.name == "adapter_config.json"]
    configs = [p for p in paths if p.name == "config.json"]
    decisions: list[Decision] = []
    plans = study.adapters
    if not plans:
        plans = tuple(
            AdapterPlan(config=str(path), base=nearest_config(path, configs)) for path in adapters
        )
        for plan in plans:
            n = len(places.get(plan.config, ()))
            reason = told("beside_logs_often" if n > 1 else "beside_logs", n=n)
            decisions.append(_found("adapter.config", plan.config, reason))
    bases = {plan.base for plan in plans}
    model = study.model
    if not model.config and not model.checkpoint:
        left = [p for p in configs if str(p) not in bases]
        left = [p for p in left if not any(map(_CHECKPOINT.match, p.parts))]
        names = tuple(run_ids)
        folders = {name.partition("#")[0] for name in names} - {"", "."}
        inside = [p for p in left if any(p.is_relative_to(folder) for folder in folders)]
        if len(folders) > 1 and inside:
            left = [p for p in left if p not in inside]
            if not left:
                several = tuple(map(str, inside))
                reason = told("models_of_runs", names=", ".join(several[:5]))
                decisions.append(decided("model.config", "", reason, several))
        model, others = _model(left, paths)
        if model.config:
            reason = told("checkpoint_beside" if model.checkpoint else "beside_logs")
            # Equal ones of all runs are no question; that they are is why no run is named.
            decisions.append(_found("model.config", model.config, reason, others, bool(names)))
    return replace(study, model=model, adapters=plans, decisions=(*study.decisions, *decisions))


def nearest_config(path: PurePosixPath, configs: Iterable[PurePosixPath]) -> str:
    """Return the `config.json` nearest to an adapter, its base's; empty where there is none."""
    folder = path.parent
    near = [c for c in configs if c.is_relative_to(folder) or folder.is_relative_to(c.parent)]
    found = min(
        near, key=lambda c: (not c.is_relative_to(folder), len(c.parts), str(c)), default=""
    )
    return str(found)


def _model(
    configs: list[PurePosixPath], files: list[PurePosixPath]
) -> tuple[ModelPlan, tuple[str, ...]]:
    def checkpoint(config: PurePosixPath) -> str:
        beside = {p.name: str(p) for p in files if p.parent == config.parent}
        return next((beside[name] for name in CHECKPOINT_NAMES if name in beside), "")

    ordered = sorted(configs, key=lambda c: (not checkpoint(c), len(c.parts), str(c)))
    if not ordered:
        return ModelPlan(), ()
    plan = ModelPlan(config=str(ordered[0]), checkpoint=checkpoint(ordered[0]))
    return plan, tuple(str(config) for config in ordered[1:])


def _found(
    key: str, value: str, reason: str, others: tuple[str, ...] = (), open_: bool = False
) -> Decision:
    answers = [f'"{other}"' for other in others]
    return decided(key, f'"{value}"', reason, answers, asks=open_ and bool(others))
