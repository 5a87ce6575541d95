"""Counts from outside: what the models themselves hold, and what others published.

`tools/oracles/param_counts.py` writes the table and the lists of tensors; nothing here needs torch.
"""

import csv
import json
import math
import re
from pathlib import Path

import pytest
from fakes.rows import rows_beside

from reportgen.parameters import (
    count_config,
    describe_model,
    modules_of_config,
    reconcile,
    tensors_of,
    total_scope,
)
from reportgen.read.weights import read_evidence
from reportgen.records.checkpoint import Checkpoint, ModelConfig, TensorSpec
from reportgen.records.run import Source

TABLES = rows_beside(__file__)
HERE = Path(__file__).parent
with (HERE / "param_counts.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
TINY = sorted((HERE / "tensors").glob("*.json"))
"""Lists of tensors, each with the configuration that they are of."""
# Published models as they lie beside the checkout on some machines: folder, model type,
# total, index of the shards.
REAL = TABLES["real"]


def configuration(model_type, values):
    source = Source(path="config.json", kind="config_json", size=0, sha256="")
    return ModelConfig(source=source, model_type=model_type, values=values)


def checkpoint_of(case):
    source = Source(path="model.safetensors", kind="safetensors", size=0, sha256="")
    tensors = tuple(
        TensorSpec(name=name, shape=tuple(shape), shares=shares)
        for name, shape, shares in case["tensors"]
    )
    return Checkpoint(source=source, tensors=tensors)


def total_of(row):
    """What a row's model has: of the class that it names, or of the scope that it names."""
    values = json.loads(row["config"])
    if row["class"]:
        values["architectures"] = [row["class"]]
    facts = describe_model(row["model"], configuration(row["model_type"], values))
    scope = total_scope(facts) if row["class"] else facts.ledger.scope(row["scope"])
    return scope and scope.total


@pytest.mark.parametrize("model_type", sorted({row["model_type"] for row in ROWS}))
def test_every_count_of_a_model_type_is_met(model_type):
    rows = [row for row in ROWS if row["model_type"] == model_type]
    wrong = [
        (row["model"], row["class"] or row["scope"], row["count"], found)
        for row in rows
        if (found := total_of(row)) != int(row["count"])
    ]
    assert wrong == []


def test_every_row_names_its_source():
    assert len(ROWS) > 300
    assert all(row["source"] for row in ROWS)
    assert all(bool(row["class"]) == row["source"].startswith("transformers ") for row in ROWS)


def config_of(case):
    return configuration(case["model_type"], case["config"] | {"architectures": [case["class"]]})


def each_tensor_belongs_to_one_term_and_nothing_is_left(case):
    facts = describe_model("tiny", config_of(case))
    hits = {
        name: [term.name for term in facts.ledger.terms if re.fullmatch(term.tensors, name)]
        for name, _, _ in case["tensors"]
    }
    assert {name: terms for name, terms in hits.items() if len(terms) != 1} == {}

    scope = total_scope(facts)
    rows = reconcile(facts.ledger, checkpoint_of(case))
    inside = [row for row in rows if row.term.name in scope.terms]
    assert {row.term.name: row.difference for row in inside if row.difference} == {}
    assert sum(row.stored for row in rows) == scope.total


def modules_are_those_of_the_model(case):
    modules = modules_of_config(config_of(case), "")

    linear = sorted(
        [m.name, m.in_features, m.out_features, m.bias]
        for m in modules
        if m.kind in {"linear", "conv1d"}
    )
    assert linear == sorted(case["linear"])
    own = {t.name: t.count for t in tensors_of(modules) if not t.shares}
    listed = {t.name: t.count for t in checkpoint_of(case).tensors if not t.shares}
    twice = {n for n in own if n not in listed} | {n for n in listed if n not in own}
    assert sum(own.values()) == sum(listed.values())
    assert all(name.endswith("bias") for name in twice)


def weights_are_matrices_without_biases_and_norms(case):
    if case["scope"] not in {"model", "body", "encoder"}:
        return  # of the bare model alone: heads are no part of it
    matrices = sum(
        math.prod(shape)
        for name, shape, shares in case["tensors"]
        if len(shape) > 1 and not shares and not name.endswith("bias") and "pooler" not in name
    )
    assert describe_model("tiny", config_of(case)).ledger.scope("weights").total == matrices


def without_a_formula_the_tensors_are_grouped_and_that_is_said(case):
    facts = describe_model("tiny", configuration("unheard-of", {}), checkpoint_of(case))

    assert facts.ledger.family == ""
    assert facts.ledger.scope("all").total == checkpoint_of(case).total
    assert {row.difference for row in facts.rows} == {0}
    assert "no formula is known" in facts.problems[0].message


@pytest.mark.parametrize("path", TINY, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "holds",
    [
        each_tensor_belongs_to_one_term_and_nothing_is_left,
        modules_are_those_of_the_model,
        weights_are_matrices_without_biases_and_norms,
        without_a_formula_the_tensors_are_grouped_and_that_is_said,
    ],
)
def test_of_the_tensors_of_a_model(holds, path):
    for case in json.loads(path.read_text(encoding="utf-8")):
        try:
            holds(case)
        except AssertionError as error:
            error.add_note(f"{case['model']}, {case['class']}")
            raise


@pytest.mark.parametrize(("folder", "model_type", "total", "index"), REAL)
def test_a_real_configuration_is_counted(folder, model_type, total, index, realdata):
    config = read_evidence(realdata / folder / "config.json", "config.json")
    assert config.model_type == model_type
    ledger = count_config(config).ledger
    assert ledger.scope("all").total == total
    text = (realdata / folder / index).read_text(encoding="utf-8")
    # BLOOM's index is followed by a second JSON value; only the first is the index.
    names = json.JSONDecoder().raw_decode(text)[0]["weight_map"]
    hits = {n: sum(bool(re.fullmatch(t.tensors, n)) for t in ledger.terms) for n in names}
    assert {name for name, count in hits.items() if count != 1} == set()


def test_bloom_says_its_embeddings_apart(realdata):
    config = read_evidence(realdata / "count-bloom" / "config.json", "config.json")
    terms = {term.name: term.count for term in count_config(config).ledger.terms}
    assert terms["embeddings.word"] == 3_596_615_680


@pytest.mark.parametrize(("name", "model"), TABLES["configurations_of_deberta_are_read"])
def test_configurations_of_deberta_are_read(name, model, realdata):
    folder = realdata / "count-deberta" / "experiments" / "language_model"
    values = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    config = values.get("discriminator", values) | {"architectures": ["DebertaV2Model"]}
    row = next(r for r in ROWS if r["model"] == model and r["class"] == "DebertaV2Model")
    assert total_of(row | {"config": json.dumps(config)}) == int(row["count"])
