"""What a projection of findings is told beside the findings themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reportgen.records.finding import LEVELS
from reportgen.records.rubric import Rubric

FAIL_ON = ("error", "warning", "never")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """Options of every findings format; each reads those that concern it.

    Attributes:
        rubric: Lines to score by; None uses lines that cost nothing.
        rules: Names of checks to what each says, one line, for formats that describe rules.
        names: Names of the submissions, one a judgement; empty takes those of the files.
        root: Folder that printed paths are relative to, where they lie in it.
        fail_on: `"error"`, `"warning"` or `"never"`: from which level on a report fails.
        sarif_all: Whether SARIF also holds what agrees and what cannot be checked.
        quiet: Whether the terminal is shown errors only.
        verbose: Whether the terminal is shown what agrees and every reading that was tried.
        colour: Whether the terminal is written to in colours.
        visibility: When students see results, over the rubric's; empty keeps the rubric's.
    """

    rubric: Rubric | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    root: str = ""
    fail_on: str = "error"
    sarif_all: bool = False
    quiet: bool = False
    verbose: bool = False
    colour: bool = False
    visibility: str = ""

    def fails(self, level: str) -> bool:
        """Say whether a finding of this level makes a report fail.

        Example:
            >>> [Rendering(fail_on=on).fails("warning") for on in FAIL_ON]
            [False, True, False]
        """
        return self.fail_on in LEVELS and LEVELS.index(level) <= LEVELS.index(self.fail_on)
