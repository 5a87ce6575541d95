"""Tables of any numbers, in CSV and JSON lines: what pandas writes is read as it was."""

import math
import tempfile
from pathlib import Path

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.logs.rows import load_json_lines, load_metrics_csv

names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=8).filter(
    lambda name: (
        name.lower() not in {"step", "epoch", "iter", "iteration", "update", "split"}
        and not name.startswith("_")
        and name == name.strip()
    )
)
cells = st.one_of(st.none(), st.floats(-1e300, 1e300))
columns = st.dictionaries(names, st.lists(cells, min_size=6, max_size=6), min_size=1, max_size=4)
steps = st.lists(st.integers(-(2**53), 2**53), min_size=6, max_size=6, unique=True)


def expected(table):
    found = {}
    for name, column in table.items():
        if name != "step":
            kept = {s: v for s, v in zip(table["step"], column, strict=True) if v is not None}
            if kept:
                found[name] = sorted(kept.items())
    return found


def read(load, path):
    """Return the points of each tag, whichever session they were taken for."""
    found = {}
    for log in load(path, path.name):
        for tag, series in log.series.items():
            found.setdefault(tag, []).extend(series.points())
    return {tag: sorted(points) for tag, points in found.items()}


@given(columns, steps)
def test_what_pandas_writes_is_read(columns, steps):
    table = {"step": steps, **columns}
    frame = pd.DataFrame({name: pd.array(column) for name, column in table.items()})
    with tempfile.TemporaryDirectory() as folder:
        lines, sheet = Path(folder, "a.jsonl"), Path(folder, "a.csv")
        frame.to_csv(sheet, index=False)
        assert read(load_metrics_csv, sheet) == expected(table)
        frame.to_json(lines, orient="records", lines=True, double_precision=15)
        found, wanted = read(load_json_lines, lines), expected(table)
        assert set(found) == set(wanted)
        for name, points in wanted.items():
            # pandas writes fifteen digits there.
            for (step, value), (at, number) in zip(points, found[name], strict=True):
                assert step == at
                assert math.isclose(value, number, rel_tol=1e-9, abs_tol=1e-15)
