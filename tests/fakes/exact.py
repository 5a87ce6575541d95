"""Records as plain values that are equal only where every bit is."""

import dataclasses
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np


def exact(value: Any) -> Any:
    """Spell out a record: columns as bytes, numbers with their type, mappings in their order."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [(f.name, exact(getattr(value, f.name))) for f in dataclasses.fields(value)]
        return (type(value).__name__, *fields)
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, Mapping):
        return (type(value).__name__, *((key, exact(held)) for key, held in value.items()))
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(exact, value))
    if isinstance(value, float):
        return (type(value).__name__, struct.pack("<d", value))
    return (type(value).__name__, value)
