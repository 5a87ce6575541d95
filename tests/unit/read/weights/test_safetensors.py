"""Safetensors: honest files, indexes with shards, and headers that lie."""

import struct

import pytest
from fakes.rows import rows_beside

from reportgen.read.weights import read_evidence
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)

# Code in the file to the type's name in the field, and bytes an element.
TYPES = ROWS["types"]


def entry(shape, begin, end, dtype="F32"):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def test_a_real_file_holds_what_was_published(realdata):
    path = realdata / "hf-trainer-agnews-lora/results/checkpoint-1200/adapter_model.safetensors"
    assert read_evidence(path, "adapter_model.safetensors").total == 918_540


@pytest.mark.parametrize("dtype", sorted(TYPES))
def test_every_type_has_its_width(dtype, safetensors):
    size = 6 * TYPES[dtype][1]
    path = safetensors("t.safetensors", header={"w": entry([6], 0, size, dtype)}, data=bytes(size))
    assert read_evidence(path, "t").tensors[0].dtype == TYPES[dtype][0]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({"header": b"{}", "length": 2**63}, "100 MB is the limit"),
        ({"header": b"{}", "length": 100_000_001}, "100 MB is the limit"),
        ({"header": b"{}", "length": 5000}, "is cut short"),
        ({"header": b"[]"}, "not an object"),
        ({"header": b"{oops"}, "column"),
        ({"header": b"\xff\xfe{}"}, "no UTF-8"),
        ({"header": b"[" * 100_000}, "t"),
        ({"header": {"w": entry([2], 0, 8)}}, "ends at byte 8 of 0"),
        ({"header": {"w": entry([2], 0, 7)}, "data": bytes(8)}, "needs 8"),
        ({"header": {"w": entry([10**9, 10**9], 0, 16)}, "data": bytes(16)}, "needs"),
        ({"header": {"w": entry([2**60, 2**60], 0, 16)}, "data": bytes(16)}, "no tensor"),
        ({"header": {"w": entry([-2, -4], 0, 32)}, "data": bytes(32)}, "no tensor"),
        ({"header": {"w": entry([2], 8, 0)}, "data": bytes(8)}, "no tensor"),
        ({"header": {"w": entry([2], -8, 0)}, "data": bytes(8)}, "no tensor"),
        ({"header": {"w": entry([True], 0, 4)}, "data": bytes(8)}, "no tensor"),
        ({"header": {"w": entry([2], 0, 8, "F31")}, "data": bytes(8)}, "no tensor"),
        ({"header": {"w": "F32"}}, "no tensor"),
        (
            {"header": {"a": entry([2], 0, 8), "b": entry([2], 4, 12)}, "data": bytes(12)},
            "lets a and b overlap",
        ),
        (
            {"header": b'{"a": {"dtype":"F32","shape":[0],"data_offsets":[0,0]}, "a": 1}'},
            "stands twice",
        ),
    ],
)
def test_a_header_that_lies_is_refused(raw, said, safetensors):
    with pytest.raises(EvidenceError, match=said) as caught:
        read_evidence(safetensors("t.safetensors", **raw), "t.safetensors")
    assert caught.value.message.startswith("t.safetensors")
    assert caught.value.remedy


def test_a_git_lfs_pointer_is_named(write):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    with pytest.raises(EvidenceError, match="Git-LFS pointer") as caught:
        read_evidence(write("t.safetensors", pointer), "t.safetensors")
    assert caught.value.remedy == "run: git lfs pull"


def test_a_missing_shard_and_a_surplus_tensor_are_problems(write, safetensors):
    safetensors("a.safetensors", {"x": [4], "extra": [1]})
    weights = {"x": "a.safetensors", "gone": "a.safetensors", "y": "b.safetensors"}
    index = write("model.safetensors.index.json", {"weight_map": weights})
    found = read_evidence(index, "m/model.safetensors.index.json")
    assert [problem.path for problem in found.problems] == [
        "m/a.safetensors",
        "m/a.safetensors",
        "m/b.safetensors",
    ]
    assert "lacks: gone" in found.problems[0].message
    assert "does not name: extra" in found.problems[1].message


@pytest.mark.parametrize("shard", ["../a.safetensors", "/etc/passwd", "x/a", "..\\a", 7, "x" * 300])
def test_an_index_reaches_no_file_outside_its_folder(shard, write):
    index = write("model.safetensors.index.json", {"weight_map": {"x": shard}})
    with pytest.raises(EvidenceError, match="no file beside it"):
        read_evidence(index, "model.safetensors.index.json")


def test_only_the_header_of_a_large_file_is_read(tmp_path):
    content = b'{"w":{"dtype":"F32","shape":[1073741824],"data_offsets":[0,4294967296]}}'
    path = tmp_path / "large.safetensors"
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(content)) + content)
        file.truncate(8 + len(content) + 2**32)  # sparse: no block is written
    found = read_evidence(path, "large.safetensors")
    assert (found.total, found.source.sha256) == (2**30, "")


@pytest.mark.parametrize("header", [b"{bad", b"\xff\xfe", b'{"a":' * 20_000])
def test_a_damaged_header_is_to_be_copied_again_not_mended_by_hand(header, write):
    content = struct.pack("<Q", len(header)) + header
    with pytest.raises(EvidenceError) as caught:
        read_evidence(write("model.safetensors", content), "model.safetensors")
    assert "download or copy it again" in str(caught.value)
    assert "recursion" not in str(caught.value)


SHARDS = [f"model-0000{n}-of-00003.safetensors" for n in (1, 2, 3)]


@pytest.mark.parametrize(("beside", "remedy"), ROWS["a_shard_by_itself_is_said_to_be_one"])
def test_a_shard_by_itself_is_said_to_be_one(beside, remedy, safetensors, write):
    path = safetensors(SHARDS[0], {"w": [2, 3]})
    for name in beside:
        write(name, "{}")
    (problem,) = read_evidence(path, f"m/{SHARDS[0]}").problems
    assert problem.path == f"m/{SHARDS[0]}"
    assert problem.message.startswith("this is shard 1 of 3: the total counts this file alone")
    assert problem.remedy.startswith(remedy)
    assert problem.level == "warning"


def test_shards_read_through_their_index_are_the_whole_model(safetensors, write):
    for place, shard in enumerate(SHARDS):
        safetensors(shard, {f"w{place}": [2]})
    weights = {f"w{place}": shard for place, shard in enumerate(SHARDS)}
    index = write("model.safetensors.index.json", {"weight_map": weights})
    found = read_evidence(index, index.name)
    assert (found.total, found.problems) == (6, ())


@pytest.mark.parametrize("name", ["model-00001-of-00001.safetensors", "step-3.safetensors"])
def test_a_file_that_is_the_whole_is_no_shard(name, safetensors):
    assert read_evidence(safetensors(name, {"w": [2]}), name).problems == ()


@pytest.mark.parametrize(
    ("header", "data", "said"), ROWS["bytes_of_no_tensor_and_files_of_none_are_noted"]
)
def test_bytes_of_no_tensor_and_files_of_none_are_noted(header, data, said, safetensors):
    path = safetensors("t.safetensors", header=header, data=bytes(data))
    found = read_evidence(path, "t.safetensors")
    assert found.total == 2 * len([name for name in header if name != "__metadata__"])
    assert [(p.level, said in p.message) for p in found.problems] == [("note", True)]
    library = pytest.importorskip("safetensors")
    if data:
        with pytest.raises(library.SafetensorError):
            library.safe_open(path, "numpy")
