"""Bytes that fine-tuning keeps for weights, gradients and Adam's two moments.

Activations, the batch, and the framework's own buffers are not in these figures: they
depend on sequence length, batch size and the kernels in use.

Source: Dettmers et al. 2023 (arXiv:2305.14314), section 3 (NF4 with blocks of 64, double
quantisation with blocks of 256); Kingma and Ba 2015 (arXiv:1412.6980) for Adam's moments.
"""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.records.formula import Constant, Equation, Symbol

TOTAL = Symbol("N", meaning="parameters of the base model")
TRAINED = Symbol("N", "train", meaning="parameters that the adapter trains")
PACKED = Symbol("N", "4bit", meaning="weights of the linear layers, stored in 4 bits")
MEMORY = Symbol("M", meaning="bytes for weights, gradients and optimizer states")

FLOAT = 4  # bytes of a float32
HALF = 2  # bytes of a bfloat16
# A trained float32 parameter: itself, its gradient, and two moments.
TRAINED_BYTES = 4 * FLOAT
BLOCK = 64
OUTER_BLOCK = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    """One way of fine-tuning.

    Attributes:
        method: Its name.
        equation: Bytes as a formula.
        assumption: What is stored in which precision.
    """

    method: str
    equation: Equation
    assumption: str

    @property
    def size(self) -> float:
        """Bytes."""
        return float(self.equation.result)


def full_memory(total: int) -> MemoryRow:
    """Return the bytes of full fine-tuning with Adam in float32.

    Units: bytes.

    Source: see the module.

    Example:
        >>> full_memory(1000).size
        16000.0
    """
    return MemoryRow(
        method="full fine-tuning",
        equation=Equation(
            id="memory.full",
            left=Symbol("M", "full", meaning=MEMORY.meaning),
            right=TRAINED_BYTES * TOTAL,
            values={TOTAL.key: total},
            unit="bytes",
        ),
        assumption="weights, gradients and both Adam moments in float32: 4 + 4 + 4 + 4 bytes each",
    )


def lora_memory(total: int, trained: int) -> MemoryRow:
    """Return the bytes of LoRA on a frozen bfloat16 base.

    Units: bytes.

    Source: see the module.

    Example:
        >>> lora_memory(1000, 10).size
        2160.0
    """
    return MemoryRow(
        method="LoRA",
        equation=Equation(
            id="memory.lora",
            left=Symbol("M", "LoRA", meaning=MEMORY.meaning),
            right=HALF * TOTAL + TRAINED_BYTES * TRAINED,
            values={TOTAL.key: total, TRAINED.key: trained},
            unit="bytes",
        ),
        assumption="frozen base in bfloat16; the adapter, its gradients and moments in float32",
    )


def qlora_memory(total: int, packed: int, trained: int) -> MemoryRow:
    """Return the bytes of QLoRA: linear layers in NF4 with double quantisation.

    Each block of 64 weights has an 8-bit constant; each 256 of those have a float32. Partly
    filled last blocks are not rounded up.

    Units: bytes.

    Source: see the module.

    Example:
        >>> qlora_memory(32768 + 10, 32768, 0).size
        16924.0
    """
    right = (
        PACKED / 2
        + PACKED / BLOCK
        + FLOAT * PACKED / (BLOCK * OUTER_BLOCK)
        + Constant(HALF) * (TOTAL - PACKED)
        + TRAINED_BYTES * TRAINED
    )
    return MemoryRow(
        method="QLoRA",
        equation=Equation(
            id="memory.qlora",
            left=Symbol("M", "QLoRA", meaning=MEMORY.meaning),
            right=right,
            values={TOTAL.key: total, PACKED.key: packed, TRAINED.key: trained},
            unit="bytes",
        ),
        assumption=(
            "linear layers in 4-bit NF4 with double quantisation (one 8-bit constant for 64 "
            "weights, one float32 for 256 constants), everything else frozen in bfloat16; the "
            "adapter, its gradients and moments in float32"
        ),
    )
