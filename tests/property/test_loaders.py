"""The order of files changes nothing; numbers go through a varint and back."""

import tempfile
from pathlib import Path

import numpy as np
from fakes.event_file import encode, scalar
from hypothesis import given
from hypothesis import strategies as st
from tensorboard.compat.proto import event_pb2

from reportgen.read.logs import load_tree, read_fields, read_varint, signed
from reportgen.records.study import Study
from reportgen.runs import assemble

steps = st.integers(-(2**63), 2**63 - 1)
floats = st.floats(width=32)


names = st.sampled_from(["m/0/valid", "m/1/valid", "m/1/test", "n/0/valid", "n/0/train_inner"])
curves = st.lists(st.tuples(st.integers(0, 50), floats), min_size=1, max_size=6)


@given(st.lists(st.tuples(names, curves), min_size=1, max_size=6), st.randoms())
def test_the_order_of_files_changes_nothing(files, random):
    with tempfile.TemporaryDirectory() as folder:
        for number, (place, curve) in enumerate(files):
            target = Path(folder, place)
            target.mkdir(parents=True, exist_ok=True)
            points = [scalar("accuracy", s, v, 1000.0 * number + s) for s, v in curve]
            (target / f"events.out.tfevents.{number}.lab.{number}.0").write_bytes(encode(points))
        tree = load_tree(Path(folder))
    logs = list(tree.logs)
    expected, study = assemble(logs, tree.files, Study(), "lab")
    random.shuffle(logs)
    found, again = assemble(logs, tree.files, Study(), "lab")
    assert again == study
    assert [(r.id, r.group, r.seed, r.problems, r.sources) for r in found] == [
        (r.id, r.group, r.seed, r.problems, r.sources) for r in expected
    ]
    for one, other in zip(found, expected, strict=True):
        assert list(one.scalars) == list(other.scalars)
        for key, series in one.scalars.items():
            assert np.array_equal(series.steps, other.scalars[key].steps)
            assert np.array_equal(series.values, other.scalars[key].values, equal_nan=True)


@given(steps)
def test_any_step_goes_through_a_varint(step):
    payload = event_pb2.Event(step=step).SerializeToString()
    value = next((v for number, _, v in read_fields(payload) if number == 2), 0)
    assert signed(value) == step


@given(st.integers(0, 2**64 - 1))
def test_varints(value):
    encoded, rest = bytearray(), value
    while rest >= 0x80:
        encoded.append(rest & 0x7F | 0x80)
        rest >>= 7
    encoded.append(rest)
    assert read_varint(bytes(encoded), 0) == (value, len(encoded))
