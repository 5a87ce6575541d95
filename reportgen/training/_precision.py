"""Arithmetic in half precision, where the device has it and the plan does not forbid it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch

from reportgen.records.training import TrainPlan


def takes_half(device: torch.device, plan: TrainPlan) -> bool:
    """Tell whether products are computed in bfloat16; weights and sums stay float32."""
    has_it = device.type == "cuda" and torch.cuda.is_bf16_supported()
    return has_it and plan.precision == "auto"


def computing(device: torch.device, *, half: bool) -> AbstractContextManager[object]:
    """Return what the passes of a model are computed in."""
    return torch.autocast(device.type, torch.bfloat16) if half else nullcontext()
