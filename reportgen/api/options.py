"""What a use case is asked for, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Notify = Callable[[str, int, int], None]
Told = tuple[str, str, str, Sequence[str]]


def silent(stage: str, done: int, total: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """What to build, from what, into what.

    Attributes:
        out: File or folder of the output.
        study: Study file; None infers everything.
        runs: Folder with the logs; wins over the study's.
        formats: Endings (`pdf`, `tex`, `md`, `html`, `json`, `typ`, `zip`); empty takes them
            from `out`.
        engine: `"auto"`, `"typst"` or `"latex"`.
        template: Folder with templates that win over the project's and the packaged ones.
        checkpoint, adapter, base: Files or folders that win over the study's.
        settings: Keys of `[metric]`, `[statistics]` or `[report]` that win over the study's.
        cache: Cache folder; the empty path is the usual place; None builds afresh.
    """

    out: Path
    study: Path | None = None
    runs: Path | None = None
    formats: tuple[str, ...] = ()
    engine: str = "auto"
    template: Path | None = None
    checkpoint: Path | None = None
    adapter: Path | None = None
    base: Path | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    cache: Path | None = Path()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutcome:
    """What a build did.

    Attributes:
        files: Files of the report, main ones first.
        written: Those of them whose content is new.
        unchanged: True when every input was as at an earlier build and nothing was redone.
        warnings: One line each.
        decisions: (key, value, reason, alternatives) of everything inferred.
        engine: Name and version of what made the PDF, or `"no PDF asked for"`.
        exit_code: 0, or 3 when no run of the study has a best step.
    """

    files: tuple[Path, ...]
    written: tuple[Path, ...]
    unchanged: bool
    warnings: tuple[str, ...]
    decisions: tuple[Told, ...]
    engine: str
    exit_code: int

    def to_json(self) -> dict[str, object]:
        """Return the outcome with plain values."""
        return {
            "files": [str(path) for path in self.files],
            "written": [str(path) for path in self.written],
            "unchanged": self.unchanged,
            "warnings": list(self.warnings),
            "decisions": [
                {"key": k, "value": v, "reason": r, "alternatives": list(a)}
                for k, v, r, a in self.decisions
            ],
            "engine": self.engine,
            "exit_code": self.exit_code,
        }
