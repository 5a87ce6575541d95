"""Weights & Biases: a folder a run below `wandb/`, named by clock and id."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from reportgen.records.metrics import known_metric
from reportgen.records.record import replace
from reportgen.records.run import Log
from reportgen.runs._evidence import read_path
from reportgen.runs._layout import Draft, Layout, Names, Place, inside, leaf, parent
from reportgen.runs._names import is_result, trainer_tag
from reportgen.runs._words import problem
from reportgen.runs.series import result_of

_FOLDER = re.compile(r"(?:offline-|dry)?run-\d{8}_\d{6}-(?P<id>.+)")
_KINDS = ("wandb_run", "wandb_summary")
_NO_RESULT = frozenset({"best", "min", "max"})
"""Words of keys of a summary that say what was best of many."""

_BESIDE = ("config_yaml", "json_lines")


def recognise(logs: Sequence[Log]) -> Sequence[Log]:
    """Take runs and summaries, and settings, histories and consoles in a run's folder."""
    taken = [
        log
        for log in logs
        if log.source.kind in _KINDS
        or (log.source.kind in _BESIDE and any(map(_FOLDER.fullmatch, log.source.path.split("/"))))
    ]
    known = {place(log).run for log in taken}
    return [*taken, *(log for log in logs if _is_printed(log) and place(log).run in known)]


def _is_printed(log: Log) -> bool:
    """Tell whether a log is what the program caught of a run's console."""
    return log.source.kind == "console" and log.source.path.endswith("/files/output.log")


def place(log: Log) -> Place:
    """Return the run's id below the folder of all runs.

    A run that was resumed has a folder for each start, and one id.
    """
    path = log.source.path
    for folder in (path[:end] for end, letter in enumerate(path) if letter == "/"):
        if found := _FOLDER.fullmatch(leaf(folder)):
            return Place(run=inside(parent(folder), found["id"]))
    own = leaf(path).removeprefix("run-").removesuffix(".wandb")
    return Place(run=inside(parent(path), own if log.source.kind == "wandb_run" else ""))


def _is_summary(log: Log) -> bool:
    return log.source.kind == "wandb_summary"


def finish(draft: Draft, late: Sequence[Log], names: Names) -> None:
    """Take the values of a summary that nothing else holds; say what a run printed alone.

    With a history beside it they were measured after training, on a split that they name.
    """
    held = {(series.metric, series.split) for series in draft.scalars.values()}
    metrics = {metric for metric, _ in held}
    for log in filter(_is_printed, late):
        printed = {trainer_tag(tag, names)[0] for tag in log.series} - metrics
        if missing := sorted(filter(known_metric, printed)):
            places = {"names": ", ".join(missing)}
            draft.problems.append(problem("printed_alone", log.source.path, **places))
    alone = not held
    for log in late if alone else filter(_is_summary, late):
        for tag, series in log.series.items():
            metric, split = trainer_tag(tag, names)
            labelled = replace(series, metric=metric, split=split)
            is_best = not _NO_RESULT.isdisjoint(re.split(r"[\W_]+", tag.lower()))
            if alone:
                step = max(0, int(series.steps[0]))
                draft.scalars[tag] = replace(labelled, steps=np.array([step]))
            elif split and is_result(metric) and (metric, split) not in held and not is_best:
                draft.results.append(result_of(labelled, tag))
    if alone:
        draft.problems.append(problem("no_history", late[0].source.path))


def settle(drafts: list[Draft], logs: Sequence[Log]) -> list[Draft]:
    """Name runs as the program does: by project, and by group and job, or by their own name.

    A name of a run in a group counts where it states a seed: most are made up.
    """
    about = {place(log).run: log.texts for log in logs if log.source.kind == "wandb_run"}
    for draft in drafts:
        draft.name = _name_of(about.get(draft.place, {}))
    said = {log.source.path: _said(log) for log in logs if _is_summary(log)}
    hosts: dict[object, Draft] = {}
    for draft in drafts:
        for source in draft.sources:
            if source.kind == "wandb_run":
                hosts[parent(source.path)] = draft
            elif source.path in said and any(map(_FOLDER.fullmatch, source.path.split("/"))):
                hosts.setdefault(said[source.path], draft)
    return [draft for draft in drafts if not _repeats_one(draft, hosts, said)]


def _said(log: Log) -> object:
    """Return what a summary says, by which copies of it are known."""
    return frozenset((tag, *map(float, series.values)) for tag, series in log.series.items())


def _repeats_one(draft: Draft, hosts: Mapping[object, Draft], said: Mapping[str, object]) -> bool:
    """Give a summary whose folder has no clock and id in its name to the run it is of.

    That lies beside it, or says the same, as the run of which `latest-run` is a copy.
    """
    paths = [s.path for s in draft.sources if s.kind == "wandb_summary"]
    above = [parent(path).removesuffix("files").rstrip("/") for path in paths]
    found = [hosts[one] for one in (*above, *(said[path] for path in paths)) if one in hosts]
    host = found[0] if found else draft
    own = [s for s in draft.sources if s.kind not in _BESIDE]
    if host is draft or len(paths) < len(own):
        return False
    host.sources.extend(draft.sources)
    return True


def _name_of(texts: Mapping[str, str]) -> str:
    """Return a name as a path, empty where the run has none."""
    project, group, job, own = (
        texts.get(f"wandb/{key}", "")
        for key in ("project", "run_group", "job_type", "display_name")
    )
    seeded = own and read_path(own).seed is not None
    called = inside(group, job, own if seeded else "") if group else own
    return inside(project, called) if called else ""


LAYOUT = Layout(
    name="wandb",
    recognise=recognise,
    place=place,
    label=lambda _, tag, names: trainer_tag(tag, names),
    # A summary or console repeats a history, and stands in for one that is not there.
    is_late=lambda log: _is_summary(log) or _is_printed(log),
    finish=finish,
    settle=settle,
)
