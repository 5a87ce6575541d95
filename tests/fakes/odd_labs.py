"""Labs of odd shapes, written as files, with the same values always."""

import csv
import json
import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

NAN = float("nan")
Curve = Callable[[int], Mapping[str, float]]


def write_csv(path: Path, rows: Iterable[Mapping[str, float | str]]) -> None:
    """Write a table of metrics, one row an epoch."""
    rows = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def write_runs(
    folder: Path,
    groups: Mapping[str, Sequence[int]],
    epochs: int,
    curve: Callable[[str, int], Curve],
) -> None:
    """Write one file a run, `group/seedN.csv`."""
    for group, seeds in groups.items():
        for seed in seeds:
            value = curve(group, seed)
            rows = ({"epoch": e, **value(e)} for e in range(1, epochs + 1))
            write_csv(folder / group / f"seed{seed}.csv", rows)


def saturating(top: float, seed: str, *, spread: float = 0.006) -> Callable[[int], float]:
    """Return an accuracy that rises to a limit, with noise of its own."""
    state = random.Random(seed)
    noise = [state.gauss(0, spread) for _ in range(100)]
    return lambda epoch: top * (1 - math.exp(-epoch / 2.5)) + noise[epoch]


def accuracies(folder: Path, groups: Mapping[str, Sequence[int]], epochs: int = 5) -> None:
    """Write accuracies of groups, of which each is a little worse than the one before."""

    def curve(group: str, seed: int) -> Curve:
        valid = saturating(0.78 - 0.01 * list(groups).index(group), f"{group} {seed}")
        test = saturating(0.76 - 0.01 * list(groups).index(group), f"{group} {seed} test")
        return lambda e: {"val_acc": round(valid(e), 4), "test_acc": round(test(e), 4)}

    write_runs(folder, groups, epochs, curve)


def diverged(folder: Path) -> None:
    """An error that is better the lower it is; one run of nine ends a million times higher."""

    def curve(group: str, seed: int) -> Curve:
        state = random.Random(f"{group} {seed}")
        floor = {"wide net": 0.45, 'ridge "baseline"': 0.82, "größeres Netz": 0.39}[group]

        def value(epoch: int) -> Mapping[str, float]:
            rmse = 2 * math.exp(-epoch / 8) + floor + state.gauss(0, 0.01)
            if group == "wide net" and seed == 3 and epoch > 12:
                rmse *= math.exp((epoch - 12) * 0.8)
            errors = {"val_rmse": rmse, "val_mae": 0.8 * rmse, "test_mae": 0.83 * rmse}
            return {"train_mse": round(rmse * rmse, 5)} | {
                k: round(v, 4) for k, v in errors.items()
            }

        return value

    groups = dict.fromkeys(("wide net", 'ridge "baseline"', "größeres Netz"), (1, 2, 3))
    write_runs(folder, groups, 30, curve)


def lost(folder: Path) -> None:
    """Three runs, of which one has no validation value, and one has none any more half way."""

    def curve(_: str, seed: int) -> Curve:
        ends = {0: 0, 1: 99, 2: 4}[seed]

        def value(epoch: int) -> Mapping[str, float]:
            valid = round(0.5 + 0.02 * epoch + 0.003 * seed, 4)
            test = round(0.49 + 0.02 * epoch - 0.001 * seed, 4)
            return {"val_acc": valid if epoch <= ends else NAN, "test_acc": test}

        return value

    write_runs(folder, {"run": (0, 1, 2)}, 9, curve)


def odd_names(folder: Path) -> None:
    """Groups whose names are made of signs."""
    names = (
        *("A", "B", "-rf", "\"quoted\" 'x'", "100% $x_1$ \\alpha {b} #h ~t^", "Käse & Brot"),
        *("emoji 🤖✨", "a b c", "日本語モデル", "`tick`|pipe", "DQN 100% ε", "v1.5 (α=0.2)"),
    )
    accuracies(folder, dict.fromkeys(names, (0, 1)))


