"""Counts that others published, one line a model and scope in param_counts.csv."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from reportgen.ledger import describe_model
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.run import Source

with Path(__file__).with_name("param_counts.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))

# Published models as they lie beside the checkout on some machines: folder, model type, total.
REAL = (
    ("count-bloom", "bloom", 176_247_271_424),
    ("count-gemma2b", "gemma", 2_506_172_416),
    ("count-llama32-3b", "llama", 3_212_749_824),
)


@pytest.mark.parametrize("row", ROWS, ids=[f"{r['model']}-{r['scope']}" for r in ROWS])
def test_a_published_count_is_met(row):
    config = ModelConfig(
        source=Source(path="config.json", kind="config_json", size=0, sha256=""),
        model_type=row["model_type"],
        values=json.loads(row["config"]),
    )

    scope = describe_model(row["model"], config).ledger.scope(row["scope"])

    assert scope.total == int(row["count"]), row["source"]


def test_every_line_names_its_source():
    assert len(ROWS) > 35
    assert all(row["source"] for row in ROWS)


@pytest.mark.parametrize(("folder", "model_type", "total"), REAL)
def test_a_real_configuration_is_counted(folder, model_type, total, realdata):
    from reportgen.checkpoints._read import read_evidence

    config = read_evidence(realdata / folder / "config.json", "config.json")

    assert config.model_type == model_type
    assert describe_model(folder, config).ledger.scope("all").total == total


@pytest.mark.parametrize(("folder", "family"), [(f, m) for f, m, _ in REAL])
def test_every_stored_name_belongs_to_exactly_one_term(folder, family, realdata):
    import re

    from reportgen.checkpoints._read import read_evidence

    index = (realdata / folder / "model.safetensors.index.json").read_text(encoding="utf-8")
    # BLOOM's index is followed by a second JSON value; only the first is the index.
    names = json.JSONDecoder().raw_decode(index)[0]["weight_map"]
    config = read_evidence(realdata / folder / "config.json", "config.json")
    terms = describe_model(family, config).ledger.terms

    hits = {name: sum(bool(re.fullmatch(t.tensors, name)) for t in terms) for name in names}

    assert {name for name, count in hits.items() if count != 1} == set()
