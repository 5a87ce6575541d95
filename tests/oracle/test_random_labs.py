"""Random labs, each built and loaded, against pandas and scipy (`fakes.reference`, the policy).

`REPORTGEN_LABS=1000` makes so many of them; the suite makes one of each family.
"""

import json
import math
import os
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from fakes.command import reportgen
from fakes.random_labs import FAMILIES, Training, make_lab
from fakes.reference import Judged, judge_run, per_step, summarise

import reportgen as public

LABS = int(os.environ.get("REPORTGEN_LABS", "26"))
NOT_YET: list[str] = []
"""Families of which a lab disagrees yet."""
COMPARED = ("n", "mean", "std", "interval")


def cases() -> list[Any]:
    late = pytest.mark.xfail(reason="a lab disagrees yet", strict=True)
    return [pytest.param(name, marks=[late] if name in NOT_YET else []) for name in FAMILIES]


@pytest.mark.parametrize("family", cases())
def test_labs_agree_with_the_reference(family, tmp_path):
    first = list(FAMILIES).index(family)
    wrong = []
    for number in range(first, LABS, len(FAMILIES)):
        folder = tmp_path / str(number)
        runs, metric = make_lab(family, number, folder / "logs")
        wrong += [f"lab {number}: {one}" for one in disagreements(folder, runs, metric)]
    assert not wrong, f"{len(wrong)} in all\n" + "\n".join(wrong[:40])


def disagreements(folder: Path, runs: list[Training], metric: str) -> list[str]:
    """Return where report.json and the frame of a lab differ from the reference."""
    done = reportgen("build", "--runs", "logs", "--out", "out/report.json", cwd=folder)
    path = folder / "out" / "report.json"
    if not path.exists():
        return [f"exit {done.code}: {done.err}"]
    report = json.loads(path.read_bytes())
    frame = public.load(folder / "logs").to_frame()
    judged = {run.place: judge_run(run.frame(), metric) for run in runs}
    wrong = [one for run in runs for one in wrong_run(run, judged[run.place], frame, report)]
    for group in sorted({run.group for run in runs}):
        own = [judged[run.place] for run in runs if run.group == group]
        if all(len(attempts) == 1 for attempts in own):
            places = [run.place for run in runs if run.group == group]
            wrong += wrong_group(group, places, [one for (one,) in own], report)
    return wrong


def wrong_run(
    run: Training, attempts: list[Judged], frame: pd.DataFrame, report: dict[str, Any]
) -> list[str]:
    """Return what is wrong about a run and its attempts, in any order of theirs."""
    told = [
        {**one, "group": group["name"]}
        for group in report["groups"]
        for one in group["runs"]
        if belongs(one["run"], run.place)
    ]
    if len(told) != len(attempts):
        return [f"{run.place}: {len(told)} runs, not {len(attempts)}"]
    wrong = [f"{run.place}: seed {one['seed']}" for one in told if one["seed"] != run.seed]
    known = [series_of(one) for one in attempts]
    # A result without a step may be kept as a point, too; it is not a curve.
    splits = {split for one in known for split in one}
    loaded = [curves_of(frame, one["run"]) for one in told]
    curves = sorted(repr({k: one[k] for k in sorted(splits & set(one))}) for one in loaded)
    wanted = sorted(map(repr, known))
    wrong += [
        f"{run.place}: {found}\n    not {other}"
        for found, other in zip(curves, wanted, strict=True)
        if found != other
    ]
    found = sorted(rounded(o["best_step"], o["select_value"], o["report_value"]) for o in told)
    chosen = sorted(rounded(o.best_step, o.select_value, o.report_value) for o in attempts)
    return wrong if found == chosen else [*wrong, f"{run.place}: chosen {found}\n    not {chosen}"]


def belongs(name: str | None, place: str) -> bool:
    """Return whether a run lies in a place: its name begins with the path or an end of it."""
    ends = [place[n:] for n in range(len(place)) if n == 0 or place[n - 1] == "/"]
    return any(re.match(rf"{re.escape(end)}(?!\w)", name or "") for end in ends)


def rounded(*values: float | None) -> tuple[float, ...]:
    """Return values to ten significant digits; what is missing is put first."""
    return tuple(-math.inf if v is None else float(f"{v:.10g}") for v in values)


def curves_of(frame: pd.DataFrame, run: str) -> dict[str, list[tuple[int, float]]]:
    """Return the curves of a run as loaded: the training loss, and the metric of both splits."""
    frame = frame[frame["step"].notna()]
    rows = frame[(frame["run"] == run) & frame["split"].isin(["train", "validation", "test"])]
    loss = rows["tag"].str.contains("loss")
    rows = rows[(rows["split"] == "train") == loss]
    return {
        str(split): [(int(s), float(v)) for s, v in zip(own["step"], own["value"], strict=True)]
        for split, own in rows.sort_values("step", kind="stable").groupby("split")
    }


def series_of(run: Judged) -> dict[str, list[tuple[int, float]]]:
    """Return the same curves of the reference."""
    return {
        split: [(int(s), float(v)) for s, v in points]
        for (split, metric), points in sorted(run.curves.items())
        if (split == "train") == (metric == "loss")
    }


def wrong_group(
    group: str, places: list[str], runs: list[Judged], report: dict[str, Any]
) -> list[str]:
    """Return what is wrong about the means of a group, over its runs and at each step."""
    told = [
        one
        for one in report["groups"]
        if any(belongs(run["run"], place) for run in one["runs"] for place in places)
    ]
    if len(told) != 1:
        return [f"{group}: lies in the groups {[one['name'] for one in told]}"]
    values = [run.report_value for run in runs if run.report_value is not None]
    wrong = compared(group, told[0], summarise(values))
    wanted = per_step(runs)
    found = {
        (split, row["step"]): summary
        for row in told[0]["epochs"]
        for split, summary in row["splits"].items()
        if split != "train"
    }
    for key in sorted(set(found) | set(wanted)):
        if key in found and key in wanted:
            wrong += compared(f"{group} {key}", found[key], wanted[key])
        elif key in wanted or (found[key]["n"] and key[0] in {split for split, _ in wanted}):
            wrong.append(f"{group} {key}: {found.get(key)}, not {wanted.get(key)}")
    return wrong


def compared(name: str, found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    return [
        f"{name}: {key} {found[key]}, not {wanted[key]}"
        for key in COMPARED
        if not same(found[key], wanted[key])
    ]


def same(found: float | None, wanted: float | None) -> bool:
    """Return whether two values agree; of equal values there is no interval."""
    if found is None or wanted is None:
        return (found or 0) == (wanted or 0) or abs(found or wanted or 0) < 1e-12
    return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-12)
