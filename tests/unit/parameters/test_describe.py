"""From files to facts, and to the JSON of `inspect`."""

import json
from dataclasses import replace

import pytest

from reportgen.parameters import describe_model, formula_text, inspection, total_scope
from reportgen.read.weights import read_evidence
from reportgen.records.formula import Difference, Root, Symbol

# The sizes of a small model, and a total by transformers 5.23 where one is stated.
SMALL = {
    "vocab_size": 50,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 20,
}
SMALL_T5 = {"vocab_size": 50, "d_model": 16, "d_kv": 4, "d_ff": 32, "num_layers": 2, "num_heads": 4}
SMALL_GEMMA = SMALL | {
    "num_key_value_heads": 1,
    "head_dim": 8,
    "layer_types": ["sliding_attention", "full_attention"],
}
SMALL_MAMBA = {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 2}
SMALL_VISION = SMALL | {"image_size": 28, "patch_size": 14}
SMALL_SHIELD = {
    "text_config": SMALL_GEMMA | {"model_type": "gemma3_text"},
    "vision_config": SMALL
    | {"model_type": "siglip_vision_model", "num_hidden_layers": 1}
    | {"image_size": 28, "patch_size": 14},
}
FAIRSEQ = {
    "encoder_embed_dim": 512,
    "encoder_layers": 4,
    "encoder_ffn_embed_dim": 512,
    "encoder_attention_heads": 8,
    "max_positions": 256,
}


def scope_of(model, model_type, **values):
    return total_scope(describe_model("lab", model(model_type, **values)))


def test_a_configuration_alone_is_counted(config):
    found = inspection(describe_model("lab", config))

    assert (found["kind"], found["family"]) == ("config", "roberta")
    assert (found["total_scope"], found["total_parameters"]) == ("encoder", 22_829_056)
    assert found["scopes"]["weights"] == 22_807_552
    assert sum(t["count"] for t in found["terms"] if t["role"] == "position") == 132_096
    assert found["problems"] == []
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    ("model_type", "named", "scope"),
    [
        ("roberta", "RobertaForSequenceClassification", "encoder_with_head_hf"),
        ("roberta", "RobertaForMaskedLM", "encoder_with_lm_head_hf"),
        ("roberta", "RobertaModel", "model_hf"),
        ("roberta", "RobertaForTokenClassification", "encoder_with_token_head_hf"),
        ("bert", "BertForTokenClassification", "encoder_with_token_head"),
        ("gpt2", "GPT2LMHeadModel", "all"),
        ("gpt2", "GPT2Model", "body"),
        ("gpt2", "GPT2ForSequenceClassification", "body_with_head"),
        ("bart", "BartForConditionalGeneration", "all"),
        ("bart", "BartModel", "model"),
        ("vit", "ViTForImageClassification", "encoder_with_head"),
    ],
)
def test_the_class_that_a_configuration_names_decides_total_and_terms(
    model_type, named, scope, model
):
    found = inspection(describe_model("lab", model(model_type, architectures=[named])))

    assert found["total_scope"] == scope
    assert sum(term["count"] for term in found["terms"]) == found["total_parameters"]


@pytest.mark.parametrize(
    "named",
    [
        "RobertaForTelepathy",
        "T5EncoderModel",
        "Qwen3ForCausalLM",
        "ElectraForMaskedLM",
        "",
        7,
        None,
    ],
)
@pytest.mark.parametrize("model_type", ["roberta", "gpt2", "bart"])
def test_a_class_that_no_table_has_has_no_total(model_type, named, model):
    config = model(model_type, architectures=[named], vocab_size=90)
    found = inspection(describe_model("lab", config))

    assert found["total_parameters"] is None
    assert "head is not counted" in found["missing"]["total_parameters"]


