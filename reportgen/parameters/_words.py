"""Tables of words: symbols of configuration keys, and what the parts of a model are called.

A row is added where a model type spells a thing in another way; nothing here counts anything.
"""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.languages import message

# Letter, subscript, meaning, and the keys that spell it. The first spelling is the usual one.
SYMBOLS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("V", "", message("size of the vocabulary"), ("vocab_size",)),
    (
        *("d", "", message("width of the hidden states")),
        (
            *("hidden_size", "n_embd", "n_embed", "d_model", "dim", "embed_dim", "model_dim"),
            *("encoder_embed_dim", "hidden_dim_size"),
        ),
    ),
    (
        *("d", "emb", message("width of the embeddings")),
        ("embedding_size", "word_embed_proj_dim", "emb_dim"),
    ),
    (
        *("L", "", message("number of layers")),
        ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "depth", "encoder_layers"),
    ),
    ("L", "enc", message("layers of the encoder"), ("encoder_layers", "num_encoder_layers")),
    ("L", "dec", message("layers of the decoder"), ("decoder_layers", "num_decoder_layers")),
    (
        *("P", "", message("rows of the position table")),
        ("max_position_embeddings", "n_positions", "n_ctx", "max_positions", "block_size"),
    ),
    ("P", "enc", message("positions of the encoder"), ("max_source_positions",)),
    ("P", "dec", message("positions of the decoder"), ("max_target_positions",)),
    (
        *("P", "rel", message("buckets of relative positions")),
        ("relative_attention_num_buckets", "position_buckets", "max_relative_positions"),
    ),
    ("T", "", message("rows of the token-type table"), ("type_vocab_size",)),
    (
        *("d", "ff", message("inner width of the feed-forward network")),
        (
            *("intermediate_size", "n_inner", "hidden_dim", "d_ff", "ffn_dim", "ffn_hidden_size"),
            *("inner_dim", "encoder_ffn_embed_dim", "dim_feedforward", "mlp_dim"),
        ),
    ),
    (
        *("d", "enc", message("inner width of the encoder's feed-forward networks")),
        ("encoder_ffn_dim",),
    ),
    (
        *("d", "dec", message("inner width of the decoder's feed-forward networks")),
        ("decoder_ffn_dim",),
    ),
    (
        *("H", "", message("attention heads")),
        ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    ),
    ("H", "enc", message("attention heads of the encoder"), ("encoder_attention_heads",)),
    ("H", "dec", message("attention heads of the decoder"), ("decoder_attention_heads",)),
    (
        *("H", "kv", message("key and value heads (grouped queries)")),
        ("num_key_value_heads", "num_kv_heads", "n_head_kv"),
    ),
    ("d", "h", message("width of one attention head"), ("head_dim", "d_kv", "kv_channels")),
    (
        *("E", "", message("experts of a layer")),
        ("num_experts", "num_local_experts", "n_routed_experts", "num_routed_experts"),
    ),
    ("k", "", message("experts that a token passes through"), ("num_experts_per_tok",)),
    (
        *("d", "exp", message("inner width of one expert")),
        ("moe_intermediate_size", "expert_ffn_hidden_size"),
    ),
    (
        *("d", "sh", message("inner width of the shared expert")),
        ("shared_expert_intermediate_size", "shared_intermediate_size"),
    ),
    ("E", "sh", message("shared experts"), ("n_shared_experts", "num_shared_experts")),
    ("k", "conv", message("width of the convolution"), ("conv_kernel_size",)),
    ("B", "", message("frequency bands of the spectrogram"), ("num_mel_bins",)),
    ("B", "", message("different layers in one group"), ("inner_group_num",)),
    ("G", "", message("groups of layers that share their weights"), ("num_hidden_groups",)),
    (
        *("d", "pool", message("width of the pooler")),
        ("pooler_hidden_size", "pooler_output_size"),
    ),
    ("I", "", message("pixels of an image's side"), ("image_size",)),
    ("s", "", message("pixels of a patch's side"), ("patch_size",)),
    ("c", "", message("colour channels"), ("num_channels", "in_channels", "in_chans")),
    ("d", "p", message("width of the common space"), ("projection_dim",)),
    ("r", "q", message("rank of the queries"), ("q_lora_rank",)),
    ("r", "kv", message("rank of the keys and values"), ("kv_lora_rank",)),
    ("d", "n", message("width of a head without positions"), ("qk_nope_head_dim",)),
    ("d", "r", message("width of a head with positions"), ("qk_rope_head_dim",)),
    ("d", "v", message("width of the values of a head"), ("v_head_dim",)),
    (
        *("N", "", message("width of the state")),
        ("state_size", "mamba_d_state", "ssm_state_size", "d_state"),
    ),
    ("C", "", message("classes of the classification head"), ("num_labels", "num_classes")),
)

