"""Right reports of random curves: each printed value stands between « and ».

A report is a text with marked values and the evidence it is right about. `plain` takes the marks
away; `with_one_changed` and `with_one_replaced` spoil one value of a table.
"""

from __future__ import annotations

import math
import random
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

MARKED = re.compile(r"«([^»]*)»")
NAMES = ("base", "wide", "pretrained", "random", "dropout", "augmented")


@dataclass(frozen=True)
class Made:
    """A report with marks, and the lists of values it is of."""

    text: str
    given: dict
    table: bool = True


@dataclass
class Curves:
    """One run's curves over steps and epochs, and how its numbers are printed."""

    rng: random.Random
    points: int = 8
    percent: bool = field(init=False)
    decimals: int = field(init=False)
    cut: bool = field(init=False)
    logs: dict = field(init=False)

    def __post_init__(self):
        rng = self.rng
        self.percent = rng.random() < 0.5
        self.decimals = rng.choice([3, 4])
        self.cut = rng.random() < 0.3
        self.logs = {"run": run_of(rng, self.points)}

    def show(self, value, *, share=False, comma=False):
        return shown(self, value, share=share, comma=comma)


def run_of(rng: random.Random, points: int) -> dict[str, list[float]]:
    """Return an accuracy that rises and losses that fall, with noise."""
    low, high = rng.uniform(0.3, 0.6), rng.uniform(0.65, 0.97)
    top = rng.uniform(1.0, 3.0)
    curve = [1 - math.exp(-3 * (i + 1) / points) for i in range(points)]
    noisy = lambda value, size: round(value + rng.gauss(0, size), 6)  # noqa: E731
    return {
        "valid/accuracy": [min(0.999, noisy(low + (high - low) * x, 0.02)) for x in curve],
        "test/accuracy": [min(0.999, noisy(low + (high - low) * x - 0.02, 0.02)) for x in curve],
        "valid/loss": [max(0.01, noisy(top * (1.2 - x), 0.03 * top)) for x in curve],
        "train/loss": [max(0.01, noisy(top * (1.1 - x), 0.02 * top)) for x in curve],
    }


def shown(curves: Curves, value: float, *, share: bool = False, comma: bool = False) -> str:
    """Return a value as the report prints it: rounded or cut, as a fraction or in percent."""
    percent = share and curves.percent
    decimals = curves.decimals - 2 if percent else curves.decimals
    number = Decimal(str(value)) * (100 if percent else 1)
    way = ROUND_DOWN if curves.cut else ROUND_HALF_UP
    text = str(number.quantize(Decimal(1).scaleb(-decimals), rounding=way))
    return f"«{text.replace('.', ',') if comma else text}»"


