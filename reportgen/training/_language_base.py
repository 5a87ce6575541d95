"""The language models that fine-tunes start from, in full precision or in 4 bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import torch

from reportgen.errors import MissingExtraError, UsageError, install_command
from reportgen.records.job import Member
from reportgen.records.training import TrainPlan
from reportgen.training.starts import Started, build_model, load_start


def check_quantise(plan: TrainPlan, device: str, *, adapter: bool) -> None:
    """Refuse a quantised base where it cannot be, before anything is loaded.

    Raises:
        UsageError: There is no adapter to train, or no NVIDIA GPU.
        MissingExtraError: bitsandbytes is not installed.
    """
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
    """Frozen bases of adapters, each loaded once.

    Args:
        plan: `task`, `config` and `quantize` count; nothing is dropped in a frozen base, for an
            adapter has a dropout of its own.
        device: Where they go.

    Attributes:
        notes: What a reader of the results must know.
        config: `config.json` of the last.
    """

    def __init__(self, plan: TrainPlan, device: str) -> None:
        self._plan = replace(plan, dropout=0.0)
        self._device = device
        self._shared: dict[str, Any] = {}
        self.notes: dict[str, None] = {}
        self.config: dict[str, Any] = {}

    def get(self, member: Member, *, share: bool) -> Any:
        """Return the base of a member, and the same again only where `share` and it can be."""
        if share and member.start in self._shared:
            return self._shared[member.start]
        started = load_start(member.start, self._plan, member.seed, ())
        self.config = started.config
        self.notes |= dict.fromkeys(started.notes)
        model = self._build(started)
        # A note says that something was drawn under the member's seed.
        if share and not started.notes:
            self._shared[member.start] = model
        return model

    def _build(self, started: Started) -> Any:
        if self._plan.quantize == "none":
            model = build_model(started, self._plan).to(self._device)
        else:
            model = _prepare_4bit(lambda **options: build_model(started, self._plan, **options))
        return model.requires_grad_(False)


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
    return prepare_model_for_kbit_training(model, use_gradient_checkpointing=False)  # type: ignore[no-untyped-call]
