"""What holds of every model type in the table, by its default values."""

import re

import pytest

from reportgen.parameters import (
    describe_model,
    known_types,
    modules_of_config,
    tensors_of,
    total_scope,
)
from reportgen.records.checkpoint import Checkpoint, ModelConfig
from reportgen.records.errors import EvidenceError
from reportgen.records.facts import Facts
from reportgen.records.formula import evaluate, symbols
from reportgen.records.run import Runs, Source
from reportgen.records.study import Study
from reportgen.report import parameters

SOURCE = Source(path="config.json", kind="config_json", size=0, sha256="")
# So few of the largest models are spelled out tensor by tensor.
MOST_TENSORS = 5_000
# Types are alike in dozens: every fourth is looked at each time.
TYPES = sorted(known_types())


def config_of(model_type, **values):
    return ModelConfig(source=SOURCE, model_type=model_type, values=values)


def counted(model_type):
    """Describe a model of a type by its defaults; skip one that has none for its sizes."""
    facts = describe_model("m", config_of(model_type))
    if not facts.ledger.terms:
        reasons = [each for each in facts.problems if each.level == "warning"]
        assert all(each.remedy for each in reasons)
        assert reasons
        pytest.skip("its sizes have no defaults")
    return facts


def terms_scopes_and_tree_agree(ledger):
    counts = {term.name: term.count for term in ledger.terms}
    rows = [(depth, count or 0) for depth, _, _, count in ledger.tree]

    assert len(counts) == len(ledger.terms)
    for term in ledger.terms:
        assert evaluate(term.formula, term.values) == term.count
        assert {each.key for each in symbols(term.formula)} == set(term.values)
        assert all(ledger.symbols[key][1] == value for key, value in term.values.items())
        re.compile(term.tensors)
    for scope in ledger.scopes:
        if scope.terms:
            assert scope.total == sum(counts[name] for name in scope.terms)
    assert sum(count for depth, count in rows if depth == 1) == sum(counts.values())


def modules_are_the_tensors_of_the_terms(model):
    config = model.config
    if total_scope(model) is None:
        with pytest.raises(EvidenceError):
            modules_of_config(config, "")
        return
    tensors = tuple(tensors_of(modules_of_config(config, "")))
    if len(tensors) > MOST_TENSORS:
        return
    stored = describe_model("m", config, Checkpoint(source=SOURCE, tensors=tensors))

    odd = {row.term.name: row.explanation for row in stored.rows if row.term.role == "unexpected"}
    assert odd == {}
    assert {
        row.term.name: row.explanation
        for row in stored.rows
        if row.difference and row.stored and row.term.role != "uncounted"
    } == {}


def it_is_written(model):
    facts = Facts(study=Study(), runs=Runs(root="", runs=()), groups=(), model=model)

    assert parameters.build_ledger(facts).blocks
    assert parameters.build(facts).blocks


@pytest.mark.slow
@pytest.mark.parametrize(
    "model_type",
    [
        pytest.param(name, marks=pytest.mark.wide if place % 4 else ())
        for place, name in enumerate(TYPES)
    ],
)
def test_what_holds_of_every_model_type(model_type):
    model = counted(model_type)
    terms_scopes_and_tree_agree(model.ledger)
    modules_are_the_tensors_of_the_terms(model)
    it_is_written(model)
