"""LoRA adapters of several members, by PEFT, on a base that none of them changes."""

from __future__ import annotations

import dataclasses
import difflib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from reportgen.errors import EvidenceError, UsageError
from reportgen.read.weights import read_evidence
from reportgen.records.tensor import AdapterConfig
from reportgen.training._module_models import trained

_DRAWN = (True, False, "gaussian")
"""Values of `init_lora_weights` that need neither data nor another base."""
_APART = ("layer_replication", "modules_to_save", "trainable_token_indices", "target_parameters")
"""Keys of adapters that want a base of their own."""


def read_lora(path: Path) -> dict[str, Any]:
    """Read what `LoraConfig` takes from an `adapter_config.json`.

    A key that this version of PEFT does not know is left out where its value is null, false or
    empty: then it changes nothing.

    Raises:
        EvidenceError: The file is missing, no adapter's, or has keys that PEFT does not know.
        UsageError: It is an adapter that cannot be trained here.
    """
    from peft import LoraConfig

    found = read_evidence(path, str(path))
    if not isinstance(found, AdapterConfig) or found.peft_type != "LORA":
        raise UsageError(
            f"{path} is no LoRA adapter, and only those are trained here",
            remedy='pass an adapter_config.json with peft_type "LORA"',
        )
    known = {field.name for field in dataclasses.fields(LoraConfig) if field.init}
    unknown = [key for key, value in found.values.items() if value and key not in known]
    if unknown:
        near = {key: difflib.get_close_matches(key, known, 1) for key in unknown}
        words = ", ".join(
            f"{key[:80]!r}" + (f" (is {match[0]!r} meant?)" if match else "")
            for key, match in near.items()
        )
        raise EvidenceError(
            f"{path} has keys that PEFT's LoraConfig does not know: {words}",
            remedy="correct the keys or take them out",
        )
    values = {key: value for key, value in found.values.items() if key in known}
    _check(values, path)
    return values


def _check(values: Mapping[str, Any], path: Path) -> None:
    drawn = values.get("init_lora_weights", True)
    if drawn not in _DRAWN:
        raise UsageError(
            f"{path} has init_lora_weights {drawn!r}, which needs data or changes the base",
            remedy='set init_lora_weights to true or to "gaussian"',
        )
    task = values.get("task_type") or "CAUSAL_LM"
    if task != "CAUSAL_LM":
        raise UsageError(
            f'{path} has task_type {task!r}, and the study task = "causal_lm"',
            remedy='set task_type to "CAUSAL_LM"',
        )


def may_share(values: Mapping[str, Any]) -> bool:
    """Tell whether adapters of this kind leave their base as it was."""
    return values.get("bias", "none") == "none" and not any(values.get(key) for key in _APART)


class Adapters:
    """For each member a named adapter; members whose base is the same share it.

    Args:
        bases: For each member its base, one object where it is the same.
        configs: For each member what `read_lora` gave.
        seeds: For each member the seed of its adapter's first weights.

    Raises:
        EvidenceError: PEFT refuses an adapter; says why.
    """

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
            with _quiet(), torch.random.fork_rng(devices=[]):
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


def _name(member: int) -> str:
    # Of one width, so that no name is the beginning of another.
    return f"member{member:04}"


def _add(model: Any, base: Any, values: Mapping[str, Any], name: str) -> Any:
    """Return the base in PEFT's wrapping with one adapter more."""
    from peft import LoraConfig, get_peft_model

    fixed = {"inference_mode": False, "task_type": "CAUSAL_LM", "base_model_name_or_path": None}
    try:
        config = LoraConfig(**{**values, **fixed})
        if model is None:
            return get_peft_model(base, config, adapter_name=name)
        model.add_adapter(name, config)
    except (ValueError, TypeError, KeyError, AttributeError, NotImplementedError) as error:
        said = str(error).partition("\n")[0][:300]
        raise EvidenceError(
            f"PEFT refuses the adapter: {said}", remedy="mend adapter_config.json"
        ) from None
    return model


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep PEFT's advice on what is done on purpose (several adapters, Conv1D) from users."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
