"""Evidence to facts: load, assemble, count, summarise."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from reportgen.app.reading import LogOptions, Notify, at_rest, silent
from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.record import replace
from reportgen.records.study import COMMAND_LINE, Study, TablePlan

if TYPE_CHECKING:
    from reportgen.app.options import BuildOptions
    from reportgen.app.reruns import Current
    from reportgen.read.logs import LoadedTree
    from reportgen.records.facts import Facts
    from reportgen.records.kept import Kept
    from reportgen.records.run import Problem, Runs
    from reportgen.stats import Names


_FRONT = ("title", "lang", "theme", "paper", "columns", "detail")
_SETTING_KEYS = {
    **{key: f"report.{key}" for key in _FRONT},
    "ddof": "statistics.ddof",
    "expect": "grid.seeds",
    "group_by": "runs.repeats",
    "metric": "metric.name",
    "pattern": "runs.pattern",
    **{key: f"metric.{key}" for key in ("direction", "select_on", "report_on", "ties")},
}


@at_rest()
def load(path: str | Path, *, study: str | Path | None = None) -> Runs:
    """Load every run below a folder, or of one log file.

    Args:
        path: Folder or file, or its URL in an object store.
        study: Study file whose pattern, layout, split names and groups are applied; the
            re-runs in the run store beside it count too.

    Returns:
        The runs. Sources come without a digest where to make it takes longer than to read.
        Where there are none, a `UserWarning` says why.

    Raises:
        EvidenceError: There is no such path.

    Example:
        >>> runs = load("inputs/roberta-small-fr/logs/sentence_prediction")
        >>> len(runs), sorted(runs.groups())
        (6, ['RoBERTa_small_fr', 'RoBERTa_small_fr_random'])
    """
    from reportgen.app.remote import at_hand

    plan = read_plan(Path(study) if study else None)
    home = Path(study).parent if study else None
    with at_hand(path, study=Path(study) if study else None) as root:
        logs = LogOptions(digests=False)
        runs = load_runs(root, plan, silent, home=home, logs=logs)[0]
        if not runs.runs:
            import warnings

            from reportgen.app.reading import nothing_read

            warnings.warn(str(nothing_read(root, runs)), stacklevel=3)
        return runs


def read_plan(path: Path | None) -> Study:
    """Return the study of a file, or one that leaves everything to inference."""
    if path is None:
        return Study()
    from reportgen.read.study import read_study

    # The report names the file, not its place on this machine.
    return replace(read_study(path), path=path.name)


def load_runs(
    root: Path,
    study: Study,
    notify: Notify,
    *,
    home: Path | None = None,
    current: Current | None = None,
    logs: LogOptions | None = None,
) -> tuple[Runs, Study]:
    """Load a folder and the finished re-runs of its cells, and fill in the study.

    Args:
        root: Folder with the logs.
        study: The study as declared.
        notify: Called for each file.
        home: Folder of the study file, where the run store lies; None without one.
        current: (group, seed) to today's settings; a re-run with others is named as stale.
        logs: How the logs are read.

    Raises:
        EvidenceError: There is no such folder, and no re-run either.
    """
    from reportgen.app.reruns import add_reruns, stores_of

    stores = stores_of(root, home, study)
    if root.exists() or not any(store.whole for store in stores):
        runs, filled = load_originals(root, study, notify, logs)
    else:
        from reportgen.records.run import Runs

        runs, filled = Runs(root=root.name, runs=()), study
    return add_reruns(stores, runs, filled, declared=study, current=current)


def load_originals(
    root: Path, study: Study, notify: Notify, logs: LogOptions | None = None
) -> tuple[Runs, Study]:
    """Load the logs that were found, without re-runs, and fill in what the study leaves open.

    Raises:
        EvidenceError: There is no such folder.
    """
    tree = read_originals(root, notify, logs, tables=study.tables)
    return assemble_originals(tree, root, study, logs.root_name if logs else None)


def read_originals(
    root: Path,
    notify: Notify,
    logs: LogOptions | None = None,
    *,
    tables: Sequence[TablePlan] = (),
) -> LoadedTree:
    """Read the logs below a folder, without those of re-runs.

    Raises:
        EvidenceError: There is no such folder.
    """
    from reportgen.app.reading import read_logs
    from reportgen.app.remote import mirrored_at
    from reportgen.app.reruns import without_stores

    tree = without_stores(read_logs(root, notify, logs, tables=tables))
    left_there = mirrored_at(root)
    return replace(tree, problems=(*left_there.problems, *tree.problems)) if left_there else tree


@at_rest()
def assemble_originals(
    tree: LoadedTree, root: Path, study: Study, root_name: str | None = None
) -> tuple[Runs, Study]:
    """Put the logs of a folder together into runs, and fill in what the study leaves open.

    Runs in the root itself are called `root_name`, or as the root is.
    """
    from reportgen.app.counting import equal_adapters, once
    from reportgen.read.logs import check_pattern
    from reportgen.runs import assemble, choose_models

    check_pattern(study.pattern, tree.logs)
    # The folder's own name, not its place on this machine: the report says the same
    # wherever it is built, and tells nobody the names of home directories.
    name = root.absolute().name if root_name is None else root_name
    runs, study = assemble(tree.logs, tree.files, study, name)
    problems = tuple(dict.fromkeys((*tree.problems, *runs.problems)))
    runs = replace(runs, problems=problems, fates=tree.fates)
    is_one, unread = _all_of_one_model(root, runs)
    runs = replace(runs, problems=(*runs.problems, *unread))
    places = equal_adapters(root, tree.files)
    ids = () if is_one else [run.id for run in runs]
    return runs, choose_models(once(tree.files, places), study, ids, places)


def _all_of_one_model(root: Path, runs: Runs) -> tuple[bool, tuple[Problem, ...]]:
    """Say whether every run has a configuration of its own, and all are the same.

    One that is there and cannot be read is a problem: without it, no model is found.
    """
    from reportgen.read.logs import unreadable

    texts = set()
    for run in runs:
        name = f"{run.id}/config.json"
        try:
            texts.add((root / name).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return False, ()
        except OSError as error:
            return False, (unreadable(name, error),)
    return len(texts) == 1, ()


def analyse(
    options: BuildOptions,
    notify: Notify = silent,
    *,
    current: Current | None = None,
    kept: Kept | None = None,
    logs: LogOptions | None = None,
    without_logs: bool = False,
) -> Facts:
    """Read all evidence and compute everything a report needs.

    Args:
        options: What to read.
        notify: Called with (stage, done, total) on long work.
        current: (group, seed) to today's settings; a re-run with others is named as stale.
        kept: What this process has read before, where it analyses the same folder again.
        logs: How the logs are read; None for what the options say.
        without_logs: Whether a folder without runs is no error, but a problem of level `"note"`.

    Raises:
        EvidenceError: No runs were found, or a named file is missing.
    """
    from reportgen import __version__
    from reportgen.app.counting import count_named
    from reportgen.app.reading import nothing_read
    from reportgen.records.facts import Facts

    declared = _with_settings(read_plan(options.study), options)
    root = runs_root(options, declared)
    home = options.study.parent if options.study is not None else None
    logs = logs or LogOptions(
        jobs=options.jobs,
        cache=options.cache,
        loader=options.loader,
        kept=kept,
        address=options.address,
    )
    runs, study = load_runs(root, declared, notify, home=home, current=current, logs=logs)
    if not without_logs and not runs.runs:
        raise nothing_read(root, runs)
    notify("counting parameters", 0, 1)
    counted = count_named(declared, study, root, options, runs.files)
    summarised = _summarised(study, runs)
    unlogged = check_names(study, runs, options.study)
    problems = (*runs.all_problems(), *unlogged, *counted.problems)
    return Facts(
        study=study,
        runs=runs,
        **summarised,
        model=counted.model,
        adapters=counted.adapters,
        problems=tuple(dict.fromkeys(problems)),
        environment={"reportgen": __version__} | _typst_version(),
    )


@at_rest()
def _summarised(study: Study, runs: Runs) -> dict[str, Any]:
    """Return what the facts hold of the results of runs."""
    from reportgen import stats
    from reportgen.runs import tasks_of

    selection = stats.choose_selection(study, runs, _names())
    if selection.is_last:
        selection = replace(selection, setting=_setting_to_select(study))
    tasks = tasks_of(stats.runs_of_groups(study, runs), study.metric)
    groups = tuple(
        replace(one, task=tasks[one.name])
        for one in stats.summarise_groups(study, runs, selection=selection)
    )
    comparisons = stats.compare_groups(study, groups)
    others = stats.summarise_others(study, groups, comparisons, names=_names(), selection=selection)
    return {
        "groups": groups,
        "comparisons": comparisons,
        "selection": selection,
        "others": others,
    }


def _names() -> Names:
    from reportgen.runs import direction_of, is_return, tells_quality
    from reportgen.stats import Names

    return Names(direction_of=direction_of, tells_quality=tells_quality, is_return=is_return)


def _setting_to_select(study: Study) -> str:
    """Return the line of a study file that answers what keeps a step from being chosen."""
    from reportgen.read.study import setting_line

    for decision in study.decisions:
        asked = decision.key == "metric.select_on" or decision.key.startswith("splits.tags.")
        if asked and decision.asks:
            wanted, (first, *_) = study.metric.select_on, decision.alternatives
            own = decision.key != "metric.select_on" and wanted in decision.alternatives
            return setting_line(decision.key, wanted if own else first)
    return ""


def _typst_version() -> dict[str, str]:
    """Return the version of the embedded engine; pdflatex would take longer than many reports."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return {"typst": version("typst")}
    except PackageNotFoundError:
        return {}


