"""Mixtures of experts: Mixtral, Qwen2-MoE, Qwen3-MoE.

Attention as in LLaMA; in place of one feed-forward network a router and many gated ones, of
which a token passes through a few. The scope `active` counts those few. Files keep every
expert's matrices apart; transformers 5 holds all experts of a layer in one tensor.

Source: Jiang et al. 2024 (arXiv:2401.04088), section 2; Fedus et al. 2021
(arXiv:2101.03961), section 2; transformers 5.23, `models/{mixtral,qwen2_moe,qwen3_moe}`:
`modeling_*.py`, and `configuration_*.py` for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    LAST_RMS_NORM,
    ONE,
    TWO_RMS_NORMS,
    Architecture,
    Blueprint,
    D,
    F,
    Keys,
    L,
    Module,
    Stack,
    V,
    decoder_ledger,
    numbered,
    plan_attention,
    plan_decoder_heads,
    plan_gated,
    read_sizes,
    times,
    write_modules,
)
from reportgen.errors import EvidenceError
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig, Scope
from reportgen.records.formula import Constant, Expression, Symbol

QWEN = {"vocab_size": 151936, "hidden_size": 2048, "num_hidden_layers": 24}
DEFAULTS = {
    "mixtral": {
        "vocab_size": 32000,
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "num_local_experts": 8,
        "num_experts_per_tok": 2,
    },
    "qwen2_moe": QWEN
    | {
        "intermediate_size": 5632,
        "num_attention_heads": 16,
        "num_key_value_heads": 16,
        "num_experts": 60,
        "num_experts_per_tok": 4,
        "moe_intermediate_size": 1408,
        "shared_expert_intermediate_size": 5632,
        "decoder_sparse_step": 1,
    },
    "qwen3_moe": QWEN
    | {
        "intermediate_size": 6144,
        "num_attention_heads": 32,
        "num_key_value_heads": 4,
        "num_experts": 128,
        "num_experts_per_tok": 8,
        "moe_intermediate_size": 768,
        "decoder_sparse_step": 1,
    },
}
TITLES = {"mixtral": "Mixtral", "qwen2_moe": "Qwen2-MoE", "qwen3_moe": "Qwen3-MoE"}
E = Symbol("E", meaning=message("experts of a layer"))
ACTIVE = Symbol("k", meaning=message("experts that a token passes through"))
M = Symbol("d", "exp", meaning=message("inner width of one expert"))
SHARED = Symbol("d", "sh", meaning=message("inner width of the shared expert"))
SPARSE = Symbol("L", "moe", meaning=message("layers with experts"))
DENSE = Symbol("L", "ffn", meaning=message("layers with one feed-forward network"))
# Titles of the stacks of layers.
DECODER = message("Decoder")
WITH = message("Layers with experts")
WITHOUT = message("Layers without experts")
# Mixtral's first names: gate, second and first matrix of an expert.
FIRST_NAMES = {"gate": "w1", "up": "w3", "down": "w2"}

EXPERTS = {
    "gate_up": message("experts, gate and first matrices"),
    "down": message("experts, second matrices"),
}
# How files and programs spell the experts' matrices.
STORED = {
    "gate_up": (
        "layers.#.mlp.experts.gate_up_proj",
        "layers.#.mlp.experts.#.(gate_proj|up_proj).weight",
        "layers.#.block_sparse_moe.experts.#.(w1|w3).weight",
    ),
    "down": (
        "layers.#.mlp.experts.down_proj",
        "layers.#.mlp.experts.#.down_proj.weight",
        "layers.#.block_sparse_moe.experts.#.w2.weight",
    ),
}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a mixture-of-experts model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="mixtral", values={}))
        >>> ledger.scope("all").total
        46702792704
    """
    plan, keys, stacks = draw_plan(config)
    tied = keys.switch("tie_word_embeddings", default=False)
    title = TITLES[config.model_type]
    ledger = decoder_ledger("mixture", title, plan, keys, stacks, tied=tied, body="model")
    return with_active(ledger, plan)


def with_active(ledger: Ledger, plan: Blueprint) -> Ledger:
    """Add the scope of the parameters that one token passes through."""
    every, used = plan.values[E.key], plan.values[ACTIVE.key]
    experts = sum(term.count for term in ledger.terms if term.role == "expert")
    whole = ledger.scope("all")
    total = (whole.total if whole else 0) - experts // every * (every - used)
    scope = Scope(
        name="active",
        label=message(
            "parameters that one token passes through: {used} of {every} experts a layer, "
            "all else as in `all`",
            used=used,
            every=every,
        ),
        terms=(),
        total=total,
    )
    symbols = {**ledger.symbols, ACTIVE.key: (ACTIVE.meaning, used)}
    return Ledger(
        family=ledger.family,
        terms=ledger.terms,
        scopes=(*ledger.scopes, scope),
        symbols=symbols,
        tree=ledger.tree,
        notes=ledger.notes,
    )


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"causal_lm"`, `"classification"`, `"tokens"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys, dict[str, Stack]]:
    """Write down every part of the model."""
    kind = config.model_type
    keys = Keys(config, DEFAULTS[kind])
    sparse, dense = split_layers(keys)
    plan = Blueprint(values=read_expert_sizes(keys, len(sparse), len(dense)), prefix="model.")
    stacks = make_stacks(sparse, dense)
    layers = stacks[DECODER]
    experts = stacks.get(WITH, layers)
    plan.words("embed_tokens", V, D)
    everywhere = kind == "qwen3_moe" and keys.switch("attention_bias", default=False)
    bias = everywhere or (kind == "qwen2_moe" and keys.switch("qkv_bias", default=True))
    plan_attention(plan, layers, bias=bias, output_bias=everywhere, normed=kind == "qwen3_moe")
    if sparse:
        plan_router(plan, experts, keys)
        plan_experts(plan, experts, keys, width=F if kind == "mixtral" else M)
    if sparse and kind == "qwen2_moe":
        plan_shared(plan, experts)
    if dense:
        plan_gated(plan, stacks.get(WITHOUT, layers), F)
    for name in ("input_layernorm", "post_attention_layernorm"):
        plan.norm("norm", TWO_RMS_NORMS, name, D, stack=layers)
    plan.norm("final.norm", LAST_RMS_NORM, "norm", D)
    plan_decoder_heads(plan, tied=keys.switch("tie_word_embeddings", default=False))
    return plan, keys, stacks


