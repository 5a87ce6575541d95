"""The errors a user can meet, and the exit code each one ends in.

Every message says what happened, where (run, tag, file and line), and what to do
about it. Defects of the data are not errors: they are `Problem` records that reach
the report's last section.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from enum import IntEnum
from pathlib import Path

DISTRIBUTION = "reportgen-lab"
"""Name of the installed distribution; the command and the import are called `reportgen`."""


class ExitCode(IntEnum):
    """What the command line returns to the shell; scripts may rely on these."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    EVIDENCE = 3
    TEMPLATE = 4
    INTERNAL = 5
    INTERRUPTED = 130


class ReportgenError(Exception):
    """Base of every error that is a letter to the user.

    Args:
        message: What happened and where.
        remedy: What the user can do about it; printed on a line of its own.
        stage: What was at work, printed behind `error`: `latex`, `template`; empty says nothing.
        details: What is known of the place, a word and a text each; printed a line each.
    """

    exit_code = ExitCode.INTERNAL

    def __init__(
        self,
        message: str,
        *,
        remedy: str = "",
        stage: str = "",
        details: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.stage = stage
        self.details = dict(details or {})

    def __str__(self) -> str:
        return "\n".join([self.message, *self.lines()])

    def lines(self) -> list[str]:
        """Return what stands below the message: where it happened, and the remedy."""
        told = [f"  {word:<9}{text}" for word, text in self.details.items() if text]
        if not self.remedy:
            return told
        return [*told, f"  {'hint':<9}{self.remedy}" if told else f"  remedy: {self.remedy}"]


class UsageError(ReportgenError, ValueError):
    """The arguments cannot be used as they are."""

    exit_code = ExitCode.USAGE


class StudyError(ReportgenError, ValueError):
    """The study file holds keys or values that mean nothing; all are listed at once."""

    exit_code = ExitCode.USAGE


class UnknownNameError(ReportgenError, LookupError):
    """A plug-in was asked for by a name that no table lists."""

    exit_code = ExitCode.USAGE


class EvidenceError(ReportgenError, FileNotFoundError):
    """Logs, a checkpoint or a configuration is missing or cannot be read."""

    exit_code = ExitCode.EVIDENCE


class OutputError(ReportgenError, OSError):
    """The output cannot be written where it was asked for."""

    exit_code = ExitCode.USAGE


class EngineError(ReportgenError, RuntimeError):
    """No PDF engine is there, or the one there failed."""

    exit_code = ExitCode.EVIDENCE


class TemplateError(ReportgenError, ValueError):
    """A template could not be rendered; names the template, its line and the block."""

    exit_code = ExitCode.TEMPLATE


class WorkerLostError(ReportgenError, RuntimeError):
    """The process of a task died by a signal, or its whole worker was lost.

    Args:
        message: What happened.
        remedy: What the user can do about it.
        signal: Number of the signal; 0 where only the loss is known.
        tail: Last lines that the process wrote to its standard error, oldest first.
    """

    exit_code = ExitCode.EVIDENCE

    def __init__(
        self, message: str, *, remedy: str = "", signal: int = 0, tail: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.signal = signal
        self.tail = tail


class ClusterError(ReportgenError, RuntimeError):
    """A scheduler cannot be reached, or has no worker that could take the work."""

    exit_code = ExitCode.EVIDENCE


class MissingExtraError(ReportgenError, ImportError):
    """An optional dependency is needed for what was asked."""

    exit_code = ExitCode.EVIDENCE


def install_command(*extras: str) -> str:
    """Return the command that installs the libraries of extras, with the versions they need.

    It names the libraries and never reportgen itself: a checkout or a wheel may be installed, and
    on the public package index the name `reportgen` is another project's.

    Args:
        extras: Names under `[project.optional-dependencies]`, such as `"train"`.

    Example:
        >>> install_command("tbparse").partition("pip ")[2].partition(">")[0]
        'install "tbparse'
    """
    from importlib.metadata import PackageNotFoundError, requires

    try:
        wanted = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        wanted = []
    found: list[str] = []
    for line in wanted:
        requirement, _, condition = line.partition(";")
        if any(f"extra == {mark}{extra}{mark}" in condition for extra in extras for mark in "'\""):
            found.append(f'"{requirement.strip()}"')
    if not found:  # run from its sources, which were never installed
        return f"install what pyproject.toml lists under {', '.join(extras)}"
    return f"{_pip()} install {' '.join(found)}"


def _pip() -> str:
    """Return how pip of this Python is called: by its name where the shell finds that one."""
    folder = Path(sys.executable).parent
    on_path = [Path(one) for one in os.environ.get("PATH", "").split(os.pathsep)]
    first = next((one for one in on_path if (one / "pip").is_file()), folder)
    return "pip" if first == folder else f"{sys.executable} -m pip"


_NAMES_TOLD = 4
_FOLDERS_SEEN = 50
"""Folders of one folder that are looked into for a name; a mistyped path is no search of a disk."""


def other_than(path: Path) -> str:
    """Return the remedy for a path that is not there: the name that is meant, or what there is.

    Args:
        path: What was asked for; it is looked for below the nearest folder that there is.

    Returns:
        Words for `remedy`: a near name, else the same one a folder or two below, else what the
        folder holds.

    Example:
        >>> other_than(Path("no-such-folder/runs")).startswith("there is no folder no-such-folder")
        True
    """
    folder, wanted = path.parent, path
    while not folder.is_dir() and folder != folder.parent:
        folder, wanted = folder.parent, folder
    if wanted.is_file():
        return f"{wanted} is a file and no folder"
    missing = f"there is no folder {wanted}; " if wanted != path else ""
    try:
        names = sorted(each.name for each in folder.iterdir() if not each.name.startswith("."))
    except OSError:
        return f"{missing}check the path and the permissions of {folder}"
    import difflib

    if close := difflib.get_close_matches(wanted.name, names, n=1):
        return f"{missing}did you mean {folder / close[0]}?"
    if deeper := _deeper(folder, names, wanted.name):
        return f"{missing}did you mean {deeper}?"
    where = "the current folder" if folder == Path() else str(folder)
    more = f" and {len(names) - _NAMES_TOLD} more" if len(names) > _NAMES_TOLD else ""
    held = f"holds {', '.join(names[:_NAMES_TOLD])}{more}" if names else "is empty"
    return f"{missing}check the path; {where} {held}"


def _deeper(folder: Path, names: Sequence[str], wanted: str) -> Path | None:
    """Return the first path of a name that lies one or two folders below, where there is one."""
    for name in names[:_FOLDERS_SEEN]:
        try:
            inside = [folder / name, *sorted((folder / name).iterdir())]
            found = [one / wanted for one in inside[:_FOLDERS_SEEN] if (one / wanted).exists()]
        except OSError:  # no folder, or one that nobody may look into
            continue
        if found:
            return found[0]
    return None
