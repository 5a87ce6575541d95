"""GPT-2.

Source: Radford et al. 2019; transformers `models/gpt2/modeling_gpt2.py` (its `Conv1D`
stores a weight as inputs × outputs).
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    BODY,
    CLASSES,
    INNER,
    POSITIONS,
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

DEFAULTS = {"vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12}

B = "(transformer.)?"
STEMS = {
    "qkv": f"{B}h.#.attn.c_attn",
    "output": f"{B}h.#.attn.c_proj",
    "in": f"{B}h.#.mlp.c_fc",
    "out": f"{B}h.#.mlp.c_proj",
    "norm": f"{B}h.#.(ln_1|ln_2)",
}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a GPT-2 model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="gpt2", values={}))
        >>> ledger.scope("all").total
        124439808
    """
    keys = Keys(config, DEFAULTS)
    values = read_sizes(keys)
    tied = keys.switch("tie_word_embeddings", default=True)
    sheet = Sheet(values=values)
    sheet.add("embeddings.word", "word embeddings", "embedding", V * D, f"{B}wte.weight")
    sheet.add(
        "embeddings.position", "position embeddings", "position", POSITIONS * D, f"{B}wpe.weight"
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
        family="gpt2",
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
        Node(0, "", "GPT-2", f"{layers} layers, width {d}, {heads} attention heads"),
        Node(1, "embeddings", "Embeddings"),
        Node(2, "embeddings.word", "Word embeddings", f"{values[V.key]} × {d}"),
        Node(2, "embeddings.position", "Position embeddings", f"{values[POSITIONS.key]} × {d}"),
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
            name=f"{prefix}{name}", kind="embedding", in_features=values[rows.key], out_features=d
        )
        for name, rows in (("wte", V), ("wpe", POSITIONS))
    ]
    for layer in range(values[L.key]):
        stem = f"{prefix}h.{layer}"
        convolutions = (
            (f"{stem}.attn.c_attn", d, 3 * d),
            (f"{stem}.attn.c_proj", d, d),
            (f"{stem}.mlp.c_fc", d, inner),
            (f"{stem}.mlp.c_proj", inner, d),
        )
        found.append(norm_module(f"{stem}.ln_1", d))
        found += [
            Module(name=n, kind="conv1d", in_features=i, out_features=o, bias=True)
            for n, i, o in convolutions
        ]
        found.append(norm_module(f"{stem}.ln_2", d))
    tied = keys.switch("tie_word_embeddings", default=True)
    last = decoder_heads(head, d, values[V.key], values[CLASSES.key], tied=tied)
    return (*found, norm_module(f"{prefix}ln_f", d), *last)


def read_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes as symbol key to number; a null `n_inner` is four times the width."""
    width = keys.whole("n_embd", "hidden_size")
    return {
        V.key: keys.whole("vocab_size"),
        D.key: width,
        L.key: keys.whole("n_layer", "num_hidden_layers"),
        POSITIONS.key: keys.whole("n_positions", "n_ctx", "max_position_embeddings"),
        INNER.key: keys.optional("n_inner") or 4 * width,
        CLASSES.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules)
