"""What a projection is told beside the reviews themselves."""

from __future__ import annotations

from typing import Any

from reportgen.records.record import field, record
from reportgen.records.verdict import LEVELS, Rubric

FAIL_ON = ("error", "warning", "never")


@record
class Rendering:
    """Options of every findings format; each reads those that concern it.

    Attributes:
        rubric: Lines to score by; None uses lines that cost nothing.
        names: Names of the submissions, one a review; empty takes those of the files.
        root: Folder that printed paths are relative to, where they lie in it.
        fail_on: `"error"`, `"warning"` or `"never"`: from which level on a report fails.
        sarif_all: Whether SARIF also holds what is traced and untraced.
        quiet: Whether the terminal is shown errors only.
        verbose: Whether the terminal is shown what is untraced and traced, with the evidence.
        colour: Whether the terminal is written to in colours.
        visibility: When students see results, over the rubric's; empty keeps the rubric's.
        kept: Reviews as plain values, by name: what several formats show is made once.
    """

    rubric: Rubric | None = None
    names: tuple[str, ...] = ()
    root: str = ""
    fail_on: str = "error"
    sarif_all: bool = False
    quiet: bool = False
    verbose: bool = False
    colour: bool = False
    visibility: str = ""
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def fails(self, level: str) -> bool:
        """Say whether a finding of this level makes a report fail.

        Example:
            >>> [Rendering(fail_on=on).fails("warning") for on in FAIL_ON]
            [False, True, False]
        """
        return self.fail_on in LEVELS and LEVELS.index(level) <= LEVELS.index(self.fail_on)