def unequal_seeds(folder: Path) -> None:
    """Two groups of four and three runs with two seeds in common, and a loss beside the metric."""

    def curve(group: str, seed: int) -> Curve:
        valid = saturating({"resnet18": 0.72, "vit-tiny": 0.68}[group], f"{group} {seed}")
        test = saturating({"resnet18": 0.70, "vit-tiny": 0.66}[group], f"{group} {seed} test")

        def value(epoch: int) -> Mapping[str, float]:
            return {
                "val_acc": round(valid(epoch), 5),
                "test_acc": round(test(epoch), 5),
                "val_top5": round(valid(epoch) + 0.2, 5),
                "test_loss": round(2.55 - 2 * test(epoch) + 0.02 * epoch, 4),
            }

        return value

    write_runs(folder, {"resnet18": (0, 1, 2, 3), "vit-tiny": (0, 1, 5)}, 10, curve)


def seeds_apart(folder: Path) -> None:
    """Two groups that each have a seed which the other lacks."""

    def curve(group: str, seed: int) -> Curve:
        state = random.Random(f"{group} {seed}")
        floor, noise = (
            {"base": 0.2, "large": 0.12}[group],
            [state.gauss(0, 0.004) for _ in range(9)],
        )
        return lambda e: {
            "val_wer": round(floor + 0.4 / e + noise[e], 4),
            "test_wer": round(floor + 0.41 / e + noise[e - 1], 4),
        }

    write_runs(folder, {"base": (0, 1, 2, 3), "large": (0, 1, 2, 5)}, 8, curve)


def rewards(folder: Path) -> None:
    """Rewards of reinforcement learning, negative at first, in the thousands at last."""

    def curve(group: str, seed: int) -> Curve:
        state = random.Random(f"{group} {seed}")
        step = {"PPO": 330, "SAC (α=0.2)": 470, "DQN 100% ε": 60}[group]
        noise = [state.gauss(0, 150) for _ in range(40)]

        def value(epoch: int) -> Mapping[str, float]:
            reward = -300 + step * epoch + noise[epoch]
            short = group == "PPO" and seed == 3 and epoch < 5
            return {"eval/mean_reward": NAN if short else round(reward, 4)}

        return value

    groups = {"PPO": (0, 1, 2, 3), "SAC (α=0.2)": (0, 1, 2), "DQN 100% ε": (0, 1, 2)}
    write_runs(folder, groups, 10, curve)


def hugging_face(folder: Path) -> None:
    """Six runs of the Trainer, with accuracies of five decimals."""
    for model, top in (("camembert-base", 0.887), ("flaubert-small", 0.835)):
        for seed in (13, 42, 87):
            state = random.Random(f"{model} {seed}")
            history: list[dict[str, float]] = []
            for epoch in (1, 2, 3):
                value = round(top - 0.02 / epoch + state.gauss(0, 0.002), 5)
                history.append(
                    {
                        "epoch": epoch,
                        "step": 500 * epoch,
                        "loss": round(0.6137 / epoch + state.gauss(0, 0.01), 4),
                    }
                )
                history.append(
                    {
                        "epoch": epoch,
                        "step": 500 * epoch,
                        "eval_accuracy": value,
                        "eval_f1": round(value - 0.01, 5),
                        "eval_loss": round(1.2 - value, 5),
                    }
                )
            path = folder / f"{model}-seed{seed}" / "trainer_state.json"
            path.parent.mkdir(parents=True)
            told = {"epoch": 3.0, "global_step": 1500, "log_history": history}
            path.write_text(json.dumps(told), encoding="utf-8")


def one_run(folder: Path) -> None:
    """A single run, of perplexities that are far apart."""
    rows = (
        {
            "step": 500 * k,
            "train/loss": round(8 / (k + 1), 4),
            "val/ppl": round(60000 / 4**k + 26.237, 3),
        }
        for k in range(12)
    )
    write_csv(folder / "gpt2" / "metrics.csv", rows)


def many_groups(folder: Path) -> None:
    """Thirteen groups of two or three runs."""
    accuracies(folder, {f"lr{n}": range(2 + n % 2) for n in range(13)})


