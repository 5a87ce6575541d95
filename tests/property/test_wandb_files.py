"""Runs of Weights & Biases: what is written is read, wherever blocks of the file end."""

import json
import math
import tempfile
from pathlib import Path

from fakes import wandb_file as fake
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.logs.wandb_run import load_wandb_run

keys = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
    .filter(lambda key: "." not in key and key[0] != "_"),
    min_size=1, max_size=3,
).map(tuple)  # fmt: skip
numbers = st.one_of(st.floats(), st.integers(-(2**70), 2**70))
# A note of this length ends its record near the end of a block.
notes = st.one_of(st.just(0), st.integers(fake.BLOCK - 120, fake.BLOCK + 40), st.just(90_000))
rows = st.lists(
    st.tuples(st.dictionaries(keys, numbers, max_size=4), notes), min_size=1, max_size=8
)


def read(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run-a.wandb")
        path.write_bytes(content)
        (log,) = load_wandb_run(path, path.name)
    return log


@given(rows)
def test_what_is_written_is_read(rows):
    records, expected = [], {}
    for step, (row, note) in enumerate(rows):
        items = {key: json.dumps(value) for key, value in row.items()}
        records.append(
            fake.history(step, {**items, "note": json.dumps("x" * note)}, clock=1e9 + step)
        )
        for key, value in row.items():
            expected.setdefault(".".join(key), {})[step] = float(value)
    log = read(fake.encode(*records, fake.ended()))
    assert set(log.series) == set(expected)
    for tag, points in expected.items():
        found = log.series[tag]
        assert found.steps.tolist() == list(points)
        assert found.wall_times.tolist() == [1e9 + step for step in points]
        for value, wanted in zip(found.values.tolist(), points.values(), strict=True):
            assert value == wanted or (math.isnan(value) and math.isnan(wanted))
    assert not [p for p in log.problems if p.offset is not None]
