"""What every reader of checkpoints owes: a record with its source, or a letter to the user."""

import hashlib
import json
import struct

import pytest
from fakes.checkpoint_file import gguf, metadata, model_file
from fakes.rows import rows_beside

from reportgen.read.weights import CHECKPOINTS, kind_of, read_evidence
from reportgen.records.checkpoint import AdapterConfig, Checkpoint, ModelConfig
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)
HEADER = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
MANIFEST = {"format": "reportgen-tensors/1", "tensors": [{"name": "w", "shape": [2]}]}
# For every format: file name, content, what comes back.
SAMPLES = {
    "manifest": ("tensors.json", json.dumps(MANIFEST).encode(), Checkpoint),
    "adapter": ("adapter_config.json", b'{"peft_type": "LORA", "r": 4}', AdapterConfig),
    "safetensors": (
        "model.safetensors",
        struct.pack("<Q", len(HEADER)) + HEADER + bytes(8),
        Checkpoint,
    ),
    "pytorch": ("model.pt", model_file(), Checkpoint),
    "distributed": (".metadata", metadata(), Checkpoint),
    "gguf": ("model.gguf", gguf(), Checkpoint),
    "config_json": ("config.json", b'{"model_type": "bert"}', ModelConfig),
}


def test_every_format_has_a_sample():
    assert set(SAMPLES) == set(CHECKPOINTS)


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_a_reader_returns_a_record_with_its_source(kind, tmp_path):
    name, content, record = SAMPLES[kind]
    (tmp_path / name).write_bytes(content)
    found = read_evidence(tmp_path / name, f"below/{name}")
    assert type(found) is record
    assert found.source.path == f"below/{name}"
    assert found.source.kind == kind
    assert found.source.size == len(content)
    assert found.source.sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("kind", sorted(SAMPLES))
@pytest.mark.parametrize("keep", [0, 1, 7, -1])
def test_a_cut_file_ends_in_a_letter(kind, keep, tmp_path):
    name, content, _ = SAMPLES[kind]
    (tmp_path / name).write_bytes(content[:keep])
    with pytest.raises(EvidenceError) as caught:
        read_evidence(tmp_path / name, name)
    assert name in caught.value.message
    assert caught.value.remedy


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_reading_leaves_the_file_alone(kind, tmp_path):
    name, content, _ = SAMPLES[kind]
    path = tmp_path / name
    path.write_bytes(content)
    path.chmod(0o444)
    read_evidence(path, name)
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "content", "kind"), ROWS["what_a_file_holds_counts_for_more_than_its_name"]
)
def test_what_a_file_holds_counts_for_more_than_its_name(name, content, kind, tmp_path):
    (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    assert kind_of(tmp_path / name, name) == kind


@pytest.mark.parametrize("name", ["model.pt", "pytorch_model.bin", "last.ckpt", "x.pth"])
def test_a_pickle_is_never_run(name, tmp_path):
    canary = tmp_path / "canary"
    command = f"touch {canary}".encode()
    (tmp_path / name).write_bytes(
        b"\x80\x02cos\nsystem\n(U" + bytes([len(command)]) + command + b"tR."
    )
    with pytest.raises(EvidenceError, match=r"a loader would run: os\.system"):
        read_evidence(tmp_path / name, name)
    assert not canary.exists()


@pytest.mark.parametrize("name", ["notes.txt", "events.json"])
def test_another_file_is_named(name, tmp_path):
    (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(EvidenceError, match=name):
        read_evidence(tmp_path / name, name)


def test_a_folder_with_its_own_description_is_one_checkpoint(tmp_path):
    (tmp_path / ".metadata").write_bytes(metadata())
    found = read_evidence(tmp_path, "step-100")
    assert found.source.path == "step-100/.metadata"
    assert found.total == 6


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(EvidenceError, match="is no file"):
        read_evidence(tmp_path, "model")
