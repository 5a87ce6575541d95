"""Files that PyTorch itself wrote, against what PyTorch itself found in them."""

import json
import time
from pathlib import Path

import pytest
from fakes.checkpoint_file import (
    archive,
    legacy,
    name,
    number,
    pickled,
    table,
    tensor,
    text,
    tuple_of,
    write_huge,
)

from reportgen.read.weights import read_adapter_tensors, read_evidence
from reportgen.records.errors import EvidenceError

REAL = Path(__file__).parents[3] / "data" / "checkpoints"
EXPECTED = json.loads((REAL / "expected.json").read_text(encoding="utf-8"))["files"]
# The type's longer name says which of two encodings it is; the shorter one stands for it here.
ALIASES = {"float8_e4m3fn": "float8_e4m3"}
OPTIMIZER = "21 tensors under {!r} are no part of the model"
SAID = {
    "lightning.ckpt": OPTIMIZER.format("optimizer_states"),
    "fairseq_args.pt": OPTIMIZER.format("last_optimizer_state"),
    "whole_module.pth": "this file names code that a loader would run: train.Tied",
    "distributed": "1 tensor is no part of the model",
    "sharded.bin.index.json": "embed.weight and lm_head.weight lie apart and are counted as one "
    "tied parameter: their checksums are equal",
}
# Torch loads each shard by itself, and no longer sees that the model had one matrix here.
SPLIT = {("sharded.bin.index.json", "lm_head.weight"): "embed.weight"}


def read(file):
    return read_evidence(REAL / file, file)


@pytest.mark.parametrize("file", sorted(EXPECTED))
def test_names_shapes_types_and_ties_are_those_that_torch_found(file):
    expected = {
        (
            t["name"],
            tuple(t["shape"]),
            ALIASES.get(t["dtype"], t["dtype"]),
            SPLIT.get((file, t["name"]), t["shares"]),
        )
        for t in EXPECTED[file]["tensors"]
    }
    found = read(file)
    assert {(t.name, t.shape, t.dtype, t.shares) for t in found.tensors} == expected
    assert len(found.tensors) == len(expected)


@pytest.mark.parametrize("file", sorted(EXPECTED))
def test_only_what_matters_is_said(file):
    assert [problem.message for problem in read(file).problems] == [
        SAID[file] for _ in range(file in SAID)
    ]


@pytest.mark.parametrize("file", sorted(f for f in EXPECTED if "config" in EXPECTED[f]))
def test_training_arguments_are_plain_values_under_flat_names(file):
    assert dict(read(file).config) == EXPECTED[file]["config"]


def test_a_frozen_parameter_is_known():
    assert [t.name for t in read("every_type.pt").tensors if not t.trainable] == ["frozen"]


def test_a_pickled_adapter_is_read_beside_its_configuration():
    found = read_adapter_tensors(REAL / "adapter" / "adapter_config.json", "a/adapter_config.json")
    assert found.source.path == "a/adapter_model.bin"
    assert found.total == 2 * 2 * (4 + 4)


def test_an_index_without_its_files_says_what_it_promises(tmp_path):
    index = tmp_path / "pytorch_model.bin.index.json"
    index.write_bytes((REAL / "sharded.bin.index.json").read_bytes())
    with pytest.raises(EvidenceError, match=r"it promises 656 bytes in all, and no shapes"):
        read_evidence(index, index.name)


def test_a_part_of_a_distributed_checkpoint_that_is_missing_is_not_counted(tmp_path):
    (tmp_path / ".metadata").write_bytes((REAL / "distributed" / ".metadata").read_bytes())
    with pytest.raises(EvidenceError, match="missing or cut short"):
        read_evidence(tmp_path, "step")


def loaded(content, tmp_path, file="model.pt"):
    path = tmp_path / file
    path.write_bytes(content)
    return read_evidence(path, file)


SOUND = {"w": tensor()}
DOUBTFUL = {
    "reaches past": (tensor(shape=(2, 4)), "past the end of its storage of 6 elements"),
    "offset": (tensor(offset=1), "past the end of its storage of 6 elements"),
    "claims more": (tensor(key="0", numel=7), "a storage of 24 bytes that claims 28"),
    "no storage": (tensor(key="1"), "a storage that is not in the file"),
    "huge": (tensor(shape=(10**18, 10**18)), "a shape that no tensor can have"),
    "negative": (tensor(shape=(-2, 3), stride=(3, 1)), "a shape that no tensor can have"),
    "negative step": (tensor(stride=(-3, 1)), "a shape that no tensor can have"),
    "negative offset": (tensor(offset=-1), "a shape that no tensor can have"),
    "expanded": (tensor(shape=(10**9, 6), stride=(0, 1)), "repeats the numbers of a smaller"),
    "overlap": (tensor(shape=(4,), offset=2), "overlaps sound in part"),
    "type": (tensor(kind="Magic"), "in no storage that is known"),
}


