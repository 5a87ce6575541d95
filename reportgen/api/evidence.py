"""What a report is held against: logs, a model, adapters, and values that lie beside."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.api.beside import Beside
from reportgen.api.options import BuildOptions, LogOptions
from reportgen.api.stated import stated_in
from reportgen.records.record import replace
from reportgen.records.source import Problem
from reportgen.records.verdict import Evidence, Stated

if TYPE_CHECKING:
    from reportgen.records.facts import Facts

KEPT = 4
"""Analyses a process keeps: submissions that share their logs are read once."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """

    runs: Path | None = None
    study: Path | None = None
    checkpoint: Path | None = None
    adapter: Path | None = None
    base: Path | None = None
    report: Path | None = None
    beside: Beside | None = None
    without: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        named = (self.runs, self.study, self.checkpoint, self.adapter, self.report)
        return any((*named, self.beside))

    @property
    def root(self) -> Path | None:
        """The folder with the logs, where no study says it."""
        return self.beside.folder if self.beside and not self.study else self.runs

    def keeps(self, path: Path, name: str) -> bool:
        """Tell whether a file below the root may be evidence."""
        if self.beside and not self.study and not self.beside.keeps(name):
            return False
        return not self.without or os.path.realpath(path) not in self.without


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The evidence, read.

    Attributes:
        facts: None where there is only the report.
        given: `"logs"`, `"model"`, `"adapter"`: what there is.
        files: (id, path, sha256) of what was read.
        stated: Numbers of a built report by their ids, where its report.json is given.
    """

    facts: Facts | None = None
    given: frozenset[str] = frozenset()
    files: tuple[tuple[str, str, str], ...] = ()
    stated: Mapping[str, Stated] = field(default_factory=dict)


@lru_cache(maxsize=KEPT)
def gather(paths: EvidencePaths, address: str = "") -> Gathered:
    """Read and analyse the evidence of a report.

    Args:
        paths: Where it lies.
        address: Of a Dask scheduler whose workers read the logs.

    Raises:
        EvidenceError: A named file or folder is missing or holds nothing that can be read.
        StudyError: The study file cannot be used.
    """
    if not paths:
        return Gathered()
    stated = stated_in(paths.report) if paths.report else {}
    if not (paths.runs or paths.study or paths.checkpoint or paths.adapter):
        return Gathered(stated=stated)
    facts = _with_logs(paths, address) if paths.runs or paths.study else _without_logs(paths)
    present = {"logs": facts.runs.runs, "model": facts.model, "adapter": facts.adapters}
    return Gathered(
        facts=facts,
        given=frozenset(name for name, there in present.items() if there),
        files=_numbered(_sources(facts)),
        stated=stated,
    )


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
    from reportgen.api.nearest import nothing_read
    from reportgen.api.stored_values import values_of

    if not paths:
        return Evidence(), ()
    problems: list[Problem] = []
    paths = _without_missing_runs(paths, problems)
    stated = stated_in(paths.report) if paths.report else {}
    facts = _all_facts(paths, address)
    root = _root_of(paths, facts)
    if facts and not facts.runs.runs and (paths.runs or paths.study):
        error = nothing_read(root or Path(), facts.runs)
        problems.append(Problem(path=".", message=error.message, remedy=error.remedy, level="note"))
    values = values_of(paths, root, facts)
    problems += values.problems
    holds = facts is not None and bool(facts.runs.runs or facts.model or facts.adapters)
    if not (holds or values.stored or stated) and facts and (paths.runs or paths.study):
        raise nothing_read(root or Path(), facts.runs)
    sources = set(values.sources)
    told: tuple[Problem, ...] = ()
    if facts is not None:
        problems += _found_models(paths, facts)
        sources |= _sources(facts)
        told = facts.problems if holds else ()
        problems += () if holds else facts.problems
    evidence = Evidence(
        facts=facts if holds else None,
        stored=values.stored,
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
    return dataclass_replace(paths, runs=None)


def _all_facts(paths: EvidencePaths, address: str) -> Facts | None:
    """Analyse logs, model and adapters, however many of them are there."""
    from reportgen.api.analysis import analyse
    from reportgen.api.remote import mirrored_at, naming

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
    from reportgen.api.analysis import read_plan, runs_root

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


def _with_logs(paths: EvidencePaths, address: str) -> Facts:
    from reportgen.api.analysis import analyse
    from reportgen.api.remote import mirrored_at, naming

    with naming(mirrored_at(paths.runs)):
        return analyse(_options(paths, address))


def _without_logs(paths: EvidencePaths) -> Facts:
    """Count what is named, where no log is there to be analysed."""
    from reportgen.api.counting import count_named
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
    """Drop the analyses kept, for whoever changes files between two calls."""
    gather.cache_clear()
    gather_evidence.cache_clear()
