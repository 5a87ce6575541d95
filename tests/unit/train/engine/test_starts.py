"""Starts of fine-tunes, against what transformers itself loads and draws."""

import json
import math
import os
import shutil

import pytest

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.study import RANDOM, TrainPlan
from reportgen.train.engine.starts import load_start

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

CONFIG = {
    "vocab_size": 50,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "max_position_embeddings": 12,
    "type_vocab_size": 1,
}
LABELS = ("bad", "fair", "good")
PLAN = TrainPlan(dropout=0.25)


@pytest.fixture(scope="module")
def pretrained(tmp_path_factory):
    """A folder with a language model, as `save_pretrained` writes it."""
    folder = tmp_path_factory.mktemp("pretrained")
    torch.manual_seed(1)
    config = transformers.RobertaConfig(**CONFIG)
    transformers.RobertaForMaskedLM(config).save_pretrained(folder)
    return folder


@pytest.fixture
def folder(pretrained, tmp_path):
    return shutil.copytree(pretrained, tmp_path / "model")


def as_bin(folder):
    from safetensors.torch import load_file

    state = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    torch.save(state, folder / "pytorch_model.bin")


def as_shards(folder):
    model = transformers.RobertaForMaskedLM.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder, max_shard_size="6KB")
    assert (folder / "model.safetensors.index.json").is_file()


def same(one, other):
    return set(one) == set(other) and all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("turn", [None, as_bin, as_shards])
def test_a_folder_is_what_transformers_makes_of_it_under_the_seed(folder, turn):
    transformers.set_seed(7)
    own = transformers.AutoModelForSequenceClassification.from_pretrained(folder, num_labels=3)
    if turn:
        turn(folder)
    before = torch.get_rng_state()
    found = load_start(str(folder), PLAN, 7, LABELS)
    assert torch.equal(before, torch.get_rng_state())
    assert same(found.state, own.state_dict())
    assert found.config["id2label"] == {"0": "bad", "1": "fair", "2": "good"}
    assert found.config["architectures"] == ["RobertaForSequenceClassification"]
    drawn = [f"classifier.{part}" for part in ("dense.bias", "dense.weight")]
    drawn += [f"classifier.{part}" for part in ("out_proj.bias", "out_proj.weight")]
    assert found.notes == (f"drawn under seed 7: {', '.join(drawn)}",)


def test_the_plan_sets_every_dropout(folder):
    config = load_start(str(folder), PLAN, 5, LABELS).config
    names = ("hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout")
    assert [config[name] for name in names] == [0.25] * 3


def test_a_head_that_fits_is_kept_and_one_that_does_not_is_drawn(folder):
    torch.manual_seed(2)
    config = transformers.RobertaConfig(**CONFIG, num_labels=3)
    model = transformers.RobertaForSequenceClassification(config)
    model.save_pretrained(folder)
    kept = load_start(str(folder), PLAN, 5, LABELS)
    assert same(kept.state, model.state_dict())
    assert kept.notes == ()
    other = load_start(str(folder), PLAN, 5, LABELS[:2])
    assert torch.equal(
        other.state["classifier.dense.weight"], model.state_dict()["classifier.dense.weight"]
    )
    assert other.state["classifier.out_proj.weight"].shape == (2, 16)
    assert "classifier.out_proj.weight" in other.notes[0]


def test_half_precision_comes_as_single(folder):
    model = transformers.RobertaForMaskedLM.from_pretrained(folder).half()
    model.save_pretrained(folder)
    found = load_start(str(folder), PLAN, 5, LABELS)
    assert {value.dtype for value in found.state.values()} == {torch.float32}
    assert found.config["dtype"] == "float32"


def test_a_random_start_is_what_transformers_draws(folder):
    plan = TrainPlan(config=str(folder / "config.json"))
    found = load_start(RANDOM, plan, 3, LABELS)
    config = transformers.AutoConfig.from_pretrained(folder, num_labels=3)
    torch.manual_seed(3)
    own = transformers.AutoModelForSequenceClassification.from_config(config)
    assert same(found.state, own.state_dict())
    table = found.state["roberta.encoder.layer.0.intermediate.dense.weight"]
    assert table.std() == pytest.approx(0.02, rel=0.2)
    assert not found.state["roberta.encoder.layer.0.intermediate.dense.bias"].any()
    assert not same(found.state, load_start(RANDOM, plan, 4, LABELS).state)


def test_a_causal_language_model(tmp_path):
    torch.manual_seed(0)
    config = transformers.BloomConfig(vocab_size=40, hidden_size=16, n_layer=1, n_head=2)
    model = transformers.BloomForCausalLM(config)
    model.save_pretrained(tmp_path)
    found = load_start(str(tmp_path), TrainPlan(task="causal_lm", dropout=0.0), 0, ())
    assert same(found.state, model.state_dict())
    assert found.config["architectures"] == ["BloomForCausalLM"]
    with pytest.raises(UsageError, match="no causal language model"):
        load_start(str(tmp_path / "config.json"), TrainPlan(task="causal_lm"), 0, ())


def refused(match, *arguments):
    with pytest.raises((EvidenceError, UsageError), match=match) as found:
        load_start(*arguments)
    assert found.value.remedy


def test_a_random_start_needs_a_config(folder):
    refused("names no config", RANDOM, TrainPlan(), 0, LABELS)
    (folder / "config.json").write_text('{"model_type": "nobody"}')
    refused("'nobody'", RANDOM, TrainPlan(config=str(folder / "config.json")), 0, LABELS)


def test_code_that_a_folder_brings_along_is_not_looked_at(folder):
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {"AutoModelForSequenceClassification": "own.Model"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text("raise SystemExit")
    assert load_start(str(folder), PLAN, 0, LABELS).config["model_type"] == "roberta"


def test_an_adapter_beside_the_weights_changes_nothing(folder):
    expected = load_start(str(folder), PLAN, 0, LABELS)
    adapter = {"peft_type": "LORA", "base_model_name_or_path": "/nowhere"}
    (folder / "adapter_config.json").write_text(json.dumps(adapter))
    assert same(load_start(str(folder), PLAN, 0, LABELS).state, expected.state)


class Call:
    def __reduce__(self):
        return os.system, ("exit 3",)


def test_a_file_that_would_run_code_is_refused_unread(folder):
    as_bin(folder)
    state = torch.load(folder / "pytorch_model.bin")
    torch.save({**state, "extra": Call()}, folder / "pytorch_model.bin")
    refused("names code that a loader would run", str(folder), PLAN, 0, LABELS)


def test_a_cut_file_and_a_folder_without_weights(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-10])
    refused("cut short", str(folder), PLAN, 0, LABELS)
    path.unlink()
    refused("holds no weights", str(folder), PLAN, 0, LABELS)


def test_weights_of_another_model(folder):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    refused(r"has no roberta\.encoder\.layer\.2", str(folder), PLAN, 0, LABELS)
    (folder / "config.json").write_text(json.dumps({**config, "intermediate_size": 20}))
    refused("other sizes than its config says", str(folder), PLAN, 0, LABELS)


def test_weights_that_are_no_numbers(folder):
    model = transformers.RobertaForMaskedLM.from_pretrained(folder)
    model.roberta.encoder.layer[1].output.dense.bias.data[3] = math.nan
    model.save_pretrained(folder)
    refused("layer.1.output.dense.bias that are no numbers", str(folder), PLAN, 0, LABELS)
