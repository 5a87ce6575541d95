"""What was read of an event file, as a log: its series, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reportgen.read.logs._columns import settled
from reportgen.read.logs._content import Content
from reportgen.read.logs._event_file import EventFile
from reportgen.read.logs._faults import problems_of
from reportgen.read.logs._files import count_points, find_defect
from reportgen.read.logs._numbers import name_tags
from reportgen.records.run import Log, Problem, Series, Source

KIND = "tfevents"
PURGE_STEP = "purge_step"
"""Configuration key under which a log states that earlier files are void from a step on."""

TIMINGS = ("runtime", "_per_second", "_time", "wall")
"""How tags end that time the program: of two at one step nobody misses the first."""


def log_of(file: EventFile, name: str, digest: str = "") -> Log:
    """Return an event file as a log.

    Args:
        file: What was read.
        name: POSIX path relative to the root, as it will be reported.
        digest: Hex digest of the file, where it is known.
    """
    series = {tag: replace(one, path=name) for tag, one in settled(file.series).items()}
    points = count_points(series)
    return Log(
        source=Source(path=name, kind=KIND, size=file.size, sha256=digest, points=points),
        series=series,
        texts=file.content.texts,
        config=file.content.config | _purge(file.content),
        skipped=file.content.skipped,
        problems=tuple(_problems(file, series, name)),
    )


def _purge(content: Content) -> dict[str, object]:
    """Return from which step on earlier files are void: of several starts, from the earliest."""
    return {PURGE_STEP: min(content.starts)} if content.starts else {}


def _problems(file: EventFile, series: dict[str, Series], name: str) -> Iterator[Problem]:
    found = file.content
    if file.problem:
        yield Problem(path=name, message=file.problem, remedy=file.remedy, offset=file.size or None)
    defect = None if file.problem else find_defect(file.head, file.size, name)
    if defect is not None:
        yield defect
        return
    if not found.records:
        if file.size:
            yield Problem(
                path=name,
                message="not an event file: no sound record",
                remedy="copy it again from where it was written; remove it if it is no log",
                offset=0,
            )
        return
    if not file.series and not found.texts and not found.config:
        yield Problem(path=name, message=f"{_what_else(found)}: no point was logged")
    yield from problems_of(found.faults, name)
    yield from _replaced(series, name)
    for tag, count in found.unreadable.items():
        yield Problem(path=name, message=f"hyperparameters of {tag!r} not readable ({count})")


def _replaced(found: dict[str, Series], name: str) -> Iterator[Problem]:
    """Say which tags have several values at one step, of which a series keeps the last."""
    alike: dict[tuple[int, int, bool], list[str]] = {}
    for tag, series in found.items():
        if series.replaced:
            key = (series.replaced, len(series) + series.replaced, tag.endswith(TIMINGS))
            alike.setdefault(key, []).append(tag)
    for (lost, count, is_timing), tags in alike.items():
        yield Problem(
            path=name,
            message=f"{name_tags(tags)}: {lost} of {count} points have the step of "
            "one written later, with another value, and are left out",
            remedy="log a step that never comes twice, or each phase under a tag of its own",
            level="note" if is_timing else "warning",
        )


def _what_else(found: Content) -> str:
    """Say what a file holds that holds no point."""
    if not found.skipped:
        return "only the file's header was written"
    kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(found.skipped.items()))
    return f"only records that are no numbers: {kinds}"
