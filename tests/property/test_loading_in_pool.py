"""Whatever lies in a folder, a pool reads of it what one process does."""

import gzip
import io
import tempfile
from pathlib import Path

import pytest
from fakes.exact import exact
from hypothesis import given
from hypothesis import strategies as st
from tensorboard.compat.proto import event_pb2
from tensorboard.summary.writer.record_writer import RecordWriter

from reportgen.read.logs import load_tree, one_file
from reportgen.train.executors import open_pool


@pytest.fixture(scope="module")
def pool():
    with open_pool(workers=2) as opened:
        yield opened


@pytest.fixture(scope="module", autouse=True)
def _small_chunks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_file, "CHUNK_FILES", 2)
        yield


@st.composite
def event_files(draw):
    stream = io.BytesIO()
    writer = RecordWriter(stream)
    tag = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
    for step in draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=5)):
        event = event_pb2.Event(step=step, wall_time=draw(st.floats(0, 2e9)))
        event.summary.value.add(tag=draw(tag), simple_value=draw(st.floats(width=32)))
        writer.write(event.SerializeToString())
    content = bytearray(stream.getvalue())
    if draw(st.booleans()):
        content[draw(st.integers(0, len(content) - 1))] ^= 255
    return bytes(content[: draw(st.integers(0, len(content)))])


events = event_files() | event_files().map(gzip.compress) | st.binary(max_size=40)
rows = st.lists(st.tuples(st.integers(0, 9), st.floats()), max_size=4)
tables = rows.map(lambda found: "step,loss\n" + "".join(f"{s},{v}\n" for s, v in found))
states = rows.map(
    lambda found: str({"log_history": [{"step": s, "loss": v} for s, v in found]}).replace("'", '"')
)
files = st.one_of(
    st.tuples(st.just("a.tfevents"), events),
    st.tuples(st.just("metrics.csv"), tables.map(str.encode)),
    st.tuples(st.just("trainer_state.json"), states.map(str.encode)),
    st.tuples(st.just("hparams.yaml"), st.just(b"lr: 0.1\nseed: 3\nname: x\n")),
)


@given(st.lists(files, max_size=9), st.integers(0, 3))
def test_a_pool_changes_nothing(pool, found, copies):
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, content) in enumerate(found + found[:copies]):
            target = Path(folder, f"run_{number}", name)
            target.parent.mkdir()
            target.write_bytes(content)
        alone = load_tree(Path(folder))
        assert exact(load_tree(Path(folder), pool=pool)) == exact(alone)
