"""What is true of a lab, computed by pandas and scipy from the list of all that was logged.

The policy, one sentence a rule; whatever loads, selects and averages runs follows the same.

1. A session is what one process wrote, over all files and splits of a run.
2. A session that goes on beyond what a run has, or in the middle of it, replaces everything that
   was logged at or after its first step, in every series of the run.
3. A session that starts at or before the first step of a run is another attempt: a run of its own,
   of which nothing is spliced with anything else (means over such attempts are not compared).
4. An evaluation after training (a session without a training value, of one step, at which the run
   has logged something already) leaves the logged values; its own, where they are others, are
   results without a step.
5. A test split that was measured once, after everything else and at or after the last step of the
   run, is a result without a step, too.
6. Of a step that is repeated inside one session, the point that was written last counts.
7. NaN and infinities stay in curves; they are out of maxima, and as the value of a run they are
   missing.
8. The best step is that of the best validation value; of several that are equal, the earliest.
9. The value of a run is its test value at exactly its best step; where there is none, it is
   missing, unless exactly one result without a step exists for the test split.
10. A run logs percent if any finite value of one of its ratio metrics is above 1.001, else
    fractions; values are compared as fractions.
11. Seeds come from settings, then from paths.
12. Means are over the runs that have a value: of one run it is the value; from three on there are
    a sample standard deviation (n - 1) and Student's t interval; of two there is neither.
13. A mean over the runs at one step is that of the finite values which they have at that step.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

RATIOS = ("accuracy", "f1")
LOWER = ("mse", "loss")
PERCENT_ABOVE = 1.001


@dataclass(frozen=True)
class Judged:
    """What is true of one run.

    Attributes:
        curves: (split, metric) to its points (step, value), as logged.
        best_step: None where nothing can be selected.
        select_value: On validation at the best step, as a fraction where the metric is a ratio.
        report_value: On test, likewise.
        at_step: (split, step) to the value there, likewise.
    """

    curves: dict[tuple[str, str], list[tuple[int, float]]]
    best_step: int | None = None
    select_value: float | None = None
    report_value: float | None = None
    at_step: dict[tuple[str, int], float] = field(default_factory=dict)


def judge_run(records: pd.DataFrame, metric: str) -> list[Judged]:
    """Return the attempts of a run, of which there is one unless a session starts over.

    Args:
        records: `session, split, metric, step, value` in the order of writing; step is NA where
            a result has none.
        metric: The one that is selected and reported.
    """
    attempts: list[pd.DataFrame] = []
    results: list[pd.DataFrame] = []
    unstepped = records["step"].isna()
    for _, session in records[~unstepped].groupby("session", sort=True):
        if attempts and evaluates_again(session, attempts[-1]):
            keys = ["split", "metric", "step", "value"]
            logged = session.merge(attempts[-1][keys], on=keys, how="left", indicator=True)
            results.append(session[(logged["_merge"] == "left_only").to_numpy()])
        elif not attempts or session["step"].min() <= attempts[-1]["step"].min():
            attempts.append(session)
        else:
            kept = attempts[-1][attempts[-1]["step"] < session["step"].min()]
            attempts[-1] = pd.concat([kept, session])
    results.append(records[unstepped])
    return [judge_attempt(one, pd.concat(results), metric) for one in attempts]


def evaluates_again(session: pd.DataFrame, before: pd.DataFrame) -> bool:
    """Return whether a session is an evaluation after training (rule 4)."""
    steps = set(session["step"])
    untrained = "train" not in set(session["split"])
    return untrained and len(steps) == 1 and steps <= set(before["step"])


def judge_attempt(records: pd.DataFrame, results: pd.DataFrame, metric: str) -> Judged:
    """Return what is true of an attempt and of what was measured after it."""
    points = records.drop_duplicates(["split", "metric", "step"], keep="last")
    tests = points[(points["split"] == "test") & (points["metric"] == metric)]
    rest = points[points["split"] != "test"]
    measured = results[(results["split"] == "test") & (results["metric"] == metric)]
    late = (tests["step"] >= rest["step"].max()) & (tests.index > rest.index.max())
    if len(tests) == 1 and late.all():
        measured, points = pd.concat([measured, tests]), rest
    ratios = points[points["metric"].isin(RATIOS)]["value"]
    finite = ratios[np.isfinite(ratios)]
    scale = 100.0 if metric in RATIOS and bool((finite > PERCENT_ABOVE).any()) else 1.0
    own = points[points["metric"] == metric].assign(value=lambda rows: rows["value"] / scale)
    curves = {
        (str(split), str(name)): list(
            rows.sort_values("step")[["step", "value"]].itertuples(index=False, name=None)
        )
        for (split, name), rows in points.groupby(["split", "metric"])
    }
    at_step = {(row.split, int(row.step)): float(row.value) for row in own.itertuples()}
    validation = own[(own["split"] == "validation") & np.isfinite(own["value"])]
    if validation.empty:
        return Judged(curves, at_step=at_step)
    by_step = validation.set_index("step")["value"].sort_index()
    best = int(by_step.idxmin() if metric in LOWER else by_step.idxmax())
    test = at_step.get(("test", best))
    if test is None and len(measured) == 1:
        test = float(measured["value"].iloc[0]) / scale
    if test is not None and not math.isfinite(test):
        test = None
    return Judged(curves, best, float(by_step[best]), test, at_step)


def summarise(values: list[float]) -> dict[str, Any]:
    """Return n, mean, sample standard deviation and half the t interval (rule 12)."""
    column = pd.Series(values, dtype=float)
    told: dict[str, Any] = {"n": len(column), "mean": None, "std": None, "interval": None}
    if len(column):
        told["mean"] = float(column.mean())
    if len(column) > 2:
        told["std"] = float(column.std(ddof=1))
        told["interval"] = float(stats.t.ppf(0.975, len(column) - 1) * stats.sem(column))
    return told


def per_step(runs: list[Judged]) -> dict[tuple[str, int], dict[str, Any]]:
    """Return (split, step) to what is true of the runs of a group there (rule 13)."""
    rows = [(split, step, value) for run in runs for (split, step), value in run.at_step.items()]
    frame = pd.DataFrame(rows, columns=["split", "step", "value"])
    frame = frame[np.isfinite(frame["value"])]
    return {
        (str(split), int(step)): summarise(rows["value"].tolist())
        for (split, step), rows in frame.groupby(["split", "step"])
    }
