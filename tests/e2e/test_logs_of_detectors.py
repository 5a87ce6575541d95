"""What Ultralytics writes to `results.csv`, from the file to the report; its numbers by NumPy."""

import csv

import numpy as np
import pytest
from fakes.command import reportgen

HEAD = (
    "epoch", "time", "train/box_loss", "train/cls_loss", "train/dfl_loss", "metrics/precision(B)",
    "metrics/recall(B)", "metrics/mAP50(B)", "metrics/mAP50-95(B)", "val/box_loss",
    "val/cls_loss", "val/dfl_loss", "lr/pg0",
)  # fmt: skip
MASKS = tuple(name.replace("(B)", "(M)") for name in HEAD if "(B)" in name)
EPOCHS = 6


def _write(path, head, shift):
    """Write curves that rise and fall back at last, each cell padded as older versions do."""
    path.parent.mkdir(parents=True)
    curves = {name: np.linspace(0.1, 0.5, EPOCHS) + shift for name in head}
    for index, name in enumerate(head):
        if "metrics/" in name:
            curves[name] = np.round(curves[name] + 0.01 * index, 5)
            curves[name][-1] -= 0.1
    curves["epoch"] = np.arange(1, EPOCHS + 1)
    with path.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow([f"{name:>23}" for name in head])
        for index in range(EPOCHS):
            rows.writerow([f"{curves[name][index]:>23.5g}" for name in head])
    return curves


def _write_lab(folder, head):
    best = {}
    for group, base in (("yolov8n", 0.0), ("yolov8s", 0.2)):
        for seed in range(3):
            path = folder / "runs" / "detect" / f"{group}-seed{seed}" / "results.csv"
            best[group, seed] = _write(path, head, base + 0.01 * seed)
    return best


def _build(folder, head):
    best = _write_lab(folder, head)
    done = reportgen("build", "--runs", "runs", "--out", "r.md", cwd=folder)
    assert done.code == 0, done.err
    return (folder / "r.md").read_text(), best


def test_a_detector_is_ranked_by_its_mean_precision(tmp_path):
    text, logged = _build(tmp_path, HEAD)
    assert "# mAP50-95 of yolov8n and yolov8s" in text
    for group in ("yolov8n", "yolov8s"):
        reached = [100 * max(logged[group, seed]["metrics/mAP50-95(B)"]) for seed in range(3)]
        assert f"{np.mean(reached):.1f}" in text
    heads = " ".join(line for line in text.splitlines() if line.startswith("| Group"))
    assert all(told in heads.lower() for told in ("map50", "precision", "recall"))
    said = reportgen("inspect", "runs", cwd=tmp_path).out
    assert "Ultralytics computes these on its validation split" in said
    assert "also possible: map50, precision, recall" in said


def test_one_of_masks_is_ranked_by_its_masks(tmp_path):
    text, _ = _build(tmp_path, (*HEAD, *MASKS))
    assert "# Mask mAP50-95 of" in text
    said = reportgen("inspect", "runs", cwd=tmp_path).out
    assert "also possible: map50-95, mask_map50, map50" in said


@pytest.mark.parametrize("split", ["test", "train"])
def test_a_study_says_otherwise(split, tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(f'[runs]\npath = "runs"\n[splits.tags]\n"metrics/*" = "{split}"\n')
    _write_lab(tmp_path, HEAD)
    done = reportgen("build", "study.toml", "--out", "s.md", cwd=tmp_path)
    assert "Ultralytics" not in done.out + done.err
    assert "# mAP50-95 of" not in (tmp_path / "s.md").read_text()


def test_what_init_writes_says_the_split(tmp_path):
    _write_lab(tmp_path, HEAD)
    done = reportgen("init", "--runs", "runs", "--out", "study.toml", cwd=tmp_path)
    assert done.code == 0, done.err
    assert '"metrics/*(B)" = "validation"' in (tmp_path / "study.toml").read_text()
