"""Formula beside checkpoint: zero where they agree, the tensor's name where they do not."""

import re
import time
from dataclasses import replace

import pytest
from fakes.rows import rows_beside
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reportgen.parameters import describe_model
from reportgen.records.checkpoint import Checkpoint, ModelConfig, TensorSpec
from reportgen.records.run import Source

ROWS = rows_beside(__file__)
E = "encoder.sentence_encoder"
QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=6)


def rows(config, checkpoint):
    return {row.term.name: row for row in describe_model("lab", config, checkpoint).rows}


def apart(found):
    return {name for name, row in found.items() if row.difference}


def test_fairseq_agrees_but_for_what_it_does_not_have(config, fairseq):
    found = rows(config, fairseq)
    assert apart(found) == {"embeddings.token_type", "pooler"}
    assert found["embeddings.token_type"].explanation.startswith("fairseq stores no token-type row")
    assert sum(row.stored for row in found.values()) == fairseq.total == 23_388_418


def test_hugging_face_agrees_but_for_what_it_does_not_have(config, hugging):
    found = rows(config, hugging)
    assert apart(found) == {"lm_head.dense", "lm_head.norm", "lm_head.bias", "pooler"}
    assert {found[name].explanation for name in apart(found)} == {"not in this checkpoint"}
    assert sum(row.stored for row in found.values()) == hugging.total == 23_093_250


def test_a_tied_projection_counts_once_with_or_without_a_mark(config, fairseq, changed):
    unmarked = changed(fairseq, lambda t: replace(t, shares=""))
    for checkpoint in (fairseq, unmarked):
        row = rows(config, checkpoint)["lm_head.projection"]
        assert (row.stored, row.difference) == (0, 0)
        assert "encoder.lm_head.weight repeats the word embeddings" in row.explanation


@pytest.mark.parametrize(("name", "term"), ROWS["a_tensor_taken_out_is_named_in_its_row"])
def test_a_tensor_taken_out_is_named_in_its_row(name, term, config, fairseq, changed):
    found = rows(config, changed(fairseq, lambda t: None if t.name == name else t))
    assert apart(found) == {term, "embeddings.token_type", "pooler"}
    assert found[term].explanation == f"missing: {name}"


def test_a_reshaped_layer_is_named_with_its_shape(config, fairseq, changed):
    name = f"{E}.layers.1.fc2.weight"
    wide = changed(fairseq, lambda t: replace(t, shape=(512, 2048)) if t.name == name else t)
    row = rows(config, wide)["ffn.out.weight"]
    assert row.difference == 512 * 1536
    assert row.explanation == f"reshaped: {name} (512 × 2048)"


def test_a_fused_projection_is_split(config, fairseq, changed):
    def fuse(tensor):
        if ".self_attn.k_proj." in tensor.name or ".self_attn.v_proj." in tensor.name:
            return None
        name = tensor.name.replace("q_proj.", "in_proj_")
        shape = (3 * tensor.shape[0], *tensor.shape[1:]) if name != tensor.name else tensor.shape
        return replace(tensor, name=name, shape=shape)

    assert apart(rows(config, changed(fairseq, fuse))) == {"embeddings.token_type", "pooler"}


def test_buffers_and_wrappers_change_nothing(config, hugging, changed):
    wrapped = changed(hugging, lambda t: replace(t, name=f"module.{t.name}"))
    buffer = TensorSpec(
        name="module.roberta.embeddings.position_ids", shape=(1, 258), dtype="int64"
    )
    found = rows(config, replace(wrapped, tensors=(*wrapped.tensors, buffer)))
    assert apart(found) == apart(rows(config, hugging))
    assert found["buffers"].explanation.startswith("1 tensor of 258 numbers")


def damaged(tensor, change):
    """Return a tensor taken out, given another shape, or another name."""
    if change == "removed":
        return None
    if change == "renamed":
        return replace(tensor, name=f"{tensor.name}.old")
    return replace(tensor, shape=(*tensor.shape[:-1], tensor.shape[-1] + 3))


