"""Evidence that strangers hand in with a report: read where it stays in their submission.

Logs and a study file that lie in a submission were written by whoever is to be graded, and
whoever checks a class has files that are nobody else's business: other submissions, solutions.
So a path in such a study, or a link among such logs, that leads out of the submission is not
followed. What is left out is said, and the report is checked without it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reportgen.api.evidence import EvidencePaths, gather_evidence
from reportgen.errors import EvidenceError, ReportgenError
from reportgen.read.logs import loader_of
from reportgen.read.remote import is_url
from reportgen.records.rerun import RECORD
from reportgen.records.source import Problem

if TYPE_CHECKING:
    from reportgen.api.beside import Beside
    from reportgen.api.submissions import Submission
    from reportgen.records.verdict import Evidence

Found = TypeVar("Found")

_READ_AS_LOGS = (".txt", ".ipynb")
"""Endings of reports that a reader of logs opens too."""

_REMEDY = "name it with --runs or --study if it is yours"
_LONGEST = 400


def evidence_for(submission: Submission, address: str = "") -> tuple[Evidence, tuple[Problem, ...]]:
    """Read all that a submission is held against, and say what was left out, and why.

    The report itself is no evidence, wherever it lies. Without logs or a study that somebody
    named, what lies beside the report is its evidence.

    Args:
        submission: The report with its evidence.
        address: Of a Dask scheduler whose workers read the logs.

    Returns:
        The evidence, and what is the matter that is not among the problems of its facts.

    Raises:
        ReportgenError: Evidence that was named is missing, holds nothing that can be read, or
            lies in the submission and leads out of it.
    """

    def read(paths: EvidencePaths) -> tuple[Evidence, tuple[Problem, ...]]:
        return gather_evidence(_without_report(paths, submission.report), address)

    (evidence, problems), left_out = _first_usable(submission, read)
    return evidence, (*left_out, *problems)


def _first_usable(
    submission: Submission, read: Callable[[EvidencePaths], Found]
) -> tuple[Found, tuple[Problem, ...]]:
    """Return what is read of the first evidence that can be used, and why others were left out."""
    problems: list[Problem] = []
    for paths, last in _in_turn(submission):
        try:
            if submission.home is not None:
                _check_inside(paths, submission.home)
            return read(paths), tuple(problems)
        except ReportgenError as fault:
            if last:
                raise
            why = " ".join(fault.message.split())[:_LONGEST]
            own = paths.beside.folder if paths.beside else ""
            brought = str(paths.study or paths.runs or own)
            problems.append(
                Problem(path=brought, message=f"was left out: {why}", remedy=fault.remedy)
            )
    raise AssertionError  # pragma: no cover - the last of them returns or raises


def _without_report(paths: EvidencePaths, report: Path | None) -> EvidencePaths:
    """Leave out the report, and what it was made from or into, where a reader of logs opens it."""
    if report is None:
        return paths
    names = {report.name, *(f"{report.stem}{ending}" for ending in _READ_AS_LOGS)}
    files = [report.with_name(name) for name in sorted(names)]
    real = [os.path.realpath(file) for file in files if loader_of(file.name) and file.is_file()]
    roots = [os.path.realpath(root) for root in (paths.root, paths.runs) if root is not None]
    own = tuple(one for one in real if any(Path(one).is_relative_to(root) for root in roots))
    return replace(paths, without=own) if own else paths


def _in_turn(submission: Submission) -> Iterator[tuple[EvidencePaths, bool]]:
    choices = (submission.evidence, *submission.fallbacks)
    for index, paths in enumerate(choices):
        yield paths, index == len(choices) - 1


def _check_inside(paths: EvidencePaths, home: Path) -> None:
    """Refuse evidence that lies in a folder and leads out of it.

    Raises:
        EvidenceError: It does.
    """
    named = [paths.study, paths.runs, paths.checkpoint, paths.adapter, paths.base]
    named.append(paths.report)
    inside = [path for path in named if path and path.absolute().is_relative_to(home.absolute())]
    root = os.path.realpath(home)
    for path in inside:
        _check_path(path, root)
    if paths.beside is not None:
        _check_path(paths.beside.folder, root, paths.beside)
    if paths.study in inside and paths.study is not None:
        for path in _named_in(paths.study, given=paths.runs is not None):
            _check_path(path, root)


def _named_in(study: Path, *, given: bool) -> Iterator[Path]:
    """Yield the paths that a study would have read; logs that are given are read instead."""
    from reportgen.api.analysis import read_plan

    plan = read_plan(study)
    texts = [] if given else [plan.runs_path or "."]
    texts += [plan.model.config, plan.model.checkpoint]
    texts += [text for adapter in plan.adapters for text in (adapter.config, adapter.base)]
    # A URL is refused where it would be read.
    yield from (study.parent / text for text in texts if text and not is_url(text))
    if (study.parent / plan.reruns).is_dir():
        yield study.parent / plan.reruns


def _check_path(path: Path, root: str, beside: Beside | None = None) -> None:
    """Refuse a path that leads out of a folder, itself or by a link to a file that is read."""
    try:
        if not _lies_in(path, root):
            raise EvidenceError(f"{path} leads out of the submission", remedy=_REMEDY)
        folder = path if path.is_dir() else path.parent
        links = (file for file in _read_files(folder, beside) if file.is_symlink())
        if leading := next((file for file in links if not _lies_in(file, root)), None):
            raise EvidenceError(f"{leading} leads out of the submission", remedy=_REMEDY)
    except ValueError as error:
        raise EvidenceError(f"{str(path)!r} is no path: {error}", remedy=_REMEDY) from error


def _lies_in(path: Path, root: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(root)


def _read_files(folder: Path, beside: Beside | None) -> Iterator[Path]:
    """Yield the files in a folder that somebody would open; links to folders stay inside it."""
    from reportgen.read.logs import NAMED, find_files

    if folder.is_dir():
        for path, name in find_files(folder, beside.within if beside else None).files:
            opened = any(fnmatchcase(path.name, p) for p in (*NAMED, RECORD))
            if (loader_of(name) or opened) and (beside is None or beside.keeps(name)):
                yield path
