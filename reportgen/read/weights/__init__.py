"""Configurations, adapters and checkpoints: names, shapes and types, never a number of the weights.

Nothing in a file is run, and no more than its head is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Registry, lazy_names

CHECKPOINTS = Registry(
    "checkpoint format",
    __name__,
    """
manifest manifest:read_manifest names and shapes of tensors as JSON, written by hand or by a script
  | tensors.json *.tensors.json
adapter evidence:read_adapter PEFT's adapter_config.json | adapter_config.json
  *adapter_config*.json *lora*.json
safetensors safetensors:read_safetensors safetensors files and their sharded index; headers only |
  *.safetensors *.safetensors.index.json
pytorch pytorch:read_pytorch files of torch.save, new and old, read without unpickling them | *.pt
  *.pth *.bin *.ckpt *.bin.index.json
distributed distributed:read_folder the .metadata of a folder by torch.distributed.checkpoint |
  .metadata
gguf gguf:read_gguf GGUF files of llama.cpp and its kin; headers only | *.gguf
config_json evidence:read_config a model's config.json | config.json *config*.json
""",
)

# What other packages use, imported when it is first asked for.
if TYPE_CHECKING:
    from reportgen.read.weights._settings import read_training_args
    from reportgen.read.weights.evidence import (
        kind_of,
        read_adapter,
        read_adapter_tensors,
        read_config,
        read_evidence,
    )
    from reportgen.read.weights.manifest import FORMAT, read_manifest, write_manifest
    from reportgen.read.weights.pytorch import Place, locate_torch, read_torch

__getattr__ = lazy_names(__name__)
