"""Which reports are to be checked, and which evidence belongs to each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatch, fnmatchcase
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.app.evidence import (
    FOLDERS,
    OWN_LOGS,
    Beside,
    EvidencePaths,
    anything_beside,
    gather_evidence,
    is_alone,
)
from reportgen.app.reading import is_there
from reportgen.read.documents import READERS
from reportgen.read.logs import loader_of
from reportgen.read.remote import is_url
from reportgen.records.errors import EvidenceError, ReportgenError, UsageError, other_than
from reportgen.records.record import field, record, replace
from reportgen.records.run import RECORD
from reportgen.records.source import Problem

if TYPE_CHECKING:
    from reportgen.app.evidence import Beside
    from reportgen.records.verdict import Evidence


NAME = "{name}"
"""Stands for the submission's name in a path of evidence."""
# The likeliest first, where a submission holds several: what was handed in before its source.
_PREFERRED = (
    *("*.pdf", "*.docx", "*.ipynb", "*.tex", "*.md", "*.qmd", "*.rmd", "*.markdown", "*.txt"),
    *("*.html", "*.htm"),
)
_ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".7z", ".rar")
_NO_REPORT = ("readme*", "license*", "licence*", "changelog*", "requirements*", ".*", "_*")


@record
class Submission:
    """One report with the evidence it is held against.

    Attributes:
        name: Folder or file name without ending; unique in a class.
        report: The file; None where the folder holds none.
        evidence: What it is held against.
        fallbacks: What it is held against instead, one after the other, where evidence that was
            found in it and that nobody named cannot be used.
        home: Folder that its evidence may not lead out of, where it lies in it; None where
            everything was named by whoever asks.
        fault: Why it cannot be checked, or empty.
    """

    name: str
    report: Path | None
    evidence: EvidencePaths = field(default_factory=EvidencePaths)
    fallbacks: tuple[EvidencePaths, ...] = ()
    home: Path | None = None
    fault: str = ""


@record(kw_only=False)
class _Found:
    """A report, or a folder without one.

    Attributes:
        home: The folder it was handed in with.
        beside: What lies beside the report and is nobody else's; None where others may be.
    """

    name: str
    report: Path | None
    home: Path
    fault: str = ""
    beside: Beside | None = None


def find_submissions(
    reports: Sequence[Path], evidence: dict[str, str | None]
) -> tuple[Submission, ...]:
    """Return what is to be checked, in order of the names below each folder.

    A file is one submission. Of a folder, each folder in it that holds a report is one, and so is
    each report that lies in it directly; a folder with a single report and no such folders is one.
    Archives are not unpacked: one beside such folders, or in one that holds no report, is named.
    What is named twice is one. Files of one name are called as their folders are. A link in a
    folder that leads out of the submission is no report: it would show others' files.

    Evidence of a submission, for each kind: a path with `{name}` in it, filled in; else the folder
    `DIR/name` of a given `DIR`, where there is one; else the given path, shared by all; without
    one, for logs, the submission's own folder `logs`, `runs`, ... and for the study its
    `study.toml`; and with neither, the logs, results and settings that lie beside the report,
    unless these may be another submission's.

    Args:
        reports: Files and folders.
        evidence: `runs`, `study`, `checkpoint`, `adapter`, `base` to a path with or without
            `{name}`, or None.

    Raises:
        EvidenceError: There is no such file or folder, or no report in it.
        UsageError: Two submissions have one name.
    """
    for text in evidence.values():
        if text is not None and NAME not in text and not is_there(Path(text)):
            raise EvidenceError(f"no such file or folder: {text}", remedy=other_than(Path(text)))
    by_path = not any(path.is_dir() for path in reports)
    found = _told_apart([one for path in reports for one in _below(path)], by_path=by_path)
    return tuple(_submission(one, evidence, alone=len(found) == 1) for one in found)


def _by_path(one: _Found, all_of_them: Sequence[_Found]) -> _Found:
    """Call a report by as many of the folders it lies in as tell it from the others."""
    folders = one.home.absolute().parts[1:]
    others = [other.home.absolute().parts[1:] for other in all_of_them if other is not one]
    for count in range(2, len(folders) + 1):
        tail = folders[-count:]
        if all(other[-count:] != tail for other in others):
            return replace(one, name="/".join(tail))
    return replace(one, name="/".join((*folders, one.report.name if one.report else "")))