@pytest.mark.slow
@pytest.mark.parametrize("change", ["removed", "reshaped", "renamed"])
@pytest.mark.parametrize("program", ["fairseq", "hugging"])
@QUIET
@given(data=st.data())
def test_only_the_row_of_a_damaged_tensor_differs(data, change, program, config, request, changed):
    checkpoint = request.getfixturevalue(program)
    own = [tensor for tensor in checkpoint.tensors if not tensor.shares]
    tensor = data.draw(st.sampled_from(own))
    before = rows(config, checkpoint)
    after = rows(config, changed(checkpoint, lambda t: damaged(t, change) if t == tensor else t))
    (term,) = (
        name for name, row in before.items() if re.fullmatch(row.term.tensors or "^$", tensor.name)
    )
    found = apart(after) - apart(before)
    new = {name for name in after if name.startswith("unexpected.")}
    assert found == {term} | new
    assert len(new) == (change == "renamed")
    said = after[term].explanation
    assert tensor.name in said or said == "not in this checkpoint"
    assert all(f"{tensor.name}.old" in after[name].explanation for name in new)
    size = {"removed": -tensor.count, "renamed": -tensor.count}
    wide = tensor.count // tensor.shape[-1] * 3
    assert after[term].difference == size.get(change, wide)


def test_the_copies_of_fairseq_never_make_the_encoder_larger(config, fairseq):
    """The sum of every stored number is 29.1 million; the encoder has 22,829,056."""
    encoder = tuple(t for t in fairseq.tensors if t.name.startswith(E))
    copies = tuple(
        TensorSpec(name=f"{E}.layers.{layer}.{part}", shape=shape)
        for layer in range(4)
        for part, shape in (
            ("in_proj_weight", (1536, 512)),
            ("in_proj_bias", (1536,)),
            ("out_proj_weight", (512, 512)),
            ("out_proj_bias", (512,)),
            ("fc1_weight", (512, 512)),
            ("fc1_bias", (512,)),
            ("fc2_weight", (512, 512)),
            ("fc2_bias", (512,)),
        )
    )
    found = rows(config, replace(fairseq, tensors=(*encoder, *copies)))
    assert sum(t.count for t in (*encoder, *copies)) == 29_132_800
    assert sum(row.stored for row in found.values()) == 22_829_056
    assert found["fairseq.copies"].explanation.startswith("32 tensors of 6,303,744 numbers")


# A head that holds the bias beside its projection and the bias of the projection.
VOCABULARY, NARROW = 101, 12
BIASES = ("lm_head.bias", "lm_head.decoder.bias")


def small(**more):
    values = {"vocab_size": VOCABULARY, "hidden_size": NARROW, "num_hidden_layers": 1}
    values |= {"num_attention_heads": 3, "intermediate_size": 20, "max_position_embeddings": 17}
    return ModelConfig(
        source=Source(path="config.json", kind="test", size=0, sha256=""),
        model_type=more.pop("model_type", "roberta"),
        values=values | {"type_vocab_size": 1} | more,
    )


def head(*, weight=(VOCABULARY, NARROW), words="", second="", bias=VOCABULARY):
    """Word embeddings and what of the head has the vocabulary's size."""
    table = TensorSpec(name="roberta.embeddings.word_embeddings.weight", shape=(VOCABULARY, NARROW))
    projection = TensorSpec(name="lm_head.decoder.weight", shape=weight or (), shares=words)
    biases = (
        TensorSpec(name=BIASES[0], shape=(bias,)),
        TensorSpec(name=BIASES[1], shape=(bias,), shares=second),
    )
    source = Source(path="model.bin", kind="test", size=0, sha256="")
    kept = (table, projection, *biases) if weight else (table, *biases)
    return Checkpoint(source=source, tensors=kept)


def stored_biases(config, checkpoint):
    """Return how many numbers of biases are counted: all that are neither words nor projection."""
    found = describe_model("small", config, checkpoint).rows
    matrices = (t.count for t in checkpoint.tensors if len(t.shape) == 2 and not t.shares)
    total = sum(row.stored for row in found)
    tied = "tie_word_embeddings" not in config.values
    return total - (VOCABULARY * NARROW if tied else sum(matrices))


