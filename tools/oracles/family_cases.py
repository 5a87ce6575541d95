"""Configurations that `family_counts.py` builds: by rule for every type, and by hand.

The hand-made ones lie in family_cases/*.jsonl, one a line: model type, class, keys; the rules in
rules.yaml beside them.
"""

import json
import zlib
from pathlib import Path

import yaml
from transformers.models.auto import modeling_auto

HERE = Path(__file__).resolve().parents[2] / "tests" / "oracle"
RULES = yaml.safe_load((HERE / "family_cases" / "rules.yaml").read_text(encoding="utf-8"))
MAIN, LABELLED, IDLE, NARROWER = (RULES[key] for key in ("main", "labelled", "idle", "narrower"))
CHOICES = {name: sizes for names, sizes in RULES["sizes"].items() for name in names.split()}
PARTS = ("text_config", "vision_config", "audio_config", "decoder", "encoder", "thinker_config")
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
    return ({"num_labels": 5}, {"id2label": named}, {})[turn_of(model_type, 3)]


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
