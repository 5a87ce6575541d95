"""What a report is held against: logs, a model, adapters, in any combination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.api.options import BuildOptions
from reportgen.api.stated import stated_in
from reportgen.records.finding import Stated

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
    """

    runs: Path | None = None
    study: Path | None = None
    checkpoint: Path | None = None
    adapter: Path | None = None
    base: Path | None = None
    report: Path | None = None

    def __bool__(self) -> bool:
        return any((self.runs, self.study, self.checkpoint, self.adapter, self.report))


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
        files=_files(facts),
        stated=stated,
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


def _files(facts: Facts) -> tuple[tuple[str, str, str], ...]:
    """Return the files read, numbered in order of their paths."""
    sources = {source for run in facts.runs for source in run.sources}
    if facts.model is not None:
        sources.add(facts.model.config.source)
        if facts.model.checkpoint is not None:
            sources.add(facts.model.checkpoint.source)
    sources.update(adapter.config.source for adapter in facts.adapters)
    ordered = sorted((source.path, source.sha256) for source in sources)
    return tuple((f"e{number}", path, sha) for number, (path, sha) in enumerate(ordered, 1))


def forget() -> None:
    """Drop the analyses kept, for whoever changes files between two calls."""
    gather.cache_clear()
