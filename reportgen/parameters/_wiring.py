"""Where the norms of a layer stand, and what its residual connections go around.

Counts do not tell this; the code of each family does.

Source: transformers 5.23, `models/*/modeling_*.py`, the `forward` of each layer; fairseq 0.12,
`fairseq/modules/transformer_layer.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.parameters._words import by_word
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.record import replace

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

# Wiring of a model type, where no key changes it.
ALWAYS = by_word("wirings")
# Model type and key to the wiring where the key is true, where false, and where absent.
SWITCHED = {
    # fairseq then has one more norm behind the layers, which is not counted.
    "fairseq_roberta": ("encoder_normalize_before", "", POST, POST),
    "bloom": ("apply_residual_connection_post_layernorm", PRE_NORMED, PRE, PRE),
    "opt": ("do_layer_norm_before", PRE, POST, PRE),
    "gpt_neox": ("use_parallel_residual", PARALLEL, PRE, PARALLEL),
    "falcon": ("parallel_attn", PARALLEL, PRE, PARALLEL),
    "RefinedWeb": ("parallel_attn", PARALLEL, "", PARALLEL),
    "RefinedWebModel": ("parallel_attn", PARALLEL, PRE, PARALLEL),
}


# Sides of a composite to the key of their own configuration.
CONFIGS = {"text": "text_config", "vision": "vision_config", "audio": "audio_config"}


def wiring_of_side(side: str, family: str, config: ModelConfig) -> str:
    """Return how the layers of a side are wired: as its own model type.

    Where none is stated, a side of the family's own is called after it (`clip_text_model`).
    """
    part = config.values.get(CONFIGS.get(side, ""), {})
    if not side or not isinstance(part, Mapping):
        return find_wiring(family, config)
    stated = str(part.get("model_type") or f"{family}_{side}_model")
    found = find_wiring(stated, replace(config, model_type=stated, values=part))
    return found or ("" if "model_type" in part else find_wiring(family, config))


def find_wiring(family: str, config: ModelConfig) -> str:
    """Return how a layer is wired, or an empty string where that is not known.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> find_wiring("bert", ModelConfig(source=source, model_type="bert", values={}))
        'post'
    """
    if family not in SWITCHED:
        return ALWAYS.get(family, "")
    key, on, off, absent = SWITCHED[family]
    stated = config.values.get(key)
    found = on if stated is True else off if stated is False else absent
    # No program runs grouped queries and attention before the network together.
    grouped = config.values.get("new_decoder_architecture") is True
    return "" if family == "falcon" and grouped and found == PRE else found
