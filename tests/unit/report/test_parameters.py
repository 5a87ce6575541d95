"""The sections on architecture and parameters: every number traced, every sum right."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from reportgen.parameters import describe_model
from reportgen.read.weights import read_evidence
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.document import (
    Cite,
    Code,
    EquationGroup,
    Number,
    Paragraph,
    Report,
    Table,
    inlines,
    numbers,
    texts,
    walk,
)
from reportgen.records.facts import Facts
from reportgen.records.quantity import Quantity
from reportgen.records.run import Runs, Source
from reportgen.records.study import Study
from reportgen.report import _parameter_scopes, architecture, parameters
from reportgen.report._bibliography import WORKS

FAMILIES = ("roberta", "bert", "distilbert", "gpt2", "bloom", "llama", "gemma", "qwen2")


def facts(model=None):
    return Facts(study=Study(), runs=Runs(root="", runs=()), groups=(), model=model)


def of_type(section, kind):
    return [block for block in walk(section.blocks) if isinstance(block, kind)]


def table(section, name):
    return next(block for block in of_type(section, Table) if block.id == name)


def words(section):
    paragraphs = of_type(section, Paragraph)
    return " ".join(n for p in paragraphs for n in inlines(p.text) if isinstance(n, str))


@pytest.fixture
def lab_model(lab):
    config = read_evidence(lab / "model" / "config.json", "model/config.json")
    checkpoint = read_evidence(lab / "model" / "tensors.json", "model/tensors.json")
    return describe_model("RoBERTa small", config, checkpoint)


@pytest.fixture
def family_model():
    source = Source(path="config.json", kind="config_json", size=0, sha256="")

    def make(model_type):
        config = ModelConfig(source=source, model_type=model_type, values={"vocab_size": 1000})
        return describe_model(model_type, config)

    return make


@pytest.mark.parametrize("plugin", [architecture, parameters])
def test_without_a_model_one_paragraph_says_what_to_do(plugin):
    section = plugin.build(facts())

    assert len(section.blocks) == 1
    assert "No model configuration was found" in words(section)


@pytest.mark.parametrize("plugin", [architecture, parameters])
def test_an_unknown_family_is_said(plugin, lab_model):
    config = replace(lab_model.config, model_type="mixformer")
    section = plugin.build(facts(describe_model("phi", config)))

    assert len(section.blocks) == 1


def test_an_unknown_family_is_counted_only_where_tensors_are(lab_model):
    config = replace(lab_model.config, model_type="mixformer")
    alone = architecture.build(facts(describe_model("phi", config)))
    assert words(alone).endswith("for which no description is known.")
    stored = architecture.build(facts(describe_model("phi", config, lab_model.checkpoint)))
    assert "its checkpoint stores" in words(stored)
    (number,) = numbers(Report(title="", sections=(stored,)))
    assert number.quantity.value == lab_model.checkpoint.total


def test_numbers_without_a_formula_are_traced_to_the_checkpoint(lab_model):
    config = replace(lab_model.config, model_type="mixformer")
    section = parameters.build(facts(describe_model("phi", config, lab_model.checkpoint)))

    text = words(section)
    assert "Every kind of tensor has a formula" not in text
    assert "No formula gives these numbers: model type 'mixformer'" in text
    assert table(section, "table.ledger").caption[0].startswith("Stored numbers by role.")
    paths = {
        source.path
        for number in numbers(Report(title="", sections=(section,)))
        for source in number.quantity.sources
    }
    assert paths == {lab_model.checkpoint.source.path}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("plugin", [architecture, parameters])
def test_every_family_is_written_and_every_number_traced(plugin, family, family_model):
    section = plugin.build(facts(family_model(family)))
    printed = list(numbers(Report(title="", sections=(section,))))

    assert len({number.id for number in printed}) == len(printed) > 5
    for number in printed:
        assert isinstance(number.quantity, Quantity), number.id
        assert number.quantity.method
        assert number.quantity.sources, number.id
    for block in of_type(section, Table):
        assert {len(row.cells) for row in block.rows} == {len(block.columns)}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_last_equation_gives_the_scope_without_heads(family, family_model):
    model = family_model(family)
    section = parameters.build(facts(model))
    groups = {group.id: group for group in of_type(section, EquationGroup)}
    names = ("encoder_hf", "encoder", "body")
    scope = next(found for name in names if (found := model.ledger.scope(name)))

    total = groups["eq.group.total"].equations[-1].result
    assert total == scope.total


def test_the_lab_has_the_published_equations(lab_model):
    section = parameters.build(facts(lab_model))
    results = {e.id: e.result for group in of_type(section, EquationGroup) for e in group.equations}

    assert results == {
        "eq.embeddings": 16_517_120,
        "eq.layer.attention": 1_048_576,
        "eq.layer.ffn": 524_288,
        "eq.layer.rest": 5_120,
        "eq.total": 22_829_056,
        "eq.head": 263_682,
        "eq.lm_head": 295_680,
    }


def test_the_ledger_adds_up_with_no_difference(lab_model):
    rows = table(parameters.build(facts(lab_model)), "table.ledger").rows
    counts, stored, difference = (
        [row.cells[column][0].quantity.value for row in rows] for column in (2, 3, 4)
    )

    assert rows[-1].kind == "total"
    assert counts[-1] == sum(counts[:-1]) == stored[-1] == sum(stored[:-1]) == 23_388_418
    assert set(difference) == {0}


def test_what_the_checkpoint_lacks_is_named_beside_the_table(lab_model):
    text = words(parameters.build(facts(lab_model)))

    assert "fairseq stores no token-type row" in text
    assert "pooler" in text


def test_a_difference_is_explained_under_the_table(lab_model):
    gone = "encoder.sentence_encoder.layers.2.fc1.weight"
    checkpoint = replace(
        lab_model.checkpoint,
        tensors=tuple(t for t in lab_model.checkpoint.tensors if t.name != gone),
    )
    model = describe_model("lab", lab_model.config, checkpoint)
    found = table(parameters.build(facts(model)), "table.ledger")

    assert any(f"missing: {gone}" in note[0] for note in found.notes)
    differences = [row.cells[4][0] for row in found.rows]
    assert [n.quantity.value for n in differences if n.style == "signed"] == [-262_144, -262_144]


def test_the_scopes_are_all_there_and_explained(lab_model):
    section = parameters.build(facts(lab_model))
    rows = table(section, "table.scopes").rows

    assert {row.cells[2][0].quantity.value for row in rows} >= {
        22_807_552,
        22_829_056,
        23_092_738,
        23_124_736,
        23_388_418,
    }
    assert set(_parameter_scopes.ADVICE) >= {scope.name for scope in lab_model.ledger.scopes}


def test_the_tree_shows_depth_and_counts(lab_model):
    rows = table(architecture.build(facts(lab_model)), "table.architecture").rows
    depths = [row.cells[0][0].depth for row in rows]

    assert depths[0] == 0
    assert all(deeper - higher <= 1 for higher, deeper in itertools.pairwise(depths))
    layer = next(row for row in rows if row.cells[0][1] == "One layer")
    assert layer.cells[2][0].quantity.value == 1_577_984


def test_only_known_works_are_cited(lab_model):
    cited = {
        node.key
        for block in walk(architecture.build(facts(lab_model)).blocks)
        for text in texts(block)
        for node in inlines(text)
        if isinstance(node, Cite)
    }

    assert cited == {"roberta"}
    assert cited <= {work.key for work in WORKS}


def test_a_size_points_at_its_key(lab_model):
    section = parameters.build(facts(lab_model))
    rows = table(section, "table.symbols").rows
    sources = {
        node.id: node.quantity.sources[0]
        for row in rows
        for node in row.cells[2]
        if isinstance(node, Number)
    }

    assert sources["parameters.symbol.d"].tag == "hidden_size"
    assert sources["parameters.symbol.d"].value == 512
    assert sources["parameters.symbol.C"].tag == "num_labels"


def test_a_hugging_face_roberta_is_described_with_its_token_types(family_model):
    model = family_model("roberta")
    section = parameters.build(facts(model))

    total = next(
        e for g in of_type(section, EquationGroup) for e in g.equations if e.id == "eq.total"
    )
    assert total.result == model.ledger.scope("encoder_hf").total
    advised = {n.text for n in inlines(of_type(section, Paragraph)[-1].text) if isinstance(n, Code)}
    assert "encoder_with_head_hf" in advised
    assert not advised & {"encoder", "encoder_with_head", "encoder_with_lm_head", "all"}
    labels = [row.cells[1][0] for row in table(section, "table.scopes").rows]
    assert not any("fairseq prints" in label for label in labels)
    assert sum(label.endswith("as fairseq would store it") for label in labels) == 4


def test_a_fairseq_checkpoint_keeps_the_scopes_of_fairseq(lab_model):
    section = parameters.build(facts(lab_model))

    total = next(
        e for g in of_type(section, EquationGroup) for e in g.equations if e.id == "eq.total"
    )
    assert total.result == lab_model.ledger.scope("encoder").total
    labels = [row.cells[1][0] for row in table(section, "table.scopes").rows]
    assert any("token types" in str(label) for label in labels)


def test_a_symbol_of_no_printed_formula_is_not_listed(lab_model, family_model):
    def listed(model):
        rows = table(parameters.build(facts(model)), "table.symbols").rows
        return {row.cells[0][0].expression.key for row in rows}

    assert "T" in listed(family_model("roberta"))
    assert "T" not in listed(lab_model)
    assert {"V", "P", "d", "d_ff", "L", "C"} <= listed(lab_model)


def test_a_model_without_a_name_is_called_the_model(lab_model):
    section = architecture.build(facts(replace(lab_model, name="")))

    assert words(section).startswith("The model is a RoBERTa model")
