"""Readers of configurations, adapters and checkpoints: one file a format."""

from reportgen.registry import Entry, Registry

CHECKPOINTS = Registry(
    "checkpoint format",
    {
        "manifest": Entry(
            "reportgen.checkpoints.manifest:read_manifest",
            "names and shapes of tensors as JSON, written by hand or by a script",
            ("tensors.json", "*.tensors.json"),
        ),
        "adapter": Entry(
            "reportgen.checkpoints.adapter:read_adapter",
            "PEFT's adapter_config.json",
            ("adapter_config.json", "*adapter_config*.json", "*lora*.json"),
        ),
        "safetensors": Entry(
            "reportgen.checkpoints.safetensors:read_safetensors",
            "safetensors files and their sharded index; headers only",
            ("*.safetensors", "*.safetensors.index.json"),
        ),
        "pytorch": Entry(
            "reportgen.checkpoints.pytorch:read_pytorch",
            "files of torch.save, new and old, read without unpickling them",
            ("*.pt", "*.pth", "*.bin", "*.ckpt", "*.bin.index.json"),
        ),
        "distributed": Entry(
            "reportgen.checkpoints.distributed:read_folder",
            "the .metadata of a folder by torch.distributed.checkpoint",
            (".metadata",),
        ),
        "gguf": Entry(
            "reportgen.checkpoints.gguf:read_gguf",
            "GGUF files of llama.cpp and its kin; headers only",
            ("*.gguf",),
        ),
        "config_json": Entry(
            "reportgen.checkpoints.config_json:read_config",
            "a model's config.json",
            ("config.json", "*config*.json"),
        ),
    },
)
