"""Random checkpoints: a result or a letter to the user; damaged ones are under fire."""

import pickletools
import time

import pytest
from fakes.checkpoint_file import archive, pickled, table, tensor, text
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.weights import read_evidence, read_manifest, write_manifest
from reportgen.records.errors import EvidenceError

SECONDS = 1.0


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


# Protocol 0 to 5, without what no checkpoint needs: each of these is refused by its name.
NEEDLESS = (b"P", b"\x82", b"\x83", b"\x84", b"\x97", b"\x98")
OPCODES = tuple(opcode.code.encode("latin-1") for opcode in pickletools.opcodes)
LINES = st.sampled_from([b"torch\n", b"os\nsystem\n", b"12\n", b"nan\n", b"-1\n", b"\n"])
CODES = st.sampled_from(OPCODES)
WORDS = st.one_of(CODES, CODES, LINES, st.binary(min_size=1, max_size=9))


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


@given(content=TREES)
def test_any_tree_of_tables(content, tmp_path_factory):
    path = tmp_path_factory.mktemp("tree") / "model.pt"
    path.write_bytes(archive(pickled(table({"sound": tensor(), "tree": content}))))

    found = examine(path)

    assert found.tensors[0].name == "sound" or "sound" not in {t.name for t in found.tensors}
    assert found.total == 6
