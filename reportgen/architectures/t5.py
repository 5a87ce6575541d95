"""T5 and mT5: no biases, RMS norms, relative positions in the first layer of each side.

Whether the output projection is tied is what the file says. transformers 5 sets it to true
for every file while the published T5 1.1 and mT5 weights hold a projection of their own
(github.com/huggingface/transformers, number 42815): the file and the weights count here.
Of a file that does not say, the library that wrote it decides: mT5's own class unties in
transformers 4 (4.57, `configuration_mt5.py`) and ties in transformers 5.

Source: Raffel et al. 2020 (arXiv:1910.10683), section 2.1; Shazeer 2020 (arXiv:2002.05202),
section 2; transformers 5.23, `models/{t5,mt5}`: `modeling_*.py`, and `configuration_*.py` for
what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    ATTENTIONS,
    DECODER_LAYERS,
    ENCODER_LAYERS,
    HEAD_SIZE,
    HEADS,
    INNER,
    LAST_RMS_NORM,
    TWO_RMS_NORMS,
    Architecture,
    Blueprint,
    C,
    D,
    Keys,
    Module,
    Part,
    Stack,
    V,
    make_stack,
    of_side,
    plan_output,
    plan_shared_table,
    plan_task_head,
    times,
    two_sided_ledger,
    write_modules,
)
from reportgen.errors import EvidenceError
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.formula import Symbol

SIZES = {"d_model": 512, "d_kv": 64, "relative_attention_num_buckets": 32}
DEFAULTS = {
    "t5": SIZES | {"vocab_size": 32128, "d_ff": 2048, "num_layers": 6, "num_heads": 8},
    "mt5": SIZES | {"vocab_size": 250112, "d_ff": 1024, "num_layers": 8, "num_heads": 6},
}
TITLES = {"t5": "T5", "mt5": "mT5"}
GATED = {"t5": "relu", "mt5": "gated-gelu"}
F, H, S = INNER, HEADS, HEAD_SIZE
RELATIVE = "block.0.layer.0.SelfAttention.relative_attention_bias"
BUCKETS = Symbol("P", "rel", meaning=message("buckets of relative positions"))


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a T5 model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="t5", values={}))
        >>> ledger.scope("all").total
        60506624
    """
    plan, keys = draw_plan(config)
    tied = is_tied(keys, config.model_type)
    return two_sided_ledger("t5", TITLES[config.model_type], plan, keys, tied=tied)


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"causal_lm"` (encoder and decoder), `"classification"`, `"tokens"` (encoder
            alone), or empty for the bare model.

    Raises:
        EvidenceError: A size is no whole number, or the token classifier's layers are a decoder's.
    """
    plan, keys = draw_plan(config)
    if head == "tokens" and is_decoder(keys):
        raise EvidenceError(
            f"{config.source.path} sets is_decoder, which gives the encoder of a token classifier "
            "a cross-attention that is not counted here",
            remedy="take is_decoder out",
        )
    # The backbone has a name of its own in classifiers alone.
    plan.prefix = plan.prefix if head in {"classification", "tokens"} else ""
    if head == "tokens":
        plan.parts = [part for part in plan.parts if not stands_in_decoder(part)]
    return write_modules(plan, head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys]:
    """Write down every part of the model."""
    kind = config.model_type
    keys = Keys(config, DEFAULTS[kind])
    values = read_sizes(keys)
    plan = Blueprint(values=values, prefix="transformer.")
    plan.words("shared", V, D, also=("(encoder|decoder).embed_tokens",))
    gated = str(keys.values.get("feed_forward_proj") or GATED[kind]).startswith("gated")
    for side, count in (("encoder", ENCODER_LAYERS), ("decoder", DECODER_LAYERS)):
        stack = make_stack(side, values[count.key], "block")
        term, label = f"{side}.position", of_side(side, message("biases of relative positions"))
        row = (term, label, "position", f"{side}.{RELATIVE}", BUCKETS, H)
        plan.table(row, note=message("kept by the first layer, used by all"))
        plan_attention(plan, stack, "attention", "layer.0.SelfAttention")
        if side == "decoder":
            plan_attention(plan, stack, "cross", "layer.1.EncDecAttention")
        plan_network(plan, stack, 2 if side == "decoder" else 1, gated=gated)
        plan_shared_table(plan, side)
        label = of_side(side, LAST_RMS_NORM)
        plan.norm(f"{side}.final_norm", label, f"{side}.final_layer_norm", D)
    plan_output(plan, "lm_head", tied=is_tied(keys, kind))
    plan_task_head(plan, tokens="" if is_decoder(keys) else "classifier")
    return plan, keys


def is_decoder(keys: Keys) -> bool:
    """Return whether the layers of a class that has one side alone are a decoder's."""
    return keys.switch("is_decoder", default=False)


def is_tied(keys: Keys, model_type: str) -> bool:
    """Return whether the output projection is the word-embedding table."""
    return keys.switch("tie_word_embeddings", default=model_type == "t5" or keys.modern())


def stands_in_decoder(part: Part) -> bool:
    """Return whether a part is the decoder's."""
    return part.term.startswith("decoder.") or (
        part.stack is not None and part.stack.prefix == "decoder."
    )


def plan_attention(plan: Blueprint, stack: Stack, term: str, module: str) -> None:
    """Write down the four projections of one kind of attention, and the norm before it."""
    side = stack.prefix.removesuffix(".")
    inner = times(H, S)
    for name in ("query", "key", "value", "output"):
        sizes = (inner, D) if name == "output" else (D, inner)
        label = of_side(side, ATTENTIONS[term][name])
        row = (f"{term}.{name}", label, "attention", f"{module}.{name[0]}", *sizes)
        plan.linear(row, stack=stack)
    plan_norm(plan, stack, module.rpartition(".")[0])


def plan_network(plan: Blueprint, stack: Stack, place: int, *, gated: bool) -> None:
    """Write down the network, with two first matrices where it is gated, and its norm."""
    side = stack.prefix.removesuffix(".")
    module = f"layer.{place}.DenseReluDense"
    first = message("feed-forward, first matrices" if gated else "feed-forward, first matrix")
    for name in ("wi_0", "wi_1") if gated else ("wi",):
        plan.linear(("ffn.in", of_side(side, first), "ffn", f"{module}.{name}", D, F), stack=stack)
    second = message("feed-forward, second matrix")
    row = ("ffn.out", of_side(side, second), "ffn", f"{module}.wo", F, D)
    plan.linear(row, stack=stack)
    plan_norm(plan, stack, f"layer.{place}")


def plan_norm(plan: Blueprint, stack: Stack, module: str) -> None:
    """Write down one norm of every layer."""
    side = stack.prefix.removesuffix(".")
    three = message("three RMS norms a layer (weight)")
    label = three if side == "decoder" else TWO_RMS_NORMS
    plan.norm("norm", of_side(side, label), f"{module}.layer_norm", D, stack=stack)


def read_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes as symbol key to number; a decoder of unstated depth is as deep."""
    layers = keys.whole("num_layers")
    return {
        V.key: keys.whole("vocab_size"),
        D.key: keys.whole("d_model"),
        F.key: keys.whole("d_ff"),
        H.key: keys.whole("num_heads"),
        S.key: keys.whole("d_kv"),
        BUCKETS.key: keys.whole("relative_attention_num_buckets"),
        ENCODER_LAYERS.key: layers,
        DECODER_LAYERS.key: keys.optional("num_decoder_layers") or layers,
        C.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
