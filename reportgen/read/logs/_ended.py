"""How a program ended, as far as what it printed tells: by an error, by Slurm, or when done."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reportgen.records.run import FAILED, FINISHED

ERROR_SHOWN = 120
"""Letters of an error that are shown."""

REMEDY = "start the run again, or leave it out"
_TRACEBACK = b"Traceback (most recent call last)"
_ERROR = re.compile(rb"[\w.]*(?:Error|Exception|Interrupt)\b")
_CANCELLED = re.compile(rb"slurmstepd: error: (\*{3} (?:JOB|STEP) .*CANCELLED.*)")


@dataclass(slots=True)
class End:
    """How a program ended, heard line by line.

    Attributes:
        error: With which error, empty where it did not end so.
        finished: Whether it said that training is over.
        behind: Lines behind the error.

    Example:
        >>> end = End()
        >>> for number, line in enumerate((b"Traceback (most recent call last):", b"OSError: 5")):
        ...     end.hear(line, number + 1)
        >>> end.told, end.ended
        ('the program ended with an error in line 2: OSError: 5', 'failed')
    """

    error: str = ""
    finished: bool = False
    behind: int = 0
    _is_told: bool = False

    @property
    def ended(self) -> str:
        """Return `FAILED`, `FINISHED`, or an empty text where nothing was heard."""
        return FAILED if self.error else FINISHED if self.finished else ""

    @property
    def told(self) -> str:
        """Return the sentence that tells of the error."""
        return f"the program ended with {self.error[:ERROR_SHOWN]}"

    def hear(self, raw: bytes, number: int) -> None:
        """Note what a line says of an end."""
        if raw.startswith(_TRACEBACK):
            self.error, self._is_told = f"a traceback in line {number}", False
            self.behind = 0
        elif b"slurmstepd" in raw and (cancelled := _CANCELLED.search(raw)):
            said = cancelled[1].decode("utf-8", "replace").strip()
            self.error, self._is_told = f"what Slurm says in line {number}: {said}", True
        elif self.error and not self._is_told and _ERROR.match(raw):
            self.error = f"an error in line {number}: {raw.decode('utf-8', 'replace').strip()}"
            self._is_told = True
        elif self._is_told:
            self.behind += bool(raw.strip())

    def go_on(self, *, finished: bool = False) -> None:
        """Forget an end behind which the training went on."""
        self.error, self._is_told, self.finished = "", False, finished
