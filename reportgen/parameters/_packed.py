"""Weights stored in fewer bits than a number has: how many numbers they stand for.

A 4-bit weight lies two to a byte; the file's shapes count bytes. Beside it lie tensors
that undo the packing, which are no parameters.

Source: bitsandbytes `functional.py`, `QuantState.as_dict` (names) and `quantize_4bit` (two
weights a byte, rows of one); `nn/modules.py`, `Linear8bitLt` (`SCB`); Frantar et al. 2023
(arXiv:2210.17323) and Lin et al. 2023 (arXiv:2306.00978) for `qweight`, whose scales have
one column for each output.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from reportgen.records.checkpoint import TensorSpec
from reportgen.records.record import record, replace

FOUR_BITS = re.compile(r"(.+)\.quant_state\.bitsandbytes__(nf4|fp4)")
# What undoes the packing of one weight.
CONSTANTS = re.compile(
    r".+\.(absmax|quant_map|nested_absmax|nested_quant_map|SCB|weight_format|qzeros|scales|g_idx)"
    r"|.+\.quant_state\.bitsandbytes__.+"
)
SIGNS = re.compile(r".+\.(weight\.(absmax|quant_map|quant_state\..+)|SCB|qweight|qzeros)")
MATRIX = 2


@record(kw_only=False)
class Unpacked:
    """A checkpoint's tensors with packed weights at their true size.

    Attributes:
        tensors: Everything that can be a parameter.
        packed: The weights among them that were packed, as they were stored.
        constants: What undoes the packing.
        unclear: Weights that look packed, without the tensor that would tell how.
    """

    tensors: tuple[TensorSpec, ...]
    packed: tuple[TensorSpec, ...] = ()
    constants: tuple[TensorSpec, ...] = ()
    unclear: tuple[TensorSpec, ...] = ()


def unpack(tensors: Iterable[TensorSpec]) -> Unpacked:
    """Give packed weights their true number of elements, and set their constants apart."""
    tensors = tuple(tensors)
    if not any(SIGNS.fullmatch(t.name) or looks_packed(t) for t in tensors):
        return Unpacked(tensors)
    names = {tensor.name: tensor for tensor in tensors}
    four = {found[1] for name in names if (found := FOUR_BITS.fullmatch(name))}
    plain: list[TensorSpec] = []
    packed: list[TensorSpec] = []
    constants: list[TensorSpec] = []
    unclear: list[TensorSpec] = []
    for tensor in tensors:
        whole = logical(tensor, names, four)
        if whole is not None:
            packed.append(tensor)
            plain.append(whole)
        elif CONSTANTS.fullmatch(tensor.name):
            constants.append(tensor)
        else:
            plain.append(tensor)
            if looks_packed(tensor):
                unclear.append(tensor)
    return Unpacked(tuple(plain), tuple(packed), tuple(constants), tuple(unclear))


def logical(tensor: TensorSpec, names: dict[str, TensorSpec], four: set[str]) -> TensorSpec | None:
    """Return a packed weight with the elements it stands for, None for any other tensor."""
    if tensor.name in four:
        return replace(tensor, shape=(2 * tensor.count,))
    stem = tensor.name.removesuffix(".qweight")
    scales = names.get(f"{stem}.scales")
    if stem == tensor.name or scales is None or len(tensor.shape) != MATRIX or not scales.shape:
        return None
    outputs, index = scales.shape[-1], names.get(f"{stem}.g_idx")
    # GPTQ packs inputs and lists the group of each; AWQ packs outputs.
    if tensor.shape[1] != outputs:
        inputs = tensor.shape[0]
    elif index is not None:
        inputs = index.count
    else:
        return None
    return replace(tensor, name=f"{stem}.weight", shape=(outputs, inputs))


def looks_packed(tensor: TensorSpec) -> bool:
    """Return whether a weight's bytes lie in rows of one, as packed weights do."""
    return (
        tensor.dtype == "uint8"
        and tensor.name.endswith(".weight")
        and len(tensor.shape) == MATRIX
        and tensor.shape[1] == 1
    )
