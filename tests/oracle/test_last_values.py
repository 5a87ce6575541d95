"""Runs of PyTorch's own writer, read by tbparse and summarised by pandas: the same values."""

import math
import warnings

import numpy as np
import pytest

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
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
    assert facts.selection.is_last
    assert [metric.name for metric in facts.others.metrics] == ["loss"]
    for metric in (facts.deciding, *facts.others.metrics):
        for one in metric.groups:
            mine = frame[(frame["tag"] == metric.name) & (frame["group"] == one.name)]
            by_run = mine.sort_values("step").groupby("dir_name")
            last = by_run.tail(1)["value"].dropna()
            assert one.report.n == len(last)
            assert one.report.mean.value == pytest.approx(last.mean(), rel=1e-6)
            assert one.report.std.value == pytest.approx(last.std(), rel=1e-5)
            for cell in one.cells:
                values = by_run.get_group(cell.run.id).set_index("step")["value"]
                assert cell.highest_value.value == pytest.approx(values.max(), rel=1e-6)
                assert cell.highest_value.sources[0].step == values.idxmax()
                assert cell.lowest_value.sources[0].step == values.idxmin()
                end = values.iloc[-math.ceil(len(values) / 10) :].mean()
                assert cell.end_value.value == pytest.approx(end, rel=1e-6)


def test_published_sweep_keeps_its_last_values_and_its_extremes(realdata):
    root = realdata / "segmentation-sweep"
    facts = analyse(BuildOptions(runs=root, out=root / "report.json"))
    frame = tbparse.SummaryReader(str(root), extra_columns={"dir_name"}).scalars
    frame = frame[frame["tag"] == "IoU (avg on test)"]
    assert facts.selection.is_last
    iou = facts.deciding
    assert (iou.name, iou.split) == ("iou", "test")
    for one in iou.groups:
        values = frame[frame["dir_name"] == one.cells[0].run.id].set_index("step")["value"]
        (cell,) = one.cells
        assert isinstance(cell.report_value, Quantity)
        assert cell.report_value.value == pytest.approx(values.sort_index().iloc[-1], rel=1e-6)
        assert cell.highest_value.sources[0].step == values.idxmax()
