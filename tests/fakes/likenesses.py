"""Logs whose names or values tempt one to take them for something else: two labs of each kind.

As in `field.py`: each function writes lab `variant` (1 or 2) below a folder, and what is true of
it stands in `tests/contract/field.yaml` under the same name.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from fakes.field import Rows, document, events, every, lines, table, text


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


def of_fairseq(epochs: range, top: float, hour: int) -> str:
    """Return what a console of fairseq prints of some epochs, and of one seed."""
    printed = []
    for epoch in epochs:
        head = f"2024-03-0{hour} {hour:02d}:{epoch:02d}:30 | INFO |"
        update, bleu = f"num_updates {300 * epoch}", round(top - 3 / epoch, 2)
        printed.append(
            f"{head} valid | epoch {epoch:03d} | valid on 'valid' subset | loss {2 / epoch:.3f} | "
            f"ppl {4 / epoch:.2f} | bleu {bleu} | {update}"
        )
        printed.append(
            f"{head} train | epoch {epoch:03d} | loss {1.9 / epoch:.3f} | {update} | lr 0.0005"
        )
    return "".join(f"{line}\n" for line in printed)


def resumed_consoles(folder: Path, variant: int) -> None:
    """Consoles of fairseq that go on in the same file, or in the next one."""
    head = "2024-03-01 09:00:00 | INFO | fairseq_cli.train | {'common': {'seed': %d}}\n"
    first = head % 1 + of_fairseq(range(1, 6), 20.0, 1)
    if variant == 1:  # a second header in the file, and an epoch that is printed again
        again = head % 1 + of_fairseq(range(5, 11), 20.0, 2)
        text(folder / "de-en_s1/train.log", f"{first}Traceback: CUDA error\n{again}")
    else:
        text(folder / "de-en_s1/train.log", first)
        text(folder / "de-en_s1/train2.log", head % 1 + of_fairseq(range(6, 11), 20.0, 2))
    text(folder / "de-en_s2/train.log", head % 2 + of_fairseq(range(1, 11), 21.0, 1))


def started_twice_with_an_id(folder: Path, variant: int) -> None:
    """A run of Weights & Biases in a folder for each start, of which the console is left."""
    kind = {1: "run", 2: "offline-run"}[variant]
    for day, epochs in ((1, range(1, 6)), (2, range(6, 11))):
        place = folder / f"wandb/{kind}-2024010{day}_101010-q7x2ab9c/files"
        rows = course(0.9, 10)
        printed = [f"Epoch {n}: train_loss={rows[n - 1]['train_loss']} "
                   f"val_acc={rows[n - 1]['val_acc']}" for n in epochs]  # fmt: skip
        text(place / "output.log", "\n".join([*printed, ""]))
        text(place / "config.yaml", "lr:\n  value: 0.1\n")


def logs_on_two_clocks(folder: Path, variant: int) -> None:
    """What a run logged: epochs from 0 in a table, from 1 on a console, and updates in events."""
    rows = [{**row, "epoch": n, "val_acc": round(0.71234 + n / 97, 4)}
            for n, row in enumerate(course(0.8, 8))]  # fmt: skip
    table(folder / "net/history.csv", rows)
    tags = {
        "Loss/val": [(391 * row["epoch"] + 391, row["val_loss"]) for row in rows],
        "Acc/val": [(391 * row["epoch"] + 391, row["val_acc"]) for row in rows],
    }
    below = "tb/" if variant == 1 else ""
    events(folder / f"net/{below}events.out.tfevents.1.h.1.0", tags, 1.7e9)
    if variant == 1:
        printed = (
            f"Epoch {row['epoch'] + 1}/8 - train loss: {row['train_loss']:.4f}, "
            f"val loss: {row['val_loss']:.4f}, val acc: {100 * row['val_acc']:.2f}%\n"
            for row in rows
        )
        text(folder / "net/train.log", "".join(printed))


def one_training_told_again(folder: Path, variant: int) -> None:
    """What a run logged, and what its program printed or logged beside it, in other digits."""
    rows = [{**row, "epoch": n, "val_acc": round(0.71234 + n / 97 - n * n / 997, 6)}
            for n, row in enumerate(course(0.8, 8))]  # fmt: skip
    if variant == 1:  # as AllenNLP: a file an epoch, events that count from 1, and a table printed
        for row in rows:
            told = {"training_loss": row["train_loss"], "validation_loss": row["val_loss"],
                    "validation_accuracy": row["val_acc"]}  # fmt: skip
            epoch = {"epoch": row["epoch"], "training_start_epoch": 0}
            document(folder / f"metrics_epoch_{row['epoch']}.json", epoch | told)
        head = "2022-09-19 20:36:19 - INFO - tagger"
        printed = (
            f"{head}.trainer - Epoch {row['epoch']}/7\n"
            f"{head}.writer -             Training |  Validation\n"
            f"{head}.writer - loss     | {row['train_loss']:9.3f}  | {row['val_loss']:9.3f}\n"
            f"{head}.writer - accuracy |       N/A  | {row['val_acc']:9.3f}\n"
            for row in rows
        )
        text(folder / "stdout.log", "".join(printed))
        own = {"gradient_norm": [(100 * n, 2 / n) for n in range(1, 40)]}
        for split, keys in (("train", ["train_loss"]), ("validation", ["val_loss", "val_acc"])):
            tags = {
                name: [(row["epoch"] + 1, row[key]) for row in rows]
                for name, key in zip(("loss", "accuracy"), keys, strict=False)
            }
            tags |= own if split == "train" else {}
            events(folder / f"log/{split}/events.out.tfevents.1.h.1.0", tags, 1.7e9)
        return
    # As Keras 3: a bar shows the mean of the means that it showed before, and not what was logged.
    table(folder / "training.log", rows)
    printed = (
        f"Epoch {row['epoch'] + 1}/8\n"
        f"127/127 - 4s 31ms/step - loss: {row['train_loss'] + 0.31:.4f} - val_acc: "
        f"{row['val_acc']:.4f} - val_loss: {row['val_loss']:.4f}\n"
        for row in rows
    )
    text(folder / "slurm-77.out", "".join(printed))
    for split, key in (("train", "train_loss"), ("validation", "val_loss")):
        tags = {"epoch_loss": [(row["epoch"], row[key]) for row in rows]}
        events(folder / f"logs/{split}/events.out.tfevents.1.h.1.0.v2", tags, 1.7e9)


def runs_in_one_folder(folder: Path, variant: int) -> None:
    """Runs that their owner told apart by the names of files, one of which a program called."""
    rows = course(0.8, 8)
    if variant == 1:  # an event file among tables
        for name, top in (("progress", 0.8), ("progress(lr 0.1)", 0.83)):
            table(folder / f"logs/{name}.csv", course(top, 8))
        tags = {"val_acc": [(row["epoch"], 0.5 + row["epoch"] / 50) for row in rows]}
        events(folder / "logs/events.out.tfevents.1.h.1.0", tags, 1.7e9)
        return
    for name, tops in (("news", (0.8, 0.85)), ("hate", (0.7, 0.6))):  # two consoles, one copied
        printed = "".join(
            f"Epoch {row['epoch']}: val_loss {row['val_loss']} val_acc {row['val_acc']}\n"
            for top in tops
            for row in course(top, 8)
        )
        text(folder / f"{name}.log", printed)
    text(folder / "train.log", printed)
    # What was measured of the first run, and rounded beside it.
    exact = {"test_accuracy": 0.73648291, "test_f1": 0.6718293}
    document(folder / "other/results.json", exact)
    document(folder / "other/summary_metrics.json", {k: round(v, 4) for k, v in exact.items()})


def trainings_of_one_answer(folder: Path, variant: int) -> None:
    """Two trainings whose models always say one class: they share all that was evaluated."""
    said = {
        f"{split}_{name}": share / part
        for split, share in (("val", 0.50917431), ("test", 0.49876543))
        for name, part in (("acc", 1), ("precision", 2), ("f1", 1.5))
    }
    for n, write in enumerate((table, lines)):
        rows = [{"epoch": e, "train_loss": round((2 + n / 7) / e, 4 + variant * n), **said}
                for e in range(1, 9)]  # fmt: skip
        write(folder / ("small.csv", "small.jsonl")[n], rows)


def splits_in_names_of_files(folder: Path, variant: int) -> None:
    """A table for each split, called after it."""
    tops = {"train": 0.9, "val": 0.7, "test": 0.68}
    for split, top in tops.items() if variant == 2 else list(tops.items())[:2]:
        rows = [{"epoch": e, "loss": 2 / e, "acc": v} for e, v in every(1, [0.5, 0.6, top])]
        if variant == 1:
            table(folder / f"{split}_log.csv", rows)
        else:
            lines(folder / f"out/metrics_{split}.jsonl", rows)
            lines(folder / f"both/cnn_{split}.jsonl", rows)
            more = [{**row, "acc": row["acc"] + 0.05} for row in rows]
            lines(folder / f"both/rnn_{split}.jsonl", more)


def starts_of_lightning(folder: Path, variant: int) -> None:
    """Versions of which one crashed, or was a test of the one before it."""
    place = folder / "lightning_logs"
    starts = [(0, 6), (1, 2), (1, 6), (2, 6)] if variant == 1 else [(3, 6), (3, 0), (4, 6), (4, 0)]
    for number, (seed, count) in enumerate(starts):
        rows = [{**row, "step": 50 * row["epoch"] - 1} for row in course(0.8 + seed / 100)[:count]]
        test = {"epoch": 0, "step": 0, "test_acc": 0.7 + seed / 100, "test_loss": 0.9}
        table(place / f"version_{number}/metrics.csv", rows or [test])
        text(place / f"version_{number}/hparams.yaml", f"lr: 0.1\nseed: {seed}\n")


def ids_for_names(folder: Path, variant: int) -> None:
    """Runs called after nothing, whose settings say which of them repeat one another."""
    if variant == 1:
        names = ("3f9a1c", "9e8f77", "b77e02", "c01dd4")
        for n, name in enumerate(names):
            table(folder / name / "metrics.csv", course(0.8 + n / 100))
            document(folder / name / "config.json", {"seed": n % 2, "lr": (0.1, 0.01)[n // 2]})
        return
    rows = [{"Name": f"r{n}", "seed": n % 3, "model": "AB"[n // 3], "lr": 0.1,
             "val_acc": 0.8 + n / 100} for n in range(6)]  # fmt: skip
    table(folder / "export.csv", rows)


def tables_of_means(folder: Path, variant: int) -> None:
    """A table of what the runs beside it come to."""
    for seed in (1, 2, 3):
        table(folder / f"seed{seed}/log.csv", course(0.8 + seed / 100))
    if variant == 1:
        table(folder / "summary.csv", [{"model": "net", "mean_acc": 0.82, "std_acc": 0.01}])
    else:
        document(folder / "summary/results.json", {"val_acc_mean": 0.82, "val_acc_std": 0.01})


KINDS: dict[str, Callable[[Path, int], None]] = {
    "collapsed-seeds": collapsed_seeds,
    "runs-called-as-splits": runs_called_as_splits,
    "copies-in-one-folder": copies_in_one_folder,
    "resumed-consoles": resumed_consoles,
    "started-twice-with-an-id": started_twice_with_an_id,
    "logs-on-two-clocks": logs_on_two_clocks,
    "one-training-told-again": one_training_told_again,
    "trainings-of-one-answer": trainings_of_one_answer,
    "runs-in-one-folder": runs_in_one_folder,
    "splits-in-names-of-files": splits_in_names_of_files,
    "starts-of-lightning": starts_of_lightning,
    "ids-for-names": ids_for_names,
    "tables-of-means": tables_of_means,
}
