"""LoRA on models of the table: what PEFT trains, counted or refused, and never another number."""

import csv
import json
from pathlib import Path

from fakes.base_models import base_model, described

from reportgen.parameters import known_types
from reportgen.records.quantity import Quantity

with (Path(__file__).parent / "family_adapters.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
TYPES = {row["model_type"] for row in ROWS} & known_types()


def counted(row):
    """What the adapter of a row trains, None where it is refused."""
    values = json.loads(row["config"]) | {"architectures": [row["class"]]}
    trained = described(json.loads(row["adapter"]), base_model(row["model_type"], values)).trainable
    return int(trained.value) if isinstance(trained, Quantity) else None


def test_what_peft_trains_is_counted_and_little_of_it_refused():
    found = [(row, counted(row)) for row in ROWS if row["model_type"] in TYPES]
    wrong = [
        (row["class"], row["adapter"], row["trainable"], count)
        for row, count in found
        if count is not None and str(count) != row["trainable"]
    ]
    trained = [count for row, count in found if row["trainable"]]
    assert wrong == []
    assert len(trained) > 100
    assert trained.count(None) <= 0.1 * len(trained)
