"""The runs of logs as a catalogue: a tag over all runs that log it is a family."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from reportgen.checking.catalogue import Catalogue, Curve, Family, RunName
from reportgen.checking.words import said, tokens_of, words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reportgen.records.run import Clock, Run, Series
    from reportgen.records.verdict import Evidence

__all__ = ["make_catalogue"]

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
