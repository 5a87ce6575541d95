"""Lists of tensors: written and read back, and refused where they cannot be."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reportgen.read.weights import FORMAT, read_manifest, write_manifest
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.errors import EvidenceError
from reportgen.records.run import Source

SOURCE = Source(path="model.safetensors", kind="safetensors", size=0, sha256="")


def listing(*tensors, **more):
    return {"format": FORMAT, "tensors": list(tensors), **more}


def test_the_sample_lab_is_read(lab):
    found = read_manifest(lab / "model" / "tensors.json", "model/tensors.json")

    assert found.total == 23_388_418
    tied = [t for t in found.tensors if t.shares]
    assert [t.name for t in tied] == ["encoder.lm_head.weight"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tensors=st.lists(
        st.builds(
            TensorSpec,
            name=st.text(min_size=1),
            shape=st.lists(st.integers(0, 9), max_size=4).map(tuple),
            dtype=st.sampled_from(["float32", "int64"]),
            trainable=st.booleans(),
        ),
        unique_by=lambda t: t.name,
        max_size=6,
    )
)
def test_what_is_written_is_read_back(tensors, write):
    before = Checkpoint(source=SOURCE, tensors=tuple(tensors), config={"model_type": "x"})

    after = read_manifest(write("tensors.json", write_manifest(before)), "tensors.json")

    assert (after.tensors, after.config) == (before.tensors, before.config)
    assert write_manifest(after) == write_manifest(before)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"format": "other/1", "tensors": []}, "has the format 'other/1'"),
        ({"format": FORMAT}, "no list of tensors"),
        (listing({"name": "", "shape": []}), "tensor 1 is no tensor"),
        (listing({"name": "a", "shape": [2]}, {"name": "b"}), "tensor 2 is no tensor"),
        (listing({"name": "a", "shape": [2.5]}), "tensor 1"),
        (listing({"name": "a", "shape": [2**40, 2**40]}), "tensor 1"),
        (listing({"name": "a", "shape": [2], "trainable": "no"}), "tensor 1"),
        (listing("a"), "tensor 1"),
        (listing({"name": "a", "shape": [1]}, {"name": "a", "shape": [1]}), "a stands twice"),
        (listing({"name": "a", "shape": [1], "shares": "z"}), "shares the storage of z"),
        (listing({"name": "a", "shape": [1], "shares": "a"}), "shares the storage of a"),
        (
            listing({"name": "a", "shape": [1]}, {"name": "b", "shape": [2], "shares": "a"}),
            "b shares the storage of a",
        ),
    ],
)
def test_a_list_that_cannot_be_is_refused(content, said, write):
    with pytest.raises(EvidenceError, match=said):
        read_manifest(write("tensors.json", content), "tensors.json")