# What transformers 5.23 builds on the meta device.
@pytest.mark.parametrize(
    ("model_type", "values", "named", "parameters"),
    [
        ("roberta", SMALL | {"type_vocab_size": 0}, "RobertaModel", 5872),
        ("roberta", SMALL | {"type_vocab_size": 0}, "RobertaForTokenClassification", 5634),
        ("roberta", SMALL | {"type_vocab_size": 0}, "RobertaForSequenceClassification", 5906),
        ("t5", SMALL_T5 | {"is_decoder": False}, "T5ForTokenClassification", 5138),
        ("t5", SMALL_T5 | {"is_decoder": True}, "T5ForTokenClassification", 7218),
        ("mt5", SMALL_T5 | {"is_gated_act": True}, "MT5Model", 13536),
        ("mt5", SMALL_T5 | {"is_gated_act": False}, "MT5Model", 11488),
        ("shieldgemma2", SMALL_SHIELD, "ShieldGemma2ForImageClassification", 19808),
        ("llama", SMALL_GEMMA | {"per_layer_config": None}, "LlamaModel", 5488),
        (
            "embedding_gemma2_text",
            SMALL_GEMMA | {"per_layer_config": None},
            "EmbeddingGemma2TextModel",
            67568,
        ),
        (
            "gemma4_text",
            SMALL_GEMMA | {"attention_k_eq_v": True, "per_layer_config": {}},
            "Gemma4TextModel",
            134248048,
        ),
        ("mamba", SMALL_MAMBA | {"time_step_rank": 5}, "MambaForCausalLM", 8080),
        (
            "deepseek_vl",
            {"text_config": SMALL | {"tie_word_embeddings": False}, "vision_config": SMALL_VISION},
            "DeepseekVLForConditionalGeneration",
            22720,
        ),
        (
            "git",
            SMALL | {"vision_config": SMALL_VISION | {"tie_word_embeddings": True}},
            "GitForCausalLM",
            20770,
        ),
        (
            "embedding_gemma2_text",
            SMALL_GEMMA | {"per_layer_config": {"1": {"head_dim": 4, "num_key_value_heads": 2}}},
            "EmbeddingGemma2TextModel",
            67304,
        ),
        (
            "embedding_gemma2_text",
            SMALL_GEMMA | {"per_layer_config": {"01": {"head_dim": 4}}},
            "EmbeddingGemma2TextModel",
            67176,
        ),
    ],
)
def test_a_class_has_the_total_of_the_library(model_type, values, named, parameters, model):
    assert scope_of(model, model_type, **values, architectures=[named]).total == parameters


@pytest.mark.parametrize(
    ("model_type", "sizes"),
    [
        ("embedding_gemma2_text", {"0": {"head_dim": 4}}),
        ("llama", {"1": {"head_dim": 4}}),
        ("llama", {"1": {"intermediate_size": 40}}),
        ("llama", {"1": {"skip": ["mlp"]}}),
        ("llama", [4]),
        ("llama", {"1": 4}),
    ],
)
def test_layers_with_sizes_of_their_own_give_no_total(model_type, sizes, model):
    facts = describe_model("lab", model(model_type, **SMALL_GEMMA, per_layer_config=sizes))

    assert total_scope(facts) is None
    assert any("per_layer_config gives some" in problem.message for problem in facts.problems)


def test_the_type_that_a_file_states_is_no_doubt(model):
    kind = "hyperclovax_vision_v2"
    stated = total_scope(describe_model("lab", model(kind, model_type=kind)))

    assert stated == scope_of(model, kind)
    assert stated is not None


def test_a_composite_without_a_class_is_the_bare_whole(model):
    facts = describe_model("lab", model("mllama", text_config=SMALL))

    assert total_scope(facts).name == "model"
    assert facts.ledger.scope("decoder_alone_with_lm_head").total < total_scope(facts).total


def test_what_unlike_layers_have_is_told_of_all_of_them_together(model):
    tree = describe_model("lab", model("deepseek_v4")).ledger.tree
    (layers,) = (row for row in tree if row[1] == "Layers")
    (attention,) = (row for row in tree if row[1] == "Self-attention")
    (router,) = (row for row in tree if row[1] == "Router")

    assert layers[2] == "43 layers of several kinds"
    assert (attention[2], attention[3]) == ("all layers together", 5_096_775_497)
    assert (router[2], router[3]) == ("", 256 * 4096)