def _submission(one: _Found, evidence: dict[str, str | None], *, alone: bool) -> Submission:
    paths = _evidence_of(one, evidence, alone=alone)
    lacking = one.report and not (paths.study or paths.runs)
    own = list(_own_evidence(one, paths)) if lacking else []
    member = not alone and one.home.name == one.name
    return Submission(
        name=one.name,
        report=one.report,
        evidence=[*own, paths][0],
        fallbacks=tuple([*own, paths][1:]),
        home=one.home if own or member else None,
        fault=one.fault,
    )


def _told_apart(found: Sequence[_Found], *, by_path: bool) -> tuple[_Found, ...]:
    """Return each report once; those of one name are called as their folders are.

    Where that is not enough, files that were named one by one are called by more of their path.
    """
    kept = tuple(
        {os.path.realpath(one.report or one.home): one for one in reversed(found)}.values()
    )
    kept = tuple(reversed(kept))
    names = Counter(one.name for one in kept)
    kept = tuple(
        replace(one, name=one.home.absolute().name) if names[one.name] > 1 else one for one in kept
    )
    names = Counter(one.name for one in kept)
    if by_path:
        return tuple(_by_path(one, kept) if names[one.name] > 1 else one for one in kept)
    if repeated := [name for name, count in names.items() if count > 1]:
        raise UsageError(
            f"two submissions are called {repeated[0]!r}",
            remedy="check the folder that holds them both, or one after the other",
        )
    return kept


def _below(path: Path) -> Iterator[_Found]:
    """Yield the submissions that a path stands for."""
    if not is_there(path):
        if str(path) == "-":
            raise EvidenceError(
                "a report is not read from standard input, which has no name to tell its format",
                remedy="write it to a file first: ... > report.md; reportgen check report.md",
            )
        raise EvidenceError(f"no such report or folder: {path}", remedy=other_than(path))
    beside: Beside | None = None
    if path.is_file():
        own = is_alone(path, _reports_in(path.parent))
        beside = Beside(folder=path.parent, called=True) if own else None
        yield _Found(path.stem, path, path.parent, beside=beside)
        return
    if not path.is_dir():
        raise EvidenceError(
            f"{path} is neither a file nor a folder",
            remedy="write it to a file whose name tells its format, such as report.md",
        )
    entries = sorted(path.iterdir())
    folders = [f for f in entries if f.is_dir() and not f.name.startswith((".", "_"))]
    holding = [_in_folder(folder) for folder in folders if folder.name not in OWN_LOGS]
    direct = [file for file in entries if _is_report(file) and _stays_in(file, path)]
    if any(one.report for one in holding):
        yield from holding
        yield from _packed(entries, {one.name for one in holding})
    elif not direct:
        raise EvidenceError(
            f"no report in {path}: looked for {', '.join(_PREFERRED)}",
            remedy="name the file, or the folder whose folders are the submissions",
        )
    taken = {one.name for one in holding}
    stems = dict.fromkeys(file.stem for file in direct)
    own = len(stems) == 1 and not any(one.report for one in holding)
    beside = Beside(folder=path) if own else None
    for stem in stems:
        best = _best([file for file in direct if file.stem == stem])
        name = best.name if best and stem in taken else stem
        yield _Found(name, best, path, beside=beside)


def _reports_in(folder: Path) -> Iterator[Path]:
    """Yield the files that may be reports; none of a folder that cannot be looked into."""
    with suppress(OSError):
        yield from (file for file in folder.iterdir() if _is_report(file))


def _packed(entries: Sequence[Path], taken: Collection[str]) -> Iterator[_Found]:
    """Yield what was handed in as an archive, unless it lies there unpacked as well."""
    for file in entries:
        if _is_archive(file) and file.name.partition(".")[0] not in {*taken, *OWN_LOGS}:
            yield _Found(file.name, None, file, f"{file} is an archive: {_UNPACK}")


_UNPACK = "unpack it, and check what is in it"


