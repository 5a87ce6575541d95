"""The grid of the lab that `benchmarks/gpu.py` trains: texts, tokenizer, checkpoint, study.

Everything is made here, from seeds: no download, no other package. The sizes are those of the lab
that the project comes from: an encoder of 22,829,056 parameters in a checkpoint of fairseq, two
starts, three seeds, 1,800 + 200 + 2,000 texts of up to 256 tokens, five epochs of batches of 8.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

SPLITS = ("train", "validation", "test")
SEEDS = (0, 1, 2)
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_POLAR = 200  # words of either polarity
_SHARE = 0.3  # of the words of a text that have one
_AGREE = 0.65  # of those, how many agree with the label


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large a lab is.

    Attributes:
        words: Vocabulary, special tokens included.
        width, inner, layers, heads: Of the encoder.
        places: Largest number of tokens in a text.
        examples: Of training, validation and test.
        epochs: Passes over the training split.
    """

    words: int = 19_700
    width: int = 512
    inner: int = 2048
    layers: int = 4
    heads: int = 8
    places: int = 256
    examples: tuple[int, int, int] = (1800, 200, 2000)
    epochs: int = 5

    def config(self) -> dict[str, Any]:
        """Return the `config.json` of the encoder, two classes."""
        return {
            "architectures": ["RobertaForSequenceClassification"],
            "model_type": "roberta",
            "vocab_size": self.words,
            "hidden_size": self.width,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "intermediate_size": self.inner,
            "max_position_embeddings": self.places + 2,
            "layer_norm_eps": 1e-5,
            "type_vocab_size": 1,
            "pad_token_id": 1,
            "bos_token_id": 0,
            "eos_token_id": 2,
        }


LAB = Size()
TINY = Size(
    words=600, width=32, inner=64, layers=2, heads=2, places=32, examples=(48, 16, 24), epochs=2
)


def make_lab(home: Path, size: Size, *, epochs: int = 0, precision: str = "auto") -> Path:
    """Write a study whose cells are all missing; return its `study.toml`.

    Args:
        home: Folder to write into.
        size: Of model and data.
        epochs: Passes over the training split; 0 takes the size's own.
        precision: `"auto"` or `"float32"`.
    """
    (home / "logs").mkdir(parents=True, exist_ok=True)
    for number, (split, count) in enumerate(zip(SPLITS, size.examples, strict=True)):
        _write_texts(home / "data" / f"{split}.csv", size, count, 100 + number)
    _write_tokenizer(home / "tokenizer", size)
    (home / "random.json").write_text(json.dumps(size.config()), encoding="utf-8")
    _write_checkpoint(home / "checkpoint_best.pt", size)
    study = home / "study.toml"
    text = _STUDY.format(epochs=epochs or size.epochs, places=size.places, precision=precision)
    study.write_text(text, encoding="utf-8")
    return study


def _write_texts(path: Path, size: Size, count: int, seed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draw = random.Random(seed)  # noqa: S311 -- sentences, not secrets
    plain = range(2 * _POLAR, size.words - len(SPECIAL))
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("text", "label"))
        for _ in range(count):
            label = draw.randrange(2)
            words = []
            for _ in range(draw.randint(size.places // 8, size.places - 2)):
                if draw.random() < _SHARE:
                    side = label if draw.random() < _AGREE else 1 - label
                    words.append(side * _POLAR + draw.randrange(_POLAR))
                else:
                    words.append(draw.choice(plain))
            writer.writerow((" ".join(f"w{word}" for word in words), label))


def _write_tokenizer(folder: Path, size: Size) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = [*SPECIAL, *(f"w{number}" for number in range(size.words - len(SPECIAL)))]
    numbers = {word: number for number, word in enumerate(words)}
    inner = Tokenizer(models.WordLevel(numbers, unk_token="<unk>"))  # noqa: S106
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    inner.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = ("bos_token", "pad_token", "eos_token", "unk_token")
    PreTrainedTokenizerFast(
        tokenizer_object=inner, **dict(zip(names, SPECIAL, strict=True))
    ).save_pretrained(folder)


def _write_checkpoint(path: Path, size: Size) -> None:
    """Write an encoder as fairseq's trainer does: its names, its settings in a `Namespace`."""
    draw = torch.Generator().manual_seed(7)
    inner, d, f = "encoder.sentence_encoder.", size.width, size.inner

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=draw) * 0.02

    state = {
        f"{inner}embed_tokens.weight": normal(size.words, d),
        f"{inner}embed_positions.weight": normal(size.places + 2, d),
        f"{inner}layernorm_embedding.weight": torch.ones(d),
        f"{inner}layernorm_embedding.bias": torch.zeros(d),
    }
    for layer in range(size.layers):
        prefix = f"{inner}layers.{layer}."
        sizes = {f"self_attn.{part}_proj": (d, d) for part in ("k", "v", "q", "out")}
        for name, shape in (sizes | {"fc1": (f, d), "fc2": (d, f)}).items():
            state |= {
                f"{prefix}{name}.weight": normal(*shape),
                f"{prefix}{name}.bias": torch.zeros(shape[0]),
            }
        for name in ("self_attn_layer_norm", "final_layer_norm"):
            state |= {
                f"{prefix}{name}.weight": torch.ones(d),
                f"{prefix}{name}.bias": torch.zeros(d),
            }
    arguments = argparse.Namespace(
        arch="roberta_small",
        encoder_attention_heads=size.heads,
        encoder_embed_dim=d,
        encoder_ffn_embed_dim=f,
        encoder_layers=size.layers,
        activation_fn="gelu",
        pooler_activation_fn="tanh",
    )
    torch.save({"args": arguments, "model": state, "extra_state": {"epoch": 1}}, path)


_STUDY = """\
[report]
title = "Does the checkpoint help?"

[runs]
path = "logs"

[groups.pretrained]
label = "Checkpoint"
seeds = [0, 1, 2]
start = "checkpoint_best.pt"

[groups.random]
label = "Random start"
seeds = [0, 1, 2]
start = "random"

[metric]
name = "accuracy"
direction = "higher"
select_on = "validation"
report_on = "test"

[train]
task = "classification"
tokenizer = "tokenizer"
config = "random.json"
batch_size = 8
epochs = {epochs}
learning_rate = 2e-4
warmup = 0.06
weight_decay = 0.01
max_length = {places}
precision = "{precision}"
layout = "hf_trainer"

[train.data]
text = "text"
label = "label"

[train.data.files]
train = "data/train.csv"
validation = "data/validation.csv"
test = "data/test.csv"
"""
