"""How PyTorch names its number types, and how many bytes an element takes.

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
