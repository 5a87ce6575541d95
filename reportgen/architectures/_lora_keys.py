"""What each key of a LoRA configuration means, and which values are legal.

Source: Hu et al. 2021 (arXiv:2106.09685); Kalajdzievski 2023 (arXiv:2312.03732) for rsLoRA;
Liu et al. 2024 (arXiv:2402.09353) for DoRA; peft `tuners/lora/config.py`, versions 0.5
to 0.19.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.languages import message

TASK_TYPES = (
    "SEQ_CLS",
    "SEQ_2_SEQ_LM",
    "CAUSAL_LM",
    "TOKEN_CLS",
    "QUESTION_ANS",
    "FEATURE_EXTRACTION",
)
BIAS_MODES = ("none", "all", "lora_only")
NETWORKS = ("MLP", "LSTM")
# Ways to start that LoRA has besides true and false; "pissa_niter_" is followed by a number.
STARTS = (
    *("gaussian", "eva", "olora", "pissa", "pissa_niter_", "corda", "loftq", "orthogonal"),
    *("lora_ga", "mica"),
)
# Kinds that PEFT has and that no formula here describes.
OTHER_KINDS = (
    *("MULTITASK_PROMPT_TUNING", "ADAPTION_PROMPT", "ADAMSS", "BEFT", "LILY", "POLY", "FROD"),
    *("PVERA", "FOURIERFT", "GLORA", "XLORA", "HRA", "VBLORA", "UNILORA", "CPT", "MISS", "BONE"),
    *("RANDLORA", "ROAD", "TRAINABLE_TOKENS", "HIRA", "SHIRA", "C3A", "WAVEFT", "OSF", "DELORA"),
    *("GRALORA", "CARTRIDGE", "TINYLORA", "PSOFT", "PEANUT", "SHADOW", "SUPERTUNING", "DEFT"),
)


@dataclass(frozen=True, slots=True)
class LoraKey:
    """One key.

    Attributes:
        meaning: What it sets, in words.
        kind: `"positive"` (whole number from 1), `"count"` (from 0), `"number"`, `"share"`
            (in [0, 1]), `"switch"`, `"choice"`, `"names"` (list, text or null), `"list"`,
            `"patterns"` (name to number), or `"any"`.
        choices: Legal texts of a `"choice"`.
        shown: Whether the report lists it even when it has its default value.
    """

    meaning: str
    kind: str = "any"
    choices: tuple[str, ...] = ()
    shown: bool = False


LORA_KEYS: Mapping[str, LoraKey] = {
    "peft_type": LoraKey(message("kind of adapter"), "choice", ("LORA",), shown=True),
    "task_type": LoraKey(
        message("task, which decides the head and how it is wrapped"),
        "choice",
        TASK_TYPES,
        shown=True,
    ),
    "r": LoraKey(message("rank: inner width of the two added matrices"), "positive", shown=True),
    "lora_alpha": LoraKey(message("numerator of the scaling of the update"), "number", shown=True),
    "lora_dropout": LoraKey(
        message("dropout in front of the first added matrix"), "share", shown=True
    ),
    "target_modules": LoraKey(message("modules that get an adapter"), "names", shown=True),
    "bias": LoraKey(
        message("which biases of the base model are trained too"), "choice", BIAS_MODES, shown=True
    ),
    "modules_to_save": LoraKey(message("modules that are copied and trained whole"), "list"),
    "exclude_modules": LoraKey(message("modules left out although they match"), "names"),
    "rank_pattern": LoraKey(message("modules with a rank of their own"), "patterns"),
    "alpha_pattern": LoraKey(message("modules with an alpha of their own"), "patterns"),
    "use_rslora": LoraKey(
        message("divide alpha by the root of the rank, not by the rank"), "switch"
    ),
    "use_dora": LoraKey(message("train the magnitude of each output column as well"), "switch"),
    "lora_bias": LoraKey(message("give the second added matrix a bias"), "switch"),
    "fan_in_fan_out": LoraKey(message("weights are stored as inputs × outputs"), "switch"),
    "init_lora_weights": LoraKey(message("how the added matrices start")),
    "layers_to_transform": LoraKey(message("numbers of the layers that get an adapter")),
    "layers_pattern": LoraKey(message("name of the list of layers in the model"), "names"),
    "layer_replication": LoraKey(message("layers stacked from copies of others")),
    "target_parameters": LoraKey(
        message("parameters adapted directly, not through a module"), "list"
    ),
    "trainable_token_indices": LoraKey(message("rows of the embedding that are trained")),
    "inference_mode": LoraKey(
        message("whether the adapter was saved for use, not for training"), "switch"
    ),
    "base_model_name_or_path": LoraKey(message("model the adapter was trained on"), shown=True),
    "revision": LoraKey(message("revision of the base model")),
    "auto_mapping": LoraKey(message("class to load the base model with")),
    "peft_version": LoraKey(message("version of PEFT that wrote the file")),
    "megatron_config": LoraKey(message("settings for Megatron layers")),
    "megatron_core": LoraKey(message("name of the Megatron module")),
    "loftq_config": LoraKey(message("settings of the LoftQ start")),
    "eva_config": LoraKey(message("settings of the EVA start")),
    "corda_config": LoraKey(message("settings of the CorDA start")),
    "kasa_config": LoraKey(message("settings of KaSA")),
    "lora_ga_config": LoraKey(message("settings of the LoRA-GA start")),
    "velora_config": LoraKey(message("settings of VeLoRA")),
    "monteclora_config": LoraKey(message("settings of MonteCLoRA")),
    "arrow_config": LoraKey(message("settings of Arrow routing")),
    "alora_invocation_tokens": LoraKey(message("tokens behind which an activated adapter works")),
    "use_qalora": LoraKey(message("quantisation-aware LoRA"), "switch"),
    "qalora_group_size": LoraKey(message("group size of quantisation-aware LoRA"), "positive"),
    "use_bdlora": LoraKey(message("block-diagonal LoRA")),
    "ensure_weight_tying": LoraKey(
        message("keep tied weights tied when one of them is adapted"), "switch"
    ),
    "runtime_config": LoraKey(message("settings that hold for one run only")),
}


EMPTY: Mapping[str, LoraKey] = {}


def chosen(
    *names: str, bias: str = "", also: Mapping[str, LoraKey] = EMPTY, **own: LoraKey
) -> dict[str, LoraKey]:
    """Return the keys of another kind: those it shares with LoRA, with others, and its own."""
    common = ("task_type", "base_model_name_or_path", "revision", "inference_mode", "auto_mapping")
    found = {name: LORA_KEYS[name] for name in (*common, "peft_version", "modules_to_save", *names)}
    if bias:
        modes = ("none", "all", bias)
        found["bias"] = LoraKey(LORA_KEYS["bias"].meaning, "choice", modes, shown=True)
    return {"peft_type": LoraKey(message("kind of adapter"), shown=True), **found, **also, **own}


NAMED = ("target_modules", "exclude_modules")
LAYERED = (*NAMED, "layers_to_transform", "layers_pattern")
LYCORIS = {
    "alpha": LoraKey(message("numerator of the scaling of the update"), "number", shown=True),
    "rank_dropout": LoraKey(message("dropout of whole ranks"), "share"),
    "module_dropout": LoraKey(message("dropout of whole modules"), "share"),
    "use_effective_conv2d": LoraKey(message("decompose convolutions once more"), "switch"),
    "init_weights": LoraKey(message("how the added matrices start")),
}
PROMPT = {
    "num_virtual_tokens": LoraKey(message("rows put in front of the inputs"), "count", shown=True),
    "token_dim": LoraKey(message("width of these rows"), "positive"),
    "num_transformer_submodules": LoraKey(message("stacks that get rows of their own"), "positive"),
    "num_attention_heads": LoraKey(message("attention heads of the base model"), "positive"),
    "num_layers": LoraKey(message("layers of the base model"), "positive"),
}
ENCODER = LoraKey(message("inner width of the network that makes the rows"), "positive", shown=True)
BLOCKS = message("number of blocks of inputs; 0 where the block size is given")
SIZES = message("inputs in a block; 0 where the number of blocks is given")

KEYS_OF_KIND: Mapping[str, Mapping[str, LoraKey]] = {
    "LORA": LORA_KEYS,
    "ADALORA": {
        **LORA_KEYS,
        "peft_type": LoraKey(message("kind of adapter"), shown=True),
        "init_r": LoraKey(message("ranks of every module at the start"), "positive", shown=True),
        "target_r": LoraKey(message("ranks that are left on average"), "positive", shown=True),
        "total_step": LoraKey(
            message("steps of the training, for the schedule of the ranks"), "positive"
        ),
        "tinit": LoraKey(message("steps before the first pruning"), "count"),
        "tfinal": LoraKey(message("steps after the last pruning"), "count"),
        "deltaT": LoraKey(message("steps from one pruning to the next"), "positive"),
        "beta1": LoraKey(message("smoothing of the sensitivity"), "share"),
        "beta2": LoraKey(message("smoothing of its uncertainty"), "share"),
        "orth_reg_weight": LoraKey(message("weight of the penalty that keeps U and V orthogonal")),
        "rank_pattern": LoraKey(message("ranks that were left at the end"), "patterns"),
    },
    "LOHA": chosen(*LAYERED, "r", "rank_pattern", "alpha_pattern", also=LYCORIS),
    "LOKR": chosen(
        *(*LAYERED, "r", "rank_pattern", "alpha_pattern"),
        also=LYCORIS,
        decompose_both=LoraKey(
            message("write the first factor as a low-rank product too"), "switch"
        ),
        decompose_factor=LoraKey(message("size of the first factor; -1: near the square root")),
        rank_dropout_scale=LoraKey(message("scale the ranks that are left"), "switch"),
    ),
    "IA3": chosen(
        *(*NAMED, "fan_in_fan_out"),
        feedforward_modules=LoraKey(
            message("targets whose inputs are scaled"), "names", shown=True
        ),
        init_ia3_weights=LoraKey(message("start with scales of 1"), "switch"),
    ),
    "VERA": chosen(
        *("target_modules", "layers_to_transform", "layers_pattern", "r", "fan_in_fan_out"),
        bias="vera_only",
        projection_prng_key=LoraKey(message("seed of the shared random matrices")),
        save_projection=LoraKey(message("save the shared random matrices"), "switch"),
        vera_dropout=LoraKey(message("dropout in front of the random matrices"), "share"),
        d_initial=LoraKey(message("value the scales of the ranks start with")),
        init_weights=LoraKey(message("how the scales start")),
    ),
    "OFT": chosen(
        *(*LAYERED, "fan_in_fan_out"),
        bias="oft_only",
        r=LoraKey(BLOCKS, "count", shown=True),
        oft_block_size=LoraKey(SIZES, "count", shown=True),
        module_dropout=LoraKey(message("blocks that are left unrotated in training"), "share"),
        init_weights=LoraKey(message("how the rotations start")),
        coft=LoraKey(message("keep the rotations small"), "switch"),
        eps=LoraKey(message("how small")),
        block_share=LoraKey(message("one rotation for all blocks"), "switch"),
        use_cayley_neumann=LoraKey(message("compute the rotation by a series"), "switch"),
        num_cayley_neumann_terms=LoraKey(message("terms of that series"), "positive"),
    ),
    "BOFT": chosen(
        *(*LAYERED, "fan_in_fan_out"),
        bias="boft_only",
        boft_block_size=LoraKey(SIZES, "count", shown=True),
        boft_block_num=LoraKey(BLOCKS, "count", shown=True),
        boft_n_butterfly_factor=LoraKey(message("butterfly factors"), "positive"),
        boft_dropout=LoraKey(message("blocks that are left unrotated in training"), "share"),
        init_weights=LoraKey(message("how the rotations start")),
    ),
    "LN_TUNING": chosen(*NAMED),
    "PROMPT_TUNING": chosen(
        also=PROMPT,
        prompt_tuning_init=LoraKey(message("how the rows start")),
        prompt_tuning_init_text=LoraKey(message("text whose embeddings they start from")),
        tokenizer_name_or_path=LoraKey(message("tokenizer of that text")),
        tokenizer_kwargs=LoraKey(message("its settings")),
    ),
    "PREFIX_TUNING": chosen(
        also=PROMPT,
        encoder_hidden_size=ENCODER,
        prefix_projection=LoraKey(
            message("make the prefix by a network that is trained"), "switch"
        ),
        init_weights=LoraKey(message("how the prefix starts")),
    ),
    "P_TUNING": chosen(
        also=PROMPT,
        encoder_hidden_size=ENCODER,
        encoder_reparameterization_type=LoraKey(
            message("network that makes the rows"), "choice", NETWORKS
        ),
        encoder_num_layers=LoraKey(message("layers of an LSTM"), "positive"),
        encoder_dropout=LoraKey(message("dropout of an LSTM"), "share"),
    ),
}

# PEFT's values where the file is silent.
DEFAULT_RANK = 8
DEFAULT_ALPHA = 8

# Default targets by model type, as PEFT chooses them when target_modules is null.
DEFAULT_TARGETS: Mapping[str, tuple[str, ...]] = {
    "bart": ("q_proj", "v_proj"),
    "bert": ("query", "value"),
    "blip-2": ("q", "v", "q_proj", "v_proj"),
    "bloom": ("query_key_value",),
    "btlm": ("c_proj", "c_attn"),
    "chatglm": ("query_key_value",),
    "codegen": ("qkv_proj",),
    "deberta": ("in_proj",),
    "deberta-v2": ("query_proj", "value_proj"),
    "electra": ("query", "value"),
    "falcon": ("query_key_value",),
    "gemma": ("q_proj", "v_proj"),
    "gemma2": ("q_proj", "v_proj"),
    "gemma3_text": ("q_proj", "v_proj"),
    "gpt2": ("c_attn",),
    "gpt_bigcode": ("c_attn",),
    "gpt_neo": ("q_proj", "v_proj"),
    "gpt_neox": ("query_key_value",),
    "gptj": ("q_proj", "v_proj"),
    "layoutlm": ("query", "value"),
    "llama": ("q_proj", "v_proj"),
    "llama4": ("q_proj", "v_proj"),
    "mistral": ("q_proj", "v_proj"),
    "mixtral": ("q_proj", "v_proj"),
    "mpt": ("Wqkv",),
    "mt5": ("q", "v"),
    "nemotron_h": ("q_proj", "k_proj", "v_proj", "o_proj"),
    "opt": ("q_proj", "v_proj"),
    "phi": ("q_proj", "v_proj", "fc1", "fc2"),
    "qwen2": ("q_proj", "v_proj"),
    "qwen3": ("q_proj", "v_proj"),
    "RefinedWeb": ("query_key_value",),
    "RefinedWebModel": ("query_key_value",),
    "roberta": ("query", "value"),
    "rwkv": ("key", "value", "receptance", "output"),
    "rwkv7": ("r_proj", "k_proj", "v_proj", "o_proj", "key", "value"),
    "stablelm": ("q_proj", "v_proj"),
    "t5": ("q", "v"),
    "xlm-roberta": ("query", "value"),
}
GATED = ("input_layernorm", "post_attention_layernorm", "norm")
SANDWICHED = (
    "input_layernorm",
    "post_attention_layernorm",
    "pre_feedforward_layernorm",
    "post_feedforward_layernorm",
    "norm",
)
BART = ("q_proj", "k_proj", "v_proj", "out_proj", "fc1", "fc2")

# The same for kinds whose defaults are not LoRA's.
OWN_TARGETS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "ADALORA": {
        **{
            name: DEFAULT_TARGETS[name]
            for name in (
                *("bert", "bloom", "deberta", "gemma", "gemma2", "gemma3_text", "gpt2"),
                *("gpt_bigcode", "gpt_neo", "gpt_neox", "gptj", "llama", "llama4", "nemotron_h"),
                *("qwen2", "qwen3"),
            )
        },
        "bart": BART,
        "deberta-v2": ("query_proj", "key_proj", "value_proj", "dense"),
        "mt5": ("q", "k", "v", "o", "wi_0", "wi_1", "wo"),
        "opt": BART,
        "roberta": ("query", "key", "value", "dense"),
        "t5": ("q", "k", "v", "o", "wi", "wo"),
    },
    "IA3": {
        "bart": ("q_proj", "v_proj", "fc2"),
        "bert": ("key", "value", "output.dense"),
        "bloom": ("query_key_value", "mlp.dense_4h_to_h"),
        "deberta": ("in_proj", "output.dense"),
        "deberta-v2": ("key_proj", "value_proj", "output.dense"),
        "falcon": ("query_key_value", "dense_4h_to_h"),
        "gemma": ("q_proj", "v_proj", "down_proj"),
        "gemma2": ("q_proj", "v_proj", "down_proj"),
        "gemma3_text": ("q_proj", "v_proj", "down_proj"),
        "gpt2": ("c_attn", "mlp.c_proj"),
        "gpt_bigcode": ("c_attn", "mlp.c_proj"),
        "gpt_neo": ("q_proj", "v_proj", "c_proj"),
        "gpt_neox": ("query_key_value", "dense_4h_to_h"),
        "gptj": ("q_proj", "v_proj", "fc_out"),
        "llama": ("k_proj", "v_proj", "down_proj"),
        "mistral": ("k_proj", "v_proj", "down_proj"),
        "opt": ("q_proj", "k_proj", "fc2"),
        "phi": ("q_proj", "v_proj", "fc2"),
        "qwen2": ("q_proj", "v_proj", "down_proj"),
        "qwen3": ("q_proj", "v_proj", "down_proj"),
        "roberta": ("key", "value", "output.dense"),
        "llama4": ("q_proj", "v_proj", "down_proj"),
        "mixtral": ("k_proj", "v_proj", "w2"),
        "mt5": ("k", "v", "wi_1"),
        "RefinedWeb": ("query_key_value", "dense_4h_to_h"),
        "RefinedWebModel": ("query_key_value", "dense_4h_to_h"),
        "t5": ("k", "v", "wo"),
    },
    "VERA": {"phi": ("q_proj", "v_proj")},
    "LN_TUNING": {
        "bart": ("self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm"),
        "bloom": ("input_layernorm", "post_attention_layernorm", "ln_f"),
        "falcon": ("input_layernorm", "post_attention_layernorm", "ln_f"),
        "gemma": GATED,
        "gemma2": SANDWICHED,
        "gemma3_text": SANDWICHED,
        "gpt2": ("ln_1", "ln_2", "ln_f"),
        "gptj": ("ln_1", "ln_f"),
        "llama": GATED,
        "mistral": GATED,
        "mt5": ("layer_norm", "final_layer_norm"),
        "phi": ("input_layernorm", "final_layernorm"),
        "qwen2": ("post_attention_layernorm",),
        "qwen3": ("post_attention_layernorm",),
        "t5": ("layer_norm", "final_layer_norm"),
    },
}
# Targets of (IA)3 whose inputs are scaled: the last of each model type's own, but for mT5.
IA3_FEEDFORWARD: Mapping[str, tuple[str, ...]] = {
    name: () if name == "mt5" else targets[-1:] for name, targets in OWN_TARGETS["IA3"].items()
}

# Heads that PEFT adds to modules_to_save by itself; it writes both names into the file
# although a model has only one of them.
HEADS_SAVED: Mapping[str, tuple[str, ...]] = {
    "SEQ_CLS": ("classifier", "score"),
    "TOKEN_CLS": ("classifier", "score"),
    "QUESTION_ANS": ("qa_outputs",),
}

# The head that the base of a task carries.
HEAD_OF_TASK: Mapping[str, str] = {
    "CAUSAL_LM": "causal_lm",
    "SEQ_CLS": "classification",
    "TOKEN_CLS": "tokens",
    "QUESTION_ANS": "questions",
}