def runs_root(options: BuildOptions, study: Study) -> Path:
    """Return the folder with the logs that some options, or else the study, name.

    Raises:
        UsageError: Neither names one.
    """
    if options.runs is not None:
        return Path(options.runs)
    if options.study is None:
        raise UsageError(
            "nothing to build from: neither a study file nor a folder with logs",
            remedy="reportgen build --runs DIR --out FILE, or reportgen build STUDY --out FILE",
        )
    from reportgen.app.remote import beside

    return beside(options.study, study.runs_path)


def _with_settings(study: Study, options: BuildOptions) -> Study:
    """Let the command line win over the study file, and remember that it did."""
    given = dict(options.settings)
    if given.get("metric") == study.metric.name:
        # Naming the file's own metric again leaves its direction and unit in force.
        del given["metric"]
    stated = {_SETTING_KEYS[name]: COMMAND_LINE for name in given}
    front: dict[str, Any] = {key: given.pop(key) for key in _FRONT if key in given}
    study = replace(study, report=replace(study.report, **front))
    if (ddof := given.pop("ddof", None)) is not None:
        study = replace(study, statistics=replace(study.statistics, ddof=int(str(ddof))))
    if expected := given.pop("expect", None):
        seeds = tuple(map(int, cast("Sequence[int]", expected)))
        study = replace(study, grid=replace(study.grid, seeds=seeds))
    study = replace(
        study,
        repeats=str(given.pop("group_by", study.repeats)),
        pattern=str(given.pop("pattern", study.pattern)),
    )
    metric: dict[str, Any] = {
        "name" if key == "metric" else key: str(value) for key, value in given.items()
    }
    return replace(study, metric=replace(study.metric, **metric), stated={**study.stated, **stated})


