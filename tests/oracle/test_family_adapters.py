"""LoRA on models of the table: what PEFT trains, counted or refused, and never another number."""

import csv
import json
from functools import cache
from pathlib import Path

import pytest
from fakes.base_models import base_model, described

from reportgen.parameters import known_types
from reportgen.records.quantity import Quantity

with (Path(__file__).parent / "family_adapters.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
TYPES = sorted({row["model_type"] for row in ROWS} & known_types())


@cache
def counted(number):
    """What the adapter of a row trains, None where it is refused."""
    row = ROWS[number]
    values = json.loads(row["config"]) | {"architectures": [row["class"]]}
    trained = described(json.loads(row["adapter"]), base_model(row["model_type"], values)).trainable
    return int(trained.value) if isinstance(trained, Quantity) else None


@pytest.mark.parametrize("model_type", TYPES)
def test_what_peft_trains_is_counted_or_refused(model_type):
    wrong = []
    for number, row in enumerate(ROWS):
        found = counted(number) if row["model_type"] == model_type else None
        if found is not None and str(found) != row["trainable"]:
            wrong.append((row["class"], row["adapter"], row["trainable"], found))
    assert wrong == []


def test_few_are_refused_that_peft_trains():
    rows = [n for n, row in enumerate(ROWS) if row["model_type"] in TYPES and row["trainable"]]
    refused = [number for number in rows if counted(number) is None]
    assert len(rows) > 100
    assert len(refused) <= 0.1 * len(rows)
