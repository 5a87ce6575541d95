"""Phi-1, Phi-1.5 and Phi-2, in today's format and in the one they were first published in.

Biases everywhere, one norm a layer, an output projection of its own with a bias. The first
format (`mixformer-sequential`) numbers all modules in one row: the word embeddings are
layer 0, the output projection is layer L + 1.

Source: Gunasekar et al. 2023 (arXiv:2306.11644), section 2.3; transformers 5.23,
`models/phi/modeling_phi.py` and `configuration_phi.py` for what a missing key means; for the
first format `modeling_mixformer_sequential.py`, published beside the weights.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    CLASSES,
    LAST_NORM,
    NORM,
    Architecture,
    Blueprint,
    D,
    F,
    H,
    K,
    Keys,
    L,
    Module,
    S,
    Stack,
    V,
    decoder_ledger,
    numbered,
    plan_attention,
    plan_decoder_heads,
    read_sizes,
    times,
    total,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.formula import Constant

DEFAULTS = {
    "vocab_size": 51200,
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 24,
    "num_attention_heads": 32,
}
NETWORK = (
    ("ffn.in", message("feed-forward, first matrix"), "ffn", "mlp.fc1", D, F),
    ("ffn.out", message("feed-forward, second matrix"), "ffn", "mlp.fc2", F, D),
)
FIRST_ATTENTION = (
    (
        "attention.qkv",
        message("query, key and value projections"),
        "attention",
        "mixer.Wqkv",
        D,
        times(S, total([H, times(Constant(2), K)])),
    ),
    (
        "attention.output",
        message("attention output projections"),
        "attention",
        "mixer.out_proj",
        times(H, S),
        D,
    ),
)
HEAD_NORMS = message("layer norms of queries and keys (weight and bias)")


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a Phi model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="phi", values={}))
        >>> ledger.scope("all").total
        1418270720
    """
    plan, keys, stack = draw_plan(config)
    tied = keys.switch("tie_word_embeddings", default=False)
    return decoder_ledger("phi", "Phi", plan, keys, {message("Decoder"): stack}, tied=tied)


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"causal_lm"`, `"classification"`, `"tokens"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys, Stack]:
    """Write down every part of the model."""
    if config.model_type != "phi":
        return draw_first_format(config)
    keys = Keys(config, DEFAULTS)
    values = read_sizes(keys)
    plan = Blueprint(values=values, prefix="model.")
    stack = Stack(stem="layers.#", numbers=numbered(values[L.key]), count=L)
    plan.words("embed_tokens", V, D)
    plan_attention(plan, stack, bias=True, output_bias=True, output="self_attn.dense")
    if keys.switch("qk_layernorm", default=False):
        for name in ("self_attn.q_layernorm", "self_attn.k_layernorm"):
            plan.norm("attention.norm", HEAD_NORMS, name, S, bias=True, stack=stack)
    plan.linears(NETWORK, bias=True, stack=stack)
    plan.norm("norm", NORM, "input_layernorm", D, bias=True, stack=stack)
    plan.norm("final.norm", LAST_NORM, "final_layernorm", D, bias=True)
    tied = keys.switch("tie_word_embeddings", default=False)
    plan_decoder_heads(plan, tied=tied, bias=True)
    return plan, keys, stack


def draw_first_format(config: ModelConfig) -> tuple[Blueprint, Keys, Stack]:
    """Write down every part under the names of the first format.

    Weights that were converted half-way (`phi-msft`) use the second spelling.
    """
    # The class of this format is in no library, so every size must be in the file.
    keys = Keys(config, {})
    values = read_first_sizes(keys)
    last = values[L.key] + 1
    plan = Blueprint(values=values)
    stack = Stack(
        stem="layers.#",
        pattern=f"layers.(?!{last}.)#",
        numbers=tuple((layer,) for layer in range(1, last)),
        count=L,
        also=("transformer.h.#",),
    )
    plan.words("layers.0.wte", V, D, also=("transformer.embd.wte",))
    plan.linears(FIRST_ATTENTION + NETWORK, bias=True, stack=stack)
    plan.norm("norm", NORM, "ln", D, bias=True, stack=stack)
    plan.norm("final.norm", LAST_NORM, f"layers.{last}.ln", D, bias=True, also=("lm_head.ln",))
    tied = keys.switch("tie_word_embeddings", default=False)
    name, also = f"layers.{last}.linear", ("lm_head.linear",)
    plan_decoder_heads(plan, tied=tied, module=name, also=also, bias=True)
    return plan, keys, stack


def read_first_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes of the first format; a null `n_inner` is four times the width."""
    width, heads = keys.whole("n_embd"), keys.whole("n_head")
    return {
        V.key: keys.whole("vocab_size"),
        D.key: width,
        L.key: keys.whole("n_layer"),
        F.key: keys.optional("n_inner") or 4 * width,
        H.key: heads,
        K.key: keys.optional("n_head_kv") or heads,
        S.key: width // heads,
        CLASSES.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
