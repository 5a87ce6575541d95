"""Weights in 4 and 8 bits: what they stand for, and what is no parameter."""

from dataclasses import replace

import pytest

from reportgen.parameters import describe_model
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.run import Source

SOURCE = Source(path="model.safetensors", kind="test", size=0, sha256="")


def bytes_of(name, *shape):
    return TensorSpec(name=name, shape=shape, dtype="uint8")


def four_bits(tensor, *, told=True, nested=True):
    """Return a weight as bitsandbytes stores it, with what lies beside it."""
    constants = [TensorSpec(name=f"{tensor.name}.absmax", shape=(tensor.count // 64,))]
    constants.append(TensorSpec(name=f"{tensor.name}.quant_map", shape=(16,)))
    if nested:
        constants.append(TensorSpec(name=f"{tensor.name}.nested_quant_map", shape=(256,)))
    if told:
        constants.append(bytes_of(f"{tensor.name}.quant_state.bitsandbytes__nf4", 81))
    return [bytes_of(tensor.name, tensor.count // 2, 1), *constants]


def packed(checkpoint, **how):
    """Pack every matrix of the layers, as 4-bit loading does."""
    found = []
    for tensor in checkpoint.tensors:
        matrix = ".layer." in tensor.name and len(tensor.shape) == 2
        found += four_bits(tensor, **how) if matrix else [tensor]
    return replace(checkpoint, tensors=tuple(found))


def rows(config, checkpoint):
    return {row.term.name: row for row in describe_model("lab", config, checkpoint).rows}


def stored(*tensors):
    """Return what is counted of some tensors, and how much the words beside it say."""
    checkpoint = Checkpoint(source=SOURCE, tensors=tuple(tensors))
    facts = describe_model("lab", None, checkpoint)
    said = {row.term.name: row.explanation for row in facts.rows if row.explanation}
    return sum(row.stored for row in facts.rows), said


def test_a_published_model_in_four_bits_has_its_true_size():
    # gemma-3-1b in NF4: 6912 x 1152 lie in 3,981,312 bytes with 124,416 block constants.
    total, said = stored(
        bytes_of("mlp.up_proj.weight", 3_981_312, 1),
        bytes_of("mlp.up_proj.weight.absmax", 124_416),
        TensorSpec(name="mlp.up_proj.weight.quant_map", shape=(16,)),
        bytes_of("mlp.up_proj.weight.quant_state.bitsandbytes__nf4", 81),
    )
    assert total == 6912 * 1152 == 64 * 124_416
    assert said["packed.constants"].startswith("3 tensors of ")


@pytest.mark.parametrize("nested", [True, False])
def test_a_model_in_four_bits_reconciles_like_the_plain_one(nested, config, hugging):
    plain, small = rows(config, hugging), rows(config, packed(hugging, nested=nested))
    assert {k: r.stored for k, r in plain.items()} == {
        k: r.stored for k, r in small.items() if not k.startswith("packed.")
    }
    assert small["packed.weights"].explanation.startswith("24 tensors of 3,145,728 numbers")
    assert "not parameters" in small["packed.constants"].explanation
    assert {small[k].stored for k in ("packed.weights", "packed.constants")} == {0}


def test_without_a_state_it_is_said_that_nothing_tells(config, hugging):
    found = rows(config, packed(hugging, told=False))
    assert "no quant_state tells how" in found["packed.unclear"].explanation
    assert found["ffn.in.weight"].difference == -4 * 512 * 512 // 2


def test_eight_bits_count_as_they_are_and_their_scales_do_not(config, hugging):
    name = "roberta.encoder.layer.0.output.dense"
    scales = TensorSpec(name=f"{name}.SCB", shape=(512,))
    mark = bytes_of(f"{name}.weight_format", 1)
    found = rows(config, replace(hugging, tensors=(*hugging.tensors, scales, mark)))
    assert found["packed.constants"].explanation.startswith("2 tensors of 513 numbers")
    assert not [name for name in found if name.startswith("unexpected")]


@pytest.mark.parametrize(
    "parts",
    [
        {"qweight": (16, 96), "qzeros": (1, 12), "scales": (1, 96), "g_idx": (128,)},
        {"qweight": (128, 12), "qzeros": (1, 12), "scales": (1, 96)},
    ],
)
def test_weights_packed_in_words_have_the_shape_that_their_scales_tell(parts):
    total, said = stored(*(TensorSpec(name=f"q.{part}", shape=s) for part, s in parts.items()))
    assert total == 96 * 128
    assert "packed.weights" in said
