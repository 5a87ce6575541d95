"""Lists of tensors: written and read back, and refused where they cannot be."""

import pytest
from fakes.rows import rows_beside
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reportgen.read.weights import read_manifest, write_manifest
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.errors import EvidenceError
from reportgen.records.run import Source

ROWS = rows_beside(__file__)
SOURCE = Source(path="model.safetensors", kind="safetensors", size=0, sha256="")


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


@pytest.mark.parametrize(("content", "said"), ROWS["a_list_that_cannot_be_is_refused"])
def test_a_list_that_cannot_be_is_refused(content, said, write):
    with pytest.raises(EvidenceError, match=said):
        read_manifest(write("tensors.json", content), "tensors.json")
