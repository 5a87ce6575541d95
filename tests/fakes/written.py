"""Written reports that lie beside some checkouts, their labels, and the runs they speak of."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from fakes.event_file import write_scalars

from reportgen.checking.numbers._numbers import find_numbers
from reportgen.records.claim import Claim, Equation, Statement
from reportgen.records.finding import Judgement

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
    """A claim that a person found: where, what kind, and how loud a finding on it must be."""

    report: str
    line: int
    kind: str
    values: tuple[Decimal, ...]
    quote: str
    verdict: str
    expected: dict[str, str]

    @property
    def where(self) -> str:
        return f"{self.report}:{self.line} {self.kind} {[str(v) for v in self.values]}"


def read_labels(reports: Path, own: Path) -> list[Label]:
    """Return the labels that come with the reports, and those of `own` (labels.csv)."""
    labels = []
    for item in json.loads((reports / "claims.json").read_text(encoding="utf-8"))["claims"]:
        shown = [Decimal(str(v)) for v in item["values"] if not isinstance(v, str | bool)]
        wanted = {k: _level(v) for k, v in item.get("expected", {}).items()}
        labels.append(
            Label(
                report=item["report"],
                line=item["line"],
                kind=item["kind"],
                values=tuple(v for v in shown if _is_printed(v, item["quote"])),
                quote=item["quote"],
                verdict=item["verdict"],
                expected={
                    "with_model" if k == "with_checkpoint" else k: v for k, v in wanted.items()
                },
            )
        )
    with own.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            try:
                values: tuple[Decimal, ...] = (Decimal(row["printed"]),)
            except InvalidOperation:
                values = _words(row["printed"])
            names = ("report_only", "with_logs", "with_model")
            labels.append(
                Label(
                    report=row["report"],
                    line=int(row["line"]),
                    kind=row["kind"],
                    values=values,
                    quote=row["why"],
                    verdict=row["verdict"],
                    expected={name: row[name] for name in names if row[name]},
                )
            )
    return labels


MEANING = {"metric_value", "best_step", "aggregate_mean", "aggregate_std", "aggregate_other"}
COUNTING = {"arch_count", "count", "hyperparameter", "lora_config", "arch_claim"}
FORMULAS = {
    "equation",
    "equation_symbolic",
    "arch_formula",
    "param_count",
    "arch_shape",
    "lora_formula",
}
SENTENCES = {
    *("comparison", "superlative", "trend", "range", "arch_claim", "lora_semantics", "provenance"),
    *("figure_claim", "claim_of_optimality", "speculation"),
}


def same_kind(label: str, claim: str) -> bool:
    """Say whether two kinds are one to a reader: a count of layers is a setting of the model."""
    families = ({label}, COUNTING, FORMULAS, SENTENCES, {"metric_value", "range"})
    return any(label in family and claim in family for family in families)


def _level(text: str) -> str:
    """Return the level that a label's expectation begins with."""
    word = re.split(r"[ :(]", text)[0]
    return {"pass": "none", "warn": "warning"}.get(word, word)


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


LEVEL_ORDER = ("none", "note", "warning", "error")
RIGHT = frozenset({"supported", "arithmetic_true", "feasible", "borderline", "unverifiable"})


@dataclass(frozen=True)
class Match:
    """What the program made of a label: the claims it may mean, and how loud they are."""

    label: Label
    found: bool
    bound: bool
    level: str


def match_labels(labels: list[Label], judgement: Judgement) -> list[Match]:
    """Hold the labels of one report against what was found in it.

    Labels of one line that show the same number are taken in the order of the claims.
    """
    levels: dict[str, int] = {}
    for finding in judgement.findings:
        loud = LEVEL_ORDER.index(finding.level)
        levels[finding.claim.id] = max(loud, levels.get(finding.claim.id, 0))
    taken: set[str] = set()
    matches = []
    for label in labels:
        others = {o.kind for o in labels if o.line == label.line} - {label.kind}
        near = [c for c in judgement.claims if c.id not in taken and _is_near(label, c)]
        if label.values:
            near = [c for c in near if label.values[0] in _numbers_of(c)]
        same_line = [c for c in near if c.place.line == label.line] or near
        exact = [c for c in same_line if c.kind == label.kind]
        family = [c for c in same_line if same_kind(label.kind, c.kind) and c.kind not in others]
        chosen = exact or family
        if label.kind in MEANING:
            chosen = chosen[:1]
            taken.update(c.id for c in chosen)
        loud = max((levels.get(c.id, 0) for c in chosen), default=0)
        matches.append(Match(label, bool(near), bool(chosen), LEVEL_ORDER[loud]))
    return matches


def _is_near(label: Label, claim: Claim) -> bool:
    """Say whether a claim stands where a label does; formulas go over several lines."""
    before = 3 if label.kind in FORMULAS else 1
    lines = label.quote.count("\n") + 1
    return label.line - before <= claim.place.line <= label.line + lines


def _numbers_of(claim: Claim) -> set[Decimal]:
    numbers = {claim.printed.value} if claim.printed else set()
    if isinstance(claim.content, Statement):
        numbers |= {amount.value for amount in claim.content.amounts}
    if isinstance(claim.content, Equation):
        numbers |= {n.value for side in claim.content.sides for n in find_numbers(side)}
    return numbers
