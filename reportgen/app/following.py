"""A report that follows its inputs: built again, as far as needed, whenever one changes."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.app import building
from reportgen.app.building import targets
from reportgen.app.live import Board, Shown, Watched, changed_lately, everything, serving
from reportgen.app.options import BuildOptions, BuildOutcome, Notify, silent
from reportgen.app.reading import check_apart, real
from reportgen.read.store import check_writable, signature, write_changed
from reportgen.records.errors import (
    EvidenceError,
    ExitCode,
    OutputError,
    ReportgenError,
    TemplateError,
    UsageError,
)
from reportgen.records.kept import Kept
from reportgen.records.record import field, record, replace

if TYPE_CHECKING:
    from reportgen.app.live import State, Weigh
    from reportgen.records.facts import Facts
    from reportgen.records.run import Problem
    from reportgen.records.study import TablePlan
    from reportgen.render import Rounds

BUILDING, PAGE, CURRENT = "building", "page", "current"
FAILED, WAITING = "failed", "waiting"


@record
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


@record
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


LOOK_SHARE = 20
"""A look may take one part in so many of the time."""
SLOWEST_LOOK = 2.0
FRESH = 2.0
"""Seconds after its last change for which a file may be amid a write."""
Tell = Callable[[Round], None]


def follow(
    options: BuildOptions,
    tell: Tell,
    *,
    stop: threading.Event,
    pace: Pace | None = None,
    writes: bool = True,
    notify: Notify = silent,
) -> None:
    """Build a report, and again whenever its inputs change, until `stop` is set.

    A build that fails is told, and leaves the report before it where it is.

    Args:
        options: What to build; kept builds of other processes are neither used nor made.
        tell: Called with each round, from this thread.
        stop: Ends the following.
        pace: How fast changes are followed.
        writes: Whether files are written; without, they are only told.
        notify: Called with (stage, done, total) on long work.

    Raises:
        UsageError: What is asked for cannot be built at all.
        OutputError: The output cannot be written from the beginning.
    """
    follower = Follower(options, tell, pace or Pace(), writes=writes, notify=notify)
    while not stop.is_set():
        stop.wait(follower.step(stop))


@record
class Inputs:
    """What decides what a report holds.

    Attributes:
        logs: Folder, or file, with the logs.
        reruns: Folders with the logs of re-runs.
        others: Files and folders that count as a whole.
        tables: How the study says that files of rows are read.
        product: Folder that the report itself writes, which may lie among the logs.
    """

    logs: Path
    reruns: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()
    tables: tuple[TablePlan, ...] = ()
    product: Path | None = None

    def roots(self) -> list[tuple[Path, Weigh]]:
        """Return what is watched; of logs, what a loader answers to or another stage opens."""
        weigh = _weigh(self.tables)
        found = [(path, self._without_product(path, weigh)) for path in (self.logs, *self.reruns)]
        return [*found, *((path, everything) for path in self.others)]

    def _without_product(self, root: Path, weigh: Weigh) -> Weigh:
        """Let nothing count that the report itself writes below a root."""
        product = real(self.product) if self.product is not None else None
        if product is None or not product.is_relative_to(real(root)):
            return weigh
        own = f"{product.relative_to(real(root)).as_posix()}/"
        return lambda name: None if name.startswith(own) else weigh(name)


def _inputs(options: BuildOptions) -> Inputs:
    """Return the inputs of some options, with what the study names."""
    from reportgen.app.analysis import read_plan, runs_root
    from reportgen.read.logs import FOLDER

    folder, stem, _ = building.targets(options)
    plan = read_plan(options.study)
    logs = runs_root(options, plan)
    reruns = (options.study.parent / plan.reruns,) if options.study is not None else ()
    named = (*building.inputs_of(options), *building.looks_of(options))
    return Inputs(
        logs=logs,
        reruns=reruns,
        others=tuple(path for path in named if path not in {logs, *reruns}),
        tables=tuple(plan.tables),
        product=folder / f"{stem}{FOLDER}",
    )


def _weigh(tables: Sequence[TablePlan]) -> Weigh:
    """Return what says whether a file below the logs counts: its content, or its being there."""
    from reportgen.read.logs import NAMED, SKIPPED_FOLDERS, loader_of, plan_of
    from reportgen.records.run import RECORD

    whole = {name for name in NAMED if "*" not in name} | {RECORD}
    weights = [name for name in NAMED if "*" in name]

    # The same names come again whenever a folder is listed again.
    @lru_cache(maxsize=1 << 17)
    def weigh(name: str) -> bool | None:
        *folders, base = name.split("/")
        if not SKIPPED_FOLDERS.isdisjoint(folders):
            return None
        if base in whole or loader_of(name) or plan_of(name, tables):
            return True
        return False if any(fnmatchcase(base, ending) for ending in weights) else None

    return weigh


class Follower:
    """One report that is followed; the arguments are those of `follow`."""

    def __init__(
        self,
        options: BuildOptions,
        tell: Tell,
        pace: Pace,
        *,
        writes: bool = True,
        notify: Notify = silent,
    ) -> None:
        from reportgen.app.analysis import read_plan, runs_root
        from reportgen.app.remote import url_in
        from reportgen.read.remote import is_url

        self._options = options
        self._tell, self._pace, self._notify, self._writes = tell, pace, notify, writes
        self._folder, self._stem, self._endings = building.targets(options)
        if writes:
            main = [self._folder / f"{self._stem}.{ending}" for ending in self._endings]
            check_apart(main, building.inputs_of(options))
            check_writable(self._folder)
        named = options.runs if options.runs is not None else url_in(options.study)
        self._remote = isinstance(named, str) and is_url(named)
        if self._remote and options.cache is None:
            raise UsageError(
                "an object store is followed with the help of the cache",
                remedy="leave --no-cache away",
            )
        self._inputs: Inputs | None = None
        # What is wrong with the study from the beginning is no matter of waiting.
        plan = read_plan(options.study)
        if not self._remote:
            runs_root(options, plan)
        self._watched = Watched([])
        self._done: State | None = None
        self._again = 0.0
        self._held = 0.0
        self._looks: dict[str, str] = {}
        self._kept = Kept()
        self._believed: set[Problem] = set()
        self._last: Round | None = None
        self._reported = False

    def step(self, stop: threading.Event) -> float:
        """Look once, build if something has changed, and return how long to wait."""
        from reportgen.app.remote import runs_at_hand

        begun = time.monotonic()
        try:
            with runs_at_hand(self._options, silent, cache=self._options.cache) as here:
                state = self._look(here)
                looked = time.monotonic() - begun
                due = 0 < self._again <= time.monotonic()
                if state == self._done and not due:
                    return self._pause(looked)
                state = self._when_quiet(here, state, stop)
                if stop.is_set():
                    return 0.0
                self._round(here, state)
        except ReportgenError as fault:
            # The store itself, or the study that names it.
            self._fail(fault, again=True)
            return self._pace.retry
        return max(self._pause(looked), min(time.monotonic() - begun, self._pace.rest))

    def _pause(self, looked: float) -> float:
        slow = min(SLOWEST_LOOK, LOOK_SHARE * looked)
        return self._pace.remote if self._remote else max(self._pace.look, slow)

    def _look(self, options: BuildOptions) -> State:
        """Return the state of all inputs; where the study cannot be read, of those known so far."""
        try:
            inputs = _inputs(options)
        except ReportgenError:
            inputs = self._inputs or Inputs(logs=options.study or Path())
        if inputs != self._inputs:
            self._inputs, self._watched = inputs, Watched(inputs.roots())
        return self._watched.look()

    def _when_quiet(self, options: BuildOptions, state: State, stop: threading.Event) -> State:
        """Wait out a burst of writes, but not for long: some trainings never pause."""
        begun = time.monotonic()
        while self._done is not None and time.monotonic() - begun < self._pace.burst:
            stop.wait(self._pace.quiet)
            now = self._look(options)
            if now == state or stop.is_set():
                break
            state = now
        return state

    def _round(self, options: BuildOptions, state: State) -> None:
        begun = time.monotonic()
        # An attempt made again by itself is told of when it comes to something else.
        again = state == self._done
        self._done, self._again = state, 0.0
        if not again:
            self._tell(Round(state=BUILDING))
        try:
            round_ = self._build(options, state, begun)
        except ReportgenError as fault:
            self._fail(fault, again=again)
            return
        except OSError as error:
            # A file that vanishes while it is read comes back, or is no longer listed.
            self._fail(OutputError(str(error), remedy="it is tried again by itself"), again=again)
            return
        if round_ is None:
            self._done = None
            return
        self._last, self._reported = round_, True
        self._tell(round_)

    def _build(self, options: BuildOptions, state: State, begun: float) -> Round | None:
        """Build once; None where a log seems to be amid a write, and is looked at again."""
        from reportgen.app.analysis import analyse

        early: list[str] = []
        rounds = self._rounds(options, early, begun)
        self._kept.begin()
        current = building.current_settings(options)
        facts = analyse(options, self._notify, current=current, kept=self._kept)
        if self._is_amid_a_write(facts, state):
            return None
        built = building.render(
            facts, options, self._stem, self._endings, self._notify, rounds=rounds
        )
        if isinstance(built.fault, TemplateError):
            # The source it was found in is not written: the last good report stays.
            built.fault.details.pop("output", None)
            raise built.fault
        outcome = building.deliver(built, self._folder, reused=False, writes=self._writes)
        outcome = replace(outcome, written=(*map(self._folder.joinpath, early), *outcome.written))
        self._kept.end()
        self._believed = set(facts.problems)
        if building.has_unread(facts):
            self._again = time.monotonic() + self._pace.retry
        return Round(
            state=CURRENT,
            outcome=outcome,
            files=built.files,
            redone=tuple(self._kept.redone),
            seconds=time.monotonic() - begun,
        )

    def _rounds(self, options: BuildOptions, early: list[str], begun: float) -> Rounds:
        """Return what is known of the round before; templates that changed are read afresh.

        Files that are written before the pages are set have their names put into `early`.
        """
        from reportgen.render import FORMATS, Rounds, forget_templates

        folders = building.looks_of(options)
        looks = {name: signature([folder / name for folder in folders]) or "" for name in FORMATS}
        if looks != self._looks:
            # A template that is new in front of another is not noticed by the template engine.
            forget_templates()
        self._looks = looks

        def give(files: Mapping[str, bytes]) -> None:
            if self._writes:
                early.extend(write_changed(self._folder, files))
            self._tell(Round(state=PAGE, files=files, seconds=time.monotonic() - begun))

        # The engine can still find a fault in templates of the user's; then nothing is given out.
        return Rounds(kept=self._kept, looks=looks, early=None if folders else give)

    def _is_amid_a_write(self, facts: Facts, state: State) -> bool:
        """Tell whether a new problem is one of a file that was written to just now."""
        logs = self._inputs.logs if self._inputs is not None else Path()
        now = time.monotonic()
        fresh = any(
            problem.level == "warning"
            and problem not in self._believed
            and changed_lately(state.get(str((logs / problem.path).absolute()), ()), FRESH)
            for problem in facts.problems
        )
        self._held = (self._held or now) if fresh else 0.0
        return fresh and now - self._held < self._pace.hold

    def _fail(self, fault: ReportgenError, *, again: bool) -> None:
        """Tell a fault; one of usage that is there from the beginning ends it all."""
        if self._last is None and fault.exit_code is ExitCode.USAGE:
            raise fault
        if isinstance(fault, OutputError | EvidenceError):
            # What is the matter may lie outside the inputs: a disk, a file server.
            self._again = time.monotonic() + self._pace.retry
        waiting = isinstance(fault, EvidenceError) and not self._reported
        before = self._last.fault if self._last is not None else None
        if again and before is not None and str(before) == str(fault):
            return
        self._last = Round(state=WAITING if waiting else FAILED, fault=fault)
        self._tell(self._last)


# A report that follows its inputs in a browser on this machine.

Ready = Callable[[int], None]


def serve(
    options: BuildOptions,
    tell: Tell,
    *,
    stop: threading.Event,
    ready: Ready,
    port: int | None = None,
    writes: bool = True,
    pace: Pace | None = None,
    notify: Notify = silent,
) -> None:
    """Follow the inputs of a report and show it on the loopback interface until `stop` is set.

    Args:
        options: What to build; HTML is always among the formats.
        tell: Called with each round, from this thread.
        stop: Ends it.
        ready: Called with the port once the server answers.
        port: Where to listen; 0 takes any that is free, None the usual one or one of the next.
        writes: Whether the report is written to `options.out` as well.
        pace: How fast changes are followed.
        notify: Called with (stage, done, total) on long work.

    Raises:
        UsageError: The port is taken, or what is asked for cannot be built at all.
        OutputError: The output cannot be written from the beginning.
    """
    _, stem, endings = targets(options)
    if "html" not in endings:
        options = replace(options, formats=(*endings, "html"))
    board = Board()
    window = _Window(board, f"{stem}.html", str(options.settings.get("lang", "")))
    with serving(board, port) as chosen:
        ready(chosen)

        def show(round_: Round) -> None:
            window.show(round_)
            tell(round_)

        follow(options, show, stop=stop, pace=pace, writes=writes, notify=notify)


class _Window:
    """Turns rounds into what the browser is given.

    Args:
        board: Where it is put up.
        main: Name of the page among the report's files.
        lang: Language asked for on the command line, or empty.
    """

    def __init__(self, board: Board, main: str, lang: str) -> None:
        self._board, self._main, self._lang = board, main, lang or "en"
        self._version = ""
        self._time = ""
        self._links: list[str] = []
        self.show(Round(state=WAITING))

    def show(self, round_: Round) -> None:
        """Put a round up; what fails leaves the files of the last good report there."""
        from reportgen.render import live_page, waiting_page

        files = dict(self._board.shown.files)
        # The page comes while the PDF is still being made; until then the one before it stays.
        if page := round_.files.get(self._main):
            self._version = hashlib.sha256(page).hexdigest()[:16]
            self._time = time.strftime("%H:%M:%S")
            files = dict(round_.files) if round_.state == CURRENT else files | dict(round_.files)
            self._lang = _lang_of(page, self._lang)
            self._links = [name for name in files if name.endswith(".pdf") and "/" not in name]
            notice = self._notice(round_)
            text = live_page(page.decode(errors="replace"), self._lang, notice)
            files[""] = text.encode(errors="replace")
        elif not self._version:
            notice = self._notice(round_)
            files = {"": waiting_page(self._lang, notice).encode()}
        self._board.show(Shown(files=files, notice=self._notice(round_)))

    def _notice(self, round_: Round) -> dict[str, object]:
        """Return what the page is told of a round."""
        state = BUILDING if round_.under_way else round_.state
        state = WAITING if state == BUILDING and not self._version else state
        told: dict[str, object] = {"state": state, "version": self._version, "time": self._time}
        told["links"] = self._links
        if round_.fault is not None:
            told["letter"] = str(round_.fault)
        return told


def _lang_of(page: bytes, otherwise: str) -> str:
    """Return the language that a page says it is in, where it is one of ours."""
    import re

    from reportgen.languages import LANGUAGES

    found = re.search(rb'<html[^>]*\blang="([a-z]{2})"', page[:2000])
    lang = found[1].decode() if found else ""
    return lang if lang in LANGUAGES else otherwise
