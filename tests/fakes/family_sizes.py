"""Small sizes of a model of every family."""

from __future__ import annotations

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