@pytest.mark.parametrize("case", sorted(DOUBTFUL))
def test_a_tensor_that_cannot_hold_is_said_and_not_counted(case, tmp_path):
    doubtful, said = DOUBTFUL[case]
    content = archive(pickled(table({"sound": tensor(shape=(3,)), "doubtful": doubtful})))
    found = loaded(content, tmp_path)
    assert [t.name for t in found.tensors] == ["sound"]
    (problem,) = found.problems
    assert problem.message.startswith("doubtful")
    assert said in problem.message
    assert problem.level == "warning"


def test_a_view_inside_another_tensor_shares_it(tmp_path):
    inner, outer = tensor(shape=(2,), offset=1), tensor(shape=(6,))
    found = loaded(archive(pickled(table({"inner": inner, "outer": outer}))), tmp_path)
    assert {t.name: t.shares for t in found.tensors} == {"inner": "outer", "outer": ""}
    assert found.total == 6


def test_the_old_stream_knows_the_length_of_each_storage(tmp_path):
    other = tensor(key="1", numel=2, shape=(2,), kind="Half")
    pickle = pickled(table({"w": tensor(), "h": other}))
    content = legacy(pickle, (("0", 6), ("1", 2)))
    with pytest.raises(EvidenceError, match="h has a storage that is not in the file"):
        loaded(legacy(pickled(table({"h": other})), (("1", 3),))[:-8], tmp_path)
    assert [t.name for t in loaded(content, tmp_path).tensors] == ["w", "h"]


def test_a_file_larger_than_memory_is_read_at_once(tmp_path):
    path, many = tmp_path / "huge.pt", 10**10
    write_huge(path, pickled(table({"w": tensor(shape=(many,), numel=many)})), 4 * many)
    begun = time.process_time()
    found = read_evidence(path, path.name)
    assert time.process_time() - begun < 1
    assert found.total == many
    assert found.source.size > 4 * many
    assert found.problems == ()


def test_tensors_of_other_kinds_are_named(tmp_path):
    sparse = name("torch._utils", "_rebuild_sparse_tensor") + tuple_of() + b"R"
    found = loaded(archive(pickled(table(SOUND | {"s": sparse}))), tmp_path)
    assert [p.message for p in found.problems] == ["s is sparse; its numbers are not counted"]


@pytest.mark.parametrize("key", ["state_dict", "model", "module", "model_state_dict", "net"])
def test_the_model_is_told_apart_from_what_is_saved_beside_it(key, tmp_path):
    content = {"ema": table(SOUND), key: table(SOUND), "scaler": table({"s": tensor()})}
    found = loaded(archive(pickled(table(content))), tmp_path)
    assert [t.name for t in found.tensors] == ["w"]
    assert {p.level for p in found.problems} == {"note"}


def test_only_plain_values_of_the_arguments_are_kept(tmp_path):
    values = {
        "lr": b"G?\xb9\x99\x99\x99\x99\x99\x9a",
        "nan": b"G\x7f\xf8\0\0\0\0\0\0",
        "long": text("x" * 2000),
        "huge": number(2**100),
        "code": name("os", "system"),
        "nested": table({"deep": text("yes")}),
    }
    content = {"model": table(SOUND), "args": table(values)}
    found = loaded(archive(pickled(table(content))), tmp_path)
    assert dict(found.config) == {"lr": 0.1, "deep": "yes"}
    assert [p.message for p in found.problems] == [
        "this file names code that a loader would run: os.system"
    ]


ODD_KEYS = [None, True, 1.5, ("layer", 0), (("deep", (None,)),), 2**70]


@pytest.mark.parametrize("beside", [{}, {"optimizer": {"state": {}}}, {"epoch": 3}])
def test_tensors_under_keys_that_are_no_text_are_counted(beside, tmp_path):
    torch = pytest.importorskip("torch")
    path = tmp_path / "model.pt"
    held = {key: torch.zeros(n + 1) for n, key in enumerate(["w", 0, *ODD_KEYS])}
    torch.save(held | beside, path)
    found = read_evidence(path, path.name)
    spelled = [repr(key) for key in ODD_KEYS[:-1]]
    assert {t.name for t in found.tensors} == {"w", "0", *spelled, hex(2**70)}
    assert found.total == sum(t.numel() for t in held.values())


def test_tensors_beside_the_model_under_keys_that_are_no_text_are_named(tmp_path):
    torch = pytest.importorskip("torch")
    path = tmp_path / "model.pt"
    torch.save({"model": {"w": torch.zeros(2)}, ("best", 1): {"w": torch.zeros(3)}}, path)
    found = read_evidence(path, path.name)
    assert found.total == 2
    assert any("('best', 1)" in problem.message for problem in found.problems)
