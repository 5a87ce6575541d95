"""Write the files of `tests/data/checkpoints` with libraries in use, and what they hold.

    pip install torch transformers peft safetensors omegaconf gguf numpy
    python tools/oracles/checkpoints.py

`expected.json` is written by PyTorch itself: it loads every file and lists names, shapes,
types and which tensors lie in the same memory. Nothing of reportgen is used.
"""

import argparse
import json
import shutil
import sys
import types
import warnings
from pathlib import Path

import gguf
import numpy as np
import torch
from omegaconf import OmegaConf
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file
from torch import nn
from torch.distributed import checkpoint as distributed
from transformers import BertConfig, BertForMaskedLM

HERE = Path(__file__).resolve().parents[2] / "tests" / "data" / "checkpoints"
EXPECTED = {}


class Tied(nn.Module):
    """An embedding whose matrix is the output's too, as in most language models."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, 4)
        self.layers = nn.ModuleList([nn.Linear(4, 6), nn.Linear(6, 4)])
        self.norm = nn.BatchNorm1d(4)
        self.lm_head = nn.Linear(4, 11, bias=False)
        self.lm_head.weight = self.embed.weight

    def forward(self, tokens):
        hidden = self.layers[1](self.layers[0](self.embed(tokens)))
        return self.lm_head(self.norm(hidden))


def describe(state):
    """List tensors; `shares` is the first one before it that lies in the same memory."""
    owners, listed = {}, []
    for name, tensor in state.items():
        place = (tensor.untyped_storage().data_ptr(), tensor.storage_offset())
        owner = owners.setdefault(place, name) if tensor.numel() else name
        listed.append(
            {
                "name": name,
                "shape": list(tensor.shape),
                "dtype": str(tensor.dtype).removeprefix("torch."),
                "shares": "" if owner == name else owner,
            }
        )
    return listed


def told(name, state, **more):
    EXPECTED[name] = {"tensors": describe(state)} | more


def save(name, content, path=(), *, legacy=False, config=None):
    """Save, load again with PyTorch, and note what lies under `path`."""
    torch.save(content, HERE / name, _use_new_zipfile_serialization=not legacy)
    loaded = torch.load(HERE / name, weights_only=False)
    for key in path:
        loaded = loaded[key]
    state = loaded.state_dict() if isinstance(loaded, nn.Module) else loaded
    told(name, state, **({"config": config} if config else {}))


def every_type():
    """One tensor of every type, views of every kind, and a parameter that is frozen."""
    names = (
        "float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 uint16 uint32 uint64 bool "
        "complex64 complex128 float8_e4m3fn float8_e5m2"
    )
    state = {name: torch.zeros(2, 3, dtype=getattr(torch, name)) for name in names.split()}
    base = torch.arange(24.0)
    state |= {
        "scalar": torch.tensor(1.0),
        "empty": torch.zeros(0, 3),
        "transposed": torch.zeros(2, 3).t(),
        "strided": torch.zeros(10)[::2],
        "frozen": nn.Parameter(torch.zeros(2), requires_grad=False),
        "first_half": base[:12].view(3, 4),
        "second_half": base[12:],
    }
    return state


def trained():
    torch.manual_seed(0)
    model = Tied()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model(torch.tensor([1, 2])).sum().backward()
    optimizer.step()
    return model, optimizer


def save_training_scripts(model, optimizer):
    state = model.state_dict()
    save(
        "lightning.ckpt",
        {
            "epoch": 1,
            "global_step": 20,
            "pytorch-lightning_version": "2.4.0",
            "state_dict": state,
            "loops": {"fit_loop": {"state_dict": {}}},
            "optimizer_states": [optimizer.state_dict()],
            "lr_schedulers": [],
            "hyper_parameters": {"lr": 1e-3, "layers": [6, 4], "name": "tied"},
        },
        ("state_dict",),
        config={"lr": 1e-3, "layers": [6, 4], "name": "tied"},
    )
    arguments = argparse.Namespace(arch="roberta_small", lr=[1e-5], encoder_layers=4, fp16=False)
    save(
        "fairseq_args.pt",
        {"args": arguments, "model": state, "last_optimizer_state": optimizer.state_dict()},
        ("model",),
        config={"arch": "roberta_small", "lr": [1e-5], "encoder_layers": 4, "fp16": False},
    )
    sections = {
        "common": {"seed": 3, "fp16": True},
        "task": {"_name": "sentence_prediction", "seed": 4},
        "model": argparse.Namespace(_name="roberta", encoder_layers=4),
        "optimization": {"lr": [1e-5], "max_update": 100},
    }
    plain = {
        "_name": "roberta",
        "encoder_layers": 4,
        "seed": 3,
        "fp16": True,
        "task._name": "sentence_prediction",
        "task.seed": 4,
        "lr": [1e-5],
        "max_update": 100,
    }
    save(
        "fairseq_cfg.pt",
        {"args": None, "cfg": sections, "model": state},
        ("model",),
        config=plain,
    )
    sections["model"] = vars(sections["model"])
    save(
        "fairseq_omegaconf.pt",
        {"args": None, "cfg": OmegaConf.create(sections), "model": state},
        ("model",),
        config=plain,
    )
    save("deepspeed.pt", {"module": state, "optimizer": None, "global_steps": 3}, ("module",))


def save_whole_modules(model):
    """A pickled module, of a class that only its own script knows."""
    script = types.ModuleType("train")
    script.Tied, Tied.__module__ = Tied, "train"
    sys.modules["train"] = script
    save("whole_module.pth", model)
    scripted = torch.jit.script(nn.Sequential(nn.Linear(3, 2), nn.ReLU()))
    torch.jit.save(scripted, HERE / "torchscript.pt")
    told("torchscript.pt", torch.jit.load(HERE / "torchscript.pt").state_dict())


def save_hugging_face():
    config = BertConfig(
        vocab_size=13,
        hidden_size=4,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=5,
        max_position_embeddings=6,
    )
    model = BertForMaskedLM(config)
    save("pytorch_model.bin", model.state_dict())
    model.save_pretrained(HERE / "hf")
    shutil.move(HERE / "hf" / "model.safetensors", HERE / "model.safetensors")
    shutil.rmtree(HERE / "hf")
    told("model.safetensors", load_file(HERE / "model.safetensors"))
    adapted = get_peft_model(model, LoraConfig(r=2, target_modules=["query", "value"]))
    adapted.save_pretrained(HERE / "adapter", safe_serialization=False)
    path = "adapter/adapter_model.bin"
    if not (HERE / path).is_file():
        state = load_file(HERE / "adapter" / "adapter_model.safetensors")
        torch.save(state, HERE / path)
        (HERE / "adapter" / "adapter_model.safetensors").unlink()
    (HERE / "adapter" / "README.md").unlink()
    told(path, torch.load(HERE / path))


def save_shards(state):
    names = list(state)
    files = {"sharded-00001-of-00002.bin": names[:3], "sharded-00002-of-00002.bin": names[3:]}
    for file, held in files.items():
        torch.save({name: state[name] for name in held}, HERE / file)
    weights = {name: file for file, held in files.items() for name in held}
    size = sum(t.numel() * t.element_size() for t in state.values())
    index = {"metadata": {"total_size": size}, "weight_map": weights}
    (HERE / "sharded.bin.index.json").write_text(json.dumps(index, indent=1), encoding="utf-8")
    whole = {}
    for file in files:
        whole |= torch.load(HERE / file)
    told("sharded.bin.index.json", whole)


def save_distributed():
    model = nn.Linear(3, 2)
    optimizer = {"state": {0: {"exp_avg": torch.zeros(2, 3)}}}
    content = {"model": model.state_dict(), "optimizer": optimizer, "step": 3}
    distributed.save(content, checkpoint_id=HERE / "distributed")
    described = distributed.FileSystemReader(HERE / "distributed").read_metadata()
    EXPECTED["distributed"] = {
        "tensors": [
            {
                "name": name.removeprefix("model."),
                "shape": list(tensor.size),
                "dtype": str(tensor.properties.dtype).removeprefix("torch."),
                "shares": "",
            }
            for name, tensor in described.state_dict_metadata.items()
            if name.startswith("model.")
        ]
    }


def save_gguf():
    writer = gguf.GGUFWriter(HERE / "small.gguf", "llama")
    writer.add_block_count(1)
    writer.add_token_list(["a", "b", "c"])
    writer.add_tensor("token_embd.weight", np.zeros((3, 64), np.float32))
    writer.add_tensor("output.weight", np.zeros((3, 64), np.float16))
    packed = gguf.quantize(np.zeros((2, 64), np.float32), gguf.GGMLQuantizationType.Q4_0)
    writer.add_tensor("blk.0.ffn_up.weight", packed, raw_dtype=gguf.GGMLQuantizationType.Q4_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    kinds = {"F32": "float32", "F16": "float16"}
    EXPECTED["small.gguf"] = {
        "tensors": [
            {
                "name": t.name,
                "shape": [int(n) for n in reversed(t.shape)],
                "dtype": kinds.get(t.tensor_type.name, t.tensor_type.name.lower()),
                "shares": "",
            }
            for t in gguf.GGUFReader(HERE / "small.gguf").tensors
        ],
        "config": {"general.architecture": "llama", "llama.block_count": 1},
    }


def main():
    warnings.simplefilter("ignore")
    model, optimizer = trained()
    save("every_type.pt", every_type())
    # PyTorch writes these into the old stream and cannot read them back.
    newer = ("uint16", "uint32", "uint64", "float8")
    narrow = {k: v for k, v in every_type().items() if not k.startswith(newer)}
    save("every_type_legacy.pt", narrow, legacy=True)
    save("tied_legacy.pt", {"model": model.state_dict(), "epoch": 2}, ("model",), legacy=True)
    save_training_scripts(model, optimizer)
    save_whole_modules(model)
    save_hugging_face()
    save_shards(model.state_dict())
    save_distributed()
    save_gguf()
    content = json.dumps({"torch": torch.__version__, "files": EXPECTED}, indent=1)
    (HERE / "expected.json").write_text(f"{content}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
