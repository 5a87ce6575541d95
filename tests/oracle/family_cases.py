"""Configurations that `make_family_counts.py` builds: by rule for every type, and by hand.

The hand-made ones lie in family_cases/*.jsonl, one a line: model type, class, keys.
"""

import json
import zlib
from pathlib import Path

from transformers.models.auto import modeling_auto

HERE = Path(__file__).parent

# What a class does, in the order in which a type's classes are chosen.
MAIN = (
    "MODEL_FOR_CAUSAL_LM",
    "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM",
    "MODEL_FOR_SPEECH_SEQ_2_SEQ",
    "MODEL_FOR_IMAGE_TEXT_TO_TEXT",
    "MODEL_FOR_MASKED_LM",
    "MODEL_FOR_PRETRAINING",
    "MODEL_FOR_CTC",
    "MODEL_FOR_OBJECT_DETECTION",
    "MODEL_FOR_BACKBONE",
    "MODEL_FOR_UNIVERSAL_SEGMENTATION",
    "MODEL_FOR_DEPTH_ESTIMATION",
    "MODEL_FOR_MASKED_IMAGE_MODELING",
    "MODEL_FOR_TEXT_TO_WAVEFORM",
    "MODEL_FOR_TEXT_TO_SPECTROGRAM",
    "MODEL_FOR_TIME_SERIES_PREDICTION",
    "MODEL_FOR_KEYPOINT_DETECTION",
    "MODEL_FOR_MULTIMODAL_LM",
    "MODEL_FOR_DECISION",
    "MODEL_FOR_TABLE_RECOGNITION",
    "MODEL_FOR_KEYPOINT_MATCHING",
    "MODEL_FOR_IMAGE_MATTING",
    "MODEL_FOR_POSE_ESTIMATION",
)
LABELLED = (
    "MODEL_FOR_SEQUENCE_CLASSIFICATION",
    "MODEL_FOR_IMAGE_CLASSIFICATION",
    "MODEL_FOR_AUDIO_CLASSIFICATION",
    "MODEL_FOR_VIDEO_CLASSIFICATION",
    "MODEL_FOR_SEMANTIC_SEGMENTATION",
    "MODEL_FOR_TOKEN_CLASSIFICATION",
    "MODEL_FOR_AUDIO_FRAME_CLASSIFICATION",
    "MODEL_FOR_QUESTION_ANSWERING",
    "MODEL_FOR_MULTIPLE_CHOICE",
    "MODEL_FOR_AUDIO_XVECTOR",
)

# Keys without a say in the number of parameters.
IDLE = (
    {"torch_dtype": "bfloat16", "transformers_version": "4.40.1"},
    {"_name_or_path": "someone/a-model", "dtype": "float16"},
    {
        "quantization_config": {"quant_method": "gptq", "bits": 4},
        "torch_dtype": "float16",
    },
    {"auto_map": {"AutoConfig": "configuration_mine.MyConfig"}, "return_dict": True},
)

# Sizes of small models, three of each, by the names that configurations have for them.
SIZES = {
    "hidden_size d_model n_embd embed_dim dim embedding_size projection_dim hidden_dim "
    "decoder_hidden_size encoder_hidden_size": (96, 144, 192),
    "num_attention_heads n_head encoder_attention_heads decoder_attention_heads num_heads "
    "n_heads num_decoder_attention_heads": (4, 6, 8),
    "num_key_value_heads": (2, 3, 4),
    "head_dim d_kv kv_channels": (24, 40, 16),
    "intermediate_size n_inner ffn_dim encoder_ffn_dim decoder_ffn_dim d_ff "
    "ffn_hidden_size feed_forward_hidden_size": (172, 300, 516),
    "moe_intermediate_size shared_expert_intermediate_size expert_dim": (40, 56, 88),
    "num_hidden_layers n_layer encoder_layers decoder_layers num_layers n_layers "
    "num_decoder_layers num_encoder_layers depth": (3, 2, 5),
    "vocab_size": (1031, 2003, 4099),
    "max_position_embeddings n_positions max_source_positions max_target_positions n_ctx": (
        140,
        258,
        77,
    ),
    "num_experts num_local_experts n_routed_experts moe_num_experts": (8, 4, 16),
    "type_vocab_size": (3, 1, 4),
    "image_size": (64, 96, 128),
    "patch_size": (8, 16, 32),
    "num_channels": (3, 1, 4),
    "num_mel_bins": (40, 64, 96),
}
CHOICES = {name: sizes for names, sizes in SIZES.items() for name in names.split()}
PARTS = ("text_config", "vision_config", "audio_config", "decoder", "encoder", "thinker_config")
# What is tried in turn where a type refuses all of them.
NARROWER = (
    (),
    ("image_size", "patch_size", "num_channels", "head_dim", "max_position_embeddings"),
    (
        "image_size",
        "patch_size",
        "num_channels",
        "num_key_value_heads",
        "num_experts",
        "hidden_dim",
    ),
)
FEW = ("vocab_size", "intermediate_size", "ffn_dim", "d_ff", "encoder_ffn_dim", "decoder_ffn_dim")
LAYERS = ("num_hidden_layers", "encoder_layers", "decoder_layers", "num_layers", "depth")
# Numbers of layers in which a kind that returns every few layers does so more than once.
DEEP = dict.fromkeys((*LAYERS, "n_layer", "n_layers"), (30, 24, 13))


