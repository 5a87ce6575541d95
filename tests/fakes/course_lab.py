"""Made-up labs: groups of runs with their curves, and their logs as programs write them."""

import random
import statistics
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from fakes.event_file import write_scalars

SMOOTHING = 0.6

# Names of two groups each, as folder and as people write them.
GROUPS = (
    (("pretrained", "Pretrained model"), ("random", "Random initialisation")),
    (("bert-base", "BERT base"), ("lstm", "LSTM baseline")),
    (("lora_r8", "LoRA r=8"), ("full", "Full fine-tuning")),
    (("resnet50", "ResNet-50"), ("vit", "ViT")),
    (("pre_entraine", "Modèle pré-entraîné"), ("aleatoire", "Initialisation aléatoire")),
)


@dataclass(frozen=True)
class Lab:
    """Two groups, some seeds, accuracy in percent after each epoch.

    `values[split][group][seed]` are Decimals with one digit behind the point.
    """

    groups: tuple[tuple[str, str], ...]
    seeds: tuple[int, ...]
    epochs: int
    steps: int
    values: dict[str, dict[str, dict[int, list[Decimal]]]]

    def best(self, group: str, seed: int) -> int:
        """Index of the epoch with the highest validation accuracy, the earliest of equal ones."""
        curve = self.values["validation"][group][seed]
        return curve.index(max(curve))

    def at_best(self, split: str, group: str) -> list[Decimal]:
        """Value of each seed at its best validation epoch."""
        return [self.values[split][group][s][self.best(group, s)] for s in self.seeds]

    def smoothed(self, split: str, group: str, seed: int, epoch: int) -> Decimal:
        """TensorBoard's debiased average up to an epoch."""
        last, weight = 0.0, 0.0
        for value in self.values[split][group][seed][: epoch + 1]:
            last = SMOOTHING * last + (1 - SMOOTHING) * float(value)
            weight = SMOOTHING * weight + (1 - SMOOTHING)
        return Decimal(str(last / weight))


def make_lab(random_state: random.Random, *, seeds: int | None = None) -> Lab:
    """Draw a lab whose curves have no two equal best values and no two equal epochs."""
    groups = random_state.choice(GROUPS)
    first = random_state.choice((0, 1))
    count = seeds or random_state.choice((3, 3, 4, 5))
    numbers = tuple(range(first, first + count))
    epochs = random_state.choice((4, 5, 6))
    values = {
        split: {
            group: {seed: _curve(random_state, 86 - 14 * number, epochs) for seed in numbers}
            for number, (group, _) in enumerate(groups)
        }
        for split in ("validation", "test")
    }
    return Lab(groups, numbers, epochs, random_state.choice((225, 180, 312)), values)


def _curve(random_state: random.Random, top: float, epochs: int) -> list[Decimal]:
    """Return a curve that rises to about `top` and shakes at its end, without repeats."""
    while True:
        raw = [top - 22 * 0.45**n + random_state.uniform(-2.2, 2.2) for n in range(epochs)]
        curve = [rounded(Decimal(str(v)), 1) for v in raw]
        if len(set(curve)) == epochs:
            return curve


def write_logs(lab: Lab, folder: Path, layout: str) -> Path:
    """Write the runs as fairseq lays them out, or as a plain SummaryWriter does."""
    for group, _ in lab.groups:
        for seed in lab.seeds:
            curves = {split: lab.values[split][group][seed] for split in lab.values}
            points = {
                split: [(lab.steps * n, float(v)) for n, v in enumerate(curve, 1)]
                for split, curve in curves.items()
            }
            if layout == "fairseq":
                for split, name in (("validation", "valid"), ("test", "test")):
                    write_scalars(folder / group / str(seed) / name, {"accuracy": points[split]})
            else:
                tags = {"val/accuracy": points["validation"], "test/accuracy": points["test"]}
                write_scalars(folder / group / f"seed_{seed}", tags)
    return folder


def rounded(value: Decimal | float, decimals: int) -> Decimal:
    """Round half up, as people do."""
    return Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def spread(values: list[Decimal], ddof: int) -> Decimal:
    """Standard deviation by the standard library."""
    call = statistics.stdev if ddof else statistics.pstdev
    return Decimal(str(call([float(v) for v in values])))


def mean(values: list[Decimal]) -> Decimal:
    """Exact mean, to many digits."""
    return sum(values, Decimal(0)) / len(values)
