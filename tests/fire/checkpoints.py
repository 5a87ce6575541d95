"""The formats of checkpoints, adapters and configurations, under fire."""

import json
import math
import random
import struct
from pathlib import Path
from typing import Any

from fakes import damage
from fakes.checkpoint_file import gguf, legacy, metadata, model_file, part, pickled, table, tensor

import reportgen
from fire import harm, within
from fire.formats import Format, Sample
from reportgen.read.weights import read_evidence, write_manifest
from reportgen.records.checkpoint import Checkpoint

DATA = Path(__file__).resolve().parents[1] / "data" / "checkpoints"
INPUTS = Path(__file__).resolve().parents[2] / "inputs"


def read(path: Path) -> object:
    return read_evidence(path, path.name)


def look_into(path: Path) -> object:
    return reportgen.inspect(path)


def tensors(found: Any) -> set[Any]:
    """Return (name, type, shape) of what is in a checkpoint."""
    return {(t.name, t.dtype, t.shape) for t in getattr(found, "tensors", ())}


def hold_together(found: Any, content: bytes) -> None:
    assert found.source.size == len(content)
    if isinstance(found, Checkpoint):
        names = {t.name for t in found.tensors}
        assert len(names) == len(found.tensors)
        assert {t.shares for t in found.tensors} <= names | {""}
        assert all(n >= 0 for t in found.tensors for n in t.shape)
        assert json.loads(write_manifest(found))["format"]
    else:
        assert isinstance(found.values, dict)


def _header(content: bytes) -> tuple[bytes, bytes]:
    size = int.from_bytes(content[:8], "little")
    return content[8 : 8 + size], content[8 + size :]


def _inside_header(content: bytes, rng: random.Random) -> bytes:
    """Have the JSON of a safetensors file harmed, with its length right again."""
    if content.startswith(b"{"):
        return harm.json_value(content, rng)
    head, rest = _header(content)
    hit = rng.choice((*[harm.json_value] * 8, harm.word, *damage.ALL))
    harmed = hit(head or b"x", rng)
    return struct.pack("<Q", len(harmed)) + harmed + rest


SHAPES = ([], [0], [1], [2], [2, 2], [1, 1, 1, 2], [0, 2**40], [2**31, 2**31], [3], [64, 8])
KINDS = ("F32", "F16", "BF16", "I64", "U8", "BOOL", "F8_E4M3", "F4", "C64", "X")
WIDTHS = {"F16": 2, "BF16": 2, "I64": 8, "U8": 1, "BOOL": 1, "F8_E4M3": 1, "C64": 8}


def _other_tensors(content: bytes, rng: random.Random) -> bytes:
    """Have tensors of other shapes and types in a file whose every offset is right for them."""
    if content.startswith(b"{"):
        return harm.json_value(content, rng)
    held, at = {}, 0
    for n in range(rng.choice((1, 2, 5, 40))):
        shape, kind = rng.choice(SHAPES), rng.choice(KINDS)
        size = min(math.prod(shape) * WIDTHS.get(kind, 4), 4096)
        label = rng.choice(
            (f"h.{n}.w", f"{n}", "../w", "w\0", "x" * 3000, "lora_A", "__metadata__")
        )
        held[label] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    head = json.dumps(held).encode()
    if rng.random() < 0.3:
        head = harm.json_value(head, rng)
    return struct.pack("<Q", len(head)) + head + bytes(at)


def _bytes(name: str) -> bytes:
    return (DATA / name).read_bytes()


