"""Fine-tunes: the only package that imports torch, transformers and peft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Entry, Registry, lazy_names

if TYPE_CHECKING:
    from reportgen.train.engine.assembly import assemble, encode_splits
    from reportgen.train.engine.course import data_order
    from reportgen.train.engine.device import describe_device, list_versions, make_deterministic
    from reportgen.train.engine.engine import DeviceMemoryError, Engine
    from reportgen.train.engine.examples import Encoded, read_splits
    from reportgen.train.engine.models import Separate
    from reportgen.train.engine.shapes import build_shapes
    from reportgen.train.engine.stack import Together
    from reportgen.train.engine.starts import Started, build_model, load_start
    from reportgen.train.engine.tasks import Task
    from reportgen.train.engine.worker import main

LOG_WRITERS = Registry(
    "layout of written logs",
    {
        "fairseq": Entry(
            "reportgen.train.engine.logs:write_fairseq", "a folder a split, bits and percent"
        ),
        "hf_trainer": Entry(
            "reportgen.train.engine.logs:write_hf_trainer", "one event file and a trainer state"
        ),
    },
)

_HOMES = {
    "DeviceMemoryError": "engine",
    "Encoded": "examples",
    "Engine": "engine",
    "Separate": "models",
    "Started": "starts",
    "Task": "tasks",
    "Together": "stack",
    "assemble": "assembly",
    "build_model": "starts",
    "build_shapes": "shapes",
    "data_order": "course",
    "describe_device": "device",
    "encode_splits": "assembly",
    "list_versions": "device",
    "load_start": "starts",
    "main": "worker",
    "make_deterministic": "device",
    "read_splits": "examples",
}

__all__ = [
    "LOG_WRITERS",
    "DeviceMemoryError",
    "Encoded",
    "Engine",
    "Separate",
    "Started",
    "Task",
    "Together",
    "assemble",
    "build_model",
    "build_shapes",
    "data_order",
    "describe_device",
    "encode_splits",
    "list_versions",
    "load_start",
    "main",
    "make_deterministic",
    "read_splits",
]

__getattr__ = lazy_names(__name__, _HOMES)
