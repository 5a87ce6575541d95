"""What PEFT itself builds, one line an adapter and base in adapter_counts.csv.

`make_adapter_counts.py` beside this file writes the table.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from fakes import base_models

from reportgen.parameters.adapters import KINDS
from reportgen.records.quantity import Missing

with Path(__file__).with_name("adapter_counts.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
COUNTED = [row for row in ROWS if not row["refused"]]
REFUSED = [row for row in ROWS if row["refused"]]


def name_of(row):
    base, adapter = json.loads(row["base"]), json.loads(row["adapter"])
    rest = {k: v for k, v in adapter.items() if k not in {"peft_type", "task_type"}}
    return f"{base['model_type']}-{row['task']}-{adapter['peft_type']}-{json.dumps(rest)}"


def described(row):
    """Describe the adapter of one row on its base."""
    values, shapes = json.loads(row["base"]), json.loads(row["tensors"] or "{}")
    tensors = base_models.tensor_specs(shapes)
    base = base_models.base_model(values["model_type"], values, tensors)
    return base_models.described(json.loads(row["adapter"]), base)


@pytest.mark.parametrize("row", COUNTED, ids=name_of)
def test_the_count_is_pefts_own(row):
    facts = described(row)

    assert not isinstance(facts.trainable, Missing), facts.trainable.reason
    assert facts.trainable.value == int(row["trainable"])
    assert facts.ledger.scope("base_and_adapter").total == int(row["all"])


@pytest.mark.parametrize("row", REFUSED, ids=name_of)
def test_what_peft_refuses_gets_no_number(row):
    facts = described(row)

    assert isinstance(facts.trainable, Missing), row["refused"]
    assert facts.trainable.reason


def test_the_table_covers_every_kind_that_has_a_formula():
    kinds = {json.loads(row["adapter"])["peft_type"] for row in COUNTED}

    assert kinds == set(KINDS)
    assert len(COUNTED) > 800
    assert all(row["source"].startswith("peft ") for row in ROWS)
