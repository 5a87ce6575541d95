"""From files to facts, and to the JSON of `inspect`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.rows import rows_of

from reportgen.parameters import describe_model, inspection, total_scope
from reportgen.read.weights import read_evidence

FAIRSEQ = {
    "encoder_embed_dim": 512,
    "encoder_layers": 4,
    "encoder_ffn_embed_dim": 512,
    "encoder_attention_heads": 8,
    "max_positions": 256,
}


def scope_of(model, model_type, **values):
    return total_scope(describe_model("lab", model(model_type, **values)))


ROWS = rows_of(Path(__file__).with_name("described.yaml"))


@pytest.mark.parametrize("row", ROWS, ids=[row["about"] for row in ROWS])
def test_what_a_configuration_alone_tells(model, row):
    found = inspection(
        describe_model("lab", replace(model(row["model_type"]), values=row.get("values", {})))
    )
    counted = found["total_parameters"]
    assert ({} if counted is None else {found["total_scope"]: counted}) == row.get("total", {})
    assert found["scopes"] == row.get("scopes", {})
    if "architectures" in row.get("values", ()) and counted is not None:
        assert sum(term["count"] for term in found["terms"]) == counted
    told = [one["message"] for one in found["problems"] if one["level"] == "warning"]
    assert told == row.get("told", [])


def test_a_configuration_alone_is_counted(config):
    found = inspection(describe_model("lab", config))
    assert (found["kind"], found["family"]) == ("config", "roberta")
    assert (found["total_scope"], found["total_parameters"]) == ("encoder", 22_829_056)
    assert found["scopes"]["weights"] == 22_807_552
    assert sum(t["count"] for t in found["terms"] if t["role"] == "position") == 132_096
    assert found["problems"] == []
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    "named",
    [
        "RobertaForTelepathy",
        "T5EncoderModel",
        "Qwen3ForCausalLM",
        "ElectraForMaskedLM",
        "",
        7,
        None,
    ],
)
@pytest.mark.parametrize("model_type", ["roberta", "gpt2", "bart"])
def test_a_class_that_no_table_has_has_no_total(model_type, named, model):
    config = model(model_type, architectures=[named], vocab_size=90)
    found = inspection(describe_model("lab", config))
    assert found["total_parameters"] is None
    assert "head is not counted" in found["missing"]["total_parameters"]


def test_a_checkpoint_without_configuration_is_grouped_by_name(fairseq):
    facts = describe_model("lab", None, fairseq)
    found = inspection(facts)
    assert found["total_parameters"] == 23_388_418
    assert found["scopes"] == {"weights": 22_807_552, "body": 22_829_056, "all": 23_388_418}
    assert all(row.difference == 0 for row in facts.rows if row.term.count)
    assert found["problems"][0]["remedy"] == "pass the model's config.json"


def test_an_unknown_family_is_named_and_not_guessed(config):
    facts = describe_model("phi", replace(config, model_type="unheard-of"))
    found = inspection(facts)
    assert found["total_parameters"] is None
    assert "unheard-of" in found["missing"]["total_parameters"]
    assert "its tensors are counted" in found["problems"][0]["remedy"]


def test_defaults_are_notes_that_name_what_the_file_lacks(model):
    bare = describe_model("lab", model("roberta"))
    wide = describe_model("lab", model("roberta", hidden_size=768))
    assert {problem.level for problem in bare.problems} == {"note"}
    assert len(bare.problems) == len(wide.problems) + 1
    assert any(p.message.startswith("vocab_size is not in config.json") for p in wide.problems)
    assert not any(p.message.startswith("hidden_size") for p in wide.problems)


# model type, class, whether transformers 5 has two biases of the vocabulary.
@pytest.mark.parametrize(
    ("model_type", "named", "two"),
    [
        ("bert", "BertForMaskedLM", True),
        ("roberta", "RobertaForMaskedLM", True),
        ("camembert", "CamembertForMaskedLM", True),
        ("albert", "AlbertForPreTraining", True),
        ("deberta", "DebertaForMaskedLM", True),
        ("deberta-v2", "DebertaV2ForMaskedLM", True),
        ("electra", "ElectraForMaskedLM", False),
        ("distilbert", "DistilBertForMaskedLM", False),
    ],
)
def test_an_untied_masked_head_has_the_biases_of_the_library_that_wrote_it(
    model_type, named, two, model
):
    def total(**more):
        return scope_of(model, model_type, vocab_size=101, architectures=[named], **more).total

    old, new = ({"transformers_version": version} for version in ("4.57.1", "5.0.0"))
    untied = {"tie_word_embeddings": False}
    assert total() == total(**old) == total(**new)
    assert total(**untied, **new) - total(**untied, **old) == (101 if two else 0)


def test_fairseq_arguments_borrow_the_vocabulary(model, fairseq):
    facts = describe_model("lab", model("roberta_small", arch="roberta_small", **FAIRSEQ), fairseq)
    assert facts.ledger.scope("encoder").total == 22_829_056
    assert facts.ledger.scope("all").total == 23_388_418
    assert facts.ledger.scope("encoder_hf") is None
    assert "32000 is the number of rows" in facts.problems[0].message


@pytest.mark.parametrize("named", [{"arch": "roberta_small"}, {"_name": "roberta"}])
def test_a_fairseq_checkpoint_alone_is_counted_by_formula(named, fairseq):
    facts = describe_model("lab", None, replace(fairseq, config=FAIRSEQ | named))
    assert facts.ledger.family == "fairseq_roberta"
    assert facts.ledger.scope("encoder").total == 22_829_056
    assert {row.term.name for row in facts.rows if row.difference} == set()


@pytest.mark.parametrize(
    ("name", "model_type"),
    [
        ("fairseq_args.pt", "roberta_small"),
        ("fairseq_cfg.pt", "roberta"),
        ("fairseq_omegaconf.pt", "roberta"),
        ("lightning.ckpt", ""),
    ],
)
def test_the_architecture_is_read_out_of_fairseq_files(name, model_type, project):
    path = project / "tests" / "data" / "checkpoints" / name
    facts = describe_model(name, None, read_evidence(path, name))
    assert facts.config.model_type == model_type
    assert ("states no vocab_size" in facts.problems[-1].message) == bool(model_type)
    assert facts.ledger.family == ""  # its sizes are not all there, so nothing is guessed


@pytest.mark.parametrize(
    "values",
    [{"arch": "resnet50"}, {"arch": "bert", "encoder_layers": 4}, {"arch": "roberta_small"}],
)
def test_a_word_of_another_program_is_no_model_type(values, fairseq):
    facts = describe_model("lab", None, replace(fairseq, config=values))
    assert facts.config.model_type == facts.ledger.family == ""


@pytest.mark.parametrize("model_type", ["mixformer-sequential", "phi-msft"])
def test_the_first_format_of_phi_is_counted(model_type, realdata):
    path = realdata / "count-phi2" / "config.json"
    stored = read_evidence(path, "config.json")
    found = inspection(describe_model("phi-2", replace(stored, model_type=model_type)))
    assert (found["family"], found["total_parameters"]) == (model_type, 2_779_683_840)


@pytest.mark.parametrize(
    ("model_type", "labels"),
    [
        # Blocks of two norms, and mergers of one beside them.
        ("qwen3_vl", {"vision: norms of the layers", "vision: other norms", "text: last norm"}),
        ("llama4", {"vision: layer norm of the embeddings", "vision: last norm"}),
        ("wav2vec2", {"other norms", "encoder: last norm"}),
        ("swin", {"norms of the layers", "last norm"}),
    ],
)
def test_norms_are_called_by_where_they_stand(model_type, labels, model):
    facts = describe_model("m", model(model_type))
    assert labels <= {str(term.label) for term in facts.ledger.terms}
