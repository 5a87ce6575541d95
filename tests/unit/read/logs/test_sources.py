"""Every source of rows, by a sample that differs from those of others in each accident.

Samples named with a version were written by that program; the others follow its writer, which
is named. `sources.yaml` is the specification: what a file holds, and what is read of it.
"""

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from fakes.rows import rows_of

from reportgen.read.logs import LOADERS, loader_of
from reportgen.read.logs.sources import own_sources, read_sources
from reportgen.records.study import TablePlan

HERE = Path(__file__).parent
SOURCES = rows_of(HERE / "sources.yaml")
SAMPLES = SOURCES + [row for path in sorted(HERE.glob("files/*.yaml")) for row in rows_of(path)]
ELSEWHERE = {"lightning", "mlflow"}
"""Programs whose files other tests read."""


def test_every_program_has_its_sample():
    sampled = {sample.get("program", "") for sample in SOURCES}
    programs = {source.program for source in own_sources()}
    assert programs - sampled == ELSEWHERE, "each needs a sample in sources.yaml"


def test_a_row_with_a_key_that_no_source_has_is_named():
    with pytest.raises(TypeError, match=r"sources\.toml, mine: .*'abuot'"):
        list(read_sources("[[metrics_csv]]\nname = 'mine'\nabuot = 'x'\ncut = 'rows'\n"))


def arrays(**named):
    stream = io.BytesIO()
    np.savez(stream, **{key: np.array(value) for key, value in named.items()})
    return stream.getvalue()


def notebook(before, header, rows):
    """Show a table of pandas in two outputs."""
    cells = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in rows)
    head = "".join(f"<th>{name}</th>" for name in header)
    page = f'{before}<table border="1" class="dataframe"><tr>{head}</tr>{cells}</table><p>'
    shown = {"output_type": "display_data", "data": {"text/html": [page]}}
    return json.dumps({"cells": [{"outputs": [shown]}, {"outputs": [shown]}]}).encode()


def database(statements):
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        return connection.serialize()


def content(sample):
    if "text" in sample:
        text = sample["text"]
        return (text if isinstance(text, str) else "".join(f"{line}\n" for line in text)).encode()
    if "database" in sample:
        return database(sample["database"])
    return arrays(**sample["arrays"]) if "arrays" in sample else notebook(**sample["notebook"])


def wanted(sample):
    """Return (run, session) to tag to clock and points."""
    if sample.get("read") == "none":
        return {}
    runs = sample.get("runs") or {"#0": sample.get("read", {})}
    return {
        (key.partition("#")[0], int(key.partition("#")[2] or 0)): {
            tag: next(iter(points.items())) if isinstance(points, dict) else ("", points)
            for tag, points in tags.items()
        }
        for key, tags in runs.items()
    }


def points_of(series):
    """Return the clock and the points, in which what is no number is a word."""
    return series.clock, [[step, "nan" if np.isnan(v) else v] for step, v in series.points()]


def told_of(log):
    for one in log.problems:
        yield f"{one.level}{'' if one.offset is None else f' at byte {one.offset}'}: {one.message}"


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample["about"] for sample in SAMPLES])
def test_what_is_read_of_each(tmp_path, sample):
    path = tmp_path / "file"
    path.write_bytes(content(sample))
    kind = sample.get("kind") or loader_of(sample["path"])
    plan = [TablePlan(**sample["plan"])] if "plan" in sample else []
    logs = LOADERS.load(kind)(path, sample["path"], *plan)
    found = {
        (log.run_key, log.session): {tag: points_of(series) for tag, series in log.series.items()}
        for log in logs
    }
    assert found == wanted(sample)
    assert {log.program for log in logs} <= {sample.get("program", "")}
    for key in ("results", "config"):
        names = [f"{log.run_key}#{log.session}".removesuffix("#0") or "#0" for log in logs]
        of_each = sample.get(key, {}) if len(logs) > 1 else dict.fromkeys(names, sample.get(key))
        stated = [json.loads(json.dumps(dict(getattr(log, key)))) for log in logs]
        assert stated == [of_each.get(name) or {} for name in names]
    assert [line for log in logs for line in told_of(log)] == sample.get("told", [])
    if "times" in sample:
        times = [one.wall_times.tolist() for log in logs for one in log.series.values()]
        assert sample["times"] in times
    assert all(log.source.size == path.stat().st_size for log in logs)
    assert sum(log.source.points for log in logs) == sum(
        sum(map(len, log.series.values())) or len(log.results) for log in logs
    )


@pytest.mark.parametrize(("place", "bits"), [(6, 1), (8, 99)])
def test_arrays_that_cannot_be_unpacked_are_named(tmp_path, place, bits):
    """A bit of a zip file says that a member is encrypted; a number, how it is packed."""
    content = bytearray(arrays(timesteps=[1], results=[[0.5]]))
    for mark, behind in ((b"PK\3\4", 0), (b"PK\1\2", 2)):
        content[content.index(mark) + behind + place] |= bits
    path = tmp_path / "evaluations.npz"
    path.write_bytes(content)
    (log,) = LOADERS.load("arrays")(path, "evaluations.npz")
    assert log.problems[0].message.startswith("no arrays of numpy that can be read")
