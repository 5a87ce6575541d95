"""Same tags, steps, values and wall times as tbparse, which reads with TensorBoard's own code."""

import warnings

import numpy as np
import pytest
from tensorboard.compat.proto import event_pb2, summary_pb2, tensor_pb2, types_pb2
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from reportgen.loaders._tree import load_tree
from reportgen.loaders.tfevents import load_tfevents

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from tbparse import SummaryReader

CORPORA = (
    "hf-trainer-agnews-lora", "hf-trainer-no-eval", "keras-clean-pair",
    "keras-tensor-scalars/Homework04", "keras-tensor-scalars/Homework06", "lightning-versions",
    "rl-single-points", "seeds-strict-lax-duplicate", "segmentation-sweep",
    "rl-ten-seeds/hw2/run_logs/q2_pg_cartpole_na_CartPole-v0_27-05-2024_14-51-32",
    "rl-dqn-empty-files/hw3/run_logs/dqn_q2_dqn_1_LunarLander-v2_20-10-2019_14-27-13",
)  # fmt: skip


def as_tbparse(path):
    """Return tag -> (steps, values, wall times) as tbparse reads one file.

    It gives every write; of a step written twice the last one stays here, as in a series.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = SummaryReader(str(path), extra_columns={"wall_time"})
        frames = [reader.scalars, reader.tensors]
    found = {}
    for frame in frames:
        for tag in frame["tag"].unique() if len(frame) else ():
            rows = frame[frame["tag"] == tag]
            rows = rows.drop_duplicates("step", keep="last").sort_values("step")
            values = np.array([float(np.asarray(v).item()) for v in rows["value"]])
            found[tag] = (rows["step"].to_numpy(), values, rows["wall_time"].to_numpy())
    return found


def compare(path):
    (log,) = load_tfevents(path, path.name)
    expected = as_tbparse(path)
    assert set(log.series) == set(expected)
    for tag, (steps, values, wall_times) in expected.items():
        series = log.series[tag]
        assert np.array_equal(series.steps, steps)
        assert np.array_equal(series.values.astype(float), values, equal_nan=True)
        assert np.array_equal(series.wall_times, wall_times)
    return log.source.points


@pytest.mark.parametrize("corpus", CORPORA)
def test_files_of_other_peoples_runs(realdata, corpus):
    paths = [p for p in sorted((realdata / corpus).rglob("*tfevents*")) if p.stat().st_size]
    assert sum(compare(path) for path in paths) > 0


def test_a_sample_lab(lab):
    paths = sorted((lab / "logs").rglob("*tfevents*"))
    assert sum(compare(path) for path in paths) > 0
    assert len([p for p in load_tree(lab / "logs").files if "tfevents" in p]) == len(paths)


def test_files_made_here(tmp_path):
    rng = np.random.default_rng(7)
    writer = EventFileWriter(str(tmp_path))
    for step in rng.permutation(400):
        summary = summary_pb2.Summary()
        summary.value.add(tag="train/loss", simple_value=float(rng.normal()))
        if step % 3 == 0:
            summary.value.add(tag="précision", simple_value=[np.nan, np.inf, -0.0][step % 9 // 3])
        kind, field = [
            (types_pb2.DT_FLOAT, "float_val"), (types_pb2.DT_DOUBLE, "double_val"),
        ][step % 2]  # fmt: skip
        proto = tensor_pb2.TensorProto(dtype=kind, **{field: [float(rng.normal())]})
        value = summary.value.add(tag=f"tensor{step % 2}", tensor=proto)
        value.metadata.plugin_data.plugin_name = "scalars"
        writer.add_event(event_pb2.Event(wall_time=1e9 + step / 7, step=int(step), summary=summary))
    writer.close()
    (path,) = tmp_path.iterdir()
    assert compare(path) == 400 + 134 + 400
