"""Written reports held against their evidence, one or a whole class."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.app.options import Notify, Place, options_of, silent
from reportgen.app.reading import at_rest
from reportgen.app.submissions import Submission, find_submissions
from reportgen.records.errors import EvidenceError, ReportgenError, UsageError, WorkerLostError
from reportgen.records.record import record, replace
from reportgen.records.verdict import LEVELS, Review

if TYPE_CHECKING:
    from concurrent.futures import Future

    import pandas as pd

    from reportgen.app.reading_apart import ReadingApart

LONGEST = 1_000_000
"""Most seconds for one report."""
LEAST_MEMORY = 128 * 2**20
"""Bytes below which no process starts that could read anything."""


@record
class CheckOptions:
    """Which reports to check, against what, under which limits.

    Attributes:
        reports: Files, or folders of submissions.
        runs, study, checkpoint, adapter, base: The evidence; `{name}` in a path stands for the
            name of the submission. Runs may be a URL.
        report: report.json of the build whose numbers a report in LaTeX took over.
        only_with_evidence: Whether reports are passed over for which nothing was named to hold
            them against, and nothing lies beside them.
        workers: Processes that check, each under the limits; 0 is one a core, None checks in this
            process, where only the reading of PDFs is limited.
        seconds: Longest time for one report.
        memory: Most bytes for one report, where the system can limit them.
        address: Of a Dask scheduler, whose workers see reports and evidence by the same paths: they
            check several reports, each under the limits, and read the logs of a single one.
    """

    reports: tuple[Path, ...]
    runs: str | None = None
    study: str | None = None
    checkpoint: str | None = None
    adapter: str | None = None
    base: str | None = None
    report: str | None = None
    only_with_evidence: bool = False
    workers: int | None = None
    seconds: float = 60.0
    memory: int = 4 * 2**30
    address: str = ""

    def __post_init__(self) -> None:
        given: Any = self.reports
        named = (given,) if isinstance(given, str | Path) else given
        object.__setattr__(self, "reports", tuple(map(Path, named)))
        evidence: dict[str, Any] = self.evidence()
        for name, path in evidence.items():
            if isinstance(path, Path):
                object.__setattr__(self, name, str(path))

    def evidence(self) -> dict[str, str | None]:
        """Return the paths of the evidence as they were given."""
        names = ("runs", "study", "checkpoint", "adapter", "base", "report")
        return {name: getattr(self, name) for name in names}


@record
class Checked:
    """What became of one submission.

    Attributes:
        remedy: What can be done where it could not be checked.
    """

    submission: Submission
    review: Review
    remedy: str = ""

    @property
    def level(self) -> str:
        """The loudest level among its verdicts."""
        levels = {verdict.level for verdict in self.review.verdicts}
        return next((level for level in LEVELS if level in levels), "none")

    def fails(self, fail_on: str) -> bool:
        """Say whether it has a verdict of the level `fail_on` or a louder one."""
        return fail_on in LEVELS and LEVELS.index(self.level) <= LEVELS.index(fail_on)

    def to_frame(self) -> pd.DataFrame:
        """Return its verdicts as a frame, as `frame_of_findings`."""
        from reportgen.app.notebook import frame_of_findings

        return frame_of_findings([self])


def check(
    options: CheckOptions | Place | Sequence[Place] | None = None,
    notify: Notify = silent,
    **given: Any,
) -> tuple[Checked, ...]:
    """Check reports against their evidence, the reports themselves, and arithmetic.

    Args:
        options: Which reports, against what; or the path of a report, or several.
        notify: Called with (stage, done, total) on long work.
        **given: Fields of `CheckOptions`, in place of options or of what they say.

    Returns:
        One for each submission, in the order of their names. A report that cannot be read, or
        takes more than its limits, has a review with a `fault`, and the others go on.

    Raises:
        EvidenceError: A path does not exist, or a folder holds no report.
        UsageError: Two submissions have one name, a limit is none, or an address is open to the
            network.
        ClusterError: The scheduler does not answer, or has no worker.

    Example:
        >>> from pathlib import Path
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     report = Path(folder) / "report.md"
        ...     _ = report.write_text("We count 2 * 3 = 7 parameters.", encoding="utf-8")
        ...     [checked] = check(CheckOptions(reports=(report,)))
        >>> checked.level, checked.review.verdicts[-1].rule
        ('error', 'arithmetic')
    """
    options = options_of(CheckOptions, options, given, "reports")
    if not 0 < options.seconds <= LONGEST or options.memory < LEAST_MEMORY:
        raise UsageError(
            f"a report gets some time, {LONGEST:,} s at most, and "
            f"{LEAST_MEMORY // 2**20} MB of memory or more",
            remedy="leave the limits out",
        )
    from reportgen.app.remote import evidence_at_hand

    with at_rest(), evidence_at_hand(options.runs, options.study, notify) as runs:
        evidence = options.evidence() | {"runs": runs}
        submissions = find_submissions(options.reports, evidence)
        if options.only_with_evidence:
            submissions = tuple(one for one in submissions if one.evidence)
        done = dict(_checked(submissions, options, notify))
    return tuple(done[one.name] for one in submissions)


def _checked(
    submissions: tuple[Submission, ...], options: CheckOptions, notify: Notify
) -> Iterator[tuple[str, Checked]]:
    """Check where it was asked for: on workers, in processes of this machine, or right here."""
    if options.address and len(submissions) > 1:
        yield from _on_workers(submissions, options, notify)
    elif options.workers is None:
        from reportgen.app.evidence import forget
        from reportgen.app.reading_apart import ReadingApart

        # Since the last call of this process, files may have changed.
        forget()
        with ReadingApart() as apart:
            for number, one in enumerate(submissions):
                notify("checking reports", number, len(submissions))
                call = partial(judge, one, apart=apart, address=options.address)
                yield one.name, _result(one, call)
        notify("checking reports", len(submissions), len(submissions))
    else:
        yield from _in_processes(submissions, options, notify)


def _in_processes(
    submissions: tuple[Submission, ...], options: CheckOptions, notify: Notify
) -> Iterator[tuple[str, Checked]]:
    """Check in processes of their own, so that no report can hold up or end the others."""
    from concurrent.futures import as_completed

    from reportgen.train import count_cores, open_pool

    workers = min(options.workers or count_cores(), len(submissions))
    if not workers:
        return
    with (
        _reachable(options.address),
        open_pool(workers=workers, seconds=options.seconds, memory=options.memory) as pool,
    ):
        tasks: dict[Future[Review], Submission] = {
            pool.submit(judge, one, address=options.address): one for one in submissions
        }
        notify("checking reports", 0, len(submissions))
        for number, task in enumerate(as_completed(tasks), 1):
            yield tasks[task].name, _result(tasks[task], task.result)
            notify("checking reports", number, len(submissions))


def _on_workers(
    submissions: tuple[Submission, ...], options: CheckOptions, notify: Notify
) -> Iterator[tuple[str, Checked]]:
    """Check on the workers of a Dask scheduler; what they cannot see is checked here."""
    left: list[Submission] = []
    limits = (options.seconds, options.memory)
    total = len(submissions)
    notify("checking reports", 0, total)
    with _reachable(options.address) as cluster:
        for one, answer in judge_there(cluster, submissions, judge, limits):
            if answer is None:
                left.append(one)
                continue
            yield one.name, _result(one, partial(_given, answer))
            notify("checking reports", total - len(left), total)
    here = replace(options, address="", workers=options.workers or 0)
    yield from _in_processes(tuple(left), here, notify)


def _given(answer: Review | ReportgenError) -> Review:
    if isinstance(answer, ReportgenError):
        raise answer
    return answer


@contextmanager
def _reachable(address: str) -> Iterator[Any]:
    """Connect to a scheduler, so that its faults are not those of a report; None without one."""
    from reportgen.train import EXECUTORS

    if not address:
        yield None
        return
    with EXECUTORS.load("dask")(workers=1, gpus=0, address=address, options={}) as cluster:
        yield cluster


def _result(submission: Submission, call: Callable[[], Review]) -> Checked:
    """Return what a check gave, or why it gave nothing."""
    remedy = "open it, or hand it in as another file"
    try:
        return Checked(submission=submission, review=call())
    except ReportgenError as fault:
        why, remedy = fault.message, fault.remedy or remedy
    except (MemoryError, RecursionError) as fault:
        why = f"it needs too much memory ({type(fault).__name__})"
    # One report may not end the check of a class, whatever is the matter with it.
    except Exception as fault:
        if os.environ.get("REPORTGEN_TRACEBACK"):
            raise
        why = f"a defect of reportgen: {type(fault).__name__}: {fault}"
    return Checked(submission=submission, review=_unread(submission, why), remedy=remedy)


def _unread(submission: Submission, why: str) -> Review:
    from reportgen.records.manuscript import Manuscript

    path = str(submission.report or submission.name)
    # The fault of a file begins with its path, which is said already.
    why = f"it {rest}" if (rest := why.removeprefix(f"{path} ")) != why else why
    empty = Manuscript(path=path, format="", sha256="", blocks=())
    return Review(manuscript=empty, fault=f"{path} could not be checked: {why}")


@at_rest()
def judge(
    submission: Submission, *, apart: ReadingApart | None = None, address: str = ""
) -> Review:
    """Read one report and its evidence, and say of each number what it stands on.

    Args:
        submission: The report and its evidence.
        apart: Reads PDF and Word in a child process with limits, for the libraries that read them
            are native code; not needed where this process is such a child itself.
        address: Of a Dask scheduler whose workers read the logs.

    Raises:
        EvidenceError: The report or its evidence cannot be read.
    """
    from reportgen.app.report_file import stated_for
    from reportgen.app.submissions import evidence_for
    from reportgen.checking import review
    from reportgen.read.documents import format_of, read_document

    if submission.report is None:
        raise EvidenceError(submission.fault, remedy="hand in a report")
    native = format_of(submission.report) in {"pdf", "docx"}
    read = apart.read if native and apart is not None else read_document
    manuscript = read(submission.report)
    evidence, left_out = evidence_for(submission, address)
    stated, unnamed = stated_for(manuscript, evidence.facts, evidence.stated)
    with at_rest():
        found = review(manuscript, replace(evidence, stated=stated))
    of_evidence = evidence.facts.problems if evidence.facts else ()
    return replace(found, problems=(*manuscript.problems, *unnamed, *left_out, *of_evidence))


CHUNK_REPORTS = 8
"""A task is this many reports: they share a process, which takes a second to start."""
Judge = Callable[[Submission], Review]
Answer = Review | WorkerLostError | None
"""What became of a report there: None where it has to be checked here."""


def judge_there(
    cluster: Any, submissions: Sequence[Submission], judge: Judge, limits: tuple[float, int]
) -> Iterator[tuple[Submission, Answer]]:
    """Check reports on workers that see them, and their evidence, by the same paths.

    A worker that is lost amid its reports is replaced by another, which checks them again.

    Args:
        cluster: What `reportgen.train.executors.dask` opens.
        submissions: The reports.
        judge: Checks one, in a process of its own; importable by its name.
        limits: Seconds and bytes of memory for each report.

    Yields:
        Each report as it is done, with its review; with the error where it took more than its
        limits; with None where it lies there as another file or not at all, where its evidence
        does, or where the workers are gone.
    """
    from concurrent.futures import as_completed

    handed: dict[Future[list[Answer]], Sequence[Submission]] = {}
    count = _count_chunks(submissions, cluster.threads)
    chunks = [submissions[start::count] for start in range(count)]
    # A scheduler that takes no more leaves the rest to this process.
    with suppress(OSError, RuntimeError):
        for chunk in chunks:
            handed[cluster.submit(judge_chunk, str(Path.cwd()), chunk, judge, limits)] = chunk
    rest = chunks[len(handed) :]
    for task in as_completed(handed):
        chunk = handed[task]
        try:
            answers = task.result()
        except Exception:  # noqa: BLE001 - a lost worker, or one whose reportgen is another
            answers = [None] * len(chunk)
        for submission, answer in zip(chunk, answers, strict=True):
            yield submission, answer if _is_of(answer, submission) else None
    yield from ((submission, None) for chunk in rest for submission in chunk)


def _count_chunks(submissions: Sequence[Submission], threads: int) -> int:
    """Return into how many tasks reports are divided: what they share is read once by each."""
    count = math.ceil(len(submissions) / CHUNK_REPORTS)
    shared = len({submission.evidence for submission in submissions}) == 1
    return max(1, min(count, 2 * threads) if shared else count)


def judge_chunk(
    folder: str, chunk: Sequence[Submission], judge: Judge, limits: tuple[float, int]
) -> list[Answer]:
    """Check some reports, one after the other, in a process of a worker that is limited.

    Args:
        folder: Where relative paths begin.
        chunk: The reports.
        judge: Checks one.
        limits: Seconds and bytes of memory for each.
    """
    from reportgen.train import open_pool

    answers: list[Answer] = []
    seconds, memory = limits
    with open_pool(workers=1, seconds=seconds, memory=memory) as pool:
        for submission in chunk:
            try:
                answers.append(pool.submit(_judge_in, folder, submission, judge).result())
            except WorkerLostError as lost:
                answers.append(lost)
            except Exception:  # noqa: BLE001 - whoever asked meets it as well, and tells of it
                answers.append(None)
    return answers


def _judge_in(folder: str, submission: Submission, judge: Judge) -> Review:
    """Check one report with paths that begin at a folder; the process is nobody else's."""
    os.chdir(folder)
    return judge(submission)


def _is_of(answer: Answer, submission: Submission) -> bool:
    """Say whether an answer is about the very file that lies here."""
    if not isinstance(answer, Review) or submission.report is None:
        return isinstance(answer, WorkerLostError)
    try:
        content = submission.report.read_bytes()
    except OSError:
        return False
    return sha256(content).hexdigest() == answer.manuscript.sha256
