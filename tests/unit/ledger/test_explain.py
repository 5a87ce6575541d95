"""What a stated number counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.ledger import describe_model, explain
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.run import Source


@pytest.fixture
def ledger(config):
    return describe_model("lab", config).ledger


@pytest.mark.parametrize(
    ("total", "scope"),
    [
        (22_807_552, "weights"),
        (22_829_056, "encoder"),
        (22_829_568, "encoder_hf"),
        (23_092_738, "encoder_with_head"),
        (23_093_250, "encoder_with_head_hf"),
        (23_124_736, "encoder_with_lm_head"),
        (23_388_418, "all"),
    ],
)
def test_a_total_of_a_scope_is_named(total, scope, ledger):
    found = explain(ledger, total)

    assert [s.name for s in found.scopes] == [scope]
    assert not found.missing


def test_the_answer_without_positions_and_two_matrices_is_taken_apart(ledger):
    found = explain(ledger, 20_578_304)

    assert found.scope.name == "weights"
    assert [(p.term, p.count) for p in found.missing] == [
        ("embeddings.position", 132_096),
        ("attention.output.weight", 1_048_576),
        ("ffn.out.weight", 1_048_576),
    ]
    assert found.alternatives == 14
    assert "132,096" in found.text


def test_fairseq_copies_explain_the_sum_of_every_parameter(ledger):
    found = explain(ledger, 29_132_800)

    assert found.scope.name == "encoder"
    assert [piece.term for piece in found.extra] == ["fairseq.copies"]


def test_a_tied_projection_counted_twice_is_found(ledger):
    found = explain(ledger, 23_388_418 + 32000 * 512)

    assert [piece.term for piece in found.extra] == ["tied.projection"]


def test_one_matrix_of_one_layer_is_found(ledger):
    found = explain(ledger, 22_829_056 - 512 * 512)

    assert found.scope.name in {"weights", "encoder"}
    assert found.missing[0].layers == 1


@pytest.mark.parametrize("total", [12_345_678, 1, 0, -5, 10**15])
def test_what_no_few_terms_explain_is_left_open(total, ledger):
    found = explain(ledger, total)

    assert found.scope is None
    assert found.text.startswith(f"{total:,} is no total of a scope")


SOURCE = Source(path="config.json", kind="test", size=0, sha256="")


@given(
    layers=st.integers(1, 6),
    width=st.integers(2, 64),
    inner=st.integers(2, 200),
    vocabulary=st.integers(10, 900),
    taken=st.sampled_from(["embeddings.word", "embeddings.position", "ffn.bias", "layer.norm"]),
)
def test_pieces_always_add_up(layers, width, inner, vocabulary, taken):
    values = {
        "vocab_size": vocabulary,
        "hidden_size": width,
        "num_hidden_layers": layers,
        "num_attention_heads": 1,
        "intermediate_size": inner,
        "max_position_embeddings": 33,
        "type_vocab_size": 1,
    }
    config = ModelConfig(source=SOURCE, model_type="roberta", values=values)
    ledger = describe_model("any", config).ledger
    total = ledger.scope("encoder").total - next(t.count for t in ledger.terms if t.name == taken)

    found = explain(ledger, total)

    if found.scopes:
        assert all(scope.total == total for scope in found.scopes)
    else:
        pieces = sum(p.count for p in found.extra) - sum(p.count for p in found.missing)
        assert found.scope.total + pieces == total
