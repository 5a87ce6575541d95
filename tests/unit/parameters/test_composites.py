"""Models of several parts, as their files state them."""

import pytest
from fakes.rows import rows_beside

from reportgen.parameters import describe_model, total_scope
from reportgen.parameters.families import load_family
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.run import Source

ROWS = rows_beside(__file__)
FILE = Source(path="config.json", kind="config_json", size=0, sha256="")
# LLaVA 1.5 7B as it is published; what the library builds from it has 7,063,427,072 parameters.
LLAVA = ROWS["llava"]


def described(**more):
    values = LLAVA | more
    return describe_model("m", ModelConfig(source=FILE, model_type="llava", values=values))


def test_the_type_of_the_whole_and_a_size_said_twice_do_not_stand_in_the_way():
    scope = total_scope(described())
    assert (scope.name, scope.total) == ("all", 7_063_427_072)


def test_what_every_part_states_for_itself_is_not_open_beside_them():
    model = load_family("clap").base.name
    part = {"hidden_size": 96, "num_hidden_layers": 1, "projection_dim": 16}
    values = {"hidden_size": 80, "num_hidden_layers": 5, "projection_dim": 16}
    values |= {"text_config": part, "audio_config": part | {"depths": [1, 1, 1, 1]}}
    config = ModelConfig(source=FILE, model_type="clap", values=values | {"architectures": [model]})
    assert total_scope(describe_model("m", config)).total == 16508350


def test_a_size_beside_the_parts_that_none_of_them_has_is_doubted():
    facts = described(vocab_size=32000, text_config={"model_type": "llama"})
    assert total_scope(facts) is None
    assert any("vocab_size stands beside" in problem.message for problem in facts.problems)


def test_what_the_library_writes_out_for_a_null_is_no_doubt_and_other_values_are():
    def total_of(stages):
        values = {"backbone_config": {"model_type": "vitpose_backbone", "out_features": stages}}
        config = ModelConfig(source=FILE, model_type="vitpose", values=values)
        return total_scope(describe_model("m", config))

    assert total_of(["stage4"]).total == 85_808_642
    assert total_of(["stage3", "stage4"]) is None


@pytest.mark.parametrize(
    ("kind", "total"),
    [("ministral3", 12_015_651_840), ("mistral", 12_015_651_840), ("qwen2", None)],
)
def test_a_part_of_another_type_counts_where_its_tensors_are_those_of_the_one_known(kind, total):
    """Totals of what the library builds."""
    sizes = {"hidden_size": 5120, "num_hidden_layers": 40, "num_key_value_heads": 8}
    part = sizes | {"model_type": kind, "head_dim": 128, "num_attention_heads": 32}
    config = ModelConfig(
        source=FILE,
        model_type="mistral3",
        values={
            "model_type": "mistral3",
            "architectures": ["Mistral3ForConditionalGeneration"],
            "text_config": part | {"vocab_size": 131072, "intermediate_size": 14336},
        },
    )
    scope = total_scope(describe_model("m", config))
    assert (scope and scope.total) == total


def test_what_is_one_number_has_one_name():
    totals = [scope.total for scope in described().ledger.scopes]
    assert len(totals) == len(set(totals))
    assert described().ledger.scope("encoder") is None


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
def test_norms_are_called_by_where_they_stand(model_type, labels):
    facts = describe_model("m", ModelConfig(source=FILE, model_type=model_type, values={}))
    assert labels <= {str(term.label) for term in facts.ledger.terms}
