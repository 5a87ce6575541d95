"""Logs as strangers leave them: two labs of each kind that differ in every accident.

Each function writes lab `variant` (1 or 2) below a folder; what is true of it stands in
`tests/contract/field.yaml` under the same name.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fakes.event_file import header, put, scalars

Rows = Sequence[Mapping[str, Any]]
Points = Mapping[str, Sequence[tuple[int, float]]]


def events(path: Path, tags: Points, start: float) -> None:
    """Write one event file of these tags."""
    put(path, [header(), *(e for tag, points in tags.items() for e in scalars(tag, points, start))])


def table(path: Path, rows: Rows, columns: Sequence[str] = ()) -> None:
    """Write a CSV file; a cell that a row does not have is empty."""
    columns = columns or list(dict.fromkeys(key for row in rows for key in row))
    lines = [",".join(str(row.get(column, "")) for column in columns) for row in rows]
    text(path, "\n".join([",".join(columns), *lines, ""]))


def lines(path: Path, rows: Rows) -> None:
    text(path, "".join(json.dumps(row) + "\n" for row in rows))


def text(path: Path, words: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words, encoding="utf-8")


def document(path: Path, content: Any, indent: int | None = None) -> None:
    text(path, json.dumps(content, indent=indent))


def every(step: int, values: Sequence[float]) -> list[tuple[int, float]]:
    """Return points at `step`, twice that, and so on."""
    return [(step * n, value) for n, value in enumerate(values, 1)]


def default_folders(folder: Path, variant: int) -> None:
    """Folders as PyTorch's SummaryWriter names them: date, time, host, comment."""
    if variant == 1:
        for name, top in (("Jun03_14-22-31_gpu-07", 0.64), ("Jun04_09-01-55_gpu-07_bs64", 0.66)):
            tags = {
                "train_loss": every(100, [2.0, 1.5, 1.2, 1.1]),
                "val_acc": every(100, [0.4, top, 0.6, 0.55]),
            }
            events(folder / "runs" / name / "events.out.tfevents.1685800000.gpu-07.77.0", tags, 1e9)
        return
    comments = {"": [31, 42, 57], "_wd0.1": [30, 58, 44], "_wide": [59, 50, 51]}
    for minute, (comment, values) in enumerate(comments.items()):
        place = folder / "experiments/2024/runs" / f"Dec24_23-0{minute}-59_login1{comment}"
        tags = {"valid/accuracy": every(7, values), "train/loss": every(7, [0.9, 0.8, 0.7])}
        events(place / f"events.out.tfevents.17350{minute}.login1.{minute}.{minute}", tags, 2e9)


