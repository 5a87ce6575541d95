"""A model in the order of its forward pass: what is in it adds up, and is wired as it runs."""

import csv
import json
from pathlib import Path

import pytest

from reportgen.parameters import describe_model, find_wiring, known_types, outline, total_scope
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.run import Source

ORACLE = Path(__file__).parents[2] / "oracle"
with (ORACLE / "param_counts.csv").open(encoding="utf-8") as file:
    ROWS = [row for row in csv.DictReader(file) if row["class"]]
COUNTED = {row["model_type"] for row in ROWS}
# Codecs of sound: what repeats in them follows no number of layers.
UNDRAWN = {
    *("fastspeech2_conformer_hifigan", "speecht5_hifigan", "vibevoice_acoustic_tokenizer"),
    *("vibevoice_acoustic_tokenizer_decoder", "vibevoice_asr", "vits", "xcodec"),
}
WIRINGS = json.loads((ORACLE / "layer_wirings.json").read_text(encoding="utf-8"))


def describe(model_type, values, name="the model"):
    source = Source(path="config.json", kind="config_json", size=0, sha256="")
    return describe_model(name, ModelConfig(source=source, model_type=model_type, values=values))


def weights(found):
    """Yield everything in an outline."""
    yield from (*found.shared, *found.between)
    for side in found.sides:
        yield from (weight for own in side.loose.values() for weight in own)
        for stack in side.stacks:
            parts = [part for g in stack.groups for part in (*g.before, *g.shared, *g.after)]
            parts += [part for g in stack.groups for branch in g.branches for part in branch]
            for part in (*parts, *stack.blocks):
                yield from part if isinstance(part, tuple) else part.weights


def stacks(found):
    return [stack for side in found.sides for stack in side.stacks]


@pytest.mark.slow
@pytest.mark.parametrize("model_type", sorted({row["model_type"] for row in ROWS}))
def test_what_is_drawn_is_what_the_model_of_this_class_holds(model_type):
    wrong = []
    for row in (row for row in ROWS if row["model_type"] == model_type):
        values = json.loads(row["config"]) | {"architectures": [row["class"]]}
        found = outline(describe(model_type, values))
        total = found and sum(w.count * max(1, w.layers) for w in weights(found))
        if total != int(row["count"]):
            wrong.append((row["model"], row["class"], row["count"], total))
    assert wrong == []


@pytest.mark.parametrize(
    "case", WIRINGS, ids=[f"{n}-{c['model_type']}" for n, c in enumerate(WIRINGS)]
)
def test_a_layer_is_wired_as_the_model_was_seen_to_run(case):
    facts = describe(case["model_type"], case["config"])
    assert find_wiring(case["model_type"], facts.config) == case["wiring"]
    found = outline(facts)
    shapes = {
        "post": lambda g: (len(g.branches[0]), len(g.after)) == (1, 1),
        "pre": lambda g: (len(g.shared) + len(g.branches[0]), len(g.after)) == (2, 0),
        "pre_normed": lambda g: (len(g.before), len(g.branches[0])) == (1, 1),
        "sandwich": lambda g: len(g.branches[0]) == 3,
        "parallel": lambda g: len(g.branches) == 2 and not g.either,
    }
    layers = stacks(found) if found else []
    if case["model_type"] in COUNTED:
        assert layers
        assert all(stack.groups and not stack.blocks for stack in layers)
    assert all(shapes[case["wiring"]](g) for stack in layers for g in stack.groups)


def test_every_model_type_that_is_counted_by_hand_was_seen_to_run():
    assert {case["model_type"] for case in WIRINGS} >= COUNTED


def test_what_is_not_known_is_not_drawn():
    assert outline(describe("unheard-of", {})) is None


def test_a_layer_whose_connections_are_not_known_lists_its_parts():
    # Only in fairseq, and with one norm more than is counted.
    sizes = {
        "encoder_embed_dim": 8,
        "encoder_layers": 1,
        "encoder_attention_heads": 2,
        "encoder_ffn_embed_dim": 8,
        "vocab_size": 9,
    }
    (known,) = stacks(outline(describe("roberta_base", sizes)))
    (fairseq,) = stacks(
        outline(describe("roberta_base", sizes | {"encoder_normalize_before": True}))
    )
    grouped = {"new_decoder_architecture": True, "parallel_attn": False}
    (falcon,) = stacks(outline(describe("falcon", grouped)))
    assert known.groups
    assert not known.blocks
    assert not fairseq.groups
    assert [block.kind for block in fairseq.blocks] == ["norm", "attention", "ffn"]
    assert [block.kind for block in falcon.blocks] == ["norm", "attention", "ffn"]


def test_layers_that_share_their_weights_are_counted_by_set():
    (stack,) = stacks(outline(describe("albert", {"architectures": ["AlbertModel"]})))
    assert (stack.layers, stack.sets) == (12, 1)


def test_layers_without_experts_are_told_apart():
    (stack,) = stacks(outline(describe("qwen2_moe", {"decoder_sparse_step": 3})))
    experts, network = (branch[-1] for branch in stack.groups[1].branches)
    assert (experts.kind, experts.times, network.kind, network.times) == ("experts", 8, "ffn", 16)
    assert stack.groups[1].either


def test_the_parts_of_a_composite_stand_side_by_side():
    values = {
        "architectures": ["LlavaForConditionalGeneration"],
        "text_config": {"model_type": "llama"},
        "vision_config": {"model_type": "clip_vision_model"},
    }
    found = outline(describe("llava", values))
    assert [side.name for side in found.sides] == ["vision", "text"]
    assert [weight.name for weight in found.between] == ["linear_1", "linear_2"]
    assert ["lm_head" in side.loose for side in found.sides] == [False, True]
    assert not found.shared


def test_layers_of_different_kinds_are_told_apart():
    (stack,) = stacks(outline(describe("qwen3_next", {"num_hidden_layers": 8})))
    mixers, network = stack.groups
    assert mixers.either
    assert {(branch[-1].kind, branch[-1].times) for branch in mixers.branches} == {
        ("attention", 2),
        ("state", 6),
    }
    assert [branch[-1].kind for branch in network.branches] == ["experts"]


def test_stages_of_growing_width_are_one_block_for_each_kind():
    blocks, between = stacks(outline(describe("swin", {})))
    assert (blocks.layers, between.layers) == (12, 3)
    assert {block.times for block in blocks.blocks} == {0}


@pytest.mark.slow
def test_every_model_type_with_layers_and_a_total_is_drawn_and_adds_up():
    missing = []
    for model_type in sorted(known_types())[::8]:
        facts = describe(model_type, {})
        scope, found = total_scope(facts), outline(facts)
        layered = any(term.repeat > 1 for term in facts.ledger.terms)
        if scope is not None and layered and found is None:
            missing.append(model_type)
        if scope is not None and found is not None:
            assert sum(w.count * max(1, w.layers) for w in weights(found)) == scope.total
    assert set(missing) <= UNDRAWN
