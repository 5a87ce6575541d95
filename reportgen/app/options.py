"""What a use case is asked for, and what it answers."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from reportgen.app.reading import LogOptions, Notify, silent
from reportgen.records.errors import UsageError
from reportgen.records.record import field, record

if TYPE_CHECKING:
    import pandas as pd

    from reportgen.app.notebook import BuiltReport, PrintedTable


__all__ = ["BuildOptions", "BuildOutcome", "LogOptions", "Notify", "Told", "read_count", "silent"]
Told = dict[str, Any]
"""A decision with plain values, as `reportgen.read.study` describes it."""
# Digits, or groups of three with one sign between them all: a comma, a point, an underscore, an
# apostrophe or one of the spaces of print.
_WHOLE = r"(?a)\d{1,3}(?:([,._ '’\u00a0\u2009\u202f])\d{3}(?:\1\d{3})*)?|\d+"
_POWER = r"(?a)(\d+)(?:\.(\d+))?[eE]\+?(\d{1,2})"
_ROUNDED = r"(?a)[\d., ]+ ?(?:[kKmMbBgGtT]|million|billion)"
_LONGEST_COUNT = 40


def read_count(text: str) -> int:
    """Read a whole number as people write large ones.

    Raises:
        ValueError: It is none, or a rounded one such as `22.8M`, which counts nothing exactly.

    Example:
        >>> read_count("1,572,864"), read_count("1 572 864"), read_count("2.2829056e7")
        (1572864, 1572864, 22829056)
        >>> read_count("22.8M")
        Traceback (most recent call last):
        ...
        ValueError: '22.8M' is rounded: write every digit, as 22829056 or 22,829,056
    """
    written = text.strip() if len(text) <= _LONGEST_COUNT else ""
    power = re.fullmatch(_POWER, written)
    if power:
        fraction = (power[2] or "").rstrip("0")
        zeros = int(power[3]) - len(fraction)
        if zeros >= 0:
            return int(power[1] + fraction + "0" * zeros)
    elif re.fullmatch(_ROUNDED, written):
        raise ValueError(f"{text!r} is rounded: write every digit, as 22829056 or 22,829,056")
    elif found := re.fullmatch(_WHOLE, written):
        if found[1] == "." and written.count(".") == 1:
            raise ValueError(f"{text!r} may be a fraction: write the digits without the point")
        return int(re.sub(r"\D", "", written))
    raise ValueError(f"{text!r} is no whole number of parameters")


@record
class BuildOptions:
    """What to build, from what, into what.

    Attributes:
        out: File or folder of the output.
        study: Study file; None infers everything.
        runs: Folder with the logs, or its URL; wins over the study's.
        formats: Endings (`pdf`, `tex`, `md`, ..., as `--format` has them); empty takes them
            from `out`.
        engine: `"auto"`, `"typst"` or `"latex"`.
        template: Folder with templates that win over the project's and the packaged ones.
        checkpoint, adapter, base: Files or folders that win over the study's.
        settings: Keys of `[metric]`, `[statistics]` or `[report]` that win over the study's.
        cache: Cache folder; the empty path is the usual place; None builds afresh.
        jobs: Processes that read logs, as in `LogOptions`.
        loader: What reads event files, as in `LogOptions`.
        address: Of a Dask scheduler whose workers read logs, as in `LogOptions`.

    A text stands for its path everywhere.
    """

    out: Path
    study: Path | None = None
    runs: Path | str | None = None
    formats: tuple[str, ...] = ()
    engine: str = "auto"
    template: Path | None = None
    checkpoint: Path | None = None
    adapter: Path | None = None
    base: Path | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    cache: Path | None = Path()
    jobs: int | None = None
    loader: str = "own"
    address: str = ""

    def __post_init__(self) -> None:
        for name in ("out", "study", "template", "checkpoint", "adapter", "base", "cache"):
            given = getattr(self, name)
            if isinstance(given, str):
                object.__setattr__(self, name, Path(given))


@record
class BuildOutcome:
    """What a build did.

    Attributes:
        files: Files of the report, main ones first.
        written: Those of them whose content is new.
        unchanged: True when every input was as at an earlier build and nothing was redone.
        warnings: One line each.
        notes: Damage of files for which hardly anything is missing, such as a last line that is
            cut off while the training runs; one line each.
        decisions: Everything inferred.
        engine: Name and version of what made the PDF, or `"no PDF asked for"`.
        exit_code: 0, or 3 when no run has a value to report, or a study file says which split
            chooses the step and none of them has a best step.
    """

    files: tuple[Path, ...]
    written: tuple[Path, ...]
    unchanged: bool
    warnings: tuple[str, ...]
    decisions: tuple[Told, ...]
    engine: str
    exit_code: int
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the outcome with plain values."""
        return {
            **{name: [*map(str, getattr(self, name))] for name in ("files", "written")},
            "unchanged": self.unchanged,
            **{name: [*getattr(self, name)] for name in ("warnings", "notes", "decisions")},
            "engine": self.engine,
            "exit_code": self.exit_code,
        }

    @property
    def report(self) -> BuiltReport:
        """The report that was built, for notebooks.

        Raises:
            EvidenceError: Neither its report.json nor its PDF was asked for.
        """
        from reportgen.app.notebook import open_report

        by_ending = {path.suffix: path for path in self.files}
        return open_report(by_ending.get(".json") or by_ending.get(".pdf") or self.files[0])

    @property
    def numbers(self) -> pd.DataFrame:
        """Every printed number, as `BuiltReport.numbers`."""
        return self.report.numbers

    def table(self, name: str) -> PrintedTable:
        """Return a table by its id, as `BuiltReport.table`."""
        return self.report.table(name)

    def show(self, height: int = 720) -> None:
        """Display the HTML page, as `BuiltReport.show`."""
        self.report.show(height)

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


Options = TypeVar("Options")


Place = str | os.PathLike[str]


def options_of(
    kind: type[Options],
    options: Options | Place | Sequence[Place] | None,
    given: Mapping[str, Any],
    first: str = "study",
) -> Options:
    """Return options with what is given in place of what they say.

    Args:
        kind: A dataclass of options.
        options: Those to begin with, or none; a path, or several, is the option `first`.
        given: Fields by name.
        first: Name of the option that a call may begin with.

    Raises:
        UsageError: There is no such option, or one that is needed is not given.

    Example:
        >>> from reportgen.app.checking import CheckOptions
        >>> try:
        ...     options_of(CheckOptions, None, {"run": "logs"})
        ... except UsageError as fault:
        ...     print(fault.message, fault.remedy, sep="; ")
        there is no option 'run'; did you mean runs?
    """
    import difflib
    from dataclasses import MISSING, fields, replace

    if isinstance(options, str | os.PathLike | list | tuple):
        if first in given:
            raise UsageError(f"{first} is given twice", remedy=f"give it first, or as {first}=...")
        options, given = None, {first: options, **given}
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            remedy = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise UsageError(f"there is no option {name!r}", remedy=remedy)
    if options is not None:
        return cast("Options", replace(options, **given))  # type: ignore[type-var]
    lacking = [
        name
        for name, field in known.items()
        if name not in given and field.default is MISSING and field.default_factory is MISSING
    ]
    if lacking:
        raise UsageError(f"{lacking[0]} is not given", remedy=f"give {lacking[0]}=...")
    return kind(**given)
