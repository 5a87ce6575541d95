"""What each key of a LoRA configuration does to the model at hand, in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from reportgen.architectures.lora import scaling_of
from reportgen.records.checkpoint import Term
from reportgen.records.document import Code, Inline, Math, Number, Text
from reportgen.records.facts import AdapterFacts
from reportgen.records.formula import Equation, Expression, Root, Symbol
from reportgen.records.quantity import Evidence, Quantity

LONGEST_VALUE = 60
RANK = Symbol("r", meaning="rank of the adapter")
ALPHA = Symbol("alpha", meaning="numerator of the scaling")
SCALING = Symbol("s", meaning="scaling of the update")

TASKS = {
    "CAUSAL_LM": "the base is loaded with its language-model head, which stays frozen",
    "SEQ_CLS": "the base is loaded with a classification head, which is trained whole",
    "TOKEN_CLS": "the base is loaded with a head for each token, which is trained whole",
    "SEQ_2_SEQ_LM": "the base is loaded as encoder and decoder",
    "QUESTION_ANS": "the base is loaded with a head for spans, which is trained whole",
    "FEATURE_EXTRACTION": "the base is loaded without a head",
}
BIASES = {
    "none": "no bias of the base model is trained",
    "all": "every bias of the base model is trained",
    "lora_only": "the biases of the adapted modules are trained",
}

# Name of a kind, what it does, and what it adds to this model.
KINDS: Mapping[str, tuple[str, str, str]] = {
    "LORA": ("LoRA", "", "two thin matrices beside each adapted one"),
    "ADALORA": (
        "AdaLoRA",
        "adds a product of three matrices to each adapted one and prunes its ranks in training.",
        "two thin matrices and a vector of singular values beside each adapted matrix",
    ),
    "LOHA": (
        "LoHa",
        "adds the elementwise product of two low-rank products to each adapted matrix.",
        "four thin matrices beside each adapted one",
    ),
    "LOKR": (
        "LoKr",
        "adds a Kronecker product of two smaller matrices to each adapted one.",
        "two smaller matrices beside each adapted one, each whole or of low rank",
    ),
    "IA3": (
        "(IA)³",
        "multiplies the outputs, or the inputs, of each adapted matrix by a trained vector.",
        "one vector for each adapted matrix",
    ),
    "VERA": (
        "VeRA",
        "adds a product of random, frozen matrices that all targets share, scaled by two vectors.",
        "two vectors for each adapted matrix",
    ),
    "OFT": (
        "OFT",
        "rotates the inputs of each adapted matrix, block by block.",
        "the angles of one rotation for each block of inputs",
    ),
    "BOFT": (
        "BOFT",
        "rotates the inputs of each adapted matrix, block by block, and scales its outputs.",
        "one small matrix for each block of inputs and one scale for each output",
    ),
    "LN_TUNING": (
        "LayerNorm tuning",
        "copies the norms of the base model and trains the copies; all else is frozen.",
        "a trained copy of each norm that is named",
    ),
    "PROMPT_TUNING": (
        "Prompt tuning",
        "puts trained rows in front of the input embeddings; the base model is frozen.",
        "some rows as wide as the input embeddings",
    ),
    "PREFIX_TUNING": (
        "Prefix tuning",
        "puts trained keys and values in front of those of every layer.",
        "keys and values for each virtual token and layer",
    ),
    "P_TUNING": (
        "P-tuning",
        "puts rows in front of the input embeddings that a small trained network makes.",
        "some rows and the network that makes them",
    ),
}

FIXED = {
    "use_dora": "every adapted matrix also gets a trained magnitude for each output",
    "use_rslora": "the scaling divides by the root of the rank",
    "lora_bias": "the second thin matrix gets a trained bias",
    "rank_pattern": "replaces the rank for the modules named",
    "alpha_pattern": "replaces alpha for the modules named",
}


def shown_value(value: object) -> str:
    """Return a value as it stands in the JSON, cut where it is long.

    Example:
        >>> shown_value(["q_proj", "v_proj"]), shown_value(None)
        ('["q_proj", "v_proj"]', 'null')
    """
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def effect(adapter: AdapterFacts, key: str, stem: str) -> Text:
    """Return what a key does to this model; nothing where it changes no number here."""
    value = adapter.config.values[key]
    if key == "lora_dropout" and isinstance(value, int | float) and not isinstance(value, bool):
        return dropout_effect(adapter, float(value), stem)
    kind = adapter.config.peft_type
    if key == "peft_type":
        return (KINDS[kind][2],)
    if key in COMPUTED and (kind == "LORA" or key not in {"r", "lora_alpha"}):
        return COMPUTED[key](adapter, stem)
    if kind != "LORA" and key in COUNTED_KEYS:
        return ("decides the number of parameters: see the formula",)
    if key == "bias":
        return (BIASES.get(str(value), "not a legal value: see below"),)
    if key == "task_type":
        return (TASKS.get(str(value), "not a known task: see below"),)
    return (FIXED.get(key, "no effect on the number of parameters"),)


def counted(adapter: AdapterFacts, name: str, value: int, method: str, key: str) -> Number:
    """Return a count that rests on one key of the adapter."""
    source = Evidence(path=adapter.config.source.path, tag=key)
    return Number(
        id=name,
        quantity=Quantity(value=value, unit="count", method=method, sources=(source,)),
        style="count",
    )


def adapter_terms(adapter: AdapterFacts) -> tuple[Term, ...]:
    """Return the terms of the added matrices."""
    terms = adapter.ledger.terms if adapter.ledger else ()
    return tuple(term for term in terms if term.role == "adapter")


def rank_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say how large the two thin matrices are, where all are alike."""
    shapes = {(i, o) for _, i, o, _ in adapter.targets}
    if len(shapes) != 1:
        return ("inner width of the two thin matrices of every adapted module",)
    ((inputs, outputs),) = shapes
    return (
        "each adapted matrix gets one of ",
        Math(RANK * Symbol("d", "in")),
        " and one of ",
        Math(Symbol("d", "out") * RANK),
        " numbers, here with ",
        counted(adapter, f"{stem}.inputs", inputs, "inputs of the adapted matrix", "r"),
        " inputs and ",
        counted(adapter, f"{stem}.outputs", outputs, "outputs of the adapted matrix", "r"),
        " outputs",
    )


