"""Where logs belong by their paths: splits above runs, and the study's `runs.pattern`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reportgen.errors import StudyError
from reportgen.records.run import Log
from reportgen.runs._layout import Draft, Layout, Names, Place, parent

_SEPARATORS = frozenset("_-. /")

Stated = dict[int, tuple[Place, str, int | None]]
"""`id` of a log to the place, group and seed that the pattern found for it."""


def compile_pattern(pattern: str) -> re.Pattern[str] | None:
    """Return the study's pattern, ready to search; None where it has none."""
    if not pattern:
        return None
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        told = f"runs.pattern is no regular expression: {error}"
        raise StudyError(told, remedy="correct it, or leave it empty") from error
    if not {"group", "seed"} & set(compiled.groupindex):
        raise StudyError(
            "runs.pattern names neither (?P<group>...) nor (?P<seed>...)",
            remedy=r"for example (?P<group>[^/]+)/(?P<seed>\d+)$",
        )
    return compiled


def read_pattern(
    pattern: re.Pattern[str], layout: Layout, logs: Sequence[Log], nested: Mapping[int, Place]
) -> Stated:
    """Return `id` of a log to (place, group, seed), for logs on whose path it matches.

    It is searched in the run's path; where it names a split, in the folder of the log first.
    """
    found: Stated = {}
    for log in logs:
        place = nested.get(id(log)) or layout.place(log)
        folder = log.run_key if "/" in log.run_key else parent(log.source.path)
        paths = (folder, place.run) if "split" in pattern.groupindex else (place.run, folder)
        path, match = next(((p, m) for p in paths if (m := pattern.search(p))), ("", None))
        if match is None:
            continue
        split = match.groupdict().get("split") or ""
        if split:
            begin, end = match.span("split")
            run = (path[:begin].rstrip("/") + path[end:]).strip("/")
            place = Place(run=run, folder=split)
        group, number = groups_in(match)
        found[id(log)] = (place, group, number)
    return found


def groups_in(match: re.Match[str]) -> tuple[str, int | None]:
    r"""Return the group and the seed that a match states.

    A name in two parts, around the seed, is `group` and `group2`: what stands between them
    begins with the separator that joins them. A pattern that names the seed alone leaves the
    rest of the path as the group.

    Example:
        >>> groups_in(re.search(r"(?P<group>\w+)-s(?P<seed>\d)-(?P<group2>\w+)", "bert-s3-large"))
        ('bert-large', 3)
        >>> groups_in(re.search(r"seed(?P<seed>\d)", "bert_seed3"))
        ('bert', 3)
    """
    parts = match.groupdict()
    seed = parts.get("seed") or ""
    number = int(seed) if seed.isascii() and seed.isdecimal() else None
    first, second = parts.get("group") or "", parts.get("group2") or ""
    if first and second:
        between = match.string[match.end("group") : match.start("group2")]
        first += between[0] if between[:1] in _SEPARATORS and between else "_"
    if not {"group", "group2"} & set(parts):
        rest = (match.string[: match.start()], match.string[match.end() :])
        return "/".join(part.strip("".join(_SEPARATORS)) for part in rest if part), number
    return first + second, number


def state_groups(
    drafts: Sequence[Draft], stated: Stated, root_name: str, pattern: re.Pattern[str]
) -> None:
    """Give runs the group and seed that the study's pattern finds.

    Where a program has a name for a run, the pattern is searched in that first.

    A run whose path is nothing but a seed is of the group `root_name`.
    """
    by_folder = {place.run: (group, seed) for place, group, seed in stated.values()}
    for draft in drafts:
        match = pattern.search(draft.name) if draft.name else None
        found = groups_in(match) if match else by_folder.get(draft.place)
        if found:
            draft.group, draft.seed = found[0] or root_name, found[1]


def nested_splits(layout: Layout, logs: Sequence[Log], names: Names) -> dict[int, Place]:
    """Return `id` of a log to its place, where a folder above its own is that of a split.

    A folder called `test` may be anything. It is a split only where the same path exists
    below a folder of another split: `train/a` beside `test/a`.
    """
    found: dict[str, list[tuple[int, Place]]] = {}
    for log in logs:
        place = layout.place(log)
        parts = place.run.split("/")
        for index in range(len(parts) - 1, -1, -1):
            if not place.folder and parts[index].lower() in names:
                run = "/".join([*parts[:index], *parts[index + 1 :]])
                folder = parts[index]
                found.setdefault(run, []).append((id(log), Place(run=run, folder=folder)))
                break
    return {
        key: place
        for several in found.values()
        if len({names[place.folder.lower()] for _, place in several}) > 1
        for key, place in several
    }
