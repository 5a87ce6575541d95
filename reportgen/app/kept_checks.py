"""The check of one report, kept until the report, its evidence or the program changes.

What is kept are the findings as they were spelled, so that showing them again needs no part of a
check. They are found by a digest of all that decides them: the options, the program, and what the
file system says of each file that is read, and of each folder that is looked into.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.read.store import BuildCache, StoredBuild, default_cache, installed, signature
from reportgen.records.record import record, replace

if TYPE_CHECKING:
    from reportgen.app.checking import CheckOptions
    from reportgen.app.showing import ShowOptions

_MOST_KEPT = 256
_MOST_FILES = 20_000
"""Files beside a report and in its evidence from which on nothing is kept."""

_FREE = ("REPORTGEN_CACHE", "REPORTGEN_JOBS", "REPORTGEN_TRACEBACK")
"""Settings of the environment that change no finding."""


@record(kw_only=False)
class KeptCheck:
    """Where the findings of one report are kept.

    Attributes:
        options: What is checked.
        show: How it is shown.
    """

    options: CheckOptions
    show: ShowOptions

    def find(self, key: str | None) -> tuple[dict[str, str], int] | None:
        """Return the spelled findings and the exit code, or None where all is to be done."""
        kept = _cache().find(key) if key is not None else None
        return _checked(kept, self.show) if kept is not None else None

    def keep(self, key: str | None, files: Mapping[str, str], exit_code: int) -> None:
        """Keep findings, unless something has changed since the key was made."""
        if key is not None and key == self.key():
            content = {f"{name}{_ENDING}": text.encode() for name, text in files.items()}
            outcome = {"exit_code": exit_code}
            _cache().keep(key, StoredBuild(files=content, outcome=outcome))

    def key(self) -> str | None:
        """Return a digest of everything that decides the findings; None where it is not known."""
        read = _read_by(self.options, self.show)
        if read is None:
            return None
        package = Path(__file__).resolve().parent.parent
        state = signature([package, *read], most=_MOST_FILES)
        if state is None:
            return None
        options = replace(self.options, workers=0, seconds=1.0, memory=2**30)
        own = sorted(one for one in os.environ.items() if one[0].startswith("REPORTGEN_"))
        told = [one for one in own if one[0] not in _FREE]
        parts = (installed(), state, str(Path.cwd()), options, self.show, told)
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()


_ENDING = ".findings"
"""Stands behind the name of what is kept: what is printed has none of its own."""


def _cache() -> BuildCache:
    return BuildCache(default_cache(), kind="checks", most=_MOST_KEPT)


def _checked(kept: StoredBuild, show: ShowOptions) -> tuple[dict[str, str], int] | None:
    """Return what was kept, if it is of the form that is kept: it may be anybody's file."""
    code = kept.outcome.get("exit_code") if isinstance(kept.outcome, dict) else None
    if type(code) is not int or code not in {0, 1} or not kept.files:
        return None
    try:
        files = {name.removesuffix(_ENDING): text.decode() for name, text in kept.files.items()}
    except UnicodeDecodeError:
        return None
    return (files, code) if files.keys() <= _names(show) else None


def _names(show: ShowOptions) -> set[str]:
    """Return the names that findings may have: nothing else is ever written."""
    from reportgen.checking.projections import FINDINGS

    if show.out is None:
        return {""}
    if show.out.suffix and not show.out.is_dir():
        return {show.out.name}
    return {FINDINGS[name].match[0] for name in FINDINGS}


def _read_by(options: CheckOptions, show: ShowOptions) -> list[Path] | None:
    """Return all files and folders that a check looks at; None where these cannot be told.

    A report brings in files below its folder, and its evidence may lie there; so may a study that
    names others. Models and adapters are read with what lies beside them.
    """
    given = options.evidence()
    named = [text for text in given.values() if text is not None]
    unknown = options.address or options.only_with_evidence or len(options.reports) != 1
    if unknown or any("{name}" in text or "://" in text for text in named):
        return None
    if os.environ.get("GITHUB_STEP_SUMMARY"):
        return None
    [report] = options.reports
    if not report.is_file():
        return None
    read = [report]
    own = not (options.runs or options.study)
    if own and (report.parent / "study.toml").exists():
        return None
    if own or report.suffix.lower() == ".tex":
        read.append(report.parent)
    files = (options.runs, options.checkpoint, options.adapter, options.base)
    read += [_with_neighbours(Path(text)) for text in files if text is not None]
    if options.study is not None:
        read += _read_by_study(options)
    single = (options.report, show.rubric)
    return [*read, *(Path(one) for one in single if one is not None)]


def _with_neighbours(path: Path) -> Path:
    """Return a folder, or that of a file: files are read with what lies beside them."""
    return path if path.is_dir() else path.parent


def _read_by_study(options: CheckOptions) -> Sequence[Path]:
    from reportgen.app.building import inputs_of
    from reportgen.app.options import BuildOptions

    study = Path(options.study or "")
    runs = Path(options.runs) if options.runs is not None else None
    named = inputs_of(BuildOptions(out=Path(), study=study, runs=runs))
    return [study, *map(_with_neighbours, named)]
