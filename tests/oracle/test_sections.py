"""What the report says of every configuration that the oracle counts."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from reportgen.parameters import describe_adapter, describe_model, total_scope
from reportgen.records.checkpoint import AdapterConfig, ModelConfig
from reportgen.records.document import (
    EquationGroup,
    Paragraph,
    Report,
    Table,
    inlines,
    numbers,
    walk,
)
from reportgen.records.facts import Facts
from reportgen.records.formula import symbols
from reportgen.records.quantity import Quantity
from reportgen.records.run import Runs, Source
from reportgen.records.study import Study
from reportgen.report import _parameter_scopes, architecture, lora, parameters

with (Path(__file__).parent / "param_counts.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
FILE = Source(path="config.json", kind="config_json", size=0, sha256="")
SIDE_BY_SIDE = " and beside it, on the same input, "


TYPES = sorted({row["model_type"] for row in ROWS})


def rows_of(model_type):
    """Yield every model of a type with the name of the scope that was counted, and the count."""
    for row in (row for row in ROWS if row["model_type"] == model_type):
        values = json.loads(row["config"])
        if row["class"]:
            values["architectures"] = [row["class"]]
        model = described(model_type, **values)
        yield model, total_scope(model).name if row["class"] else row["scope"], int(row["count"])


def models(model_type):
    """Yield a model for every configuration of a type."""
    texts = dict.fromkeys(row["config"] for row in ROWS if row["model_type"] == model_type)
    return [described(model_type, **json.loads(text)) for text in texts]


def described(model_type, **values):
    config = ModelConfig(source=FILE, model_type=model_type, values=values)
    return describe_model("the model", config)


def facts(model, *adapters):
    runs = Runs(root="", runs=())
    return Facts(study=Study(), runs=runs, groups=(), model=model, adapters=adapters)


def prose(section):
    """The words of all paragraphs, numbers as digits."""
    return " ".join(
        "".join(
            node if isinstance(node, str) else str(getattr(node, "text", value_of(node)))
            for node in inlines(block.text)
        )
        for block in walk(section.blocks)
        if isinstance(block, Paragraph)
    )


def value_of(node):
    return getattr(getattr(node, "quantity", None), "value", "")


@pytest.mark.parametrize("model_type", TYPES)
def test_every_configuration_is_written_with_every_number_traced(model_type):
    for model, scope, count in rows_of(model_type):
        sections = [plugin.build(facts(model)) for plugin in (architecture, parameters)]
        printed = {n.id: n for n in numbers(Report(title="", sections=tuple(sections)))}
        for number in printed.values():
            assert isinstance(number.quantity, Quantity), number.id
            assert number.quantity.method
            assert number.quantity.sources, number.id
        assert printed[f"parameters.scope.{scope}"].quantity.value == count


@pytest.mark.parametrize("model_type", TYPES)
def test_an_adapter_on_every_configuration_is_written(model_type):
    values = {"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": "all-linear"}
    values |= {"lora_dropout": 0.0, "bias": "none", "task_type": "SEQ_CLS"}
    config = AdapterConfig(source=FILE, peft_type="LORA", values=values)
    for model in models(model_type):
        adapter = describe_adapter("adapter", config, model)
        section = lora.build(facts(model, adapter))

        for number in numbers(Report(title="", sections=(section,))):
            if isinstance(number.quantity, Quantity):
                assert number.quantity.sources, number.id
            else:
                assert number.quantity.reason, number.id


@pytest.mark.parametrize("model_type", TYPES)
def test_a_family_that_is_counted_is_not_called_unknown(model_type):
    for model in models(model_type):
        said = prose(architecture.build(facts(model)))

        assert "no description is known" not in said
        assert said.endswith(".")


@pytest.mark.parametrize(
    ("model_type", "values", "beside"),
    [
        ("gpt_neox", {}, True),
        ("gpt_neox", {"use_parallel_residual": False}, False),
        ("falcon", {}, True),
        ("falcon", {"parallel_attn": False}, False),
        ("phi", {}, True),
        ("phi3", {}, False),
        ("llama", {}, False),
        ("bloom", {}, False),
    ],
)
def test_attention_and_network_side_by_side_are_not_called_one_after_the_other(
    model_type, values, beside
):
    said = prose(architecture.build(facts(described(model_type, **values))))

    assert (SIDE_BY_SIDE in said) == beside
    assert (" and then " in said) == (not beside)


def test_experts_are_said():
    said = prose(architecture.build(facts(described("mixtral", num_experts_per_tok=2))))
    assert "32 identical layers and width 4096. A layer applies multi-head self-attention" in said
    assert "a mixture of 8 experts of inner width 14336, of which a token passes through 2" in said

    mixed = described("qwen2_moe", mlp_only_layers=[0], num_hidden_layers=4)
    said = prose(architecture.build(facts(mixed)))
    assert "identical" not in said
    assert "beside a shared expert of inner width 5632; in 1 of the layers it is a feed" in said


def test_a_model_with_two_sides_is_said_with_both():
    said = prose(architecture.build(facts(described("t5", num_decoder_layers=2, num_heads=8))))
    assert "is a T5 model : a Transformer with an encoder of 6 layers and a decoder" in said
    assert "decoder of 2 layers, of width 512. A layer applies multi-head" in said
    cross = "(in the decoder also attention to the encoder's output)"
    assert f"self-attention with 8 heads {cross} and then a feed-forward network" in said

    said = prose(architecture.build(facts(described("mbart", decoder_ffn_dim=20))))
    assert " is an mBART model " in said
    assert "inner width 4096 in the encoder and 20 in the decoder. The vocabulary" in said
    assert said.endswith("entries, each position table 1026 rows.")


@pytest.mark.parametrize(("encoder", "decoder", "said"), [(4, 4, True), (4, 2, False)])
def test_heads_are_said_where_both_sides_have_as_many(encoder, decoder, said):
    model = described("bart", encoder_attention_heads=encoder, decoder_attention_heads=decoder)
    assert (" heads" in prose(architecture.build(facts(model)))) is said


def test_the_heads_of_an_encoder_alone_are_said_in_the_keys_of_fairseq():
    sizes = {"encoder_embed_dim": 16, "encoder_layers": 2, "encoder_ffn_embed_dim": 8}
    sizes |= {"encoder_attention_heads": 4, "max_positions": 6, "vocab_size": 11}
    assert " with 4 heads and then " in prose(
        architecture.build(facts(described("roberta_small", **sizes)))
    )


def test_shared_layers_patches_and_convolutions_are_said():
    said = prose(architecture.build(facts(described("albert", num_hidden_layers=12))))
    assert "a Transformer encoder of 12 layers that share their weights, of width" in said
    assert "identical" not in said

    said = prose(architecture.build(facts(described("vit"))))
    assert "a Transformer encoder of 12 identical layers and width 768." in said
    assert said.endswith("An image is cut into square patches with sides of 16 pixels.")

    beside = "Beside the first layer stands a convolution of width 3. The vocabulary"
    said = prose(architecture.build(facts(described("deberta-v2", conv_kernel_size=3))))
    assert beside in said
    said = prose(architecture.build(facts(described("deberta-v2"))))
    assert "convolution" not in said


@pytest.mark.parametrize("model_type", TYPES)
def test_the_equations_of_every_configuration_end_in_its_total_without_heads(model_type):
    for model in models(model_type):
        if model.ledger.scope("active"):
            continue
        section = parameters.build(facts(model))
        found = {
            e.id: e for b in section.blocks if isinstance(b, EquationGroup) for e in b.equations
        }
        bare = ("encoder_hf", "encoder", "body", "backbone", "model")
        scope = next(s for name in bare if (s := model.ledger.scope(name)))

        assert found["eq.total"].result == scope.total, model.config.values
        for symbol in symbols(found["eq.total"].right):
            own = [e.result for e in found.values() if e.left.key == symbol.key]
            assert own in ([found["eq.total"].values[symbol.key]], []), symbol.key
        layers = [count for _, title, _, count in model.ledger.tree if title == "One layer"]
        inner = [e for e in found.values() if e.id.endswith((".attention", ".ffn", ".rest"))]
        stems = dict.fromkeys(e.id.rpartition(".")[0] for e in inner)
        own = [sum(e.result for e in inner if e.id.startswith(f"{stem}.")) for stem in stems]
        assert own == layers, model.config.values


def test_a_layer_without_biases_is_not_said_to_have_them():
    words = prose(parameters.build(facts(described("t5"))))
    assert "One layer of the encoder holds these weights and norms:" in words
    assert "One layer of the decoder holds these weights and norms:" in words
    words = prose(parameters.build(facts(described("bart"))))
    assert "One layer of the encoder holds these weights, biases and norms:" in words


def test_a_mixture_has_no_equations():
    blocks = parameters.build(facts(described("mixtral", num_experts_per_tok=2))).blocks
    assert [b for b in blocks if isinstance(b, EquationGroup)] == []


def test_sizes_that_cannot_be_read_do_not_make_a_family_unknown():
    said = prose(architecture.build(facts(described("bert", hidden_size="wide"))))

    assert "no description" not in said
    assert "whose sizes could not be read (hidden_size in config.json is 'wide'" in said


def test_a_mixture_is_advised_like_a_language_model():
    section = parameters.build(facts(described("mixtral", num_experts_per_tok=2)))
    said = prose(section)

    assert "all for the size of the language model" in said
    assert "active for what one token passes through" in said
    (scopes,) = (b for b in section.blocks if isinstance(b, Table) and b.id == "table.scopes")
    assert {row.cells[0][0].text for row in scopes.rows} <= set(_parameter_scopes.ADVICE)


@pytest.mark.parametrize("model_type", TYPES)
def test_every_branch_of_a_tree_has_a_title_for_people(model_type):
    for model in models(model_type):
        assert [title for _, title, *_ in model.ledger.tree[1:] if not title[0].isupper()] == []
