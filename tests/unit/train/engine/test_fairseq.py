"""fairseq's checkpoints under new names: what is moved, what is left behind, what is refused."""

import argparse
import json
import os
import re

import pytest

from reportgen.records.errors import EvidenceError
from reportgen.records.study import TrainPlan
from reportgen.train.engine.starts import load_start, move_encoder, move_head, read_config

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

E = "encoder.sentence_encoder"
LABELS = ("0", "1", "2")
HEAD = "classification_heads.sentence_classification_head"


@pytest.fixture
def saved(project):
    """What fairseq 0.12.2 wrote: names, shapes, and its own copies of every layer."""
    path = project / "tests" / "oracle" / "fairseq" / "current.pt"
    with torch.serialization.safe_globals([argparse.Namespace]):
        return torch.load(path, weights_only=True)


@pytest.fixture
def start(tmp_path):
    """Save a checkpoint and load it as a start."""

    def go(content, labels=LABELS, **options):
        torch.save(content, tmp_path / "model.pt", **options)
        return load_start(str(tmp_path / "model.pt"), TrainPlan(), 0, labels)

    return go


def test_the_encoder_of_the_lab_keeps_its_parameters_and_no_copy(lab):
    listed = json.loads((lab / "model" / "tensors.json").read_text())["tensors"]
    shapes = {tensor["name"]: tuple(tensor["shape"]) for tensor in listed}
    width, feed = 512, 512
    for layer in range(4):
        shapes |= {
            f"{E}.layers.{layer}.in_proj_weight": (3 * width, width),
            f"{E}.layers.{layer}.in_proj_bias": (3 * width,),
            f"{E}.layers.{layer}.out_proj_weight": (width, width),
            f"{E}.layers.{layer}.out_proj_bias": (width,),
            f"{E}.layers.{layer}.fc1_weight": (feed, width),
            f"{E}.layers.{layer}.fc1_bias": (feed,),
            f"{E}.layers.{layer}.fc2_weight": (width, feed),
            f"{E}.layers.{layer}.fc2_bias": (width,),
        }
    inside = [torch.Size(shape).numel() for name, shape in shapes.items() if name.startswith(E)]
    assert sum(inside) == 29_132_800
    moves = move_encoder(shapes, "model.pt")
    assert sum(torch.Size(shapes[move.source]).numel() for move in moves) == 22_829_056
    config = read_config({"encoder_attention_heads": 8}, shapes, moves, "model.pt")
    wanted = json.loads((lab / "model" / "config.json").read_text())
    assert all(wanted[key] == value for key, value in config.items())


def test_a_saved_copy_that_differs_is_not_what_is_loaded(saved, start):
    copies = [name for name in saved["model"] if re.search(r"layers\.\d+\.fc1_weight", name)]
    assert len(copies) == 2
    layer = saved["model"][f"{E}.layers.1.fc1.weight"]
    assert not torch.equal(layer, saved["model"][copies[1]])
    found = start(saved).state
    assert torch.equal(found["roberta.encoder.layer.1.intermediate.dense.weight"], layer)


def test_fused_projections_are_query_key_and_value_in_this_order(project):
    loaded = [
        load_start(str(project / "tests" / "oracle" / "fairseq" / name), TrainPlan(), 0, LABELS)
        for name in ("current.pt", "old.pt")
    ]
    assert set(loaded[0].state) == set(loaded[1].state)
    for name, tensor in loaded[0].state.items():
        assert torch.equal(tensor, loaded[1].state[name]), name
    assert loaded[0].config == loaded[1].config


@pytest.mark.parametrize("zipped", [True, False])
def test_views_offsets_and_half_precision(saved, start, zipped):
    expected = start(saved).state
    name = f"{E}.layers.0.fc2.weight"
    big = torch.full((30, 40), torch.nan)
    big[2 : 2 + 24, 5 : 5 + 16] = saved["model"][name].t()
    table = saved["model"][f"{E}.embed_tokens.weight"]
    saved["model"][name] = big[2 : 2 + 24, 5 : 5 + 16].t()
    saved["model"][f"{E}.embed_tokens.weight"] = table.half()
    found = start(saved, _use_new_zipfile_serialization=zipped).state
    moved = "roberta.encoder.layer.0.output.dense.weight"
    assert torch.equal(found[moved], expected[moved])
    words = found["roberta.embeddings.word_embeddings.weight"]
    assert torch.equal(words, table.half().float())


