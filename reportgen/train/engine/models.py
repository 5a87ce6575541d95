"""The models of a job's members: each its own, or adapters on bases that none of them changes."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from reportgen.read.weights import read_evidence
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.errors import MissingExtraError, UsageError, install_command
from reportgen.records.job import Member
from reportgen.records.study import TrainPlan
from reportgen.train.engine.libraries import refusing
from reportgen.train.engine.starts import build_model, load_start

_DRAWN = (True, False, "gaussian")
"""Values of `init_lora_weights` that need neither data nor another base."""
_APART = ("layer_replication", "modules_to_save", "trainable_token_indices", "target_parameters")
"""Keys of adapters that want a base of their own."""
_TASKS = {
    "classification": "SEQ_CLS",
    "regression": "SEQ_CLS",
    "token_classification": "TOKEN_CLS",
    "causal_lm": "CAUSAL_LM",
}
"""Task to PEFT's name for it; with these PEFT trains the head of a classifier as well."""


class Separate:
    """Every member has a transformers model of its own and trains every weight."""

    def __init__(self, modules: Sequence[nn.Module]) -> None:
        self._modules = modules

    def select(self, member: int) -> nn.Module:
        """Return the model of a member."""
        return self._modules[member]

    def weights(self, member: int) -> dict[str, nn.Parameter]:
        """Return what is trained, by name."""
        return trained(self._modules[member])

    def export(self, member: int) -> dict[str, Tensor]:
        """Return the state dict; of weights that are tied, the first name alone."""
        seen: set[int] = set()
        found: dict[str, Tensor] = {}
        for name, tensor in self._modules[member].state_dict().items():
            if tensor.numel() and tensor.data_ptr() in seen:
                continue
            seen.add(tensor.data_ptr())
            found[name] = tensor.detach().to("cpu", copy=True).contiguous()
        return found


def trained(module: nn.Module) -> dict[str, nn.Parameter]:
    """Return the parameters that are not frozen, by name; tied ones once."""
    return {name: p for name, p in module.named_parameters() if p.requires_grad}


def spared(module: nn.Module) -> frozenset[str]:
    """Return the names of biases and of the weights of normalisations, which do not decay."""
    found = set()
    for prefix, part in module.named_modules():
        # Families bring normalisations of their own; all have the word in their class's name.
        norm = "norm" in type(part).__name__.lower()
        for name, _ in part.named_parameters(recurse=False):
            if norm or name.endswith("bias"):
                found.add(f"{prefix}.{name}" if prefix else name)
    return frozenset(found)


def read_lora(path: Path, task: str) -> dict[str, Any]:
    """Read what `LoraConfig` takes from an `adapter_config.json`.

    A key that this version of PEFT does not know is left out where its value is null, false or
    empty: then it changes nothing.
    """
    from peft import LoraConfig

    found = read_evidence(path, str(path))
    if not isinstance(found, AdapterConfig) or found.peft_type != "LORA":
        raise UsageError(
            f"{path} is no LoRA adapter, and only those are trained here",
            remedy='pass an adapter_config.json with peft_type "LORA"',
        )
    known = {field.name for field in dataclasses.fields(LoraConfig) if field.init}
    # PEFT refuses the others by name.
    values = {key: value for key, value in found.values.items() if value or key in known}
    drawn, named = values.get("init_lora_weights", True), values.get("task_type")
    if drawn not in _DRAWN:
        raise UsageError(
            f"{path} has init_lora_weights {drawn!r}, which needs data or changes the base",
            remedy='set init_lora_weights to true or to "gaussian"',
        )
    if named and named != _TASKS[task]:
        raise UsageError(
            f'{path} has task_type {named!r}, and the study task = "{task}"',
            remedy=f'set task_type to "{_TASKS[task]}"',
        )
    return values | {"task_type": _TASKS[task]}


def may_share(values: Mapping[str, Any]) -> bool:
    """Tell whether adapters of this kind leave their base as it was."""
    return (
        values.get("bias", "none") == "none"
        and values.get("task_type") == _TASKS["causal_lm"]
        and not any(values.get(key) for key in _APART)
    )


