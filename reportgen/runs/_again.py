"""An evaluation after training: what it measured again, and whose weights it measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from reportgen.records.run import Problem, Series

_CLOCKS = ("runtime", "_per_second", "_time", "epoch")
"""What is another number each time, whatever the weights."""


def ended_twice(series: Mapping[str, Series], path: str, *, tolerance: float) -> list[Problem]:
    """Say what one file logged a second time at its last step, after everything else.

    On validation and test that is an evaluation after training. Of other tags nobody knows what
    it is.

    Args:
        series: Key to labelled series, of one file.
        path: The file.
        tolerance: Relative one, up to which two values are the same.
    """
    later = {
        key: replace(
            one,
            steps=one.steps[-1:],
            values=np.array([one.again[0]], dtype=one.values.dtype),
            wall_times=np.array([one.again[1]]),
        )
        for key, one in series.items()
        if one.again is not None
    }
    measured = {key: one for key, one in later.items() if one.split in {"validation", "test"}}
    found = evaluated_again(series, measured, path, tolerance=tolerance) if measured else []
    for key, one in later.items():
        if key not in measured:
            step, value = int(one.steps[0]), str(series[key].values[-1])
            found.append(
                Problem(
                    path=path,
                    message=f"{key} has a second value at the last step, {step}: {one.values[0]} "
                    f"beside {value}; the first one is kept",
                    remedy="log a step that never comes twice, or each phase under a tag of its "
                    "own",
                    level="note" if key.endswith(_CLOCKS) or not one.metric else "warning",
                )
            )
    return found


def evaluated_again(
    old: Mapping[str, Series], new: Mapping[str, Series], path: str, *, tolerance: float
) -> list[Problem]:
    """Say how an evaluation after training differs from what training logged at its step.

    Args:
        old: What training logged.
        new: What was logged later, all of it at one step that training had logged.
        path: File of the evaluation.
        tolerance: Relative one, up to which two values are the same.
    """
    apart = [
        (key, *difference)
        for key, series in new.items()
        if key in old and not key.endswith(_CLOCKS)
        for difference in _differences(old[key], series, tolerance)
    ]
    best = _step_with_the_same(old, new) if apart else None
    if best is not None:
        metrics = ", ".join(key for key, *_ in apart)
        return [
            Problem(
                path=path,
                message=(
                    f"evaluated again after training, with the values of step {best}: the best "
                    f"weights, loaded at the end; {metrics} as training logged them at step "
                    f"{apart[0][1]} are kept"
                ),
                level="note",
            )
        ]
    return [
        Problem(
            path=path,
            message=(
                f"{key} was evaluated again after training: {again} beside {value} "
                f"at step {step}; the first one is kept"
            ),
            level="note",
        )
        for key, step, value, again in apart
    ]


def _step_with_the_same(old: Mapping[str, Series], new: Mapping[str, Series]) -> int | None:
    """Return the last earlier step at which every metric had these values, bit by bit.

    One metric alone may have the same value twice: an accuracy counts no more than examples.
    """
    measured = [key for key in new if key in old and not key.endswith(_CLOCKS)]
    if len(measured) < 2:
        return None
    found: set[int] | None = None
    for key in measured:
        earlier = np.less(old[key].steps, new[key].steps[0])
        same = np.equal(old[key].values, new[key].values[0]) & earlier
        steps = {int(step) for step in old[key].steps[same]}
        found = steps if found is None else found & steps
    return max(found) if found else None


def _differences(old: Series, new: Series, tolerance: float) -> list[tuple[int, str, str]]:
    both, at_old, at_new = np.intersect1d(old.steps, new.steps, return_indices=True)
    apart = ~np.isclose(
        old.values[at_old].astype(float),
        new.values[at_new].astype(float),
        rtol=tolerance,
        atol=0,
        equal_nan=True,
    )
    return [
        (int(step), str(value), str(again))
        for step, value, again in zip(
            both[apart], old.values[at_old][apart], new.values[at_new][apart], strict=True
        )
    ]
