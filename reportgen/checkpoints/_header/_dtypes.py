"""How PyTorch and safetensors name their number types, and how much room an element takes.

Source: `torch/storage.py` (`_new_dtypes`, `_dtype_to_storage_type_map`) and the typed storage
classes of PyTorch 1.0 to 2.13.
"""

from __future__ import annotations

from collections.abc import Mapping

# What stands before "Storage" in the name of a storage class.
OF_STORAGE: Mapping[str, str] = {
    "Float": "float32",
    "Double": "float64",
    "Half": "float16",
    "BFloat16": "bfloat16",
    "Long": "int64",
    "Int": "int32",
    "Short": "int16",
    "Char": "int8",
    "Byte": "uint8",
    "Bool": "bool",
    "ComplexFloat": "complex64",
    "ComplexDouble": "complex128",
    "QInt8": "qint8",
    "QUInt8": "quint8",
    "QInt32": "qint32",
    "QUInt4x2": "quint4x2",
    "QUInt2x4": "quint2x4",
    "Untyped": "uint8",
}
# Names of types as attributes of `torch`, where they differ from the field's.
ALIASES: Mapping[str, str] = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "float8_e4m3fn": "float8_e4m3",
    "float8_e8m0fnu": "float8_e8m0",
}
BYTES: Mapping[str, int] = {
    "bool": 1,
    "uint8": 1,
    "int8": 1,
    "qint8": 1,
    "quint8": 1,
    "quint4x2": 1,
    "quint2x4": 1,
    "float8_e4m3": 1,
    "float8_e5m2": 1,
    "float8_e4m3fnuz": 1,
    "float8_e5m2fnuz": 1,
    "float8_e8m0": 1,
    "float4_e2m1fn_x2": 1,
    "float16": 2,
    "bfloat16": 2,
    "int16": 2,
    "uint16": 2,
    "float32": 4,
    "int32": 4,
    "uint32": 4,
    "qint32": 4,
    "complex32": 4,
    "float64": 8,
    "int64": 8,
    "uint64": 8,
    "complex64": 8,
    "complex128": 16,
}

# Name in a header of safetensors to (name in the field, bits an element).
OF_SAFETENSORS: Mapping[str, tuple[str, int]] = {
    "F64": ("float64", 64),
    "F32": ("float32", 32),
    "F16": ("float16", 16),
    "BF16": ("bfloat16", 16),
    "F8_E4M3": ("float8_e4m3", 8),
    "F8_E5M2": ("float8_e5m2", 8),
    "F8_E8M0": ("float8_e8m0", 8),
    "F4": ("float4", 4),
    "I64": ("int64", 64),
    "I32": ("int32", 32),
    "I16": ("int16", 16),
    "I8": ("int8", 8),
    "U64": ("uint64", 64),
    "U32": ("uint32", 32),
    "U16": ("uint16", 16),
    "U8": ("uint8", 8),
    "BOOL": ("bool", 8),
    "C64": ("complex64", 64),
}


def dtype_of(name: str) -> str:
    """Return the type that a name in a file stands for, or an empty text.

    Example:
        >>> dtype_of("torch.HalfStorage"), dtype_of("torch.bfloat16"), dtype_of("os.system")
        ('float16', 'bfloat16', '')
    """
    last = name.rpartition(".")[2]
    kind = last.removesuffix("Storage")
    if kind != last:
        return OF_STORAGE.get(kind, "")
    found = ALIASES.get(last, last)
    return found if found in BYTES else ""
