"""Whatever folders, tags and values come: runs that can be used, and nothing lost in silence."""

import numpy as np
import pytest
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.run import SPLITS, Log, Series, Source
from reportgen.records.study import Study
from reportgen.runs import assemble

ROWS = rows_beside(__file__)

PARTS = ("m", "seed_1", "0", "1", "run2", "version_3", "valid", "train", "test", "runs",
         "Nov21_02-15-08_lab", "checkpoint-5", "1674944078.06", "20221125-140126", "loss_val", "-",
         "run-20240101_120000-ab", "s1", "modèle (1)")  # fmt: skip
TAGS = ("loss", "accuracy", "eval/accuracy", "train/epoch", "test/f1", "val_acc", "epoch_loss",
        "epoch", "é/β", "/", "_", "train/train_loss", "predict/wer", " ")  # fmt: skip
NAMES = ROWS["names"]
ONE_POINT = {"hf_results", "wandb_summary"}
KEYS = ("", "run1", "logs/m/0", "../m/0", "m\0/0")
NO_POINT = {"hparams_yaml", "config_yaml"}
CLOCKS = ((0, 1), (1, 1), (2, 3), (225, 225), (-2, 1), (10, 1))
values = st.floats(allow_nan=True, width=32)
settings_ = st.dictionaries(
    st.sampled_from(["seed", "max_epoch", "max_steps", "num_train_epochs", "learning_rate",
                     "best_model_checkpoint", "purge_step"]),
    st.one_of(st.integers(-5, 50), st.floats(), st.text(max_size=5), st.none(), st.booleans()),
    max_size=3,
)  # fmt: skip

called = st.one_of(
    st.sampled_from(["", "/", "a", "a-seed1", "a/b", "..", "seed", "0", "s1/", "lucky-fire-3"]),
    st.text(max_size=4),
)
texts_ = st.dictionaries(
    st.sampled_from(["wandb/project", "wandb/run_group", "wandb/display_name", "mlflow/run_name",
                     "mlflow/mlflow.runName", "mlflow/mlflow.parentRunId"]),
    called, max_size=3,
)  # fmt: skip


@st.composite
def logs(draw):
    kind = draw(st.sampled_from(sorted(NAMES)))
    folder = draw(st.lists(st.sampled_from(PARTS), max_size=4))
    path = "/".join([*folder, draw(st.sampled_from(NAMES[kind]))])
    series = {}
    single = kind == "tfevents"
    tags = draw(st.lists(st.sampled_from(TAGS), max_size=3, unique=True))
    for tag in () if kind in NO_POINT else tags:
        column = draw(st.lists(values, min_size=1, max_size=1 if kind in ONE_POINT else 4))
        first, gap = (-1, 1) if kind in ONE_POINT else draw(st.sampled_from(CLOCKS))
        steps = first + gap * np.arange(len(column))
        wall_times = steps + (draw(st.integers(0, 60)) if single else np.nan)
        series[tag] = Series(
            tag=tag, path=path, steps=steps, wall_times=wall_times.astype(float),
            values=np.array(column, dtype="f4" if single else "f8"),
        )  # fmt: skip
    many = kind in {"fairseq_log", "metrics_csv", "mlflow_db"}
    key = draw(st.sampled_from(KEYS)) if many else ""
    source = Source(path=path, kind=kind, size=1, sha256=path)
    texts = draw(texts_) if kind.startswith(("wandb", "mlflow")) else {}
    results = {tag: float(one.values[0]) for tag, one in series.items()}
    if kind == "hf_results":
        return Log(source=source, results=results)
    return Log(source=source, series=series, texts=texts, config=draw(settings_), run_key=key)


@pytest.mark.slow
@given(st.lists(logs(), max_size=7, unique_by=lambda one: (one.source.path, one.run_key)))
def test_any_tree(found):
    runs, study = assemble(found, [one.source.path for one in found], Study(), "lab")
    ids = [run.id for run in runs]
    assert len(set(ids)) == len(ids)
    assert not any("\0" in key or ".." in key.split("/") for key in ids)
    plans = {plan.name: plan.seeds for plan in study.groups}
    for run in runs:
        assert run.group
        assert run.seed is None or run.seed in plans[run.group]
        assert run.scalars
        for series in run.scalars.values():
            assert len(series.steps) == len(series.values) == len(series.wall_times) > 0
            assert (np.diff(series.steps) > 0).all()
            assert series.split in {"", *SPLITS}
            assert series.unit in {"", "percent", "fraction"}
    assert all(d.key and d.reason for d in study.decisions)
    # Each file with points is the source of a run.
    read = {source.path for run in runs for source in run.sources}
    assert {one.source.path for one in found if one.series or one.results} <= read


@given(st.lists(logs(), max_size=5, unique_by=lambda one: one.source.path))
def test_values_are_those_of_the_files(found):
    runs, _ = assemble(found, [], Study(), "lab")
    written = {
        (one.source.path, tag, str(value))
        for one in found for tag, series in one.series.items() for value in series.values
    }  # fmt: skip
    written |= {
        (one.source.path, tag, str(np.float64(value)))
        for one in found
        for tag, value in one.results.items()
    }
    everything = {(tag, text) for _, tag, text in written}
    for run in runs:
        for series in run.scalars.values():
            for value in series.values:
                single = str(np.float32(value))
                assert (series.tag, str(value)) in everything or (series.tag, single) in everything
