"""Other programs' names of the same tensors, brought under the library's own.

Source: fairseq 0.12 `models/roberta/model.py` and `modules/transformer_sentence_encoder.py`;
transformers 4 `models/mixtral/modeling_mixtral.py`; the remote code of Phi's first format,
`modeling_mixformer_sequential.py`; TensorFlow's names of norms in BERT's first checkpoints.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from reportgen.records.checkpoint import TensorSpec

# What marks a dialect, and its names as patterns beside the library's.
DIALECTS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        r"\.sentence_encoder\.",
        (
            (r"(en|de)coder\.sentence_encoder\.embed_tokens", "embeddings.word_embeddings"),
            (r"(en|de)coder\.sentence_encoder\.embed_positions", "embeddings.position_embeddings"),
            (r"(en|de)coder\.sentence_encoder\.layernorm_embedding", "embeddings.LayerNorm"),
            (r"(en|de)coder\.sentence_encoder\.emb_layer_norm", "embeddings.LayerNorm"),
            (r"(en|de)coder\.sentence_encoder\.layers\.", "encoder.layer."),
            (r"\.self_attn\.q_proj", ".attention.self.query"),
            (r"\.self_attn\.k_proj", ".attention.self.key"),
            (r"\.self_attn\.v_proj", ".attention.self.value"),
            (r"\.self_attn\.out_proj", ".attention.output.dense"),
            (r"\.self_attn_layer_norm", ".attention.output.LayerNorm"),
            (r"\.fc1\.", ".intermediate.dense."),
            (r"\.fc2\.", ".output.dense."),
            (r"\.final_layer_norm", ".output.LayerNorm"),
            (r"(en|de)coder\.lm_head\.weight", "lm_head.decoder.weight"),
            (r"(en|de)coder\.lm_head\.", "lm_head."),
            (r"classification_heads\.[^.]+\.", "classifier."),
        ),
    ),
    (
        r"\.block_sparse_moe\.",
        (
            (r"\.block_sparse_moe\.gate\.", ".mlp.gate."),
            (r"\.block_sparse_moe\.experts\.(\d+)\.w1\.", r".mlp.experts.\1.gate_proj."),
            (r"\.block_sparse_moe\.experts\.(\d+)\.w3\.", r".mlp.experts.\1.up_proj."),
            (r"\.block_sparse_moe\.experts\.(\d+)\.w2\.", r".mlp.experts.\1.down_proj."),
        ),
    ),
    (r"\.gamma$", ((r"\.gamma$", ".weight"), (r"\.beta$", ".bias"))),
)
# The first format of Phi numbers everything in one list: table, layers, then the head.
SEQUENTIAL = re.compile(r"layers\.(\d+)\.(wte|mixer|mlp|ln|linear)\.(.+)")
# A matrix an expert is a matrix in one tensor of all experts since transformers 5.
JOINED = {"gate_proj": "gate_up_proj", "up_proj": "gate_up_proj", "down_proj": "down_proj"}


def renamed(tensors: Iterable[TensorSpec]) -> tuple[TensorSpec, ...]:
    """Return tensors under the library's names; what no dialect knows keeps its own.

    Example:
        >>> fairseq = TensorSpec(name="encoder.sentence_encoder.layers.3.fc1.bias", shape=(8,))
        >>> renamed([fairseq])[0].name
        'encoder.layer.3.intermediate.dense.bias'
    """
    tensors = tuple(tensors)
    for mark, rows in DIALECTS:
        sign = re.compile(mark).search
        if any(sign(tensor.name) for tensor in tensors):
            patterns = [(re.compile(pattern), name) for pattern, name in rows]
            tensors = tuple(under(tensor, patterns) for tensor in tensors)
    if any(SEQUENTIAL.fullmatch(tensor.name) for tensor in tensors):
        tensors = tuple(unnumbered(tensors))
    return tensors


def under(tensor: TensorSpec, patterns: Iterable[tuple[re.Pattern[str], str]]) -> TensorSpec:
    """Return a tensor with every pattern replaced in its name."""
    name = tensor.name
    for pattern, other in patterns:
        name = pattern.sub(other, name)
    return tensor if name == tensor.name else replace(tensor, name=name)


def unnumbered(tensors: Iterable[TensorSpec]) -> Iterator[TensorSpec]:
    """Yield tensors of Phi's first format under the names of its second."""
    tensors = tuple(tensors)
    found = [SEQUENTIAL.fullmatch(tensor.name) for tensor in tensors]
    head = next((m[1] for m in found if m and m[2] == "linear"), "")
    homes: Mapping[str, str] = {"wte": "transformer.embd.wte", "linear": "lm_head.linear"}
    for tensor, match in zip(tensors, found, strict=True):
        if match is None:
            yield tensor
        elif match[2] in homes:
            yield replace(tensor, name=f"{homes[match[2]]}.{match[3]}")
        elif match[1] == head:
            yield replace(tensor, name=f"lm_head.{match[2]}.{match[3]}")
        else:
            name = f"transformer.h.{int(match[1]) - 1}.{match[2]}.{match[3]}"
            yield replace(tensor, name=name)


def spelled_apart(pattern: str) -> str:
    """Return the pattern of fused experts beside the names that each expert has by itself.

    Example:
        >>> spelled_apart("mlp.experts.down_proj")
        'mlp.experts.down_proj|mlp.experts.*.down_proj.weight'
    """
    start, _, last = pattern.rpartition(".")
    parts = [part for part, joined in JOINED.items() if joined == last]
    if not start.endswith("experts") or not parts:
        return pattern
    return "|".join([pattern, *(f"{start}.*.{part}.weight" for part in parts)])
