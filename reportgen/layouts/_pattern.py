"""The study's own reading of paths: `runs.pattern`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.errors import StudyError
from reportgen.layouts._layout import Draft, Layout, Place, leaf, parent
from reportgen.records.run import Log

Stated = dict[int, tuple[Place, str, int | None]]
"""`id` of a log to the place, group and seed that the pattern found for it."""


def compile_pattern(pattern: str) -> re.Pattern[str] | None:
    """Return the study's pattern, ready to search; None where it has none."""
    if not pattern:
        return None
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise StudyError(
            f"runs.pattern is no regular expression: {error}",
            remedy="correct it, or leave it empty",
        ) from error
    if not {"group", "seed"} & set(compiled.groupindex):
        raise StudyError(
            "runs.pattern names neither (?P<group>...) nor (?P<seed>...)",
            remedy=r"for example (?P<group>[^/]+)/(?P<seed>\d+)$",
        )
    return compiled


def read_pattern(pattern: re.Pattern[str], layout: Layout, logs: Sequence[Log]) -> Stated:
    """Return `id` of a log to (place, group, seed), for logs on whose path it matches.

    It is searched in the run's path; where it names a split, in the folder of the log first.
    """
    found: Stated = {}
    for log in logs:
        place = layout.place(log)
        folder = log.run_key if "/" in log.run_key else parent(log.source.path)
        paths = (folder, place.run) if "split" in pattern.groupindex else (place.run, folder)
        path, match = next(((p, m) for p in paths if (m := pattern.search(p))), ("", None))
        if match is None:
            continue
        parts = match.groupdict()
        seed, split = parts.get("seed") or "", parts.get("split") or ""
        if split:
            begin, end = match.span("split")
            run = (path[:begin].rstrip("/") + path[end:]).strip("/")
            place = Place(run=run, folder=split)
        number = int(seed) if seed.isdecimal() else None
        found[id(log)] = (place, parts.get("group") or "", number)
    return found


def state_groups(drafts: Sequence[Draft], stated: Stated) -> None:
    """Give runs the group and seed that the study's pattern found."""
    by_folder = {place.run: (group, seed) for place, group, seed in stated.values()}
    for draft in drafts:
        if draft.place in by_folder:
            group, seed = by_folder[draft.place]
            draft.group = group or leaf(parent(draft.place)) or draft.place
            draft.seed = seed
