"""Reports checked by the workers of a Dask scheduler, each under the limits it has here."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from reportgen.api.submissions import Submission
from reportgen.errors import WorkerLostError
from reportgen.records.verdict import Review

CHUNK_REPORTS = 8
"""A task is this many reports: they share a process, which takes a second to start."""

Judge = Callable[[Submission], Review]
Answer = Review | WorkerLostError | None
"""What became of a report there: None where it has to be checked here."""


def judge_there(
    cluster: Any,
    submissions: Sequence[Submission],
    judge: Judge,
    limits: tuple[float, int],
) -> Iterator[tuple[Submission, Answer]]:
    """Check reports on workers that see them, and their evidence, by the same paths.

    A worker that is lost amid its reports is replaced by another, which checks them again.

    Args:
        cluster: What `reportgen.executors.dask` opens.
        submissions: The reports.
        judge: Checks one, in a process of its own; importable by its name.
        limits: Seconds and bytes of memory for each report.

    Yields:
        Each report as it is done, with its review; with the error where it took more than its
        limits; with None where it lies there as another file or not at all, where its evidence
        does, or where the workers are gone.
    """
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
    from reportgen.executors.local import open_pool

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
