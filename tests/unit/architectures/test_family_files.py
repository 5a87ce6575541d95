"""What a family reads in the files of its models, and what it refuses."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from fakes.family_sizes import APART, OTHERS, PAIRS, SOURCE, TREES, values

from reportgen.architectures import ARCHITECTURES
from reportgen.architectures._terms.keys import REPEATED
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import ModelConfig


def test_a_missing_key_takes_the_family_default_and_says_so(model):
    ledger = ARCHITECTURES.load("bert").count_terms(model("bert", hidden_size=768))

    assert ledger.scope("model").total == 109_482_240
    assert any(note.startswith("vocab_size is not in config.json") for note in ledger.notes)
    assert not any(note.startswith("hidden_size") for note in ledger.notes)


def test_old_bloom_says_n_embed(model):
    count = ARCHITECTURES.load("bloom").count_terms
    old = count(model("bloom", n_embed=1024, n_layer=24))
    new = count(model("bloom", hidden_size=1024, n_layer=24))

    assert old.scope("all").total == new.scope("all").total == 559_214_592


def test_a_null_key_value_count_means_one_for_each_head(model):
    count = ARCHITECTURES.load("llama").count_terms
    null = count(model("mistral", num_key_value_heads=None)).scope("all").total
    absent = count(model("mistral")).scope("all").total

    assert absent == 7_241_732_096
    assert null - absent == 32 * 2 * 4096 * (4096 - 1024)


def test_fairseq_arguments_are_read(model):
    args = model(
        "roberta_small",
        encoder_embed_dim=512,
        encoder_layers=4,
        encoder_ffn_embed_dim=512,
        encoder_attention_heads=8,
        max_positions=256,
        vocab_size=32000,
    )
    ledger = ARCHITECTURES.load("roberta").count_terms(args)

    assert ledger.scope("encoder").total == 22_829_056
    assert ledger.scope("all").total == 23_388_418
    assert ledger.scope("encoder_hf") is None


@pytest.mark.parametrize("value", ["512", 0, -4, 512.5, True, [512], 2**41])
def test_a_size_that_is_none_is_refused_by_name(value, model):
    with pytest.raises(EvidenceError, match="hidden_size in config"):
        ARCHITECTURES.load("roberta").count_terms(model("roberta", hidden_size=value))


def test_labels_come_from_either_key(model):
    count = ARCHITECTURES.load("roberta").count_terms
    by_number = count(model("roberta", num_labels=4)).scope("encoder_with_head").total
    by_names = count(model("roberta", id2label={str(i): "x" for i in range(4)}))
    by_default = count(model("roberta")).scope("encoder_with_head").total

    assert by_names.scope("encoder_with_head").total == by_number
    assert by_number - by_default == 2 * (768 + 1)


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize(
    ("model_type", "sizes", "layers"), TREES, ids=lambda v: v if isinstance(v, str) else ""
)
def test_the_leaves_of_the_tree_add_up_to_the_ledger(model_type, sizes, layers, tied, model):
    family = next(name for name, entry in ARCHITECTURES.items() if model_type in entry.match)
    config = model(model_type, **sizes, tie_word_embeddings=tied)
    ledger = ARCHITECTURES.load(family).count_terms(config)
    rows = ledger.tree
    found, side, seen = 0, "", set()
    for row, after in itertools.pairwise((*rows, (0, "", "", None))):
        if row[0] == 1:
            side = row[1]
        if after[0] <= row[0]:
            # Rows below "One layer" alone stand this deep.
            found += row[3] * (layers[side] if row[0] == 3 else 1)
            seen |= {side} if row[0] == 3 else set()

    assert found == sum(term.count for term in ledger.terms)
    assert found == sum(row[3] for row in rows if row[0] == 1)
    assert seen == set(layers)


@pytest.mark.parametrize("family", sorted(APART))
def test_layers_that_are_not_of_one_kind_are_not_called_an_encoder_or_a_body(family, model):
    ledger = ARCHITECTURES.load(family).count_terms(model(ARCHITECTURES[family].match[0]))

    # People quote these two scopes of models that are L equal layers.
    assert ledger.scope("encoder") is None
    assert ledger.scope("body") is None


def test_active_parameters_leave_the_idle_experts_out(model):
    count = ARCHITECTURES.load("mixture").count_terms
    mixtral = count(model("mixtral"))
    one = 32 * 3 * 4096 * 14336

    assert mixtral.scope("all").total == 46_702_792_704
    assert mixtral.scope("active").total == 46_702_792_704 - 6 * one == 12_879_925_248


def test_layers_named_dense_have_no_experts(model):
    count = ARCHITECTURES.load("mixture").count_terms
    terms = {t.name: t for t in count(model("qwen2_moe", mlp_only_layers=[0, 5])).terms}

    assert terms["router.weight"].values["L_moe"] == 22
    assert terms["dense.ffn.gate.weight"].count == 2 * 2048 * 5632
    with pytest.raises(EvidenceError, match="mlp_only_layers in config"):
        count(model("qwen2_moe", mlp_only_layers="0, 5"))


def test_t5_is_tied_as_its_file_says_and_mt5_is_not_by_default(model):
    count = ARCHITECTURES.load("t5").count_terms
    small = count(model("t5"))
    untied = count(model("t5", tie_word_embeddings=False))

    assert untied.scope("all").total - small.scope("all").total == 32128 * 512
    multilingual = count(model("mt5"))
    head = multilingual.scope("all").total - multilingual.scope("model").total
    assert head == 250112 * 512


@pytest.mark.parametrize(("version", "tied"), [("4.57.1", False), ("5.23.0", True)])
def test_an_mt5_that_does_not_say_is_tied_as_the_library_that_wrote_it_ties(version, tied, model):
    config = model("mt5", transformers_version=version)
    family = ARCHITECTURES.load("t5")
    ledger = family.count_terms(config)

    head = ledger.scope("all").total - ledger.scope("model").total
    assert head == (0 if tied else 250112 * 512)
    assert family.list_modules(config, "causal_lm")[-1].tied is tied


@pytest.mark.parametrize("version", ["4.57.1", "5.23.0"])
def test_what_an_mt5_says_of_its_projection_holds_for_either_library(version, model):
    count = ARCHITECTURES.load("t5").count_terms
    for tied in (True, False):
        ledger = count(model("mt5", transformers_version=version, tie_word_embeddings=tied))
        assert (ledger.scope("all").total == ledger.scope("model").total) is tied


def test_the_first_format_of_phi_counts_as_todays(model):
    count = ARCHITECTURES.load("phi").count_terms
    first = count(model("mixformer-sequential", n_embd=2560, n_layer=32, n_head=32, vocab_size=9))
    today = count(
        model(
            "phi",
            hidden_size=2560,
            intermediate_size=10240,
            num_hidden_layers=32,
            num_attention_heads=32,
            vocab_size=9,
        )
    )

    assert first.scope("all").total == today.scope("all").total


def test_the_first_format_of_phi_has_no_defaults(model):
    with pytest.raises(EvidenceError, match="no n_embd, and no default exists"):
        ARCHITECTURES.load("phi").count_terms(model("mixformer-sequential", vocab_size=9))


def test_a_mixture_saved_by_an_old_library_lists_expert_by_expert(model):
    modules = ARCHITECTURES.load("mixture").list_modules
    sizes = {"num_hidden_layers": 1, "num_local_experts": 2}
    old = {m.name for m in modules(model("mixtral", **sizes), "causal_lm") if m.kind == "linear"}
    new = modules(model("mixtral", **sizes, transformers_version="5.0.0"), "causal_lm")

    assert "model.layers.0.block_sparse_moe.experts.1.w2" in old
    stacked = next(m for m in new if m.name == "model.layers.0.mlp.experts.down_proj")
    assert (stacked.kind, stacked.copies, stacked.shape) == ("parameter", 2, (2, 4096, 14336))


@pytest.mark.parametrize(("family", "kind"), sorted({pair[:2] for pair in PAIRS}))
def test_a_number_of_layers_that_no_model_has_is_refused_at_once(family, kind):
    found = [refusal(family, kind, key) for key in sorted(REPEATED)]

    assert any("more than 16,384" in each for each in found)


def refusal(family, kind, key):
    """Return what is said of a size of 2^40, nothing where the family does not read it."""
    sizes = values(2, 4, 2, 11, 3, **OTHERS) | {key: 2**40}
    config = ModelConfig(source=SOURCE, model_type=kind, values=sizes)
    try:
        ARCHITECTURES.load(family).count_terms(config)
    except EvidenceError as error:
        return error.message
    return ""


@pytest.mark.parametrize(
    ("family", "kind", "keys"),
    [
        ("albert", "albert", ("num_hidden_groups", "inner_group_num")),
        ("mixture", "mixtral", ("num_hidden_layers", "num_local_experts")),
    ],
)
def test_a_product_that_no_model_has_is_refused_at_once(family, kind, keys):
    config = ModelConfig(source=SOURCE, model_type=kind, values=dict.fromkeys(keys, 2**13))

    with pytest.raises(EvidenceError, match="more than 262,144"):
        ARCHITECTURES.load(family).count_terms(config)


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "gpt2"])
def test_layers_that_attend_to_an_encoder_are_refused(family):
    values = {"add_cross_attention": True, "is_decoder": True}

    with pytest.raises(EvidenceError, match="add_cross_attention"):
        ARCHITECTURES.load(family).count_terms(
            ModelConfig(source=SOURCE, model_type=family, values=values)
        )


@pytest.mark.parametrize(("written", "tables"), [("5.0.0", 4), ("4.57.0", 2)])
def test_an_untied_bart_has_a_table_on_either_side_since_transformers_5(written, tables):
    values = {"vocab_size": 101, "d_model": 8, "transformers_version": written}
    config = ModelConfig(source=SOURCE, model_type="bart", values=values)
    ledgers = [
        ARCHITECTURES.load("bart").count_terms(
            replace(config, values={**values, "tie_word_embeddings": tied})
        )
        for tied in (True, False)
    ]

    tied, untied = (ledger.scope("all").total for ledger in ledgers)
    assert untied - tied == (tables - 1) * 101 * 8
