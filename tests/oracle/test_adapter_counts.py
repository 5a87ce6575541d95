"""What PEFT itself builds, one line an adapter and base in adapter_counts.csv.

`tools/oracles/adapter_counts.py` writes the table.
"""

import csv
import json
from pathlib import Path

import pytest
from fakes import base_models

from reportgen.parameters.adapters import KINDS
from reportgen.records.quantity import Missing

with Path(__file__).with_name("adapter_counts.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
COUNTED: dict[str, list[dict[str, str]]] = {}
REFUSED: dict[str, list[dict[str, str]]] = {}
for each in ROWS:
    kind = json.loads(each["adapter"])["peft_type"]
    (REFUSED if each["refused"] else COUNTED).setdefault(kind, []).append(each)


def described(row):
    """Describe the adapter of one row on its base."""
    values, shapes = json.loads(row["base"]), json.loads(row["tensors"] or "{}")
    tensors = base_models.tensor_specs(shapes)
    base = base_models.base_model(values["model_type"], values, tensors)
    return base_models.described(json.loads(row["adapter"]), base)


@pytest.mark.parametrize("rows", ["third", pytest.param("others", marks=pytest.mark.wide)])
@pytest.mark.parametrize("kind", COUNTED)
def test_the_count_is_pefts_own(kind, rows):
    """Rows are drawn by chance, or near each other: every third shows what all of them show."""
    for place, row in enumerate(COUNTED[kind]):
        if (len(COUNTED[kind]) > 20 and place % 3 > 0) != (rows == "others"):
            continue
        facts = described(row)
        assert not isinstance(facts.trainable, Missing), (row, facts.trainable.reason)
        assert facts.trainable.value == int(row["trainable"]), row
        assert facts.ledger.scope("base_and_adapter").total == int(row["all"]), row


@pytest.mark.parametrize("kind", REFUSED)
def test_what_peft_refuses_gets_no_number(kind):
    for row in REFUSED[kind]:
        facts = described(row)
        assert isinstance(facts.trainable, Missing), row
        assert facts.trainable.reason


def test_the_table_covers_every_kind_that_has_a_formula():
    assert set(COUNTED) == set(KINDS), "tools/oracles/adapter_counts.py KIND writes its rows"
    assert sum(map(len, COUNTED.values())) > 800
    assert all(row["source"].startswith("peft ") for row in ROWS)