def turn_of(word, among):
    """Return a number below `among` that is always the same for the word."""
    return zlib.crc32(word.encode()) % among


def classes_of(task):
    """Return the classes of a task, by model type."""
    found = getattr(modeling_auto, f"{task}_MAPPING_NAMES")
    return {t: [c] if isinstance(c, str) else list(c) for t, c in found.items()}


TASKS = {task: classes_of(task) for task in ("MODEL", *MAIN, *LABELLED)}


def labels_of(model_type):
    """Return how the labels of a classifier are told, in one of three ways."""
    named = {str(index): name for index, name in enumerate(("no", "yes", "?"))}
    return (
        {"num_labels": 5},
        {"id2label": named},
        {},
    )[turn_of(model_type, 3)]


def heads_of(model_type, *, few):
    """Return base classes and classes with a head, at most five, with the keys of each."""
    base = TASKS["MODEL"].get(model_type, [])[: 1 if few else 2]
    main = [c for task in MAIN for c in TASKS[task].get(model_type, [])]
    labelled = [c for task in LABELLED for c in TASKS[task].get(model_type, [])]
    main = [c for c in dict.fromkeys(main) if c not in base]
    labelled = [c for c in dict.fromkeys(labelled) if c not in base and c not in main]
    first = labelled[:1]
    rest = [] if few else [*main[1:], *labelled[1:]]
    other = [rest[turn_of(model_type, len(rest))]] if rest else []
    chosen = [*base, *main[:1], *other, *first]
    return [(c, labels_of(model_type) if c in labelled else {}) for c in dict.fromkeys(chosen)]


def idle_of(name):
    """Return the keys without a say, for one class of five."""
    return IDLE[turn_of(name, len(IDLE))] if turn_of(name[::-1], 5) == 0 else {}


def sizes_of(model_type, held, left_out, only=(), *, typed=True, choices=CHOICES):
    """Return other sizes for the names that a configuration has."""
    turn, found = turn_of(model_type, 3), {}
    for key, value in held.items():
        if key in PARTS and isinstance(value, dict):
            inner = sizes_of(model_type, value, left_out, only, typed=typed, choices=choices)
            if inner:
                found[key] = (
                    {"model_type": value.get("model_type", ""), **inner} if typed else inner
                )
        elif key in choices and type(value) is int and key not in left_out:
            if only and key not in only:
                continue
            found[key] = choices[key][turn]
    pad = held.get("pad_token_id")
    if type(pad) is int and pad >= found.get("vocab_size", pad + 1):
        found["pad_token_id"] = 0
    return found


def scaled_sizes(model_type, held):
    """Yield small shapes of a type, from the boldest to the shyest."""
    for left_out in NARROWER:
        yield sizes_of(model_type, held, left_out, typed=False)
        yield sizes_of(model_type, held, left_out)
    yield sizes_of(model_type, held, (), FEW)
    yield sizes_of(model_type, held, (), LAYERS)


def deep_sizes(model_type, held):
    """Yield the defaults with more layers, the parts with their types last."""
    for typed in (False, True):
        yield sizes_of(model_type, held, (), typed=typed, choices=DEEP)


def hand_made():
    """Return the cases that were written by hand."""
    found = []
    for path in sorted((HERE / "family_cases").glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()
        found += [tuple(json.loads(line)) for line in lines if line.strip()]
    return found
