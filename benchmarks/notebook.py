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
frames = []
for run in sorted({{p.parent.parent for p in logs.glob("sentence_prediction/**/valid/events*")}}):
    for split in ("train", "valid", "test"):
        frame = SummaryReader(str(run / split)).scalars
        frames.append(frame.assign(
            group="random" if "random" in run.parent.name else "pretrained",
            seed=int(run.name), split=split, family="fairseq"))
for run in sorted(logs.glob("huggingface/*/*")):
    frame = SummaryReader(str(run)).scalars
    split = frame.tag.str.split("/").str[0].replace({{"eval": "valid"}})
    frame = frame.assign(tag=frame.tag.str.split("/").str[1], group=run.parent.name,
                         seed=int(run.name), split=split, family="huggingface")
    frame.loc[frame.tag == "accuracy", "value"] *= 100
    frames.append(frame)
points = pd.concat(frames, ignore_index=True)
accuracy = points[points.tag == "accuracy"]
accuracy.groupby(["group", "split"]).size()
"""
BEST = """
rows = []
for (family, group, seed), one in accuracy.groupby(["family", "group", "seed"]):
    valid = one[one.split == "valid"].set_index("step").value
    test = one[one.split == "test"].set_index("step").value
    best = valid.idxmax()
    rows.append(dict(family=family, group=group, seed=seed, step=best, valid=valid[best],
                     test=test[best], last=test.iloc[-1]))
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
HUGGING_FACE = """
some = points[(points.family == "huggingface") & points.tag.isin(["accuracy", "loss"])]
some.pivot_table(index=["seed", "step"], columns=["split", "tag"], values="value").round(4)
"""
# Five figures a family, as in the report: raw, smoothed, bands, best steps, loss.
FIGURES = """
def draw_runs(some, splits, weight):
    figure, axes = plt.subplots(1, 2, figsize=(8, 3))
    colours = {{group: f"C{{i}}" for i, group in enumerate(sorted(some.group.unique()))}}
    for axis, split in zip(axes, splits):
        for (group, seed), one in some[some.split == split].groupby(["group", "seed"]):
            if weight:
                axis.plot(one.step, one.value, color=colours[group], alpha=0.3)
            values = one.value.ewm(alpha=1 - weight).mean() if weight else one.value
            axis.plot(one.step, values, label=f"{{group}} {{seed}}", color=colours[group])
        axis.set_title(f"{{split}}, smoothing {{weight}}")
        axis.legend(fontsize=6)
    plt.show()

for family in ("fairseq", "huggingface"):
    ours = accuracy[accuracy.family == family]
    draw_runs(ours, ("valid", "test"), 0.0)
    draw_runs(ours, ("valid", "test"), 0.6)
    figure, axes = plt.subplots(1, 2, figsize=(8, 3))
    for axis, split in zip(axes, ("valid", "test")):
        for group, one in ours[ours.split == split].groupby("group"):
            each = one.groupby("step").value.agg(["mean", "std"])
            axis.plot(each.index, each["mean"], label=group)
            axis.fill_between(each.index, each["mean"] - each["std"],
                              each["mean"] + each["std"], alpha=0.3)
        axis.legend(fontsize=6)
    plt.show()
    figure, axis = plt.subplots(figsize=(6, 2))
    for position, (group, one) in enumerate(best[best.family == family].groupby("group")):
        axis.plot(one.test, [position] * len(one), "o")
    plt.show()
    losses = points[(points.tag == "loss") & (points.family == family)]
    draw_runs(losses, ("train", "valid"), 0.6)
"""


def main(logs: Path, out: Path) -> None:
    """Run the notebook on a folder of logs and write its HTML."""
    cells = [LOAD.format(logs=str(logs)), BEST, SUMMARY, EPOCHS, HUGGING_FACE, FIGURES.format()]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    ExecutePreprocessor(timeout=300).preprocess(notebook, {"metadata": {"path": str(logs)}})
    page, _ = HTMLExporter().from_notebook_node(notebook)
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