def numbered_versions(folder: Path, variant: int) -> None:
    """Lightning's version_N of trainings that have nothing to do with one another."""
    if variant == 1:
        versions = [(7, [12.0, 9.0, 8.0, 8.5]), (7, [11.0, 10.0, 7.0, 9.5]), (120, [0.2, 0.1, 0.3])]
        for number, (size, values) in enumerate(versions):
            place = folder / "lightning_logs" / f"version_{number}"
            rows = [
                {"val/mse": v, "epoch": n, "step": size * (n + 1) - 1} for n, v in enumerate(values)
            ]
            table(place / "metrics.csv", rows, ["val/mse", "epoch", "step"])
            text(place / "hparams.yaml", "{}\n")
        return
    sizes = (33, 33, 500, 5)
    for number, size in enumerate(sizes):
        values = [n * 10.0**number for n in (4.0, 2.0, 3.0, 5.0, 6.0)]
        rows = []
        for n, value in enumerate(values):
            rows.append({"epoch": n, "step": size * n + size // 2, "train_loss": value / 2})
            rows.append({"epoch": n, "step": size * (n + 1) - 1, "valid_loss": value})
        place = folder / "work/old/lightning_logs" / f"version_{10 + number}"
        table(place / "metrics.csv", rows, ["epoch", "step", "train_loss", "valid_loss"])


def restarting_counters(folder: Path, variant: int) -> None:
    """A counter of iterations that begins again in every epoch."""
    if variant == 1:
        rows: list[dict[str, Any]] = [{"env_info": "linux", "exp_name": "retina.py"}]
        for epoch, value in enumerate([0.2, 0.35, 0.3], 1):
            rows += [
                {"mode": "train", "epoch": epoch, "iter": n, "loss": 2 / epoch}
                for n in (20, 40, 60)
            ]
            rows.append({"mode": "val", "epoch": epoch, "iter": 33, "bbox_mAP": value})
        lines(folder / "work_dirs/retina/20220505_050505.log.json", rows)
        return
    rows = []
    for epoch, value in enumerate([71.0, 75.5, 74.0, 75.0, 73.0], 1):
        rows += [{"epoch": epoch, "step": n, "split": "train", "loss": 1 / n} for n in (1, 2, 3, 4)]
        rows.append({"epoch": epoch, "step": 4, "split": "val", "accuracy": value})
    lines(folder / "out/deep/down/metrics.jsonl", rows)


def two_clocks(folder: Path, variant: int) -> None:
    """Rows of training that count iterations, and rows of validation that count epochs."""
    rows: list[dict[str, Any]] = []
    if variant == 1:
        for epoch, value in enumerate([55.0, 61.5, 60.0], 1):
            rows += [
                {"step": n, "iter": n, "epoch": epoch, "decode.loss_ce": 1 / n, "lr": 0.1}
                for n in (80 * epoch - 40, 80 * epoch)
            ]
            rows.append({"mIoU": value, "aAcc": value + 20, "time": 0.1, "step": epoch})
        lines(folder / "work_dirs/segformer/20231111_111111/vis_data/scalars.json", rows)
        return
    for epoch in range(1, 7):
        rows.append({"loss": 3 / epoch, "epoch": epoch, "iter": 25 * epoch, "step": 25 * epoch})
        if epoch % 2 == 0:
            rows.append({"accuracy/top1": {2: 40.0, 4: 71.25, 6: 70.5}[epoch], "step": epoch})
    for name in ("scalars.json", "20240229_120000.json"):
        lines(folder / "w/resnet18/20240229_120000/vis_data" / name, rows)


def tested_after_training(folder: Path, variant: int) -> None:
    """Files of the Hugging Face Trainer beside its state: the test was run at the end."""
    prefix, metric, unit = (("predict", "f1", 50), ("test", "matthews_correlation", 8))[variant - 1]
    seeds = {1: (11, 12, 13), 2: (5, 7)}[variant]
    for n, seed in enumerate(seeds):
        curve = [0.5 + n / 100, 0.6 + n / 100, 0.7 + n / 100, 0.65]
        history = [
            {"step": s, "epoch": s / unit, f"eval_{metric}": v, "eval_runtime": 1.5}
            for s, v in every(unit, curve)
        ]
        history.append({"step": 4 * unit, "epoch": 4.0, "train_loss": 0.3, "train_runtime": 60.0})
        best = {"best_global_step": 3 * unit, "best_metric": curve[2], "global_step": 4 * unit}
        run = folder / (f"out/camembert/seed_{seed}" if variant == 1 else f"mrpc-seed{seed}")
        document(run / "trainer_state.json", {**best, "log_history": history})
        result = {f"{prefix}_{metric}": 0.66 + n / 50, f"{prefix}_samples": 408}
        document(run / f"{prefix}_results.json", result, indent=4)
        if variant == 1:
            document(run / "all_results.json", {**result, "train_loss": 0.3}, indent=4)


def fit_then_test(folder: Path, variant: int) -> None:
    """Lightning's fit and then its test, one step after training ended."""
    for n, seed in enumerate({1: (11, 22, 33, 44), 2: (0, 1)}[variant]):
        if variant == 1:
            rows = [
                {"epoch": e, "step": 9 * e + 8, "val/f1": v + n / 100}
                for e, v in enumerate([0.3, 0.5, 0.4])
            ]
            rows.append({"epoch": 3, "step": 27, "test/f1": 0.45 + n / 100})
            place = folder / f"out/seed{seed}/csv_logs/version_0"
        else:
            rows = [
                {"step": s, "val_accuracy": v - n / 50} for s, v in every(50, [0.8, 0.7, 0.75, 0.6])
            ]
            rows.append({"step": 201, "test_accuracy": 0.79 - n / 50})
            place = folder / f"s{seed}/lightning_logs/version_3"
        table(place / "metrics.csv", rows)
        text(place / "hparams.yaml", f"batch_size: 8\nseed: {seed}\n")


def unread_tables(folder: Path, variant: int) -> None:
    """A table whose column of steps has an uncommon name, beside one with a common name."""
    usual = every(10, [0.3, 0.5, 0.4])
    table(folder / "plain/log-0.csv", [{"step": s, "val_acc": v} for s, v in usual])
    if variant == 1:
        rows = [{"num env steps": 500 * s, "val_acc": v} for s, v in every(1, [0.1, 0.2, 0.6])]
        table(folder / "odd/log-0.csv", rows)
    else:  # nobody can know that ticks of 0.5 count anything
        rows = [{"frob": -s / 2, "val_acc": v} for s, v in every(1, [0.6, 0.2, 0.1])]
        table(folder / "odd/log-0.csv", rows, ["val_acc", "frob"])


def hydra_sweeps(folder: Path, variant: int) -> None:
    """Jobs of Hydra that are told apart by their overrides alone."""
    models, seeds = {1: (("adam", "sgd"), (10, 20, 30)), 2: (("gru", "lstm"), (3, 4))}[variant]
    for job, (model, seed) in enumerate((m, s) for m in models for s in seeds):
        value = 0.5 + models.index(model) / 5 + seeds.index(seed) / 50
        if variant == 1:
            run = folder / f"multirun/2023-11-30/21-07-13/{job}"
            rows = [{"step": 5, "val_acc": value, "test_acc": value - 0.01}]
            table(run / "metrics.csv", [{"step": 1, "val_acc": 0.1, "test_acc": 0.1}, *rows])
            overrides = f"- optim={model}\n- training.seed={seed}\n"
            config = f"optim:\n  name: {model}\ntraining:\n  seed: {seed}\n  epochs: 5\n"
        else:
            run = folder / f"sweeps/cells/{job}"
            tags = {"val/acc": [(8, 0.2), (16, value)], "test/acc": [(8, 0.2), (16, value - 0.01)]}
            events(run / f"tb/events.out.tfevents.170000{job}.node.1.0", tags, 1.7e9 + 100 * job)
            overrides = f"- seed={seed}\n- cell={model}\n- lr=0.1\n"
            config = f"lr: 0.1\ncell: {model}\nseed: {seed}\n"
        text(run / ".hydra/overrides.yaml", overrides)
        text(run / ".hydra/config.yaml", config)
        text(run / ".hydra/hydra.yaml", f"hydra:\n  job:\n    num: {job}\n")


def repeated_adapters(folder: Path, variant: int) -> None:
    """The same adapter in every checkpoint of a run."""
    ranks = {1: {"out": 4}, 2: {"a": 8, "b": 16}}[variant]
    for run, rank in ranks.items():
        adapter = {
            "peft_type": "LORA", "r": rank, "lora_alpha": 2 * rank, "bias": "none",
            "target_modules": ["query", "value"], "task_type": "SEQ_CLS",
        }  # fmt: skip
        history = []
        for step in (50, 100, 1000):
            history.append({"step": step, "epoch": step / 500, "loss": 50 / step + rank})
            place = folder / f"{run}/checkpoint-{step}"
            document(place / "trainer_state.json", {"global_step": step, "log_history": history})
            document(place / "adapter_config.json", adapter, indent=2)
        document(folder / run / "adapter_config.json", adapter)


def monitors(folder: Path, variant: int) -> None:
    """Files of the Monitor of Stable-Baselines3."""
    first = '#{"t_start": 1700000000.5, "env_id": "Hopper-v4"}\n'
    if variant == 1:
        rows = "".join(f"{10.5 * n},{100 + n},{n}.25,True\n" for n in range(1, 9))
        text(folder / "ppo/monitor.csv", f"{first}r,l,t,is_success\n{rows}")
        return
    again = first.replace("1700000000", "1700007200")
    one = "".join(f"{-n},{9 * n},{n}.5\n" for n in range(1, 5))
    two = "".join(f"{50 - n},{9 * n},{n}.5\n" for n in range(1, 4))
    glued = "-5,45,5.-6,54,6.5\n"
    text(folder / "td3/logs/3.monitor.csv", f"{first}r,l,t\n{one}{glued}{again}r,l,t\n{two}")


def keras_histories(folder: Path, variant: int) -> None:
    """The history of a Keras model as JSON: each name with the list of its values."""
    if variant == 1:
        history = {
            "val_acc": [0.3, 0.4, 0.55, 0.5, 0.52], "acc": [0.3, 0.5, 0.6, 0.7, 0.8],
            "val_loss": [2, 1.5, 1.1, 1.2, 1.3], "loss": [2, 1.4, 1, 0.8, 0.6], "lr": [0.1] * 5,
        }  # fmt: skip
        document(folder / "exp/vgg/training_history.json", history, indent=2)
        return
    for seed in (1, 2):
        values = [0.6, 0.9 - seed / 50, 0.8, 0.85]
        history = {"loss": [4, 3, 2, 1], "val_sparse_categorical_accuracy": values}
        document(folder / f"resnet_seed{seed}/history.json", history)


def overshooting_ends(folder: Path, variant: int) -> None:
    """Runs that end with the episode in which the budget is spent."""
    groups, seeds = {1: (("ppo", "a2c"), (1, 2)), 2: (("x", "y", "z"), (0, 1))}[variant]
    for n, (group, seed) in enumerate((g, s) for g in groups for s in seeds):
        if variant == 1:
            steps = [2048 * k for k in range(1, 25)] + [51200 + 37 * n]
            rows = [{"time/total_timesteps": s, "rollout/ep_rew_mean": s / 9 + n} for s in steps]
            table(folder / f"logs/{group}_seed{seed}/progress.csv", rows)
        else:
            steps = [5000 * k for k in range(1, 10)] + [50013 + 41 * n]
            steps = steps[:5] if (group, seed) == ("z", 1) else steps
            rows = [{"step": s, "val_return": s // 99 + n} for s in steps]
            lines(folder / f"{group}/seed-{seed}/log.jsonl", rows)


def unequal_seeds(folder: Path, variant: int) -> None:
    """Groups with other numbers of seeds, of which none was declared."""
    counts = {1: {"full": 5, "without": 3}, 2: {"bert": 4, "gpt": 1, "t5": 2}}[variant]
    for number, (group, count) in enumerate(counts.items()):
        for seed in range(1, count + 1):
            values = [0.5 - number / 10, 0.7 + seed / 100 - number / 10, 0.3]
            if variant == 1:
                rows = [{"epoch": e, "val_accuracy": v} for e, v in every(1, values)]
                table(folder / f"{group}/seed_{seed}/history.csv", rows)
            else:
                tags = {"val/f1": every(20, values), "train/loss": every(20, [3, 2, 1])}
                events(folder / f"{group}-seed{seed}/events.out.tfevents.17.h.1.0", tags, 1.7e9)


def absent_validation(folder: Path, variant: int) -> None:
    """Columns of validation without one number."""
    if variant == 1:
        rows = [
            {"epoch": e, "loss": 2 - v, "accuracy": v, "val_loss": "", "val_accuracy": ""}
            for e, v in enumerate([0.2, 0.45, 0.65])
        ]
        table(folder / "cnn/history.csv", rows)
        return
    rows = [
        {"step": s, "train/acc": v, "val/acc": float("nan")} for s, v in every(30, [0.3, 0.6, 0.75])
    ]
    lines(folder / "a/b/metrics.jsonl", rows)


def illegal_adapters(folder: Path, variant: int) -> None:
    """Adapters with a setting that is no number."""
    key = {1: '"r": 16, "lora_alpha": NaN', 2: '"lora_alpha": 8, "r": -Infinity'}[variant]
    place = folder / ("adapter_config.json" if variant == 1 else "deep/er/adapter_config.json")
    text(place, f'{{"peft_type": "LORA", {key}, "target_modules": ["q_proj"], "bias": "none"}}')


def resumed_runs(folder: Path, variant: int) -> None:
    """A training that was killed and goes on from a checkpoint, with files of its own."""
    if variant == 1:  # killed as epoch 5 began; the second goes on from the weights of epoch 3
        for seed in (5, 6):
            curves = {
                "train": ([40, 50, 60, 70], [66]),
                "valid": ([45, 55, 52, 75], [50]),
                "test": ([44, 54, 51, 74], [49]),
            }
            for number, (split, (first, second)) in enumerate(curves.items()):
                run = folder / f"books/cnn/{seed}/{split}"
                name = "events.out.tfevents.{}.box.{}.{}"
                points = [(40 * n, v) for n, v in enumerate(second, 4)]
                start = 1.6e9 + 1e5 * seed
                events(run / name.format(16000, 1, number), {"accuracy": every(40, first)}, start)
                events(run / name.format(16009, 2, number), {"accuracy": points}, start + 9000)
        return
    for seed in (1, 2, 3):  # all tags in one folder; the second session is evaluated more rarely
        first = {
            "train/loss": every(10, [5, 4, 3, 2, 1]),
            "val/acc": every(10, [0.5, 0.6, 0.7, 0.9, 0.8]),
            "test/acc": every(10, [0.51, 0.61, 0.71, 0.91]),
        }
        second = {
            "train/loss": [(40, 2.5), (50, 2.2), (60, 2.1)],
            "val/acc": [(40, 0.65), (60, 0.75)],
            "test/acc": [(40, 0.64), (60, 0.73)],
        }
        run = folder / f"model_seed{seed}"
        events(run / "events.out.tfevents.1500000000.n1.9.0", first, 1.5e9 + 1e6 * seed)
        events(run / "events.out.tfevents.1500050000.n2.3.0", second, 1.5e9 + 1e6 * seed + 5e4)


def settings_beside(folder: Path, variant: int) -> None:
    """Settings in a file beside the logs, or said by their names."""
    if variant == 1:  # consoles called after their seeds; one file of settings for all of a folder
        for group, top in (("small", 0.6), ("large", 0.8)):
            text(folder / f"{group}/config.yaml", f"model: {{kind: {group}}}\nseed: 0\n")
            for seed in (0, 1, 2):
                values = every(1, [0.4, top + seed / 100, 0.5])
                told = [f"epoch {e} train_loss {2 - v} val_acc {v:.2f}" for e, v in values]
                text(folder / f"{group}/seed{seed}.log", "\n".join([*told, ""]))
        return
    kinds: list[tuple[str, Callable[[Path, Rows], None]]] = [
        ("1/csv/log.csv", table), ("2/csv/log.csv", table), ("3/csv/log.jsonl", lines),
    ]  # fmt: skip
    for number, (name, write) in enumerate(kinds):
        rows = [{"epoch": e, "val_acc": v} for e, v in every(1, [0.3, 0.7 + number / 100])]
        write(folder / f"run_{name}", rows)
        stated = {"lr": 0.1, "seed": 11 + number}
        files = ("args.json", "config.json", "hparams.yaml")
        document(folder / f"run_{number + 1}" / files[number], stated)


def appended_trainings(folder: Path, variant: int) -> None:
    """A file of lines to which a second training was appended."""
    first = [{"lr": 0.1, "seed": 3}, *({"epoch": e, "val_f1": v} for e, v in every(1, [0.2, 0.6]))]
    rows = [{"epoch": e, "val_f1": v} for e, v in every(1, [0.3, 0.7, 0.4])]
    if variant == 1:  # each begins with its settings; the first ended as it began
        again: Rows = [{"lr": 0.2, "seed": 4, "note": "wider"}, *rows]
        lines(folder / "cnn/log.jsonl", [*first[:2], *again])
    else:  # nothing but the epoch tells where the second begins, or what it was given
        lines(folder / "cnn/log.jsonl", [*first, *rows])


def damaged_files(folder: Path, variant: int) -> None:
    """A sound log beside files of which the disk, or a copy, left nothing or a part."""
    lines(folder / "sound/log.jsonl", [{"epoch": e, "val_acc": v} for e, v in every(1, [0.5, 0.6])])
    if variant == 1:
        text(folder / "a/history.json", '{"loss": [1.0, 0.5],\n "val_accuracy": [0.4, 0.')
        text(folder / "b/train.log", "")
    else:
        text(folder / "a/results.json", '{\n "test_acc": 0.91,\n "test_loss": 0.2,')
        text(folder / "b/history.json", "")
        text(folder / "sound/args.json", '{"lr": 0.1,\n "seed": 12')


def stopped_early(folder: Path, variant: int) -> None:
    """Epochs from 0, and a run that ended, or lost its beginning, before that could be seen."""
    if variant == 1:  # the number of the epoch that goes on, at its last step
        for seed, values in enumerate(([0.3, 0.5, 0.7, 0.6], [0.3, 0.6, 0.7, 0.5], [0.3, 0.5])):
            rows = [{"step": 40 * n - 1, "epoch": n - 1, "val_acc": v} for n, v in every(1, values)]
            table(folder / f"cnn/seed_{seed}/metrics.csv", rows)
        return
    for seed, values in enumerate(([0.3, 0.5, 0.7, 0.6], [0.7, 0.6])):
        rows = [{"epoch": n + 2 * seed, "val_acc": v} for n, v in enumerate(values)]
        lines(folder / f"cnn/seed_{seed}/log.jsonl", rows)


def batches_anew(folder: Path, variant: int) -> None:
    """One tag counts the batches of each epoch, and another goes on, in one event file."""
    count, accuracies = {1: (12, [0.3, 0.6, 0.5]), 2: (8, [0.2, 0.4, 0.3, 0.7, 0.6])}[variant]
    written = [header()]
    for epoch, accuracy in enumerate(accuracies):
        begun = 1.7e9 + 60 * epoch
        losses = [(batch, 3 - epoch / 2 - batch / 100) for batch in range(count)]
        step = epoch if variant == 1 else count * (epoch + 1)
        written += scalars("train/batch_loss", losses, begun)
        written += scalars("val/acc", [(step, accuracy)], begun + 50)
    put(folder / f"unet/seed_{variant}/events.out.tfevents.1700000000.n.1.0", written)


def results_without_a_step(folder: Path, variant: int) -> None:
    """What was tested after training, in the log of the training or beside it."""
    if variant == 1:  # consoles; the last one speaks of an earlier epoch, whose weights it loads
        said = (
            "Final test accuracy: 65.00%\n",
            "test_acc=0.66\nDone in 3 s\n",
            "Loaded best model (epoch 2)\nTest | loss 0.91 | acc 0.67\n",
        )
        for seed, end in enumerate(said):
            rows = every(1, [0.5, 0.6, 0.62 + seed / 50])
            told = [f"Epoch {e}/3 train_loss={2 - v:.3f} val_acc={v:.3f}\n" for e, v in rows]
            text(folder / f"run_seed{seed}/train.log", "".join(told) + end)
        return
    for seed in range(5):  # a row, a cell, a key, a table and an object without an epoch
        rows = [
            {"epoch": e, "train_loss": 2 - v, "val_acc": v} for e, v in every(1, [0.5, 0.6, 0.7])
        ]
        tested = {"test_acc": 0.61 + seed / 100, "test_loss": 1.5}
        run = folder / f"cnn/seed-{seed}"
        if seed == 0:
            lines(run / "log.jsonl", [*rows, {"final": tested}])
        elif seed == 1:
            table(run / "log.csv", [*rows, {"epoch": "end", **tested}])
        elif seed == 2:
            columns = {key: [row[key] for row in rows] for key in ("train_loss", "val_acc")}
            document(run / "history.json", {**columns, "test_acc": [0.63], "test_loss": 1.5})
        else:
            lines(run / "log.jsonl", rows)
            beside = {3: (table, "test.csv"), 4: (lines, "test.jsonl")}[seed]
            beside[0](run / beside[1], [tested])


def logs_in_two_units(folder: Path, variant: int) -> None:
    """One run in two logs: in percent in one of them, or rounded; and two runs that differ."""
    for seed in (1, 2):
        loss = [round(1.31 / n + 0.0137 * seed, 5) for n in range(1, 9)]
        share = [round(0.51237 + 0.0391 * n + 0.0043 * seed, 5) for n in range(1, 9)]
        rows = [
            {"epoch": n, "train_loss": a, "val_acc": b, "test_acc": round(b - 0.01, 5)}
            for n, (a, b) in enumerate(zip(loss, share, strict=True), 1)
        ]
        percent = [
            {k: round(100 * v, 2) if k.endswith("acc") else v for k, v in row.items()}
            for row in rows
        ]
        if variant == 1:
            table(folder / f"net-seed{seed}/log.csv", rows)
            lines(folder / f"net-seed{seed}/{('train', 'history')[seed - 1]}.jsonl", percent)
            continue
        told = (
            "Epoch {epoch}/8 train loss: {train_loss:.3f} val acc: {val_acc}% test acc: {test_acc}%"
        )
        printed = "".join(told.format(**row) + "\n" for row in percent)
        text(folder / f"net-seed{seed}/train.log", printed)
        tags = {key: [(r["epoch"], r[key]) for r in rows] for key in rows[0] if key != "epoch"}
        events(folder / f"net-seed{seed}/events.out.tfevents.1.h.1.0", tags, 1.7e9)
        lines(folder / f"export/net-seed{seed}/log.jsonl", percent)
    # Two digits, and a seed that is not stated: equal values show nothing.
    few = [{"epoch": e, "val_acc": v} for e, v in every(1, [0.5, 0.6, 0.7, 0.71])]
    table(folder / "coarse/a/log.csv", few)
    lines(folder / "coarse/b/log.jsonl", [{**row, "val_acc": 100 * row["val_acc"]} for row in few])


def files_of_one_run(folder: Path, variant: int) -> None:
    """A run whose program wrote its training here and its evaluation there, in one folder."""
    for seed in (1, 2, 3):
        run, top = folder / f"vit-seed{seed}", 0.7 + seed / 100
        trained = every(100, [2.0, 1.5, 1.2, 1.0 + seed / 10])
        tested = [(s, {"val_acc": v, "test_acc": v - 0.05}) for s, v in every(1, [0.4, 0.6, top])]
        if variant == 1:  # a table in steps, an event file
            rows = [{"step": s, "epoch": s // 100, "train_loss": v} for s, v in trained]
            table(run / "metrics.csv", rows)
            tags = {
                key: [(100 * s + 100, one[key]) for s, one in tested]
                for key in ("val_acc", "test_acc")
            }
            events(run / "events.out.tfevents.1.h.1.0", tags, 1.7e9)
        else:  # epochs beside steps that state their epochs; what was tested, below `wandb`
            tags = {"train_loss": trained, "epoch": [(s, s // 100) for s, _ in trained]}
            events(run / "events.out.tfevents.1.h.1.0", tags, 1.7e9)
            rows = [{"epoch": s, "val_acc": one["val_acc"]} for s, one in tested]
            table(run / "metrics.csv", [*rows, {"epoch": 4, "val_acc": 0.3}])
            place = run / f"wandb/run-20240101_00000{seed}-id{seed}/files/wandb-summary.json"
            document(place, {"val_acc": 0.3, "test_acc": top - 0.05, "_step": 3})
    # Other values of one tag are of two runs; updates beside epochs, which no clock joins, of one.
    table(folder / "apart/metrics.csv", [{"step": s, "val_acc": 0.1 + s / 900} for s in (1, 2, 3)])
    other = {"val_acc": every(1, [0.8, 0.81, 0.82]), "train_loss": every(1, [3, 2, 1])}
    events(folder / "apart/events.out.tfevents.1.h.1.0", other, 1.7e9)
    table(folder / "clocks/metrics.csv", [{"epoch": e, "val_f1": e / 10} for e in (1, 2, 3)])
    events(
        folder / "clocks/events.out.tfevents.1.h.1.0", {"train_loss": every(500, [3, 2, 1])}, 1.7e9
    )


def printed_passes(folder: Path, variant: int) -> None:
    """Batches that a program counts beside its epochs, and splits that begin a line."""
    for seed in (0, 1):
        for rate, top in (("0.1", 0.7), ("0.01", 0.6)):
            said = [f"Namespace(lr={rate}, seed={seed}, data='cifar', epochs=4)"]
            for epoch, share in enumerate((0.6, 0.8, 1.0, 0.9)):
                value = (top + seed / 100) * share
                said += _pass(epoch, value) if variant == 1 else _phases(epoch, value)
            number = 2 * seed + (rate == "0.1")
            name = f"slurm-2001_{number}.out" if variant == 1 else f"logs/job{number}.log"
            text(folder / name, "\n".join([*said, ""]))


def _pass(epoch: int, value: float) -> list[str]:
    batch = "Time  0.1 ( 0.1)\tLoss 1.0e+00 (1.1e+00)\tAcc@1  {:.2f} ( 12.00)"
    return [
        *(f"Epoch: [{epoch}][{n:3d}/391]\t{batch.format(n / 10)}" for n in (0, 100, 200)),
        *(f"Val: [{n:2d}/79]\t{batch.format(90.0)}" for n in (0, 10)),
        f" *   Acc@1 {100 * value:.3f} Acc@5 91.000",
    ]


def _phases(epoch: int, value: float) -> list[str]:
    return [
        f"Epoch {epoch}/3",
        f"train Loss: {2 - value:.4f} Acc: {value / 2:.4f}  [60000/60000]",
        f"val Loss: {2 - value:.4f} Acc: {value:.4f}",
        f"Validation loss decreased (9.0000 --> {2 - value:.4f})",
    ]


def measured_after_fit(folder: Path, variant: int) -> None:
    """What Keras evaluates behind the last epoch, printed and beside the history."""
    bar = (
        "[==============================] - 1s 2ms/step" if variant == 1 else "━━━━━━━ 1s 2ms/step"
    )
    for seed, top in ((1, 0.8), (2, 0.9)):
        said = []
        for epoch, share in enumerate((0.7, 1.0, 0.9), 1):
            loss, value = 1.5 - share, top * share
            held = f"- val_loss: {loss + 0.1:.4f} - val_accuracy: {value - 0.1:.4f}"
            line = f"100/100 {bar} - loss: {loss:.4f} - accuracy: {value:.4f} {held}"
            said += [f"Epoch {epoch}/3", line]
        said.append(f"313/313 {bar} - loss: 0.4000 - accuracy: {top - 0.2:.4f}")
        if variant == 1:
            said.append(f"Test accuracy: {top - 0.2:.4f}")
        else:
            document(folder / f"net/seed{seed}/test.json", {"test_accuracy": top - 0.2})
        text(folder / f"net/seed{seed}/train.log", "\n".join([*said, ""]))


KINDS: dict[str, Callable[[Path, int], None]] = {
    "01-pytorch-default-dir": default_folders,
    "02-lightning-epochs-wrong": numbered_versions,
    "03-mmcv-iter-restarts": restarting_counters,
    "04-mmengine-scalars": two_clocks,
    "05-hf-test-results-dropped": tested_after_training,
    "06-lightning-test-after-fit": fit_then_test,
    "07-tables-dropped-in-silence": unread_tables,
    "09-hydra-multirun": hydra_sweeps,
    "10-lora-checkpoints": repeated_adapters,
    "11-sb3-monitor": monitors,
    "12-keras-history": keras_histories,
    "13-plan-overshoot": overshooting_ends,
    "14-phantom-seeds": unequal_seeds,
    "20-keras-all-nan-validation": absent_validation,
    "adapters": illegal_adapters,
    "restart-split-folders": resumed_runs,
    "settings-beside": settings_beside,
    "appended-trainings": appended_trainings,
    "damaged-files": damaged_files,
    "stopped-early": stopped_early,
    "batches-anew": batches_anew,
    "results-without-a-step": results_without_a_step,
    "logs-in-two-units": logs_in_two_units,
    "files-of-one-run": files_of_one_run,
    "printed-passes": printed_passes,
    "measured-after-fit": measured_after_fit,
}
"""The kinds by the names of the folders in which strangers' own examples of them lie."""
