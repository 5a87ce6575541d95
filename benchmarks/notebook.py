"""The peer of `build`: a notebook with the same tables and figures, run to HTML.

What a careful student would write with tbparse, pandas and matplotlib.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

LOAD = """
from pathlib import Path
import pandas as pd
import matplotlib.pyplot as plt
from tbparse import SummaryReader

logs = Path({logs!r})
runs = sorted({{p.parent.parent for p in logs.glob("sentence_prediction/**/valid/events*")}})
frames = []
for run in runs:
    for split in ("train", "valid", "test"):
        frame = SummaryReader(str(run / split)).scalars
        frames.append(frame.assign(
            group="random" if "random" in run.parent.name else "pretrained",
            seed=int(run.name), split=split))
points = pd.concat(frames, ignore_index=True)
accuracy = points[points.tag == "accuracy"]
accuracy.groupby(["group", "split"]).size()
"""
BEST = """
rows = []
for (group, seed), one in accuracy.groupby(["group", "seed"]):
    valid = one[one.split == "valid"].set_index("step").value
    test = one[one.split == "test"].set_index("step").value
    best = valid.idxmax()
    rows.append(dict(group=group, seed=seed, step=best, valid=valid[best], test=test[best],
                     last=test.iloc[-1]))
best = pd.DataFrame(rows)
best
"""
SUMMARY = """
summary = best.groupby("group")[["valid", "test", "last"]].agg(["mean", "std"])
summary.round(2)
"""
EPOCHS = """
epochs = accuracy.assign(epoch=accuracy.step // 225).pivot_table(
    index="epoch", columns=["group", "split"], values="value", aggfunc=["mean", "std"])
epochs.round(2)
"""
CURVES = """
for tag, weight in (("accuracy", 0.0), ("accuracy", 0.6), ("loss", 0.0), ("loss", 0.6)):
    figure, axes = plt.subplots(1, 2, figsize=(8, 3))
    for axis, split in zip(axes, ("valid", "test")):
        some = points[(points.tag == tag) & (points.split == split)]
        for (group, seed), one in some.groupby(["group", "seed"]):
            values = one.value.ewm(alpha=1 - weight).mean() if weight else one.value
            axis.plot(one.step, values, label=f"{group} {seed}",
                      color="C0" if group == "pretrained" else "C1")
        axis.set_title(f"{split} {tag}, smoothing {weight}")
        axis.legend(fontsize=6)
    plt.show()
"""
BANDS = """
figure, axes = plt.subplots(1, 2, figsize=(8, 3))
for axis, split in zip(axes, ("valid", "test")):
    for group, one in accuracy[accuracy.split == split].groupby("group"):
        each = one.groupby("step").value.agg(["mean", "std"])
        axis.plot(each.index, each["mean"], label=group)
        axis.fill_between(each.index, each["mean"] - each["std"], each["mean"] + each["std"],
                          alpha=0.3)
    axis.legend()
plt.show()
figure, axis = plt.subplots(figsize=(6, 2))
for position, (group, one) in enumerate(best.groupby("group")):
    axis.plot(one.test, [position] * len(one), "o")
plt.show()
"""
HUGGING_FACE = """
frames = []
for run in sorted(logs.glob("huggingface/*/*")):
    frame = SummaryReader(str(run)).scalars
    frames.append(frame.assign(run="/".join(run.parts[-2:])))
hugging_face = pd.concat(frames, ignore_index=True)
some = hugging_face[hugging_face.tag.isin(["eval/accuracy", "eval/loss", "train/loss"])]
display(some.pivot_table(index=["run", "step"], columns="tag", values="value").round(4))
figure, axes = plt.subplots(1, 2, figsize=(8, 3))
for axis, tag in zip(axes, ("eval/accuracy", "eval/loss")):
    for run, one in some[some.tag == tag].groupby("run"):
        axis.plot(one.step, one.value, label=run)
    axis.set_title(tag)
    axis.legend(fontsize=6)
plt.show()
"""


def main(logs: Path, out: Path) -> None:
    """Run the notebook on a folder of logs and write its HTML."""
    cells = [LOAD.format(logs=str(logs)), BEST, SUMMARY, EPOCHS, CURVES, BANDS, HUGGING_FACE]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    ExecutePreprocessor(timeout=300).preprocess(notebook, {"metadata": {"path": str(logs)}})
    page, _ = HTMLExporter().from_notebook_node(notebook)
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
