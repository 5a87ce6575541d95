"""Write layer_wirings.json: how the layers of small models are wired, watched while they run.

Needs torch and transformers. In the first layer of each side the tensors that go into and come
out of the norms are compared with what goes into and comes out of the layer.

    python tools/oracles/layer_wirings.py
"""

import itertools
import json
from pathlib import Path

import torch
import transformers

HERE = Path(__file__).resolve().parents[2] / "tests" / "oracle"
# Keys that change how a layer is wired, and that no case in configs/ sets.
MORE = (
    ("bloom", "tiny BLOOM", {"apply_residual_connection_post_layernorm": True}),
    ("opt", "tiny OPT", {"do_layer_norm_before": False}),
    ("gpt_neox", "tiny GPT-NeoX", {"use_parallel_residual": False}),
    ("falcon", "tiny Falcon, one key head", {"parallel_attn": False}),
)
# Further model types, built small, that are wired one way whatever their keys.
OTHERS = (
    *("apertus", "arcee", "big_bird", "biogpt", "blenderbot", "clip_text_model"),
    *("clip_vision_model", "cohere", "cohere2", "data2vec-text", "deit", "dinov2"),
    *("ernie", "ernie4_5", "eurobert", "gemma3_text", "glm", "glm4", "glm4_moe", "gpt_bigcode"),
    *("gpt_oss", "helium", "jais2", "layoutlm", "lfm2", "longt5", "luke", "m2m_100", "marian"),
    *("mimo_v2_flash", "minimax_m2", "mpnet", "olmo", "olmoe", "pegasus"),
    *("persimmon", "phimoe", "qwen3_5_text", "qwen3_next", "rembert", "roberta-prelayernorm"),
    *("roc_bert", "seed_oss", "siglip_vision_model", "smollm3", "starcoder2", "umt5", "vaultgemma"),
    *("xglm", "xlm-roberta-xl"),
)
SMALL = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "num_experts": 4,
    "n_routed_experts": 4,
    "num_local_experts": 4,
    "num_experts_per_tok": 2,
    "vocab_size": 99,
    "image_size": 16,
    "patch_size": 8,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 0,
    "eos_token_id": 0,
}
LAYERS = ("layer.0", "layers.0", "h.0", "block.0", "albert_layers.0")
NORMS = ("norm", "ln_", "layernorm")
OF_HEADS = ("q_norm", "k_norm", "q_layernorm", "k_layernorm")


def build(model_type, config):
    """Return a small model with random weights, norms included, that drops nothing."""
    torch.manual_seed(0)
    values = {k: v for k, v in config.items() if k != "transformers_version"}
    if model_type == "phi3":
        values.setdefault("pad_token_id", 0)
    made = transformers.AutoConfig.for_model(model_type, **values)
    made._experts_implementation = "eager"  # the fast one wants sizes that are multiples of 16
    model = transformers.AutoModel.from_config(made).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0.0, 0.3)
    return model, made


def small(model_type):
    """Return a small configuration of a model type: its keys that are sizes."""
    usual = transformers.AutoConfig.for_model(model_type)
    found = {k: v for k, v in SMALL.items() if getattr(usual, k, None) and k != "vocab_size"}
    if hasattr(usual, "vocab_size"):
        found["vocab_size"] = SMALL["vocab_size"]
    if kinds := getattr(usual, "layer_types", None):
        found["layer_types"] = (list(dict.fromkeys(kinds)) * 2)[:2]
    return found


def inputs_of(model, made):
    """Return something small that the model can read."""
    if hasattr(made, "image_size") and not hasattr(made, "vocab_size"):
        return {"pixel_values": torch.randn(1, made.num_channels, made.image_size, made.image_size)}
    ids = torch.tensor([[3, 4, 5, 6]])
    if made.model_type == "whisper":
        frames = torch.randn(1, made.num_mel_bins, 2 * made.max_source_positions)
        return {"input_features": frames, "decoder_input_ids": ids}
    return {"input_ids": ids} | ({"decoder_input_ids": ids} if made.is_encoder_decoder else {})


