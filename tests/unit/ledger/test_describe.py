"""From files to facts, and to the JSON of `inspect`."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from reportgen.ledger import describe_adapter, describe_model, formula_text, inspection, total_scope
from reportgen.read.weights import read_adapter_tensors, read_evidence
from reportgen.records.checkpoint import AdapterConfig, ModelConfig
from reportgen.records.formula import Difference, Root, Symbol
from reportgen.records.quantity import Missing
from reportgen.records.run import Source


@pytest.fixture
def bloom(config):
    values = {"model_type": "bloom", "n_embed": 1024, "n_layer": 24, "num_attention_heads": 16}
    return describe_model(
        "BLOOM-560m", ModelConfig(source=config.source, model_type="bloom", values=values)
    )


def test_a_configuration_alone_is_counted(config):
    found = inspection(describe_model("lab", config))

    assert (found["kind"], found["family"]) == ("config", "roberta")
    assert (found["total_scope"], found["total_parameters"]) == ("encoder", 22_829_056)
    assert found["scopes"]["weights"] == 22_807_552
    assert sum(t["count"] for t in found["terms"] if t["role"] == "position") == 132_096
    assert found["problems"] == []
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    ("named", "scope"),
    [
        ("RobertaForSequenceClassification", "encoder_with_head_hf"),
        ("RobertaForMaskedLM", "encoder_with_lm_head_hf"),
        ("RobertaModel", "model_hf"),
        ("RobertaForTokenClassification", "encoder_with_token_head_hf"),
    ],
)
def test_the_class_that_a_configuration_names_decides_the_total(named, scope, config):
    stated = replace(config, values={**config.values, "architectures": [named]})

    assert total_scope(describe_model("lab", stated)).name == scope


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("roberta", "RobertaForMultipleChoice"),
        ("roberta", "RobertaForQuestionAnswering"),
        ("bert", "BertForPreTraining"),
        ("gpt2", "GPT2DoubleHeadsModel"),
        ("t5", "T5EncoderModel"),
        ("bart", "BartForCausalLM"),
        ("whisper", "WhisperForAudioClassification"),
        ("vit", "ViTForMaskedImageModeling"),
    ],
)
def test_a_class_without_a_scope_has_no_total(kind, named, config):
    stated = ModelConfig(
        source=config.source, model_type=kind, values={"architectures": [named], "vocab_size": 90}
    )
    found = inspection(describe_model("lab", stated))

    assert found["total_parameters"] is None
    assert "head is not counted" in found["missing"]["total_parameters"]


def test_a_checkpoint_is_counted_as_stored(config, fairseq):
    found = inspection(describe_model("lab", config, fairseq))

    assert (found["kind"], found["total_parameters"]) == ("checkpoint", 23_388_418)
    assert found["total_scope"] == "checkpoint"


def test_a_checkpoint_without_configuration_is_grouped_by_name(fairseq):
    facts = describe_model("lab", None, fairseq)
    found = inspection(facts)

    assert found["total_parameters"] == 23_388_418
    assert found["scopes"] == {"weights": 22_807_552, "body": 22_829_056, "all": 23_388_418}
    assert all(row.difference == 0 for row in facts.rows if row.term.count)
    assert found["problems"][0]["remedy"] == "pass the model's config.json"


def test_an_unknown_family_is_named_and_not_guessed(config):
    facts = describe_model("phi", replace(config, model_type="unheard-of"))
    found = inspection(facts)

    assert found["total_parameters"] is None
    assert "unheard-of" in found["missing"]["total_parameters"]
    assert "roberta" in found["problems"][0]["remedy"]


def test_a_broken_size_becomes_a_problem(config):
    facts = describe_model("lab", replace(config, values={"hidden_size": "wide"}))

    assert facts.ledger.terms == ()
    assert facts.problems[0].message.startswith("hidden_size in config.json is 'wide'")


def test_defaults_are_notes(config):
    facts = describe_model("lab", replace(config, values={}))

    assert {problem.level for problem in facts.problems} == {"note"}
    assert len(facts.problems) == 7


def test_fairseq_arguments_borrow_the_vocabulary(config, fairseq):
    values = {
        "arch": "roberta_small",
        "encoder_embed_dim": 512,
        "encoder_layers": 4,
        "encoder_ffn_embed_dim": 512,
        "encoder_attention_heads": 8,
        "max_positions": 256,
    }
    facts = describe_model(
        "lab", replace(config, model_type="roberta_small", values=values), fairseq
    )

    assert facts.ledger.scope("encoder").total == 22_829_056
    assert "32000 is the number of rows" in facts.problems[0].message


FAIRSEQ_SIZES = {
    "encoder_embed_dim": 512,
    "encoder_layers": 4,
    "encoder_ffn_embed_dim": 512,
    "encoder_attention_heads": 8,
    "max_positions": 256,
}


@pytest.mark.parametrize("named", [{"arch": "roberta_small"}, {"_name": "roberta"}])
def test_a_fairseq_checkpoint_alone_is_counted_by_formula(named, fairseq):
    facts = describe_model("lab", None, replace(fairseq, config=FAIRSEQ_SIZES | named))

    assert facts.ledger.family == "roberta"
    assert facts.ledger.scope("encoder").total == 22_829_056
    assert {row.term.name for row in facts.rows if row.difference} == {"pooler"}


@pytest.mark.parametrize(
    ("name", "model_type"),
    [
        ("fairseq_args.pt", "roberta_small"),
        ("fairseq_cfg.pt", "roberta"),
        ("fairseq_omegaconf.pt", "roberta"),
        ("lightning.ckpt", ""),
    ],
)
def test_the_architecture_is_read_out_of_fairseq_files(name, model_type, project):
    path = project / "tests" / "data" / "checkpoints" / name
    facts = describe_model(name, None, read_evidence(path, name))

    assert facts.config.model_type == model_type
    assert ("has no vocab_size" in facts.problems[-1].message) == bool(model_type)
    assert facts.ledger.family == ""  # its sizes are not all there, so nothing is guessed


@pytest.mark.parametrize(
    "values",
    [{"arch": "resnet50"}, {"arch": "bert", "encoder_layers": 4}, {"arch": "roberta_small"}],
)
def test_a_word_of_another_program_is_no_model_type(values, fairseq):
    facts = describe_model("lab", None, replace(fairseq, config=values))

    assert facts.config.model_type == facts.ledger.family == ""


def test_a_token_classifier_has_the_scope_of_its_head(config):
    values = {"architectures": ["BertForTokenClassification"], "num_labels": 9}
    facts = describe_model("NER", replace(config, model_type="bert", values=values))

    assert total_scope(facts).name == "encoder_with_token_head"
    assert total_scope(facts).total == facts.ledger.scope("encoder").total + 9 * (768 + 1)


@pytest.mark.parametrize("model_type", ["mixformer-sequential", "phi-msft"])
def test_the_first_format_of_phi_is_counted(model_type, realdata):
    path = realdata / "count-phi2" / "config.json"
    stored = read_evidence(path, "config.json")
    found = inspection(describe_model("phi-2", replace(stored, model_type=model_type)))

    assert (found["family"], found["total_parameters"]) == ("phi", 2_779_683_840)


def test_nothing_at_all_is_misuse():
    with pytest.raises(ValueError, match="needs a configuration or a checkpoint"):
        describe_model("lab", None)


def test_the_lab_adapter_is_described(bloom, adapter):
    facts = describe_adapter("LoRA", adapter(target_modules=["query_key_value"]), bloom)
    found = inspection(facts)

    assert found["trainable_parameters"] == 1_572_864
    assert found["base_parameters"] == 559_214_592
    assert found["total_parameters"] == 560_787_456
    assert round(100 * 1_572_864 / found["total_parameters"], 4) == 0.2805
    assert found["terms"][0]["formula"] == "n r (d_in + d_out)"
    assert facts.lint == ()


def test_packed_storage_gives_the_share_that_four_bit_tools_print(bloom, adapter):
    scopes = inspection(
        describe_adapter("LoRA", adapter(target_modules=["query_key_value"]), bloom)
    )["scopes"]

    elements = scopes["base_and_adapter"] - scopes["packed"] // 2

    assert round(100 * scopes["trainable"] / elements, 4) == 0.3838


def test_an_adapter_without_base_has_no_number(adapter):
    facts = describe_adapter("LoRA", adapter(target_modules=["q"]), None)

    assert isinstance(facts.trainable, Missing)
    assert "no base model was given" in facts.trainable.reason
    assert inspection(facts)["trainable_parameters"] is None


@pytest.mark.parametrize("kind", ["XLORA", "FOURIERFT", "ADAPTION_PROMPT", ""])
def test_another_kind_of_adapter_is_named_and_not_counted(kind, bloom, adapter):
    facts = describe_adapter("other", adapter(kind), bloom)

    assert isinstance(facts.trainable, Missing)
    assert (kind or "(none)") in facts.trainable.reason


def test_names_that_match_nothing_leave_the_count_missing(bloom, adapter):
    facts = describe_adapter("LoRA", adapter(target_modules=["q_proj"]), bloom)

    assert isinstance(facts.trainable, Missing)
    assert any("match no module" in problem.message for problem in facts.lint)


def test_a_base_of_unknown_family_is_read_off_its_tensors(config, hugging, adapter):
    strange = describe_model("lab", replace(config, model_type="strange"), hugging)
    known = describe_model("lab", config)
    described = adapter(target_modules=["query"], task_type="SEQ_CLS")

    counts = {describe_adapter("a", described, base).trainable.value for base in (strange, known)}

    assert counts == {4 * 16 * 1024 + 512 * 512 + 512 + 2 * 512 + 2}


def test_a_saved_adapter_is_compared(realdata, config):
    path = (
        realdata / "hf-trainer-agnews-lora" / "results" / "checkpoint-1200" / "adapter_config.json"
    )
    values = {"max_position_embeddings": 514, "type_vocab_size": 1, "num_labels": 4}
    base = describe_model("roberta-base", replace(config, values=values))

    facts = describe_adapter(
        "AG News",
        read_evidence(path, "adapter_config.json"),
        base,
        read_adapter_tensors(path, "adapter_config.json"),
    )

    assert facts.trainable.value == 916_996
    assert facts.ledger.scope("base_and_adapter").total == 125_463_560
    assert "holds 918,540 numbers, 1,544 more" in facts.lint[-1].message


def test_formulas_are_spelled():
    x, y = Symbol("x"), Symbol("y", "a")

    assert formula_text(Difference(x, y + 1)) == "x - (y_a + 1)"
    assert formula_text(x / Root(y)) == "x / sqrt(y_a)"


# What transformers 5.23 builds on the meta device.
@pytest.mark.parametrize(
    ("named", "parameters"),
    [
        ("RobertaModel", 5872),
        ("RobertaForTokenClassification", 5634),
        ("RobertaForSequenceClassification", 5906),
    ],
)
def test_a_model_without_token_types_has_its_pooler(named, parameters):
    values = {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 2, "type_vocab_size": 0}
    values |= {"num_attention_heads": 2, "intermediate_size": 32, "max_position_embeddings": 20}
    values |= {"architectures": [named]}
    source = Source(path="config.json", kind="test", size=0, sha256="")
    config = ModelConfig(source=source, model_type="roberta", values=values)

    assert total_scope(describe_model("m", config)).total == parameters


# With a decoder's layers transformers 5.23 builds 7218 parameters.
@pytest.mark.parametrize(("decoder", "parameters"), [(False, 5138), (True, None)])
def test_a_token_classifier_of_decoder_layers_is_not_counted(decoder, parameters):
    values = {"vocab_size": 50, "d_model": 16, "d_kv": 4, "d_ff": 32, "num_layers": 2}
    values |= {"num_heads": 4, "architectures": ["T5ForTokenClassification"]}
    values |= {"is_decoder": decoder}
    source = Source(path="config.json", kind="test", size=0, sha256="")
    config = ModelConfig(source=source, model_type="t5", values=values)
    adapter = AdapterConfig(
        source=source, peft_type="LORA", values={"r": 2, "target_modules": ["q"]}
    )
    base = describe_model("m", config)

    assert getattr(total_scope(base), "total", None) == parameters
    assert isinstance(describe_adapter("a", adapter, base).trainable, Missing) is decoder
