"""How fast a report follows its inputs, and what comes of each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reportgen.api.options import BuildOutcome
from reportgen.errors import ExitCode, ReportgenError

BUILDING, PAGE, CURRENT = "building", "page", "current"
FAILED, WAITING = "failed", "waiting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast changes are followed, in seconds.

    Attributes:
        look: Between two looks at the inputs; more where a look takes long.
        remote: The same for an object store, which is asked over the network.
        quiet: After a change, for how long nothing may change before the report is built.
        burst: The longest wait for that.
        rest: The longest rest after a build. It is as long as the build was, so that following
            a training that logs without end takes half of one core at most.
        hold: For how long a log that was just being written is not believed to be damaged.
        retry: Between two attempts where the output cannot be written.
    """

    look: float = 0.25
    remote: float = 10.0
    quiet: float = 0.1
    burst: float = 0.5
    rest: float = 2.0
    hold: float = 3.0
    retry: float = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What came of one change.

    Attributes:
        state: `"building"`, `"page"` when the HTML page is there and the PDF is not yet,
            `"current"`, `"failed"`, or `"waiting"` for the first point.
        outcome: What was written, of a report that is current.
        files: The report itself, by relative path; of a page, what there is of it.
        redone: What had to be read, drawn and rendered anew: `log NAME`, `figure ID`, `FILE`.
        seconds: How long it took.
        fault: What went wrong.
    """

    state: str
    outcome: BuildOutcome | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    redone: tuple[str, ...] = ()
    seconds: float = 0.0
    fault: ReportgenError | None = None

    @property
    def under_way(self) -> bool:
        """Whether something else follows by itself."""
        return self.state in {BUILDING, PAGE}

    @property
    def files_changed(self) -> bool:
        """Whether the report is another than before: something had to be rendered."""
        return any(name in self.files for name in self.redone)

    @property
    def exit_code(self) -> int:
        """What the command line ends with if this round is the last."""
        if self.outcome is not None:
            return self.outcome.exit_code
        return int(self.fault.exit_code if self.fault is not None else ExitCode.OK)

    def to_json(self) -> dict[str, object]:
        """Return the round with plain values."""
        told: dict[str, object] = {"state": self.state}
        if self.state == PAGE:
            told["seconds"] = round(self.seconds, 3)
        if self.outcome is not None:
            told |= {"seconds": round(self.seconds, 3), "redone": list(self.redone)}
            told |= self.outcome.to_json()
        if self.fault is not None:
            told |= {"error": self.fault.message, "remedy": self.fault.remedy}
            told |= {"details": self.fault.details, "exit_code": self.exit_code}
        return told
