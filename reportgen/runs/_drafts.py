"""From logs to runs that have no group yet, but where the pattern of a study states it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from reportgen.records.record import replace
from reportgen.records.run import Log, Problem, Result, Series
from reportgen.records.study import Study
from reportgen.runs import LAYOUTS
from reportgen.runs._evidence import config_of, without_seeds
from reportgen.runs._findings import without_means
from reportgen.runs._groups import NONE
from reportgen.runs._layout import (
    Draft,
    Layout,
    Names,
    Place,
    called,
    folders_above,
    inside,
    leaf,
    parent,
    stem_of,
)  # fmt: skip
from reportgen.runs._parts import join_resumed
from reportgen.runs._repeats import absorb_repeats
from reportgen.runs._splits import (
    Stated,
    compile_pattern,
    label_program_tags,
    read_pattern,
    split_names_of,
    split_places,
    state_groups,
    state_splits,
    unsaid_labels,
)
from reportgen.runs._words import result_key
from reportgen.runs.series import (
    agree_as_printed,
    first_fit,
    group_by,
    last_step,
    on_steps,
    point_of,
    result_of,
)
from reportgen.runs.sessions import Attempt, Piece, piece_of, put_together

TABLES = frozenset({"metrics_csv", "json_lines"})
HYDRA = "/.hydra/"
"""Folder in which Hydra keeps the settings of the run in whose folder it lies."""


def drafts_of(
    logs: Sequence[Log], study: Study, root_name: str
) -> tuple[list[Draft], list[Problem]]:
    """Return the runs of every layout, and what is wrong with files that are of none.

    They have no groups unless the study's pattern states them.
    """
    pattern = compile_pattern(study.pattern)
    stated: Stated = {}
    drafts: list[Draft] = []
    for layout, claimed in _claim_logs(logs, study.layout):
        names: Names = split_names_of(layout.name, claimed, study)
        nested = split_places(layout, claimed, names)
        stated.update(read_pattern(pattern, layout, claimed, nested) if pattern else {})
        places = {**nested, **{key: place for key, (place, _, _) in stated.items()}}
        drafts.extend(_draft_runs(layout, claimed, names, places))
    label_program_tags(drafts)
    drafts, means = without_means(absorb_repeats(drafts))
    if pattern:
        state_groups(drafts, stated, root_name, pattern)
    _tell_apart(drafts)
    loose = [*means, *_attach_loose(logs, drafts), *state_splits(drafts, study.split_tags)]
    # Settings that lie beside a run may name the checkpoint with which it goes on.
    return drafts if study.repeats == NONE else join_resumed(drafts, study.groups), loose


def _tell_apart(drafts: Sequence[Draft]) -> None:
    """Add the layout to the id of runs of different layouts that lie in one folder."""
    counted = Counter(draft.id for draft in drafts)
    for draft in drafts:
        if counted[draft.id] > 1:
            draft.id = f"{draft.id} ({draft.layout})"


def _claim_logs(logs: Sequence[Log], layout: str) -> list[tuple[Layout, list[Log]]]:
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


def _draft_runs(
    layout: Layout, logs: Sequence[Log], names: Names, places: Mapping[int, Place]
) -> list[Draft]:
    """Put the logs of one layout together, folder by folder."""
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
        # Beside several runs, numbers and what was set for them are of one.
        shared = [log for log in bare if not (log.results and attempts[1:])]
        found = [
            _draft(layout, name, folder, attempt, shared)
            for name, attempt in zip(_ids(folder, attempts), attempts, strict=True)
        ]
        for draft, attempt in zip(found, attempts, strict=True):
            own = {id(piece.log): piece.log for piece in attempt.pieces}.values()
            draft.results += _results_in(layout, own, names)
        _add_results(layout, folder, found, [log for log in bare if log.results], names)
        if found:
            found[-1].tell_end(*(log.ended for log in bare))
        if late and not found:
            found = [Draft(id=folder or ".", place=folder, layout=layout.name, scalars={})]
            found[0].measured_only = True
        if late:
            last = found[-1]
            for log in late:
                last.config = {**config_of(log), **last.config}
                last.sources.append(log.source)
                last.problems.extend(log.problems)
                last.tell_end(log.ended)
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
    """Return the name of each run of a folder: its owner's, where folders or files have one."""
    if len(attempts) < 2:
        return [folder or "."] * len(attempts)
    paths = [{piece.log.source.path for piece in one.pieces} for one in attempts]
    folders = [{parent(path) for path in own} for own in paths]
    if all(len(own) == 1 for own in folders) and len(set().union(*folders)) == len(attempts):
        return [min(own) or "." for own in folders]
    named = [one.pieces[0].file for one in attempts]
    counted = Counter(path for own in paths for path in own)
    # A file of several runs that holds other series than those that name them is of a split.
    is_told = all(
        counted[piece.log.source.path] == 1 or piece.series.keys() <= one.pieces[0].series.keys()
        for one in attempts
        for piece in one.pieces
    )
    if not is_told or any(one.pieces[0].log.run_key for one in attempts):
        return [f"{folder or '.'}#{number}" for number in range(1, len(attempts) + 1)]
    stems = [
        (folder or ".") if "tfevents" in leaf(path) else inside(parent(path), stem_of(path))
        for path in named
    ]
    often = Counter(stems)
    return [
        f"{stem}#{stems[: at + 1].count(stem)}" if often[stem] > 1 else stem
        for at, stem in enumerate(stems)
    ]


