"""Where a fine-tune starts: weights and config of a member, loaded, converted or drawn.

What a start lacks is drawn by transformers itself under the member's seed, so that a head is
the one that its own `from_pretrained` gives after `manual_seed(seed)`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.read.weights import Place, locate_torch, read_evidence, read_torch
from reportgen.records.checkpoint import Checkpoint
from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.study import RANDOM, TrainPlan
from reportgen.train.engine.libraries import drawing, refusing

if TYPE_CHECKING:
    from torch import Tensor


# Checkpoints of fairseq's RoBERTa under the names of Hugging Face, with their config.
#
# Nothing of fairseq is needed, and the file is never unpickled: it keeps its settings as objects of
# argparse or omegaconf, and what loads these runs whatever it names. Names, shapes and settings
# come from the reader of headers, and the numbers from where it says they lie.
#
# The logits of what comes out are fairseq's own (`tests/oracle`);
# that takes more than names: the activation, the epsilon of the normalisation and, above all, the
# number of heads, which no shape tells.
#
# Source: `fairseq/models/roberta/model.py`, `fairseq/modules/transformer_layer.py` and
# `fairseq/modules/multihead_attention.py` (`upgrade_state_dict_named`), fairseq 0.6 to 0.12.2;
# `transformers/models/roberta/modeling_roberta.py`, transformers 5.

HEAD = "sentence_classification_head"
"""What fairseq's own recipes call the head of a classifier."""

Shapes = Mapping[str, tuple[int, ...]]

