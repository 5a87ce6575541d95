"""Base models and configurations of adapters, which `make_adapter_counts.py` counts."""

import json
import random
from pathlib import Path

BLOOM = {
    "model_type": "bloom",
    "hidden_size": 1024,
    "n_layer": 24,
    "n_head": 16,
    "vocab_size": 250880,
}


BLOOM_TINY = BLOOM | {"hidden_size": 64, "n_layer": 3, "n_head": 4, "vocab_size": 320}


LLAMA = {
    "model_type": "llama",
    "vocab_size": 500,
    "hidden_size": 96,
    "intermediate_size": 160,
    "num_hidden_layers": 4,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "attention_bias": True,
    "tie_word_embeddings": False,
    "num_labels": 3,
}


LLAMA_3B = {
    "model_type": "llama",
    "vocab_size": 128256,
    "hidden_size": 3072,
    "intermediate_size": 8192,
    "num_hidden_layers": 28,
    "num_attention_heads": 24,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "tie_word_embeddings": True,
}


GEMMA = {
    "model_type": "gemma",
    "vocab_size": 600,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 1,
    "head_dim": 32,
}


ROBERTA = {
    "model_type": "roberta",
    "vocab_size": 400,
    "hidden_size": 48,
    "intermediate_size": 96,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "max_position_embeddings": 66,
    "type_vocab_size": 1,
    "num_labels": 4,
}


UNTIED = ROBERTA | {"tie_word_embeddings": False, "transformers_version": "5.23.0"}


BERT = ROBERTA | {"model_type": "bert", "type_vocab_size": 2}


GPT2 = {
    "model_type": "gpt2",
    "vocab_size": 300,
    "n_positions": 32,
    "n_embd": 48,
    "n_layer": 3,
    "n_head": 4,
    "num_labels": 3,
    "pad_token_id": 0,
}


MIXTRAL = {
    "model_type": "mixtral",
    "vocab_size": 200,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_local_experts": 4,
    "tie_word_embeddings": False,
}


# What each base calls its parts.
PARTS = {
    "bloom": ("query_key_value", "dense_4h_to_h", "self_attention.dense", "word_embeddings", "h"),
    "llama": ("q_proj", "down_proj", "k_proj", "embed_tokens", "layers"),
    "gemma": ("v_proj", "gate_proj", "k_proj", "embed_tokens", "layers"),
    "roberta": ("query", "intermediate.dense", "value", "word_embeddings", "layer"),
    "gpt2": ("c_attn", "c_fc", "mlp.c_proj", "wte", "h"),
}


MAIN = (
    (BLOOM_TINY, "CAUSAL_LM"),
    (LLAMA, "CAUSAL_LM"),
    (GEMMA, "CAUSAL_LM"),
    (ROBERTA, "SEQ_CLS"),
    (GPT2, "CAUSAL_LM"),
)


def lora_modes(base):
    """Yield LoRA configurations that cover every key, for one base."""
    first, second, third, table, layers = PARTS[base["model_type"]]
    both = [first, second]
    yield {"r": 4, "target_modules": [first]}
    yield {"target_modules": None}
    yield {"r": 3, "target_modules": both, "rank_pattern": {second: 5, "nothing": 7}}
    yield {"r": 3, "target_modules": both, "rank_pattern": {rf".*\.1\..*{second}": 6}}
    yield {"r": 4, "target_modules": both, "alpha_pattern": {second: 64}, "lora_alpha": 16}
    yield {"r": 4, "target_modules": both, "bias": "all"}
    yield {"r": 4, "target_modules": both, "bias": "lora_only"}
    yield {"r": 4, "target_modules": both, "lora_bias": True}
    yield {"r": 4, "target_modules": both, "use_dora": True}
    yield {"r": 4, "target_modules": both, "use_dora": True, "bias": "lora_only"}
    yield {"r": 4, "target_modules": both, "use_rslora": True}
    yield {"r": 4, "target_modules": rf".*\.[02]\..*({first}|{third})"}
    yield {"r": 2, "target_modules": "all-linear"}
    yield {"r": 2, "target_modules": "all-linear", "exclude_modules": [third]}
    yield {"r": 2, "target_modules": both, "exclude_modules": rf".*\.1\..*{second}"}
    yield {"r": 2, "target_modules": both, "layers_to_transform": [0, 2]}
    yield {"r": 2, "target_modules": both, "layers_to_transform": 1, "layers_pattern": layers}
    yield {"r": 2, "target_modules": [first], "modules_to_save": [table]}
    yield {"r": 2, "target_modules": [first], "trainable_token_indices": [1, 5, 7]}
    yield {"r": 2, "target_modules": [first], "trainable_token_indices": {table: [1, 5]}}
    yield {"r": 2, "target_modules": [first, table]}
    yield {"r": 2, "target_modules": [first, table], "use_dora": True}
    yield {"r": 2, "target_modules": [table], "lora_bias": True}
    yield {"r": 2, "target_modules": [], "target_parameters": [f"{first}.weight"]}
    yield {"r": 2, "target_modules": [first], "layer_replication": [[0, 2], [1, 3]]}
    yield {"r": 0, "target_modules": [first]}
    yield {"r": 2, "target_modules": ["no_such_module"]}
    yield {"r": 2, "target_modules": [first], "init_lora_weights": "gaussian", "lora_dropout": 0.1}


