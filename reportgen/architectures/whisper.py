"""Whisper: two convolutions over the spectrogram, then an encoder and a decoder.

The encoder's positions are sinusoids: they are stored, and no optimizer changes them.

Source: Radford et al. 2022 (arXiv:2212.04356), section 2.2; transformers 5.23,
`models/whisper/modeling_whisper.py` and `configuration_whisper.py` for what a missing key
means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    DECODER_INNER,
    DECODER_LAYERS,
    ENCODER_INNER,
    ENCODER_LAYERS,
    LAST_NORM,
    Architecture,
    Blueprint,
    D,
    Keys,
    Module,
    V,
    make_stack,
    of_side,
    plan_output,
    plan_side,
    read_two_sides,
    times,
    two_sided_ledger,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.formula import Constant, Symbol

DEFAULTS = {
    "vocab_size": 51865,
    "d_model": 384,
    "encoder_layers": 4,
    "decoder_layers": 4,
    "encoder_ffn_dim": 1536,
    "decoder_ffn_dim": 1536,
    "num_mel_bins": 80,
    "max_source_positions": 1500,
    "max_target_positions": 448,
}
BINS = Symbol("B", meaning=message("frequency bands of the spectrogram"))
FRAMES = Symbol("P", "enc", meaning=message("positions of the encoder"))
TOKENS = Symbol("P", "dec", meaning=message("positions of the decoder"))
KERNEL = Constant(3)


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a Whisper model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="whisper", values={}))
        >>> ledger.scope("all").total
        37760640
    """
    plan, keys = draw_plan(config)
    tied = keys.switch("tie_word_embeddings", default=True)
    return two_sided_ledger("whisper", "Whisper", plan, keys, tied=tied, shared=())


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"causal_lm"` (with encoder and decoder), or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys]:
    """Write down every part of the model."""
    keys = Keys(config, DEFAULTS)
    values = read_two_sides(keys) | {
        BINS.key: keys.whole("num_mel_bins"),
        FRAMES.key: keys.whole("max_source_positions"),
        TOKENS.key: keys.whole("max_target_positions"),
    }
    plan = Blueprint(values=values, prefix="model.")
    for name, inputs in (("encoder.conv1", BINS), ("encoder.conv2", D)):
        what = message("convolution {number} of width 3", number=name[-1])
        own = {"inputs": times(KERNEL, inputs), "outputs": D, "bias": True}
        plan.add("conv", name, of_side("encoder", what), "embedding", name, **own)
    plan_positions(plan, "encoder", FRAMES, message("sinusoids: stored, never trained"))
    layers = make_stack("encoder", values[ENCODER_LAYERS.key])
    plan_side(plan, layers, ENCODER_INNER, cross=False, key_bias=False)
    plan_last_norm(plan, "encoder")
    plan.words("decoder.embed_tokens", V, D)
    plan_positions(plan, "decoder", TOKENS)
    layers = make_stack("decoder", values[DECODER_LAYERS.key])
    plan_side(plan, layers, DECODER_INNER, cross=True, key_bias=False)
    plan_last_norm(plan, "decoder")
    plan_output(plan, "proj_out", tied=keys.switch("tie_word_embeddings", default=True))
    return plan, keys


def plan_positions(plan: Blueprint, side: str, rows: Symbol, note: str = "") -> None:
    """Write down the position table of the encoder or the decoder."""
    term, label = f"{side}.position", of_side(side, message("position embeddings"))
    plan.table((term, label, "position", f"{side}.embed_positions", rows, D), note=note)


def plan_last_norm(plan: Blueprint, side: str) -> None:
    """Write down the norm that closes the encoder or the decoder."""
    label = of_side(side, LAST_NORM)
    plan.norm(f"{side}.final_norm", label, f"{side}.layer_norm", D, bias=True)


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
