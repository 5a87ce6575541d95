"""One parameter under two names in several files: counted once where the files show it."""

import json
import warnings

import pytest
from fakes.checkpoint_file import metadata, part, sharded_tensor

from reportgen.read.weights import read_evidence

WORDS, HEAD = "model.embed_tokens.weight", "lm_head.weight"
OPEN = f"{WORDS} and {HEAD} have one shape and lie apart: each is counted"
TIED = f"{WORDS} and {HEAD} lie apart and are counted as one tied parameter: "


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.fixture
def shards(torch, tmp_path):
    """Write a table and an output matrix into two shards, and the index of both."""

    def write(head, *, size=None, sums=True):
        words = torch.arange(44.0).view(11, 4)
        before = torch.serialization.get_crc32_options()
        torch.serialization.set_crc32_options(compute_crc32=sums)
        try:
            torch.save({WORDS: words, "norm.weight": torch.ones(4)}, tmp_path / "a.bin")
            torch.save({HEAD: words.clone() if head == "same" else head}, tmp_path / "b.bin")
        finally:
            torch.serialization.set_crc32_options(compute_crc32=before)
        index = {"weight_map": {WORDS: "a.bin", "norm.weight": "a.bin", HEAD: "b.bin"}}
        if size is not None:
            index["metadata"] = {"total_size": size}
        path = tmp_path / "pytorch_model.bin.index.json"
        path.write_text(json.dumps(index))
        return read_evidence(path, path.name)

    return write


def test_equal_numbers_in_two_shards_are_one_parameter(shards):
    found = shards("same")
    assert {t.name: t.shares for t in found.tensors if t.shares} == {HEAD: WORDS}
    assert found.total == 44 + 4
    assert [(p.message, p.level) for p in found.problems] == [
        (f"{TIED}their checksums are equal", "note")
    ]


def test_other_numbers_are_another_parameter_as_far_as_can_be_told(shards, torch):
    found = shards(torch.zeros(11, 4), size=4 * (2 * 44 + 4))
    assert found.total == 2 * 44 + 4
    (problem,) = found.problems
    assert problem.message.startswith(OPEN)
    assert "one tied parameter of 44 numbers" in problem.message
    assert problem.level == "note"


@pytest.mark.parametrize(
    ("size", "total", "said"),
    [
        (4 * (44 + 4), 48, f"{TIED}the index has room for one"),
        (4 * (2 * 44 + 4), 92, OPEN),
        (None, 92, OPEN),
    ],
)
def test_the_size_in_the_index_shows_a_tie(size, total, said, shards):
    """Without checksums, as `set_crc32_options` writes files."""
    found = shards("same", size=size, sums=False)
    assert found.total == total
    assert [p.message[: len(said)] for p in found.problems] == [said]


@pytest.mark.slow
def test_a_distributed_checkpoint_says_that_it_does_not_tell(torch, tmp_path):
    from torch.distributed import checkpoint as distributed

    words = torch.zeros(11, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        distributed.save({WORDS: words, HEAD: words}, checkpoint_id=tmp_path / "step")
    found = read_evidence(tmp_path / "step", "step")
    assert found.total == 88
    assert [p.message[: len(OPEN)] for p in found.problems] == [OPEN]


@pytest.mark.parametrize(("offset", "total"), [(0, 6), (24, 12)])
def test_two_names_of_one_place_in_a_distributed_checkpoint_are_one(offset, total, tmp_path):
    parts = part("x.weight") + part("y.weight", offset=offset)
    tensors = {"x.weight": sharded_tensor(), "y.weight": sharded_tensor()}
    (tmp_path / ".metadata").write_bytes(metadata(tensors, parts))
    (tmp_path / "__0_0.distcp").write_bytes(bytes(48))
    found = read_evidence(tmp_path, "step")
    assert found.total == total
    assert [t.shares for t in found.tensors] == ["", "" if offset else "x.weight"]