def relatives(base):
    """Yield configurations of the other kinds, for one base."""
    first, second, third, _, _ = PARTS[base["model_type"]]
    both = [first, second]
    yield {"peft_type": "ADALORA", "init_r": 6, "target_r": 3, "total_step": 100}
    yield {"peft_type": "ADALORA", "target_modules": both, "total_step": 9, "bias": "lora_only"}
    for kind in ("LOHA", "LOKR"):
        yield {"peft_type": kind, "r": 4, "target_modules": both}
        yield {"peft_type": kind, "r": 4, "target_modules": both, "rank_pattern": {second: 2}}
    yield {"peft_type": "LOKR", "r": 2, "target_modules": both, "decompose_both": True}
    yield {"peft_type": "LOKR", "r": 2, "target_modules": both, "decompose_factor": 4}
    yield {"peft_type": "IA3", "target_modules": None}
    yield {"peft_type": "IA3", "target_modules": both, "feedforward_modules": [second]}
    yield {"peft_type": "IA3", "target_modules": both, "feedforward_modules": []}
    yield {"peft_type": "VERA", "r": 8, "target_modules": both}
    yield {"peft_type": "VERA", "r": 8, "target_modules": [first], "bias": "vera_only"}
    yield {"peft_type": "OFT", "oft_block_size": 8, "target_modules": both}
    yield {"peft_type": "OFT", "r": 4, "oft_block_size": 0, "target_modules": both}
    yield {"peft_type": "OFT", "oft_block_size": 7, "target_modules": [third]}
    yield {"peft_type": "OFT", "oft_block_size": 8, "target_modules": both, "block_share": True}
    yield {"peft_type": "BOFT", "boft_block_size": 8, "target_modules": both}
    yield {
        "peft_type": "BOFT",
        "boft_block_size": 0,
        "boft_block_num": 4,
        "target_modules": [first],
    }
    yield {"peft_type": "LN_TUNING", "target_modules": None}
    yield {"peft_type": "LN_TUNING", "target_modules": [first]}
    yield {"peft_type": "PROMPT_TUNING", "num_virtual_tokens": 7}
    yield {"peft_type": "PREFIX_TUNING", "num_virtual_tokens": 5}
    yield {"peft_type": "PREFIX_TUNING", "num_virtual_tokens": 5, "prefix_projection": True}
    yield {
        "peft_type": "PREFIX_TUNING",
        "num_virtual_tokens": 5,
        "prefix_projection": True,
        "encoder_hidden_size": 20,
    }
    yield {"peft_type": "P_TUNING", "num_virtual_tokens": 6, "encoder_hidden_size": 24}
    yield {"peft_type": "P_TUNING", "num_virtual_tokens": 6}
    yield {
        "peft_type": "P_TUNING",
        "num_virtual_tokens": 6,
        "encoder_hidden_size": 24,
        "encoder_reparameterization_type": "LSTM",
    }


