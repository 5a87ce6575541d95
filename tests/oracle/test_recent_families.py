"""Model families of the last year, as their owners published them: exact, or refused."""

import json
from pathlib import Path

import pytest

from reportgen.parameters import describe_model, inspection, total_scope
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.run import Source

FILE = Source(path="config.json", kind="config_json", size=0, sha256="")
LINES = Path(__file__).with_name("recent_families.jsonl").read_text(encoding="utf-8").splitlines()
ROWS = {row["name"]: row for row in map(json.loads, LINES)}
LEAST_EXACT = 10


def described(row):
    config = row["config"]
    return describe_model(
        row["name"], ModelConfig(source=FILE, model_type=config["model_type"], values=config)
    )


@pytest.mark.parametrize("name", ROWS)
def test_a_total_is_that_of_the_library_or_is_refused_with_a_reason(name):
    facts = described(ROWS[name])
    scope = total_scope(facts)
    if scope is None:
        assert inspection(facts)["missing"]["total_parameters"]
    else:
        assert scope.total == ROWS[name]["total"]


def test_the_reason_is_that_of_the_class_that_is_named():
    found = inspection(described(ROWS["google/gemma-4-31B-it"]))
    assert found["missing"]["total_parameters"].startswith("vision_config is ")


def test_ten_families_of_the_last_year_are_exact():
    exact = {r["config"]["model_type"] for r in ROWS.values() if total_scope(described(r))}
    assert len(exact) >= LEAST_EXACT, sorted(exact)
