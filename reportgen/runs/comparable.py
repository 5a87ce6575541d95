"""Which groups may be ranked and subtracted: those of one task, none a part of another.

Nothing is forbidden that nothing speaks against: groups that differ in a model, an optimizer or a
start are there to be compared. What tells tasks apart is a row of a table here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from reportgen.records.facts import Task
from reportgen.records.record import replace
from reportgen.records.run import Run, Series
from reportgen.records.source import natural_key
from reportgen.records.study import MetricPlan
from reportgen.runs._evidence import FOLD_PATH, leaves_of
from reportgen.runs._layout import is_called_copy
from reportgen.runs._parts import given_up, resumptions
from reportgen.runs._words import direction_of, ordered_words, tells_quality, words
from reportgen.runs.series import agreeing_points, group_by, select_points

Groups = Mapping[str, Sequence[Run]]
Column = tuple[str, Mapping[str, str]]
"""A kind of task, and for each group what tells it; empty where nothing does."""

_COUNTED = frozenset({"labels", "horizon"})
TASK_SETTINGS = {
    kind: ordered_words("tasks", kind) for kind in ("environment", "data", "labels", "horizon")
}
"""Kind of task to the settings that state it, bare or as the last part of a longer key."""
_PROGRAMS = words("tasks", "programs")
_REWARDS = words("tasks", "rewards")
_LOSSES = words("tasks", "losses")
_PARTS_OF_LOSSES = words("tasks", "parts_of_losses")
_SUMS = frozenset({"loss", "total_loss"})
_ADDED = frozenset({"loss", "losses", "rewards"})
_VERSIONED = re.compile(r"(?<![^\W_])[^\W\d_][^\W_]*(?:-[^\W_]+){0,6}?-v\d+(?![^\W_])")
_TUNED = re.compile(r"(?<![a-z])(?:lr|wd|bs|batch|dropout|dr|beta|eps)[-_=]?\d[\d.e_-]*")
_WEIGHT = re.compile(r"(?<![a-z])([a-z]+)[-_=]?(\d+\.\d+|\d+e-\d+)")
_BOUNDED = frozenset({"percent", "fraction"})
_AND = " + "
_LONGEST = 200
_KINDS = {key: kind for kind, keys in TASK_SETTINGS.items() for key in keys}
_NO_SETTINGS = frozenset({"purge_step"})
_MOST_KEYS = 3
"""Settings by which a program is named that shares none with the others."""
_APART = 50
"""Factor between two ranges of one metric that no two groups of one task were seen to have."""
_FEWEST = 3
"""Points that a range rests on, and values that make two curves the same by themselves."""


def tasks_of(groups: Groups, metric: MetricPlan) -> dict[str, Task]:
    """Tell the task of each group; two groups may be compared where their tasks are equal.

    What names and settings tell comes first: each of them that has two values or more divides the
    groups, and one that has none of them stands apart. Numbers of assignments, unlike parts of
    losses, settings of which groups share none, and values that lie apart by orders of magnitude,
    count where nothing else divides. A group whose runs are copies or beginnings of those of
    another, or starts that were given up, stands alone. Where nothing tells them apart, all have
    `Task()`.

    Example:
        >>> from reportgen.records.run import Run
        >>> names = ("a/mnist", "b/mnist", "a/svhn")
        >>> runs = {n: [Run(id=n, group=n, seed=0, layout="", scalars={})] for n in names}
        >>> [task.name for task in tasks_of(runs, MetricPlan()).values()]
        ['mnist', 'mnist', 'svhn']
    """
    logged = {name: runs for name, runs in groups.items() if runs}
    assignments = {
        name: _several(
            folder
            for run in runs
            for folder in run.id.split("/")[:-1]
            if _ASSIGNED.fullmatch(folder.lower())
        )
        for name, runs in logged.items()
    }
    found = _divided(_told(logged)) or _divided([("assignment", assignments)])
    found = found or _by_folds(logged) or _by_twins(logged) or _by_losses(logged, metric)
    found = found or _by_settings(logged) or _by_scale(logged, metric)
    tasks = {name: found.get(name, Task()) for name in groups}
    return tasks | _parts(logged, metric, tasks)


# --- what names and settings tell ---------------------------------------------------


def _told(groups: Groups) -> Iterator[Column]:
    """Yield what settings tell of each group, then what names tell."""
    stated = {name: _settings(runs) for name, runs in groups.items()}
    for key, kind in _KINDS.items():
        told = {name: _several(values.get(key, ())) for name, values in stated.items()}
        # Folds, and folders of their own: data that differ inside a group are no task.
        if kind != "data" or not any(_AND in value for value in told.values()):
            yield kind, told
    yield "environment", {name: _environment(runs) for name, runs in groups.items()}
    words = {name: {w for run in runs for w in _data_in(run)} for name, runs in groups.items()}
    yield "data", {name: _several(own) for name, own in (words | _crossed(words)).items()}
    parts = {
        name: [part for run in runs for part in _DATA_PARTS.findall(run.id.lower())]
        for name, runs in groups.items()
    }
    yield "data", {name: _several(own) for name, own in parts.items()}


def _data_in(run: Run) -> list[str]:
    return _DATA_WORDS.findall(run.id.lower())


def _crossed(words: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the data of groups whose names hold no known word where their counterparts hold one.

    Beside `gcn/cora` and `gat/cora`, `gcn/mine` and `gat/mine` are of other data: what stands in
    the place of the word for two methods at least is what they were trained on as well.
    """
    places: dict[str, dict[str, str]] = {}
    for name in words:
        for part in re.finditer(r"[^\W_]+", name.lower()):
            place = f"{name.lower()[: part.start()]}*{name.lower()[part.end() :]}"
            places.setdefault(place, {})[part[0]] = name
    known = {word for own in words.values() for word in own}
    shared = Counter(
        (word, other)
        for own in places.values()
        for word in own.keys() & known
        for other in own.keys() - known
    )
    data = {other for (_, other), count in shared.items() if count > 1}
    return {
        name: {part}
        for own in places.values()
        if own.keys() & known
        for part, name in own.items()
        if part in data and not words[name]
    }


