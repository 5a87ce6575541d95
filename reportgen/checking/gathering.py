"""What a catalogue is gathered from: runs of logs, and values of files that are no logs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean, pstdev, stdev
from typing import TYPE_CHECKING

import numpy as np

from reportgen.checking.catalogue import Catalogue, Curve, Family, RunName
from reportgen.checking.words import said, tokens_of, words_of
from reportgen.records.verdict import Stored

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reportgen.records.run import Clock, Run, Series
    from reportgen.records.verdict import Evidence

__all__ = ["catalogue_of_stored", "make_catalogue"]


# The runs of logs as a catalogue: a tag over all runs that log it is a family.

_MOST_FAMILIES = 400
_NO_NAMES = frozenset({"none", "null", "true", "false", "yes", "auto", "default", "all"})
"""Values of settings that texts use as plain words."""


def make_catalogue(evidence: Evidence) -> Catalogue:
    """Make the catalogue of what a report is held against.

    Example:
        >>> from reportgen.records.verdict import Evidence
        >>> made = make_catalogue(Evidence())
        >>> made.runs, dict(made.families)
        ((), {})
    """
    facts = evidence.facts
    members = list(facts.runs) if facts is not None else []
    labels = {group.name: group.label for group in facts.groups} if facts is not None else {}
    names = tuple(_name(run, labels.get(run.group, "")) for run in members)
    families = dict(_families(members))
    groups: dict[str, list[int]] = {}
    for index, run in enumerate(members):
        groups.setdefault(run.group, []).append(index)
    shared = frozenset.intersection(*(one.tokens for one in names)) if names else frozenset()
    every = frozenset[str]().union(*(one.tokens for one in names))
    return Catalogue(
        runs=names,
        families=families,
        groups={name: tuple(found) for name, found in groups.items()},
        informative=every - shared,
    )


def _name(run: Run, label: str) -> RunName:
    tokens = {*tokens_of(run.id), *tokens_of(run.group), *tokens_of(label)}
    tokens |= {word.lower() for word in run.id.replace("/", "_").replace("-", "_").split("_")}
    words = {value.lower() for value in run.config.values() if isinstance(value, str)} - _NO_NAMES
    # What a word says of any number (`test`, `loss`) is no name.
    tokens |= {word for word in words if len(word) > 2 and word.isalpha() and not said(word)}
    if run.seed is not None:
        tokens |= {"seed", f"{run.seed}"}
    told = [*(("", token) for token in tokens), *run.config.items()]
    numbers = ((key, _number(value)) for key, value in told)
    return RunName(
        id=run.id,
        group=run.group,
        seed=run.seed,
        tokens=frozenset(tokens),
        settings=frozenset((key, one) for key, one in numbers if one is not None),
    )


def _number(value: object) -> float | None:
    """Return a setting as a number, which YAML may read as a text; None where it is none.

    Example:
        >>> _number("1e-3"), _number(10**400), _number("adam"), _number([1])
        (0.001, None, None, None)
    """
    try:
        return float(value) if isinstance(value, int | float | str) else None
    except (ValueError, OverflowError):
        return None


def _families(runs: Sequence[Run]) -> Iterator[tuple[str, Family]]:
    curves: dict[str, dict[int, Curve]] = {}
    first: dict[str, tuple[str, str, bool, str]] = {}
    for index, run in enumerate(runs):
        for key, series in run.scalars.items():
            curve = _curve(series, run)
            if curve is not None:
                curves.setdefault(key, {})[index] = curve
                first.setdefault(key, (series.metric, series.split, False, series.unit))
        for result in run.results:
            if math.isfinite(result.value) and result.tag not in run.scalars:
                one = Curve(
                    steps=np.array([result.step or 0], dtype=np.int64),
                    values=np.array([result.value], dtype=np.float64),
                    path=result.path,
                    tag=result.tag,
                )
                curves.setdefault(result.tag, {})[index] = one
                first.setdefault(result.tag, (result.metric, result.split, True, result.unit))
    for key, found in list(curves.items())[:_MOST_FAMILIES]:
        metric, split, once, unit = first[key]
        yield (
            key,
            Family(
                key=key,
                metric=metric,
                split=split,
                words=words_of(key.replace("/", " ")),
                curves=found,
                low=float(min(curve.values[curve.lowest] for curve in found.values())),
                high=float(max(curve.values[curve.highest] for curve in found.values())),
                unit=unit,
                once=once,
            ),
        )


def _curve(series: Series, run: Run) -> Curve | None:
    values = np.asarray(series.values)
    if values.dtype == np.float32 and len(values) <= 4096:
        # The shortest decimal that a float32 stands for is what its owner sees.
        values = np.array([float(str(value)) for value in values])
    numbers = values.astype(np.float64)
    finite = np.isfinite(numbers)
    if not finite.any():
        return None
    steps = np.asarray(series.steps, dtype=np.int64)
    if not finite.all():
        steps, numbers = steps[finite], numbers[finite]
    return Curve(
        steps=steps,
        values=numbers,
        epochs=partial(_epochs, steps, series, run.clock),
        path=series.path,
        tag=series.tag,
        from_one=bool(steps[0] == 1) or run.layout == _PARTS_OF_EPOCHS,
        whole=not series.replaced,
    )


_PARTS_OF_EPOCHS = "hf_trainer"
"""The layout whose epochs are those that are finished, and parts of them."""


def _epochs(
    steps: NDArray[np.int64], series: Series, clock: Clock | None
) -> NDArray[np.float64] | None:
    """Return the epoch of each step, as far as the run tells."""
    if series.clock == "epoch" or (clock is not None and clock.unit == "epoch"):
        return steps.astype(np.float64)
    if clock is None or not len(clock.steps):
        return None
    known = np.searchsorted(clock.steps, steps)
    inside = np.clip(known, 0, len(clock.steps) - 1)
    exact = clock.steps[inside] == steps
    if exact.all():
        return np.asarray(clock.epochs, dtype=np.float64)[inside]
    return np.interp(
        steps.astype(np.float64), clock.steps.astype(np.float64), clock.epochs.astype(np.float64)
    )


# Values of files that are no logs as a catalogue: objects are runs, their fields are families.

_CLOCKS = ("step", "global_step", "iteration", "iter", "epoch")
_LONGEST = 60


def catalogue_of_stored(stored: Sequence[Stored]) -> Catalogue | None:
    """Return a catalogue of the numbers of other files; None where there are none.

    An object with numbers is a run, called by its file and its keys; a list of objects is one
    with a curve for each field, over the field that counts steps or epochs.

    Example:
        >>> rows = [Stored(path="m.json", keys=("test", "spam", "f1"), value=0.9),
        ...         Stored(path="m.json", keys=("test", "ham", "f1"), value=0.8)]
        >>> found = catalogue_of_stored(rows)
        >>> [run.id for run in found.runs], list(found.families)
        (['m.json test.spam', 'm.json test.ham'], ['f1'])
    """
    labels = _labels(stored)
    objects: dict[tuple[str, tuple[str, ...]], dict[str, list[float]]] = {}
    for one in stored:
        if isinstance(one.value, bool) or not isinstance(one.value, int | float) or not one.keys:
            continue
        place, field = _place(one, labels)
        objects.setdefault((one.path, place), {}).setdefault(field, []).append(float(one.value))
    if not objects:
        return None
    for fields in objects.values():
        fields |= dict(_summed_up(fields))
    names, families = [], dict[str, dict[int, Curve]]()
    for index, ((path, place), fields) in enumerate(_without_copies(objects)):
        names.append(_object_name(path, place))
        for field, curve in _curves(path, place, fields):
            families.setdefault(field, {})[index] = curve
    groups: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        groups.setdefault(name.group, []).append(index)
    every = frozenset[str]().union(*(one.tokens for one in names))
    shared = frozenset.intersection(*(one.tokens for one in names)) if len(names) > 1 else ()
    return Catalogue(
        runs=tuple(names),
        families={key: _family(key, curves) for key, curves in families.items()},
        groups={group: tuple(members) for group, members in groups.items()},
        informative=every - frozenset(shared),
    )


_MOST_SUMMED = 12


def _summed_up(fields: Mapping[str, list[float]]) -> Iterator[tuple[str, list[float]]]:
    """Yield means and spreads of short lists that no clock orders: of seeds, of folds."""
    for field, values in fields.items():
        plain = not any(f"{field}.{how}" in fields for how in ("mean", "std"))
        if 1 < len(values) <= _MOST_SUMMED and fields.keys().isdisjoint(_CLOCKS) and plain:
            yield f"{field}.mean", [fmean(values)]
            yield f"{field}.std", [stdev(values)]
            yield f"{field}.pstd", [pstdev(values)]


_Object = tuple[tuple[str, tuple[str, ...]], dict[str, list[float]]]
"""A file and keys in it, and the values of the fields there."""


def _without_copies(
    objects: Mapping[tuple[str, tuple[str, ...]], dict[str, list[float]]],
) -> Iterator[_Object]:
    """Yield objects but those that another file, or a summary in it, holds under the same name."""
    seen = set()
    for (path, place), fields in objects.items():
        held = tuple(sorted((field, *values) for field, values in fields.items()))
        if not (place and (place[-1], held) in seen and len(held) > 1):
            yield (path, place), fields
        seen.add((place[-1] if place else path, held))


_List = tuple[str, tuple[str, ...]]
"""A file, and the keys to a list in it."""
_Element = tuple[str, tuple[str, ...], str]
"""The same, and a position in the list."""
_MOST_TOLD = 500
"""A list of more objects is of examples, not of experiments."""


def _labels(stored: Sequence[Stored]) -> dict[_Element, str]:
    """Return what the objects of a list are called by their texts, where no two are called alike.

    Objects that count steps or epochs are a curve, whatever their texts are.
    """
    texts: dict[_List, dict[str, list[str]]] = {}
    fields: dict[_List, dict[str, dict[str, float]]] = {}
    for one in stored:
        at = len(one.keys) - 2
        if at < 0 or not one.keys[at].isdigit():
            continue
        place, position = (one.path, one.keys[:at]), one.keys[at]
        if isinstance(one.value, str) and len(one.value) <= _LONGEST:
            texts.setdefault(place, {}).setdefault(position, []).append(one.value)
        elif isinstance(one.value, int | float):
            fields.setdefault(place, {}).setdefault(one.keys[-1], {})[position] = one.value
    labels: dict[_Element, str] = {}
    for place, members in texts.items():
        own = fields.get(place, {})
        named = _told_apart({at: " ".join(words) for at, words in members.items()}, own)
        if own.keys().isdisjoint(_CLOCKS) and len(set(named.values())) == len(named) > 1:
            labels.update({(*place, position): name for position, name in named.items()})
    return labels


def _told_apart(names: dict[str, str], fields: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    """Return the names of objects, with those settings that tell apart what is named alike.

    A setting is a number that several objects have: a seed, a length, a learning rate.
    """
    count = len(names)
    for field, values in fields.items():
        if len(set(names.values())) == count or count > _MOST_TOLD:
            break
        if len(values) == count and 1 < len({*values.values()}) <= count / 2:
            names = {at: f"{name} {field} {values[at]:g}" for at, name in names.items()}
    return names


def _place(one: Stored, labels: dict[_Element, str]) -> tuple[tuple[str, ...], str]:
    """Return the object a value stands in, by the names in lists and not positions, and its field.

    Example:
        >>> _place(Stored(path="a.json", keys=("rows", "1", "f1"), value=0.9), {})
        (('rows',), 'f1')
        >>> _place(Stored(path="a.json", keys=("base", "f1", "mean"), value=0.9), {})
        (('base',), 'f1.mean')
    """
    named = []
    for at, key in enumerate(one.keys):
        label = labels.get((one.path, one.keys[:at], key)) if key.isdigit() else key
        named += [label] if label else []
    if not named:
        return (), "value"
    if len(named) > 1 and named[-1].lower() in _SUMMARIES:
        return tuple(named[:-2]), f"{named[-2]}.{named[-1]}"
    return tuple(named[:-1]), named[-1]


_MEAN = frozenset({"mean", "avg", "average"})
_SUMMARIES = _MEAN | {
    "std",
    "stdev",
    "stddev",
    "sem",
    "median",
    "min",
    "max",
    "p90",
    "p95",
    "n",
    "count",
}
"""Keys that say how the values of the key before them were summed up."""


_REPLICATE = re.compile(r"(?<![A-Za-z])(seed|fold)[-_= ]?(\d{1,6})(?!\d)", re.IGNORECASE)
"""What tells objects apart that are the same otherwise."""


def _object_name(path: str, place: tuple[str, ...]) -> RunName:
    title = f"{path} {'.'.join(place)}".strip()
    words = {*tokens_of(path.rpartition("/")[2]), *tokens_of(" ".join(place))}
    found = _REPLICATE.search(title)
    return RunName(
        id=title,
        group=_REPLICATE.sub("", title) if found else title,
        seed=int(found[2]) if found and found[1].lower() == "seed" else None,
        tokens=frozenset(words),
    )


def _curves(
    path: str, place: tuple[str, ...], fields: dict[str, list[float]]
) -> Iterator[tuple[str, Curve]]:
    longest = max(map(len, fields.values()))
    clock = next((name for name in _CLOCKS if len(fields.get(name, ())) == longest), None)
    epochs = fields.get("epoch")
    for field, values in fields.items():
        steps = list(range(len(values)))
        if clock and longest > 1 and len(values) == longest:
            whole = [int(value) for value in fields[clock]]
            steps = whole if whole == sorted(set(whole)) else steps
        timed = epochs is not None and len(epochs) == len(values) and longest > 1
        yield (
            field,
            Curve(
                steps=np.array(steps, dtype=np.int64),
                values=np.array(values, dtype=np.float64),
                epochs=np.array(epochs, dtype=np.float64) if timed else None,
                path=path,
                tag=".".join((*place, field)),
                ordered=clock is not None or len(values) == 1,
                from_one=(epochs if timed and epochs else steps)[0] == 1,
            ),
        )


def _family(key: str, curves: dict[int, Curve]) -> Family:
    parent, _, last = key.rpartition(".")
    # A mean is what a report prints without a word.
    words = words_of(parent if parent and last.lower() in _MEAN else key)
    split = next(iter(words.splits)) if len(words.splits) == 1 else ""
    metric = next(iter(words.metrics)) if len(words.metrics) == 1 else ""
    return Family(
        key=key,
        metric=metric,
        split=split,
        words=words,
        curves=curves,
        low=float(min(curve.values.min() for curve in curves.values())),
        high=float(max(curve.values.max() for curve in curves.values())),
        once=all(len(curve.values) == 1 for curve in curves.values()),
    )
