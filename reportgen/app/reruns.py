"""Runs that `rerun` made, read from the run store and put among those that were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from reportgen.app.reading import real
from reportgen.records.errors import ReportgenError
from reportgen.records.quantity import Missing
from reportgen.records.record import record, replace
from reportgen.records.run import PRIVATE, RECORD, Problem, Rerun, Run, Runs, Source
from reportgen.records.source import NaturalKey, natural_key, printable
from reportgen.records.study import GroupPlan, MetricPlan, Study

if TYPE_CHECKING:
    from reportgen.read.logs import LoadedTree
    from reportgen.records.job import CellId
    from reportgen.records.study import Study


Current: TypeAlias = "Mapping[CellId, Mapping[str, str]]"
"""(group, seed) to the settings that its fine-tune would have today."""
MOST_CHANGES = 5


@record
class Store:
    """A folder with finished re-runs.

    Attributes:
        folder: The folder.
        prefix: What the paths of its runs begin with in the report, with a slash; empty where
            they lie below the root of the logs.
        whole: True when it holds nothing but re-runs: what is damaged in it is worth a word.
    """

    folder: Path
    prefix: str
    whole: bool


def stores_of(root: Path, home: Path | None, study: Study) -> tuple[Store, ...]:
    """Return the folders to look for re-runs in: the study's run store, and the logs themselves.

    Without a study file there is no `home`, its folder.
    """
    inside = Store(folder=root, prefix="", whole=False)
    if home is None:
        return (inside,)
    name = study.reruns
    folder = home / name
    if not folder.is_dir():
        return (inside,)
    # A path of this machine has no place in a report.
    prefix = folder.name if Path(name).is_absolute() else Path(name).as_posix()
    own = Store(
        folder=folder,
        prefix="" if prefix == "." else f"{prefix}/",
        whole=study.train is not None or (folder / PRIVATE).is_dir(),
    )
    return (own,) if real(folder).is_relative_to(real(root)) else (own, inside)


def without_stores(tree: LoadedTree) -> LoadedTree:
    """Return a tree without what lies in a run store: re-runs are never taken for found logs."""

    @cache
    def is_store(name: str) -> bool:
        return _is_store(tree.root / name)

    def is_ours(path: str) -> bool:
        parts = path.split("/")
        return any(is_store("/".join(parts[:depth])) for depth in range(len(parts) + 1))

    return replace(
        tree,
        logs=tuple(log for log in tree.logs if not is_ours(log.source.path)),
        problems=tuple(p for p in tree.problems if not is_ours(p.path)),
        files=tuple(name for name in tree.files if not is_ours(name)),
        fates=tuple(
            replace(fate, kind="skipped", why="of a re-run: read from the run store")
            if is_ours(fate.path)
            else fate
            for fate in tree.fates
        ),
    )


def _is_store(folder: Path) -> bool:
    """Say whether a folder is a run store, its private part, or a finished run of one."""
    try:
        private = folder.name == PRIVATE or (folder / PRIVATE).is_dir()
    except PermissionError:
        return False  # the search for logs says that it is locked
    return private or _record_of(folder) is not None


def _record_of(folder: Path) -> Rerun | None:
    if not folder.name or not (folder / RECORD).is_file():
        return None
    from reportgen.train import RunStore

    try:
        return RunStore(folder.parent).read(folder.name)
    except (OSError, ReportgenError):
        return None  # a name that no place has, or a file of somebody else's


def add_reruns(
    stores: Sequence[Store],
    runs: Runs,
    study: Study,
    *,
    declared: Study,
    current: Current | None = None,
) -> tuple[Runs, Study]:
    """Put the finished re-runs of some stores among the runs that were found.

    A complete run that was found counts before a re-run of its cell; one that ended early, or
    has no value to report, makes place for it. Either is said.

    Args:
        stores: Where to look.
        runs: What was found.
        study: The study with what the logs tell filled in.
        declared: The study as it was read, for a study of which only re-runs are there.
        current: Today's settings; a re-run with others is shown, and named as stale.

    Returns:
        All runs with the problems of the re-runs, and the study.
    """
    for store in stores:
        found, problems, filled = _load(store, study if runs.runs else declared, current)
        if found:
            study = study if runs.runs else only_reruns(filled, found, declared)
            problems += _without_group(found, study)
            runs = ordered(merged(runs, found, study.metric), study)
        runs = replace(runs, problems=tuple(dict.fromkeys((*runs.problems, *problems))))
    return runs, study


def _load(
    store: Store, study: Study, current: Current | None
) -> tuple[list[Run], list[Problem], Study]:
    """Return the re-runs of a store, what is the matter there, and the study they tell."""
    records, damaged = _records(store)
    problems = [_moved(problem, store.prefix) for problem in damaged]
    if not records:
        return [], problems, study
    from reportgen.read.logs import load_tree
    from reportgen.runs import assemble

    tree = load_tree(store.folder)
    claimed = [log for log in tree.logs if any(_below(log.source.path, p) for p, _ in records)]
    assembled, filled = assemble(claimed, tree.files, study, store.folder.name)
    found: list[Run] = []
    for place, rerun in records:
        problems += [_moved(p, store.prefix) for p in tree.problems if _below(p.path, place)]
        inside = [run for run in assembled if _below(run.id.replace("#", "/"), place)]
        if not inside:
            lost = Problem(
                path=f"{store.prefix}{place}",
                message="a re-run without a log that can be read; its cell is taken as missing",
                remedy="remove the folder, and `reportgen rerun` trains it again",
            )
            problems.append(lost)
            continue
        chosen = max(inside, key=lambda run: sum(map(len, run.scalars.values())))
        found.append(_as_rerun(chosen, store, place, _plain_record(rerun)))
        problems += _changed_files(found[-1], place, store) + _stale(found[-1], current)
    return found, problems, filled


def _records(store: Store) -> tuple[list[tuple[str, Rerun]], list[Problem]]:
    """Return place and record of every finished run, and the damaged records.

    Of a folder of logs only what is whole counts: a file of this name may be anybody's there.
    """
    from reportgen.read.logs import find_files

    if not store.folder.is_dir():
        return [], []
    if store.whole:
        from reportgen.train import RunStore

        contents = RunStore(store.folder).read_all()
        return list(contents.runs), list(contents.problems)
    names = [name for _, name in find_files(store.folder).files]
    places = [Path(name).parent for name in names if Path(name).name == RECORD]
    read = ((place.as_posix(), _record_of(store.folder / place)) for place in places)
    found = [(place, rerun) for place, rerun in read if rerun is not None]
    outer = {place for place, _ in found}
    return [pair for pair in found if not outer & _above(pair[0])], []


def _above(place: str) -> set[str]:
    return {folder.as_posix() for folder in Path(place).parents if place != "."}


def _without_group(found: Sequence[Run], study: Study) -> list[Problem]:
    """Name the re-runs of groups that are in neither the study nor the logs."""
    known = {plan.name for plan in study.groups}
    return [
        Problem(
            path=run.id,
            message=f"a re-run of a group {run.group!r} that the study does not have",
            remedy="remove it, or give the group its name back in the study file",
            level="note",
        )
        for run in found
        if run.group not in known
    ]


def _below(path: str, place: str) -> bool:
    return place == "." or f"{path}/".startswith(f"{place}/")


def _moved(problem: Problem, prefix: str) -> Problem:
    return replace(problem, path=f"{prefix}{problem.path}")


def _plain_record(rerun: Rerun) -> Rerun:
    """Return a record whose texts can be printed, whatever a stranger wrote into it."""

    def plain(text: str) -> str:
        return printable(text.encode("utf-8", "backslashreplace").decode("utf-8"))

    own: dict[str, Any] = {}
    for name in ("key", "group", "device", "date", "engine"):
        own[name] = plain(getattr(rerun, name))
    for name in ("versions", "settings"):
        own[name] = {plain(one): plain(text) for one, text in getattr(rerun, name).items()}
    return replace(rerun, **own, notes=tuple(map(plain, rerun.notes)))


def _as_rerun(run: Run, store: Store, place: str, rerun: Rerun) -> Run:
    """Return a run with the cell its record names, its paths as the report writes them."""
    import hashlib

    prefix = store.prefix
    content = (store.folder / place / RECORD).read_bytes()
    record = Source(
        path=f"{prefix}{place}/{RECORD}",
        kind="run_json",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )
    return replace(
        run,
        id=f"{prefix}{place}",
        group=rerun.group,
        seed=rerun.seed,
        scalars={k: replace(s, path=f"{prefix}{s.path}") for k, s in run.scalars.items()},
        checkpoints=tuple(f"{prefix}{path}" for path in run.checkpoints),
        problems=tuple(_moved(problem, prefix) for problem in run.problems),
        sources=(*(replace(s, path=f"{prefix}{s.path}") for s in run.sources), record),
        rerun=rerun,
    )


def _changed_files(run: Run, place: str, store: Store) -> list[Problem]:
    """Name the logs that are not those that were published."""
    digests = run.rerun.sha256 if run.rerun else {}
    start = f"{store.prefix}{place}/"
    problems = []
    for source in run.sources:
        name = source.path.removeprefix(start)
        if digests and name != RECORD and digests.get(name) != source.sha256:
            what = "changed" if name in digests else "added"
            message = f"{what} since the re-run was published: its record names another digest"
            remedy = "put the file back, or remove the re-run"
            problems.append(Problem(path=source.path, message=message, remedy=remedy))
    return problems


def _stale(run: Run, current: Current | None) -> list[Problem]:
    """Say in what a re-run differs from what the study asks for today."""
    from reportgen.train import changes

    rerun = run.rerun
    now = (current or {}).get((rerun.group, rerun.seed)) if rerun else None
    if rerun is None or now is None:
        return []
    told = changes(rerun.settings, now)
    changed = [f"{name} was {before}, is {today}" for name, before, today in told]
    if not changed:
        return []
    more = f"; and {len(changed) - MOST_CHANGES} more" if len(changed) > MOST_CHANGES else ""
    message = (
        "a re-run with other settings than the study has now, shown as it is: "
        f"{'; '.join(changed[:MOST_CHANGES])}{more}"
    )
    remedy = "`reportgen rerun --restart` trains it again"
    return [Problem(path=run.id, message=message, remedy=remedy)]


def merged(runs: Runs, reruns: Sequence[Run], metric: MetricPlan) -> Runs:
    """Let each re-run take the place of what is not complete, and say so.

    A run is complete that has a value of the metric to report; of two re-runs of one cell the
    first stays.
    """
    kept, problems = list(runs.runs), list(runs.problems)
    for rerun in reruns:
        same = [run for run in kept if (run.group, run.seed) == (rerun.group, rerun.seed)]
        lacks = {run.id: _lacks(run, rerun, metric) for run in same}
        complete = next((run for run in same if not lacks[run.id]), None)
        if complete is not None:
            what = "another re-run" if complete.rerun else "a complete run that was found"
            message = f"a re-run that is not shown: {complete.id} is {what} of the same cell"
            remedy = "remove the one that does not count"
            problems.append(Problem(path=rerun.id, message=message, remedy=remedy, level="note"))
            continue
        remedy = "put back the complete logs, if there are any, and they count again"
        for run in same:
            message = f"not counted: {lacks[run.id]}; the re-run {rerun.id} takes its place"
            problems.append(Problem(path=run.id, message=message, remedy=remedy))
        kept = [run for run in kept if not any(run is one for one in same)]
        kept.append(rerun)
    filled = {f"[groups.{run.group}] matches no run" for run in kept}
    problems = [problem for problem in problems if problem.message not in filled]
    return replace(runs, runs=tuple(kept), problems=tuple(problems))


def _lacks(run: Run, rerun: Run, metric: MetricPlan) -> str:
    """Return what a run lacks to count before a re-run of its cell; empty where nothing."""
    from reportgen.stats import select_step

    if run.rerun is not None:
        return ""  # of two re-runs the first stays
    split = metric.report_on
    if run.find(metric.name, split) is None and rerun.find(metric.name, split) is None:
        split = metric.select_on
    value = select_step(run, metric, report_split=split).report_value
    if isinstance(value, Missing):
        return value.reason
    last, full = (_last_step(one, metric) for one in (run, rerun))
    return f"it ended at step {last} of {full}" if last < full else ""


def _last_step(run: Run, metric: MetricPlan) -> int:
    series = run.find(metric.name, metric.select_on)
    return int(series.steps[-1]) if series is not None and len(series) else 0


def only_reruns(study: Study, found: Sequence[Run], declared: Study) -> Study:
    """Return a study of which nothing else is there, with the groups that the records name."""
    names = dict.fromkeys(run.group for run in found)
    own = {plan.name for plan in declared.groups} | set(names)
    kept = [plan for plan in study.groups if plan.name in own]
    kept += [GroupPlan(name=n) for n in names if n not in {plan.name for plan in kept}]
    return replace(study, groups=tuple(kept))


def ordered(runs: Runs, study: Study) -> Runs:
    """Sort runs as the study names their groups, by seed and by path."""
    order = {plan.name: position for position, plan in enumerate(study.groups)}

    def place(run: Run) -> tuple[int, NaturalKey, bool, int]:
        known = order.get(run.group, len(order))
        other = () if run.group in order else natural_key(run.group)
        return known, other, run.seed is None, run.seed or 0

    return replace(runs, runs=tuple(sorted(runs.runs, key=place)))
