"""Weights & Biases: a folder a run below `wandb/`, named by clock and id."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from reportgen.records.metrics import known_metric
from reportgen.records.record import replace
from reportgen.records.run import Log, Problem, Result
from reportgen.runs._kinds import is_result
from reportgen.runs._layout import Draft, Layout, Names, Place, inside, leaf, parent
from reportgen.runs._names import trainer_tag
from reportgen.runs._seeds import read_path

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
        or (log.source.kind in _BESIDE and any(map(_FOLDER.fullmatch, _folders(log))))
    ]
    known = {place(log).run for log in taken}
    return [*taken, *(log for log in logs if _is_printed(log) and place(log).run in known)]


def _folders(log: Log) -> list[str]:
    return parent(log.source.path).split("/")


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


def is_late(log: Log) -> bool:
    """A summary or console repeats a history, and stands in for one that is not there."""
    return log.source.kind == "wandb_summary" or _is_printed(log)


def finish(draft: Draft, late: Sequence[Log], names: Names) -> None:
    """Take the values of a summary that nothing else holds; say what a run printed alone."""
    for log in filter(_is_printed, late):
        _say_unread(draft, log, {trainer_tag(tag, names)[0] for tag in log.series})
    if draft.scalars:
        draft.results += [
            one for log in late if _sums_up(log) for one in _summed(draft, log, names)
        ]
        return
    for log in late:
        for tag, series in log.series.items():
            metric, split = trainer_tag(tag, names)
            step = max(0, int(series.steps[0]))
            draft.scalars[tag] = replace(series, steps=np.array([step]), metric=metric, split=split)
    message = "no history beside it: of each key the summary's value alone, which may be a best one"
    draft.problems.append(Problem(path=late[0].source.path, message=message))


def _sums_up(log: Log) -> bool:
    return log.source.kind == "wandb_summary"


def _summed(draft: Draft, log: Log, names: Names) -> Iterator[Result]:
    """Yield what a summary alone holds: measured after training, on a split that it names."""
    held = {(series.metric, series.split) for series in draft.scalars.values()}
    for tag, series in log.series.items():
        metric, split = trainer_tag(tag, names)
        is_best = not _NO_RESULT.isdisjoint(re.split(r"[\W_]+", tag.lower()))
        if split and is_result(metric) and (metric, split) not in held and not is_best:
            (value,) = (value for _, value in series.points())
            path = log.source.path
            yield Result(tag=tag, value=value, metric=metric, split=split, path=path)


def _say_unread(draft: Draft, log: Log, printed: Collection[str]) -> None:
    held = {series.metric for series in draft.scalars.values()}
    missing = sorted(one for one in printed if known_metric(one) and one not in held)
    if missing:
        message = f"its history does not hold {', '.join(missing)}, which it printed: not read"
        remedy = "log it, or move the file into a folder of its own"
        draft.problems.append(Problem(path=log.source.path, message=message, remedy=remedy))


def settle(drafts: list[Draft], logs: Sequence[Log]) -> list[Draft]:
    """Name runs as the program does: by project, and by group and job, or by their own name.

    A name of a run in a group counts where it states a seed: most are made up.
    """
    about = {place(log).run: log.texts for log in logs if log.source.kind == "wandb_run"}
    for draft in drafts:
        draft.name = _name_of(about.get(draft.place, {}))
    hosts = {
        parent(source.path): draft
        for draft in drafts
        for source in draft.sources
        if source.kind == "wandb_run"
    }
    return [draft for draft in drafts if not _repeats_one(draft, hosts)]


def _repeats_one(draft: Draft, hosts: Mapping[str, Draft]) -> bool:
    """Give a summary whose folder has no clock and id in its name to the run beside it."""
    paths = [s.path for s in draft.sources if s.kind == "wandb_summary"]
    above = [parent(path).removesuffix("files").rstrip("/") for path in paths]
    host = next((hosts[folder] for folder in above if folder in hosts), draft)
    if host is draft or len(paths) < len(draft.sources):
        return False
    host.sources.extend(draft.sources)
    return True


def _name_of(texts: Mapping[str, str]) -> str:
    """Return a name as a path, empty where the run has none.

    Example:
        >>> _name_of({"wandb/run_group": "small", "wandb/display_name": "lucky-fire-3"})
        'small'
        >>> _name_of({"wandb/project": "lab", "wandb/display_name": "small-seed3"})
        'lab/small-seed3'
    """
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
    is_late=is_late,
    finish=finish,
    settle=settle,
)