UNTIED = {"tie_word_embeddings": False}
OLD = UNTIED | {"transformers_version": "4.57.1"}
MODERN = UNTIED | {"transformers_version": "5.23.0"}


@pytest.mark.parametrize("more", [UNTIED, OLD, MODERN])
def test_both_biases_of_an_untied_head_count_where_both_are_stored(more):
    assert stored_biases(small(**more), head()) == 2 * VOCABULARY


def test_a_bias_that_the_formula_does_not_have_is_named():
    rows = {row.term.name: row for row in describe_model("small", small(**OLD), head()).rows}
    odd = [row for row in rows.values() if row.difference and row.stored]
    assert sum(row.difference for row in odd) == VOCABULARY
    assert any("lm_head.decoder.bias" in row.explanation for row in odd)


@pytest.mark.parametrize("more", [UNTIED, OLD, MODERN])
def test_a_projection_taken_out_of_an_untied_head_takes_no_bias_with_it(more):
    assert stored_biases(small(**more), head(weight=None)) == 2 * VOCABULARY


@pytest.mark.parametrize("more", [UNTIED, OLD, MODERN])
@pytest.mark.parametrize(
    "held",
    [head(second=BIASES[0]), head(words="roberta.embeddings.word_embeddings.weight")],
    ids=["one storage", "projection in the word embeddings' storage"],
)
def test_what_the_file_ties_counts_once_whatever_the_configuration_says(more, held):
    assert stored_biases(small(**more), held) == VOCABULARY


@pytest.mark.parametrize(
    "held",
    [
        head(),
        head(weight=None),
        head(second=BIASES[0]),
        head(words="roberta.embeddings.word_embeddings.weight"),
    ],
    ids=["no mark", "no projection", "one storage", "tied"],
)
def test_the_bias_of_a_tied_head_counts_once_with_or_without_a_mark(held):
    assert stored_biases(small(), held) == VOCABULARY


def test_a_projection_of_another_shape_is_not_tied_and_has_a_bias_of_its_own():
    rows = describe_model("small", small(), head(weight=(104, NARROW), bias=104)).rows
    assert sum(row.stored for row in rows) == (VOCABULARY + 104) * NARROW + 2 * 104


@pytest.mark.parametrize(
    ("held", "times"),
    [
        (head(), 2),
        (head(weight=None), 1),
        (head(second=BIASES[0]), 1),
        (head(words="roberta.embeddings.word_embeddings.weight"), 1),
    ],
    ids=["apart", "no projection", "one storage", "tied"],
)
def test_without_a_formula_the_file_alone_says_how_many_biases_there_are(held, times):
    facts = describe_model("small", small(model_type="unheard-of"), held)
    lm_head = next(term for term in facts.ledger.terms if term.name == "lm_head")
    own = sum(t.count for t in held.tensors if t.name.endswith("decoder.weight") and not t.shares)
    assert lm_head.count == own + times * VOCABULARY


def many(names):
    tensors = tuple(TensorSpec(name=name, shape=(1,)) for name in names)
    return Checkpoint(source=Source(path="m", kind="test", size=0, sha256=""), tensors=tensors)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t{}", "model.layers.{}.weight", "layers.0.experts.{}.w"])
def test_very_many_tensors_of_an_unknown_family_are_grouped_in_bounded_time(name):
    began = time.process_time()
    facts = describe_model("lab", None, many(name.format(n) for n in range(20_000)))
    assert sum(row.stored for row in facts.rows) == 20_000
    assert all(len(term.tensors) < 2000 for term in facts.ledger.terms)
    assert time.process_time() - began < 10


def test_a_number_of_very_many_digits_in_a_name_is_text(config):
    number = "9" * 5000
    found = rows(config, many([f"encoder.layer.{number}.output.LayerNorm.weight"]))
    assert "missing" in found["layer.norm"].explanation
