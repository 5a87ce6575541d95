"""Runs of PyTorch's own writer, read by tbparse and summarised by pandas: the same values."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from reportgen.api.analysis import analyse
from reportgen.api.options import BuildOptions
from reportgen.records.quantity import Quantity

pytest.importorskip("torch")
tbparse = pytest.importorskip("tbparse")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from torch.utils.tensorboard import SummaryWriter


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two groups of four seeds; a loop that logs two tags with `add_scalar` and nothing else."""
    root = tmp_path_factory.mktemp("plain")
    random = np.random.default_rng(7)
    for group in ("a", "b"):
        for seed in range(4):
            with SummaryWriter(str(root / f"{group}_seed{seed}")) as writer:
                for step in range(0, 200 + 10 * seed, 5):
                    value = 10 * random.normal() + step
                    lost = (group, seed) == ("b", 1) and step % 45 == 0
                    writer.add_scalar("score", math.nan if lost else value, step)
                    writer.add_scalar("loss", random.random(), step)
    return root


def test_last_end_and_extremes_are_those_of_pandas(folder):
    facts = analyse(BuildOptions(runs=folder, out=folder / "report.json"))
    frame = tbparse.SummaryReader(str(folder), extra_columns={"dir_name"}).scalars
    frame["group"] = frame["dir_name"].str.partition("_")[0]
    assert facts.unselected is not None
    assert [metric.name for metric in facts.unselected.metrics] == ["score", "loss"]
    for metric in facts.unselected.metrics:
        for one in metric.groups:
            mine = frame[(frame["tag"] == metric.name) & (frame["group"] == one.result.name)]
            by_run = mine.sort_values("step").groupby("dir_name")
            last = by_run.tail(1)["value"].dropna()
            assert one.result.last.n == len(last)
            assert one.result.last.mean.value == pytest.approx(last.mean(), rel=1e-6)
            assert one.result.last.std.value == pytest.approx(last.std(), rel=1e-5)
            for cell, run in zip(one.result.cells, one.runs, strict=True):
                values = by_run.get_group(cell.run.id).set_index("step")["value"]
                assert run.highest.value == pytest.approx(values.max(), rel=1e-6)
                assert run.highest.sources[0].step == values.idxmax()
                assert run.lowest.sources[0].step == values.idxmin()
                end = values.iloc[-math.ceil(len(values) / 10) :].mean()
                assert run.end.value == pytest.approx(end, rel=1e-6)


def test_published_sweep_keeps_its_last_values_and_its_extremes(realdata):
    root = realdata / "segmentation-sweep"
    facts = analyse(BuildOptions(runs=root, out=root / "report.json"))
    frame = tbparse.SummaryReader(str(root), extra_columns={"dir_name"}).scalars
    frame = frame[frame["tag"] == "IoU (avg on test)"]
    assert facts.unselected is not None
    iou = facts.unselected.metrics[0]
    assert (iou.name, iou.split) == ("iou", "test")
    for one in iou.groups:
        values = frame[frame["dir_name"] == one.result.cells[0].run.id].set_index("step")["value"]
        (run,) = one.runs
        assert isinstance(run.last, Quantity)
        assert run.last.value == pytest.approx(values.sort_index().iloc[-1], rel=1e-6)
        assert run.highest.sources[0].step == values.idxmax()