_REMEDY = "convert the model to a Hugging Face folder and pass that"
_CUT = "save the checkpoint again, whole"
_LAYER = re.compile(r"layers\.(\d+)\.(.+)")
# A second copy of every layer, for a fast path of inference; after training it is out of date.
_COPY = re.compile(r"(?:in_proj|out_proj|fc1|fc2)_(?:weight|bias)")
_KIND = re.compile(r"(.+)[._](weight|bias)")
_FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
_OF_LAYER = {
    "self_attn.q_proj": "attention.self.query",
    "self_attn.k_proj": "attention.self.key",
    "self_attn.v_proj": "attention.self.value",
    "self_attn.out_proj": "attention.output.dense",
    "self_attn_layer_norm": "attention.output.LayerNorm",
    "fc1": "intermediate.dense",
    "fc2": "output.dense",
    "final_layer_norm": "output.LayerNorm",
}
_FUSED = ("query", "key", "value")
_OUTSIDE = {
    "embed_tokens": "embeddings.word_embeddings",
    "embed_positions": "embeddings.position_embeddings",
    "layernorm_embedding": "embeddings.LayerNorm",
    "emb_layer_norm": "embeddings.LayerNorm",
}
_ACTIVATIONS = {
    "gelu": "gelu",
    "relu": "relu",
    "gelu_accurate": "gelu_new",
    "gelu_fast": "gelu_new",
    "tanh": "tanh",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One tensor of the result: block `part` of `parts` equal ones that the source is cut into."""

    source: str
    target: str
    part: int = 0
    parts: int = 1


def move_encoder(shapes: Shapes, name: str) -> tuple[Move, ...]:
    """Say where every tensor of the encoder goes.

    The tables go as they are: both libraries count positions from the padding id on, so that 256
    positions have 258 rows. What belongs to the language model's head, to the fast path of
    inference or to the file format is left behind; anything else unknown is refused.

    Example:
        >>> [(m.target, m.part) for m in move_encoder(
        ...     {"decoder.sentence_encoder.layers.0.self_attn.in_proj_bias": (12,)}, "model.pt")]
        [('roberta.encoder.layer.0.attention.self.query.bias', 0),
         ('roberta.encoder.layer.0.attention.self.key.bias', 1),
         ('roberta.encoder.layer.0.attention.self.value.bias', 2)]
    """
    moves: list[Move] = []
    for source in shapes:
        inner = re.fullmatch(r"(?:encoder|decoder)\.sentence_encoder\.(.+)", source)
        if inner and inner[1] != "version":
            found = _moves_of(source, inner[1])
            if found is None:
                raise EvidenceError(
                    f"{name} holds {source[:120]}, which no RoBERTa of fairseq has", remedy=_REMEDY
                )
            moves.extend(found)
    if not moves:
        raise EvidenceError(
            f"{name} holds no encoder of fairseq's RoBERTa",
            remedy="pass a checkpoint of fairseq's RoBERTa or a Hugging Face folder",
        )
    return tuple(moves)


def _moves_of(source: str, inner: str) -> tuple[Move, ...] | None:
    """Return where one tensor goes: nowhere for a copy, None where it is not known."""
    layer = _LAYER.fullmatch(inner)
    if layer and _COPY.fullmatch(layer[2]):
        return ()
    found = _KIND.fullmatch(layer[2] if layer else inner)
    if found is None:
        return None
    module, kind = found.groups()
    if not layer:
        there = _OUTSIDE.get(module)
        return (Move(source=source, target=f"roberta.{there}.{kind}"),) if there else None
    prefix = f"roberta.encoder.layer.{layer[1]}"
    if module == "self_attn.in_proj":
        targets = [f"{prefix}.attention.self.{part}.{kind}" for part in _FUSED]
        return tuple(
            Move(source=source, target=target, part=part, parts=len(targets))
            for part, target in enumerate(targets)
        )
    there = _OF_LAYER.get(module)
    return (Move(source=source, target=f"{prefix}.{there}.{kind}"),) if there else None


def move_head(shapes: Shapes, classes: int, name: str) -> tuple[tuple[Move, ...], str]:
    """Say where the head of a classifier goes, whatever it is called.

    Returns:
        The moves, empty where the file has no head that fits, and why it does not.

    Raises:
        EvidenceError: It has several heads, none by fairseq's usual name.
    """
    names = sorted({source.split(".")[1] for source in shapes if _is_head(source)})
    if not names:
        return (), ""
    if len(names) > 1 and HEAD not in names:
        raise EvidenceError(
            f"{name} holds {len(names)} heads of classifiers: {', '.join(names[:5])}",
            remedy=f"keep one, or call the one to use {HEAD}",
        )
    chosen = HEAD if HEAD in names else names[0]
    prefix = f"classification_heads.{chosen}"
    inner = shapes.get(f"{prefix}.dense.weight", ())
    outer = shapes.get(f"{prefix}.out_proj.weight", ())
    if inner[:1] != inner[1:] or outer != (classes, *inner[1:]):
        sizes = " and ".join(str(list(size)) for size in (inner, outer))
        return (), f"the head {chosen} of {name} has sizes {sizes}: not one for {classes} classes"
    return tuple(
        Move(source=f"{prefix}.{module}.{kind}", target=f"classifier.{module}.{kind}")
        for module in ("dense", "out_proj")
        for kind in ("weight", "bias")
        if f"{prefix}.{module}.{kind}" in shapes
    ), ""


def _is_head(source: str) -> bool:
    return source.startswith("classification_heads.") and source.count(".") > 2


def read_config(
    arguments: Mapping[str, object], shapes: Shapes, moves: tuple[Move, ...], name: str
) -> dict[str, object]:
    """Return the `config.json` of the model, by what the file says of its training.

    Raises:
        EvidenceError: The number of heads is not stated or divides nothing, or the model is built
            in a way that Hugging Face's RoBERTa is not.
    """
    sizes = {move.target: shapes[move.source] for move in moves if move.part == 0}
    words = _table(sizes, "roberta.embeddings.word_embeddings.weight", name)
    positions = _table(sizes, "roberta.embeddings.position_embeddings.weight", name)
    width = words[1]
    _check_build(arguments, name)
    if "roberta.embeddings.LayerNorm.bias" not in sizes:
        raise EvidenceError(f"{name} lacks embeddings.LayerNorm.bias", remedy=_CUT)
    return {
        "model_type": "roberta",
        "vocab_size": words[0],
        "hidden_size": width,
        "num_hidden_layers": _count_layers(sizes),
        "num_attention_heads": _count_heads(arguments, width, name),
        "intermediate_size": _table(
            sizes, "roberta.encoder.layer.0.intermediate.dense.weight", name
        )[0],
        "max_position_embeddings": positions[0],
        "hidden_act": _ACTIVATIONS[str(arguments.get("activation_fn", "gelu"))],
        "layer_norm_eps": 1e-5,
        "type_vocab_size": 1,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
    }


def _count_heads(arguments: Mapping[str, object], width: int, name: str) -> int:
    heads = arguments.get("encoder_attention_heads")
    if isinstance(heads, int) and not isinstance(heads, bool) and heads > 0 and not width % heads:
        return heads
    what = "does not say" if heads is None else f"says {str(heads)[:20]!r} of"
    raise EvidenceError(
        f"{name} {what} how many attention heads its {width} channels have",
        remedy=f"no shape tells it: {_REMEDY}",
    )


def _table(sizes: Shapes, target: str, name: str) -> tuple[int, int]:
    found = sizes.get(target, ())
    if len(found) != 2:
        raise EvidenceError(f"{name} lacks {target.removeprefix('roberta.')}", remedy=_CUT)
    return found[0], found[1]


def _count_layers(sizes: Shapes) -> int:
    """Return how many layers there are; what one of them lacks is found as the model is built."""
    found = (re.match(r"roberta\.encoder\.layer\.(\d+)\.", target) for target in sizes)
    # Not the highest number: a stranger may have written it.
    return len({one[1] for one in found if one})


def _check_build(arguments: Mapping[str, object], name: str) -> None:
    """Refuse what Hugging Face's RoBERTa computes in another way."""
    inner = str(arguments.get("activation_fn", "gelu"))
    outer = str(arguments.get("pooler_activation_fn", "tanh"))
    odd = {
        "normalises before its blocks": "encoder_normalize_before",
        "has a spectral norm in its head": "spectral_norm_classification_head",
    }
    wrong = [f"{what} ({key})" for what, key in odd.items() if arguments.get(key)]
    if inner not in _ACTIVATIONS:
        wrong.append(f"has the activation {inner[:40]}")
    if outer != "tanh":
        wrong.append(f"has the activation {outer[:40]} in its head")
    if wrong:
        raise EvidenceError(
            f"{name} {' and '.join(wrong)}; Hugging Face's RoBERTa does not",
            remedy="fine-tune it with fairseq",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """A checkpoint under Hugging Face's names, in float32; and why its head was left behind."""

    config: dict[str, object]
    state: dict[str, Tensor]
    head: str = ""


def read_fairseq(path: Path, classes: int, *, head: bool = True) -> Converted:
    """Read and convert a checkpoint of fairseq's RoBERTa.

    Args:
        path: A file that `torch.save` wrote, of either format.
        classes: How many the task tells apart; a head with another number is left behind.
        head: Whether the task has a head like fairseq's at all.

    Raises:
        EvidenceError: The file is damaged, names code that a loader would run, or is no RoBERTa
            that Hugging Face's could stand for.
    """
    name = str(path)
    header = read_torch(path, name)
    warnings = [problem for problem in header.problems if problem.level == "warning"]
    if warnings:
        raise EvidenceError(
            f"{name} is not loaded: {warnings[0].message}", remedy=warnings[0].remedy
        )
    places = {place.name: place for place in locate_torch(path, name)}
    shapes = {place.name: place.shape for place in places.values()}
    moves = move_encoder(shapes, name)
    config = read_config(header.config, shapes, moves, name)
    of_head, why = move_head(shapes, classes, name) if head else ((), "")
    state = _read_moves(path, (*moves, *of_head), places)
    # fairseq has no types of tokens; Hugging Face adds the one there is, here nothing.
    bias = state["roberta.embeddings.LayerNorm.bias"]
    state["roberta.embeddings.token_type_embeddings.weight"] = bias.new_zeros((1, len(bias)))
    return Converted(config=config, state=state, head=why)


def _read_moves(
    path: Path, moves: tuple[Move, ...], places: Mapping[str, Place]
) -> dict[str, Tensor]:
    import torch

    found: dict[str, Tensor] = {}
    with path.open("rb") as file:
        for move in moves:
            place = places[move.source]
            rows = place.shape[0] if place.shape else 0
            if place.dtype not in _FLOATS or not rows or rows % move.parts:
                raise EvidenceError(
                    f"{path} keeps {move.source} as {place.dtype} of shape {list(place.shape)}",
                    remedy="save the checkpoint in float32, whole",
                )
            file.seek(place.begin)
            content = file.read(place.end - place.begin)
            block = rows // move.parts
            flat = torch.frombuffer(bytearray(content), dtype=getattr(torch, place.dtype))
            whole = flat.as_strided(place.shape, place.stride).float()
            found[move.target] = whole[move.part * block : (move.part + 1) * block].clone()
    return found


_WEIGHTS = (
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)
"""In the order in which transformers prefers them."""

_DROPOUTS = (
    *("hidden_dropout_prob", "attention_probs_dropout_prob", "hidden_dropout", "attention_dropout"),
    *("classifier_dropout", "classifier_dropout_prob", "seq_classif_dropout", "embedding_dropout"),
    *("dropout", "resid_pdrop", "embd_pdrop", "attn_pdrop"),
)
"""How the families call the dropout of embeddings, attention, hidden layers and head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What one fine-tune starts from.

    Attributes:
        config: Content of its `config.json`, the plan's dropout and the labels in it.
        state: Name, as transformers has it, to weights: float32, on the CPU.
        notes: What a reader of the results must know.
    """

    config: dict[str, Any]
    state: dict[str, Tensor]
    notes: tuple[str, ...] = ()


def load_start(start: str, plan: TrainPlan, seed: int, labels: Sequence[str]) -> Started:
    """Load the weights of a start, and draw what it lacks.

    The generator of the process is left as it was.

    Args:
        start: Hugging Face folder, checkpoint of fairseq's RoBERTa, or `"random"`.
        plan: Its `task`, `config` (of a random start) and `dropout` count.
        seed: Of what is drawn.
        labels: Names of the classes in the order of their numbers; none where there are none.

    Raises:
        UsageError: A random start without a config.
        EvidenceError: Weights or config are missing, damaged, would run code when loaded, hold
            values that are no numbers, or lack more than a head.
    """
    if start == RANDOM:
        if not plan.config:
            raise UsageError(
                "a group starts at random, and the study names no config for it",
                remedy="set config under [train] to the model's config.json",
            )
        return _draw(_open_config(Path(plan.config), plan, labels), plan, seed)
    path = Path(start)
    if path.is_dir():
        config = _open_config(path / "config.json", plan, labels)
        return _complete(config, _read_folder(path), plan, (seed, start), ())
    if plan.task == "causal_lm":
        raise UsageError(
            f"{start} is no folder; a checkpoint of fairseq's RoBERTa is no causal language model",
            remedy="pass the folder of a Hugging Face model",
        )
    converted = read_fairseq(path, max(len(labels), 1), head=plan.task != "token_classification")
    config = _prepare(_config_from(converted.config, str(path)), plan, labels)
    notes = (converted.head,) if converted.head else ()
    if plan.dropout:
        notes = (*notes, "fairseq's head drops nothing unless told to; here the plan's dropout")
    return _complete(config, converted.state, plan, (seed, start), notes)


def build_model(started: Started, plan: TrainPlan, device: str = "", **options: Any) -> Any:
    """Return transformers' model with copies of the weights of a start, to evaluate.

    Args:
        started: What `load_start` gave under the same plan.
        plan: The plan.
        device: Where it goes, prepared to be trained there; empty leaves it as it is.
        options: For transformers' `from_pretrained` (`quantization_config`).
    """
    import torch

    from reportgen.train.engine.quick import quicken

    config = _config_from(dict(started.config), "the start")
    state = {name: tensor.clone() for name, tensor in started.state.items()}
    with drawing(0):
        model = _class_of(config, plan).from_pretrained(
            None, config=config, state_dict=state, dtype=torch.float32, **options
        )
        if device == "cpu":
            quicken(model)
        return model.to(device) if device else model


def _open_config(path: Path, plan: TrainPlan, labels: Sequence[str]) -> Any:
    found = read_evidence(path, str(path))
    values = getattr(found, "values", None)
    if not isinstance(values, Mapping):
        raise EvidenceError(f"{path} is no config of a model", remedy="pass its config.json")
    return _prepare(_config_from(dict(values), str(path)), plan, labels)


def _config_from(values: dict[str, Any], name: str) -> Any:
    """Return transformers' config; code that a folder brings along is never looked at."""
    from transformers import CONFIG_MAPPING

    plain = {key: value for key, value in values.items() if key not in {"auto_map", "model_type"}}
    kind = str(values.get("model_type", ""))
    if kind not in CONFIG_MAPPING:
        raise EvidenceError(
            f"{name} is of a model {kind[:80]!r} that transformers does not know",
            remedy="pass a model of transformers' own",
        )
    with refusing(name, "mend the config"):
        return CONFIG_MAPPING[kind].from_dict(plain)


def _prepare(config: Any, plan: TrainPlan, labels: Sequence[str]) -> Any:
    if plan.task == "regression":
        config.problem_type = "regression"
        config.num_labels = 1
    elif plan.task != "causal_lm":
        if plan.task == "classification":
            config.problem_type = "single_label_classification"
        config.id2label = dict(enumerate(labels))
        config.label2id = {label: number for number, label in enumerate(labels)}
    for key in _DROPOUTS:
        if hasattr(config, key):
            setattr(config, key, plan.dropout)
    return config


def _read_folder(folder: Path) -> dict[str, Tensor]:
    """Return the weights of a folder, once the reader of headers finds nothing wrong."""
    for file in (folder / name for name in _WEIGHTS):
        if not file.is_file():
            continue
        found = read_evidence(file, str(file))
        problems = found.problems if isinstance(found, Checkpoint) else ()
        wrong = [problem for problem in problems if problem.level == "warning"]
        if wrong:
            raise EvidenceError(f"{file} is not loaded: {wrong[0].message}", remedy=wrong[0].remedy)
        state: dict[str, Tensor] = {}
        shards: Iterable[str] = [file.name]
        if file.name.endswith(".index.json"):
            shards = dict.fromkeys(json.loads(file.read_bytes())["weight_map"].values())
        for shard in shards:
            state.update(_read_shard(folder / shard))
        return state
    raise EvidenceError(
        f"{folder} holds no weights; looked for {', '.join(_WEIGHTS)}",
        remedy='save the model with save_pretrained, or start at "random"',
    )


def _read_shard(file: Path) -> dict[str, Tensor]:
    if file.suffix == ".safetensors":
        from safetensors.torch import load_file

        return load_file(file)
    import torch

    with refusing(f"{file} is not loaded", "save it again"):
        # A second lock: the reader of headers has said what the file names, this refuses the rest.
        found = torch.load(file, map_location="cpu", weights_only=True)
    if not isinstance(found, dict) or not all(map(torch.is_tensor, found.values())):
        raise EvidenceError(
            f"{file} holds more than weights by name",
            remedy="save the model with save_pretrained",
        )
    return found


def _complete(
    config: Any, state: dict[str, Tensor], plan: TrainPlan, origin: tuple[int, str],
    notes: tuple[str, ...],
) -> Started:  # fmt: skip
    """Let transformers build the model around the weights and draw the rest."""
    import torch

    seed, name = origin
    state = {key: value.float() if value.is_floating_point() else value
             for key, value in state.items()}  # fmt: skip
    for key, value in state.items():
        if value.is_floating_point() and not bool(torch.isfinite(value).all()):
            raise EvidenceError(
                f"{name} holds values in {key[:120]} that are no numbers",
                remedy="pass a checkpoint from before training diverged",
            )
    own = _class_of(config, plan)
    with drawing(seed), refusing(name, "pass another model"):
        model, told = own.from_pretrained(
            None, config=config, state_dict=state, output_loading_info=True,
            ignore_mismatched_sizes=True, dtype=torch.float32,
        )  # fmt: skip
    misfits = [entry[0] for entry in told["mismatched_keys"]]
    drawn = sorted({*told["missing_keys"], *misfits})
    _check_drawn(drawn, misfits, f"{model.base_model_prefix}.", name)
    if drawn:
        notes = (*notes, f"drawn under seed {seed}: {', '.join(drawn)}")
    return _started(model, notes)


def _check_drawn(drawn: Sequence[str], misfits: Sequence[str], prefix: str, name: str) -> None:
    """Refuse a start that lacks weights of the encoder: then it is another model's."""
    inner = [key for key in drawn if key.startswith(prefix) and ".pooler." not in key]
    if inner:
        what = "other sizes than its config says in" if inner[0] in misfits else "no"
        raise EvidenceError(
            f"{name} has {what} {inner[0]}"
            + (f" and {len(inner) - 1} other tensors of the model" if len(inner) > 1 else ""),
            remedy="pass weights and config.json of one model",
        )


def _draw(config: Any, plan: TrainPlan, seed: int) -> Started:
    own = _class_of(config, plan)
    with drawing(seed), refusing(plan.config, "mend the config"):
        model = own(config).float()
    return _started(model, (f"drawn under seed {seed}: every weight",))


def _started(model: Any, notes: tuple[str, ...]) -> Started:
    model.config.architectures = [type(model).__name__]
    config = json.loads(model.config.to_json_string(use_diff=False))
    state = {name: tensor.detach() for name, tensor in model.state_dict().items()}
    return Started(config=config, state=state, notes=notes)


def _class_of(config: Any, plan: TrainPlan) -> Any:
    """Return transformers' class for a config and a task."""
    import transformers

    names = {"causal_lm": "CAUSAL_LM", "token_classification": "TOKEN_CLASSIFICATION"}
    name = names.get(plan.task, "SEQUENCE_CLASSIFICATION")
    mapping: Any = getattr(transformers, f"MODEL_FOR_{name}_MAPPING")
    if type(config) not in mapping:
        raise EvidenceError(
            f"transformers has no {config.model_type} for {plan.task}", remedy="pass another model"
        )
    found = mapping[type(config)]
    return found[0] if isinstance(found, tuple) else found
