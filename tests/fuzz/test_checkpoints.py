"""Damaged and random checkpoints: a result or a letter to the user, and nothing else."""

import io
import json
import pickletools
import random
import shutil
import time
import zipfile
from pathlib import Path

import pytest
from fakes.checkpoint_file import archive, name, pickled, table, tensor, text, tuple_of
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.read.logs import load_training_args
from reportgen.read.weights import read_evidence, read_manifest, write_manifest
from reportgen.records.errors import EvidenceError

ROUNDS = 250
SECONDS = 1.0
REAL = Path(__file__).parents[1] / "data" / "checkpoints"
FILES = sorted(json.loads((REAL / "expected.json").read_text(encoding="utf-8"))["files"])
ZIPPED = [file for file in FILES if (REAL / file).is_file() and zipfile.is_zipfile(REAL / file)]


def flip(content, rng):
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def cut(content, rng):
    return content[: rng.randrange(len(content))]


def drop(content, rng):
    at = rng.randrange(len(content))
    return content[:at] + content[at + rng.randrange(1, 60) :]


def insert(content, rng):
    at = rng.randrange(len(content))
    return content[:at] + rng.randbytes(rng.randrange(1, 60)) + content[at:]


def zero(content, rng):
    at = rng.randrange(len(content))
    gone = content[at : at + rng.randrange(1, 60)]
    return content[:at] + bytes(len(gone)) + content[at + len(gone) :]


def fill(content, rng):
    at = rng.randrange(len(content))
    gone = content[at : at + rng.choice((1, 2, 4, 8))]
    return content[:at] + b"\xff" * len(gone) + content[at + len(gone) :]


DAMAGE = (flip, cut, drop, insert, zero, fill)


def examine(path):
    """Read a file; return what was found, or None where it was refused."""
    begun = time.process_time()
    try:
        found = read_evidence(path, path.name)
    except EvidenceError as error:
        assert error.remedy  # noqa: PT017
        assert path.name in error.message or ".bin" in error.message  # noqa: PT017
        return None
    finally:
        assert time.process_time() - begun < SECONDS
    names = {t.name for t in found.tensors}
    assert len(names) == len(found.tensors)
    assert {t.shares for t in found.tensors} <= names | {""}
    assert all(n >= 0 for t in found.tensors for n in t.shape)
    again = path.with_name("again.json")
    again.write_bytes(write_manifest(found))
    assert read_manifest(again, "again.json").total == found.total
    return found


@pytest.mark.parametrize("file", FILES)
def test_a_damaged_file(file, tmp_path):
    rng = random.Random(file)
    source = REAL / file
    if source.is_dir():
        shutil.copytree(source, tmp_path, dirs_exist_ok=True)
        source, target = source / ".metadata", tmp_path / ".metadata"
    else:
        for shard in REAL.glob("sharded-*.bin") if file.startswith("sharded.") else ():
            shutil.copy(shard, tmp_path)
        target = tmp_path / Path(file).name
    content = source.read_bytes()
    target.write_bytes(content)
    whole = examine(target)
    for _ in range(ROUNDS):
        target.write_bytes(rng.choice(DAMAGE)(content, rng))
        found = examine(target)
        if found is not None:
            assert found.total <= 2**63
    assert whole is not None


@pytest.mark.parametrize("file", ZIPPED)
def test_a_damaged_pickle_in_a_sound_archive(file, tmp_path):
    """The checksum is right here, so that every opcode reaches the machine."""
    rng = random.Random(f"{file} inside")
    with zipfile.ZipFile(REAL / file) as held:
        files = {entry.filename: held.read(entry) for entry in held.infolist()}
    (label,) = (name for name in files if name.endswith("/data.pkl"))
    pickle = files[label]
    target = tmp_path / "model.pt"
    read = 0
    for _ in range(ROUNDS):
        harmed = rng.choice(DAMAGE)(pickle, rng)
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as written:
            for name, content in (files | {label: harmed}).items():
                written.writestr(name, content)
        target.write_bytes(stream.getvalue())
        read += examine(target) is not None
    assert 0 < read < ROUNDS


def test_damaged_settings_of_the_trainer(tmp_path):
    rng = random.Random("settings")
    scheduler = name("transformers.trainer_utils", "SchedulerType") + tuple_of(text("cosine"))
    made = name("transformers.training_args", "TrainingArguments") + b")\x81"
    state = table({"output_dir": text("o"), "schedule": scheduler + b"R"})
    content = archive(pickled(made + state + b"b"), storages=())
    path, read = tmp_path / "training_args.bin", 0
    for _ in range(ROUNDS):
        path.write_bytes(rng.choice(DAMAGE)(content, rng))
        (log,) = load_training_args(path, path.name)
        assert log.config or log.problems
        read += bool(log.config)
    assert 0 < read < ROUNDS


# Protocol 0 to 5, without what no checkpoint needs: each of these is refused by its name.
NEEDLESS = (b"P", b"\x82", b"\x83", b"\x84", b"\x97", b"\x98")
OPCODES = tuple(opcode.code.encode("latin-1") for opcode in pickletools.opcodes)
LINES = st.sampled_from([b"torch\n", b"os\nsystem\n", b"12\n", b"nan\n", b"-1\n", b"\n"])
CODES = st.sampled_from(OPCODES)
WORDS = st.one_of(CODES, CODES, LINES, st.binary(min_size=1, max_size=9))


@settings(max_examples=400, deadline=None)
@given(words=st.lists(WORDS, max_size=60).map(b"".join))
def test_random_opcodes(words, tmp_path_factory):
    path = tmp_path_factory.mktemp("random") / "random.pt"
    path.write_bytes(words + b".")

    assert examine(path) is None


@pytest.mark.parametrize("code", OPCODES, ids=[opcode.name for opcode in pickletools.opcodes])
def test_every_opcode_of_pickle_is_known_or_refused_by_name(code, tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(pickled(b"N" + code))

    with pytest.raises(EvidenceError) as caught:
        read_evidence(path, path.name)

    assert (f"opcode 0x{code.hex()}" in caught.value.message) == (code in NEEDLESS)


TREES = st.recursive(
    st.sampled_from([tensor(), tensor(shape=(7,)), tensor(key="9"), b"N", b"]", text("x")]),
    lambda inner: st.dictionaries(st.text(max_size=8), inner, max_size=4).map(table),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(content=TREES)
def test_any_tree_of_tables(content, tmp_path_factory):
    path = tmp_path_factory.mktemp("tree") / "model.pt"
    path.write_bytes(archive(pickled(table({"sound": tensor(), "tree": content}))))

    found = examine(path)

    assert found.tensors[0].name == "sound" or "sound" not in {t.name for t in found.tensors}
    assert found.total == 6
