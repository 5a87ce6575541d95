"""What a report is held against: logs, a model, adapters, and values that lie beside."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.app.options import BuildOptions, LogOptions
from reportgen.read.stored import Taken, read_stored
from reportgen.records.errors import EvidenceError
from reportgen.records.record import record, replace
from reportgen.records.source import Problem
from reportgen.records.verdict import Evidence, Stored

if TYPE_CHECKING:
    from reportgen.records.facts import Facts


KEPT = 4
"""Analyses a process keeps: submissions that share their logs are read once."""


@record
class EvidencePaths:
    """Where the evidence of one report lies; None for what there is none of.

    Attributes:
        runs: Folder with the logs.
        study: Study file.
        checkpoint: Model folder, configuration or checkpoint.
        adapter: Adapter folder or configuration.
        base: Configuration or checkpoint of the adapter's base model.
        report: report.json of the build whose numbers the report took over.
        beside: What lies beside the report, where nobody named logs or a study.
        without: Real paths of files that are no evidence: the report, where it lies among it.
        only: Names below the root that are read; None for all.
    """

    runs: Path | None = None
    study: Path | None = None
    checkpoint: Path | None = None
    adapter: Path | None = None
    base: Path | None = None
    report: Path | None = None
    beside: Beside | None = None
    without: tuple[str, ...] = ()
    only: frozenset[str] | None = None

    def __bool__(self) -> bool:
        named = (self.runs, self.study, self.checkpoint, self.adapter, self.report)
        return any((*named, self.beside))

    @property
    def root(self) -> Path | None:
        """The folder with the logs, where no study says it."""
        return self.beside.folder if self.beside and not self.study else self.runs

    def keeps(self, path: Path, name: str) -> bool:
        """Tell whether a file below the root may be evidence."""
        if self.only is not None and name not in self.only:
            return False
        if self.beside and not self.study and not self.beside.keeps(name):
            return False
        return not self.without or os.path.realpath(path) not in self.without


@lru_cache(maxsize=KEPT)
def gather_evidence(
    paths: EvidencePaths, address: str = ""
) -> tuple[Evidence, tuple[Problem, ...]]:
    """Read all that a report is held against.

    Where the folder with the logs holds none, the values in it, a model or an adapter are
    evidence all the same, and the missing logs are a note. A model and adapters that nobody named
    are taken from what lies there, and that is a note too. Nothing hangs on the folder's own name.

    Args:
        paths: Where it lies.
        address: Of a Dask scheduler whose workers read the logs.

    Returns:
        The evidence, and what is the matter that is not among the problems of its facts.

    Raises:
        EvidenceError: A named file or folder is missing, or nothing at all can be read.
        StudyError: The study file cannot be used.
    """
    from reportgen.app.reading import nothing_read
    from reportgen.app.report_file import stated_in

    if not paths:
        return Evidence(), ()
    problems: list[Problem] = []
    paths = _without_missing_runs(paths, problems)
    stated = stated_in(paths.report) if paths.report else {}
    paths = _within_reach(paths, problems)
    facts = _all_facts(paths, address)
    root = _root_of(paths, facts)
    if facts and not facts.runs.runs and (paths.runs or paths.study):
        error = nothing_read(root or Path(), facts.runs)
        problems.append(Problem(path=".", message=error.message, remedy=error.remedy, level="note"))
    stored, files = values_of(paths, root, facts, problems)
    holds = facts is not None and bool(facts.runs.runs or facts.model or facts.adapters)
    if not (holds or stored or stated) and facts and (paths.runs or paths.study):
        raise nothing_read(root or Path(), facts.runs)
    sources = set(files)
    told: tuple[Problem, ...] = ()
    if facts is not None:
        problems += _found_models(paths, facts)
        sources |= _sources(facts)
        told = facts.problems if holds else ()
        problems += () if holds else facts.problems
    evidence = Evidence(
        facts=facts if holds else None,
        stored=tuple(stored),
        files=_numbered(sources),
        stated=stated,
    )
    if paths.beside and evidence.files:
        problems.append(_said_of(paths.beside))
    return evidence, tuple(one for one in dict.fromkeys(problems) if one not in told)


def _without_missing_runs(paths: EvidencePaths, problems: list[Problem]) -> EvidencePaths:
    """Leave out a folder of logs that is not there, where there is other evidence."""
    others = paths.checkpoint or paths.adapter or paths.report
    if paths.runs is None or paths.study or not others or paths.runs.exists():
        return paths
    message = "there is no such folder of logs: held against the other evidence alone"
    problems.append(Problem(path=str(paths.runs), message=message, remedy="check --runs"))
    return replace(paths, runs=None)


MOST_FILES = 2_000
"""Files of logs and values that a report is held against."""
MOST_VALUES = 50_000
"""Values of other files that a report is held against."""


def _within_reach(paths: EvidencePaths, problems: list[Problem]) -> EvidencePaths:
    """Leave out files of a folder that holds too many: those in the most folders first."""
    from reportgen.read.logs import find_files, loader_of
    from reportgen.read.stored import may_hold_values

    root = paths.root
    if paths.study or root is None or not root.is_dir():
        return paths
    within = paths.beside.within if paths.beside else None
    found = (name for path, name in find_files(root, within).files if paths.keeps(path, name))
    names = [name for name in found if loader_of(name) or may_hold_values(name)]
    if len(names) <= MOST_FILES:
        return paths
    names.sort(key=lambda name: name.count("/"))
    problems.append(
        Problem(
            path=".",
            message=f"{len(names) - MOST_FILES:,} of {len(names):,} files were left out, those in "
            "the most folders: what the report has of them is not found",
            remedy="name the folder of the report's own runs with --runs",
        )
    )
    return replace(paths, only=frozenset(names[:MOST_FILES]))


def _first_of_lists(stored: list[Stored], problems: list[Problem]) -> list[Stored]:
    """Leave out values where there are too many: those that stand furthest behind in lists."""
    if len(stored) <= MOST_VALUES:
        return stored
    places = [max((int(key) for key in one.keys if key.isdigit()), default=-1) for one in stored]
    kept = sorted(sorted(range(len(stored)), key=places.__getitem__)[:MOST_VALUES])
    left = len(stored) - MOST_VALUES
    message = f"{left:,} of {len(stored):,} values were left out, the last of long lists"
    problems.append(Problem(path=".", message=message, level="note"))
    return [stored[at] for at in kept]


def _all_facts(paths: EvidencePaths, address: str) -> Facts | None:
    """Analyse logs, model and adapters, however many of them are there."""
    from reportgen.app.analysis import analyse
    from reportgen.app.remote import mirrored_at, naming

    if not (paths.root or paths.study):
        return _without_logs(paths) if paths.checkpoint or paths.adapter else None
    beside = paths.beside if not paths.study else None
    logs = LogOptions(
        jobs=1,
        address=address,
        root_name="",
        within=beside.within if beside else None,
        keep=paths.keeps,
    )
    options = replace(_options(paths, address), runs=paths.root)
    with naming(mirrored_at(paths.root)):
        return analyse(options, logs=logs, without_logs=True)


def _root_of(paths: EvidencePaths, facts: Facts | None) -> Path | None:
    """Return the folder or file with the logs, as it was named or as the study says."""
    from reportgen.app.analysis import read_plan, runs_root

    if paths.root is not None or facts is None or paths.study is None:
        return paths.root
    return runs_root(_options(paths), read_plan(paths.study))


def _found_models(paths: EvidencePaths, facts: Facts) -> Iterator[Problem]:
    """Say which model and which adapters were taken that nobody named."""
    decided = {one.key for one in facts.study.decisions}
    found: list[str] = []
    if facts.model and paths.checkpoint is None and "model.config" in decided:
        found.append(facts.model.config.source.path)
    if paths.adapter is None and "adapter.config" in decided:
        found += (adapter.config.source.path for adapter in facts.adapters)
    if found:
        message = f"nobody named a model or an adapter: taken as found: {', '.join(found)}"
        yield Problem(path=found[0], message=message, level="note")


def _said_of(beside: Beside) -> Problem:
    return Problem(
        path=beside.folder.name or ".",
        message="no evidence was named: the report is held against the files that lie beside it",
        remedy="name others with --runs",
        level="note",
    )


def _options(paths: EvidencePaths, address: str = "") -> BuildOptions:
    return BuildOptions(
        out=Path(),
        study=paths.study,
        runs=paths.runs,
        checkpoint=paths.checkpoint,
        adapter=paths.adapter,
        base=paths.base,
        jobs=1,
        address=address,
    )


def _without_logs(paths: EvidencePaths) -> Facts:
    """Count what is named, where no log is there to be analysed."""
    from reportgen.app.counting import count_named
    from reportgen.records.facts import Facts
    from reportgen.records.run import Runs
    from reportgen.records.study import Study

    counted = count_named(Study(), Study(), Path(), _options(paths))
    return Facts(
        study=Study(),
        runs=Runs(root="", runs=()),
        groups=(),
        model=counted.model,
        adapters=counted.adapters,
        problems=counted.problems,
    )


def _sources(facts: Facts) -> set[tuple[str, str]]:
    """Return path and digest of the files that facts come from."""
    sources = {source for run in facts.runs for source in run.sources}
    if facts.model is not None:
        sources.add(facts.model.config.source)
        if facts.model.checkpoint is not None:
            sources.add(facts.model.checkpoint.source)
    sources.update(adapter.config.source for adapter in facts.adapters)
    return {(source.path, source.sha256) for source in sources}


def _numbered(sources: set[tuple[str, str]]) -> tuple[tuple[str, str, str], ...]:
    """Return files with an id each, in order of their paths."""
    ordered = enumerate(sorted(sources), 1)
    return tuple((f"e{number}", path, sha) for number, (path, sha) in ordered)


def forget() -> None:
    """Drop the evidence kept for the other reports of a class: its files may change after it."""
    gather_evidence.cache_clear()


CONFIGS = ("config.json", "adapter_config.json", "generation_config.json")
"""Files of values that belong to a model or an adapter."""


@record
class _Place:
    """A folder or file of values, and how what lies in it is called.

    Attributes:
        prefix: Stands before the names.
    """

    folder: Path
    keep: Callable[[Path, str], bool]
    within: tuple[str, ...] | None = None
    prefix: str = ""


def values_of(
    paths: EvidencePaths, root: Path | None, facts: Facts | None, problems: list[Problem]
) -> tuple[list[Stored], list[tuple[str, str]]]:
    """Return the values of all places that evidence lies in, and the files that hold any.

    No file is read twice; values are in order of place and path.

    Args:
        paths: Where the evidence lies.
        root: Folder with the logs.
        facts: What has been read of these as logs.
        problems: Gets what could not be read, or was left out.
    """
    taken = _taken_of(facts) if facts is not None else None
    stored: list[Stored] = []
    sources: list[tuple[str, str]] = []
    read: set[str] = set()
    for place in _places(paths, root):

        def is_new(name: str, place: _Place = place) -> bool:
            path = _path_of(place, name)
            return place.keep(path, name) and os.path.realpath(path) not in read

        own = taken if place.folder == root else None
        found, unread = read_stored(place.folder, taken=own, keep=is_new, within=place.within)
        problems += unread
        for name in dict.fromkeys(one.path for one in found):
            path = _path_of(place, name)
            read.add(os.path.realpath(path))
            sources.append((place.prefix + name, _digest_of(path)))
        stored += (replace(one, path=place.prefix + one.path) for one in found)
    return _first_of_lists(stored, problems), sources


def _path_of(place: _Place, name: str) -> Path:
    return place.folder / name if place.folder.is_dir() else place.folder


def _digest_of(path: Path) -> str:
    """Return the digest of a file; empty where its name on disk is another than the printed."""
    from reportgen.read.logs import digest_of

    return digest_of(path, path.stat().st_size) if path.is_file() else ""


def _taken_of(facts: Facts) -> Taken:
    """Return what has been read of the files as logs."""
    files = {
        fate.path
        for fate in facts.runs.fates
        # A table that was left out as a log may hold what nothing else does.
        if fate.runs or (fate.kind == "skipped" and fate.source and fate.path.endswith(".json"))
    }
    values: set[float] = set()
    for run in facts.runs:
        for series in run.scalars.values():
            if series.path.endswith(".json"):
                for step, value in series.points():
                    values.update((float(step), value))
        values.update(result.value for result in run.results)
    return Taken(files=files, values=values)


def _places(paths: EvidencePaths, root: Path | None) -> Iterator[_Place]:
    """Yield each place of values: beside model and adapter, beside the report, below the logs."""
    inside = os.path.realpath(root) if root is not None else None
    for named in (paths.checkpoint, paths.adapter, paths.base):
        if named is None or not named.exists():
            continue
        real = Path(os.path.realpath(named))
        is_all = named.is_dir() and not (inside and real.is_relative_to(inside))
        # Below the logs, all else is read where it lies.
        names = None if is_all else {*CONFIGS, named.name}
        folder = named if named.is_dir() else named.parent
        prefix = f"{real.name}/" if named.is_dir() else ""
        yield _Place(folder=folder, keep=partial(_is_called, names), within=(), prefix=prefix)
    beside = paths.beside
    if beside is not None:
        # Below the logs of a study, what lies there is read with them.
        apart = inside if root != beside.folder else None

        def lies_beside(path: Path, name: str) -> bool:
            real = os.path.realpath(path)
            is_apart = apart is not None and Path(real).is_relative_to(apart)
            return beside.keeps(name) and real not in paths.without and not is_apart

        yield _Place(folder=beside.folder, keep=lies_beside, within=beside.within)
    if root is not None and root.exists() and not (beside and root == beside.folder):
        yield _Place(folder=root, keep=paths.keeps)


def _is_called(names: set[str] | None, _path: Path, name: str) -> bool:
    """Say whether a file has one of some names; without any, each has."""
    return names is None or name in names


OWN_LOGS = ("logs", "runs", "tensorboard", "tb_logs", "lightning_logs", "wandb", "mlruns")
"""Folders of a submission that hold its own logs, the first that is there."""
FOLDERS = (
    *OWN_LOGS, "*_logs", "result", "results", "output", "outputs", "checkpoint*", "adapter",
    "adapters", "metrics", "configs",
)  # fmt: skip
"""Folders beside a report that are looked into."""
WORDS = (
    "args", "config", "eval", "hparam", "histor", "hyp", "log", "metric", "opt", "param",
    "progress", "result", "score", "setting", "state", "summary",
)  # fmt: skip
"""How a word of a file begins that is called as logs, results or settings are."""
ENDINGS = frozenset({".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".log"})
_EVENTS = ("*tfevents*", "*.wandb")
_DOCUMENTS = frozenset({".pdf", ".tex", ".md", ".qmd", ".rmd", ".markdown", ".docx"})
_TEXTS = (".txt", ".ipynb")
_WORD = re.compile(r"[a-z]+")


@record
class Beside:
    """The folder of a report whose logs, results and settings are the report's own.

    Attributes:
        folder: The folder.
        within: Patterns of the folders in it that are looked into.
        called: Whether files that lie directly in it count only where they are called as logs,
            results or settings are; a report that is named alone may lie among anything.
    """

    folder: Path
    within: tuple[str, ...] = FOLDERS
    called: bool = False

    def keeps(self, name: str) -> bool:
        """Tell whether a file below the folder may be evidence, by its name.

        Example:
            >>> own = Beside(folder=Path(), called=True)
            >>> [own.keeps(name) for name in ("val_metrics.csv", "grades.csv", "logs/grades.csv")]
            [True, False, True]
        """
        return not self.called or "/" in name or is_called_evidence(name)


def is_called_evidence(name: str) -> bool:
    """Tell whether a file is called as logs, results or settings are.

    Example:
        >>> [is_called_evidence(name) for name in ("run_state.json", "train.csv", "catalog.csv")]
        [True, False, False]
    """
    stem, dot, ending = name.rpartition(".")
    if any(fnmatchcase(name, pattern) for pattern in _EVENTS):
        return True
    if f"{dot}{ending.lower()}" not in ENDINGS:
        return False
    return ending == "log" or any(word.startswith(WORDS) for word in _WORD.findall(stem.lower()))


def is_alone(report: Path, others: Iterable[Path]) -> bool:
    """Tell whether a report is the only one in its folder, and not one of a class.

    Args:
        report: The report.
        others: All files of the folder that may be reports.
    """
    alike = {*_DOCUMENTS, report.suffix.lower()}
    return not any(other.stem != report.stem and other.suffix.lower() in alike for other in others)


def anything_beside(beside: Beside) -> bool:
    """Tell whether anything beside a report may be its evidence; nothing where nobody may look."""
    from reportgen.read.logs import find_files, loader_of
    from reportgen.read.stored import may_hold_values

    try:
        files = find_files(beside.folder, beside.within).files
    except EvidenceError:
        return False
    kept = (name for _, name in files if beside.keeps(name) and not name.endswith(_TEXTS))
    return any(loader_of(name) or may_hold_values(name) for name in kept)
