"""Logs whose names or values tempt one to take them for something else: two labs of each kind.

As in `field.py`: each function writes lab `variant` (1 or 2) below a folder, and what is true of
it stands in `tests/contract/field.yaml` under the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from fakes.field import Rows, events, every, lines, table


def course(top: float, count: int = 6, **more: float) -> list[Mapping[str, float]]:
    """Return rows of epochs whose accuracy rises to `top`."""
    return [
        {
            "epoch": epoch,
            "train_loss": round(2 / epoch + more.get("loss", 0), 4),
            "val_loss": round(2.1 / epoch + top / 1000, 4),
            "val_acc": round(top * (0.6 + 0.4 * epoch / count), 4),
        }
        for epoch in range(1, count + 1)
    ]


def with_accuracy(rows: Rows, values: list[float]) -> Rows:
    return [{**row, "val_acc": value} for row, value in zip(rows, values, strict=True)]


def collapsed_seeds(folder: Path, variant: int) -> None:
    """Seeds in percent, of which one learned nothing: 1 % of a hundred classes."""
    if variant == 1:  # a folder a seed, two decimals
        for seed, top in ((1, 82.0), (2, 84.0)):
            table(folder / f"seed{seed}/log.csv", course(top))
        table(folder / "seed3/log.csv", with_accuracy(course(9.0), [0.8, 0.9, 1.0, 1.0, 0.9, 1.0]))
        return
    for seed, top in ((5, 70.0), (6, 72.0)):  # a file a seed, all digits; one seed of fractions
        rows = with_accuracy(course(top), [top * 2 / 7 * n for n in (1, 2, 3, 3, 3, 3)])
        lines(folder / f"net_seed{seed}.jsonl", rows)
    rows = with_accuracy(course(9.0), [100 / 103, 100 / 104, 100 / 103, 100 / 106, 0.97, 0.9701])
    lines(folder / "net_seed7.jsonl", rows)
    rows = with_accuracy(course(9.0), [0.714 * 2 / 7 * n for n in (1, 2, 3, 3, 3, 3)])
    lines(folder / "net_seed8.jsonl", rows)


def runs_called_as_splits(folder: Path, variant: int) -> None:
    """Runs whose owners, or programs, call their folders `train`, `test` and `dev`."""
    if variant == 1:  # tables of trainings, side by side
        for name, top in (("baseline", 0.8), ("test", 0.82), ("test2", 0.84), ("dev", 0.86)):
            table(folder / name / "log.csv", course(top))
        return
    for n, name in enumerate(("train", "train2", "train3")):  # as Ultralytics counts its runs
        rows = [
            {"epoch": e, "train/box_loss": 2 / e, "val/box_loss": 2.2 / e, "metrics/mAP50(B)": v}
            for e, v in every(1, [0.3, 0.5, 0.7 + n / 100])
        ]
        table(folder / "runs/detect" / name / "results.csv", rows)
    for split, top in (("train", 0.9), ("val", 0.75)):  # and folders that are splits
        tags = {"loss": every(1, [2, 1, 0.5]), "accuracy": every(1, [0.5, 0.6, top])}
        events(folder / f"runs/own/{split}/events.out.tfevents.1.h.1.0", tags, 1.7e9)


def copies_in_one_folder(folder: Path, variant: int) -> None:
    """Files of two names that hold the same."""
    rows = [{**row, "lr": 0.1} for row in course(0.8, 8)]
    if variant == 1:
        for name in ("a_cifar", "b_mnist"):
            table(folder / f"{name}.csv", rows)
        table(folder / "c.csv", course(0.83, 8))
        return
    for name in ("model", "other"):
        lines(folder / f"logs/{name}.jsonl", rows)


KINDS: dict[str, Callable[[Path, int], None]] = {
    "collapsed-seeds": collapsed_seeds,
    "runs-called-as-splits": runs_called_as_splits,
    "copies-in-one-folder": copies_in_one_folder,
}