def single_cases():
    """Yield (base, task, configuration) of cases that need a base of their own."""
    yield BLOOM, "CAUSAL_LM", {"r": 16, "target_modules": ["query_key_value"]}
    for values in (
        {"r": 32, "target_modules": None},
        {"r": 64, "target_modules": None},
        {"r": 32, "target_modules": None, "use_dora": True},
        {"peft_type": "PROMPT_TUNING", "num_virtual_tokens": 200},
        {"peft_type": "LN_TUNING", "target_modules": None},
    ):
        yield LLAMA_3B, "CAUSAL_LM", values
    news = {"vocab_size": 50265, "hidden_size": 768, "intermediate_size": 3072}
    news |= {"num_hidden_layers": 12, "num_attention_heads": 12, "max_position_embeddings": 514}
    yield (
        ROBERTA | news,
        "SEQ_CLS",
        {"r": 4, "target_modules": ["query", "key", "value"], "bias": "all"},
    )
    for base, task in ((LLAMA, "SEQ_CLS"), (GPT2, "SEQ_CLS"), (ROBERTA, "TOKEN_CLS")):
        yield base, task, {"r": 2, "target_modules": "all-linear", "bias": "all"}
        yield base, task, {"peft_type": "PROMPT_TUNING", "num_virtual_tokens": 4}
        yield base, task, {"r": 2, "target_modules": None}
    for base in (LLAMA, GEMMA, ROBERTA, BERT):
        yield base, "FEATURE_EXTRACTION", {"r": 2, "target_modules": "all-linear", "bias": "all"}
    yield ROBERTA, "MASKED_LM", {"r": 2, "target_modules": "all-linear", "bias": "all"}
    yield ROBERTA, "MASKED_LM", {"r": 2, "target_modules": ["dense"]}
    yield (
        ROBERTA,
        "MASKED_LM",
        {"r": 2, "target_modules": ["query"], "modules_to_save": ["lm_head"]},
    )
    for base in (UNTIED, UNTIED | {"model_type": "deberta"}):
        yield base, "MASKED_LM", {"r": 2, "target_modules": "all-linear", "bias": "all"}
        yield base, "MASKED_LM", {"r": 2, "target_modules": ["dense"], "bias": "lora_only"}
        yield (
            base,
            "MASKED_LM",
            {"r": 2, "target_modules": ["dense"], "modules_to_save": ["decoder"]},
        )
    yield (
        UNTIED,
        "MASKED_LM",
        {"r": 2, "target_modules": ["query"], "modules_to_save": ["lm_head"], "bias": "all"},
    )
    yield ROBERTA, "SEQ_CLS", {"task_type": None, "r": 2, "target_modules": "all-linear"}
    yield (
        BERT,
        "SEQ_CLS",
        {"r": 2, "target_modules": ["query"], "layer_replication": [[0, 3], [1, 4]]},
    )
    yield BERT, "SEQ_CLS", {"r": 2, "target_modules": ["dense"], "bias": "all"}
    for base in (LLAMA, GEMMA):
        for saved in (["lm_head"], ["embed_tokens", "lm_head"], ["norm"], ["mlp"], ["roj"]):
            yield (
                base,
                "CAUSAL_LM",
                {"r": 2, "target_modules": ["q_proj"], "modules_to_save": saved},
            )
        for values in (
            {"target_modules": ["lm_head", "q_proj"]},
            {"target_modules": ["embed_tokens", "lm_head"]},
            {"target_modules": ["norm", "q_proj"]},
            {"target_modules": ["self_attn"]},
            {
                "target_modules": ["q_proj"],
                "trainable_token_indices": {"embed_tokens": [1, 2], "lm_head": [1, 2]},
            },
            {
                "target_modules": ["q_proj"],
                "trainable_token_indices": {"embed_tokens": [1, 2], "lm_head": [3]},
            },
            {"target_modules": ["q_proj"], "trainable_token_indices": {"lm_head": [3]}},
            {
                "target_modules": ["q_proj"],
                "modules_to_save": ["lm_head"],
                "ensure_weight_tying": True,
            },
            {"target_modules": ["embed_tokens"], "ensure_weight_tying": True},
            {"target_modules": ["q_proj"], "bias": "all", "layer_replication": [[0, 2], [0, 2]]},
            {"target_modules": ["q_proj"], "layer_replication": [[0, 9]]},
        ):
            yield base, "CAUSAL_LM", {"r": 2} | values
    for names in (
        ["mlp.experts.gate_up_proj", "mlp.experts.down_proj"],
        ["experts.down_proj"],
        ["mlp.gate.weight"],
    ):
        yield (
            MIXTRAL,
            "CAUSAL_LM",
            {"r": 2, "target_modules": ["q_proj"], "target_parameters": names},
        )


