"""Attention with grouped queries and the gated feed-forward network."""

from __future__ import annotations

from reportgen.architectures._terms.blueprint import Blueprint, Stack, times
from reportgen.architectures._terms.decoder import D, F, L, V
from reportgen.architectures._terms.keys import Keys
from reportgen.architectures._terms.model import CLASSES, HEAD_SIZE, HEADS, KV_HEADS
from reportgen.languages import message
from reportgen.records.formula import Expression

H, K, S = HEADS, KV_HEADS, HEAD_SIZE


def plan_attention(
    plan: Blueprint,
    stack: Stack,
    *,
    bias: bool = False,
    output_bias: bool = False,
    output: str = "self_attn.o_proj",
    normed: bool = False,
) -> None:
    """Write down the four projections of every layer.

    Args:
        plan: Where to write.
        stack: The layers.
        bias: Whether query, key and value have biases.
        output_bias: Whether the output projection has one.
        output: Name of the output projection.
        normed: Whether queries and keys go through an RMS norm of one head's width.
    """
    queries, shared = times(H, S), times(K, S)
    for name, label, module, inputs, outputs in (
        ("query", message("query projections"), "self_attn.q_proj", D, queries),
        ("key", message("key projections"), "self_attn.k_proj", D, shared),
        ("value", message("value projections"), "self_attn.v_proj", D, shared),
        ("output", message("attention output projections"), output, queries, D),
    ):
        plan.add(
            "linear",
            f"attention.{name}",
            label,
            "attention",
            module,
            inputs=inputs,
            outputs=outputs,
            bias=output_bias if name == "output" else bias,
            stack=stack,
        )
    if normed:
        for name in ("q_norm", "k_norm"):
            label = message("RMS norms of queries and keys (weight)")
            plan.norm("attention.norm", label, f"self_attn.{name}", S, stack=stack)


def plan_gated(
    plan: Blueprint,
    stack: Stack,
    inner: Expression = F,
    *,
    bias: bool = False,
    name: str = "ffn",
    module: str = "mlp",
    words: str = message("feed-forward"),
) -> None:
    """Write down the three matrices of a gated network in every layer.

    Args:
        plan: Where to write.
        stack: The layers.
        inner: Inner width.
        bias: Whether the matrices have biases.
        name: Begins the names of the terms.
        module: Name of the network below a layer.
        words: Begins the labels.
    """
    for part, label, inputs, outputs in (
        ("gate", message("{network}, gate matrix", network=words), D, inner),
        ("up", message("{network}, first matrix", network=words), D, inner),
        ("down", message("{network}, second matrix", network=words), inner, D),
    ):
        plan.add(
            "linear",
            f"{name}.{part}",
            label,
            "ffn",
            f"{module}.{part}_proj",
            inputs=inputs,
            outputs=outputs,
            bias=bias,
            stack=stack,
        )


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
