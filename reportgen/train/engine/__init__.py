"""Fine-tunes: the only package that imports torch, transformers and peft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Registry, lazy_names

if TYPE_CHECKING:
    from reportgen.train.engine.examples import read_splits
    from reportgen.train.engine.libraries import build_shapes
    from reportgen.train.engine.worker import main

LOG_WRITERS = Registry(
    "layout of written logs",
    __name__,
    """
fairseq course:write_fairseq a folder a split, bits and percent
hf_trainer course:write_hf_trainer one event file and a trainer state
""",
)

__getattr__ = lazy_names(__name__)