def answers():
    """Yield (base, task, configuration) for the classes that find answers in a text."""
    sizes = {"vocab_size": 90, "hidden_size": 16, "num_hidden_layers": 2}
    sizes |= {"num_attention_heads": 4, "intermediate_size": 24}
    for kind, more in (
        ("bert", {"num_labels": 3}),
        ("roberta", {}),
        ("albert", {"embedding_size": 8}),
        ("electra", {"embedding_size": 8}),
        ("deberta-v2", {"num_labels": 5}),
        ("llama", {"num_labels": 3}),
        ("qwen2", {}),
        ("mistral", {}),
        ("mixtral", {"num_local_experts": 2}),
        ("gpt_neox", {}),
        ("falcon", {}),
        ("bloom", {"n_layer": 2, "n_head": 4}),
        ("opt", {"ffn_dim": 24, "word_embed_proj_dim": 8}),
        ("gpt2", {"n_embd": 16, "n_layer": 2, "n_head": 4}),
        ("distilbert", {"dim": 16, "hidden_dim": 24, "n_layers": 2, "n_heads": 4}),
        ("t5", {"d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 2, "num_labels": 3}),
        ("bart", {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1}),
    ):
        # The other names of the sizes would win over these two families' own.
        own = {"vocab_size": 90} if kind in {"t5", "bart"} else sizes
        base = {"model_type": kind, "pad_token_id": 0} | own | more
        default = ["q_lin", "v_lin"] if kind == "distilbert" else None
        targets = ["q_proj", "v_proj"] if kind == "mixtral" else default
        for values in (
            {"r": 4, "target_modules": targets},
            {"r": 4, "target_modules": targets, "bias": "all"},
            {"peft_type": "PROMPT_TUNING", "num_virtual_tokens": 5},
        ):
            yield base, "QUESTION_ANS", values


def odd_places():
    """Yield (base, task, configuration) where one kind of adapter sits unlike the others."""
    phi = {"model_type": "phi", "vocab_size": 90, "hidden_size": 16, "num_hidden_layers": 2}
    phi |= {"num_attention_heads": 4, "intermediate_size": 24}
    mt5 = {"model_type": "mt5", "vocab_size": 90, "d_model": 16, "d_kv": 4, "d_ff": 24}
    mt5 |= {"num_layers": 2, "num_heads": 4, "transformers_version": "5.23.0"}
    oft = {"peft_type": "OFT", "target_modules": ["word_embeddings"]}
    vera = {"peft_type": "VERA", "target_modules": None}
    yield phi, "CAUSAL_LM", vera
    yield phi, "CAUSAL_LM", {"peft_type": "LOHA", "target_modules": None}
    yield mt5, "SEQ_2_SEQ_LM", {"peft_type": "IA3", "target_modules": None}
    for values in ({"oft_block_size": 4}, {"r": 4, "oft_block_size": 0}):
        yield BERT, "CAUSAL_LM", oft | values


def other_families():
    """Yield (base, task, configuration) for the first model of every other family."""
    seen = {base["model_type"] for base, _ in MAIN} | {"bert", "mixtral"}
    for path in sorted(Path(__file__).with_name("configs").glob("*.json")):
        for model in json.loads(path.read_text(encoding="utf-8")):
            kind, config = model["model_type"], model["config"]
            if kind in seen or "classes" not in model:
                continue
            seen.add(kind)
            base = {k: v for k, v in config.items() if k != "transformers_version"}
            if kind == "albert":
                base.setdefault("num_hidden_layers", 12)
            for name in model["classes"]:
                if name.endswith(("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")):
                    task = "SEQ_2_SEQ_LM" if name.endswith("Generation") else "CAUSAL_LM"
                elif name.endswith("ForSequenceClassification"):
                    task = "SEQ_CLS"
                else:
                    continue
                for values in (
                    {"r": 4, "target_modules": None},
                    {"r": 4, "target_modules": "all-linear", "bias": "all"},
                    {"peft_type": "LN_TUNING", "target_modules": None},
                    {"peft_type": "IA3", "target_modules": None},
                    {"peft_type": "PROMPT_TUNING", "num_virtual_tokens": 5},
                    {"peft_type": "PREFIX_TUNING", "num_virtual_tokens": 5},
                ):
                    # What experts get depends on the version of transformers.
                    if not (kind.endswith("_moe") and values.get("target_modules") == "all-linear"):
                        yield base | {"model_type": kind, "architectures": [name]}, task, values


# Settings of the newer kinds, each with values among which chance chooses.
NEWER = {
    "BEFT": {},
    "C3A": {
        "block_size": [1, 2, 8, 16, 16, 7],
        "block_size_pattern": [{}, {"LAST": 4}, {"FIRST": 16}, {r"\d.*FIRST|LAST": 2}],
        "init_weights": [True, "gaussian"],
        "bias": ["none", "all", "c3a_only"],
    },
    "DELORA": {
        "r": [1, 3, 8, 5, 0],
        "delora_lambda": [1, 15],
        "rank_pattern": [{}, {"LAST": 2}, {r".*\.1\..*FIRST": 5}],
        "bias": ["none", "all", "delora_only"],
    },
    "FOURIERFT": {
        "n_frequency": [1, 100, 1000, 2000, 40000],
        "n_frequency_pattern": [{}, {"LAST": 17}, {"FIRST": 3}],
        "bias": ["none", "all", "fourier_only"],
    },
    "GRALORA": {
        "r": [4, 8, 32, 5],
        "gralora_k": [1, 2, 4, 4, 3],
        "hybrid_r": [0, 0, 2],
        "bias": ["none", "all", "gralora_only"],
    },
    "HIRA": {"r": [1, 4, 8, 32, 0]},
    "HRA": {"r": [2, 3, 4, 8, 0], "apply_GS": [False, True], "bias": ["none", "all", "hra_only"]},
    "MISS": {
        "r": [1, 4, 8, 16, 16, 500],
        "mini_r": [1, 2, 8, 5],
        "init_weights": [True, False, "bat", "mini"],
        "bias": ["none", "all", "MiSS_only"],
    },
    "PVERA": {"r": [1, 8, 256], "bias": ["none", "all", "pvera_only"]},
    "RANDLORA": {
        "r": [1, 5, 8, 32, 64],
        "sparse": [False, True],
        "bias": ["none", "all", "randlora_only"],
    },
    "ROAD": {"variant": ["road_1", "road_2", "road_4"], "group_size": [2, 2, 4, 8, 16, 64]},
    "SHIRA": {"r": [1, 2, 4, 8, 32], "random_seed": [1]},
    "TRAINABLE_TOKENS": {"token_indices": [[1], [1, 5, 7], []]},
    "UNILORA": {
        "r": [1, 4],
        "theta_d_length": [1, 50, 256],
        "bias": ["none", "all", "unilora_only"],
    },
    "VBLORA": {
        "r": [1, 4],
        "num_vectors": [5, 60],
        "vector_length": [1, 2, 4, 8, 16, 5],
        "topk": [2],
        "bias": ["none", "all", "vblora_only"],
    },
    "WAVEFT": {
        "n_frequency": [1, 100, 2592, 40000],
        "n_frequency_pattern": [{}, {"LAST": 17}, {"FIRST": 3}],
        "proportional_parameters": [False, True],
        "bias": ["none", "all", "waveft_only"],
    },
    "PEANUT": {"r": [1, 4, 8, 32, 0], "depth": [0, 1, 3]},
}
"""A further kind stands last: what is drawn for it would change that of those behind it."""
CASES_OF_A_KIND = 40
WITHOUT_LAYERS = frozenset({"BEFT", "ROAD", "SHIRA", "TRAINABLE_TOKENS"})
WITH_EXCLUSION = frozenset({"DELORA", "FOURIERFT", "HIRA", "HRA", "MISS", "VBLORA", "WAVEFT"})


def newer_kinds():
    """Yield (base, task, configuration) of the newer kinds, drawn by chance and always alike."""
    rng = random.Random("newer kinds of adapters")
    for kind, settings in NEWER.items():
        for _ in range(CASES_OF_A_KIND):
            base, task = rng.choice(MAIN)
            first, second, third, table, layers = PARTS[base["model_type"]]
            names = [[first], [first, second], [second, third], "all-linear", None]
            names += [
                [third],
                rf".*\.[02]\..*({first}|{third})",
                rng.choice([[third], [first, table]]),
            ]
            if kind == "TRAINABLE_TOKENS":
                names = [[table], None, [table, "lm_head"], ["lm_head"], [first, table]]
            values = {"peft_type": kind, "target_modules": rng.choice(names)}
            for key, choices in settings.items():
                if rng.random() < 0.8:
                    values[key] = rng.choice(choices)
            where = {"modules_to_save": [rng.choice([table, second])]}
            if kind not in WITHOUT_LAYERS:
                where["layers_to_transform"] = rng.choice([[0, 2], 1])
                where["layers_pattern"] = layers
            if kind in WITH_EXCLUSION:
                where["exclude_modules"] = [third]
            key = rng.choice([*where, *["nothing"] * 8])
            if kind != "TRAINABLE_TOKENS" and key in where:
                values[key] = where[key]
            if key == "layers_pattern":
                values["layers_to_transform"] = [1]
            text = json.dumps(values).replace("FIRST", first).replace("LAST", second)
            yield base, task, json.loads(text)
