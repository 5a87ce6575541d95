"""What runs are put together of logs: rows of YAML in `assembled/`, by the program that logged.

logs: what `log` of conftest.py takes; or files, as `fakes.field` writes them.
study: fields of the study.
runs: identifier to group, seed and layout; curves: tag, with the metric, split and unit that it is
taken for, to the points; config; results, with the step where there is one; sources: how many.
told: every problem, with its level and the run; decided: key to value, alternatives (or ...), a
question mark where it is asked, and the reason.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from fakes.field import write_files
from fakes.rows import rows_of

from reportgen.read.logs import load_tree
from reportgen.records.study import GroupPlan, MetricPlan

ROWS = [
    row for path in sorted(Path(__file__).parent.glob("assembled/*.yaml")) for row in rows_of(path)
]


def made(log, row):
    tags = {
        tag: {step: np.nan if value == "nan" else value for step, value in points.items()}
        for tag, points in row.get("tags", {}).items()
    }
    return log(row["path"], tags, **{k: v for k, v in row.items() if k not in ("path", "tags")})


def named(tag, *about):
    kept = ", ".join(word for word in about if word)
    return f"{tag} = {kept}" if kept else tag


def points_of(series):
    # The shortest decimals of what may be single precision, as rows are written.
    values = [str(v) for v in series.values]
    return {
        int(step): v if v == "nan" else pytest.approx(float(v))
        for step, v in zip(series.steps, values, strict=True)
    }


def found(run, wanted):
    """Return of a run what the row states."""
    curves = {
        named(tag, one.metric, one.split, one.unit): points_of(one)
        for tag, one in run.scalars.items()
    }
    results = {
        named(one.tag, one.metric, one.split) + ("" if one.step is None else f" at {one.step}"): (
            one.value
        )
        for one in run.results
    }
    seed = {} if run.seed is None else {"seed": run.seed}
    known = {
        "layout": run.layout,
        "curves": curves,
        "config": json.loads(json.dumps(dict(run.config))),
        "sources": len(run.sources),
        "clocks": {tag: one.wall_times.tolist() for tag, one in run.scalars.items()},
        "paths": {tag: one.path for tag, one in run.scalars.items()},
    }
    told = {"results": results} if results else {}
    return {"group": run.group, **seed, **told, **{k: v for k, v in known.items() if k in wanted}}


def problem_of(one, remedies):
    remedy = f"; remedy: {one.remedy}" if remedies and one.remedy else ""
    return f"{one.level}{f' of {one.path}' if one.path else ''}: {one.message}{remedy}"


def decision_of(one):
    others = f" (or {', '.join(one.alternatives)})" if one.alternatives else ""
    return f"{one.value}{others}{' ?' if one.asks else ''}: {one.reason}"


@pytest.mark.parametrize("row", ROWS, ids=[row["about"] for row in ROWS])
def test_what_logs_make(put_together, log, tmp_path, row):
    fields = dict(row.get("study", {}))
    if "metric" in fields:
        fields["metric"] = MetricPlan(**fields["metric"])
    fields["groups"] = tuple(GroupPlan(**plan) for plan in fields.get("groups", ()))
    write_files(tmp_path, row.get("files", {}))
    tree = load_tree(tmp_path)
    logs = [made(log, one) for one in row.get("logs", ())]
    runs, study = put_together(*logs, *tree.logs, files=tree.files, **fields)
    assert {run.id: found(run, row["runs"].get(run.id, {})) for run in runs} == row["runs"]
    remedies = any("; remedy: " in line for line in row.get("told", ()))
    told = [problem_of(one, remedies) for one in (*runs.all_problems(), *tree.problems)]
    assert told == row.get("told", [])
    decided = {one.key: decision_of(one) for one in study.decisions}
    assert {key: decided.get(key) for key in row.get("decided", ())} == row.get("decided", {})
