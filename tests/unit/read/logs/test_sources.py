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
from reportgen.read.logs.sources import own_sources

SAMPLES = rows_of(Path(__file__).with_name("sources.yaml"))

ELSEWHERE = {"lightning", "mlflow"}
"""Programs whose files other tests read."""


def test_every_program_has_its_sample():
    sampled = {sample.get("program", "") for sample in SAMPLES}
    assert {source.program for source in own_sources()} - sampled == ELSEWHERE


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
    runs = sample.get("runs") or {"#0": sample.get("read", {})}
    return {
        (key.partition("#")[0], int(key.partition("#")[2] or 0)): {
            tag: next(iter(points.items())) if isinstance(points, dict) else ("", points)
            for tag, points in tags.items()
        }
        for key, tags in runs.items()
    }


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample["about"] for sample in SAMPLES])
def test_what_is_read_of_each(tmp_path, sample):
    path = tmp_path / sample["path"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content(sample))
    logs = LOADERS.load(loader_of(sample["path"]))(path, sample["path"])
    found = {
        (log.run_key, log.session): {
            tag: (series.clock, [[s, v] for s, v in series.points() if not np.isnan(v)])
            for tag, series in log.series.items()
            if not np.isnan(series.values).all()
        }
        for log in logs
    }
    assert found == wanted(sample)
    assert {log.program for log in logs} == {sample.get("program", "")}
    assert dict(logs[0].results) == sample.get("results", {})
    config = sample.get("config", {})
    assert {key: logs[0].config[key] for key in config} == config
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