def _add_results(
    layout: Layout, folder: str, found: list[Draft], logs: Sequence[Log], names: Names
) -> None:
    """Give numbers without a step to the run that they are of, or make runs of them alone."""
    owners = [(log, _owner_of(log, found)) for log in logs]
    for log, owner in owners:
        if owner is not None:
            owner.results += _results_in(layout, [log], names)
            if log.source not in owner.sources:
                owner.config = {**config_of(log), **owner.config}
                owner.sources.append(log.source)
                owner.problems.extend(_quieten(log))
    logs, made = [log for log, owner in owners if owner is None], list[Draft]()
    alone = first_fit(logs, lambda log, some: all(_agree(log, one) for one in some))
    for several in alone:
        own = inside(folder, stem_of(several[0].source.path))
        name = own if len(alone) > 1 or found else folder or "."
        # Of a number that one file rounds, what it was rounded from.
        stated = group_by(_results_in(layout, several, names), lambda one: one.tag)
        results = [max(own, key=lambda one: len(repr(one.value))) for own in stated.values()]
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
        made.append(draft)
    found[:0] = made


def _owner_of(log: Log, found: Sequence[Draft]) -> Draft | None:
    """Return the run of a folder that numbers without a step are of: the last that began there.

    Of tables that lie side by side it is the one whose words are in the name of their file, if any.
    """
    paths = [{series.path for series in draft.scalars.values()} for draft in found]
    kinds = {source.kind for draft in found for source in draft.sources}
    words = [called(own) for own in paths]
    if len(set().union(*paths)) < 2 or kinds - TABLES or not all(words):
        return found[-1] if found else None
    own = called([log.source.path])
    near = [draft for draft, told in zip(found, words, strict=True) if told <= own]
    return near[0] if len(near) == 1 else None


def _agree(one: Log, other: Log) -> bool:
    """Tell whether no number that two files state is another in the other one, as it is printed."""
    shared = one.results.keys() & other.results.keys()
    mine, theirs = (np.array([log.results[tag] for tag in shared]) for log in (one, other))
    same = np.array_equal(mine, theirs, equal_nan=True)
    return same or agree_as_printed(mine, theirs) or agree_as_printed(theirs, mine)


def _results_in(layout: Layout, logs: Iterable[Log], names: Names) -> list[Result]:
    found = []
    for log in logs:
        for tag, value in log.results.items():
            metric, split = layout.label("", result_key(tag, names), names)
            path = log.source.path
            found.append(Result(tag=tag, value=value, metric=metric, split=split, path=path))
    return found


