"""Which reports are to be checked, and which evidence belongs to each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from reportgen.api.evidence import EvidencePaths
from reportgen.errors import EvidenceError, UsageError
from reportgen.manuscripts import MANUSCRIPTS

NAME = "{name}"
"""Stands for the submission's name in a path of evidence."""

OWN_LOGS = ("logs", "runs", "tensorboard", "tb_logs", "lightning_logs", "wandb", "mlruns")
"""Folders of a submission that hold its own logs, the first that is there."""

# The likeliest first, where a submission holds several: what was handed in before its source.
_PREFERRED = ("*.pdf", "*.ipynb", "*.tex", "*.md", "*.qmd", "*.Rmd", "*.markdown", "*.txt")
_NO_REPORT = ("readme*", "license*", "licence*", "changelog*", "requirements*", ".*", "_*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One report with the evidence it is held against.

    Attributes:
        name: Folder or file name without ending; unique in a class.
        report: The file; None where the folder holds none.
        evidence: What it is held against.
        fault: Why it cannot be checked, or empty.
    """

    name: str
    report: Path | None
    evidence: EvidencePaths = field(default_factory=EvidencePaths)
    fault: str = ""


def find_submissions(
    reports: Sequence[Path], evidence: dict[str, str | None]
) -> tuple[Submission, ...]:
    """Return what is to be checked, in order of the names below each folder.

    A file is one submission. Of a folder, each folder in it that holds a report is one, and so is
    each report that lies in it directly; a folder with a single report and no such folders is one.

    Evidence of a submission, for each kind: a path with `{name}` in it, filled in; else the folder
    `DIR/name` of a given `DIR`, where there is one; else the given path, shared by all; without
    one, for logs, the submission's own folder `logs`, `runs`, ... and for the study its
    `study.toml`.

    Args:
        reports: Files and folders.
        evidence: `runs`, `study`, `checkpoint`, `adapter`, `base` to a path with or without
            `{name}`, or None.

    Raises:
        EvidenceError: There is no such file or folder, or no report in it.
        UsageError: Two submissions have one name.
    """
    found = [one for path in reports for one in _below(path)]
    names = [name for name, _, _ in found]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise UsageError(
            f"two submissions are called {repeated[0]!r}",
            remedy="check the folder that holds them both, or one after the other",
        )
    return tuple(
        Submission(
            name=name,
            report=report,
            evidence=_evidence_of(name, home, evidence, one=len(found) == 1),
            fault="" if report else f"{home} holds no report ({', '.join(_PREFERRED)})",
        )
        for name, report, home in found
    )


def _below(path: Path) -> Iterator[tuple[str, Path | None, Path]]:
    """Yield (name, report, folder) of the submissions that a path stands for."""
    if not path.exists():
        raise EvidenceError(f"no such report or folder: {path}", remedy="check the path")
    if path.is_file():
        yield path.stem, path, path.parent
        return
    folders = [
        f for f in sorted(path.iterdir()) if f.is_dir() and not f.name.startswith((".", "_"))
    ]
    holding = [(folder, _report_in(folder)) for folder in folders if folder.name not in OWN_LOGS]
    direct = [file for file in sorted(path.iterdir()) if _is_report(file)]
    if any(report for _, report in holding):
        yield from ((folder.name, report, folder) for folder, report in holding)
        yield from ((file.stem, file, path) for file in direct)
        return
    stems = list(dict.fromkeys(file.stem for file in direct))
    if not direct:
        raise EvidenceError(
            f"no report in {path}: looked for {', '.join(_PREFERRED)}",
            remedy="name the file, or the folder whose folders are the submissions",
        )
    for stem in stems:
        yield stem, _best([file for file in direct if file.stem == stem]), path


def _report_in(folder: Path) -> Path | None:
    """Return the report of a submission's folder, looked for two folders deep."""
    for pattern in ("*", "*/*"):
        if best := _best([file for file in sorted(folder.glob(pattern)) if _is_report(file)]):
            return best
    return None


def _best(files: Sequence[Path]) -> Path | None:
    """Return the likeliest report: by its ending, then one called report, then the largest."""
    return min(files, key=_likeliness, default=None)


def _likeliness(file: Path) -> tuple[int, bool, int, str]:
    ending = next(n for n, pattern in enumerate(_PREFERRED) if fnmatch(file.name, pattern))
    called = any(word in file.stem.lower() for word in ("report", "rapport", "main", "paper"))
    return ending, not called, -file.stat().st_size, file.name


def _is_report(file: Path) -> bool:
    name = file.name
    if not file.is_file() or any(fnmatch(name.lower(), pattern) for pattern in _NO_REPORT):
        return False
    return any(fnmatch(name, p) for entry in MANUSCRIPTS.values() for p in entry.match)


def _evidence_of(
    name: str, home: Path, given: dict[str, str | None], *, one: bool
) -> EvidencePaths:
    found: dict[str, Path | None] = {}
    for kind, text in given.items():
        if text is None:
            found[kind] = None
        elif NAME in text:
            found[kind] = Path(text.replace(NAME, name))
        else:
            own = Path(text) / name
            found[kind] = own if not one and own.exists() else Path(text)
    if found.get("study") is None and found.get("runs") is None:
        found["study"] = next((f for f in [home / "study.toml"] if f.is_file()), None)
        if found["study"] is None:
            found["runs"] = next((home / d for d in OWN_LOGS if (home / d).is_dir()), None)
    return EvidencePaths(**found)