def _is_archive(file: Path) -> bool:
    return file.suffix.lower() in _ARCHIVES and not file.name.startswith(".") and file.is_file()


def _in_folder(folder: Path) -> _Found:
    """Return a folder's report, looked for two folders deep, or why it has none."""
    fault = f"{folder} holds no report ({', '.join(_PREFERRED)})"
    try:
        for pattern in ("*", "*/*"):
            files = [file for file in sorted(folder.glob(pattern)) if _is_report(file)]
            if best := _best([file for file in files if _stays_in(file, folder)]):
                # A report may lie in a folder of the folder that was handed in.
                within = best.relative_to(folder).parts[:-1]
                beside = Beside(folder=folder, within=(*FOLDERS, *map(escape, within)))
                return _Found(folder.name, best, folder, beside=beside)
            if files:
                fault = f"{files[0]} is a link that leads out of the submission"
        packed = [file for file in sorted(folder.iterdir()) if _is_archive(file)]
        if packed and "no report" in fault:
            fault = f"{fault}; {packed[0].name} is an archive: {_UNPACK}"
    except OSError as error:
        fault = f"{error.filename or folder} cannot be read: {error.strerror or error}"
    return _Found(folder.name, None, folder, fault)


def _stays_in(file: Path, folder: Path) -> bool:
    """Say whether a file lies in a folder in truth, whatever is a link on the way to it."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))


def _best(files: Sequence[Path]) -> Path | None:
    """Return the likeliest report: by its ending, then one called report, then the largest."""
    return min(files, key=_likeliness, default=None)


def _likeliness(file: Path) -> tuple[int, bool, int, str]:
    ending = next(n for n, pattern in enumerate(_PREFERRED) if fnmatch(file.name.lower(), pattern))
    called = any(word in file.stem.lower() for word in ("report", "rapport", "main", "paper"))
    return ending, not called, -file.stat().st_size, file.name


def _is_report(file: Path) -> bool:
    name = file.name.lower()
    if not file.is_file() or any(fnmatch(name, pattern) for pattern in _NO_REPORT):
        return False
    return any(fnmatch(name, p) for entry in READERS.values() for p in entry.match)


def _evidence_of(one: _Found, given: dict[str, str | None], *, alone: bool) -> EvidencePaths:
    """Return the evidence that was named."""
    found: dict[str, Any] = {}
    for kind, text in given.items():
        if text is None:
            found[kind] = None
        elif NAME in text:
            found[kind] = Path(text.replace(NAME, one.name))
        else:
            own = Path(text) / one.name
            found[kind] = own if not alone and own.exists() else Path(text)
    return EvidencePaths(**found)


def _own_evidence(one: _Found, named: EvidencePaths) -> Iterator[EvidencePaths]:
    """Yield the evidence with what lies in a submission: its study, its logs, or what it holds."""
    beside = one.beside if one.beside and anything_beside(one.beside) else None
    whole = replace(named, beside=beside)
    logs = next((one.home / name for name in OWN_LOGS if (one.home / name).is_dir()), None)
    if (one.home / "study.toml").is_file():
        yield replace(whole, study=one.home / "study.toml")
    if beside:
        yield replace(whole, runs=logs)
    if logs:
        yield replace(named, runs=logs)


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
    problems: list[Problem] = []
    choices = (submission.evidence, *submission.fallbacks)
    for paths in choices:
        try:
            if submission.home is not None:
                _check_inside(paths, submission.home)
            own = _without_report(paths, submission.report)
            evidence, told = gather_evidence(own, address)
        except ReportgenError as fault:
            if paths is choices[-1]:
                raise
            why = " ".join(fault.message.split())[:_LONGEST]
            brought = paths.study or paths.runs or (paths.beside.folder if paths.beside else "")
            said = f"was left out: {why}"
            problems.append(Problem(path=str(brought), message=said, remedy=fault.remedy))
        else:
            return evidence, (*problems, *told)
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
    from reportgen.app.analysis import read_plan

    plan = read_plan(study)
    texts = plan.models if given else (plan.runs_path or ".", *plan.models)
    # A URL is refused where it would be read.
    yield from (study.parent / text for text in texts if not is_url(text))
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
