"""Where the norms of a layer stand, and what its residual connections go around.

Counts do not tell this; the code of each family does.

Source: transformers 5.23, `models/*/modeling_*.py`, the `forward` of each layer; fairseq 0.12,
`fairseq/modules/transformer_layer.py`.
"""

from __future__ import annotations

from reportgen.records.checkpoint import ModelConfig

# The norm stands behind the sum of a residual connection.
POST = "post"
# The norm stands in front of attention and network, inside the residual connection.
PRE = "pre"
# As before, and what is added is the output of the norm.
PRE_NORMED = "pre_normed"
# One norm in front of each and one behind it, both inside the residual connection.
SANDWICH = "sandwich"
# Attention and network read the same input, and one residual connection goes around both.
PARALLEL = "parallel"

ALWAYS = {
    **dict.fromkeys(("albert", "bert", "deberta", "distilbert", "electra"), POST),
    **dict.fromkeys(("gpt2", "mixture", "phi3", "t5", "vit", "whisper"), PRE),
    "phi": PARALLEL,
}


def find_wiring(family: str, config: ModelConfig) -> str:
    """Return how a layer is wired, or an empty string where that is not known.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> find_wiring("bert", ModelConfig(source=source, model_type="bert", values={}))
        'post'
    """
    stated = config.values
    match family:
        case "roberta":
            # fairseq then has one more norm behind the layers, which is not counted.
            return "" if stated.get("encoder_normalize_before") is True else POST
        case "bart":
            return PRE if config.model_type == "mbart" else POST
        case "bloom":
            after = stated.get("apply_residual_connection_post_layernorm") is True
            return PRE_NORMED if after else PRE
        case "llama":
            return SANDWICH if config.model_type == "gemma2" else PRE
        case "opt":
            return POST if stated.get("do_layer_norm_before") is False else PRE
        case "gpt_neox":
            return PRE if stated.get("use_parallel_residual") is False else PARALLEL
        case "falcon":
            if stated.get("parallel_attn") is not False:
                return PARALLEL
            grouped = stated.get("new_decoder_architecture") is True
            # No program runs the two together.
            return "" if grouped or config.model_type == "RefinedWeb" else PRE
    return ALWAYS.get(family, "")