def lower_only(folder: Path) -> None:
    """Word error rates and losses: nothing is better when it is higher."""

    def curve(group: str, seed: int) -> Curve:
        state = random.Random(f"{group} {seed}")
        floor = {"base": 0.12, "large": 0.09}[group]
        noise = [state.gauss(0, 0.003) for _ in range(20)]
        return lambda e: {
            "val_wer": round(floor + 0.4 / e + noise[e], 4),
            "test_wer": round(floor + 0.41 / e + noise[e + 1], 4),
            "val_loss": round(5 * floor + 2 / e + noise[e], 3),
        }

    write_runs(folder, {"base": (1, 2, 3), "large": (1, 2, 3)}, 8, curve)


def far_units(folder: Path) -> None:
    """Metrics in the thousands and of a millionth beside each other."""

    def curve(group: str, seed: int) -> Curve:
        state = random.Random(f"{group} {seed}")
        scale = {"coarse": 1.0, "fine": 0.8}[group]
        noise = [state.gauss(0, 0.02) for _ in range(20)]

        def value(epoch: int) -> Mapping[str, float]:
            size = scale * (1 + 3 / epoch + noise[epoch])
            return {
                "val_mae": round(4321.7 * size, 2),
                "test_mae": round(4455.1 * size, 2),
                "val_mse": round(2.3e-6 * size, 12),
                "test_mse": round(2.4e-6 * size, 12),
            }

        return value

    write_runs(folder, {"coarse": (0, 1, 2), "fine": (0, 1, 2)}, 9, curve)


def crossing(folder: Path) -> None:
    """Two groups now above, now below each other, and once apart by less than is printed."""

    def curve(group: str, seed: int) -> Curve:
        gap = {2: 0.00001, 6: -0.05, 8: -0.05, 10: -0.05}

        def value(epoch: int) -> Mapping[str, float]:
            level = 0.5 + 1 / (epoch + 1)
            if group == "large":
                return {"val_rmse": round(level + 0.001 * seed, 6), "val_latency_ms": 10.0 + seed}
            level += gap.get(epoch, 0.05) - 0.0003
            return {"val_rmse": round(level + 0.0013 * seed, 6), "val_latency_ms": 9.0 + seed}

        return value

    write_runs(folder, {"base": (0, 1, 2), "large": (0, 1, 2)}, 10, curve)


def evaluated_twice(folder: Path) -> None:
    """Runs of Lightning that are evaluated once more behind the last epoch, two without a change.

    Training lies a little below validation at the end of the last epoch, and far below behind it.
    """
    for version in range(9):
        rows: list[dict[str, float | str]] = []
        for epoch, (valid, train) in enumerate(((0.91, 0.88), (0.93, 0.92), (0.94, 0.939))):
            told = {"epoch": epoch, "step": 782 * (epoch + 1) - 1}
            rows.append({**told, "val_accuracy": valid + 0.001 * version, "test_accuracy": ""})
            rows.append({**told, "train_accuracy": train + 0.001 * version})
        ends = 0.94 if version in {2, 4} else 0.955
        told = {"epoch": 3, "step": 2346, "test_accuracy": 0.951 + 0.001 * version}
        rows.append({**told, "val_accuracy": ends + 0.001 * version, "train_accuracy": ""})
        keys = ("epoch", "step", "train_accuracy", "val_accuracy", "test_accuracy")
        whole = [{key: row.get(key, "") for key in keys} for row in rows]
        write_csv(folder / f"version_{version}" / "metrics.csv", whole)


def same_words(folder: Path) -> None:
    """Groups whose names have the same words in another order, and best values reached twice."""
    tops = {"ac_1_1_CartPole": 9, "ac_1_100_CartPole": 2, "ac_100_1_CartPole": 4}

    def curve(group: str, _: int) -> Curve:
        return lambda epoch: {"eval/mean_reward": min(200.0, 20.5 * epoch + 10.0 * tops[group])}

    write_runs(folder, dict.fromkeys(tops, (1,)), 9, curve)


LABS: Mapping[str, Callable[[Path], None]] = {
    function.__name__: function
    for function in (
        *(hugging_face, diverged, lost, odd_names, unequal_seeds, seeds_apart, rewards),
        *(one_run, many_groups, lower_only, far_units, crossing),
        *(evaluated_twice, same_words),
    )
}
