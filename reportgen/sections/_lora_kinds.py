"""What each kind of adapter is called, what it does, and what its keys add to a model."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.languages import message

TASKS = {
    "CAUSAL_LM": message("the base is loaded with its language-model head, which stays frozen"),
    "SEQ_CLS": message("the base is loaded with a classification head, which is trained whole"),
    "TOKEN_CLS": message("the base is loaded with a head for each token, which is trained whole"),
    "SEQ_2_SEQ_LM": message("the base is loaded as encoder and decoder"),
    "QUESTION_ANS": message("the base is loaded with a head for spans, which is trained whole"),
    "FEATURE_EXTRACTION": message("the base is loaded without a head"),
}
BIASES = {
    "none": message("no bias of the base model is trained"),
    "all": message("every bias of the base model is trained"),
    "lora_only": message("the biases of the adapted modules are trained"),
}

# Name of a kind, and what it adds to this model.
KINDS: Mapping[str, tuple[str, str]] = {
    "LORA": ("LoRA", message("two thin matrices beside each adapted one")),
    "ADALORA": (
        "AdaLoRA",
        message("two thin matrices and a vector of singular values beside each adapted matrix"),
    ),
    "LOHA": ("LoHa", message("four thin matrices beside each adapted one")),
    "LOKR": (
        "LoKr",
        message("two smaller matrices beside each adapted one, each whole or of low rank"),
    ),
    "IA3": ("(IA)³", message("one vector for each adapted matrix")),
    "VERA": ("VeRA", message("two vectors for each adapted matrix")),
    "OFT": ("OFT", message("the angles of one rotation for each block of inputs")),
    "BOFT": (
        "BOFT",
        message("one small matrix for each block of inputs and one scale for each output"),
    ),
    "LN_TUNING": ("LayerNorm tuning", message("a trained copy of each norm that is named")),
    "PROMPT_TUNING": ("Prompt tuning", message("some rows as wide as the input embeddings")),
    "PREFIX_TUNING": ("Prefix tuning", message("keys and values for each virtual token and layer")),
    "P_TUNING": ("P-tuning", message("some rows and the network that makes them")),
}

# What a kind does; LoRA has a sentence of its own.
DOES: Mapping[str, str] = {
    "ADALORA": message(
        "AdaLoRA adds a product of three matrices to each adapted one and prunes its ranks "
        "in training."
    ),
    "LOHA": message(
        "LoHa adds the elementwise product of two low-rank products to each adapted matrix."
    ),
    "LOKR": message("LoKr adds a Kronecker product of two smaller matrices to each adapted one."),
    "IA3": message(
        "(IA)³ multiplies the outputs, or the inputs, of each adapted matrix by a trained vector."
    ),
    "VERA": message(
        "VeRA adds a product of random, frozen matrices that all targets share, scaled by "
        "two vectors."
    ),
    "OFT": message("OFT rotates the inputs of each adapted matrix, block by block."),
    "BOFT": message(
        "BOFT rotates the inputs of each adapted matrix, block by block, and scales its outputs."
    ),
    "LN_TUNING": message(
        "LayerNorm tuning copies the norms of the base model and trains the copies; all else "
        "is frozen."
    ),
    "PROMPT_TUNING": message(
        "Prompt tuning puts trained rows in front of the input embeddings; the base model is "
        "frozen."
    ),
    "PREFIX_TUNING": message(
        "Prefix tuning puts trained keys and values in front of those of every layer."
    ),
    "P_TUNING": message(
        "P-tuning puts rows in front of the input embeddings that a small trained network makes."
    ),
}

FIXED = {
    "use_dora": message("every adapted matrix also gets a trained magnitude for each output"),
    "use_rslora": message("the scaling divides by the root of the rank"),
    "lora_bias": message("the second thin matrix gets a trained bias"),
    "rank_pattern": message("replaces the rank for the modules named"),
    "alpha_pattern": message("replaces alpha for the modules named"),
}