def test_a_token_classifier_has_one_row_for_each_label(model):
    values = {"architectures": ["BertForTokenClassification"], "num_labels": 9}
    facts = describe_model("NER", model("bert", **values))

    assert total_scope(facts).total == facts.ledger.scope("encoder").total + 9 * (768 + 1)


def test_labels_come_from_either_key(model):
    def total(**values):
        facts = describe_model("lab", model("roberta", **values))
        return facts.ledger.scope("encoder_with_head").total

    by_names = total(id2label={str(number): "x" for number in range(4)})

    assert by_names == total(num_labels=4)
    assert by_names - total() == 2 * (768 + 1)


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
    assert "its tensors are counted" in found["problems"][0]["remedy"]


def test_defaults_are_notes_that_name_what_the_file_lacks(model):
    bare = describe_model("lab", model("roberta"))
    wide = describe_model("lab", model("roberta", hidden_size=768))

    assert {problem.level for problem in bare.problems} == {"note"}
    assert len(bare.problems) == len(wide.problems) + 1
    assert any(p.message.startswith("vocab_size is not in config.json") for p in wide.problems)
    assert not any(p.message.startswith("hidden_size") for p in wide.problems)


def test_a_null_key_value_count_means_one_for_each_head(model):
    null = scope_of(model, "mistral", num_key_value_heads=None).total
    absent = scope_of(model, "mistral").total

    assert absent == 7_241_732_096
    assert null - absent == 32 * 2 * 4096 * (4096 - 1024)


def test_old_spellings_of_a_key_are_read(model):
    old = scope_of(model, "bloom", n_embed=1024, n_layer=24)
    new = scope_of(model, "bloom", hidden_size=1024, n_layer=24)

    assert old.total == new.total == 559_214_592


def test_layers_spelled_by_letters_are_those_of_the_list(model):
    kinds = ["linear_attention", "moe", "full_attention", "mlp"]
    old, new = (
        scope_of(model, "nemotron_h", **SMALL, **layers)
        for layers in ({"hybrid_override_pattern": "ME*-"}, {"layers_block_type": kinds})
    )

    assert old == new
    assert old is not None


def test_two_spellings_that_disagree_give_no_total_and_say_which(model):
    facts = describe_model("lab", model("gpt2", n_embd=96, hidden_size=192))

    assert total_scope(facts) is None
    assert any("n_embd" in p.message and "hidden_size" in p.message for p in facts.problems)


@pytest.mark.parametrize(("version", "tied"), [("4.57.1", False), ("5.23.0", True)])
def test_a_projection_is_tied_as_the_library_that_wrote_the_file_ties_it(version, tied, model):
    written = {"tie_word_embeddings": False, "transformers_version": version}
    ledger = describe_model("lab", model("t5", **written)).ledger

    own = ledger.scope("all").total - ledger.scope("model").total
    assert own == (0 if tied else 32128 * 512)


# model type, class, whether transformers 5 has two biases of the vocabulary.
@pytest.mark.parametrize(
    ("model_type", "named", "two"),
    [
        ("bert", "BertForMaskedLM", True),
        ("roberta", "RobertaForMaskedLM", True),
        ("camembert", "CamembertForMaskedLM", True),
        ("albert", "AlbertForPreTraining", True),
        ("deberta", "DebertaForMaskedLM", True),
        ("deberta-v2", "DebertaV2ForMaskedLM", True),
        ("electra", "ElectraForMaskedLM", False),
        ("distilbert", "DistilBertForMaskedLM", False),
    ],
)
def test_an_untied_masked_head_has_the_biases_of_the_library_that_wrote_it(
    model_type, named, two, model
):
    def total(**more):
        return scope_of(model, model_type, vocab_size=101, architectures=[named], **more).total

    old, new = ({"transformers_version": version} for version in ("4.57.1", "5.0.0"))
    untied = {"tie_word_embeddings": False}
    assert total() == total(**old) == total(**new)
    assert total(**untied, **new) - total(**untied, **old) == (101 if two else 0)


