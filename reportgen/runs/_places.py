"""Where logs belong by their paths: a word of a split in them, and the pattern of a study."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reportgen.records.errors import StudyError
from reportgen.records.metrics import known_metric
from reportgen.records.run import Log
from reportgen.runs._layout import (
    OF_LOGS,
    TABLES,
    Draft,
    Layout,
    Names,
    Place,
    inside,
    leaf,
    parent,
    stem_of,
)  # fmt: skip
from reportgen.runs._names import metric_name, split_tag
from reportgen.runs.series import group_by

ULTRALYTICS = "ultralytics"
_SEPARATORS = "_-. /"
_WORDS = re.compile(r"[\W_]+")

Places = dict[int, Place]
"""`id` of a log to its place, where that is another than its layout says."""
Stated = dict[int, tuple[Place, str, int | None]]
"""`id` of a log to the place, group and seed that the pattern found for it."""


def split_places(layout: Layout, logs: Sequence[Log], names: Names) -> Places:
    """Return the places of logs whose files and folders are, or are not, those of splits."""
    return {
        **(_split_files(layout, logs, names) if layout.name == "plain" else {}),
        **_owned_folders(layout, logs, names),
        **_nested_splits(layout, logs, names),
    }


def _counterparts(found: Sequence[tuple[Log, Place]], names: Names) -> Places:
    """Return the places of runs that have logs of several splits: one word proves nothing."""
    return {
        id(log): place
        for several in group_by(found, lambda one: one[1].run).values()
        if len({names[place.folder.lower()] for _, place in several}) > 1
        for log, place in several
    }


def _nested_splits(layout: Layout, logs: Sequence[Log], names: Names) -> Places:
    """Return the places of logs below a folder that is of a split: `train/a` beside `test/a`."""
    found = []
    for log in logs:
        place = layout.place(log)
        parts = place.run.split("/")
        at = [i for i, part in enumerate(parts) if not place.folder and part.lower() in names]
        if at:
            run = "/".join([*parts[: at[-1]], *parts[at[-1] + 1 :]])
            found.append((log, Place(run=run, folder=parts[at[-1]])))
    return _counterparts(found, names)


def _split_files(layout: Layout, logs: Sequence[Log], names: Names) -> Places:
    """Return the places of logs in files whose names differ in the word of a split alone.

    `train_log.csv` and `val_log.csv` are of one run, which the rest of their name names, if that
    says more than what a log is called. A file of validation or test that holds a training is not,
    nor is one that its program keeps below the folder of its run.
    """
    found = []
    for log in logs:
        folder = parent(log.source.path)
        if not f"{layout.place(log).run}/".startswith(f"{folder}/" if folder else ""):
            continue
        parts = _WORDS.split(stem_of(log.source.path))
        at = [i for i, word in enumerate(parts) if word.lower() in names]
        if len(at) == 1 and len(parts) > 1 and log.source.kind in TABLES and not log.run_key:
            word = parts.pop(at[0])
            told = {split_tag(tag, names)[1] for tag in log.series}
            if names[word.lower()] == "train" or "train" not in told:
                name = "_".join(parts) if any(map(_says_more, parts)) else ""
                found.append((log, Place(run=inside(folder, name), folder=word)))
    return _counterparts(found, names)


def _says_more(word: str) -> bool:
    return word.lower() not in OF_LOGS and not known_metric(metric_name(word))


def _owned_folders(layout: Layout, logs: Sequence[Log], names: Names) -> Places:
    """Return the places of logs whose folder is called as a split and is a run.

    A folder of validation or test in which a training is logged is one; and beside other runs, a
    folder without those of other splits that logs what they do, or names splits of its own.
    """
    placed = [(log, layout.place(log)) for log in logs]
    runs = group_by(placed, lambda one: one[1].run)
    beside = group_by(runs, parent)
    found: Places = {}
    for run, several in runs.items():
        folders = group_by([(log, place.folder) for log, place in several], lambda one: one[1])
        own = {
            folder: [log for log, _ in some]
            for folder, some in folders.items()
            if folder.lower() in names and leaf(parent(some[0][0].source.path)) == folder
        }
        near = [one for one in beside.get(run, ()) if own and one != run]
        others = [log for one in near if leaf(one).lower() not in names for log, _ in runs[one]]
        # As Ultralytics calls a run whose owner gives it no name.
        default = [f for f, some in own.items() if any(one.program == ULTRALYTICS for one in some)]
        for folder, alone in {**_runs_among(own, others, names), **dict.fromkeys(default)}.items():
            place = run if alone and len(folders) == 1 else f"{run}/{folder}".lstrip("/")
            found |= {id(log): Place(run=place) for log in own[folder]}
    return found


def _runs_among(
    folders: Mapping[str, Sequence[Log]], others: Sequence[Log], names: Names
) -> dict[str, bool]:
    """Return which folders called as splits are runs, and whether nothing lies beside each."""
    found: dict[str, bool] = {}
    splits = {folder: names[folder.lower()] for folder in folders}
    # What is called after training may hold it, unless it is alone among runs.
    for folder in sorted(folders, key=lambda one: splits[one] == "train"):
        left = {split for one, split in splits.items() if one not in found}
        tags = {tag for log in folders[folder] for tag in log.series}
        told = {split_tag(tag, names)[1] for tag in tags} - {splits[folder], ""}
        among = bool(others or found)
        alike = any(tags == set(log.series) for log in others)
        if splits[folder] != "train" and "train" in told:
            found[folder] = not among
        elif len(left) == 1 and among and (told or alike):
            found[folder] = False
    return found


# --- the pattern of a study ---------------------------------------------------------------


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
    pattern: re.Pattern[str], layout: Layout, logs: Sequence[Log], nested: Places
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
        if split := match.groupdict().get("split"):
            begin, end = match.span("split")
            place = Place(run=(path[:begin].rstrip("/") + path[end:]).strip("/"), folder=split)
        found[id(log)] = (place, *groups_in(match))
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
    if not {"group", "group2"} & set(parts):
        rest = (match.string[: match.start()], match.string[match.end() :])
        return inside(*(part.strip(_SEPARATORS) for part in rest)), number
    first, second = parts.get("group") or "", parts.get("group2") or ""
    if first and second:
        between = match.string[match.end("group") : match.start("group2")][:1]
        first += between if between and between in _SEPARATORS else "_"
    return first + second, number


def state_groups(
    drafts: Sequence[Draft], stated: Stated, root_name: str, pattern: re.Pattern[str]
) -> None:
    """Give runs the group and seed that the study's pattern finds.

    Where a program has a name for a run, the pattern is searched in that first. A run whose path
    is nothing but a seed is of the group `root_name`.
    """
    by_folder = {place.run: (group, seed) for place, group, seed in stated.values()}
    for draft in drafts:
        match = pattern.search(draft.name) if draft.name else None
        found = groups_in(match) if match else by_folder.get(draft.place)
        if found:
            draft.group, draft.seed = found[0] or root_name, found[1]