# First word found in a module's name to the block of a layer that it belongs to.
BLOCKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "cross",
        (
            *("crossattention", "cross_attn", "crossattn", "encoder_attn", "cross_attention"),
            *("encdecattention", "encoder_decoder_attention", "enc_dec_attention"),
        ),
    ),
    ("shared", ("shared_expert", "shared_mlp", "shared_experts")),
    ("router", ("router",)),
    ("experts", ("experts", "expert")),
    ("state", ("mamba", "ssm", "a_log", "dt_", "conv1d", "linear_attn", "rwkv", "rglru")),
    ("attention", ("attention", "attn")),
    (
        "ffn",
        (
            *("mlp", "ffn", "feed_forward", "feedforward", "intermediate", "densereludense"),
            *("fc1", "fc2", "lin1", "lin2", "dense_h_to_4h", "dense_4h_to_h", "output"),
            *("wi_0", "wi_1", "c_fc", "up_proj", "down_proj", "gate_proj"),
        ),
    ),
    ("convolution", ("conv",)),
)
# A gate that is a module of its own and no gated matrix chooses experts.
ROUTERS = frozenset({"gate", "gate_weight", "wg"})

# Last word of a module's name to the piece of its block.
ATTENTION_PIECES: Mapping[str, tuple[str, ...]] = {
    "query": ("q", "q_proj", "query", "q_lin", "wq", "query_proj", "to_q", "linear_q", "q_b_proj"),
    "key": ("k", "k_proj", "key", "k_lin", "wk", "key_proj", "to_k", "linear_k"),
    "value": ("v", "v_proj", "value", "v_lin", "wv", "value_proj", "to_v", "linear_v"),
    "output": (
        *("o", "o_proj", "out_proj", "out_lin", "wo", "dense", "c_proj", "proj", "to_out"),
        *("linear_out", "output", "out"),
    ),
    "qkv": (
        *("qkv", "qkv_proj", "query_key_value", "c_attn", "wqkv", "in_proj", "in_proj_weight"),
        *("in_proj_bias", "w_pack"),
    ),
    "kv": ("kv", "kv_proj", "kv_b_proj", "key_value"),
    "low": ("q_a_proj", "kv_a_proj_with_mqa", "kv_a_proj", "q_down_proj", "kv_down_proj"),
    "position": ("pos_key_proj", "pos_query_proj", "pos_proj", "pos_q_proj", "linear_pos"),
    "talking": ("head_logits_proj", "head_weights_proj"),
}
NETWORK_PIECES: Mapping[str, tuple[str, ...]] = {
    "gate_up": ("gate_up_proj", "gate_up_proj_bias"),
    "gate": ("gate_proj", "w1", "wi_0", "gate"),
    "up": ("up_proj", "w3", "wi_1"),
    "in": (
        *("fc1", "lin1", "c_fc", "dense_h_to_4h", "wi", "linear1", "linear_1", "fc_in"),
        "linear_fc1",
        *("intermediate.dense", "in_proj", "up"),
    ),
    "down": ("down_proj", "down_proj_bias", "w2", "wo", "down"),
    "out": (
        *("fc2", "lin2", "c_proj", "dense_4h_to_h", "linear2", "linear_2", "fc_out"),
        "linear_fc2",
        *("output.dense", "out_proj"),
    ),
}