def first(value):
    """Return the tensor of what a module takes or gives."""
    return value[0] if isinstance(value, tuple) else value


def watch(model, layer, feed):
    """Run the model; return (input, output) of the layer, of its norms and of its other parts.

    A layer that is shared runs again and again: its first run is what is returned.
    """
    whole, norms, others = [], [], []

    def see(found, module):
        def hook(_, args, kwargs, out):
            taken = first(args) if args else next(iter(kwargs.values()), None)
            if not whole and isinstance(first(out), torch.Tensor):
                found.append((taken, first(out)))

        return module.register_forward_hook(hook, with_kwargs=True)

    handles = []
    for below, module in layer.named_modules():
        short = below.rsplit(".", 1)[-1].lower()
        is_norm = any(word in short for word in NORMS) and not list(module.children())
        if is_norm and short not in OF_HEADS:
            handles.append(see(norms, module))
        elif below:
            handles.append(see(others, module))
    handles.append(see(whole, layer))
    with torch.no_grad():
        model(**feed)
    for handle in handles:
        handle.remove()
    return whole[0], norms, others


def is_same(a, b):
    """Tell whether two tensors hold the same, up to rounding."""
    return a.shape == b.shape and torch.allclose(a, b, rtol=1e-4, atol=1e-4)


def wiring_of(whole, norms, others):
    """Name the wiring from what was seen; what fits no name has none."""
    start, end = whole
    # Others stand inside of the attention; some families flatten what they norm.
    alike = [pair for pair in norms if pair[0].numel() == start.numel()]
    norms = [(taken.reshape(start.shape), out.reshape(start.shape)) for taken, out in alike]
    inputs = [taken for taken, _ in norms]
    made = [out for _, out in (*others, *norms) if out.numel() == start.numel()]

    def added(before, after):
        """Tell whether a part made what was added."""
        return any(is_same(before + out.reshape(start.shape), after) for out in made)

    if all(is_same(start, taken) for taken in inputs):
        return "parallel"
    if not is_same(inputs[0], start):
        befores = [start, *(out for _, out in norms)]
        summed = all(added(before, taken) for before, taken in zip(befores, inputs, strict=False))
        return "post" if summed and is_same(norms[-1][1], end) else ""
    if added(norms[0][1], inputs[1]):
        return "pre_normed"
    if len(norms) == 4:
        return "sandwich" if added(start, inputs[2]) and added(inputs[2], end) else ""
    stops = [*inputs, end]
    return "pre" if all(added(a, b) for a, b in itertools.pairwise(stops)) else ""


def wirings_of(model_type, config):
    """Yield the wiring of the first layer of each side."""
    model, made = build(model_type, config)
    feed = inputs_of(model, made)
    for name, layer in model.named_modules():
        if name.endswith(LAYERS) and not is_inner(name):
            yield wiring_of(*watch(model, layer, feed))


def is_inner(name):
    """Tell whether a module is a part of a layer that is called a layer too (T5)."""
    return name.endswith("layer.0") and ".block." in name


def main():
    """Write the list, family by family."""
    found = []
    for path in sorted((HERE / "configs").glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            if not case.get("tensors") or case.get("built_by", "5").split(".")[0] != "5":
                continue
            variants = [{}] + [more for _, name, more in MORE if name == case["model"]]
            for more in variants:
                config = case["config"] | more
                (wiring,) = set(wirings_of(case["model_type"], config))
                found.append({"model_type": case["model_type"], "config": config, "wiring": wiring})
    for model_type in OTHERS:
        config = small(model_type)
        (wiring,) = set(wirings_of(model_type, config))
        found.append({"model_type": model_type, "config": config, "wiring": wiring})
    lines = ",\n".join(json.dumps(each) for each in found)
    (HERE / "layer_wirings.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
