"""Write `model/tensors.json` from `model/config.json`.

The list has the names and shapes that fairseq gives the tensors of this model, fine-tuned
with a two-class head: what a checkpoint would hold, without its 94 MB of values.

    python make_model.py
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

MODEL = Path(__file__).resolve().parent / "model"
ENCODER = "encoder.sentence_encoder"
HEAD = "classification_heads.sentence_classification_head"

Shape = tuple[int, ...]
Tensor = dict[str, object]


def tensor(name: str, shape: Shape, *, shares: str = "") -> Tensor:
    """Return one line of the manifest."""
    line: Tensor = {"name": name, "shape": list(shape), "dtype": "float32"}
    return line | {"shares": shares} if shares else line


def linear(name: str, inputs: int, outputs: int) -> Iterator[Tensor]:
    """Yield weight and bias of a linear map."""
    yield tensor(f"{name}.weight", (outputs, inputs))
    yield tensor(f"{name}.bias", (outputs,))


def norm(name: str, width: int) -> Iterator[Tensor]:
    """Yield weight and bias of a layer normalisation."""
    yield tensor(f"{name}.weight", (width,))
    yield tensor(f"{name}.bias", (width,))


def layer(name: str, width: int, hidden: int) -> Iterator[Tensor]:
    """Yield the tensors of one Transformer layer, in fairseq's order."""
    for projection in ("k_proj", "v_proj", "q_proj", "out_proj"):
        yield from linear(f"{name}.self_attn.{projection}", width, width)
    yield from norm(f"{name}.self_attn_layer_norm", width)
    yield from linear(f"{name}.fc1", width, hidden)
    yield from linear(f"{name}.fc2", hidden, width)
    yield from norm(f"{name}.final_layer_norm", width)


def tensors(config: dict[str, int]) -> Iterator[Tensor]:
    """Yield every tensor of the model."""
    width, words = config["hidden_size"], config["vocab_size"]
    tokens = f"{ENCODER}.embed_tokens.weight"
    yield tensor(tokens, (words, width))
    yield tensor(f"{ENCODER}.embed_positions.weight", (config["max_position_embeddings"], width))
    yield from norm(f"{ENCODER}.layernorm_embedding", width)
    for index in range(config["num_hidden_layers"]):
        yield from layer(f"{ENCODER}.layers.{index}", width, config["intermediate_size"])
    yield tensor("encoder.lm_head.weight", (words, width), shares=tokens)
    yield tensor("encoder.lm_head.bias", (words,))
    yield from linear("encoder.lm_head.dense", width, width)
    yield from norm("encoder.lm_head.layer_norm", width)
    yield from linear(f"{HEAD}.dense", width, width)
    yield from linear(f"{HEAD}.out_proj", width, config["num_labels"])


def main() -> None:
    """Write the manifest and print its total, a shared tensor counted once."""
    found = list(tensors(json.loads((MODEL / "config.json").read_text(encoding="utf-8"))))
    lines = ",\n".join(f"    {json.dumps(line)}" for line in found)
    manifest = f'{{\n  "format": "reportgen-tensors/1",\n  "tensors": [\n{lines}\n  ]\n}}\n'
    (MODEL / "tensors.json").write_text(manifest, encoding="utf-8")
    shapes = [line["shape"] for line in found if "shares" not in line]
    print(f"{len(found)} tensors, {sum(math.prod(s) for s in shapes):,} parameters")


if __name__ == "__main__":
    main()
