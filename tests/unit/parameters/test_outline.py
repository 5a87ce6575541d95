"""A model in the order of its forward pass: what is in it adds up, and is wired as it runs."""

import csv
import json
from pathlib import Path

import pytest

from reportgen.parameters import describe_model, find_wiring, outline
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.run import Source

ORACLE = Path(__file__).parents[2] / "oracle"
with (ORACLE / "param_counts.csv").open(encoding="utf-8") as file:
    ROWS = [row for row in csv.DictReader(file) if row["class"]]
WIRINGS = json.loads((ORACLE / "layer_wirings.json").read_text(encoding="utf-8"))


def describe(model_type, values, name="the model"):
    source = Source(path="config.json", kind="config_json", size=0, sha256="")
    return describe_model(name, ModelConfig(source=source, model_type=model_type, values=values))


def weights(found):
    """Yield everything in an outline."""
    yield from found.shared
    for side in found.sides:
        yield from (weight for own in side.loose.values() for weight in own)
        for group in side.groups:
            parts = [*group.before, *group.shared, *group.after]
            for part in parts + [each for branch in group.branches for each in branch]:
                yield from part if isinstance(part, tuple) else part.weights


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
    assert all(shapes[case["wiring"]](g) for side in found.sides for g in side.groups)


def test_every_model_type_that_is_counted_by_hand_was_seen_to_run():
    counted = {row["model_type"] for row in ROWS}

    assert counted <= {case["model_type"] for case in WIRINGS}


def test_what_is_not_known_is_not_drawn():
    assert outline(describe("unheard-of", {})) is None
    # Only in fairseq, and with one norm more than is counted.
    sizes = {
        "encoder_embed_dim": 8,
        "encoder_layers": 1,
        "encoder_attention_heads": 2,
        "encoder_ffn_embed_dim": 8,
        "vocab_size": 9,
    }
    assert outline(describe("roberta_base", sizes)) is not None
    assert outline(describe("roberta_base", sizes | {"encoder_normalize_before": True})) is None
    grouped = {"new_decoder_architecture": True, "parallel_attn": False}
    assert outline(describe("falcon", grouped)) is None


def test_layers_that_share_their_weights_are_counted_by_set():
    (side,) = outline(describe("albert", {"architectures": ["AlbertModel"]})).sides
    assert (side.layers, side.sets) == (12, 1)


def test_layers_without_experts_are_told_apart():
    (side,) = outline(describe("qwen2_moe", {"decoder_sparse_step": 3})).sides
    experts, network = (branch[-1] for branch in side.groups[1].branches)
    assert (experts.kind, experts.times, network.kind, network.times) == ("experts", 8, "ffn", 16)
    assert side.groups[1].either
