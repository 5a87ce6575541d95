"""LLaMA and its relatives: Mistral, Qwen2, Gemma.

Grouped queries (fewer key and value heads than query heads), a head width of its own, a
gated feed-forward network of three matrices, norms without bias, no position table.

Source: Touvron et al. 2023 (arXiv:2302.13971), section 2.2; Ainslie et al. 2023
(arXiv:2305.13245); transformers `models/{llama,mistral,qwen2,gemma}/modeling_*.py`.
"""

from __future__ import annotations

from reportgen.architectures._decoder import (
    BODY,
    D,
    F,
    L,
    V,
    add_heads,
    decoder_heads,
    decoder_scopes,
    norm_module,
)
from reportgen.architectures._keys import Keys
from reportgen.architectures._terms import (
    CLASSES,
    HEAD_SIZE,
    HEADS,
    KV_HEADS,
    Architecture,
    Module,
    Node,
    Sheet,
    symbol_table,
    tree_rows,
)
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.formula import Constant, Expression

DEFAULTS = {
    "llama": {
        "vocab_size": 32000,
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
    },
    "mistral": {
        "vocab_size": 32000,
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
    },
    "qwen2": {
        "vocab_size": 151936,
        "hidden_size": 4096,
        "intermediate_size": 22016,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 32,
    },
    "gemma": {
        "vocab_size": 256000,
        "hidden_size": 3072,
        "intermediate_size": 24576,
        "num_hidden_layers": 28,
        "num_attention_heads": 16,
        "num_key_value_heads": 16,
        "head_dim": 256,
    },
}
TITLES = {"llama": "LLaMA", "mistral": "Mistral", "qwen2": "Qwen2", "gemma": "Gemma"}
# Of the four, Gemma alone ties its output projection when the file does not say.
TIED = frozenset({"gemma"})

