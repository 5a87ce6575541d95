"""Write two tiny checkpoints of fairseq's RoBERTa, and the logits that fairseq computes from them.

    python tools/oracles/fairseq_logits.py        # needs fairseq 0.12.2, nothing of reportgen

`fairseq/current.pt` is what fairseq 0.12 saves: a zip archive, settings under `cfg` with the
model's as an `argparse.Namespace` in it, a second copy of every layer for its fast path, and
32-bit numbers. `fairseq/old.pt` has what files of 2019 have: the stream of PyTorch before 1.6,
settings under `args`, `decoder.` for `encoder.`, and queries, keys and values in one matrix;
fairseq's own upgrade reads it, so its logits too are fairseq's.

fairseq 0.12.2 names default values that Python 3.11 refuses in dataclasses; what it would hash
is hashed here, before fairseq is imported.
"""

import dataclasses
import json
import re
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parents[2] / "tests" / "oracle" / "fairseq"
WORDS = 40
CLASSES = 3
COPY = re.compile(r"layers\.\d+\.(in_proj|out_proj|fc1|fc2)_")
HEAD = "sentence_classification_head"
TOKENS = [
    [0, 5, 9, 12, 41, 7, 30, 2],
    [0, 17, 3, 2, 1, 1, 1, 1],
    [0, 8, 8, 2, 6, 2, 1, 1],
    [0, 2, 1, 1, 1, 1, 1, 1],
]
ARGUMENTS = """data --task masked_lm --arch roberta_base --criterion masked_lm --optimizer adam
--encoder-layers 2 --encoder-embed-dim 16 --encoder-ffn-embed-dim 24 --encoder-attention-heads 4
--max-positions 10 --dropout 0.1 --attention-dropout 0.1 --pooler-dropout 0.0 --seed 3"""


def allow_hashes() -> None:
    """Let dataclasses of fairseq and hydra be default values of others."""
    own = dataclasses.dataclass

    def dataclass(cls=None, **options):
        def wrap(kind):
            if kind.__module__.startswith(("fairseq", "hydra", "omegaconf")):
                options.setdefault("unsafe_hash", not options.get("frozen"))
            return own(kind, **options)

        return wrap if cls is None else wrap(cls)

    dataclasses.dataclass = dataclass


def build():
    """Return fairseq's model, every number of it drawn, and its settings in both forms."""
    from fairseq import options
    from fairseq.data import Dictionary
    from fairseq.dataclass.utils import convert_namespace_to_omegaconf
    from fairseq.models.roberta import RobertaModel

    words = Dictionary()
    for number in range(WORDS):
        words.add_symbol(f"word{number}")
    words.add_symbol("<mask>")
    args = options.parse_args_and_arch(options.get_training_parser(), ARGUMENTS.split())

    class Task:
        source_dictionary = words

    torch.manual_seed(0)
    model = RobertaModel.build_model(args, Task())
    model.register_classification_head(HEAD, num_classes=CLASSES)
    for parameter in model.parameters():
        # Biases of 0 and scales of 1 would hide where they are mixed up. The copies of the fast
        # path come to differ from the layers, as they do in every file saved after training.
        parameter.data.add_(torch.randn_like(parameter) * 0.3)
    return model, args, convert_namespace_to_omegaconf(args)


def logits_of(model, state: dict) -> list[list[float]]:
    """Return the logits of the padded batch, once these weights are loaded."""
    for parameter in model.parameters():
        parameter.data.zero_()
    model.load_state_dict(dict(state))
    model.eval()
    found, _ = model(torch.tensor(TOKENS), features_only=True, classification_head_name=HEAD)
    return found.detach().double().tolist()


def as_in_2019(state: dict) -> dict:
    """Return the weights under the names and in the shapes of old files."""
    found = {}
    for name, tensor in state.items():
        if COPY.search(name) or re.search(r"self_attn\.[kv]_proj", name):
            continue
        kept = tensor
        if ".q_proj." in name:
            kept = torch.cat([state[name.replace("q_proj", f"{part}_proj")] for part in "qkv"])
        old = name.replace(".q_proj.", ".in_proj_").replace("encoder.", "decoder.", 1)
        found[old.replace("layernorm_embedding", "emb_layer_norm")] = kept
    return found


def main() -> None:
    """Write the checkpoints and the logits."""
    allow_hashes()
    from omegaconf import OmegaConf

    model, args, settings = build()
    state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    state["encoder.lm_head.weight"] = state["encoder.sentence_encoder.embed_tokens.weight"]
    old = as_in_2019(state)
    plain = OmegaConf.to_container(settings, resolve=True, enum_to_str=True)
    extra = {"extra_state": {"epoch": 1}, "last_optimizer_state": None}
    HERE.mkdir(exist_ok=True)
    torch.save({"args": None, "cfg": plain, "model": state, **extra}, HERE / "current.pt")
    torch.save(
        {"args": args, "model": old, **extra}, HERE / "old.pt", _use_new_zipfile_serialization=False
    )
    found = {"tokens": TOKENS, "current": logits_of(model, state), "old": logits_of(model, old)}
    (HERE / "logits.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