def test_active_parameters_leave_the_idle_experts_out(model):
    ledger = describe_model("lab", model("mixtral", num_experts_per_tok=2)).ledger
    one = 32 * 3 * 4096 * 14336

    assert ledger.scope("all").total == 46_702_792_704
    assert ledger.scope("active").total == 46_702_792_704 - 6 * one == 12_879_925_248


def test_layers_named_dense_have_no_experts(model):
    found = inspection(describe_model("lab", model("qwen2_moe", mlp_only_layers=[0, 5])))
    terms = {term["name"]: term for term in found["terms"]}

    assert terms["router.weight"]["count"] == 22 * 60 * 2048
    assert terms["ffn.gate.weight"]["count"] == 2 * 2048 * 5632


def test_fairseq_arguments_borrow_the_vocabulary(model, fairseq):
    facts = describe_model("lab", model("roberta_small", arch="roberta_small", **FAIRSEQ), fairseq)

    assert facts.ledger.scope("encoder").total == 22_829_056
    assert facts.ledger.scope("all").total == 23_388_418
    assert facts.ledger.scope("encoder_hf") is None
    assert "32000 is the number of rows" in facts.problems[0].message


@pytest.mark.parametrize("named", [{"arch": "roberta_small"}, {"_name": "roberta"}])
def test_a_fairseq_checkpoint_alone_is_counted_by_formula(named, fairseq):
    facts = describe_model("lab", None, replace(fairseq, config=FAIRSEQ | named))

    assert facts.ledger.family == "fairseq_roberta"
    assert facts.ledger.scope("encoder").total == 22_829_056
    assert {row.term.name for row in facts.rows if row.difference} == set()


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
    assert ("states no vocab_size" in facts.problems[-1].message) == bool(model_type)
    assert facts.ledger.family == ""  # its sizes are not all there, so nothing is guessed


@pytest.mark.parametrize(
    "values",
    [{"arch": "resnet50"}, {"arch": "bert", "encoder_layers": 4}, {"arch": "roberta_small"}],
)
def test_a_word_of_another_program_is_no_model_type(values, fairseq):
    facts = describe_model("lab", None, replace(fairseq, config=values))

    assert facts.config.model_type == facts.ledger.family == ""


@pytest.mark.parametrize("model_type", ["mixformer-sequential", "phi-msft"])
def test_the_first_format_of_phi_is_counted(model_type, realdata):
    path = realdata / "count-phi2" / "config.json"
    stored = read_evidence(path, "config.json")
    found = inspection(describe_model("phi-2", replace(stored, model_type=model_type)))

    assert (found["family"], found["total_parameters"]) == (model_type, 2_779_683_840)


def test_nothing_at_all_is_misuse():
    with pytest.raises(ValueError, match="needs a configuration or a checkpoint"):
        describe_model("lab", None)


def test_formulas_are_spelled():
    x, y = Symbol("x"), Symbol("y", "a")

    assert formula_text(Difference(x, y + 1)) == "x - (y_a + 1)"
    assert formula_text(x / Root(y)) == "x / sqrt(y_a)"


PART = {"hidden_size": 48, "intermediate_size": 100, "num_hidden_layers": 2, "vocab_size": 500}


@pytest.mark.parametrize(
    ("copy", "counted"),
    [(PART, True), (PART | {"vocab_size": 600}, False), ({"vocab_size": 500}, False)],
)
def test_an_old_copy_of_a_part_is_passed_over_where_it_agrees(model, copy, counted):
    plain = scope_of(model, "clip", architectures=["CLIPModel"], text_config=PART)
    both = scope_of(
        model, "clip", architectures=["CLIPModel"], text_config=PART, text_config_dict=copy
    )

    assert both == (plain if counted else None)