def _divided(columns: Iterable[Column]) -> dict[str, Task]:
    """Divide the groups by every column that tells some of them apart; nothing where none does."""
    tasks: dict[str, Task] = {}
    for kind, told in columns:
        spellings: dict[str, str] = {}
        for value in sorted(filter(None, told.values())):
            spellings.setdefault(_plain(value), value)
        if len(spellings) < 2:
            continue
        new = {}
        for name, value in told.items():
            task, part = tasks.get(name, Task(kind=kind)), spellings.get(_plain(value), "")
            parts = list(filter(None, task.name.split(", ")))
            parts += [part] if part and _plain(part) not in map(_plain, parts) else []
            new[name] = replace(task, name=", ".join(parts))
        # What divides no further says again what is known, in other words.
        known = bool(tasks) and all(task.name for task in tasks.values())
        if not known or len(set(new.values())) > len(set(tasks.values())):
            tasks = new
    return tasks


def _settings(runs: Sequence[Run]) -> dict[str, list[str]]:
    """Return what the runs of a group state about their task, by setting."""
    rewarded = any(map(_is_rewarded, runs))
    found: dict[str, list[str]] = {}
    for run in runs:
        for key, value in _leaves(run.config):
            kind = _KINDS.get(key, "")
            if kind in _COUNTED:
                if not isinstance(value, int) or value is True or (rewarded and kind == "horizon"):
                    continue
                text = str(value) if kind == "labels" else f"{key}={value}"
            elif isinstance(value, str) and len(value) <= _LONGEST and (rewarded or kind == "data"):
                # A name without the folders before it and the ending of its file.
                text = value.replace("\\", "/").rstrip("/").rpartition("/")[2]
                text = text.removesuffix(".yaml").removesuffix(".yml")
            else:
                continue
            if text and (key != "task_name" or _DATA_WORDS.fullmatch(text.lower())):
                found.setdefault(key, []).append(text)
    return found