def test_a_head_of_any_name_and_one_that_does_not_fit(saved, start):
    model = saved["model"]
    kept = start(saved)
    assert torch.equal(kept.state["classifier.out_proj.weight"], model[f"{HEAD}.out_proj.weight"])
    other = start(saved, ("0", "1"))
    assert other.state["classifier.out_proj.weight"].shape == (2, 16)
    assert "sizes [16, 16] and [3, 16]: not one for 2 classes" in other.notes[0]
    assert any(note.startswith("drawn under seed 0") for note in other.notes)
    renamed = {name.replace("sentence_classification_head", "mnli"): t for name, t in model.items()}
    again = start({**saved, "model": renamed})
    assert torch.equal(again.state["classifier.dense.bias"], model[f"{HEAD}.dense.bias"])
    mnli = {k: v for k, v in renamed.items() if k.startswith("classification_heads.mnli")}
    both = start({**saved, "model": {**model, **mnli}})
    assert torch.equal(both.state["classifier.dense.bias"], model[f"{HEAD}.dense.bias"])
    shapes = {name.replace("mnli", part): (3,) for name in mnli for part in ("a", "b")}
    with pytest.raises(EvidenceError, match="2 heads of classifiers: a, b"):
        move_head(shapes, 3, "model.pt")


def test_no_head_is_drawn_as_transformers_draws_it(saved, start):
    bare = {name: t for name, t in saved["model"].items() if not name.startswith("class")}
    found = start({**saved, "model": bare}).state
    torch.manual_seed(0)
    assert torch.equal(found["classifier.dense.weight"], torch.empty(16, 16).normal_(0, 0.02))


def refused(start, match, content):
    with pytest.raises(EvidenceError, match=match) as found:
        start(content)
    assert found.value.remedy


def told(saved, **values):
    """The checkpoint with other settings of its model."""
    arguments = argparse.Namespace(**{**vars(saved["cfg"]["model"]), **values})
    return {**saved, "cfg": None, "args": arguments}


def test_settings_that_no_shape_tells(saved, start):
    assert start(told(saved, encoder_attention_heads=8)).config["num_attention_heads"] == 8
    bare = {**saved, "cfg": None, "args": argparse.Namespace(seed=1)}
    refused(start, "does not say how many attention heads", bare)
    refused(start, "says '5' of how many attention", told(saved, encoder_attention_heads=5))
    refused(start, "encoder_normalize_before", told(saved, encoder_normalize_before=True))
    refused(start, "the activation swish", told(saved, activation_fn="swish"))
    refused(start, "activation relu in its head", told(saved, pooler_activation_fn="relu"))
    fast = start(told(saved, activation_fn="gelu_fast", encoder_attention_heads=4))
    assert fast.config["hidden_act"] == "gelu_new"


def test_what_is_no_roberta_of_fairseq(saved, start):
    model = saved["model"]
    refused(start, "no encoder of fairseq's RoBERTa", {"model": {"weight": torch.zeros(2, 2)}})
    extra = {**model, f"{E}.segment_embeddings.weight": torch.zeros(2, 16)}
    refused(start, "segment_embeddings.weight, which no RoBERTa", {**saved, "model": extra})
    cut = {name: t for name, t in model.items() if ".layers.0." not in name}
    refused(start, "lacks encoder.layer.0", {**saved, "model": cut})
    far = {name.replace(".layers.1.", ".layers.99999999."): t for name, t in model.items()}
    refused(start, "has no roberta.encoder.layer.1", {**saved, "model": far})
    cut = {name: t for name, t in model.items() if ".1.fc2.bias" not in name}
    refused(start, "has no roberta.encoder.layer.1.output.dense.bias", {**saved, "model": cut})
    cut = {name: t for name, t in model.items() if "layernorm_embedding" not in name}
    refused(start, "lacks embeddings.LayerNorm.bias", {**saved, "model": cut})
    flat = {**model, f"{E}.embed_tokens.weight": torch.zeros(5)}
    refused(start, "lacks embeddings.word_embeddings", {**saved, "model": flat})
    odd = {**model, f"{E}.layers.0.fc1.weight": torch.zeros(7, 16)}
    refused(start, "other sizes", {**saved, "model": odd})
    whole = {**model, f"{E}.layers.0.fc1.weight": torch.zeros(24, 16, dtype=torch.int32)}
    refused(start, "as int32 of shape", {**saved, "model": whole})


class Call:
    def __reduce__(self):
        return os.system, ("exit 3",)


def test_a_checkpoint_that_would_run_code_is_refused(saved, start):
    refused(start, "a loader would run: .*system", {**saved, "extra": Call()})
