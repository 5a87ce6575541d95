"""BLOOM: no position table (ALiBi), a layer norm behind the word embeddings.

Source: Scao et al. 2022 (arXiv:2211.05100), section 3; transformers
`models/bloom/modeling_bloom.py`.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    BODY,
    CLASSES,
    INNER,
    Architecture,
    D,
    Keys,
    L,
    Module,
    Node,
    Sheet,
    V,
    add_fused_layers,
    add_heads,
    decoder_heads,
    decoder_scopes,
    layer_norm,
    norm_module,
    symbol_table,
    tree_rows,
)
from reportgen.records.checkpoint import Ledger, ModelConfig

DEFAULTS = {"vocab_size": 250880, "hidden_size": 64, "n_layer": 2, "n_head": 8}

B = "(transformer.)?"
STEMS = {
    "qkv": f"{B}h.#.self_attention.query_key_value",
    "output": f"{B}h.#.self_attention.dense",
    "in": f"{B}h.#.mlp.dense_h_to_4h",
    "out": f"{B}h.#.mlp.dense_4h_to_h",
    "norm": f"{B}h.#.(input_layernorm|post_attention_layernorm)",
}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a BLOOM model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> values = {"n_embed": 1024, "n_layer": 24, "num_attention_heads": 16}
        >>> ledger = count_terms(ModelConfig(source=source, model_type="bloom", values=values))
        >>> ledger.scope("all").total
        559214592
    """
    keys = Keys(config, DEFAULTS)
    values = read_sizes(keys)
    tied = keys.switch("tie_word_embeddings", default=True)
    sheet = Sheet(values=values)
    sheet.add(
        "embeddings.word", "word embeddings", "embedding", V * D, f"{B}word_embeddings.weight"
    )
    sheet.add(
        "embeddings.norm",
        "layer norm of the embeddings (weight and bias)",
        "norm",
        2 * D,
        f"{B}word_embeddings_layernorm.{layer_norm()}",
    )
    add_fused_layers(sheet, STEMS, values[L.key])
    sheet.add(
        "final.norm",
        "last layer norm (weight and bias)",
        "norm",
        2 * D,
        f"{B}ln_f.{layer_norm()}",
    )
    add_heads(sheet, tied=tied)
    return Ledger(
        family="bloom",
        terms=tuple(sheet.terms),
        scopes=decoder_scopes(sheet.terms, tied=tied),
        symbols=symbol_table(t for t in sheet.terms if t.role in BODY),
        tree=tree_rows(sheet.terms, tree_nodes(keys, values, tied=tied)),
        notes=tuple(keys.notes),
    )


def tree_nodes(keys: Keys, values: dict[str, int], *, tied: bool) -> tuple[Node, ...]:
    """Return the module tree; counts below a layer are those of one layer."""
    d, layers, inner = values[D.key], values[L.key], values[INNER.key]
    heads = keys.whole("n_head", "num_attention_heads")
    return (
        Node(0, "", "BLOOM", f"{layers} layers, width {d}, {heads} attention heads"),
        Node(1, "embeddings", "Embeddings"),
        Node(2, "embeddings.word", "Word embeddings", f"{values[V.key]} × {d}"),
        Node(2, "embeddings.norm", "Layer norm", f"{d} weights, {d} biases"),
        Node(1, "layers", "Decoder", f"{layers} identical layers"),
        Node(2, "layers.layer", "One layer", "", layers),
        Node(3, "layers.layer.attention", "Self-attention", f"{d} → 3 × {d} → {d}", layers),
        Node(3, "layers.layer.ffn", "Feed-forward network", f"{d} → {inner} → {d}", layers),
        Node(3, "layers.layer.norm", "Two layer norms", f"{d} weights, {d} biases each", layers),
        Node(1, "final.norm", "Last layer norm", f"{d} weights, {d} biases"),
        Node(1, "lm_head", "Language-model head", f"{d} → {values[V.key]}" + ", tied" * tied),
    )


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"causal_lm"`, `"classification"`, `"tokens"`, or empty for the bare model.
    """
    keys = Keys(config, DEFAULTS)
    values = read_sizes(keys)
    d, inner = values[D.key], values[INNER.key]
    prefix = "transformer." if head else ""
    found = [
        Module(
            name=f"{prefix}word_embeddings",
            kind="embedding",
            in_features=values[V.key],
            out_features=d,
        ),
        norm_module(f"{prefix}word_embeddings_layernorm", d),
    ]
    for layer in range(values[L.key]):
        stem = f"{prefix}h.{layer}"
        linear = (
            (f"{stem}.self_attention.query_key_value", d, 3 * d),
            (f"{stem}.self_attention.dense", d, d),
            (f"{stem}.mlp.dense_h_to_4h", d, inner),
            (f"{stem}.mlp.dense_4h_to_h", inner, d),
        )
        found.append(norm_module(f"{stem}.input_layernorm", d))
        found += [
            Module(name=n, kind="linear", in_features=i, out_features=o, bias=True)
            for n, i, o in linear
        ]
        found.append(norm_module(f"{stem}.post_attention_layernorm", d))
    tied = keys.switch("tie_word_embeddings", default=True)
    last = decoder_heads(head, d, values[V.key], values[CLASSES.key], tied=tied)
    return (*found, norm_module(f"{prefix}ln_f", d), *last)


def read_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes as symbol key to number; BLOOM's inner width is always four times d.

    The first published configurations say `n_embed` for the width, as the configuration
    class reads them still.
    """
    width = keys.whole("n_embed", "hidden_size")
    return {
        V.key: keys.whole("vocab_size"),
        D.key: width,
        L.key: keys.whole("n_layer", "num_hidden_layers"),
        INNER.key: 4 * width,
        CLASSES.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules)
