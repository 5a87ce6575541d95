"""Bytes that fine-tuning keeps: weights, gradients, and Adam's two moments.

Activations, the batch, and the framework's own buffers are not in these figures: they
depend on sequence length, batch size and the kernels in use.

Source: Kingma and Ba 2015 (arXiv:1412.6980), algorithm 1, for Adam's two moments;
Rajbhandari et al. 2020 (arXiv:1910.02054), section 3.1, for counting weights, gradients
and optimizer states apart; Dettmers et al. 2023 (arXiv:2305.14314), section 3 (NF4 with
blocks of 64, double quantisation with blocks of 256).
"""

from __future__ import annotations

from reportgen.languages import message
from reportgen.records.formula import Constant, Equation, Expression, Symbol, evaluate
from reportgen.records.record import record

TOTAL = Symbol("N", meaning="parameters of the base model")
TRAINED = Symbol("N", "train", meaning="parameters that the adapter trains")
PACKED = Symbol("N", "4bit", meaning="weights of the linear layers, stored in 4 bits")

FLOAT, HALF = 4, 2
"""Bytes of a float32, and of a bfloat16."""
MOMENTS = 2
# A trained float32 parameter: itself, its gradient, and two moments.
TRAINED_BYTES = (2 + MOMENTS) * FLOAT
BLOCK, OUTER_BLOCK = 64, 256


@record
class MemoryRow:
    """One way of fine-tuning.

    Attributes:
        key: Short name, for identifiers.
        method: Its name.
        equation: Bytes as a formula.
        assumption: What is stored in which precision.
        weights: Bytes of the frozen or trained base model.
        adapter: Bytes of the adapter's own weights; 0 where there is none.
        gradients: Bytes of the gradients of what is trained.
    """

    key: str
    method: str
    equation: Equation
    assumption: str
    weights: float
    adapter: float
    gradients: float

    @property
    def optimizer(self) -> float:
        """Bytes of Adam's moments of what is trained."""
        return MOMENTS * self.gradients

    @property
    def size(self) -> float:
        """Bytes."""
        return float(self.equation.result)


def full_memory(total: int, *, half: bool = False) -> MemoryRow:
    """Return the bytes of full fine-tuning with Adam, all in float32 or, with `half`, bfloat16.

    Example:
        >>> full_memory(1000).size, full_memory(1000, half=True).size
        (16000.0, 8000.0)
    """
    each, name = (HALF, "bfloat16") if half else (FLOAT, "float32")
    every = (2 + MOMENTS) * each
    return MemoryRow(
        key="full_half" if half else "full",
        method=message("full fine-tuning, {precision}", precision=name),
        equation=equation("full, bf16" if half else "full", every * TOTAL, N=total),
        assumption=message(
            "weights, gradients and both Adam moments in {precision}: {bytes} bytes a parameter",
            precision=name,
            bytes=every,
        ),
        weights=each * total,
        adapter=0,
        gradients=each * total,
    )


def lora_memory(total: int, trained: int, *, half: bool = True) -> MemoryRow:
    """Return the bytes of an adapter on a frozen base in bfloat16 or, without `half`, float32.

    Example:
        >>> lora_memory(1000, 10).size, lora_memory(1000, 10, half=False).size
        (2160.0, 4160.0)
    """
    each, name = (HALF, "bfloat16") if half else (FLOAT, "float32")
    right = each * TOTAL + TRAINED_BYTES * TRAINED
    return MemoryRow(
        key="lora" if half else "lora_float",
        method=message("LoRA, base in {precision}", precision=name),
        equation=equation("LoRA" if half else "LoRA, fp32", right, N=total, N_train=trained),
        assumption=message(
            "frozen base in {precision}; the adapter, its gradients and moments in float32",
            precision=name,
        ),
        weights=each * total,
        adapter=FLOAT * trained,
        gradients=FLOAT * trained,
    )


def qlora_memory(total: int, packed: int, trained: int) -> MemoryRow:
    """Return the bytes of QLoRA: linear layers in NF4 with double quantisation.

    Each block of 64 weights has an 8-bit constant; each 256 of those have a float32. Partly
    filled last blocks are not rounded up.

    Args:
        total: Parameters of the base model.
        packed: Weights of its linear layers, which are packed.
        trained: Parameters that the adapter trains.

    Example:
        >>> qlora_memory(32768 + 10, 32768, 0).size
        16924.0
    """
    frozen = (
        PACKED / 2
        + PACKED / BLOCK
        + FLOAT * PACKED / (BLOCK * OUTER_BLOCK)
        + Constant(HALF) * (TOTAL - PACKED)
    )
    values = {TOTAL.key: total, PACKED.key: packed}
    return MemoryRow(
        key="qlora",
        method=message("QLoRA, linear layers in NF4"),
        equation=equation("QLoRA", frozen + TRAINED_BYTES * TRAINED, **values, N_train=trained),
        assumption=message(
            "linear layers in 4-bit NF4 with double quantisation (one 8-bit constant for 64 "
            "weights, one float32 for 256 constants), everything else frozen in bfloat16; the "
            "adapter, its gradients and moments in float32"
        ),
        weights=float(evaluate(frozen, values)),
        adapter=FLOAT * trained,
        gradients=FLOAT * trained,
    )


def equation(name: str, right: Expression, **values: int) -> Equation:
    """Return the equation of one method's bytes."""
    left = Symbol("M", name, meaning="bytes for weights, gradients and optimizer states")
    return Equation(id=f"memory.{name}", left=left, right=right, values=values, unit="bytes")