class Adapters:
    """For each member a named adapter, drawn under its seed; equal bases are one object."""

    def __init__(
        self,
        bases: Sequence[nn.Module],
        configs: Sequence[Mapping[str, Any]],
        seeds: Sequence[int],
    ) -> None:
        wrapped: dict[int, Any] = {}
        self._models: list[Any] = []
        for member, base in enumerate(bases):
            model = wrapped.get(id(base))
            # PEFT advises against what is done on purpose: several adapters, Conv1D.
            quiet = warnings.catch_warnings(action="ignore")
            with quiet, torch.random.fork_rng(devices=[]):
                torch.manual_seed(seeds[member])
                model = _add(model, base, configs[member], _name(member))
            wrapped[id(base)] = model
            self._models.append(model)

    def select(self, member: int) -> nn.Module:
        """Return the base with the adapter of a member switched on."""
        model = self._models[member]
        if model.active_adapter != _name(member):
            model.set_adapter(_name(member))
        found: nn.Module = model
        return found

    def weights(self, member: int) -> dict[str, nn.Parameter]:
        """Return the adapter's weights, by name."""
        return trained(self.select(member))

    def export(self, member: int) -> dict[str, Tensor]:
        """Return what PEFT's own `save_pretrained` would write."""
        from peft import get_peft_model_state_dict

        own = get_peft_model_state_dict(
            self._models[member], adapter_name=_name(member), save_embedding_layers=False
        )
        return {name: t.detach().to("cpu", copy=True).contiguous() for name, t in own.items()}

    def config(self, member: int) -> dict[str, Any]:
        """Return the content of `adapter_config.json`, defaults filled in by PEFT."""
        values = self._models[member].peft_config[_name(member)].to_dict()
        values |= {"inference_mode": True, "peft_type": "LORA"}
        return {
            key: sorted(value) if isinstance(value, set) else value for key, value in values.items()
        }


Models = Separate | Adapters
"""S models: `select` makes one ready to compute, and another's is not until selected."""


def _name(member: int) -> str:
    # Of one width, so that no name is the beginning of another.
    return f"member{member:04}"


def _add(model: Any, base: Any, values: Mapping[str, Any], name: str) -> Any:
    """Return the base in PEFT's wrapping with one adapter more."""
    from peft import LoraConfig, get_peft_model

    with refusing("PEFT refuses the adapter", "mend adapter_config.json"):
        config = LoraConfig(**{**values, "inference_mode": False, "base_model_name_or_path": None})
        if model is None:
            return get_peft_model(base, config, adapter_name=name)
        model.add_adapter(name, config)
    return model


def check_quantise(plan: TrainPlan, device: str, *, adapter: bool) -> None:
    """Refuse a quantised base where it cannot be, before anything is loaded."""
    if plan.quantize == "none":
        return
    off = 'set quantize = "none" under [train]'
    if not adapter:
        raise UsageError(
            f'quantize = "{plan.quantize}" freezes the base, and the group trains no adapter',
            remedy=f"name an adapter_config.json as the group's adapter, or {off}",
        )
    if device != "cuda" or not torch.cuda.is_available():
        raise UsageError(
            f'quantize = "{plan.quantize}" needs an NVIDIA GPU with CUDA; the job runs on {device}',
            remedy=f"run it on a machine with such a GPU, or {off}",
        )
    if find_spec("bitsandbytes") is None:
        raise MissingExtraError(
            f'quantize = "{plan.quantize}" needs bitsandbytes, which is not installed',
            remedy=f"{install_command('qlora')}, or {off}",
        )


class Bases:
    """Frozen bases of adapters, each loaded once, with the notes on all and the config of the last.

    Nothing is dropped in a frozen base, for an adapter has a dropout of its own.
    """

    def __init__(self, plan: TrainPlan, device: str, labels: Sequence[str] = ()) -> None:
        self._plan = dataclasses.replace(plan, dropout=0.0)
        self._device, self._labels = device, labels
        self._shared: dict[str, Any] = {}
        self.notes: dict[str, None] = {}
        self.config: dict[str, Any] = {}

    def get(self, member: Member, *, share: bool) -> Any:
        """Return the base of a member, and the same again only where `share` and it can be."""
        if share and member.start in self._shared:
            return self._shared[member.start]
        started = load_start(member.start, self._plan, member.seed, self._labels)
        self.config = started.config
        self.notes |= dict.fromkeys(started.notes)
        if self._plan.quantize == "none":
            model = build_model(started, self._plan, self._device)
        else:
            model = _prepare_4bit(lambda **options: build_model(started, self._plan, **options))
        model.requires_grad_(False)
        # A note says that something was drawn under the member's seed.
        if share and not started.notes:
            self._shared[member.start] = model
        return model


def _prepare_4bit(build: Callable[..., Any]) -> Any:
    """Return a base whose linear layers are NormalFloat4, computed in bfloat16.

    Source: Dettmers et al. 2023 (arXiv:2305.14314), section 3: NF4 with double quantisation.
    """
    from peft import prepare_model_for_kbit_training
    from transformers import BitsAndBytesConfig

    packed = BitsAndBytesConfig(  # type: ignore[no-untyped-call]
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    place = {"": torch.cuda.current_device() if torch.cuda.is_available() else "cpu"}
    model = build(quantization_config=packed, device_map=place)
    return prepare_model_for_kbit_training(  # type: ignore[no-untyped-call]
        model,
        use_gradient_checkpointing=False,
    )