# Piece of a term to its label; a side of the model is said in front.
LABELS: Mapping[str, str] = {
    "embeddings.word": message("word embeddings"),
    "embeddings.position": message("position embeddings"),
    "embeddings.token_type": message("token-type embeddings"),
    "embeddings.norm": message("layer norm of the embeddings"),
    "embeddings.projection": message("projection of the embeddings to the layers"),
    "embeddings.class": message("class token"),
    "embeddings.patch": message("projection of the patches"),
    "embeddings.relative": message("relative-position embeddings"),
    "embeddings.convolution": message("convolutions in front of the layers"),
    "common": message("projections to a common space"),
    "attention.query": message("query projections"),
    "attention.key": message("key projections"),
    "attention.value": message("value projections"),
    "attention.output": message("attention output projections"),
    "attention.qkv": message("query, key and value projections"),
    "attention.kv": message("key and value projections"),
    "attention.low": message("projections to the low ranks of the attention"),
    "attention.position": message("projections of the relative positions"),
    "attention.talking": message("matrices between the heads"),
    "attention.other": message("other weights of the attention"),
    "attention.norm": message("norms of queries and keys"),
    "cross.query": message("cross-attention, query projections"),
    "cross.key": message("cross-attention, key projections"),
    "cross.value": message("cross-attention, value projections"),
    "cross.output": message("cross-attention, output projections"),
    "cross.qkv": message("cross-attention, query, key and value projections"),
    "cross.kv": message("cross-attention, key and value projections"),
    "cross.other": message("cross-attention, other weights"),
    "cross.norm": message("norms of queries and keys of the cross-attention"),
    "ffn.in": message("feed-forward, first matrix"),
    "ffn.out": message("feed-forward, second matrix"),
    "ffn.gate": message("feed-forward, gate matrix"),
    "ffn.up": message("feed-forward, first matrix"),
    "ffn.down": message("feed-forward, second matrix"),
    "ffn.gate_up": message("feed-forward, gate and first matrix"),
    "ffn.other": message("feed-forward, other weights"),
    "router": message("router"),
    "experts.gate_up": message("experts, gate and first matrices"),
    "experts.gate": message("experts, gate matrices"),
    "experts.up": message("experts, first matrices"),
    "experts.in": message("experts, first matrices"),
    "experts.down": message("experts, second matrices"),
    "experts.out": message("experts, second matrices"),
    "experts.other": message("experts, other weights"),
    "shared.gate_up": message("shared expert, gate and first matrix"),
    "shared.gate": message("shared expert, gate matrix"),
    "shared.up": message("shared expert, first matrix"),
    "shared.in": message("shared expert, first matrix"),
    "shared.down": message("shared expert, second matrix"),
    "shared.out": message("shared expert, second matrix"),
    "shared.switch": message("gate of the shared expert"),
    "shared.other": message("shared expert, other weights"),
    "state": message("state-space blocks"),
    "convolution": message("convolutions"),
    "other": message("other weights"),
    "final.norm": message("last norm"),
    "back": message("projection back to the width of the embeddings"),
    "pooler": message("pooler"),
    "lm_head": message("language-model head"),
    "lm_head.dense": message("language-model head, dense layer"),
    "lm_head.norm": message("language-model head, layer norm"),
    "lm_head.projection": message("language-model head, projection to the vocabulary"),
    "lm_head.bias": message("language-model head, bias"),
    "classifier": message("classification head"),
    "classifier.dense": message("classification head, dense layer"),
    "classifier.out": message("classification head, output layer"),
    "classifier.norm": message("classification head, norm"),
    "classifier.bias": message("classification head, bias"),
    "token_head": message("token classification head"),
    "token_bias": message("bias of the token classification head"),
    "pretraining": message("heads of the pre-training"),
    "questions": message("question-answering head"),
    "head": message("head"),
}
BIASES: Mapping[str, str] = {
    "attention": message("biases of the attention projections"),
    "cross": message("biases of the cross-attention projections"),
    "ffn": message("biases of the feed-forward network"),
    "router": message("biases of the router"),
    "experts": message("biases of the experts"),
    "shared": message("biases of the shared expert"),
    "state": message("biases of the state-space blocks"),
    "convolution": message("biases of the convolutions"),
    "other": message("other biases"),
}
# Norms a layer, and whether they have biases, to the label.
NORMS: Mapping[tuple[int, bool], str] = {
    (1, True): message("layer norm a layer (weight and bias)"),
    (1, False): message("RMS norm a layer (weight)"),
    (2, True): message("two layer norms a layer (weight and bias)"),
    (2, False): message("two RMS norms a layer (weight)"),
    (3, True): message("three layer norms a layer (weight and bias)"),
    (3, False): message("three RMS norms a layer (weight)"),
    (4, False): message("four RMS norms a layer (weight)"),
}
MORE_NORMS = message("norms of the layers")
TIED = message("tied to the word embeddings: counted once, there")
# Words inside a name outside of layers to the piece of the embeddings.
EMBEDDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("class", ("cls_token", "class_token", "class_embedding", "mask_token", "distillation_token")),
    ("position", ("position", "wpe", "pos_embed", "embed_positions", "pos_emb")),
    ("token_type", ("token_type", "segment_emb")),
    ("patch", ("patch",)),
    ("convolution", ("conv", "stem")),
    (
        "projection",
        ("projection", "project_in", "embeddings_project", "embedding_hidden", "embed_proj"),
    ),
)
# Words inside a name outside of layers to the block behind them.
BEHIND: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("pooler", ("pooler",)),
    ("lm_head", ("lm_head", "cls.predictions")),
    ("classifier", ("classifier",)),
    ("back", ("project_out",)),
)
# What a model's parts are called after the names of their modules; the names themselves
# where none is here.
SIDES: Mapping[str, str] = {
    "encoder": message("encoder"),
    "decoder": message("decoder"),
    "vision": message("vision"),
    "text": message("text"),
    "audio": message("audio"),
}
# Other words for the same side.
SAME_SIDES: Mapping[str, str] = {"language": "text", "visual": "vision"}
# The words that names of sides have besides.
SIDE_WORDS = ("_model", "_tower", "_encoder", "_backbone", "_module")