def alpha_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say by what the update is multiplied."""
    equation = scaling_equation(adapter, stem)
    if equation is None:
        return ("no scaling can be computed: see below",)
    return (
        "the update is multiplied by ",
        Math(equation.right),
        " = ",
        Number(
            id=f"{stem}.scaling",
            quantity=Quantity(
                value=float(equation.result),
                method="scaling of the update",
                sources=(
                    Evidence(path=adapter.config.source.path, tag="lora_alpha"),
                    Evidence(path=adapter.config.source.path, tag="r"),
                ),
            ),
            decimals=None if float(equation.result).is_integer() else 3,
        ),
    )


def dropout_effect(adapter: AdapterFacts, share: float, stem: str) -> Text:
    """Say which share of the inputs is set to zero."""
    if share == 0:
        return ("no dropout in front of the added matrices",)
    number = Number(
        id=f"{stem}.dropout",
        quantity=Quantity(
            value=share,
            unit="fraction",
            method="dropout of the adapter",
            sources=(Evidence(path=adapter.config.source.path, tag="lora_dropout"),),
        ),
        style="percent_sign",
    )
    return (number, " of the adapters' inputs are set to zero in training; adds no parameters")


def target_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say which modules are adapted, and how many."""
    if not adapter.targets:
        return ("cannot be resolved: see below",)
    text: list[Inline] = []
    for place, (pattern, inputs, outputs, modules) in enumerate(adapter.targets):
        number = counted(
            adapter, f"{stem}.targets.{place}", modules, f"modules {pattern}", "target_modules"
        )
        text += ["; " if place else "", number, " modules "]
        text += [Code(pattern), f" ({inputs} → {outputs})"]
    return tuple(text)


def saved_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say how many parameters are trained whole."""
    terms = adapter.ledger.terms if adapter.ledger else ()
    total = sum(term.count for term in terms if term.name.startswith("saved."))
    number = counted(adapter, f"{stem}.saved", total, "modules trained whole", "modules_to_save")
    return (number, " parameters are copied and trained whole")


def base_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say how large the base model is."""
    if not isinstance(adapter.base_total, Quantity):
        return ("its configuration was not given, so its size is not known here",)
    total = Number(id=f"{stem}.base_model", quantity=adapter.base_total, style="count")
    return ("frozen: ", total, " parameters")


def scaling_equation(adapter: AdapterFacts, stem: str) -> Equation | None:
    """Return the scaling as an equation: alpha / r, or alpha / √r for rsLoRA."""
    found = scaling_of(adapter.config.values)
    if found is None:
        return None
    alpha, rank, root = found
    right: Expression = ALPHA / (Root(RANK) if root else RANK)
    return Equation(
        id=f"eq.{stem}.scaling.value",
        left=SCALING,
        right=right,
        values={ALPHA.key: alpha, RANK.key: rank},
        unit="",
    )


# Keys of other kinds that stand in their formulas.
COUNTED_KEYS = frozenset(
    {
        *("r", "init_r", "rank_pattern", "decompose_both", "decompose_factor"),
        *("feedforward_modules", "oft_block_size", "block_share"),
        *("boft_block_size", "boft_block_num", "num_virtual_tokens", "token_dim", "num_layers"),
        *("num_transformer_submodules", "encoder_hidden_size", "prefix_projection"),
        *("encoder_reparameterization_type", "encoder_num_layers"),
    }
)

COMPUTED: Mapping[str, Callable[[AdapterFacts, str], Text]] = {
    "r": rank_effect,
    "lora_alpha": alpha_effect,
    "target_modules": target_effect,
    "modules_to_save": saved_effect,
    "base_model_name_or_path": base_effect,
}