CONFIG = json.dumps(
    {
        "model_type": "roberta",
        "vocab_size": 100,
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 20,
        "type_vocab_size": 1,
        "num_labels": 2,
        "architectures": ["RobertaForMaskedLM"],
        "tie_word_embeddings": True,
        "id2label": {"0": "neg", "1": "pos"},
        "pad_token_id": 1,
    }
).encode()
BLOOM = (INPUTS / "roberta-small-fr/lora/bloom-560m/config.json").read_bytes()
ADAPTER = json.dumps(
    {
        "peft_type": "LORA",
        "r": 4,
        "lora_alpha": 8,
        "target_modules": ["query", "value"],
        "lora_dropout": 0.1,
        "bias": "none",
        "task_type": "SEQ_CLS",
        "modules_to_save": ["classifier"],
        "rank_pattern": {"layer.0.attention.self.query": 8},
        "use_rslora": False,
        "use_dora": False,
        "base_model_name_or_path": "base",
        "fan_in_fan_out": False,
        "layers_to_transform": None,
    }
).encode()
MANIFEST = json.dumps(
    {
        "format": "reportgen-tensors/1",
        "tensors": [
            {"name": "a.weight", "shape": [2, 3], "dtype": "F32"},
            {"name": "b", "shape": [4]},
        ],
    }
).encode()
INDEX = b'{"metadata": {"total_size": 24}, "weight_map": {"w": "model-1.bin"}}'
SAFE_INDEX = b'{"metadata": {"total_size": 8}, "weight_map": {"w": "m-1.safetensors"}}'
HEAD = b'{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
SMALL = struct.pack("<Q", len(HEAD)) + HEAD + bytes(8)

_JSON = (harm.json_value, harm.json_value, harm.word, harm.swap)
_VALUES = (*[harm.json_value] * 6, harm.word)
_IN_ZIP = within.entry(*[within.opcodes] * 4, harm.length, harm.word, damage.flip)
_PICKLED = (*[_IN_ZIP] * 6, harm.length, harm.swap)
_CODES = (*[within.opcodes] * 6, harm.length, harm.word)
FEW = 0.08


def _checkpoint(*samples: Sample, **more: Any) -> Format:
    given: dict[str, Any] = {
        "read": read,
        "deep": look_into,
        "facts": tensors,
        "holds": hold_together,
        "harms": _PICKLED,
    }
    return Format(samples=samples, **{**given, **more})


def _sealed(name: str, content: bytes) -> Sample:
    return Sample(name=name, content=content, grows=True)


CHECKPOINT_FORMATS: dict[str, Format] = {
    "config.json": _checkpoint(
        Sample(name="config.json", content=CONFIG),
        Sample(name="config.json", content=BLOOM),
        harms=_JSON,
        deep_every=5,
    ),
    "adapter_config.json": _checkpoint(
        Sample(name="adapter_config.json", content=ADAPTER, beside={"base/config.json": CONFIG}),
        harms=_JSON,
        deep_every=5,
        deep=lambda path: reportgen.inspect(path, base=path.with_name("base") / "config.json"),
    ),
    "manifest": _checkpoint(
        Sample(name="tensors.json", content=MANIFEST), harms=_VALUES, blunt=FEW, deep_every=5
    ),
    "safetensors": _checkpoint(
        _sealed("model.safetensors", _bytes("model.safetensors")),
        _sealed("model.safetensors", SMALL),
        Sample(
            name="model.safetensors.index.json",
            content=SAFE_INDEX,
            beside={"m-1.safetensors": SMALL},
        ),
        harms=(*[_inside_header] * 3, *[_other_tensors] * 3, harm.length, harm.swap),
        blunt=FEW,
    ),
    "torch.zip": _checkpoint(
        _sealed("model.pt", model_file()),
        _sealed("pytorch_model.bin", _bytes("pytorch_model.bin")),
        _sealed("last.ckpt", _bytes("lightning.ckpt")),
        _sealed("cfg.pt", _bytes("fairseq_cfg.pt")),
        blunt=FEW,
    ),
    "torch.legacy": _checkpoint(
        _sealed("model.pt", legacy(pickled(table({"w": tensor(), "b": tensor((2,), numel=2)})))),
        _sealed("tied.pt", _bytes("tied_legacy.pt")),
        harms=_CODES,
        blunt=FEW,
    ),
    "torch.index": _checkpoint(
        Sample(
            name="pytorch_model.bin.index.json", content=INDEX, beside={"model-1.bin": model_file()}
        ),
        harms=_VALUES,
        blunt=FEW,
    ),
    "distributed": _checkpoint(
        _sealed(".metadata", metadata()),
        Sample(
            name=".metadata", content=metadata(parts=part()), beside={"__0_0.distcp": bytes(24)}
        ),
        harms=_CODES,
        blunt=FEW,
    ),
    "gguf": _checkpoint(
        _sealed("small.gguf", _bytes("small.gguf")),
        _sealed("w.gguf", gguf()),
        harms=(harm.length, harm.length, harm.swap, harm.word),
    ),
}
