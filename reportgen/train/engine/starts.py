"""Where a fine-tune starts: weights and config of a member, loaded, converted or drawn.

What a start lacks is drawn by transformers itself under the member's seed, so that a head is
the one that its own `from_pretrained` gives after `manual_seed(seed)`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.read.weights import read_evidence
from reportgen.records.checkpoint import Checkpoint
from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.study import RANDOM, TrainPlan
from reportgen.train.engine.fairseq import read_fairseq
from reportgen.train.engine.libraries import drawing, refusing

if TYPE_CHECKING:
    from torch import Tensor

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