H, K, S = HEADS, KV_HEADS, HEAD_SIZE
M = "(model.)?"
ATTENTION = f"{M}layers.#.self_attn"


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a LLaMA-like model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="llama", values={}))
        >>> ledger.scope("all").total
        6738415616
    """
    keys = read_keys(config)
    values = read_sizes(keys)
    tied = keys.switch("tie_word_embeddings", default=config.model_type in TIED)
    sheet = Sheet(values=values)
    sheet.add("embeddings.word", "word embeddings", "embedding", V * D, f"{M}embed_tokens.weight")
    add_attention(sheet, keys, config.model_type)
    add_feed_forward(sheet, keys)
    layers = values[L.key]
    sheet.add(
        "layer.norm",
        "two RMS norms a layer (weight)",
        "norm",
        2 * L * D,
        f"{M}layers.#.(input_layernorm|post_attention_layernorm).weight",
        module="layers.layer.norm",
        repeat=layers,
    )
    sheet.add("final.norm", "last RMS norm (weight)", "norm", D, f"{M}norm.weight")
    add_heads(sheet, tied=tied)
    return Ledger(
        family="llama",
        terms=tuple(sheet.terms),
        scopes=decoder_scopes(sheet.terms, tied=tied),
        symbols=symbol_table(t for t in sheet.terms if t.role in BODY),
        tree=tree_rows(sheet.terms, tree_nodes(TITLES[config.model_type], values, tied=tied)),
        notes=tuple(keys.notes),
    )


def add_attention(sheet: Sheet, keys: Keys, model_type: str) -> None:
    """Write the four projections and, where the model has them, their biases."""
    layers = sheet.values[L.key]
    matrices: tuple[tuple[str, str, str, Expression], ...] = (
        ("query", "q_proj", "query projections", L * D * H * S),
        ("key", "k_proj", "key projections", L * D * K * S),
        ("value", "v_proj", "value projections", L * D * K * S),
        ("output", "o_proj", "attention output projections", L * H * S * D),
    )
    for name, tensor, label, formula in matrices:
        sheet.add(
            f"attention.{name}.weight",
            label,
            "attention",
            formula,
            f"{ATTENTION}.{tensor}.weight",
            module=f"layers.layer.attention.{name}",
            repeat=layers,
        )
    inner, outer = attention_biases(keys, model_type)
    if inner:
        sheet.add(
            "attention.bias",
            "biases of the attention projections",
            "bias",
            L * (H * S + 2 * K * S + D) if outer else L * (H * S + 2 * K * S),
            f"{ATTENTION}.(q_proj|k_proj|v_proj{'|o_proj' * outer}).bias",
            module="layers.layer.attention",
            repeat=layers,
        )


def add_feed_forward(sheet: Sheet, keys: Keys) -> None:
    """Write the three matrices of the gated network and their biases."""
    layers = sheet.values[L.key]
    for name, tensor, label in (
        ("gate", "gate_proj", "feed-forward, gate matrix"),
        ("up", "up_proj", "feed-forward, first matrix"),
        ("down", "down_proj", "feed-forward, second matrix"),
    ):
        sheet.add(
            f"ffn.{name}.weight",
            label,
            "ffn",
            L * F * D if name == "down" else L * D * F,
            f"{M}layers.#.mlp.{tensor}.weight",
            module=f"layers.layer.ffn.{name}",
            repeat=layers,
        )
    if keys.switch("mlp_bias", default=False):
        sheet.add(
            "ffn.bias",
            "biases of the feed-forward network",
            "bias",
            L * (Constant(2) * F + D),
            f"{M}layers.#.mlp.(gate_proj|up_proj|down_proj).bias",
            module="layers.layer.ffn",
            repeat=layers,
        )


def tree_nodes(title: str, values: dict[str, int], *, tied: bool) -> tuple[Node, ...]:
    """Return the module tree; counts below a layer are those of one layer."""
    d, layers, size = values[D.key], values[L.key], values[S.key]
    shapes = (
        f"{values[H.key]} query heads, {values[K.key]} key and value heads of {size}; "
        f"{d} → {values[H.key] * size} → {d}"
    )
    return (
        Node(0, "", title, f"{layers} layers, width {d}, {values[H.key]} attention heads"),
        Node(1, "embeddings.word", "Word embeddings", f"{values[V.key]} × {d}"),
        Node(1, "layers", "Decoder", f"{layers} identical layers"),
        Node(2, "layers.layer", "One layer", "", layers),
        Node(3, "layers.layer.attention", "Self-attention", shapes, layers),
        Node(
            3,
            "layers.layer.ffn",
            "Gated feed-forward network",
            f"{d} → 2 × {values[F.key]} → {d}",
            layers,
        ),
        Node(3, "layers.layer.norm", "Two RMS norms", f"{d} weights each", layers),
        Node(1, "final.norm", "Last RMS norm", f"{d} weights"),
        Node(1, "lm_head", "Language-model head", f"{d} → {values[V.key]}" + ", tied" * tied),
    )


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"causal_lm"`, `"classification"`, `"tokens"`, or empty for the bare model.
    """
    keys = read_keys(config)
    values = read_sizes(keys)
    d, inner = values[D.key], values[F.key]
    queries, shared = values[H.key] * values[S.key], values[K.key] * values[S.key]
    bias, outer = attention_biases(keys, config.model_type)
    gated = keys.switch("mlp_bias", default=False)
    prefix = "model." if head else ""
    linear = (
        ("self_attn.q_proj", d, queries, bias),
        ("self_attn.k_proj", d, shared, bias),
        ("self_attn.v_proj", d, shared, bias),
        ("self_attn.o_proj", queries, d, outer),
        ("mlp.gate_proj", d, inner, gated),
        ("mlp.up_proj", d, inner, gated),
        ("mlp.down_proj", inner, d, gated),
    )
    found = [
        Module(
            name=f"{prefix}embed_tokens",
            kind="embedding",
            in_features=values[V.key],
            out_features=d,
        )
    ]
    for layer in range(values[L.key]):
        stem = f"{prefix}layers.{layer}"
        found += [
            Module(name=f"{stem}.{n}", kind="linear", in_features=i, out_features=o, bias=b)
            for n, i, o, b in linear
        ]
        found.append(norm_module(f"{stem}.input_layernorm", d, bias=False))
        found.append(norm_module(f"{stem}.post_attention_layernorm", d, bias=False))
    tied = keys.switch("tie_word_embeddings", default=config.model_type in TIED)
    last = decoder_heads(head, d, values[V.key], values[CLASSES.key], tied=tied)
    return (*found, norm_module(f"{prefix}norm", d, bias=False), *last)


def attention_biases(keys: Keys, model_type: str) -> tuple[bool, bool]:
    """Return whether query, key and value have biases, and whether the output has one."""
    if model_type == "qwen2":
        return True, False
    everywhere = model_type != "mistral" and keys.switch("attention_bias", default=False)
    return everywhere, everywhere


def read_keys(config: ModelConfig) -> Keys:
    """Return the configuration with the default values of its own model type."""
    return Keys(config, DEFAULTS[config.model_type])


def read_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes as symbol key to number.

    A key for grouped queries that is null, or that LLaMA's first files lack, means one key
    and value head for every query head; a missing head width is width / heads.
    """
    width, heads = keys.whole("hidden_size"), keys.whole("num_attention_heads")
    grouped = keys.optional("num_key_value_heads")
    if grouped is None:
        told = "num_key_value_heads" in keys.values or "num_key_value_heads" not in keys.defaults
        grouped = heads if told else keys.whole("num_key_value_heads")
    own = "head_dim" in keys.defaults or keys.has("head_dim")
    return {
        V.key: keys.whole("vocab_size"),
        D.key: width,
        L.key: keys.whole("num_hidden_layers"),
        F.key: keys.whole("intermediate_size"),
        H.key: heads,
        K.key: grouped,
        S.key: keys.whole("head_dim") if own else width // heads,
        CLASSES.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules)
