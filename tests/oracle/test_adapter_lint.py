"""What PEFT does with odd configurations, one a line in adapter_lint.csv, is what the lint says.

`tools/oracles/adapter_lint.py` writes the table. A line without a key is one that
nobody may be accused for.
"""

import csv
import json
import re
from pathlib import Path

import pytest
from fakes import base_models

from reportgen.records.quantity import Missing, Quantity

with Path(__file__).with_name("adapter_lint.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


def name_of(row):
    return f"{row['key'] or 'legal'}-{row['adapter']}"


def described(row):
    base = json.loads(row["base"])
    model = base_models.base_model(base["model_type"], base)
    return base_models.described(json.loads(row["adapter"]), model)


def names(key, message):
    return re.search(rf"\b{key}\b", message) is not None


def refused(row):
    return row["loading"].startswith("raises") or row["building"].startswith("raises")


LEGAL = [row for row in ROWS if not row["key"]]
REFUSED = [row for row in ROWS if row["key"] and refused(row)]
TAKEN = [row for row in ROWS if row["key"] and not refused(row)]


@pytest.mark.parametrize("row", LEGAL, ids=name_of)
def test_nobody_is_accused_of_what_peft_accepts(row):
    assert not refused(row)
    assert [p.message for p in described(row).lint if p.level == "warning"] == []


@pytest.mark.parametrize("row", REFUSED, ids=name_of)
def test_what_peft_refuses_is_a_warning_that_names_the_key(row):
    facts = described(row)
    said = [p.message for p in facts.lint if p.level == "warning"]
    assert any(names(row["key"], message) for message in said), said
    assert any("PEFT refuses" in message for message in said) or isinstance(
        facts.trainable, Missing
    )


@pytest.mark.parametrize("row", TAKEN, ids=name_of)
def test_what_peft_takes_is_a_note_or_named_as_ignored(row):
    facts = described(row)
    remarks = [p for p in facts.lint if names(row["key"], p.message)]
    assert isinstance(facts.trainable, Quantity)
    assert remarks, facts.lint
    for remark in remarks:
        if remark.level == "warning":
            assert "PEFT ignores it" in remark.message
        else:
            assert "PEFT accepts it" in remark.message or "is not set" in remark.message
    # What PEFT itself warns of is never less than a warning here.
    if "warns" in row["loading"] or "warns" in row["building"]:
        assert any(remark.level == "warning" for remark in remarks)


def test_every_outcome_is_in_the_table():
    assert (len(LEGAL) > 20, len(REFUSED) > 30, len(TAKEN) > 15) == (True, True, True)