_OTHERS = "metric.others"
_LISTED = 10


def check_names(study: Study, runs: Runs, path: Path | None) -> tuple[Problem, ...]:
    """Return a problem for each other metric that a study names and no run logged.

    Args:
        study: The study.
        runs: The runs.
        path: Its file, whose line is named.

    Raises:
        EvidenceError: No run logged the metric that decides; the nearest of theirs is named.
    """
    _check_metric(study, runs)
    return _unlogged_names(study, runs, path)


def _check_metric(study: Study, runs: Runs) -> None:
    from reportgen.read.study import near
    from reportgen.stats import NO_RESULTS

    logged = _logged(runs)
    name = study.metric.name
    who = study.stated.get("metric.name")
    if who is None or name in logged:
        return
    logged = [one for one in logged if one not in NO_RESULTS]
    who = f"the {who}" if who == COMMAND_LINE else who
    raise EvidenceError(
        f"no run logged the metric {name!r} that {who} names{near(name, logged)}",
        remedy=f"choose one that was logged: {', '.join(logged) or 'none was'}",
    )


def _unlogged_names(study: Study, runs: Runs, path: Path | None) -> tuple[Problem, ...]:
    from reportgen.read.study import line_of_key, near
    from reportgen.records.run import Problem
    from reportgen.stats import NO_RESULTS

    if path is None or _OTHERS not in study.stated:
        return ()
    logged = _logged(runs)
    absent = [
        name
        for name in dict.fromkeys(study.metric.others)
        if name != "*" and not any(fnmatchcase(one, name) for one in logged)
    ]
    line = line_of_key(path, _OTHERS) if absent else 0
    said = f"{_OTHERS} names {{!r}}, and no run logged such a metric"
    shown = [name for name in logged if name not in NO_RESULTS]
    listed = f"; logged are {', '.join(shown[:_LISTED])}{' and others' * (len(shown) > _LISTED)}"
    return tuple(
        Problem(
            path=f"{study.path}:{line}",
            message=said.format(name) + (near(name, logged) or listed),
            remedy="name metrics as `reportgen inspect` shows them; * and ? as in a shell",
        )
        for name in absent
    )


def _logged(runs: Runs) -> list[str]:
    return sorted({s.metric for run in runs for s in run.scalars.values() if s.metric})