def table_of(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def transposed(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the same table with a column for each row."""
    first, *others = zip(heads, *rows, strict=True)
    return table_of(first, others)


COLUMNS = {
    "Accuracy (%)": ("valid/accuracy", True),
    "Validation accuracy": ("valid/accuracy", False),
    "Test accuracy": ("test/accuracy", False),
    "Validation loss": ("valid/loss", False),
    "Training loss": ("train/loss", False),
}


def over_time(rng: random.Random, clock: str, lay: Callable = table_of) -> Made:
    """Return a table of some evaluations by step or by epoch, the epochs counted from 0 or 1."""
    curves = Curves(rng, points=rng.randint(5, 20))
    every = rng.choice([50, 100, 450, 500])
    points = range(curves.points)
    first = rng.choice([0, 1])
    given = {
        "logs": curves.logs,
        "steps": [every * (i + 1) for i in points],
        "epochs": [i + first for i in points] if clock == "Epoch" else None,
    }
    if clock == "Epoch" and rng.random() < 0.5:
        given["steps"] = given["epochs"]
    start = rng.choice([0, 1]) if clock == "Epoch" else 0
    keys = [i + start for i in points] if clock == "Epoch" else given["steps"]
    share = "Accuracy (%)" if curves.percent else "Validation accuracy"
    names = [share, *rng.sample(["Test accuracy", "Validation loss", "Training loss"], 2)]
    curves_of = [(COLUMNS[name][0], name) for name in names]
    picked = sorted(rng.sample(list(points), min(rng.randint(4, 9), curves.points)))
    rows = []
    for i in picked:
        values = [
            shown(curves, curves.logs["run"][tag][i], share="accuracy" in tag)
            for tag, _ in curves_of
        ]
        rows.append([str(keys[i]), *values])
    return Made(f"# Results\n\n{lay([clock, *names], rows)}\n", given)


def seeds_of(rng: random.Random) -> tuple[Curves, dict, list[str], int]:
    """Return several groups of seeds, with how their numbers are printed."""
    curves = Curves(rng)
    groups = rng.sample(NAMES, rng.randint(2, 3))
    seeds = rng.randint(2, 4)
    logs = {f"{g}/{s}": run_of(rng, curves.points) for g in groups for s in range(1, seeds + 1)}
    return curves, logs, groups, seeds


def by_run(rng: random.Random) -> Made:
    """Return a table of each run's best validation accuracy and last losses."""
    curves, logs, groups, seeds = seeds_of(rng)
    rows = []
    for group in groups:
        for seed in range(1, seeds + 1):
            run = logs[f"{group}/{seed}"]
            rows.append(
                [
                    group,
                    str(seed),
                    shown(curves, max(run["valid/accuracy"]), share=True),
                    shown(curves, run["test/accuracy"][-1], share=True),
                    shown(curves, run["train/loss"][-1]),
                ]
            )
    heads = ["Model", "Seed", "Best validation accuracy", "Final test accuracy", "Final train loss"]
    return Made(f"# Runs\n\n{table_of(heads, rows)}\n", {"logs": logs})


def by_group(rng: random.Random) -> Made:
    """Return a table of means and standard deviations over seeds, sample or population."""
    curves, logs, groups, seeds = seeds_of(rng)
    curves.cut = False
    population = rng.random() < 0.4
    spread = statistics.pstdev if population else statistics.stdev
    rows = []
    for group in groups:
        runs = [logs[f"{group}/{seed}"] for seed in range(1, seeds + 1)]
        at = [one["valid/accuracy"].index(max(one["valid/accuracy"])) for one in runs]
        test = [one["test/accuracy"][i] for one, i in zip(runs, at, strict=True)]
        best = [max(one["valid/accuracy"]) for one in runs]
        cells = [
            f"{shown(curves, statistics.fmean(v), share=True)} ± "
            f"{shown(curves, spread(v), share=True)}"
            for v in (best, test)
        ]
        rows.append([group, *cells])
    heads = ["Model", "Best validation accuracy", "Test accuracy"]
    how = "population" if population else "sample"
    said = f"Mean ± {how} standard deviation" if rng.random() < 0.6 else "Mean ± std"
    text = f"# Results\n\n{said} over {seeds} seeds.\n\n{table_of(heads, rows)}\n"
    return Made(text, {"logs": logs})


def of_metrics(rng: random.Random) -> Made:
    """Return a table of one run's last values, a metric in each row."""
    curves = Curves(rng)
    run = curves.logs["run"]
    names = list(COLUMNS)[1:]
    rng.shuffle(names)
    rows = [[n, shown(curves, run[COLUMNS[n][0]][-1], share="acc" in n)] for n in names]
    return Made(
        f"# Final results\n\n{table_of(['Metric', 'Value'], rows)}\n", {"logs": curves.logs}
    )


TABLES: dict[str, Callable[[random.Random], Made]] = {
    "by step": lambda rng: over_time(rng, "Step"),
    "by epoch": lambda rng: over_time(rng, "Epoch"),
    "transposed": lambda rng: over_time(rng, "Step", transposed),
    "by run": by_run,
    "by group": by_group,
    "of metrics": of_metrics,
}


def two_up(rng: random.Random) -> Made:
    """Return a table by step whose second half is printed beside the first."""
    curves = Curves(rng, points=2 * rng.randint(3, 6))
    run, every = curves.logs["run"], rng.choice([100, 250])
    half = curves.points // 2
    steps = [every * (i + 1) for i in range(curves.points)]

    def cells(i: int) -> list[str]:
        values = run["valid/accuracy"][i], run["valid/loss"][i]
        return [str(steps[i]), shown(curves, values[0], share=True), shown(curves, values[1])]

    rows = [[*cells(i), *cells(i + half)] for i in range(half)]
    heads = ["Step", "Validation accuracy", "Validation loss"] * 2
    return Made(f"# Log\n\n{table_of(heads, rows)}\n", {"logs": curves.logs, "steps": steps})


def with_foreign_rows(rng: random.Random) -> Made:
    """Return a table of runs with rows of others' work, of older runs, a mean and a gain."""
    curves, logs, groups, seeds = seeds_of(rng)
    rows = []
    for group in groups:
        runs = [logs[f"{group}/{seed}"] for seed in range(1, seeds + 1)]
        columns = [
            [run["valid/accuracy"][-1] for run in runs],
            [r["test/accuracy"][-1] for r in runs],
        ]
        cells = [shown(curves, statistics.fmean(column), share=True) for column in columns]
        rows.append([group, *cells])
    other = lambda: shown(curves, rng.uniform(0.3, 0.99), share=True)  # noqa: E731
    foreign = rng.sample(
        ["Smith et al. (2021)", "older run", "human", "our course's baseline", "GPT-2 [12]"], 2
    )
    for name in foreign:
        place = rng.randint(0, len(rows))
        rows.insert(place, [name, plain(other()), plain(other())])
    curves_gain = [plain(shown(curves, abs(rng.gauss(0.03, 0.02)), share=True)) for _ in range(2)]
    if rng.random() < 0.5:
        rows.append(["gain", *[f"+{one}" for one in curves_gain]])
    heads = ["Model", "Final validation accuracy", "Final test accuracy"]
    return Made(f"# Comparison\n\n{table_of(heads, rows)}\n", {"logs": logs})


def best_with_times(rng: random.Random) -> Made:
    """Return a table of each run's best validation accuracy, its epoch, and the test there."""
    curves, logs, _, _ = seeds_of(rng)
    first = rng.choice([0, 1])
    rows = []
    for name, run in logs.items():
        at = run["valid/accuracy"].index(max(run["valid/accuracy"]))
        values = run["valid/accuracy"][at], run["test/accuracy"][at]
        rows.append([name, *(shown(curves, one, share=True) for one in values), str(at + first)])
    heads = ["Run", "Best val. acc.", "Test acc.", "Best epoch"]
    given = {
        "logs": logs,
        "steps": [100 * (i + 1) for i in range(curves.points)],
        "epochs": [i + first for i in range(curves.points)],
    }
    return Made(f"# Best\n\n{table_of(heads, rows)}\n", given)


def dense(rng: random.Random) -> Made:
    """Return a table of a few steps of a curve of hundreds of points."""
    curves = Curves(rng, points=rng.randint(200, 400))
    run = curves.logs["run"]
    picked = sorted(rng.sample(range(curves.points), rng.randint(4, 8)))
    rows = [
        [
            str(10 * (i + 1)),
            shown(curves, run["train/loss"][i]),
            shown(curves, run["valid/loss"][i]),
        ]
        for i in picked
    ]
    heads = ["Step", "Train loss", "Val loss"]
    given = {"logs": curves.logs, "steps": [10 * (i + 1) for i in range(curves.points)]}
    return Made(f"# Curve\n\n{table_of(heads, rows)}\n", given)


def per_seed(rng: random.Random) -> Made:
    """Return a table with a column for each seed and their mean."""
    curves, logs, groups, seeds = seeds_of(rng)
    curves.cut = False
    rows = []
    for group in groups:
        values = [logs[f"{group}/{seed}"]["test/accuracy"][-1] for seed in range(1, seeds + 1)]
        cells = [shown(curves, one, share=True) for one in (*values, statistics.fmean(values))]
        rows.append([group, *cells])
    heads = ["Model", *(f"seed {seed}" for seed in range(1, seeds + 1)), "mean"]
    return Made(f"Final test accuracy\n\n{table_of(heads, rows)}\n", {"logs": logs})


TABLES |= {
    "two-up": two_up,
    "with foreign rows": with_foreign_rows,
    "best with times": best_with_times,
    "dense": dense,
    "per seed": per_seed,
}

# A curve by its name, and its best value (b), its last (l), its first (f) or that at step {at},
# where validation accuracy is best.
SENTENCES = (
    "The best validation accuracy is {acc_b} at step {at}.",
    "Validation accuracy rises from {acc_f} to {acc_l}.",
    "After the last step the training loss is {train_l} and the validation loss {loss_l}.",
    "The final test accuracy is {test_l}.",
    "At step {at}, we have a validation accuracy of {acc_b} and a test accuracy of {test_at}.",
    "La meilleure exactitude de validation est de {acc_b}, à l'étape {at}.",
    "L'exactitude de validation passe de {acc_f} à {acc_l}.",
    "La perte d'entraînement finale est de {train_l}.",
    "L'exactitude finale sur le test est de {test_l}, pour une perte de validation de {loss_l}.",
    "À l'étape {at}, l'exactitude de test vaut {test_at}.",
)


# Beside a right number the sentence has one of another set-up, a digit away from it ({acc_o}).
COMPARED = (
    "A previous attempt had a final training loss of {train_o}, versus {train_l} now.",
    "Random guessing gives an accuracy of {acc_o}; our final validation accuracy is {acc_l}.",
    "The final validation accuracy, {acc_l}, is below the {acc_o} that the assignment asks.",
    "With a dropout of 0.2 the final validation accuracy was {acc_o}, with 0.1 it was {acc_l}.",
    "The smoothed training loss ends at {train_o}, the raw one at {train_l}.",
    "Our teammate's run reached a final validation accuracy of {acc_o}; ours {acc_l}.",
    "La précision finale de validation est de {acc_l}, contre {acc_o} pour l'article.",
    "The average of the last three validation accuracies is {acc_o}; the last is {acc_l}.",
    "Without augmentation the final test accuracy was {test_o}, with it {test_l}.",
    "The final validation accuracy is {acc_l}, and {acc_o} with an ensemble of three.",
    "Final test accuracy: {test_l} (top-1), {test_o} (top-5).",
    "Quantised to 8 bits, the final test accuracy drops to {test_o} from {test_l}.",
)


def sentences(rng: random.Random, template: str) -> Made:
    """Return a sentence on one run, in English or French."""
    curves = Curves(rng)
    run = curves.logs["run"]
    every = rng.choice([100, 250, 500])
    at = run["valid/accuracy"].index(max(run["valid/accuracy"]))
    comma = not template.isascii() or template.startswith(("L'", "La "))
    of = {"acc": "valid/accuracy", "test": "test/accuracy", "loss": "valid/loss"}
    of["train"] = "train/loss"
    values = {"at": str(every * (at + 1))}
    for name, tag in of.items():
        curve = run[tag]
        for moment, value in (
            ("b", max(curve)),
            ("l", curve[-1]),
            ("f", curve[0]),
            ("at", curve[at]),
        ):
            text = shown(curves, value, share="accuracy" in tag, comma=comma)
            values[f"{name}_{moment}"] = text + (
                " %" if curves.percent and "accuracy" in tag else ""
            )
        other = _changed(plain(shown(curves, curve[-1], share="accuracy" in tag)), rng)
        values[f"{name}_o"] = other.replace(".", ",") if comma else other
    given = {"logs": curves.logs, "steps": [every * (i + 1) for i in range(curves.points)]}
    return Made(f"# Results\n\n{template.format(**values)}\n", given, table=False)


# Of two groups g and h: means, best seeds and gaps of the last test accuracy.
GROUPED = (
    "The {g} models reach a mean final test accuracy of {g_mean}, the {h} models {h_mean}.",
    "On average, {g} ends at {g_mean} and {h} at {h_mean} test accuracy.",
    "The final test accuracy of {g} is {g_mean} ± {g_std}, and that of {h} {h_mean} ± {h_std}.",
    "With seed 1, {g} has a final test accuracy of {g_one}; with seed 2 it has {g_two}.",
    "{g} beats {h} by {gap} points in mean final test accuracy.",
    "Mean final test accuracy is {g_mean} for {g} against {h_mean} for {h}, {gap} points apart.",
    "En moyenne, {g} atteint une exactitude finale sur le test de {g_mean} et {h} de {h_mean}.",
    "The best run of {g} has a final test accuracy of {g_max}, the worst {g_min}.",
    "Earlier work reports a test accuracy of {other}; our {g} models have {g_mean} at the end.",
    "We hoped for a test accuracy above {other}, and {g} ended at {g_mean} on average.",
)


def of_groups(rng: random.Random, template: str) -> Made:
    """Return a sentence on two groups of runs, in English or French."""
    curves, logs, groups, seeds = seeds_of(rng)
    curves.cut = False
    comma = template.startswith("En moyenne")
    values = {}
    last = {
        name: [logs[f"{group}/{s}"]["test/accuracy"][-1] for s in range(1, seeds + 1)]
        for name, group in zip("gh", groups, strict=False)
    }
    unit = " %" if curves.percent else ""
    for name, group in zip("gh", groups, strict=False):
        values[name] = group
        for what, value in (
            ("mean", statistics.fmean(last[name])),
            ("std", statistics.stdev(last[name])),
            ("one", last[name][0]),
            ("two", last[name][1]),
            ("max", max(last[name])),
            ("min", min(last[name])),
        ):
            values[f"{name}_{what}"] = shown(curves, value, share=True, comma=comma) + unit
    gap = 100 * abs(statistics.fmean(last["g"]) - statistics.fmean(last["h"]))
    values["gap"] = f"{gap:.1f}"
    values["other"] = plain(shown(curves, rng.uniform(0.3, 0.99), share=True)) + unit
    return Made(f"# Results\n\n{template.format(**values)}\n", {"logs": logs}, table=False)


def plain(text: str) -> str:
    """Return a text without its marks."""
    return MARKED.sub(r"\1", text)


def values_of(made: Made) -> list[str]:
    """Return the marked values of a report, in order."""
    return MARKED.findall(made.text)


def with_one_changed(made: Made, rng: random.Random) -> tuple[str, str, int] | None:
    """Return a report with a digit of one value changed, the new value, and which it is."""
    return _spoiled(made, rng, _changed)


def with_one_replaced(made: Made, rng: random.Random) -> tuple[str, str, int] | None:
    """Return a report with one value replaced by a random one of its form."""
    return _spoiled(made, rng, _random_like)


def _spoiled(made: Made, rng: random.Random, how: Callable) -> tuple[str, str, int] | None:
    values = values_of(made)
    able = [
        i
        for i, text in enumerate(values)
        if len(text.lstrip("0.")) >= 3 + ("." in text.lstrip("0."))
    ]
    if not able:
        return None
    at = rng.choice(able)
    new = how(values[at], rng)
    pieces = iter(range(len(values)))
    text = MARKED.sub(lambda match: f"«{new}»" if next(pieces) == at else match[0], made.text)
    return plain(text), new, at


def _changed(text: str, rng: random.Random) -> str:
    digits = list(_digits(text))
    place = rng.choice(digits)
    last = place == len(text) - 1
    old = int(text[place])
    others = [d for d in range(10) if d != old and not (last and abs(d - old) <= 1)]
    if place == 0:
        others = [d for d in others if d]
    return f"{text[:place]}{rng.choice(others)}{text[place + 1 :]}"


def _digits(text: str) -> Iterator[int]:
    """Yield the places of the digits that tell something: no zero in front."""
    for place, letter in enumerate(text):
        if letter.isdigit() and text[: place + 1].strip("0."):
            yield place


def _random_like(text: str, rng: random.Random) -> str:
    while True:
        new = "".join(
            str(rng.randrange(10)) if place in set(_digits(text)) else letter
            for place, letter in enumerate(text)
        )
        if new != text:
            return new