def _leaves(config: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the settings that may state a task: bare, in a section, or the name of a section."""
    for key, value in leaves_of(config, deep=1):
        section, _, name = key.replace("/", ".").lower().rpartition(".")
        owner = section.rpartition(".")[2] if name in {"name", "id"} else name
        if owner in _KINDS:
            yield owner, ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _is_rewarded(run: Run) -> bool:
    return any(_REWARDS & set(series.metric.lower().split("_")) for series in run.scalars.values())


def _environment(runs: Sequence[Run]) -> str:
    """Return the environment that names of runs state, where the runs log rewards."""
    if not any(map(_is_rewarded, runs)):
        return ""
    found: list[str] = []
    for run in runs:
        versioned = [_without_program(match[0]) for match in _VERSIONED.finditer(run.id)]
        found += versioned or _ENVIRONMENT_WORDS.findall(run.id.lower())
    return _several(found)


def _without_program(name: str) -> str:
    """Return the name of an environment without what stands before it."""
    known = _ENVIRONMENT_WORDS.search(name.lower())
    if known:
        return name[known.start() :]
    head, _, rest = name.partition("-")
    return rest if head.lower() in _PROGRAMS and "-" in rest else name


def _pattern(section: str, behind: str = "") -> re.Pattern[str]:
    """Return a pattern of whole words, the longest first, with a separator wherever one may be."""
    ordered = sorted(words("tasks", section), key=lambda word: (-len(word), word))
    spelt = "|".join(word.replace("_", "[-_ ]?") for word in ordered)
    return re.compile(rf"(?<![^\W_])(?:{spelt}){behind}(?![^\W_])")


_ENVIRONMENT_WORDS = _pattern("environments")
_DATA_WORDS = _pattern("data_sets")
_DATA_PARTS = _pattern("data_parts", r"[-_ ]?\d{1,3}")
_LABEL_WORDS = _pattern("label_words")
_ASSIGNED = _pattern("assignments", r"[-_ ]?\d{1,2}")


def _several(values: Iterable[str]) -> str:
    """Return one value, or each that a group has: a group of two tasks is of neither."""
    found: dict[str, str] = {}
    for value in sorted(values):
        found.setdefault(_plain(value), value)
    return _AND.join(found.values())


def _plain(value: str) -> str:
    """Return a name without what spellings differ in."""
    return re.sub(r"[-_ ]", "", value.casefold())


def _by_folds(groups: Groups) -> dict[str, Task]:
    """Divide groups of folds, which were measured on all of the data, from those of one split."""
    folded = {name: len(r) > 1 and all(FOLD_PATH.search(one.id) for one in r)
              for name, r in groups.items()}  # fmt: skip
    if len(set(folded.values())) < 2:
        return {}
    return {n: Task(kind="folds", name="folds" if own else "") for n, own in folded.items()}


def _by_twins(groups: Groups) -> dict[str, Task]:
    """Divide groups whose names tell unlike labels, or are alike but for a word that does."""
    told = {name: _several(_LABEL_WORDS.findall(name.lower())) for name in groups}
    named = set(map(_plain, groups))
    bare = {_plain(_LABEL_WORDS.sub("", name.lower())) for name, word in told.items() if word}
    is_told = bare & named or len({*told.values()} - {""}) > 1
    return {n: Task(kind="labels", name=w) for n, w in told.items()} if is_told else {}


def _by_losses(groups: Groups, metric: MetricPlan) -> dict[str, Task]:
    """Divide groups whose losses have unlike parts, where it is their sum that decides."""
    if metric.name not in _SUMS:
        return {}
    logged: dict[str, list[set[str]]] = {}
    for name, runs in groups.items():
        measured = [s.metric for run in runs for s in run.scalars.values()]
        measured += [one.metric for run in runs for one in run.results]
        logged[name] = [set(one.split("_")) for one in measured]
    parts = {
        name: sorted(
            {part for own in some if own & _ADDED for part in own & _PARTS_OF_LOSSES}
            | {*_stated_losses(name, groups[name], some)}
        )
        for name, some in logged.items()
    }
    found = {name: Task(kind="loss", name=", ".join(own)) for name, own in parts.items()}
    return found if len(set(found.values())) > 1 else {}


def _stated_losses(name: str, runs: Sequence[Run], logged: Sequence[set[str]]) -> Iterator[str]:
    """Yield what settings call the loss, and a name the weights of its parts: `CQL0.1`."""
    for key, value in (leaf for run in runs for leaf in leaves_of(run.config, deep=1)):
        if key.replace("/", ".").lower().rpartition(".")[2] in _LOSSES and isinstance(value, str):
            yield value[:_LONGEST]
    parts = {part for own in logged if "loss" in own for part in own}
    for part, weight in _WEIGHT.findall(name.lower()):
        if part in parts:
            yield f"{part} {weight}"


def _by_settings(groups: Groups) -> dict[str, Task]:
    """Divide groups that have no setting in common; a group without settings forbids it."""
    keys = {
        name: {str(key) for run in runs for key in run.config} - _NO_SETTINGS
        for name, runs in groups.items()
    }
    if not keys or not all(keys.values()):
        return {}
    families: list[set[str]] = []
    for own in keys.values():
        shared = [family for family in families if family & own]
        families = [family for family in families if not family & own]
        families.append(own.union(*shared))
    if len(families) < 2:
        return {}
    called = {key: ", ".join(sorted(own)[:_MOST_KEYS]) for own in families for key in own}
    return {name: Task(kind="settings", name=called[min(own)]) for name, own in keys.items()}


# --- what values tell ---------------------------------------------------------------


def _by_scale(groups: Groups, metric: MetricPlan) -> dict[str, Task]:
    """Divide groups whose values lie apart by orders of magnitude, whatever the step."""
    spans = {name: span for name, runs in groups.items() if (span := _range_of(runs, metric))}
    classes: list[list[str]] = []
    top = 0.0
    for (low, high), name in sorted((span, name) for name, span in spans.items()):
        if low >= _APART * top:
            classes.append([])
        classes[-1].append(name)
        top = max(top, high)
    shapes = [{_TUNED.sub("", name.lower()) for name in members} for members in classes]
    if len(classes) < 2 or sum(map(len, shapes)) > len(set().union(*shapes)):
        return {}
    return {
        name: Task(kind="scale", name=str(number))
        for number, members in enumerate(classes, 1)
        for name in members
    }


def _range_of(runs: Sequence[Run], metric: MetricPlan) -> tuple[float, float] | None:
    """Return the range of a metric without bounds; None where it reaches 0."""
    curves = [s for run in runs if (s := run.find(metric.name, metric.select_on)) is not None]
    if any(curve.unit in _BOUNDED for curve in curves):
        return None
    values = np.concatenate([curve.values.astype(float) for curve in curves] or [np.zeros(0)])
    values = values[np.isfinite(values)]
    sound = len(values) >= _FEWEST and values.min() > 0
    return (float(values.min()), float(values.max())) if sound else None


# --- parts of one another -----------------------------------------------------------


def _parts(groups: Groups, metric: MetricPlan, tasks: Mapping[str, Task]) -> dict[str, Task]:
    """Return a task of its own for each group of which every run is a part of one other group."""
    owner = {run.id: name for name, runs in groups.items() for run in runs}
    runs = [run for some in groups.values() for run in some]
    runs.sort(key=lambda run: (is_called_copy(run.id), natural_key(run.id), run.id))
    kinds = {
        "copy": _copies(runs, metric),
        "given_up": given_up((run, run.seed) for run in runs),
        "resumed": {one.id: later for later, one in resumptions(runs).items()},
    }
    found: dict[str, Task] = {}
    for name in sorted(groups, key=natural_key):
        for kind, wholes in kinds.items():
            others = {owner.get(wholes.get(run.id, ""), "") for run in groups[name]}
            whole = others.pop()
            alone = bool(others) or whole in {"", name}
            if not alone and tasks[whole] == tasks[name]:
                found.setdefault(name, Task(kind=kind, name=whole))
    return found


def _copies(runs: Sequence[Run], metric: MetricPlan) -> dict[str, str]:
    """Return run to the run whose values it repeats from the first one on, up to its own end."""
    curves = [(run, one) for run in runs if (one := _deciding(run, metric)) is not None]
    found: dict[str, str] = {}

    def begins(one: tuple[Run, Series]) -> Hashable:
        _, curve = one
        first = (curve.steps[0], curve.values[0], curve.wall_times[0])
        return curve.metric, curve.split, *map(str, first)

    for members in group_by(curves, begins).values():
        whole, longest = max(members, key=lambda one: len(one[1]))
        for run, curve in members:
            begun = run is not whole and _is_beginning(curve, longest)
            if begun and not _contradict(run, whole):
                found[run.id] = whole.id
    return found


def _deciding(run: Run, metric: MetricPlan) -> Series | None:
    """Return the curve by which a run is known: of the metric that decides, else its longest.

    Epochs, learning rates and speeds are none: runs of one schedule have them in common.
    """
    for split in (metric.select_on, metric.report_on, "train", ""):
        curve = run.find(metric.name, split)
        if curve is not None and len(curve):
            return curve
    return max((s for s in _measured(run) if len(s)), key=len, default=None)


def _measured(run: Run) -> list[Series]:
    """Return what was measured of the model, and not of its schedule."""
    return [s for s in run.scalars.values() if direction_of(s.metric) and tells_quality(s.metric)]


def _contradict(one: Run, other: Run) -> bool:
    """Return whether two runs measured unlike values at a step."""
    mine, theirs = ({curve.tag: curve for curve in _measured(run)} for run in (one, other))
    return agreeing_points(mine, theirs) is None


def _is_beginning(part: Series, whole: Series) -> bool:
    n = len(part)
    values = part.values[np.isfinite(part.values)]
    timed = bool(np.isfinite(part.wall_times).all()) and bool(np.any(part.wall_times))
    if n < _FEWEST or (not timed and len(np.unique(values)) < _FEWEST):
        return False
    begins = select_points(whole, slice(n))
    return all(
        np.array_equal(getattr(part, name), getattr(begins, name), equal_nan=True)
        for name in ("steps", "values", "wall_times")
    )