def make_stacks(sparse: tuple[int, ...], dense: tuple[int, ...]) -> dict[str, Stack]:
    """Return the layers by title; where they differ, experts and networks have their own."""
    found = {DECODER: Stack(stem="layers.#", numbers=numbered(len(sparse) + len(dense)), count=L)}
    if sparse and dense:
        for title, numbers, count, prefix in (
            (WITH, sparse, SPARSE, ""),
            (WITHOUT, dense, DENSE, "dense."),
        ):
            found[title] = Stack(
                stem="layers.#",
                numbers=tuple((layer,) for layer in numbers),
                count=count,
                prefix=prefix,
                tree=f"{prefix or 'sparse.'}layer",
            )
    return found


def home_of(keys: Keys) -> str:
    """Return the name of the mixture below a layer; Mixtral's files have one of their own."""
    first = "num_local_experts" in keys.defaults
    return "block_sparse_moe" if first and not keys.modern() else "mlp"


def plan_router(plan: Blueprint, stack: Stack, keys: Keys) -> None:
    """Write down the router, which is no linear module in transformers 5."""
    stored = (f"{stack.stem}.(mlp|block_sparse_moe).gate.weight",)
    own = {"inputs": D, "outputs": E, "stack": stack, "stored": stored}
    if keys.modern():
        plan.add(
            "parameter", "router.weight", message("router"), "router", "mlp.gate.weight", **own
        )
    else:
        plan.add("linear", "router", message("router"), "router", f"{home_of(keys)}.gate", **own)


def plan_experts(plan: Blueprint, stack: Stack, keys: Keys, width: Expression) -> None:
    """Write down the experts, as one tensor a layer or expert by expert."""
    if keys.modern():
        for name, inputs, outputs in (
            ("gate_up", D, times(Constant(2), width)),
            ("down", width, D),
        ):
            own = {"inputs": inputs, "outputs": outputs, "copies": E, "stored": STORED[name]}
            term, module = f"experts.{name}.weight", f"mlp.experts.{name}_proj"
            plan.add("parameter", term, EXPERTS[name], "expert", module, stack=stack, **own)
        return
    keys.refuse_many(len(stack.numbers) * plan.values[E.key], "experts in all layers")
    single = Stack(
        stem=f"{stack.stem}.{home_of(keys)}.experts.#",
        numbers=tuple((n, e) for (n,) in stack.numbers for e in range(plan.values[E.key])),
        count=times(stack.count, E),
        tree=stack.tree,
    )
    for part, name, inputs, outputs in (
        ("gate", "gate_up", D, width),
        ("up", "gate_up", D, width),
        ("down", "down", width, D),
    ):
        module = FIRST_NAMES[part] if "num_local_experts" in keys.defaults else f"{part}_proj"
        row = (f"experts.{name}", EXPERTS[name], "expert", module, inputs, outputs)
        plan.linear(row, stack=single, stored=STORED[name])


def plan_shared(plan: Blueprint, stack: Stack) -> None:
    """Write down the expert that every token passes through, and its gate."""
    module = "mlp.shared_expert"
    plan_gated(plan, stack, SHARED, name="shared", module=module, words=message("shared expert"))
    row = (
        "shared.switch",
        message("gate of the shared expert"),
        "router",
        f"{module}_gate",
        D,
        ONE,
    )
    plan.linear(row, stack=stack)


def split_layers(keys: Keys) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the layers with experts, and of those without.

    Raises:
        EvidenceError: `mlp_only_layers` is no list of whole numbers.
    """
    layers = range(keys.whole("num_hidden_layers"))
    if "decoder_sparse_step" not in keys.defaults:
        return tuple(layers), ()
    step = keys.whole("decoder_sparse_step")
    named = keys.values.get("mlp_only_layers") or []
    if not isinstance(named, list) or not all(isinstance(n, int) for n in named):
        raise EvidenceError(
            f"mlp_only_layers in {keys.path} is no list of layer numbers",
            remedy="write the numbers of the layers without experts as a list",
        )
    without = set(named)
    sparse = tuple(n for n in layers if (n + 1) % step == 0 and n not in without)
    return sparse, tuple(sorted(set(layers).difference(sparse)))


def read_expert_sizes(keys: Keys, sparse: int, dense: int) -> dict[str, int]:
    """Read the sizes as symbol key to number."""
    both = ("num_local_experts", "num_experts")
    names = both if both[0] in keys.defaults else both[::-1]
    sizes = {
        E.key: keys.whole(*names),
        ACTIVE.key: keys.whole("num_experts_per_tok"),
        SPARSE.key: sparse,
        DENSE.key: dense,
    }
    if "moe_intermediate_size" in keys.defaults:
        sizes[M.key] = keys.whole("moe_intermediate_size")
    if "shared_expert_intermediate_size" in keys.defaults:
        sizes[SHARED.key] = keys.whole("shared_expert_intermediate_size")
    return read_sizes(keys) | sizes


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
