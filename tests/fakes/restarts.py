"""Trainings that stopped and went on, began again, or were copied: which runs belong together."""

from collections.abc import Callable
from pathlib import Path

from fakes.field import events, every, lines, table, text

DAY = 86400.0


def resumed_elsewhere(folder: Path, variant: int) -> None:
    """A training that goes on in a folder of its own, which its name or its settings tell."""
    if variant == 1:  # killed behind step 300, resumed from the checkpoint of step 200
        for seed, (first, second) in {
            1: ([0.1, 0.2, 0.9], [0.3, 0.5]),
            2: ([0.3, 0.6], []),
        }.items():
            name = f"bert_seed{seed}"
            for n, (at, points) in enumerate([(1, first), (3, second)]):
                run = folder / (f"{name}_resume" if n else name)
                tags = {"val/acc": [(100 * (at + i), v) for i, v in enumerate(points)]}
                tags["train/loss"] = [(s, 1 - v) for s, v in tags["val/acc"]]
                if points:
                    events(run / f"events.out.tfevents.1.h.{n}.0", tags, 1.7e9 + n * DAY)
        tags = {"val/acc": every(100, [0.2, 0.4, 0.6, 0.7]), "train/loss": every(100, [4, 3, 2, 1])}
        events(folder / "bert_seed3/events.out.tfevents.1.h.9.0", tags, 1.7e9)
        return
    # Names of the owner's own; the settings of the second name the checkpoint of the first.
    for name, start, points, more in (
        ("night", 1, [0.5, 0.7, 0.8, 0.6], {}),
        ("morning", 5, [0.85, 0.9], {"resume_from_checkpoint": "out/night/ckpt-4"}),
    ):
        rows = [{"epoch": start + n, "val_acc": v} for n, v in enumerate(points)]
        table(folder / name / "metrics.csv", rows)
        settings = {"lr": 0.1, "net": "cnn", "seed": 4, **more}
        text(folder / name / "hparams.yaml", "".join(f"{k}: {v}\n" for k, v in settings.items()))


def perhaps_resumed(folder: Path, variant: int) -> None:
    """A run that begins where another ended, of which nothing says that it goes on with it."""
    names = {1: ("small", "large"), 2: ("alpha/one", "alpha/two")}[variant]
    for n, name in enumerate(names):
        tags = {"val/acc": [(10 * (5 * n + i), 0.1 * i + 0.2 * n) for i in range(1, 6)]}
        events(folder / name / f"events.out.tfevents.{n}.h.1.0", tags, 1.7e9 + n * DAY)
        settings = {"lr": 0.1, "depth": 2 + n} if variant == 2 else {}
        if settings:
            text(
                folder / name / "hparams.yaml", "".join(f"{k}: {v}\n" for k, v in settings.items())
            )


def one_seed_twice(folder: Path, variant: int) -> None:
    """Two runs of one seed, which only the clock in their names tells apart.

    In the first lab one was given up early; in the second both came to the end.
    """
    for seed in (1, 2, 3):
        for attempt in (1, 2) if seed == 2 else (1,):
            start = 1.7e9 + seed * DAY + attempt * DAY / 4
            name = {
                1: f"Hopper-v4__ppo__{seed}__{start:.0f}",
                2: f"cnn_seed{seed}_2024-01-0{attempt}_10-00-00",
            }[variant]
            values = [0.1, 0.5, 0.6 + seed / 100 + attempt / 10]
            points = 2 if (variant, seed, attempt) == (1, 2, 1) else 3
            tags = {"val/acc": every(50, values[:points])}
            tags["train/loss"] = every(10, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0.5][: 3 * points])
            events(folder / name / f"events.out.tfevents.{start:.0f}.h.1.0", tags, start)


def same_in_two_groups(folder: Path, variant: int) -> None:
    """One baseline, copied into a second study that compares with it."""
    groups = {1: ("base", "other/base"), 2: ("ablation/full", "main/full")}[variant]
    for group in groups:
        for seed in (1, 2):
            tags = {"val/acc": every(5, [0.1 * i + seed / 50 for i in range(1, 7)])}
            tags["train/loss"] = every(5, [2 / i + seed for i in range(1, 7)])
            place = folder / f"{group}/seed{seed}/events.out.tfevents.1.h.1.0"
            events(place, tags, 1.7e9 + seed * DAY)
    for seed in (1, 2):
        tags = {"val/acc": every(5, [0.11 * i + seed / 50 for i in range(1, 7)])}
        tags["train/loss"] = every(5, [3 / i + seed for i in range(1, 7)])
        leaf = groups[1].rpartition("/")[0] + f"/without/seed{seed}"
        events(folder / leaf / "events.out.tfevents.1.h.1.0", tags, 1.71e9 + seed * DAY)


def attempts_in_one_folder(folder: Path, variant: int) -> None:
    """Starts of one training, each with files named after its clock, as OpenMMLab has them."""
    if variant == 1:  # crashed in epoch 2, begun again from scratch, then resumed behind epoch 3
        for stamp, epochs in (
            ("20230101_101010", {1: 0.2, 2: 0.3}),
            ("20230102_090000", {1: 0.25, 2: 0.35, 3: 0.45}),
            ("20230103_080000", {4: 0.5, 5: 0.4}),
        ):
            rows: list[dict[str, object]] = [{"env_info": "sys", "seed": 3, "config": "cfg"}]
            for epoch, value in epochs.items():
                for at in (50, 100):
                    loss = 2 - 0.3 * epoch - at / 1000
                    rows.append({"mode": "train", "epoch": epoch, "iter": at, "loss": loss})
                rows.append({"mode": "val", "epoch": epoch, "iter": 88, "bbox_mAP": value})
            lines(folder / f"work_dirs/retina/{stamp}.log.json", rows)
        return
    for stamp, epochs in (
        ("20240101_101010", {1: 50.0, 2: 60.0}),
        ("20240101_120000", {1: 52.0}),
        ("20240102_080000", {1: 51.0, 2: 61.0, 3: 70.0, 4: 65.0}),
    ):
        rows = []
        for epoch, value in epochs.items():
            for at in (40, 80):
                step = 80 * (epoch - 1) + at
                rows.append({"loss": 2 - step / 400, "epoch": epoch, "iter": step, "step": step})
            rows.append({"mIoU": value, "time": 0.2, "step": epoch})
        lines(folder / f"work_dirs/pspnet/{stamp}/vis_data/scalars.json", rows)
        lines(folder / f"work_dirs/pspnet/{stamp}/vis_data/{stamp}.json", rows)


KINDS: dict[str, Callable[[Path, int], None]] = {
    "resumed-elsewhere": resumed_elsewhere,
    "perhaps-resumed": perhaps_resumed,
    "one-seed-twice": one_seed_twice,
    "same-in-two-groups": same_in_two_groups,
    "attempts-in-one-folder": attempts_in_one_folder,
}
"""Kinds of which no stranger's own example lies beside ours."""