def _lift_summaries(folders: dict[str, list[tuple[Place, Log]]]) -> None:
    """Give folders that hold nothing but settings and what came of them to the run above."""
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


def _without_placeholder(series: Series) -> Series:
    """Return a series without the value that Lightning logs of it with the settings, at step 0.

    Source: lightning.ai, `extensions/logging` (`log_hyperparams(self.hparams, {"hp/a": 0})`).
    """
    began = series.tag.startswith("hp/") and len(series) > 1 and series.steps[0] == 0
    if not (began and series.values[0] in {-1.0, 0.0, 1.0}):
        return series
    rest = {name: getattr(series, name)[1:] for name in ("steps", "values", "wall_times")}
    return replace(series, **rest)


def _draft(layout: Layout, name: str, folder: str, attempt: Attempt, bare: Iterable[Log]) -> Draft:
    config: dict[str, object] = {}
    attempt.series = {key: _without_placeholder(one) for key, one in attempt.series.items()}
    logs = {id(piece.log): piece.log for piece in attempt.pieces}
    for log in (*bare, *logs.values()):
        config.update(config_of(log))
    problems = [*attempt.problems]
    for log in (*logs.values(), *bare):
        problems.extend(_quieten(log))
    sources = {log.source.path: log.source for log in (*logs.values(), *bare)}
    draft = Draft(
        id=name,
        place=folder,
        layout=layout.name,
        scalars=dict(sorted(on_steps(attempt.series).items())),
        config=config,
        sources=list(sources.values()),
        problems=problems,
        results=[*attempt.results, *_measured_once(attempt.series)],
    )
    # What ended before the others went on was no end of the run.
    last = max(last_step(piece.series) for piece in attempt.pieces)
    draft.tell_end(*(p.log.ended for p in attempt.pieces if last_step(p.series) == last))
    return draft


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


def _quieten(log: Log) -> list[Problem]:
    """Return a log's problems as those of a run that other files give points to."""
    read = log.source.size > 0 and not log.series
    header_only = read and all(p.offset is None for p in log.problems)
    return [replace(p, level="note") if header_only else p for p in log.problems]


# --- settings and files without points -----------------------------------------------------


def _attach_loose(logs: Sequence[Log], drafts: Sequence[Draft]) -> list[Problem]:
    """Give files without points to the run they lie in; return the problems of all others."""
    used = {source.path for draft in drafts for source in draft.sources}
    beside = {draft.id: {parent(source.path) for source in draft.sources} for draft in drafts}
    at: dict[str, Draft] = {}
    for draft in drafts:
        at.setdefault("" if draft.place == "." else draft.place, draft)
    loose: list[Problem] = []
    for log in logs:
        if log.source.path in used:
            continue
        owners = _owners(log, drafts, beside) if log.config else []
        nearest = [at[f] for f in folders_above(log.source.path) if f in at][:1]
        # Of several runs, the seed that settings state is of none.
        settings = config_of(log) if len(owners) == 1 else without_seeds(config_of(log))
        for draft in owners or nearest:
            draft.config = {**settings, **draft.config} if owners else draft.config
            draft.sources.append(log.source)
            draft.problems.extend(_quieten(log))
            draft.tell_end(log.ended)
        loose.extend(() if owners or nearest else log.problems)
    return loose


def _owners(
    log: Log, drafts: Sequence[Draft], beside: Mapping[str, Collection[str]]
) -> Sequence[Draft]:
    """Return the runs that settings are of: those beside them, else the only one below."""
    above, hydra, _ = f"/{log.source.path}".partition(HYDRA)
    folder = above.lstrip("/") if hydra else parent(log.source.path)
    below = [d for d in drafts if not folder or f"{d.place}/".startswith(f"{folder}/")]
    near = [draft for draft in drafts if folder in beside[draft.id]]
    return below if hydra else near or (below if len(below) == 1 else [])
