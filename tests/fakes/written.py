"""Written reports that lie beside some checkouts, their labels, and the runs they speak of."""

import csv
import json
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from fakes.event_file import write_scalars

MODELS = {"pretrained": "RoBERTa_small_fr", "random": "RoBERTa_small_fr_random"}

# Accuracy in percent after epochs 1 to 5 of each seed, facts of published lab logs: the best
# validation values with their steps and most test values are known, and the others are chosen
# among those that the published means and standard deviations allow.
VALIDATION = {
    "pretrained": ([62, 70, 79, 80.5, 81.5], [63, 71, 80, 79, 79.5], [64, 72, 81, 83.5, 82]),
    "random": ([50, 55, 60, 62, 61], [51, 65, 62, 63, 64], [50, 56, 60, 62, 63]),
}
TEST = {
    "pretrained": (
        [67.7, 74.2, 79.3, 78.8, 79.9],
        [72.0, 75.1, 78.5, 78.8, 79.5],
        [71.5, 76.8, 79.6, 80.1, 80.4],
    ),
    "random": (
        [49.1, 56.4, 64.4, 65.4, 67.5],
        [51.2, 66.7, 67.2, 61.8, 68.1],
        [53.2, 62.2, 67.8, 68.2, 67.4],
    ),
}


def write_published_logs(folder: Path, *, first_seed: int = 0) -> Path:
    """Write the six runs as fairseq does; return the folder."""
    for group, model in MODELS.items():
        for number in range(3):
            run = folder / "sentence_prediction" / "books" / f"{model}_ms8_mu3125_lr1e-05_me5"
            for split, values in (("valid", VALIDATION), ("test", TEST)):
                points = [(225 * n, v) for n, v in enumerate(values[group][number], 1)]
                place = run / str(number + first_seed) / split
                write_scalars(place, {"accuracy": points})
    return folder


@dataclass(frozen=True)
class Label:
    """A claim that a person found: where it stands, what kind it is, and what is true of it."""

    report: str
    line: int
    kind: str
    values: tuple[Decimal, ...]
    quote: str
    verdict: str

    @property
    def where(self) -> str:
        return f"{self.report}:{self.line} {self.kind} {[str(v) for v in self.values]}"


def read_labels(reports: Path, own: Path) -> list[Label]:
    """Return the labels that come with the reports, and those of `own` (labels.csv)."""
    labels = []
    for item in json.loads((reports / "claims.json").read_text(encoding="utf-8"))["claims"]:
        shown = [Decimal(str(v)) for v in item["values"] if not isinstance(v, str | bool)]
        labels.append(
            Label(
                report=item["report"],
                line=item["line"],
                kind=item["kind"],
                values=tuple(v for v in shown if _is_printed(v, item["quote"])),
                quote=item["quote"],
                verdict=item["verdict"],
            )
        )
    with own.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            try:
                values: tuple[Decimal, ...] = (Decimal(row["printed"]),)
            except InvalidOperation:
                values = _words(row["printed"])
            labels.append(
                Label(
                    report=row["report"],
                    line=int(row["line"]),
                    kind=row["kind"],
                    values=values,
                    quote=row["why"],
                    verdict=row["verdict"],
                )
            )
    return labels


def _words(text: str) -> tuple[Decimal, ...]:
    known = {"two": 2, "three": 3, "six": 6}
    return (Decimal(known[text]),) if text in known else ()


def _is_printed(value: Decimal, quote: str) -> bool:
    """Say whether a number stands in the words of a label, and is not only computed from them."""
    joined = re.sub(r"(?<=\d)[, ]+(?=\d{3})", "", quote)
    shown = {Decimal(n) for n in re.findall(r"\d+(?:\.\d+)?", joined)}
    words = {"one": 1, "two": 2, "three": 3, "six": 6}
    shown |= {Decimal(n) for word, n in words.items() if word in quote.lower().split()}
    return value in shown
