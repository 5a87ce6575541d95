"""Every family: its formulas against its own list of modules, and its defaults."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.architectures import ARCHITECTURES
from reportgen.architectures._terms import tensors_of
from reportgen.architectures._terms.keys import REPEATED
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.run import Source

SOURCE = Source(path="config.json", kind="test", size=0, sha256="")

# family, model type, scope, head: the same model counted by formula and by modules.
PAIRS = (
    ("roberta", "roberta", "model_hf", ""),
    ("roberta", "camembert", "encoder_with_head_hf", "classification"),
    ("roberta", "roberta", "encoder_with_token_head_hf", "tokens"),
    ("roberta", "xlm-roberta", "encoder_with_lm_head_hf", "masked_lm"),
    ("bert", "bert", "model", ""),
    ("bert", "bert", "encoder_with_head", "classification"),
    ("bert", "bert", "encoder_with_lm_head", "masked_lm"),
    ("distilbert", "distilbert", "encoder", ""),
    ("distilbert", "distilbert", "encoder_with_head", "classification"),
    ("distilbert", "distilbert", "encoder_with_lm_head", "masked_lm"),
    ("gpt2", "gpt2", "body", ""),
    ("gpt2", "gpt2", "all", "causal_lm"),
    ("gpt2", "gpt2", "body_with_head", "classification"),
    ("bloom", "bloom", "body", ""),
    ("bloom", "bloom", "all", "causal_lm"),
    ("bloom", "bloom", "body_with_head", "classification"),
    ("llama", "llama", "all", "causal_lm"),
    ("llama", "mistral", "all", "causal_lm"),
    ("llama", "qwen2", "all", "causal_lm"),
    ("llama", "qwen3", "all", "causal_lm"),
    ("llama", "gemma", "all", "causal_lm"),
    ("llama", "gemma2", "body", ""),
    ("llama", "llama", "body_with_head", "classification"),
    ("albert", "albert", "model", ""),
    ("albert", "albert", "encoder_with_head", "classification"),
    ("albert", "albert", "encoder_with_lm_head", "masked_lm"),
    ("deberta", "deberta", "encoder", ""),
    ("deberta", "deberta-v2", "encoder_with_head", "classification"),
    ("deberta", "deberta-v2", "encoder_with_lm_head", "masked_lm"),
    ("electra", "electra", "encoder", ""),
    ("electra", "electra", "encoder_with_head", "classification"),
    ("electra", "electra", "encoder_with_lm_head", "masked_lm"),
    ("gpt_neox", "gpt_neox", "all", "causal_lm"),
    ("gpt_neox", "gpt_neox", "body_with_head", "classification"),
    ("opt", "opt", "body", ""),
    ("opt", "opt", "all", "causal_lm"),
    ("falcon", "falcon", "all", "causal_lm"),
    ("falcon", "RefinedWeb", "all", "causal_lm"),
    ("falcon", "RefinedWebModel", "body", ""),
    ("phi", "phi", "all", "causal_lm"),
    ("phi", "mixformer-sequential", "all", "causal_lm"),
    ("phi3", "phi3", "all", "causal_lm"),
    ("mixture", "mixtral", "all", "causal_lm"),
    ("mixture", "qwen2_moe", "all", "causal_lm"),
    ("mixture", "qwen3_moe", "model", ""),
    ("t5", "t5", "all", "causal_lm"),
    ("t5", "mt5", "body_with_head", "classification"),
    ("bart", "bart", "model", ""),
    ("bart", "mbart", "all", "causal_lm"),
    ("bart", "bart", "body_with_head", "classification"),
    ("whisper", "whisper", "all", "causal_lm"),
    ("vit", "vit", "model", ""),
    ("vit", "vit", "encoder_with_head", "classification"),
)
# Parts that only some classes of the family have; their tree does not draw them.
NOT_DRAWN = {
    "roberta": ("pooler",),
    "gpt2": ("classifier", "token_bias"),
    "bloom": ("classifier", "token_bias"),
}
# Layers that are not L of one kind.
APART = frozenset({"albert", "t5", "bart", "whisper"})
# What else can be said of a model, and how often the tree's one layer counts on each side.
SMALL = {"hidden_size": 8, "d_model": 8, "intermediate_size": 6, "num_attention_heads": 2}
SIDES = {**SMALL, "encoder_layers": 2, "decoder_layers": 3, "vocab_size": 11}
TREES = (
    ("albert", {**SMALL, "num_hidden_layers": 6}, {"Encoder": 1}),
    ("albert", {**SMALL, "num_hidden_groups": 3, "inner_group_num": 2}, {"Encoder": 6}),
    ("t5", {**SMALL, "num_layers": 2, "num_decoder_layers": 3}, {"Encoder": 2, "Decoder": 3}),
    ("mt5", {**SMALL, "num_layers": 2}, {"Encoder": 2, "Decoder": 2}),
    ("bart", SIDES, {"Encoder": 2, "Decoder": 3}),
    ("mbart", SIDES, {"Encoder": 2, "Decoder": 3}),
    ("whisper", SIDES, {"Encoder": 2, "Decoder": 3}),
    ("vit", {**SMALL, "num_hidden_layers": 5}, {"Encoder": 5}),
    ("deberta-v2", {**SMALL, "num_hidden_layers": 5, "conv_kernel_size": 3}, {"Encoder": 5}),
)
WIDTH_KEYS = ("hidden_size", "n_embd", "dim", "d_model")
LAYER_KEYS = (
    "num_hidden_layers",
    "n_layer",
    "n_layers",
    "num_layers",
    "encoder_layers",
    "decoder_layers",
)
HEAD_KEYS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
# Sizes that one family alone reads, small enough to spell out every expert.
OTHERS = {
    "embedding_size": 7,
    "num_hidden_groups": 2,
    "inner_group_num": 2,
    "relative_attention": True,
    "pos_att_type": "p2c|c2p",
    "position_buckets": 5,
    "word_embed_proj_dim": 7,
    "num_local_experts": 3,
    "num_experts": 3,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 5,
    "decoder_sparse_step": 2,
    "image_size": 32,
    "max_source_positions": 19,
}


def values(heads, size, layers, vocabulary, classes, **more):
    """Sizes under every spelling, so that each family finds its own."""
    return {
        **dict.fromkeys(WIDTH_KEYS, heads * size),
        **dict.fromkeys(LAYER_KEYS, layers),
        **dict.fromkeys(HEAD_KEYS, heads),
        "vocab_size": vocabulary,
        "num_labels": classes,
        **more,
    }


def agree(family, scope, head, config):
    architecture = ARCHITECTURES.load(family)
    ledger = architecture.count_terms(config)
    tensors = list(tensors_of(architecture.list_modules(config, head)))
    assert ledger.scope(scope).total == sum(t.count for t in tensors if not t.shares)
    for tensor in tensors:
        hits = [t.name for t in ledger.terms if re.fullmatch(t.tensors, tensor.name)]
        assert len(hits) == 1, (tensor.name, hits)
    by_term = {t.name: 0 for t in ledger.terms}
    for tensor in tensors:
        term = next(t for t in ledger.terms if re.fullmatch(t.tensors, tensor.name))
        by_term[term.name] += 0 if tensor.shares else tensor.count
    held = set(ledger.scope(scope).terms)
    assert {n: c for n, c in by_term.items() if n in held} == {
        t.name: t.count for t in ledger.terms if t.name in held
    }


@pytest.mark.parametrize("written", [{}, {"transformers_version": "5.23.0"}], ids=["old", "new"])
@pytest.mark.parametrize(("family", "model_type", "scope", "head"), PAIRS)
def test_formulas_and_modules_count_the_same(family, model_type, scope, head, written):
    config = ModelConfig(
        source=SOURCE,
        model_type=model_type,
        values=values(4, 6, 3, 101, 5, num_key_value_heads=2, **OTHERS, **written),
    )

    agree(family, scope, head, config)


@given(
    pair=st.sampled_from(PAIRS),
    heads=st.integers(1, 5),
    size=st.integers(1, 7),
    layers=st.integers(1, 4),
    vocabulary=st.integers(1, 300),
    classes=st.integers(1, 9),
    tied=st.booleans(),
    biased=st.booleans(),
)
def test_formulas_and_modules_never_part(
    pair, heads, size, layers, vocabulary, classes, tied, biased
):
    family, model_type, scope, head = pair
    config = ModelConfig(
        source=SOURCE,
        model_type=model_type,
        values=values(
            heads,
            size,
            layers,
            vocabulary,
            classes,
            **OTHERS,
            attention_bias=biased,
            mlp_bias=biased,
            qkv_bias=biased,
            multi_query=biased,
            share_att_key=biased,
            head_dim=size + 1,
            tie_word_embeddings=tied,
            transformers_version="5.23.0" if biased else "4.57.1",
        ),
    )

    agree(family, scope, head, config)


@pytest.mark.parametrize("family", sorted(set(ARCHITECTURES) - APART))
def test_the_tree_adds_up(family):
    model_type = ARCHITECTURES[family].match[0]
    config = ModelConfig(source=SOURCE, model_type=model_type, values=values(4, 6, 3, 101, 5))
    ledger = ARCHITECTURES.load(family).count_terms(config)
    rows = ledger.tree
    layers = next(i for i, row in enumerate(rows) if row[1] == "One layer")

    one, parts = rows[layers], [r for r in rows[layers + 1 :] if r[0] == 3]

    assert one[3] == sum(part[3] for part in parts)
    assert rows[layers - 1][3] == 3 * one[3]
    top = [row[3] for row in rows if row[0] == 1]
    drawn = sum(t.count for t in ledger.terms if t.name not in NOT_DRAWN.get(family, ()))
    assert sum(top) == drawn


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
