"""From logs to runs that have no group yet, but where the pattern of a study states it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from reportgen.errors import StudyError
from reportgen.records.metrics import known_metric
from reportgen.records.record import replace
from reportgen.records.run import Log, Problem, Result, Series
from reportgen.runs import LAYOUTS
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
)
from reportgen.runs._names import metric_name, result_key, split_tag
from reportgen.runs._seeds import config_of
from reportgen.runs._splits import unsaid_labels
from reportgen.runs.clock import on_steps
from reportgen.runs.series import first_fit, group_by, point_of, result_of
from reportgen.runs.sessions import Attempt, Piece, piece_of, put_together

_SEPARATORS = frozenset("_-. /")
_WORDS = re.compile(r"[\W_]+")

Stated = dict[int, tuple[Place, str, int | None]]
"""`id` of a log to the place, group and seed that the pattern found for it."""


def claim_logs(logs: Sequence[Log], layout: str) -> list[tuple[Layout, list[Log]]]:
    """Deal the logs out to the layouts; a layout given by name takes all."""
    if layout:
        return [(LAYOUTS.load(layout), list(logs))]
    claimed: list[tuple[Layout, list[Log]]] = []
    rest = [log for log in logs if log.series or log.results or log.config or log.texts]
    for name in LAYOUTS:
        plug_in: Layout = LAYOUTS.load(name)
        taken = {id(log) for log in plug_in.recognise(rest)}
        members = [log for log in rest if id(log) in taken]
        rest = [log for log in rest if id(log) not in taken]
        if members:
            claimed.append((plug_in, members))
    return claimed


def draft_runs(
    layout: Layout, logs: Sequence[Log], names: Names, places: Mapping[int, Place]
) -> list[Draft]:
    """Put the logs of one layout together, folder by folder.

    `places` holds the place of a log by its `id`, where the study's pattern states one.
    """
    placed = [(places.get(id(log)) or layout.place(log), log) for log in logs]
    folders = group_by(placed, lambda one: one[0].run)
    _lift_summaries(folders)
    drafts: list[Draft] = []
    for folder, members in sorted(folders.items()):
        told = _told(layout, members)
        late = [log for _, log in members if not any(log is one for _, one in told)]
        pieces = [
            _piece(layout, place, log, names, stated=id(log) in places) for place, log in told
        ]
        attempts = put_together(pieces)
        bare = [piece.log for piece in pieces if not piece.series]
        found = [
            _draft(layout, name, folder, attempt, bare)
            for name, attempt in zip(_ids(folder, attempts), attempts, strict=True)
        ]
        for draft, attempt in zip(found, attempts, strict=True):
            own = {id(piece.log): piece.log for piece in attempt.pieces}.values()
            draft.results += _results_in(layout, own, names)
        _add_results(layout, folder, found, [log for log in bare if log.results], names)
        if late and not found:
            found = [Draft(id=folder or ".", place=folder, layout=layout.name, scalars={})]
            found[0].measured_only = True
        if late:
            last = found[-1]
            for log in late:
                last.config = {**config_of(log), **last.config}
                last.sources.append(log.source)
                last.problems.extend(log.problems)
            layout.finish(last, late, names)
            last.scalars = dict(sorted(last.scalars.items()))
        drafts.extend(draft for draft in found if draft.scalars)
    return layout.settle(drafts, logs)


def _told(layout: Layout, members: Sequence[tuple[Place, Log]]) -> list[tuple[Place, Log]]:
    """Return the logs that tell what a run did: of the late ones a curve where no other has one."""
    own = [(place, log) for place, log in members if not layout.is_late(log)]
    if any(log.series for _, log in own):
        return own
    late = [(place, log) for place, log in members if layout.is_late(log)]
    return own + [
        (place, log) for place, log in late if any(len(one) > 1 for one in log.series.values())
    ]


def _ids(folder: str, attempts: Sequence[Attempt]) -> list[str]:
    """Return the name of each run of a folder: its owner's, where folders or files have one.

    Event files are called by their program; of those only the number tells which is which.
    """
    if len(attempts) < 2:
        return [folder or "."] * len(attempts)
    paths = [{piece.log.source.path for piece in one.pieces} for one in attempts]
    folders = [{parent(path) for path in own} for own in paths]
    if all(len(own) == 1 for own in folders) and len(set().union(*folders)) == len(attempts):
        return [min(own) or "." for own in folders]
    apart = len(set().union(*paths)) == sum(map(len, paths))
    named = [one.path for one in attempts]
    is_told = apart or all(len(own) == 1 for own in paths)
    if is_told and not any("tfevents" in leaf(path) for path in named):
        stems = [f"{parent(path)}/{leaf(path).partition('.')[0]}".lstrip("/") for path in named]
        counted = Counter(stems)
        return [
            f"{stem}#{stems[: at + 1].count(stem)}" if counted[stem] > 1 else stem
            for at, stem in enumerate(stems)
        ]
    return [f"{folder or '.'}#{number}" for number in range(1, len(attempts) + 1)]


def _add_results(
    layout: Layout, folder: str, found: list[Draft], logs: Sequence[Log], names: Names
) -> None:
    """Give numbers without a step to the last run of their folder, or make runs of them alone.

    Of the latter all files make one, unless they contradict each other.
    """
    if found:
        found[-1].results += _results_in(layout, logs, names)
        return
    alone = first_fit(logs, lambda log, some: all(_agree(log, one) for one in some))
    for several in alone:
        stem = leaf(several[0].source.path).partition(".")[0]
        name = inside(folder, stem) if len(alone) > 1 else folder or "."
        results = _results_in(layout, several, names)
        draft = Draft(id=name, place=folder, layout=layout.name, scalars={}, results=results)
        # One point each, before any step.
        draft.scalars = {
            one.tag: point_of(one.tag, one.value, one.metric, one.split, one.path)
            for one in results
        }
        draft.measured_only = True
        draft.sources = [log.source for log in several]
        for log in several:
            draft.config.update(config_of(log))
            draft.problems.extend(log.problems)
        found.append(draft)


def _agree(one: Log, other: Log) -> bool:
    """Tell whether no number that two files state is another in the other one."""
    return all(other.results.get(tag, value) == value for tag, value in one.results.items())


def _results_in(layout: Layout, logs: Iterable[Log], names: Names) -> list[Result]:
    found = []
    for log in logs:
        for tag, value in log.results.items():
            metric, split = layout.label("", result_key(tag, names), names)
            path = log.source.path
            found.append(Result(tag=tag, value=value, metric=metric, split=split, path=path))
    return found


def _lift_summaries(folders: dict[str, list[tuple[Place, Log]]]) -> None:
    """Give folders that hold nothing but settings and what came of them to the run above.

    `add_hparams(..., run_name="final")` makes one in the folder of the run.
    """
    for folder in list(folders):
        above = folders.get(parent(folder), [])
        trained = any(len(series) > 1 for _, log in above for series in log.series.values())
        if folder and trained and all(_sums_up(log) for _, log in folders[folder]):
            place = Place(run=parent(folder))
            above.extend((place, log) for _, log in folders.pop(folder))


def _sums_up(log: Log) -> bool:
    """Tell whether a log states settings, and of every metric one value."""
    settings = log.source.kind == "tfevents" and set(log.config) - {"purge_step"}
    return bool(settings) and all(len(series) == 1 for series in log.series.values())


def _piece(layout: Layout, place: Place, log: Log, names: Names, *, stated: bool) -> Piece:
    """Return what a log holds, labelled."""
    series = {}
    for tag, one in log.series.items():
        metric, split = layout.label(place.folder, tag, names)
        if stated and place.folder:
            split = names.get(place.folder.lower(), split)
        key = f"{place.folder}/{tag}" if place.folder else tag
        series[key] = replace(one, metric=metric, split=split)
    for key, (metric, split) in unsaid_labels(series, names).items():
        series[key] = replace(series[key], metric=metric, split=split)
    below = not place.folder and parent(log.source.path) != place.run
    return piece_of(log, place.folder, on_steps(series), summary=below and _sums_up(log))


def _draft(layout: Layout, name: str, folder: str, attempt: Attempt, bare: Iterable[Log]) -> Draft:
    config: dict[str, object] = {}
    logs = {id(piece.log): piece.log for piece in attempt.pieces}
    for log in (*bare, *logs.values()):
        config.update(config_of(log))
    problems = [*attempt.problems]
    for log in (*logs.values(), *bare):
        problems.extend(quieten(log))
    sources = {log.source.path: log.source for log in (*logs.values(), *bare)}
    return Draft(
        id=name,
        place=folder,
        layout=layout.name,
        scalars=dict(sorted(on_steps(attempt.series).items())),
        config=config,
        sources=list(sources.values()),
        problems=problems,
        results=[*attempt.results, *_measured_once(attempt.series)],
    )


def _measured_once(scalars: Mapping[str, Series]) -> list[Result]:
    """Return what was tested once, when training was over: whose weights, the logs do not say.

    A program that fits and then tests logs one value behind all evaluations, some of them twice;
    one that counts no steps of its test logs step 0, and only the clock tells that it came last.
    """
    validated = [s for s in scalars.values() if s.split == "validation"]
    return [
        result_of(series, key, 0)
        for key, series in scalars.items()
        if validated
        and series.split == "test"
        and series.metric not in {"", "epoch"}
        and len(set(series.values.tolist())) == 1
        and (
            all(series.steps[0] >= one.steps[-1] for one in validated)
            or (
                int(series.steps[0]) == 0
                and all(series.wall_times[0] >= one.wall_times[-1] for one in validated)
            )
        )
    ]


def quieten(log: Log) -> list[Problem]:
    """Return a log's problems as those of a run that other files give points to.

    A file that ends after its header costs such a run no number; one of which nothing could
    be read may.
    """
    read = log.source.size > 0 and not log.series
    header_only = read and all(p.offset is None for p in log.problems)
    return [replace(p, level="note") if header_only else p for p in log.problems]


# --- where logs belong by their paths -----------------------------------------------------


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


def owned_folders(layout: Layout, logs: Sequence[Log], names: Names) -> dict[int, Place]:
    """Return `id` of a log to its place, where a folder is called as a split and is a run.

    A folder of validation or test in which a training is logged is one; and beside other runs, a
    folder without those of other splits that logs what they do, or names splits of its own.
    """
    placed = [(log, layout.place(log)) for log in logs]
    runs = group_by(placed, lambda one: one[1].run)
    beside = group_by(runs, parent)
    found: dict[int, Place] = {}
    for run, several in runs.items():
        inside = [(log, place.folder) for log, place in several]
        folders = group_by(inside, lambda one: one[1])
        own = {
            folder: [log for log, _ in some]
            for folder, some in folders.items()
            if folder.lower() in names and leaf(parent(some[0][0].source.path)) == folder
        }
        if not own:
            continue
        near = [one for one in beside.get(run, ()) if one != run]
        others = [log for one in near if leaf(one).lower() not in names for log, _ in runs[one]]
        for folder, alone in _runs_among(own, others, names).items():
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


def split_files(logs: Sequence[Log], names: Names) -> dict[int, Place]:
    """Return `id` of a log to its place, where names of files differ in the word of a split alone.

    `train_log.csv` and `val_log.csv` are of one run, which the rest of their name names, if that
    says more than what a log is called. A file of validation or test that holds a training is not.
    """
    found: dict[tuple[str, str], list[tuple[Log, str]]] = {}
    for log in logs:
        words = _WORDS.split(leaf(log.source.path).partition(".")[0])
        at = [i for i, word in enumerate(words) if word.lower() in names]
        if len(at) == 1 and len(words) > 1 and log.source.kind in TABLES and not log.run_key:
            rest = [word for i, word in enumerate(words) if i != at[0]]
            told = {split_tag(tag, names)[1] for tag in log.series}
            if names[words[at[0]].lower()] == "train" or "train" not in told:
                name = "_".join(rest) if any(map(_says_more, rest)) else ""
                found.setdefault((parent(log.source.path), name), []).append((log, words[at[0]]))
    return {
        id(log): Place(run=inside(folder, name), folder=word)
        for (folder, name), several in found.items()
        if len({names[word.lower()] for _, word in several}) > 1
        for log, word in several
    }


def _says_more(word: str) -> bool:
    return word.lower() not in OF_LOGS and not known_metric(metric_name(word))
