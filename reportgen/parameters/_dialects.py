"""How other programs and versions spell the names of the same tensors, as patterns.

Source: fairseq 0.12 `models/roberta/model.py` and `modules/transformer_sentence_encoder.py`;
transformers 4 `models/mixtral/modeling_mixtral.py`; the remote code of Phi's first format,
`modeling_mixformer_sequential.py`; TensorFlow's names of norms in BERT's first checkpoints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

FAIRSEQ = r"(encoder|decoder)\.sentence_encoder"
OF_FAIRSEQ = ("camembert", "fairseq_roberta", "roberta", "xlm-roberta")
OF_PHI = ("mixformer-sequential", "phi-msft")
# Families, and the library's name of a piece with another program's; `{last}` is the number
# behind the last layer.
Rows = Sequence[tuple[str, str]]
DIALECTS: tuple[tuple[tuple[str, ...], Rows], ...] = (
    (
        OF_FAIRSEQ,
        (
            (r"^embeddings\.word_embeddings", rf"{FAIRSEQ}\.embed_tokens"),
            (r"^embeddings\.position_embeddings", rf"{FAIRSEQ}\.embed_positions"),
            (r"^embeddings\.LayerNorm", rf"{FAIRSEQ}\.(layernorm_embedding|emb_layer_norm)"),
            (r"^encoder\.layer\.", rf"{FAIRSEQ}\.layers\."),
            (r"attention\.self\.query", "self_attn\\.q_proj"),
            (r"attention\.self\.key", "self_attn\\.k_proj"),
            (r"attention\.self\.value", "self_attn\\.v_proj"),
            (r"attention\.output\.dense", "self_attn\\.out_proj"),
            (r"attention\.output\.LayerNorm", "self_attn_layer_norm"),
            (r"intermediate\.dense", "fc1"),
            (r"output\.dense", "fc2"),
            (r"output\.LayerNorm", "final_layer_norm"),
            (r"^lm_head\.decoder\.weight", r"(encoder|decoder)\.lm_head\.weight"),
            (r"^lm_head\.", r"(encoder|decoder)\.lm_head\."),
            (r"^classifier\.", r"classification_heads\.[^.]+\."),
        ),
    ),
    (
        ("mixtral",),
        (
            (r"mlp\.gate\.", r"block_sparse_moe\.gate\."),
            (r"mlp\.experts\.gate_up_proj", r"block_sparse_moe\.experts\.*\.(w1|w3)\.weight"),
            (r"mlp\.experts\.down_proj", r"block_sparse_moe\.experts\.*\.w2\.weight"),
        ),
    ),
    (
        OF_PHI,
        (
            (r"^transformer\.embd\.wte", r"layers\.0\.wte"),
            (r"^transformer\.h\.", r"layers\.(?!{last}\.)"),
            (r"^lm_head\.", r"layers\.{last}\."),
        ),
    ),
)
# llama.cpp names the parts of every decoder alike.
GGUF: Rows = (
    (r"^embed_tokens\.", r"token_embd\."),
    (r"^layers\.", r"blk\."),
    (r"self_attn\.q_proj", "attn_q"),
    (r"self_attn\.k_proj", "attn_k"),
    (r"self_attn\.v_proj", "attn_v"),
    (r"self_attn\.o_proj", "attn_output"),
    (r"self_attn\.q_norm", "attn_q_norm"),
    (r"self_attn\.k_norm", "attn_k_norm"),
    (r"mlp\.gate_proj", "ffn_gate"),
    (r"mlp\.up_proj", "ffn_up"),
    (r"mlp\.down_proj", "ffn_down"),
    (r"mlp\.gate\.", r"ffn_gate_inp\."),
    (r"mlp\.experts\.gate_up_proj", r"(ffn_gate_exps|ffn_up_exps)\.weight"),
    (r"mlp\.experts\.down_proj", r"ffn_down_exps\.weight"),
    (r"input_layernorm", "attn_norm"),
    (r"post_attention_layernorm", "ffn_norm"),
    (r"^norm\.", r"output_norm\."),
    (r"^lm_head\.weight", r"output\.weight"),
)
# A matrix for each expert is a part of one tensor of all experts since transformers 5.
EXPERTS: Rows = (
    (r"experts\.gate_up_proj$", r"experts\.*\.(gate_proj|up_proj)\.weight"),
    (r"experts\.down_proj$", r"experts\.*\.down_proj\.weight"),
    (r"experts\.up_proj$", r"experts\.*\.up_proj\.weight"),
)
NORMS: Rows = ((r"\.weight$", r"\.(weight|gamma)"), (r"\.bias$", r"\.(bias|beta)"))
NUMBER = r"\d+"
# How the names of decoders begin that llama.cpp stores.
LLAMA = ("embed_tokens.", "layers.*.", "norm.", "lm_head.weight")


def spellings(name: str, family: str, last: int, *, norm: bool) -> Iterator[str]:
    """Yield patterns of every spelling of a tensor's name, the library's first."""
    plain = re.escape(name).replace(r"\*", NUMBER)
    yield respelled(plain, name, NORMS) if norm else plain
    for families, rows in DIALECTS:
        if family in families:
            own = [(piece, other.replace("{last}", str(last))) for piece, other in rows]
            yield from other_spelling(name, plain, own)
    if name.startswith(LLAMA):
        yield from other_spelling(name, plain, GGUF)
    yield from other_spelling(name, plain, EXPERTS)


def other_spelling(name: str, plain: str, rows: Rows) -> Iterator[str]:
    """Yield the pattern of a name in one dialect, where it differs."""
    found = respelled(plain, name, rows)
    if found != plain:
        yield found


def respelled(plain: str, name: str, rows: Rows) -> str:
    """Return the pattern of a name with each piece that a row knows replaced.

    Rows are written for names; what they replace may hold patterns.
    """
    pieces: list[tuple[int, int, str]] = []
    for piece, other in rows:
        for match in re.finditer(piece, name):
            start, end = match.span()
            if all(end <= a or start >= b for a, b, _ in pieces):
                pieces.append((start, end, other.replace(".*", f".{NUMBER}")))
    if not pieces:
        return plain
    found, place = "", 0
    for start, end, other in sorted(pieces):
        found += re.escape(name[place:start]).replace(r"\*", NUMBER) + other
        place = end
    return found + re.escape(name[place:]).replace(r"\*", NUMBER)
